// What is told of a match, for people: bots by their names, cards and colours as small drawings.
"use strict";

const Telling = (() => {
  const { el, plain } = Tables;

  const ROWS = { first: "first player", discard: "discard", trump: "trump",
    supertrump: "supertrump", points: "points" };

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

  // Names of at most so many characters, cut in their middles; of more where two would look alike.
  const shortened = (names, most) => {
    const whole = names.map((name) => [...name]);
    const cut = (name, length, tail) => (name.length <= length ? name.join("")
      : `${name.slice(0, length - 1 - tail).join("")}…${name.slice(-tail).join("")}`);
    for (let length = Math.max(most, 5); ; length += 1) {
      for (let tail = Math.floor((length - 1) / 2); tail < length - 1; tail += 1) {
        const found = whole.map((name) => cut(name, length, tail));
        if (new Set(found).size === new Set(names).size) return found;
      }
    }
  };

  // `low`: the rank of the cards that some boxes of row 2 spare.
  const of = (names, low = "low card") => {
    const kept = new Map(); // by the number of characters
    const short = (seat, most) => {
      if (!kept.has(most)) kept.set(most, shortened(names, most));
      return kept.get(most)[seat];
    };

    // `most`: characters of the name.
    const who = (seat, most) => {
      const name = el("span", { class: "who", "data-seat": seat }, el("bdi", {}));
      if (most) shorten(name, most);
      else name.firstChild.textContent = names[seat];
      return name;
    };

    // Gives a name that is shown already another length.
    const shorten = (name, most) => {
      const { seat } = name.dataset;
      const text = short(seat, most);
      if (name.firstChild.textContent !== text) name.firstChild.textContent = text;
      if (text !== names[seat]) name.title = names[seat];
      else name.removeAttribute("title");
    };

    const several = (seats, most) => seats.flatMap((seat, i) =>
      [i === 0 ? "" : i === seats.length - 1 ? " and " : ", ", who(seat, most)]);

    // A box of row 2: "none", "2", "1, no 1s", "2 to the right".
    const exchange = (name) => {
      const [, side, count, isSparing] = /^(left|right)?(\d)(x)?$/.exec(name) ?? [];
      if (count === undefined) return name;
      if (side) return `${count} to the ${side}`;
      return isSparing ? `${count}, no ${low}s` : count === "0" ? "none" : count;
    };

    // What stands in a box of the board.
    const box = (row, value) => {
      if (row === "first") return who(value);
      if (row === "discard") return exchange(value);
      if (row === "points") return plain(value);
      return value === "-" ? "none" : Cards.colour(value);
    };

    const team = (text, most) => several(text.split("+").map(Number), most);

    const part = (text, most) => {
      const seat = /^[Ss]eat (\d)$/.exec(text);
      if (seat) return names[seat[1]] === undefined ? [text] : [who(Number(seat[1]), most)];
      const asked = /^demand: (\d) (\w+)$/.exec(text);
      if (asked) return ["demand: ", ...demand(asked[1], asked[2])];
      const [, row, value] = /^(\w+):(\S+)$/.exec(text) ?? [];
      if (row in ROWS) return [`${ROWS[row]} `, box(row, value)];
      return [Cards.isCard(text) ? Cards.chip(text) : text];
    };

    // Boxes of the board, as they were covered: `first:1`, `supertrump:-`.
    const boxes = (covered) => covered.flatMap((each, i) => {
      const [row, value] = each.split(":");
      return [i ? "; " : "", `${ROWS[row] ?? row} `, box(row, value)];
    });

    // A line of `arena replay`. `most`: characters of each name.
    const line = (told, most) => {
      const text = told.replace(/^(everyone has .* cards) \((\w+)\)$/, (_, all, rule) =>
        `${all}: ${exchange(rule)}`);
      const teams = /^teams: (\S+) against ([\d+]+)(.*)$/.exec(text);
      const parts = teams
        ? ["teams: ", ...team(teams[1], most), " against ", ...team(teams[2], most),
          ...split(teams[3], most)]
        : split(text, most);
      return el("span", { class: "line" }, ...parts);
    };

    const split = (text, most) => text.split(PARTS).flatMap((each) => part(each, most));

    return { who, shorten, several, exchange, box, line, boxes };
  };

  return { of, demand, shortened, ROWS };
})();
