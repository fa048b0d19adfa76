// @ts-check
// A second example, one rule of thumb: take tricks, as cheaply as you can. The rest goes by lot.

/** @import { Request } from "./messages.js" */
/** @import { TrickPlay } from "./views.js" */
import { isWithMe, strength, taker } from "./cards.js";
import { isTrick } from "./views.js";

/**
 * @param {Request} request
 * @returns {string}
 */
export function high(request) {
  const { view, legal } = request;
  if (isTrick(view) && view.phase === "play") return play(view, legal);
  return legal[Math.floor(Math.random() * legal.length)];
}

/**
 * @param {TrickPlay} view
 * @param {readonly string[]} legal
 */
function play(view, legal) {
  const trick = view.tricks.at(-1) ?? []; // the open one; empty if you lead
  const strengthOf = (card) => strength(card, trick[0] ?? card, view);
  const sorted = legal.toSorted((a, b) => strengthOf(a) - strengthOf(b));
  const [weakest, strongest] = [sorted[0], sorted[sorted.length - 1]];
  const isShy = view.points < 0; // a round in which tricks cost points

  const holder = taker(view);
  if (holder === null) return isShy ? weakest : strongest;
  // Of two cards that are equally strong the later takes the trick.
  const toBeat = Math.max(...trick.map(strengthOf));
  const losing = sorted.filter((card) => strengthOf(card) < toBeat);
  const taking = sorted.filter((card) => strengthOf(card) >= toBeat);
  if (isShy) return losing.at(-1) ?? strongest;
  return isWithMe(holder, view) ? weakest : (taking[0] ?? weakest);
}
