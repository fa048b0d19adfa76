// The sheet of a match of tricks (arena/outputs/pages/sets/sheet.py says what stands in it), read
// back: a list of rounds, each with its hands and moves.
"use strict";

const Sheet = (() => {
  const numbers = (text) => text.split(" ").map(Number);

  // "[2] G13 G7 [0] R1": the seats of the moves and their actions, appended to those of the round.
  const moves = (round, text, seats) => {
    let seat = 0;
    for (const word of text.split(" ")) {
      const named = /^\[(\d)\]$/.exec(word);
      if (named) {
        seat = Number(named[1]);
      } else {
        round.seats.push(seat);
        round.actions.push(word);
        seat = (seat + 1) % seats;
      }
    }
  };

  const LINES = [
    [/^Hand of \d: (.*)$/, (round, [, cards]) => round.hands.push(cards.split(" "))],
    [/^Trick \d+: (.*?)(?: to (\d))?$/, (round, [, text, winner], seats) => {
      moves(round, text, seats);
      if (winner !== undefined) round.winners.push(Number(winner));
    }],
    [/^Time: (.*)$/, (round, [, tenths]) => {
      round.timesUs = tenths.split(" ").map((each) => (each === "-" ? 0 : Number(each) * 100));
    }],
    [/^Scores: (.*)$/, (round, [, scores]) => { round.scores = numbers(scores); }],
    [/^\w+: (.*)$/, (round, [, text], seats) => moves(round, text, seats)],
  ];

  // `seats`: how many play. A round that was not played to its end has null for its scores.
  const read = (text, seats) => {
    const rounds = [];
    for (const line of text.split("\n")) {
      const opening = /^Round (\d+)\. Seat (\d) deals, seat (\d) begins\.$/.exec(line);
      if (opening) {
        const [number, dealer, first] = opening.slice(1).map(Number);
        rounds.push({ number, dealer, first, hands: [], seats: [], actions: [], timesUs: [],
          winners: [], scores: null });
      } else if (line) {
        const [pattern, take] = LINES.find(([each]) => each.test(line));
        take(rounds.at(-1), pattern.exec(line), seats);
      }
    }
    return rounds;
  };

  return { read };
})();
