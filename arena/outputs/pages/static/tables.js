// The drawings that a game may name, and plain fields for a game that names none; and what all of
// them are made of. A drawing shows what one audience sees of a moment, and knows nothing else.
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
  const plain = (value) => String(value).replace("-", "−");
  const signed = (value) => (value < 0 ? `−${-value}` : `+${value}`);

  // Give an element other content only where the key is another: most of a table stays as it is
  // from one move to the next.
  const put = (element, key, make = () => [key]) => {
    if (element.shownKey === key) return;
    element.shownKey = key;
    element.replaceChildren(...make());
  };

  const fact = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, ...value));

  // `fields`: what is seen, field by field.
  const fields = (match, steps, at, seen) => [
    el("dl", { class: "fields" }, ...Object.entries(seen.view).map(
      ([name, value]) => fact(name, JSON.stringify(value)))),
    el("dl", { class: "fields" }, ...seen.own.flatMap((own, seat) => Object.entries(own).map(
      ([name, value]) => fact(`${name} of seat ${seat}`, JSON.stringify(value))))),
  ];

  // Each step is a moment, and each moment has a key in an address.
  const everyStep = (steps) => steps.map((step, at) =>
    ({ ...step, kind: at ? "move" : "deal", at, key: at ? String(at - 1) : "deal" }));

  const plainFields = () => ({
    score: plain,
    tally: () => [],
    isQuick: () => false,
    moments: everyStep,
    unit: (view) => `${view.round} ${view.turn}`,
    round: (view) => view.round ?? 1,
    draw: fields,
    mount: (element, match, moments) => {
      element.classList.add("is-plain");
      return {
        show: (at, seen) => element.replaceChildren(...fields(match, moments, at, seen)),
        move: () => {},
        settle: () => {},
        close: () => {},
      };
    },
  });

  // `score`: a final score in words, if it tells more than the places. `moments`: what is shown one
  // after the other. `unit`: what stays the same within a trick or turn; `round`: within a round.
  // `tally`: the lines that tell what a round was worth. `isQuick`: played twice as fast.
  const DRAWINGS = {
    tricks: (details) => Tricks.drawing(details),
    piles: () => Piles.drawing(),
    fields: plainFields,
  };

  return { of: ({ name, details }) => DRAWINGS[name](details), el, put, plural, plain, signed,
    everyStep };
})();
