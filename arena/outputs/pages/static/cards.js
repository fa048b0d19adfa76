// Cards as drawings. Every colour has a letter and a shape of its own besides.
// A card of one colour, as nearly all are, is two words upon a picture (match.css, suit-R.svg): to
// paint it takes a browser half as long as a drawing of its own.
"use strict";

const Cards = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const COLOURS = { R: "red", G: "green", B: "blue", Y: "yellow", K: "black" };
  // In a square from -10 to 10.
  const SHAPES = {
    R: "M0-10L8 0 0 10-8 0z",
    G: "M0-9L9 8H-9z",
    B: "M-9 0A9 9 0 1 0 9 0A9 9 0 1 0-9 0z",
    Y: "M0-10L2.9-3.6 9.7-2.9 4.6 1.7 6 8.5 0 5-6 8.5-4.6 1.7-9.7-2.9-2.9-3.6z",
    K: "M-3-9H3V-3H9V3H3V9H-3V3H-9V-3H-3z",
  };
  const ICONS = {
    J: "M0-10l2.5 6 6.5.5-5 4.3 1.6 6.4L0 3.8-5.6 7.2-4 .8-9-3.5-2.5-4z",
    X: "M7-3A7.5 7.5 0 1 0 7.4 2.5M7.5-9v6.5H1",
    T: "M-11 0Q0-10 11 0Q0 10-11 0zM-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    S: "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0zM0-12V-4M0 4V12M-12 0H-4M4 0H12",
  };
  const KINDS = { J: "joker", X: "reset", T: "see-through", S: "select" };

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const shape = (letter, x, y, size, attributes = {}) =>
    make("path", { d: SHAPES[letter], transform: `translate(${x} ${y}) scale(${size / 20})`,
      ...attributes });

  const text = (value, x, y, size, attributes = {}) => {
    const element = make("text", { x, y, "font-size": size, ...attributes });
    element.textContent = value;
    return element;
  };

  // A card's name taken apart: its colours, number, and what kind it is.
  const parse = (name) => {
    const bare = name.replace("!", "");
    if (bare === "J") return { colours: "RGBY", face: "J", kind: "J" };
    if (bare === "X") return { colours: "RGBY", face: "X", kind: "X" };
    if (/^[ST][RGBY*]$/.test(bare)) {
      return { colours: bare[1] === "*" ? "RGBY" : bare[1], face: bare[0], kind: bare[0] };
    }
    const [, colours, rank] = /^([RGBYK]+)(-?\d+)$/.exec(bare) ?? [, "", bare];
    return { colours, face: rank, kind: "" };
  };

  const isCard = (word) => /^(?:[RGBYK]{1,2}\d{1,2}|[JX]|[ST][RGBY*])!?$/.test(word);

  const words = (name) => {
    const { colours, face, kind } = parse(name);
    const each = [...colours].map((letter) => COLOURS[letter]);
    const told = colours === "RGBY" ? "all colours" : each.join(" and ");
    if (kind) return kind === "T" || kind === "S" ? `${KINDS[kind]}, ${told}` : KINDS[kind];
    return `${told} ${face}`;
  };

  const WIDTH = 60;
  const HEIGHT = 84;

  const fields = (colours) => {
    const rect = (letter, x, y, width, height) =>
      make("rect", { class: `fill-${letter}`, x, y, width, height });
    if (colours.length === 1) return [rect(colours, 0, 0, WIDTH, HEIGHT)]; // of an action card
    if (colours.length === 2) {
      return [
        make("path", { class: `fill-${colours[0]}`, d: `M0 0H${WIDTH}V24L0 42z` }),
        make("path", { class: `fill-${colours[1]}`, d: `M${WIDTH} 24V${HEIGHT}H0V42z` }),
      ];
    }
    const [w, h] = [WIDTH / 2, HEIGHT / 2];
    return [...colours].map((letter, i) => rect(letter, (i % 2) * w, Math.floor(i / 2) * h, w, h));
  };

  // Two colours. All that tells them apart stands where a fan in two rows leaves it in sight.
  const twoColoured = (colours, face) => [
    ...[...colours].flatMap((letter, i) => [
      shape(letter, 12, i ? 53 : 11, 13, { class: `on-${letter}` }),
      text(letter, 21, i ? 58 : 16, 14, { class: `letter on-${letter}` }),
      shape(letter, 47, i ? 66 : 14, 19, { class: `ghost on-${letter}` }),
    ]),
    make("circle", { class: "disc", cx: 19, cy: 32, r: 12.5 }),
    text(face, 19, 39.5, 21, { class: "number middle" }),
  ];

  const SPOTS = [[12, 15], [48, 15], [12, 69], [48, 69]];

  const allColours = (colours, middle) => [
    ...[...colours].flatMap((letter, i) => {
      const [x, y] = SPOTS[i];
      return [
        shape(letter, x, y - 4, 13, { class: `on-${letter}` }),
        text(letter, x, y + 13, 11, { class: `letter middle on-${letter}` }),
      ];
    }),
    make("circle", { class: "disc", cx: WIDTH / 2, cy: HEIGHT / 2, r: 17 }),
    middle,
  ];

  const icon = (kind, x, y, size, name) =>
    make("path", { class: `icon ${name}`, d: ICONS[kind],
      transform: `translate(${x} ${y}) scale(${size / 20})` });

  const actionCard = (colours, kind) => {
    if (colours.length > 1) {
      return allColours(colours, icon(kind, WIDTH / 2, HEIGHT / 2, 21, "on-disc"));
    }
    return [
      make("rect", { class: "pane", x: 7, y: 28, width: WIDTH - 14, height: HEIGHT - 36, rx: 5 }),
      text(colours, 8, 21, 16, { class: `letter on-${colours}` }),
      shape(colours, 28, 15, 13, { class: `on-${colours}` }),
      icon(kind, WIDTH / 2, 52, 26, "on-disc"),
    ];
  };

  const inside = (name) => {
    const { colours, face, kind } = parse(name);
    if (kind && kind !== "J") return actionCard(colours, kind);
    if (colours.length === 2) return twoColoured(colours, face);
    return allColours(colours, icon("J", WIDTH / 2, HEIGHT / 2, 24, "on-disc solid"));
  };

  const span = (className, ...children) => {
    const element = document.createElement("span");
    element.className = className;
    element.append(...children);
    return element;
  };

  // Its rank, letter, sign and mark stand top left, where a fan in two rows leaves them in sight.
  const oneColoured = (name, { colours, face }) => {
    const element = span(`card one one-${colours}`,
      span(face.length > 1 ? "corner long" : "corner", face), span("letter", colours));
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", words(name));
    return element;
  };

  const drawn = (name) => {
    const parsed = parse(name);
    if (!parsed.kind && parsed.colours.length === 1) return oneColoured(name, parsed);
    return make("svg", { class: "card", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": words(name) },
      ...fields(parsed.colours),
      ...inside(name),
      make("rect", { class: "edge", x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 7 }));
  };

  // Each card is drawn once, and copied.
  const originals = new Map();

  // A card, face up. The class `trump` or `supertrump` of its place shows a mark on it.
  const card = (name) => {
    if (!originals.has(name)) originals.set(name, drawn(name));
    return originals.get(name).cloneNode(true);
  };

  const back = () => span("card back");

  // A card in a line of text. The shape of its colour is put before it by match.css.
  const chipText = (name, { colours, kind }) => {
    if (!kind) return name;
    return colours.length === 1 ? `${colours} ${KINDS[kind]}` : KINDS[kind];
  };

  const chip = (name) => {
    const parsed = parse(name);
    const { colours } = parsed;
    const isOne = colours.length === 1;
    const shapes = colours.length === 2 ? [...colours].map((each) => span(`shape-${each}`)) : [];
    const element = span(`chip ${isOne ? `shape-${colours} chip-${colours}` : "chip-many"}`,
      ...shapes, chipText(name, parsed));
    element.title = `${name}: ${words(name)}`;
    return element;
  };

  // A colour by itself: its shape and its letter.
  const colour = (letter) => {
    const element = span(`swatch chip shape-${letter} chip-${letter}`, letter);
    element.title = COLOURS[letter];
    return element;
  };

  return { card, back, chip, colour, isCard, words, parse, COLOURS };
})();
