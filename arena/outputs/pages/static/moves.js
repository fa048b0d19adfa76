// The list of moves: what each audience is told of each, with the notes of its bot, the faults
// before it and what a judge says of it.
"use strict";

const Moves = (() => {
  const { el } = Tables;

  // Moves: a browser draws only those parts of the list that are in sight, and a part that has
  // changed as a whole.
  const PART = 8;
  const EDGE = 2; // pixels of the list's own border

  const duration = (us) => (us >= 1e6 ? `${(us / 1e6).toFixed(1)} s`
    : us >= 1e5 ? `${(us / 1e3).toFixed(0)} ms` : `${(us / 1e3).toFixed(1)} ms`);

  const grouped = (entries) => {
    const groups = new Map();
    for (const [key, value] of entries) groups.set(key, [...(groups.get(key) ?? []), value]);
    return groups;
  };

  // What belongs to moments besides, by moment. `momentOf`: that of a move's number.
  const remarksOf = (match, marks, momentOf) => ({
    notes: new Map(match.notes.map(([move, text]) => [momentOf(move), text])),
    faults: grouped(match.faults.map(([seat, move, kind, code, text, forfeit, legal]) =>
      [momentOf(move), { seat, kind, code, text, forfeit, legal }])),
    marks: grouped(marks.map(([move, seat, text]) => [momentOf(move), { seat, text }])),
  });

  // Lines that the felt tells in its own way: beside the table they are there to be read out.
  const ON_THE_FELT = /^(?:the board leaves open|seat \d (?:passed on|discarded) )/;
  const ROUND = /^round \d+ \(/;
  const BRIEF_NAME = 14; // characters

  // What a seat has passed on and received is one line.
  const joined = (told) => told.reduce((lines, line) => {
    const received = /^(seat \d) (received .*)$/.exec(line);
    const before = lines.at(-1);
    return received && before?.startsWith(`${received[1]} passed on`)
      ? [...lines.slice(0, -1), `${before}, ${received[2]}`] : [...lines, line];
  }, []);

  // `tally(moment)`: the lines that tell what a round was worth, in place of that of the replay.
  const of = (moments, remarks, telling, { go, href, tally }) => {
    const list = el("div", { class: "moves", tabindex: "0", role: "group", "aria-label": "Moves" });
    let items = [];
    let current = null;
    let revealing = 0;
    let reached = null; // the last moment that is not kept back

    const faultLines = (at, sees) => (remarks.faults.get(at) ?? []).map((fault) =>
      el("span", { class: "line fault-line" },
        telling.who(fault.seat), el("strong", {}, `: ${fault.kind}`), ` ${fault.code}`,
        fault.forfeit ? ", forfeits the match" : "",
        sees(fault.seat) ? el("bdi", { class: "said" }, fault.text) : "",
        sees(fault.seat) && fault.legal.length
          ? el("span", { class: "asked" }, `asked for one of: ${fault.legal.join(" ")}`) : ""));

    const noteLine = (at, sees) => {
      if (!remarks.notes.has(at)) return [];
      const { seat } = moments[at];
      return [sees(seat)
        ? el("span", { class: "line note-line" }, telling.who(seat), " notes: ",
          el("bdi", {}, remarks.notes.get(at)))
        : el("span", { class: "line note-line" }, "a note, to be read with all hands open")];
    };

    // What a judge says tells of cards that only its seat held.
    const markLines = (at, sees) => (remarks.marks.get(at) ?? []).map(({ seat, text }) =>
      el("span", { class: "line mark-line" }, telling.who(seat), ": ",
        sees(seat) ? el("bdi", {}, text)
          : "a remark of the judge, to be read with all hands open"));

    const whole = (line, moment) => (ROUND.test(line) ? tally(moment) : [telling.line(line)]);

    // Without what the felt shows of this move.
    const brief = (line, moment) => {
      const lines = ROUND.test(line) ? tally(moment)
        : [telling.line(line.replace(/^(trick \d+): .* goes to/, "$1 goes to"), BRIEF_NAME)];
      for (const each of lines) {
        each.classList.toggle("offscreen", ROUND.test(line) || ON_THE_FELT.test(line));
      }
      return lines;
    };

    const tellsOf = (at, audience, tell = brief) => {
      const moment = moments[at];
      const sees = (seat) => audience === "open" || audience === seat;
      const told = joined(Views.told(moment, audience));
      const isSeen = moment.seat === undefined || told.length > 0 || sees(moment.seat);
      const lines = told.length ? told.flatMap((line) => tell(line, moment))
        : [isSeen ? telling.line(`seat ${moment.seat} chooses ${moment.action}, in secret`)
          : el("span", { class: "line unseen" }, "a choice that is not seen from here")];
      const time = isSeen && moment.timeUs
        ? el("span", { class: "time" }, duration(moment.timeUs)) : null;
      return { time, lines: [...faultLines(at, sees), ...lines, ...noteLine(at, sees),
        ...markLines(at, sees)] };
    };

    const item = (moment, audience) => {
      const { lines, time } = tellsOf(moment.at, audience, whole);
      const label = moment.kind === "deal" ? "deal" : moment.key;
      return el("li", { "data-at": moment.at, class: moment.kind === "deal" ? "a-deal" : "" },
        el("a", { href: href(moment.key), class: "move-number", tabindex: "-1" }, label),
        el("span", { class: "lines" }, ...lines), time);
    };

    // All anew, for another audience.
    const fill = (audience) => {
      items = moments.map((moment) => item(moment, audience));
      const parts = [];
      for (let from = 0; from < items.length; from += PART) {
        parts.push(el("ol", {}, ...items.slice(from, from + PART)));
      }
      list.replaceChildren(...parts);
      current = null;
      reached = null;
    };

    // Scrolled only where it must be: to paint the list anew costs more than the table.
    const reveal = () => {
      const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
      if (inner.top < outer.top + EDGE || inner.bottom > outer.bottom - EDGE) {
        list.scrollTop += inner.top - outer.top - outer.height / 4;
      }
    };

    // How long a part of the list is becomes known only when it is drawn.
    const revealSoon = () => {
      cancelAnimationFrame(revealing);
      let frames = 3;
      const again = () => {
        reveal();
        frames -= 1;
        if (frames) revealing = requestAnimationFrame(again);
      };
      revealing = requestAnimationFrame(again);
    };

    const show = (at) => {
      const isNext = current !== null && items[at - 1] === current;
      current?.removeAttribute("aria-current");
      const before = current?.parentNode;
      current = items[at];
      current.setAttribute("aria-current", "step");
      // This part is drawn also where the list is out of sight, so that it has its true size.
      if (before !== current.parentNode) {
        before?.classList.remove("is-here");
        current.parentNode.classList.add("is-here");
      }
      reveal();
      if (!isNext || at % PART === 0) revealSoon();
    };

    // Keeps back what comes after a moment.
    const reach = (to) => {
      if (to === reached) return;
      for (const [at, each] of items.entries()) {
        if (each.hidden !== at > to) each.hidden = at > to;
      }
      for (const [number, part] of [...list.children].entries()) {
        if (part.hidden !== number * PART > to) part.hidden = number * PART > to;
      }
      reached = to;
      if (current) revealSoon();
    };

    list.addEventListener("click", (event) => {
      const found = event.target.closest("li");
      if (!found) return;
      event.preventDefault();
      go(Number(found.dataset.at));
    });

    return { element: list, fill, show, reach, tellsOf };
  };

  // Ticks along the slider, where there is something to see.
  const ticks = (remarks, last) => {
    const box = el("div", { class: "ticks", "aria-hidden": "true" });
    const kinds = [["mark", remarks.marks], ["note", remarks.notes], ["fault", remarks.faults]];
    const all = kinds.flatMap(([kind, found]) => [...found.keys()].map((at) => {
      const tick = el("span", { class: `tick-mark ${kind}` });
      tick.style.left = `${(100 * at) / Math.max(1, last)}%`;
      return { at, tick };
    }));
    box.append(...all.map(({ tick }) => tick));
    return { element: box, reach: (reached) => {
      for (const { at, tick } of all) tick.hidden = at > reached;
    } };
  };

  return { of, remarksOf, ticks };
})();
