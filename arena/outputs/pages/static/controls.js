// The buttons, the slider and the choices below the table.
"use strict";

const Controls = (() => {
  const { el } = Tables;
  const SVG = "http://www.w3.org/2000/svg";

  // In a square from 0 to 24.
  const ICONS = {
    start: "M5 5h3v14H5zM20 5v14L9 12z",
    "trick-back": "M12 5v14L2 12zM22 5v14L12 12z",
    back: "M17 5v14L6 12z",
    paused: "M7 4v16l13-8z",
    playing: "M6 5h4v14H6zM14 5h4v14h-4z",
    on: "M7 5v14l11-7z",
    "trick-on": "M2 5v14l10-7zM12 5v14l10-7z",
    end: "M16 5h3v14h-3zM4 5v14l11-7z",
  };

  const icon = (name) => {
    const drawing = document.createElementNS(SVG, "svg");
    const path = document.createElementNS(SVG, "path");
    drawing.setAttribute("viewBox", "0 0 24 24");
    drawing.setAttribute("aria-hidden", "true");
    drawing.setAttribute("class", `is-${name}`);
    path.setAttribute("d", ICONS[name]);
    drawing.append(path);
    return drawing;
  };

  const GO = [
    ["start", "the deal"], ["round-back", "previous round", "‹ R"],
    ["trick-back", "previous trick or turn"], ["back", "previous move"], ["play", "play"],
    ["on", "next move"], ["trick-on", "next trick or turn"], ["round-on", "next round", "R ›"],
    ["end", "the end"],
  ];

  const button = ([go, label, text]) => el("button", { type: "button", "data-go": go,
    class: go, "aria-label": label, title: label, "aria-pressed": go === "play" && "false" },
    ...(go === "play" ? [icon("paused"), icon("playing")] : [text ?? icon(go)]));

  const choice = (label, name, options) => el("label", { class: "choice-of" },
    el("span", {}, label), el("select", { name }, ...options.map(([value, text]) =>
      el("option", { value }, text))));

  const KEYS = [
    [["←", "→"], "one move"], [["Shift", "←", "→"], "one trick, or one turn"],
    [["p", "n"], "previous, next round"], [["Home", "End"], "the deal, the end"],
    [["Space"], "play, pause"], [["+", "−"], "faster, slower"], [["t"], "play by trick, by move"],
    [["o"], "all hands open"], [["s"], "as a spectator"], [["h"], "hide or show results"],
  ];

  const sign = (name, text = "") => el("span", { class: `sign ${name}` }, text);

  const SIGNS = () => [
    [sign("is-trump"), "on a card: trump"], [sign("is-supertrump"), "on a card: supertrump"],
    [sign("is-covered", "3"), "dashed: a box that the bot in seat 3 has covered"],
    [sign("is-settled"), "yellow: the box of a row that stays open; the taker of a trick"],
    ["led", "played first in this trick"],
    ["3+1", "tricks + loot of this round"],
    ["loot", "a lowest card that the other team took in a trick"], ["+8 53", "points of this round, and in all"],
    ["A, B", "the teams of this round"], ["d", "deals"], ["▶\uFE0E", "first player: leads first"],
    ["×2", "bonus card: its take counts twice"], ["✓", "has chosen the cards it gives away"],
  ];

  const pair = (term, meaning) => el("div", {}, el("dt", {}, ...term), el("dd", {}, meaning));

  // `rules`: the address of how the game is played, if there is one.
  const help = ({ seats, game, drawing }, rules) => el("details", { class: "keys" },
    el("summary", {}, drawing.name === "tricks" ? "Keys and signs" : "Keys"),
    rules && el("p", {}, el("a", { href: rules }, `How ${game} is played`)),
    el("dl", {}, ...[...KEYS, [["0", `${seats - 1}`], "as that seat"]].map(([keys, meaning]) =>
      pair(keys.flatMap((key) => [el("kbd", {}, key), " "]), meaning)),
      ...(drawing.name === "tricks" ? SIGNS() : []).map(([shown, meaning]) =>
        pair([el("strong", {}, shown)], meaning))),
    el("p", {}, "The address names what you see: ", el("code", {}, "move=57&as=seat1"),
      ". Moves count from 0, as in ", el("code", {}, "arena replay"), "; ",
      el("code", {}, "move=deal2"), " is the deal of round 2."));

  // `last`: of the slider. `hasRounds`: more than one.
  const of = ({ last, hasRounds, audiences, speeds, ticks }) => {
    const buttons = new Map(GO.map((each) => [each[0], button(each)]));
    for (const name of ["round-back", "round-on"]) buttons.get(name).hidden = !hasRounds;
    const slider = el("input", { type: "range", min: "0", max: last, value: "0",
      "aria-label": "move" });
    const where = el("output", { class: "where" });
    const as = choice("seen by", "as", audiences);
    const speed = choice("speed", "speed", speeds.map((each) => [each, `${each}×`]));
    const by = choice("play", "by", [["move", "by move"], ["trick", "by trick"]]);
    const motion = choice("cards", "motion", [["on", "motion"], ["off", "no motion"]]);
    const element = el("div", { class: "controls" },
      el("div", { class: "buttons", role: "group", "aria-label": "Move" }, ...buttons.values()),
      el("div", { class: "along" }, el("div", { class: "track" }, slider, ticks), where),
      el("div", { class: "choices" }, as, by, speed, motion));
    const pick = (label) => label.querySelector("select");
    return { element, buttons, slider, where, as: pick(as), speed: pick(speed), by: pick(by),
      motion: pick(motion) };
  };

  return { of, help };
})();
