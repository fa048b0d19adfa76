// @ts-check
// The helpers of cards.js, by the vectors that are made from the tables of SPEC 11.8 and 12.1.

/** @import { View } from "./views.js" */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Decoder } from "@msgpack/msgpack";
import * as cards from "./cards.js";
import { bytes, vectors } from "./vectors.js";
import { isTrick } from "./views.js";

/**
 * The view of a vector, read as the bot reads it.
 *
 * @param {string} hex
 */
function unpacked(hex) {
  const view = /** @type {View} */ (new Decoder().decode(bytes(hex)));
  assert.ok(isTrick(view) && view.phase === "play");
  return view;
}

describe("SPEC 11.4: the cards that may follow are those of the suit that was led", () => {
  for (const vector of vectors("following")) {
    test(vector.name, () => {
      const view = unpacked(vector.hex);
      const led = cards.suit(view.tricks[0][0], view);
      const answering = view.hand.filter((card) => cards.suit(card, view) === led);
      assert.deepEqual(answering.length > 0 ? answering : view.hand, vector.may_play);
    });
  }
});

describe("SPEC 11.5: the seat that takes a trick, and its team", () => {
  for (const vector of vectors("tricks")) {
    test(vector.name, () => {
      const view = unpacked(vector.hex);
      assert.equal(cards.taker(view), vector.taken_by);
      assert.equal(cards.taker({ ...view, tricks: [[]] }), null);
      assert.deepEqual(cards.teammates(view), vector.teammates);
      for (const seat of Array(view.seats).keys()) {
        const isWithMe = seat === view.seat || vector.teammates.includes(seat);
        assert.equal(cards.isWithMe(seat, view), isWithMe);
      }
    });
  }
});

describe("SPEC 12.1: the colours that a card of NOPE! shows, and its number", () => {
  for (const { card, colours, number } of vectors("showing")) {
    test(card, () => {
      assert.equal(cards.colours(card), colours);
      assert.equal(cards.colours(`${card}!`), colours);
      assert.equal(cards.number(card), number);
      for (const colour of "RGBY") {
        assert.equal(cards.shows(card, colour), colours.includes(colour));
      }
    });
  }
});

test("SPEC 11.1: a rank may have two digits", () => {
  assert.deepEqual(["R1", "R13", "K0"].map(cards.rank), [1, 13, 0]);
});
