// The page of a set: opens the match that the address names, `#match=2&move=57&as=seat1`, or shows
// the deal of the set in all its seatings.
"use strict";

const SetPage = (() => {
  const { el } = Tables;
  const byId = (id) => document.getElementById(id);
  const set = JSON.parse(byId("set-data").textContent);
  const [viewer, deals] = [byId("viewer"), byId("deals")];
  let open = null; // the match being shown: its number and its viewer

  const textOf = (number, of) =>
    byId(`match-${number}`).querySelector(of)?.textContent.replace(/\n$/, "") ?? "";

  // A bot's remarks: "57 (seat 1) why not", a line each.
  const notesOf = (number) => textOf(number, "pre.notes").split("\n")
    .map((line) => /^(\d+) \(seat \d\) (.*)$/.exec(line))
    .filter((found) => found)
    .map(([, move, text]) => [Number(move), text]);

  const matchOf = (own, at) => {
    const { game, drawing, seats } = set;
    const number = at + 1;
    const rounds = own.view && Sheet.read(textOf(number, ".sheet pre"), seats);
    return { game, drawing, seats, number, ...own, rounds, notes: notesOf(number) };
  };

  const rules = document.querySelector(".lead a[href$='game.html']")?.getAttribute("href");
  const matches = set.matches.map(matchOf).filter((match) => match.view || match.start);

  const tabs = el("nav", { class: "turns", "aria-label": "Matches of this set" }, el("ul", {},
    el("li", {}, el("a", { href: "#" }, "the set")),
    ...matches.map((match) => el("li", {},
      el("a", { href: `#match=${match.number}` }, match.place)))));

  const close = () => {
    open?.viewer.close();
    open = null;
  };

  const mount = (match) => {
    viewer.hidden = false; // else nothing in it has a size, and the list of moves cannot scroll
    const href = (moment) => `#match=${match.number}&${moment}`;
    const write = (moment) => history.replaceState(null, "", href(moment));
    open = { number: match.number, viewer: Viewer.mount(viewer, match, { write, href, rules }) };
  };

  // Of everything below, what is about the match that is open; all of it if none is.
  const tidy = () => {
    viewer.hidden = open === null;
    deals.hidden = open !== null || matches.length < 2;
    byId("results").hidden = open !== null; // who wins is told by the viewer, or hidden by it
    if (!deals.hidden && !deals.hasChildNodes()) Deals.mount(deals, matches);
    for (const [at] of set.matches.entries()) {
      byId(`match-${at + 1}`).hidden = open !== null && open.number !== at + 1;
    }
    for (const link of tabs.querySelectorAll("a")) {
      const isHere = link.hash === (open ? `#match=${open.number}` : "");
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };

  const readAddress = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    const wanted = asked.get("match") ?? (matches.length === 1 ? String(matches[0].number) : "");
    const match = matches.find(({ number }) => String(number) === wanted);
    if (!match) close();
    else if (open?.number !== match.number) {
      close();
      mount(match);
    }
    open?.viewer.show(asked);
    tidy();
    // A small screen has room for the table alone.
    const isLarge = matchMedia("(min-width: 901px) and (min-height: 760px)").matches;
    const top = isLarge && tabs.isConnected ? tabs : viewer;
    if (match && location.hash) top.scrollIntoView({ block: "start" });
  };

  // Without a viewer at hand, the results that are hidden can be shown again here.
  const shown = el("button", { type: "button" }, "show them");
  shown.addEventListener("click", () => Scores.keep(false));
  byId("results").before(el("p", { class: "kept-back" }, "Results are hidden. ", shown));
  Scores.mark();

  for (const details of document.querySelectorAll("details.sheet")) details.open = false;
  if (set.matches.length > 1) viewer.before(tabs);
  window.addEventListener("hashchange", readAddress);
  readAddress();
  return { matches };
})();
