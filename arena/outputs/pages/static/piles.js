// The drawing `piles`: hands around a discard pile with a demand, and a draw pile.
"use strict";

const Piles = (() => {
  const { el, put, plural, everyStep } = Tables;
  const SHOWN = 5; // cards of the discard pile, the top one last

  const caption = (view, match, telling) => {
    const who = (seat) => telling.who(seat, 18);
    if (view.phase === "over") return ["the match is over: ", ...Scores.won(match, telling)];
    if (!view.demand) return [who(view.turn), " chooses who must lay what"];
    const { count, colours } = view.demand;
    const by = view.choice ? [", as ", who(view.choice.by), " chose"] : [];
    return [who(view.turn), " must lay ", ...Telling.demand(count, colours), ...by];
  };

  const badgesOf = (view, seat) => {
    const out = view.out.indexOf(seat);
    return [
      view.dealer === seat && ["deals", "d", "eals"],
      out >= 0 && ["out", "out", `, number ${out + 1}`],
      view.turn === seat && view.drew > 0 && ["drew", `drew ${view.drew}`],
      view.places && ["placed", `place ${view.places[seat]}`],
    ].filter(Boolean);
  };

  const showSeat = (part, view, seat) => {
    const badges = badgesOf(view, seat);
    put(part.badges, badges.join(), () => badges.map(([kind, text, more]) =>
      el("span", { class: `badge ${kind}` }, text, more && el("span", { class: "word" }, more))));
    put(part.numbers, view.out.includes(seat) ? "" : plural(view.hand_sizes[seat], "card"));
    part.element.classList.toggle("is-to-act", view.turn === seat);
    part.element.classList.toggle("is-out", view.out.includes(seat));
  };

  const mount = (root, match, moments, telling) => {
    const felt = Felt.of(root, match, telling, "piles");
    const top = Felt.row(el("ul", { class: "pile hand",
      "aria-label": "top of the discard pile, its top card last" }));
    const below = el("span", {});
    const left = el("span", {});
    const back = Cards.back();
    const words = el("p", { class: "caption" });
    felt.middle.append(
      el("div", { class: "heaps" },
        el("figure", {}, top.list, el("figcaption", {}, below)),
        el("figure", {}, back, el("figcaption", {}, left))),
      words);
    // Cards that left a hand lie on the discard pile now; cards that came into one were drawn.
    const move = (hands, laid, drawn) => {
      const gone = hands.flatMap((each) => each.gone);
      for (const { name, card } of laid) {
        const from = gone.findIndex((each) => !each.name || each.name === name);
        if (from >= 0) felt.comes(card, gone.splice(from, 1)[0].place);
      }
      for (const { come } of hands) {
        if (come.length <= 2) for (const { card } of come) felt.comes(card, drawn);
      }
    };

    const show = (at, seen, isMoving) => {
      const { view } = seen;
      const drawn = isMoving ? back.getBoundingClientRect() : null;
      const hands = felt.hands(seen, isMoving);
      const size = view.discard.length;
      const fresh = at ? Math.max(0, size - moments[at - 1].view.discard.length) : 0;
      const shown = view.discard.slice(-SHOWN);
      const come = top.apply(top.plan(shown));
      if (isMoving) move(hands, fresh ? come.slice(-fresh) : [], drawn);
      const isFresh = (each) => each >= shown.length - fresh;
      for (const [each, item] of top.items().entries()) {
        item.element.className = isFresh(each) ? "fresh" : "";
      }
      put(below, `discard pile, ${plural(size, "card")}`);
      put(left, `draw pile, ${plural(view.draw_pile, "card")}`);
      back.classList.toggle("is-empty", view.draw_pile === 0);
      for (const [seat, part] of felt.seats.entries()) showSeat(part, view, seat);
      markChosen(seen);
      put(words, at, () => caption(view, match, telling));
      felt.tell([[`turn ${view.turns}`, el("strong", {},
        `Turn ${view.turns + (view.phase === "over" ? 0 : 1)}`)]]);
    };

    // Cards of a set that is not laid yet are the last of their hand.
    const markChosen = (seen) => {
      for (const [seat, { hand }] of felt.seats.entries()) {
        const items = hand.items();
        const first = items.length - (seen.hands[seat] ? seen.chosen[seat]?.length ?? 0 : 0);
        for (const [each, item] of items.entries()) {
          const kind = each >= first ? "chosen" : "";
          if (item.element.className !== kind) item.element.className = kind;
        }
      }
    };

    return { show, move: felt.move, settle: felt.settle, close: felt.close };
  };

  const drawing = () => ({
    score: null,
    tally: () => [],
    isQuick: () => false,
    moments: everyStep,
    unit: (view) => view.turns,
    round: () => 1,
    mount,
  });

  return { drawing };
})();
