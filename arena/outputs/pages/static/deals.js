// One deal in all its seatings: what became of each hand, and one hand followed through them all.
"use strict";

const Deals = (() => {
  const { el } = Tables;
  const chips = (cards) => cards.flatMap((card) => [Cards.chip(card), " "]);
  const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);
  const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
  const ordinal = (place) => `${place}${{ 1: "st", 2: "nd", 3: "rd" }[place] ?? "th"}`;
  const seatsOf = (match) => [...Array(match.seats).keys()];

  // A match cut into its rounds: the first step of each, and those after its moves. A game without
  // rounds is one.
  const cut = (steps) => {
    const rounds = [];
    for (const [at, step] of steps.entries()) {
      const before = steps[at - 1];
      if (before) rounds.at(-1).moves.push({ step, before, at });
      if (!before || step.view.round !== before.view.round) rounds.push({ start: step, moves: [] });
    }
    return rounds.filter(({ moves }) => moves.length);
  };

  // What one seat did in a round of tricks, part by part, and what it got for it.
  const inTricks = (round, seat, match) => {
    const telling = Telling.of(match.names);
    const own = round.moves.filter(({ step }) => step.seat === seat);
    const actions = (phase) => own.filter(({ before }) => before.view.phase === phase)
      .map(({ step }) => step.action);
    const cards = own.filter(({ before }) => before.view.phase === "play")
      .map(({ step, before, at }) => {
        const chip = Cards.chip(step.action);
        const number = before.view.tricks.length;
        const led = before.view.tricks.at(-1).length === 0;
        const took = round.winners.get(number) === seat;
        return el("a", { class: `played-card ${led ? "led" : ""} ${took ? "took" : ""}`,
          "data-step": at - 1,
          title: `trick ${number}${led ? ", led" : ""}${took ? ", took it" : ""}` },
        chip);
      });
    const given = round.moves.at(-1).step.own[seat]?.given ?? [];
    const inPlay = round.moves.findLast(({ before }) => before.view.phase === "play");
    const last = inPlay?.before.own[seat];
    return [
      ["covered", telling.boxes(actions("tokens"))],
      ["chose", actions("team").flatMap((action) =>
        ["a team of ", ...telling.several([.../^team:(\d+)/.exec(action)[1]])])],
      [isPassed(round) ? "passed on" : "discarded", chips(last?.given ?? given)],
      ["received", chips(last?.received ?? [])],
      ["played", cards.flatMap((card) => [card, " "])],
    ].filter(([, value]) => value.length);
  };

  const isPassed = (round) =>
    /^(left|right)/.test(round.moves.at(-1).before.view.discard ?? "");

  // Who took each trick of the round, by its number.
  const winnersOf = (round) => {
    const winners = new Map();
    for (const { step, before } of round.moves) {
      const { phase, tricks, seats } = before.view;
      if (phase !== "play" || tricks.at(-1).length < seats - 1) continue;
      const goesOn = step.view.previous?.round === before.view.previous?.round;
      winners.set(before.view.tricks.length,
        goesOn ? step.view.leaders.at(-1) : step.view.previous.last_winner);
    }
    return winners;
  };

  const resultIn = (round) => {
    const { previous, phase } = round.moves.at(-1).step.view;
    const { round: number } = round.start.view;
    const isOver = phase === "over" || number !== round.moves.at(-1).step.view.round;
    return previous?.round === number && isOver
      ? previous : null;
  };

  const TRICKS = {
    title: (number) => `Round ${number + 1}`,
    rules: (round, match) => {
      const result = resultIn(round);
      if (!result) return ["not played to its end"];
      const open = ["trump", "supertrump", "points", "discard"];
      return Telling.of(match.names).boxes(open.map((row) => `${row}:${result[row] ?? "-"}`));
    },
    outcome: (round, seat) => {
      const result = resultIn(round);
      if (!result) return [];
      const isFirst = result.team.includes(seat);
      return [el("span", { class: "side" }, isFirst ? "team A" : "team B"),
        `, ${plural(result.tricks_won[seat], "trick")}, ${result.loot[seat]} loot: `,
        el("strong", {}, signed(result.scored[seat]))];
    },
    did: inTricks,
  };

  const ANY = {
    title: () => "The deal",
    rules: () => [],
    outcome: (round, seat, match) => [el("strong", {}, ordinal(match.places[seat])),
      match.scores ? `, ${plural(match.scores[seat], "point")}` : ""],
    did: (round, seat) => [["did", round.moves.filter(({ step }) => step.seat === seat)
      .flatMap(({ step, at }) => [el("a", { class: "played-card", "data-step": at - 1 },
        Cards.isCard(step.action) ? Cards.chip(step.action) : step.action), " "])]],
  };

  const linked = (element, match) => {
    for (const link of element.querySelectorAll("a[data-step]")) {
      link.href = `#match=${match.number}&move=${link.dataset.step}`;
    }
    return element;
  };

  // `matches`: those of a set that can be stepped through, each with its `number` from 1.
  const mount = (section, matches) => {
    const kind = matches[0].drawing.name === "tricks" ? TRICKS : ANY;
    const cuts = matches.map((match) => cut(Views.all(match)));
    for (const rounds of cuts) for (const round of rounds) round.winners = winnersOf(round);
    const most = Math.max(...cuts.map((rounds) => rounds.length));
    let [at, followed] = [0, 0];

    const handOf = (seat) => {
      const round = cuts.map((rounds) => rounds[at]).find((each) => each);
      return round.start.own[seat]?.hand ?? [];
    };

    const choice = (label, pressed, go) => {
      const button = el("button", { type: "button", "aria-pressed": String(pressed) }, label);
      button.addEventListener("click", go);
      return button;
    };

    const grid = () => el("table", { class: "seatings" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "hand"),
        ...matches.map((match) => el("th", { scope: "col" },
          el("a", { href: `#match=${match.number}` }, `match ${match.place}`))))),
      el("tbody", {},
        kind === TRICKS && el("tr", {}, el("th", { scope: "row" }, "rules"),
          ...matches.map((match, each) => el("td", {},
            ...(cuts[each][at] ? kind.rules(cuts[each][at], match) : ["not played"])))),
        ...seatsOf(matches[0]).map((seat) => el("tr",
          { class: seat === followed ? "followed" : "" },
          el("th", { scope: "row" },
            choice(`follow seat ${seat}`, seat === followed, () => { followed = seat; draw(); }),
            el("span", { class: "chips" }, ...chips(handOf(seat)))),
          ...matches.map((match, each) => el("td", {}, el("bdi", {}, match.names[seat]), " ",
            ...(cuts[each][at] ? kind.outcome(cuts[each][at], seat, match) : [])))))));

    const story = (match, each) => {
      const round = cuts[each][at];
      if (!round) return null;
      return linked(el("section", { class: "story", "aria-label": `in match ${match.place}` },
        el("h4", {}, el("bdi", {}, match.names[followed]), " in ",
          el("a", { href: `#match=${match.number}` }, `match ${match.place}`)),
        el("p", {}, ...kind.outcome(round, followed, match)),
        el("dl", {}, ...kind.did(round, followed, match).map(([name, value]) =>
          el("div", {}, el("dt", {}, name), el("dd", {}, ...value))))),
      match);
    };

    const draw = () => {
      const focus = section.contains(document.activeElement)
        ? [...section.querySelectorAll("button")].indexOf(document.activeElement) : -1;
      section.replaceChildren(...[
        el("h2", {}, "The same deal in every seating"),
        el("p", { class: "note" }, "The hands stay with the seats and the bots change places, so "
          + "what differs is what they did."),
        most > 1 && el("div", { class: "bar", role: "group", "aria-label": "Round" },
          el("span", {}, "round"),
          ...[...Array(most).keys()].map((number) =>
            choice(String(number + 1), number === at, () => { at = number; draw(); }))),
        el("h3", {}, kind.title(at)),
        el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": kind.title(at) },
          grid()),
        el("h3", {}, `What each bot did with the hand of seat ${followed}`),
        kind === TRICKS && el("p", { class: "legend" },
          "Underlined: led. Framed: took the trick. A card leads to its moment. What a round "
          + "scores is the tricks and loot of the whole team, times the points."),
        el("div", { class: "stories" }, ...matches.map(story)),
      ].filter(Boolean));
      section.querySelectorAll("button")[focus]?.focus();
    };

    draw();
  };

  return { mount };
})();
