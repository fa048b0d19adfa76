// A second example, one rule of thumb: take tricks, as cheaply as you can. The rest goes by lot.

import { isWithMe, strength, taker } from "./cards.js";
import type { Request } from "./messages.js";
import { isTrick, type TrickPlay } from "./views.js";

export function high(request: Request): string {
  const { view, legal } = request;
  if (isTrick(view) && view.phase === "play") return play(view, legal);
  return legal[Math.floor(Math.random() * legal.length)]!;
}

function play(view: TrickPlay, legal: readonly string[]): string {
  const trick = view.tricks.at(-1)!; // the open one; empty if you lead
  const strengthOf = (card: string) => strength(card, trick[0] ?? card, view);
  const sorted = legal.toSorted((a, b) => strengthOf(a) - strengthOf(b));
  const [weakest, strongest] = [sorted[0]!, sorted.at(-1)!];
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
