// @ts-check
// Your idea goes here: `decide` is asked for every decision, in every game.

/** @import { Request } from "./messages.js" */
import { isNope, isTrick } from "./views.js"; // which game a view is of
import * as cards from "./cards.js"; // what a card is worth: `cards.strength(card, led, view)`
import { high } from "./high.js"; // a second example: end `decide` with `return high(request);`

/**
 * Any legal action, drawn by lot. Give back one of `request.legal`, a list that is never empty;
 * `request.time_us` is how many microseconds you have (SPEC 6.2), `request.view` is all that your
 * seat may know (SPEC 10.3). Once game and phase are known, your editor offers the fields:
 *
 *     if (isTrick(view) && view.phase === "play") ... view.trump, view.tricks.at(-1) ...
 *     if (isNope(view) && view.phase === "lay") ... view.demand.count ...
 *
 * @param {Request} request
 * @returns {string}
 */
export function decide(request) {
  const { view, legal } = request;
  return legal[Math.floor(Math.random() * legal.length)];
}
