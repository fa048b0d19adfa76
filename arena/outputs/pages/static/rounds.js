// A match of a game of tricks from its rounds: every view after every move, and what is told of it.
// The page carries what is seen at the deal, and the moves (sheet.js); SPEC 11.3 and 11.11 say how
// a view follows from these.
"use strict";

const Rounds = (() => {
  const range = (count) => [...Array(count).keys()];
  const without = (cards, card) => {
    const at = cards.indexOf(card);
    return cards.filter((_, each) => each !== at);
  };
  const at = (list, index, value) => list.map((old, each) => (each === index ? value : old));

  // How many cards row 2 takes from each hand, and how many seats on they are passed.
  const exchangeOf = (box) => ({
    count: Number(box.match(/\d/)[0]),
    on: box.startsWith("left") ? 1 : box.startsWith("right") ? -1 : 0,
  });

  const inOrder = (cards, colours) => {
    const order = (card) => colours.indexOf(card[0]) * 100 + Number(card.slice(1));
    return [...cards].sort((a, b) => order(a) - order(b));
  };

  const settled = (view) => {
    const boxes = Object.fromEntries(view.open.map((box) => box.split(":")));
    return { ...boxes, first: Number(boxes.first), points: Number(boxes.points) };
  };

  const toPlay = (view) => ({
    ...view, phase: "play", turn: view.first, tricks: [[]], leaders: [view.first],
  });

  const toDiscard = (view) => (exchangeOf(view.discard).count === 0 ? toPlay(view)
    : { ...view, phase: "discard", turn: null });

  const teamed = (view, team, bonus) => toDiscard({ ...view, team, bonus });

  const afterToken = (view, box) => {
    const tokens = [...view.tokens, box];
    const open = view.open.filter((each) => each !== box);
    const now = { ...view, tokens, open };
    const rows = new Set(open.map((each) => each.split(":")[0]));
    if (open.length > rows.size) {
      return { ...now, turn: (view.first_token + tokens.length) % view.seats };
    }
    const rules = { ...now, ...settled(now) };
    if (view.seats === 2) return teamed(rules, [rules.first], null);
    return { ...rules, phase: "team", turn: rules.first };
  };

  const afterTeam = (view, action) => {
    const [, seats, holder] = /^team:(\d+)\*?(\d?)$/.exec(action);
    const team = [...seats].map(Number);
    const others = range(view.seats).filter((seat) => !team.includes(seat));
    const [alone] = [team, others].filter((each) => each.length === 1).flat();
    return teamed(view, team, holder ? Number(holder) : view.seats === 3 ? alone : null);
  };

  const afterGift = ({ view, own }, seat, card, colours) => {
    const { count, on } = exchangeOf(view.discard);
    const mine = own[seat];
    const given = { ...mine, hand: without(mine.hand, card), given: [...mine.given, card] };
    const all = at(own, seat, given);
    if (all.some((each) => each.given.length < count)) return { view, own: all };
    const passed = all.map((each, receiver) => {
      const received = on === 0 ? [] : all[(receiver - on + view.seats) % view.seats].given;
      return { ...each, received, hand: inOrder([...each.hand, ...received], colours) };
    });
    const sizes = view.hand_sizes.map((size) => (on === 0 ? size - count : size));
    return { view: { ...toPlay(view), hand_sizes: sizes }, own: passed };
  };

  // `winner`: of the trick, if this card completes it.
  const afterCard = ({ view, own }, seat, card, winner, low) => {
    const trick = [...view.tricks.at(-1), card];
    const mine = { ...own[seat], hand: without(own[seat].hand, card) };
    const now = {
      ...view,
      tricks: [...view.tricks.slice(0, -1), trick],
      hand_sizes: at(view.hand_sizes, seat, view.hand_sizes[seat] - 1),
      turn: (seat + 1) % view.seats,
    };
    if (trick.length === view.seats) {
      const leader = view.leaders.at(-1);
      const side = (each) => view.team.includes(each);
      const loot = trick.filter((each, place) => each.slice(1) === low &&
        side((leader + place) % view.seats) !== side(winner)).length;
      now.tricks_won = at(view.tricks_won, winner, view.tricks_won[winner] + 1);
      now.loot = at(view.loot, winner, view.loot[winner] + loot);
      now.tricks = [...now.tricks, []];
      now.leaders = [...view.leaders, winner];
      now.turn = winner;
    }
    return { view: now, own: at(own, seat, mine) };
  };

  const after = (state, seat, action, winner, { low, colours }) => {
    const { view, own } = state;
    if (view.phase === "tokens") return { view: afterToken(view, action), own };
    if (view.phase === "team") return { view: afterTeam(view, action), own };
    if (view.phase === "discard") return afterGift(state, seat, action, colours);
    return afterCard(state, seat, action, winner, low);
  };

  // What is told, as `arena replay` tells it.

  const opening = (now) => [`Round ${now.round}. Seat ${now.dealer} deals.`];

  const cardPlayed = (before, now) => {
    if (before.phase !== "play") return [];
    const { seats, previous } = now;
    const number = before.tricks.length;
    const place = before.tricks.at(-1).length;
    const goesOn = previous?.round === before.previous?.round;
    const trick = goesOn ? now.tricks[number - 1] : previous.last_trick;
    const lines = [`seat ${(before.leaders.at(-1) + place) % seats} plays ${trick[place]}`];
    if (trick.length === seats) {
      const winner = goesOn ? now.leaders[number] : previous.last_winner;
      const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
      const loot = sum((goesOn ? now : previous).loot) - sum(before.loot);
      lines.push(`trick ${number}: ${trick.join(" ")} goes to seat ${winner}` +
        (loot ? ` with ${loot} loot` : ""));
    }
    return lines;
  };

  const exchange = (now, seat, own) => {
    const verb = exchangeOf(now.discard).on ? "passed on" : "discarded";
    const lines = [`everyone has ${verb} cards (${now.discard})`];
    if (seat !== null) {
      lines.push(`seat ${seat} ${verb} ${own.given.join(" ")}`);
      if (own.received.length) lines.push(`seat ${seat} received ${own.received.join(" ")}`);
    }
    return lines;
  };

  const result = ({ previous, scores }) => {
    const totals = scores.map((total, seat) => {
      const scored = previous.scored[seat];
      return `seat ${seat} ${previous.tricks_won[seat]}+${previous.loot[seat]} ` +
        `${scored < 0 ? scored : `+${scored}`} = ${total}`;
    });
    return [`round ${previous.round} (tricks+loot, points, total): ${totals.join(", ")}`];
  };

  const tell = (before, now, seat, own) => {
    const lines = [];
    if (now.tokens.length > before.tokens.length) {
      const placed = now.tokens.length - 1;
      lines.push(`seat ${(now.first_token + placed) % now.seats} covers ${now.tokens.at(-1)}`);
    }
    if (before.trump === null && now.trump !== null) {
      lines.push(`the board leaves open: ${now.open.join(", ")}`);
    }
    if (before.team === null && now.team !== null) {
      const others = range(now.seats).filter((each) => !now.team.includes(each));
      const bonus = now.bonus === null ? "" : `; seat ${now.bonus} holds the bonus card`;
      lines.push(`teams: ${now.team.join("+")} against ${others.join("+")}${bonus}`);
    }
    lines.push(...cardPlayed(before, now));
    if (before.phase === "discard" && now.phase === "play") lines.push(...exchange(now, seat, own));
    if (now.previous?.round !== before.previous?.round) {
      lines.push(...result(now));
      if (now.phase !== "over") lines.push(...opening(now));
    }
    return lines;
  };

  const toldOf = (before, now) => {
    const told = tell(before.view, now.view, null, null);
    const toldOwn = {};
    for (const [seat, own] of now.own.entries()) {
      const lines = tell(before.view, now.view, seat, own);
      if (lines.join("\n") !== told.join("\n")) toldOwn[seat] = lines;
    }
    return { told, toldOwn };
  };

  // What a view keeps of a round that is over.
  const resultOf = (view, round) => ({
    round: view.round,
    dealer: view.dealer,
    first: view.first,
    discard: view.discard,
    trump: view.trump,
    supertrump: view.supertrump,
    points: view.points,
    team: view.team,
    bonus: view.bonus,
    tricks_won: view.tricks_won,
    loot: view.loot,
    scored: round.scores.map((total, seat) => total - view.scores[seat]),
    last_leader: view.leaders.at(-2),
    last_trick: view.tricks.at(-2),
    last_winner: view.leaders.at(-1),
  });

  // The view at the start of a round, from that at the deal of the match.
  const opened = (deal, { number, dealer, first }, scores, previous) => ({
    ...deal, round: number, dealer, first_token: first, turn: first, scores, previous,
  });

  const held = ({ hands }) =>
    hands.map((hand) => ({ hand: hand.filter((card) => card), given: [], received: [] }));

  // What stands after the last card of a round: the next one, or the end of the match.
  const closed = ({ view, own }, round, next, deal) => {
    const previous = resultOf(view, round);
    if (next) return { view: opened(deal, next, round.scores, previous), own: held(next) };
    const over = { tricks: view.tricks.slice(0, -1), leaders: view.leaders.slice(0, -1) };
    return { view: { ...view, ...over, phase: "over", turn: null, scores: round.scores, previous },
      own };
  };

  // The steps of a match, as `Views.all` gives them: `rounds` from its sheet, `view` at the deal.
  const all = (match) => {
    const { details } = match.drawing;
    const deal = { ...match.view, seats: match.seats };
    const steps = [{ view: deal, own: held(match.rounds[0]), told: opening(deal), toldOwn: {} }];
    for (const [number, round] of match.rounds.entries()) {
      for (const [each, action] of round.actions.entries()) {
        const seat = round.seats[each];
        const was = steps.at(-1);
        // Of the trick that is being played, if that was played to its end.
        const winner = round.winners[was.view.tricks.length - 1];
        let now = after(was, seat, action, winner, details);
        if (round.scores && each === round.actions.length - 1) {
          now = closed(now, round, match.rounds[number + 1], deal);
        }
        steps.push({ seat, action, timeUs: round.timesUs[each], ...now, ...toldOf(was, now) });
      }
    }
    return steps;
  };

  return { all };
})();
