// Steps through a match: buttons, keys, a slider, the list of moves, and the page's address.
"use strict";

(() => {
  const match = JSON.parse(document.getElementById("match-data").textContent);
  const table = Tables.of(match.drawing);
  const { el } = Tables;
  const byId = (id) => document.getElementById(id);
  const viewer = byId("viewer");
  const list = byId("moves");
  const slider = byId("slider");
  const PLAY_MS = 900;

  const steps = Views.all(match);
  const last = steps.length - 1; // entry k + 1 is what stands after move k
  let at = 0;
  let audience = "spectator";
  let playing = null;

  // What belongs to a move besides: what its bot remarked, and the faults before it.
  const notes = new Map(match.notes.map(([move, text]) => [move + 1, text]));
  const faults = new Map();
  for (const [seat, move, kind, code, text, forfeit, legal] of match.faults) {
    const step = Math.min(move + 1, last);
    if (!faults.has(step)) faults.set(step, []);
    faults.get(step).push({ seat, kind, code, text, forfeit, legal });
  }

  const startsOf = (key) => {
    const starts = [0];
    for (let i = 1; i <= last; i++) {
      if (key(steps[i].view) !== key(steps[i - 1].view)) starts.push(i);
    }
    return starts;
  };
  const units = startsOf(table.unit);
  const rounds = startsOf(table.round);
  const next = (starts) => starts.find((each) => each > at) ?? last;
  const previous = (starts) => starts.findLast((each) => each < at) ?? 0;

  const seesSeat = (seat) => audience === "open" || audience === seat;
  const duration = (us) => (us >= 1e6 ? `${(us / 1e6).toFixed(1)} s`
    : us >= 1e5 ? `${(us / 1e3).toFixed(0)} ms` : `${(us / 1e3).toFixed(1)} ms`);

  // A line for people, its cards drawn.
  const line = (text) => {
    const parts = text.split(/( |[,;:] ?)/).map((word) =>
      Cards.isCard(word) ? Cards.chip(word) : word);
    return el("span", { class: "line" }, ...parts);
  };

  const faultLines = (number) => (faults.get(number) ?? []).map((fault) =>
    el("span", { class: "line fault-line" },
      el("strong", {}, `seat ${fault.seat}: ${fault.kind}`), ` ${fault.code}`,
      fault.forfeit ? ", forfeits the match" : "",
      seesSeat(fault.seat) ? el("bdi", { class: "said" }, fault.text) : "",
      seesSeat(fault.seat) && fault.legal.length
        ? el("span", { class: "asked" }, `asked for one of: ${fault.legal.join(" ")}`) : ""));

  const noteLine = (number) => {
    if (!notes.has(number)) return [];
    const { seat } = steps[number];
    return [seesSeat(seat)
      ? el("span", { class: "line note-line" }, `seat ${seat} notes: `,
        el("bdi", {}, notes.get(number)))
      : el("span", { class: "line note-line" }, "a note, to be read with all seats open")];
  };

  const tellsOf = (number) => {
    const told = Views.told(steps[number], audience);
    const isSeen = number === 0 || told.length > 0 || seesSeat(steps[number].seat);
    const lines = told.length ? told.map(line)
      : [isSeen ? line(`seat ${steps[number].seat} chooses ${steps[number].action}, in secret`)
        : el("span", { class: "line unseen" }, "a choice that is not seen from here")];
    const time = number > 0 && isSeen && steps[number].timeUs
      ? el("span", { class: "time" }, duration(steps[number].timeUs)) : null;
    return { lines: [...faultLines(number), ...lines, ...noteLine(number)], time };
  };

  const fillList = () => {
    list.replaceChildren(...steps.map((_, number) => {
      const { lines, time } = tellsOf(number);
      const label = number === 0 ? "deal" : String(number - 1);
      return el("li", { "data-step": number },
        el("a", { href: `#${addressOf(number)}`, class: "move-number", tabindex: "-1" }, label),
        el("span", { class: "lines" }, ...lines), time);
    }));
  };

  const addressOf = (number) => {
    const move = number === 0 ? "deal" : String(number - 1);
    const as = audience === "spectator" ? "" : `&as=${nameOf(audience)}`;
    return `move=${move}${as}`;
  };
  const nameOf = (one) => (typeof one === "number" ? `seat${one}` : one);

  const show = () => {
    const step = steps[at];
    const seen = Views.seen(step, audience);
    byId("felt").replaceChildren(
      ...table.draw(match, steps, at, seen).filter((part) => part !== null));
    const { lines, time } = tellsOf(at);
    byId("now").replaceChildren(...lines, ...(time ? [time] : []));
    for (const item of list.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const item = list.children[at];
    item.setAttribute("aria-current", "step");
    const middle = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2;
    list.scrollTop = middle;
    const where = at === 0 ? "the deal" : `move ${at - 1} of ${last - 1}`;
    byId("where").textContent = where;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", where);
    for (const button of viewer.querySelectorAll("[data-as]")) {
      button.setAttribute("aria-pressed", String(button.dataset.as === nameOf(audience)));
    }
    const ends = { start: at === 0, back: at === 0, "trick-back": at === 0, "round-back": at === 0,
      on: at === last, "trick-on": at === last, "round-on": at === last, end: at === last };
    for (const button of viewer.querySelectorAll("[data-go]")) {
      button.setAttribute("aria-disabled", String(ends[button.dataset.go] ?? false));
    }
  };

  const go = (number) => {
    const wanted = Math.max(0, Math.min(last, number));
    if (wanted === at) return;
    at = wanted;
    if (at === last) pause();
    history.replaceState(null, "", `#${addressOf(at)}`);
    show();
  };

  const watch = (name) => {
    const found = audienceOf(name);
    if (found === null || found === audience) return;
    audience = found;
    history.replaceState(null, "", `#${addressOf(at)}`);
    fillList();
    show();
  };

  const audienceOf = (name) => {
    if (name === "open" || name === "spectator") return name;
    const seat = /^seat(\d)$/.exec(name ?? "");
    return seat && Number(seat[1]) < match.seats ? Number(seat[1]) : null;
  };

  const pause = () => {
    clearInterval(playing);
    playing = null;
    tellPlaying();
  };

  const play = () => {
    if (playing !== null) return pause();
    if (at === last) go(0);
    playing = setInterval(() => go(at + 1), PLAY_MS);
    return tellPlaying();
  };

  const tellPlaying = () => {
    const button = viewer.querySelector("[data-go=play]");
    button.setAttribute("aria-pressed", String(playing !== null));
    button.setAttribute("aria-label", playing === null ? "play" : "pause");
  };

  const GO = {
    start: () => go(0),
    "round-back": () => go(previous(rounds)),
    "trick-back": () => go(previous(units)),
    back: () => go(at - 1),
    play,
    on: () => go(at + 1),
    "trick-on": () => go(next(units)),
    "round-on": () => go(next(rounds)),
    end: () => go(last),
  };

  const KEYS = {
    ArrowLeft: "back", ArrowRight: "on", "Shift+ArrowLeft": "trick-back",
    "Shift+ArrowRight": "trick-on", p: "round-back", n: "round-on", Home: "start", End: "end",
    " ": "play",
  };

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    // Where a key has a meaning of its own, it keeps it.
    if (target.closest("input, .scroll, pre") ||
      (event.key === " " && target.closest("button, a, summary"))) return;
    const key = (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + event.key;
    if (key in KEYS) GO[KEYS[key]]();
    else if (key === "o") watch("open");
    else if (key === "s") watch("spectator");
    else if (/^\d$/.test(key) && Number(key) < match.seats) watch(`seat${key}`);
    else return;
    event.preventDefault();
  };

  // `#move=57&as=seat2`; anything else leaves the page where it is.
  const readAddress = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    const move = asked.get("move");
    if (move === null) return false;
    const number = move === "deal" ? 0 : move === "end" ? last : Number(move) + 1;
    if (!Number.isInteger(number)) return false;
    at = Math.max(0, Math.min(last, number));
    audience = audienceOf(asked.get("as")) ?? "spectator";
    fillList();
    show();
    return true;
  };

  slider.max = String(last);
  if (rounds.length < 2) {
    for (const button of viewer.querySelectorAll(".rounds")) button.hidden = true;
  }
  viewer.hidden = false;
  byId("transcript").open = false;
  viewer.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.as) watch(button.dataset.as);
    if (button?.dataset.go) GO[button.dataset.go]();
    const item = event.target.closest("#moves li");
    if (item) {
      event.preventDefault();
      go(Number(item.dataset.step));
    }
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => {
    if (readAddress()) viewer.scrollIntoView({ block: "start" });
  });
  if (!readAddress()) {
    fillList();
    show();
  }
})();
