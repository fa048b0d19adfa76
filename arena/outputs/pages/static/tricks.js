// The drawing `tricks`: a board of boxes, hands, and tricks in the middle of a round table.
// `low` is the rank of the supertrumps.
"use strict";

const Tricks = (() => {
  const { el, put, plural, plain, signed } = Tables;

  const LONG_NAME = 18; // characters of a name in the sentence on the felt

  const isRoundOver = (view) => view.phase === "scored" || view.phase === "over";

  // With the last card of a round its step shows the next deal. Here that is two moments: the last
  // trick with the result, and the deal.
  const moments = (steps) => {
    const list = [];
    for (const [number, step] of steps.entries()) {
      const before = steps[number - 1]?.view;
      const { view } = step;
      const key = number ? String(number - 1) : "deal";
      const hasEnded = before && view.previous && view.previous.round !== before.previous?.round;
      if (!hasEnded) {
        list.push({ ...step, kind: number ? "move" : "deal", key });
        continue;
      }
      const isLast = view.phase === "over";
      const lines = (told) => (isLast ? [told, []] : [told.slice(0, -1), told.slice(-1)]);
      const own = Object.entries(step.toldOwn);
      list.push({ ...step, kind: "move", key, view: isLast ? view : scored(before, view),
        own: step.own.map((each) => ({ ...each, hand: [] })), told: lines(step.told)[0],
        toldOwn: Object.fromEntries(own.map(([seat, told]) => [seat, lines(told)[0]])),
        result: { ...view.previous, scores: view.scores } });
      if (isLast) continue;
      list.push({ view, own: step.own, kind: "deal", key: `deal${view.round}`,
        told: lines(step.told)[1], toldOwn: {} });
    }
    return list.map((moment, at) => ({ ...moment, at }));
  };

  const scored = (before, { previous, scores }) => ({
    ...before,
    phase: "scored",
    turn: null,
    tricks: [...before.tricks.slice(0, -1), previous.last_trick],
    hand_sizes: before.hand_sizes.map(() => 0),
    tricks_won: previous.tricks_won,
    loot: previous.loot,
    scores,
    previous,
  });

  const unit = (view) => `${view.round} ${view.phase} ` +
    view.tricks.filter((each) => each.length === view.seats).length;

  // The trick on the table: the open one, or the last while the next is not begun.
  const openTrick = (view) => {
    const { tricks, leaders } = view;
    if (!tricks.length) return null;
    const last = tricks.length - 1;
    if (isRoundOver(view)) {
      return { number: last, cards: tricks[last], leader: leaders[last],
        winner: view.previous.last_winner };
    }
    if (tricks[last].length || last === 0) {
      return { number: last, cards: tricks[last], leader: leaders[last], winner: null };
    }
    return { number: last - 1, cards: tricks[last - 1], leader: leaders[last - 1],
      winner: leaders[last] };
  };

  const marker = (view, low) => (name) => {
    if (name[0] === view.supertrump && name.slice(1) === low) return "supertrump";
    return name[0] === view.trump ? "trump" : "";
  };

  // Why a card took its trick, in words.
  const why = (card, cards, view, low) => {
    const markOf = marker(view, low);
    const mark = markOf(card);
    const alike = cards.filter((each) => (mark ? markOf(each) === mark
      : !markOf(each) && each[0] === card[0]));
    const isTied = alike.filter((each) => each === card).length > 1;
    if (mark === "supertrump") {
      return alike.length > 1 ? "the supertrump played last" : "the supertrump";
    }
    if (mark === "trump" && alike.length === 1 && cards[0] !== card) return "the only trump";
    const kind = mark || Cards.COLOURS[card[0]];
    if (alike.length === 1) return `nobody else has played ${kind}`;
    return `the highest ${kind}${isTied ? ", played last" : ""}`;
  };

  // The last trick of a round, what the round was worth, and who has won with it.
  const ending = (view, taken, match, telling, score) => [
    el("span", { class: "line" }, ...taken), ...Tally.lines(view),
    ...(view.phase === "over" ? [el("span", { class: "line won" },
      ...Scores.won(match, telling, score))] : []),
  ];

  const exchange = (view) => {
    const verb = /^(left|right)/.test(view.discard) ? "passes on" : "discards";
    return [`everybody ${verb} ${plural(countOf(view.discard), "card")}, chosen in secret`];
  };

  const caption = (view, trick, match, telling, low, closedBy) => {
    const who = (seat) => telling.who(seat, LONG_NAME);
    if (closedBy !== null) return [who(closedBy), " has covered the last box"];
    if (view.phase === "tokens") return [who(view.turn), " is to cover a box"];
    if (view.phase === "team") return [who(view.turn), " is the first player, and chooses a team"];
    if (view.phase === "discard") return exchange(view);
    if (!trick.cards.length) return [who(view.turn), " leads the first trick"];
    if (trick.winner !== null) {
      const place = (trick.winner - trick.leader + view.seats) % view.seats;
      const card = trick.cards[place];
      const taken = [who(trick.winner), " takes it: ", Cards.chip(card), " ",
        why(card, trick.cards, view, low)];
      return isRoundOver(view) ? ending(view, taken, match, telling, score) : taken;
    }
    return [who(trick.leader), " led ", Cards.chip(trick.cards[0]), "; ", who(view.turn),
      " is to play"];
  };

  // How many cards a box of row 2 takes from each hand; 0 while that is not settled.
  const countOf = (box) => Number(box?.match(/\d/)[0] ?? 0);

  // The settled board, folded. `isBoard`: it is still on the felt.
  const status = (view, telling, low, isBoard) => {
    const trick = view.tricks.filter((each) => each.length).length;
    const over = isRoundOver(view) ? ", over" : "";
    const round = [`round ${view.round}${over}`, el("strong", {}, `Round ${view.round}`),
      ` of ${view.rounds}${over}`];
    const now = trick && [`trick ${trick}`, `trick ${trick}`];
    if (isBoard) return [round];
    const none = (value) => value === "-";
    return [
      round, now,
      [`trump ${view.trump}`, none(view.trump) ? "no trump" : "trump ",
        none(view.trump) ? "" : Cards.colour(view.trump)],
      [`super ${view.supertrump}`, none(view.supertrump) ? "no supertrump" : "supertrumps: ",
        none(view.supertrump) ? "" : Cards.chip(view.supertrump + low)],
      [`points ${view.points}`, el("strong", { class: view.points < 0 && "minus" }, plain(view.points)),
        ` ${Math.abs(view.points) === 1 ? "point" : "points"} a trick`],
      [`discard ${view.discard}`, "discard ", telling.exchange(view.discard)],
    ].filter(Boolean);
  };

  // The board while it is being covered. It is made once a round; then boxes get classes.
  const board = (boxes, telling) => {
    const cells = new Map();
    const rows = new Map();
    for (const name of boxes) {
      const [row, value] = name.split(":");
      const cell = el("td", {}, el("span", { class: "box" }, telling.box(row, value)));
      cells.set(name, cell);
      rows.set(row, [...(rows.get(row) ?? []), cell]);
    }
    const lines = [...rows].map(([row, all]) => el("tr", {},
      el("th", { scope: "row" }, Telling.ROWS[row] ?? row), ...all));
    const element = el("table", { class: "board" },
      el("caption", { class: "offscreen" }, "The board, covered box by box"),
      el("tbody", {}, ...lines));

    const show = (view) => {
      const open = new Set(view.open);
      const rowsOpen = view.open.map((name) => name.split(":")[0]);
      for (const [name, cell] of cells) {
        const token = view.tokens.indexOf(name);
        const isLast = token >= 0 && token === view.tokens.length - 1;
        const row = name.split(":")[0];
        const isSettled = open.has(name) && rowsOpen.filter((each) => each === row).length === 1;
        const kind = token >= 0 ? `covered${isLast ? " last" : ""}` : isSettled ? "settled" : "";
        const by = (view.first_token + token) % view.seats;
        if (cell.className !== kind) cell.className = kind;
        put(cell.firstChild.nextElementSibling ?? cell.appendChild(el("span", {})),
          token >= 0 ? `token ${by}` : "", () => (token < 0 ? [] : [
            el("span", { class: "token" }, el("span", { class: "offscreen" }, "covered by seat "),
              by)]));
      }
    };
    return { element, show };
  };

  const teamOf = (view, seat) => (view.team === null ? "" : view.team.includes(seat) ? "A" : "B");

  const badgesOf = (view, seat, hasChosen) => [
    teamOf(view, seat) && ["team", teamOf(view, seat)],
    !isRoundOver(view) && view.dealer === seat && ["dealer", "d", "eals"],
    !isRoundOver(view) && view.first === seat && ["first", "▶\uFE0E", " leads first"],
    view.bonus === seat && ["bonus", "×2"],
    view.phase === "discard" && hasChosen && ["ready", "✓", " chosen"],
  ].filter(Boolean);

  const TITLES = { team: "team", dealer: "dealer of this round", first: "first player: leads first",
    bonus: "holds the bonus card: its take counts twice", ready: "has chosen its cards" };

  // Tricks and loot of this round, what it scored, and the total.
  const numbersOf = (view, seat) => {
    const take = view.team === null ? "" : [view.tricks_won[seat], view.loot[seat]];
    const gained = isRoundOver(view) ? signed(view.previous.scored[seat]) : "";
    return [take, gained, plain(view.scores[seat])];
  };

  // All choose at once which cards they discard; when a seat has chosen is seen of an open hand.
  const isMissing = (view, seen, seat) => seen.given[seat]?.length < countOf(view.discard);
  const isToAct = (view, seen, seat) => view.turn === seat ||
    (view.phase === "discard" && isMissing(view, seen, seat));

  const showSeat = (part, view, seen, seat) => {
    const badges = badgesOf(view, seat, seen.given[seat] && !isMissing(view, seen, seat));
    put(part.badges, badges.join(), () => badges.map(([kind, text, more]) =>
      el("span", { class: `badge ${kind} ${kind === "team" ? `is-${text}` : ""}`,
        title: kind === "team" ? `team ${text}` : TITLES[kind] }, text,
        more && el("span", { class: "word" }, more))));
    const [take, gained, total] = numbersOf(view, seat);
    put(part.numbers, [take, gained, total].join(), () => [
      take && el("span", { class: "take", title: "tricks + loot of this round" },
        String(take[0]), el("span", { class: "word" }, take[0] === 1 ? " trick" : " tricks"),
        el("span", { class: "word" }, " "), `+`, el("span", { class: "word" }, " "),
        String(take[1]), el("span", { class: "word" }, " loot")),
      gained && el("span", { class: "gained", title: "this round" }, gained),
      el("strong", { title: "total" }, total),
    ].filter(Boolean));
    part.element.classList.toggle("is-to-act", isToAct(view, seen, seat));
    for (const team of ["A", "B"]) {
      part.element.classList.toggle(`team-${team}`, teamOf(view, seat) === team);
    }
    const verb = /^(left|right)/.test(view.discard ?? "") ? "gave" : "discarded";
    const laid = [[verb, seen.given[seat]], ["got", seen.received[seat]]]
      .filter(([, cards]) => cards?.length);
    put(part.aside, JSON.stringify(laid), () => laid.flatMap(([label, cards]) =>
      [`${label} `, ...cards.flatMap((card) => [Cards.chip(card), " "])]));
  };

  const mount = (root, match, list, telling, low) => {
    const felt = Felt.of(root, match, telling, "tricks");
    felt.table.classList.add("deep"); // many cards: the room of two rows stays, and nothing jumps
    const words = el("p", { class: "caption" });
    const slots = match.names.map((_, seat) => {
      const place = el("div", { class: "place" });
      const tag = el("span", { class: "tag-on-card" });
      return { place, tag, element: el("div", { class: `slot at-${seat}` }, place, tag), name: "" };
    });
    const trickBox = el("div", { class: "trick" }, ...slots.map(({ element }) => element));
    const boardBox = el("div", { class: "board-box" });
    felt.middle.append(trickBox, boardBox, words);
    const table = board(list[0].view.open, telling);
    boardBox.append(table.element);
    let shown = { trick: "", winner: null }; // which trick lies there, and who has taken it

    // Lays the trick. `moved`: what the hands have given, and where the taker of the trick before
    // sits; both are used where cards move.
    const layTrick = (trick, markOf, key, moved, isMoving) => {
      const isNext = key !== shown.trick;
      for (const [seat, slot] of slots.entries()) {
        const place = trick ? (seat - trick.leader + match.seats) % match.seats : 0;
        const name = trick?.cards[place] ?? "";
        if (name !== slot.name || (isNext && name)) {
          const old = slot.place.firstChild;
          const to = isMoving && old && isNext ? moved.sweptTo : null;
          if (old && to) felt.goes(old, to);
          else old?.remove();
          slot.name = name;
          if (name) {
            const card = Cards.card(name);
            slot.place.append(card);
            const from = moved.hands[seat].gone.find((each) => !each.name || each.name === name);
            if (isMoving && from) felt.comes(card, from.place);
          }
        }
        const takes = trick !== null && trick.winner === seat;
        const leads = trick !== null && name && place === 0;
        const kind = `slot at-${seat} ${name && markOf(name)} ${takes ? "takes" : ""} ` +
          (leads ? "leads" : "");
        if (slot.element.className !== kind) slot.element.className = kind;
        const [told, more] = leads ? ["led", takes && ", takes it"] : takes ? ["takes", " it"] : [];
        put(slot.tag, [told, more].join(), () =>
          [told, more && el("span", { class: "word" }, more)].filter(Boolean));
      }
    };

    const show = (at, seen, isMoving) => {
      const { view } = seen;
      const trick = openTrick(view);
      // The last box is covered and the board settled in one step: it stays to be seen in it.
      const closedBy = view.phase !== "tokens" && list[at - 1]?.view.phase === "tokens"
        ? list[at].seat : null;
      const isBoard = view.phase === "tokens" || closedBy !== null;
      const markOf = marker(view, low);
      // Before anything changes: where the seat is that has taken the trick shown until now.
      const sweptTo = isMoving && shown.winner !== null
        ? felt.seats[shown.winner].plate.getBoundingClientRect() : null;
      const hands = felt.hands(seen, isMoving);
      felt.mark(markOf);
      const key = trick ? `${view.round} ${trick.number}` : "";
      layTrick(trick, markOf, key, { hands, sweptTo }, isMoving);
      shown = { trick: key, winner: trick?.winner ?? null };
      if (isMoving) passedOn(hands);
      felt.table.classList.toggle("is-covering", isBoard);
      felt.table.classList.toggle("is-over", isRoundOver(view));
      felt.table.classList.toggle("has-exchange", !isBoard && countOf(view.discard) > 0);
      if (isBoard) table.show(view);
      for (const [seat, part] of felt.seats.entries()) showSeat(part, view, seen, seat);
      put(words, at, () => caption(view, trick, match, telling, low, closedBy));
      felt.tell(status(view, telling, low, isBoard));
    };

    // A card that left one hand and came into another was passed.
    const passedOn = (hands) => {
      for (const { come } of hands) {
        for (const { name, card } of come) {
          const from = hands.flatMap(({ gone }) => gone).find((each) => name && each.name === name);
          if (from) felt.comes(card, from.place);
        }
      }
    };

    return { show, move: felt.move, settle: felt.settle, close: felt.close };
  };

  const score = (points) => `${plain(points)} ${Math.abs(points) === 1 ? "point" : "points"}`;

  const drawing = ({ low }) => ({
    score,
    moments,
    tally: ({ result, view }) => [
      el("span", { class: "line" }, `round ${result.round}:`), ...Tally.lines(view)],
    isQuick: (view) => view.phase === "tokens",
    unit,
    round: (view) => view.round,
    mount: (root, match, list, telling) => mount(root, match, list, telling, low),
  });

  return { drawing, why };
})();
