// The result of a match, and its score round by round. Both may be kept back: then nothing is shown
// of what comes after the moment that is looked at.
"use strict";

const Scores = (() => {
  const { el, put, plain, signed } = Tables;
  const KEPT = "arena hides results"; // in localStorage, where there is one

  const isKept = () => {
    try {
      return localStorage.getItem(KEPT) === "yes";
    } catch {
      return false;
    }
  };
  // What else of a page tells results goes by this class.
  const mark = () => document.documentElement.classList.toggle("results-hidden", isKept());
  const keep = (isHidden) => {
    try {
      localStorage.setItem(KEPT, isHidden ? "yes" : "no");
    } catch {
      // A browser that keeps nothing asks again on the next page.
    }
    document.documentElement.classList.toggle("results-hidden", isHidden);
  };

  const ordinal = (place) => `${place}${["th", "st", "nd", "rd"][place] ?? "th"}`;

  // Who won, and with how many points.
  const won = (match, telling, score) => {
    const seats = match.names.map((_, seat) => seat);
    const winners = seats.filter((seat) => match.places[seat] === 1);
    const points = match.scores && score ? ` with ${score(match.scores[winners[0]])}` : "";
    const verb = winners.length === 1 ? " wins" : " share the first place";
    return [...telling.several(winners, 13), `${verb}${points}`];
  };

  const why = (match, telling) => {
    const out = match.forfeits.length
      ? ["; ", ...telling.several(match.forfeits), " forfeited"] : [];
    return [match.ending, ...out, "."];
  };

  // `score`: a final score in words, of a game in which it is worth telling.
  const strip = (match, telling, score) => {
    const seats = match.names.map((_, seat) => seat);
    const inOrder = [...seats].sort((a, b) => match.places[a] - match.places[b]);
    const list = el("ol", { class: "places-list", "aria-label": "Result" },
      ...inOrder.map((seat) => el("li", { class: match.places[seat] === 1 ? "won" : "" },
        el("span", { class: "place-word" }, ordinal(match.places[seat])), telling.who(seat, 16),
        match.forfeits.includes(seat) && el("span", { class: "forfeited" }, "forfeited"),
        match.scores && score && el("strong", {}, plain(match.scores[seat])))));
    const ending = el("p", { class: "why-won" },
      el("span", { class: "who-won" }, ...won(match, telling, score), ": "), ...why(match, telling));
    const hidden = el("p", { class: "result-hidden" });
    const button = el("button", { type: "button", class: "hide-results" });
    const element = el("div", { class: "result-strip", role: "group",
      "aria-label": "Result of this match" },
      el("div", { class: "result-words" }, list, ending, hidden), button);
    // `isKeptBack`: not only hidden, but not reached either. At the end nothing is left to hide, so
    // the button tells there what it changes for all that comes before.
    const show = (isHidden, isKeptBack) => {
      for (const part of [list, ending]) part.hidden = isKeptBack;
      hidden.hidden = !isHidden;
      put(hidden, isKeptBack ? "The result is hidden." : "Before the end, results are hidden.");
      put(button, isKeptBack ? "show results" : isHidden ? "stop hiding" : "hide results");
    };
    return { element, button, show };
  };

  // A row for each round that has been counted: what it scored, and the total then.
  const table = (match, telling, moments, { href, go }) => {
    const starts = moments.filter(({ kind }) => kind === "deal");
    const results = moments.filter(({ result }) => result);
    if (!results.length) return { element: null, show: () => {} };
    const rows = results.map(({ result, at }, number) => {
      const start = starts[number];
      const link = el("a", { href: href(start.key) }, `${result.round}`);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        go(start.at);
      });
      const row = el("tr", {}, el("th", { scope: "row" }, link), ...match.names.map((_, seat) =>
        el("td", {}, el("span", { class: "gained" }, signed(result.scored[seat])), " ",
          el("strong", {}, plain(result.scores[seat])))));
      return { row, at, round: result.round };
    });
    const element = el("div", { class: "by-round", role: "group", tabindex: "0",
      "aria-label": "Score by round" },
      el("table", {}, el("caption", {}, "Score by round, and the total then"),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "round"), ...match.names.map(
          (_, seat) => el("th", { scope: "col" }, telling.who(seat, match.names.length > 3 ? 7 : 11))))),
        el("tbody", {}, ...rows.map(({ row }) => row))));
    // `reached`: the last moment that may be told.
    const show = (reached, round) => {
      for (const each of rows) {
        each.row.hidden = each.at > reached;
        each.row.classList.toggle("is-now", each.round === round);
      }
    };
    return { element, show };
  };

  return { strip, table, won, isKept, keep, mark };
})();
