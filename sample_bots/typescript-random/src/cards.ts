// What cards mean. The numbers are sections of SPEC.md.

import type { TrickView } from "./views.js";

/** A view of a trick game whose rules are settled: `trump` and its like are not null (11.3.2). */
export type Settled = Exclude<TrickView, { phase: "tokens" }>;

/** One whose teams are chosen too (11.3.3). */
export type Teamed = Exclude<Settled, { phase: "team" }>;

// The trick games: a card is the letter of its colour and its rank, such as R13.

/** The suit of a card in this round (11.4): in `nyet` a supertrump is of the trump colour. */
export function suit(card: string, view: Settled): string {
  return view.game === "nyet" && isSupertrump(card, view) ? view.trump : card.charAt(0);
}

export function rank(card: string): number {
  return Number(card.slice(1));
}

/** Whether it is a supertrump: of the low rank (11.1), in the colour of row 4. */
export function isSupertrump(card: string, view: Settled): boolean {
  const low = view.game === "njet" ? 0 : 1;
  return card.charAt(0) === view.supertrump && rank(card) === low;
}

/**
 * How strong a card is in a trick that began with the card `led` (11.5): the higher takes it, of
 * equals the later. Supertrumps, then trumps, then the suit that was led, then the rest.
 */
export function strength(card: string, led: string, view: Settled): number {
  if (isSupertrump(card, view)) return 300;
  if (suit(card, view) === view.trump) return 200 + rank(card);
  return suit(card, view) === suit(led, view) ? 100 + rank(card) : rank(card);
}

/** The seat that takes the open trick as it lies; null if no card lies there. */
export function taker(view: Settled): number | null {
  const trick = view.tricks.at(-1) ?? [];
  const [led] = trick;
  const leader = view.leaders.at(-1);
  if (led === undefined || leader === undefined) return null;
  const strengths = trick.map((card) => strength(card, led, view));
  return (leader + strengths.lastIndexOf(Math.max(...strengths))) % view.seats;
}

/** The other seats of your team in this round. */
export function teammates(view: Teamed): number[] {
  const seats = [...Array(view.seats).keys()];
  return seats.filter((seat) => seat !== view.seat && isWithMe(seat, view));
}

/** Whether a seat is on your team; you are. */
export function isWithMe(seat: number, view: Teamed): boolean {
  return view.team.includes(seat) === view.team.includes(view.seat);
}

// NOPE!: a card as in 12.1. The action `X!` is the card X laid alone (12.10): the `!` may stay.

/** The letters of the colours that a card shows, in the order RGBY. */
export function colours(card: string): string {
  return /^(J|X|S\*)/.test(card) ? "RGBY" : card.replace(/[^RGBY]/g, "");
}

export function shows(card: string, colour: string): boolean {
  return colours(card).includes(colour);
}

/** How many cards it asks the next seat for, 1 to 3; null for the action cards. */
export function number(card: string): number | null {
  if (card === "J") return 1;
  return /^[RGBY]+[123]$/.test(card) ? Number(card.slice(-1)) : null;
}
