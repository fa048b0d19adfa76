// What is told of a match, for people: bots by their names, cards and colours as small drawings.
"use strict";

const Telling = (() => {
  const { el, plain } = Tables;

  const ROWS = { first: "first player", discard: "discard", trump: "trump",
    supertrump: "supertrump", points: "points" };
  const DISCARDS = { 0: "none", "1x": "1, not low", "2x": "2, not low", left1: "1 to the left",
    right2: "2 to the right" };

  // What divides a line into words that have a drawing or a name, and all others.
  const PARTS = new RegExp(`([Ss]eat \\d\\b|\\b(?:${Object.keys(ROWS).join("|")}):[^\\s,;]+` +
    "|demand: \\d [RGBY]+|[ ,;:]+)");

  const colours = (letters) => [...letters].flatMap((letter, i) =>
    [i ? " or " : "", Cards.colour(letter)]);

  // "2 cards that all show red or green", its colours drawn.
  const demand = (count, letters) => {
    const cards = `${count} ${Number(count) === 1 ? "card" : "cards"}`;
    if (letters.length === 4) return [`${cards} of any colour`];
    const isChoice = letters.length > 1 && Number(count) > 1;
    return [`${cards} of ${isChoice ? "one colour, " : ""}`, ...colours(letters)];
  };

  const of = (names) => {
    const who = (seat) => el("span", { class: "who", "data-seat": seat },
      el("bdi", {}, names[seat]));

    const several = (seats) => seats.flatMap((seat, i) =>
      [i === 0 ? "" : i === seats.length - 1 ? " and " : ", ", who(seat)]);

    // What stands in a box of the board.
    const box = (row, value) => {
      if (row === "first") return who(value);
      if (row === "discard") return DISCARDS[value] ?? value;
      if (row === "points") return plain(value);
      return value === "-" ? "none" : Cards.colour(value);
    };

    const team = (text) => several(text.split("+").map(Number));

    const part = (text) => {
      const seat = /^[Ss]eat (\d)$/.exec(text);
      if (seat) return names[seat[1]] === undefined ? [text] : [who(Number(seat[1]))];
      const asked = /^demand: (\d) (\w+)$/.exec(text);
      if (asked) return ["demand: ", ...demand(asked[1], asked[2])];
      const [, row, value] = /^(\w+):(\S+)$/.exec(text) ?? [];
      if (row in ROWS) return [`${ROWS[row]} `, box(row, value)];
      return [Cards.isCard(text) ? Cards.chip(text) : text];
    };

    // Boxes of the board, as they were covered: `first:1`, `supertrump:-`.
    const boxes = (covered) => covered.flatMap((each, i) => {
      const [row, value] = each.split(":");
      return [i ? ", " : "", `${ROWS[row] ?? row} `, box(row, value)];
    });

    // A line of `arena replay`.
    const line = (told) => {
      const text = told.replace(/^(everyone has .* cards) \((\w+)\)$/, (_, all, rule) =>
        `${all}: ${DISCARDS[rule] ?? rule}`);
      const teams = /^teams: (\S+) against ([\d+]+)(.*)$/.exec(text);
      const parts = teams
        ? ["teams: ", ...team(teams[1]), " against ", ...team(teams[2]), ...split(teams[3])]
        : split(text);
      return el("span", { class: "line" }, ...parts);
    };

    const split = (text) => text.split(PARTS).flatMap(part);

    return { who, several, box, line, boxes };
  };

  return { of, demand, ROWS };
})();
