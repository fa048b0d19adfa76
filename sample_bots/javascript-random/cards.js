// @ts-check
// What cards mean. The numbers are sections of SPEC.md.

/** @import { TrickView } from "./views.js" */

/**
 * A view of a trick game whose rules are settled: `trump` and its like are not null (11.3.2).
 *
 * @typedef {Exclude<TrickView, { phase: "tokens" }>} Settled
 */

/**
 * One whose teams are chosen too (11.3.3).
 *
 * @typedef {Exclude<Settled, { phase: "team" }>} Teamed
 */

// The trick games: a card is the letter of its colour and its rank, such as R13.

/**
 * The suit of a card in this round (11.4): in `nyet` a supertrump is of the trump colour.
 *
 * @param {string} card
 * @param {Settled} view
 */
export function suit(card, view) {
  return view.game === "nyet" && isSupertrump(card, view) ? view.trump : card.charAt(0);
}

/** @param {string} card */
export function rank(card) {
  return Number(card.slice(1));
}

/**
 * Whether it is a supertrump: of the low rank (11.1), in the colour of row 4.
 *
 * @param {string} card
 * @param {Settled} view
 */
export function isSupertrump(card, view) {
  const low = view.game === "njet" ? 0 : 1;
  return card.charAt(0) === view.supertrump && rank(card) === low;
}

/**
 * How strong a card is in a trick that began with the card `led` (11.5): the higher takes it, of
 * equals the later. Supertrumps, then trumps, then the suit that was led, then the rest.
 *
 * @param {string} card
 * @param {string} led
 * @param {Settled} view
 */
export function strength(card, led, view) {
  if (isSupertrump(card, view)) return 300;
  if (suit(card, view) === view.trump) return 200 + rank(card);
  return suit(card, view) === suit(led, view) ? 100 + rank(card) : rank(card);
}

/**
 * The seat that takes the open trick as it lies; null if no card lies there.
 *
 * @param {Settled} view
 */
export function taker(view) {
  const trick = view.tricks.at(-1) ?? [];
  const leader = view.leaders.at(-1);
  if (trick.length === 0 || leader === undefined) return null;
  const strengths = trick.map((card) => strength(card, trick[0], view));
  return (leader + strengths.lastIndexOf(Math.max(...strengths))) % view.seats;
}

/**
 * The other seats of your team in this round.
 *
 * @param {Teamed} view
 */
export function teammates(view) {
  const seats = [...Array(view.seats).keys()];
  return seats.filter((seat) => seat !== view.seat && isWithMe(seat, view));
}

/**
 * Whether a seat is on your team; you are.
 *
 * @param {number} seat
 * @param {Teamed} view
 */
export function isWithMe(seat, view) {
  return view.team.includes(seat) === view.team.includes(view.seat);
}

// NOPE!: a card as in 12.1. The action `X!` is the card X laid alone (12.10): the `!` may stay.

/**
 * The letters of the colours that a card shows, in the order RGBY.
 *
 * @param {string} card
 */
export function colours(card) {
  return /^(J|X|S\*)/.test(card) ? "RGBY" : card.replace(/[^RGBY]/g, "");
}

/**
 * @param {string} card
 * @param {string} colour
 */
export function shows(card, colour) {
  return colours(card).includes(colour);
}

/**
 * How many cards it asks the next seat for, 1 to 3; null for the action cards.
 *
 * @param {string} card
 */
export function number(card) {
  if (card === "J") return 1;
  return /^[RGBY]+[123]$/.test(card) ? Number(card.slice(-1)) : null;
}
