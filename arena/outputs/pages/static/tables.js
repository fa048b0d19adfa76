// How a match looks at one moment: the drawings that a game may name (its `drawing`), and plain
// fields for a game that names none. Each is made from what one audience sees, and from nothing else.
"use strict";

const Tables = (() => {
  const el = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null && value !== false) {
        element.setAttribute(key, value === true ? "" : value);
      }
    }
    element.append(...children.filter((child) => child || child === 0 || child === ""));
    return element;
  };

  const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
  const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);
  const plain = (value) => String(value).replace("-", "−");

  // Cards side by side; where there is little room they lie one upon the other.
  const row = (names, label, marksOf = () => []) => {
    const kind = names.length > 18 ? "hand many" : names.length > 8 ? "hand full" : "hand";
    return el("ul", { class: kind, "aria-label": label },
      ...names.map((name) => el("li", {}, Cards.card(name, marksOf(name)))));
  };

  const hidden = (count) => {
    const label = `${plural(count, "card")}, hidden`;
    if (count === 0) return el("span", { class: "no-cards" }, "no cards");
    return el("span", { class: "hidden-hand" }, Cards.back(label),
      el("span", { "aria-hidden": "true" }, `× ${count}`));
  };

  const badge = (text, kind = "") => el("span", { class: `badge ${kind}` }, text);

  const fact = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, ...value));

  // One seat: who, its badges and numbers, its hand, the card it has played.
  const strip = (match, seat, { badges, numbers, hand, notes, played, kind }) =>
    el("section", { class: `seat ${kind}`, "aria-label": `seat ${seat}`, "data-seat": seat },
      el("header", {}, el("span", { class: "seat-number" }, seat),
        el("bdi", { class: "seat-name" }, match.names[seat]), ...badges,
        el("span", { class: "numbers" }, numbers)),
      el("div", { class: "holds" }, hand, ...notes),
      played);

  // `tricks`: a board of boxes, hands, and tricks. `low` is the rank of the supertrumps.

  const ROWS = { first: "first player", discard: "discard", trump: "trump",
    supertrump: "supertrump", points: "points" };
  const DISCARDS = { 0: "none", "1x": "1, not low", "2x": "2, not low", left1: "1 to the left",
    right2: "2 to the right" };

  const boxFace = (rowName, box) => {
    if (rowName === "first") return [`seat ${box}`];
    if (rowName === "discard") return [DISCARDS[box] ?? box];
    if (rowName === "points") return [plain(box)];
    return [box === "-" ? "none" : Cards.colour(box)];
  };

  const board = (boxes, view) => {
    const rows = new Map();
    for (const box of boxes) {
      const [rowName, value] = box.split(":");
      if (!rows.has(rowName)) rows.set(rowName, []);
      rows.get(rowName).push([box, value]);
    }
    const line = ([rowName, all]) => {
      const open = all.filter(([box]) => view.open.includes(box));
      return el("tr", {}, el("th", { scope: "row" }, ROWS[rowName] ?? rowName),
        ...all.map(([box, value]) => {
          const token = view.tokens.indexOf(box);
          const isCovered = token >= 0;
          const by = (view.first_token + token) % view.seats;
          const isLast = isCovered && token === view.tokens.length - 1 && view.phase === "tokens";
          const kind = isCovered ? `covered${isLast ? " last" : ""}` : open.length === 1 ? "settled" : "";
          return el("td", { class: kind },
            el("span", { class: "box" }, ...boxFace(rowName, value)),
            isCovered && el("span", { class: "token", title: `token ${token + 1}, by seat ${by}` },
              el("span", { class: "offscreen" }, "covered by seat "), by));
        }));
    };
    const caption = view.trump === null ? "The board, covered box by box" : "The rules of this round";
    return el("table", { class: "board" }, el("caption", {}, caption),
      el("tbody", {}, ...[...rows].map(line)));
  };

  // The trick on the table: the open one, or the last while the next is not begun.
  const openTrick = (view) => {
    const { tricks, leaders, phase } = view;
    if (!tricks.length) return null;
    const last = tricks.length - 1;
    if (phase === "over") {
      return { cards: tricks[last], leader: leaders[last], winner: view.previous.last_winner };
    }
    if (tricks[last].length || last === 0) {
      return { cards: tricks[last], leader: leaders[last], winner: null };
    }
    return { cards: tricks[last - 1], leader: leaders[last - 1], winner: leaders[last] };
  };

  const trickList = (view) => {
    const done = view.tricks.filter((trick) => trick.length === view.seats);
    if (!done.length) return null;
    const seats = [...Array(view.seats).keys()];
    const rows = done.map((trick, number) => {
      const leader = view.leaders[number];
      const winner = number + 1 < view.leaders.length ? view.leaders[number + 1]
        : view.previous?.last_winner;
      return el("tr", {}, el("th", { scope: "row" }, number + 1),
        ...seats.map((seat) => el("td",
          { class: `${seat === winner ? "took" : ""} ${seat === leader ? "led" : ""}` },
          Cards.chip(trick[(seat - leader + view.seats) % view.seats]),
          seat === winner && el("span", { class: "offscreen" }, " takes it"),
          seat === leader && el("span", { class: "offscreen" }, " led"))));
    }).reverse();
    return el("details", { class: "tricks", id: "tricks", open: true },
      el("summary", {}, `Tricks of this round: ${done.length}`),
      el("div", { class: "tricks-box" }, el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "trick"),
          ...seats.map((seat) => el("th", { scope: "col" }, `seat ${seat}`)))),
        el("tbody", {}, ...rows))),
      el("p", { class: "legend" }, "Underlined: led. Framed: took the trick."));
  };

  const roundResult = (match, previous, scores) => {
    const seats = [...Array(match.seats).keys()];
    return el("section", { class: "round-result", "aria-label": `Round ${previous.round}` },
      el("h3", {}, `Round ${previous.round} is over`),
      el("p", {}, "The last trick, led by seat ", previous.last_leader, ": ",
        ...previous.last_trick.flatMap((card) => [Cards.chip(card), " "]),
        `goes to seat ${previous.last_winner}.`),
      el("table", {},
        el("thead", {}, el("tr", {}, ...["seat", "tricks", "loot", "points", "total"].map(
          (name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...seats.map((seat) => el("tr", {}, el("th", { scope: "row" }, seat),
          ...[previous.tricks_won[seat], previous.loot[seat], signed(previous.scored[seat]),
            plain(scores[seat])].map((value) => el("td", {}, value)))))));
  };

  const trick = (match, steps, at, seen, { low }) => {
    const { view } = seen;
    const before = at > 0 ? steps[at - 1].view : null;
    const isNewRound = before !== null && view.previous !== null &&
      view.previous.round !== before.previous?.round;
    const marksOf = (name) => {
      const { colours, face } = Cards.parse(name);
      if (colours === view.supertrump && face === low) return ["supertrump"];
      return colours === view.trump ? ["trump"] : [];
    };
    const now = openTrick(view);
    const seats = [...Array(match.seats).keys()].map((seat) => {
      const place = now ? (seat - now.leader + match.seats) % match.seats : -1;
      const card = now && place < now.cards.length ? now.cards[place] : null;
      const isFirstTeam = view.team?.includes(seat);
      const owes = view.turn === seat ||
        (view.phase === "discard" && view.turn === null);
      const verb = view.discard?.match(/^(left|right)/) ? "passed" : "discarded";
      const laid = (label, cards) => cards?.length
        ? [el("p", { class: "aside" }, `${label}: `, ...cards.flatMap((c) => [Cards.chip(c), " "]))]
        : [];
      return strip(match, seat, {
        kind: `${owes ? "owes" : ""} ${view.team ? (isFirstTeam ? "team-a" : "team-b") : ""}`,
        badges: [
          view.team ? badge(isFirstTeam ? "team A" : "team B", isFirstTeam ? "a" : "b") : null,
          view.dealer === seat ? badge("deals") : null,
          view.first === seat ? badge("first") : null,
          view.bonus === seat ? badge("bonus ×2", "gold") : null,
          owes ? badge("to act", "owes") : null,
        ],
        numbers: [
          view.team || view.tricks_won[seat]
            ? `${plural(view.tricks_won[seat], "trick")}, ${view.loot[seat]} loot, ` : "",
          el("strong", {}, plain(view.scores[seat])),
        ].reduce((span, part) => (span.append(part), span), el("span", {})),
        hand: seen.hands[seat] ? row(seen.hands[seat], `hand of seat ${seat}`, marksOf)
          : hidden(view.hand_sizes[seat]),
        notes: [...laid(verb, seen.given[seat]), ...laid("received", seen.received[seat])],
        played: el("div", { class: `played ${now?.winner === seat ? "takes" : ""}` },
          card && Cards.card(card, marksOf(card)),
          card && el("span", { class: "order" },
            now.winner === seat ? "takes it" : place === 0 ? "leads" : `${place + 1}.`)),
      });
    });
    const phases = { tokens: "tokens", team: "choosing teams",
      discard: view.discard?.match(/^(left|right)/) ? "passing" : "discarding", play: "tricks",
      over: "over" };
    return [
      el("p", { class: "phase" }, el("strong", {}, `Round ${view.round}`),
        ` of ${view.rounds}, ${phases[view.phase] ?? view.phase}`),
      isNewRound ? roundResult(match, view.previous, view.scores) : null,
      el("div", { class: "seats" }, ...seats),
      el("div", { class: "lower" }, board(steps[0].view.open, view), trickList(view)),
    ];
  };

  // `piles`: hands, a discard pile with a demand, and a draw pile.

  const demand = (view) => {
    if (view.phase === "over") return el("p", { class: "demand" }, "The match is over.");
    if (!view.demand) {
      return el("p", { class: "demand" }, `Seat ${view.turn} chooses who must lay what.`);
    }
    const { count, colours } = view.demand;
    const wanted = colours.length === 4 ? [" of any colour"]
      : [count === 1 ? " that shows " : " that all show ",
        ...[...colours].flatMap((letter, i) => [i ? " or " : "", Cards.colour(letter)])];
    const from = view.choice ? ` Seat ${view.choice.by} chose seat ${view.choice.to}.` : "";
    return el("p", { class: "demand" }, el("strong", {}, "Demand: "),
      el("span", { class: "count" }, plural(count, "card")), ...wanted, ".", from);
  };

  const SHOWN = 7;

  const piles = (match, steps, at, seen) => {
    const { view } = seen;
    const before = at > 0 ? steps[at - 1].view : null;
    const fresh = before && view.discard.length > before.discard.length
      ? view.discard.length - before.discard.length : 0;
    const top = view.discard.slice(-Math.max(SHOWN, fresh));
    const below = view.discard.length - top.length;
    const seats = [...Array(match.seats).keys()].map((seat) => {
      const out = view.out.indexOf(seat);
      const chosen = seen.chosen[seat] ?? [];
      return strip(match, seat, {
        kind: `${view.turn === seat ? "owes" : ""} ${out >= 0 ? "is-out" : ""}`,
        badges: [
          view.dealer === seat ? badge("deals") : null,
          out >= 0 ? badge(`out, number ${out + 1}`) : null,
          view.turn === seat ? badge(view.phase === "choose" ? "to choose" : "to act", "owes") : null,
          view.turn === seat && view.drew ? badge(`drew ${view.drew}`) : null,
          view.places ? badge(`place ${view.places[seat]}`, "gold") : null,
        ],
        numbers: plural(view.hand_sizes[seat], "card"),
        hand: seen.hands[seat]
          ? seen.hands[seat].length
            ? row(seen.hands[seat], `hand of seat ${seat}`)
            : el("span", { class: "no-cards" }, "no cards")
          : hidden(view.hand_sizes[seat]),
        notes: [],
        played: chosen.length ? el("div", { class: "played" }, row(chosen, "its set so far"),
          el("span", { class: "order" }, "chosen")) : null,
      });
    });
    return [
      el("p", { class: "phase" }, el("strong", {}, `Turn ${view.turns + (view.phase === "over" ? 0 : 1)}`)),
      el("div", { class: "piles" },
        el("figure", {}, el("div", { class: "pile" },
          el("ul", { class: "hand", "aria-label": "top of the discard pile, its top card last" },
            ...top.map((name, i) => el("li", { class: i >= top.length - fresh ? "fresh" : "" },
              Cards.card(name))))),
          el("figcaption", {}, below ? `discard pile, ${below} more below` : "discard pile")),
        el("figure", {}, view.draw_pile ? Cards.back(`draw pile, ${view.draw_pile}`)
          : el("span", { class: "no-cards" }, "empty"),
          el("figcaption", {}, `draw pile, ${view.draw_pile}`))),
      demand(view),
      el("div", { class: "seats" }, ...seats),
    ];
  };

  // `fields`: what is seen, field by field.
  const fields = (match, steps, at, seen) => [
    el("dl", { class: "fields" }, ...Object.entries(seen.view).map(
      ([name, value]) => fact(name, JSON.stringify(value)))),
    el("dl", { class: "fields" }, ...seen.own.flatMap((own, seat) => Object.entries(own).map(
      ([name, value]) => fact(`${name} of seat ${seat}`, JSON.stringify(value))))),
  ];

  // `unit`: what stays the same within a trick or turn; `round`: within a round.
  const trickUnit = (view) => `${view.round} ${view.phase} ` +
    view.tricks.filter((each) => each.length === view.seats).length;
  const DRAWINGS = {
    tricks: (details) => ({ draw: (...seen) => trick(...seen, details), unit: trickUnit,
      round: (view) => view.round }),
    piles: () => ({ draw: piles, unit: (view) => view.turns, round: () => 1 }),
    fields: () => ({ draw: fields, unit: (view) => `${view.round} ${view.turn}`,
      round: (view) => view.round ?? 1 }),
  };

  return { of: ({ name, details }) => DRAWINGS[name](details), el };
})();
