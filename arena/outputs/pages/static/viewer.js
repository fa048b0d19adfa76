// A match watched: the table, the moves beside it, the result above and the controls below, in any
// element of a page. The page around it owns the address: it is told what is shown.
"use strict";

const Viewer = (() => {
  const { el } = Tables;
  const PLAY_MS = 900; // a move, at speed 1
  const TRICK_MS = 1800; // a trick, at speed 1
  const MOVE_MS = 320; // the way of a card, at speed 1
  const WRITE_MS = 400; // between two addresses: browsers refuse hundreds in a row
  const SPEEDS = [0.5, 1, 2, 4];

  const audienceOf = (name, seats) => {
    if (name === "open" || name === "spectator") return name;
    const seat = /^seat(\d)$/.exec(name ?? "");
    return seat && Number(seat[1]) < seats ? Number(seat[1]) : null;
  };
  const nameOf = (audience) => (typeof audience === "number" ? `seat${audience}` : audience);

  // Where a unit or a round begins.
  const startsOf = (moments, key) => moments.map(({ at }) => at).filter((at) =>
    at === 0 || key(moments[at].view) !== key(moments[at - 1].view));

  // Calls at once, and then at most every so often, with the last text. `stop` calls with a text
  // that still waits, `drop` forgets it.
  const throttled = (call) => {
    let waiting = null;
    let timer = null;
    const flush = () => {
      timer = null;
      if (waiting === null) return;
      const text = waiting;
      waiting = null;
      call(text);
      timer = setTimeout(flush, WRITE_MS);
    };
    const drop = () => {
      clearTimeout(timer);
      [timer, waiting] = [null, null];
    };
    const stop = () => {
      const text = waiting;
      drop();
      if (text !== null) call(text);
    };
    return { stop, drop, now: (text) => {
      waiting = text;
      if (timer === null) flush();
    } };
  };

  const KEYS = {
    ArrowLeft: "back", ArrowRight: "on", "Shift+ArrowLeft": "trick-back",
    "Shift+ArrowRight": "trick-on", p: "round-back", n: "round-on", Home: "start", End: "end",
    " ": "play", "+": "faster", "=": "faster", "-": "slower", t: "by", h: "hide",
  };

  // `write(text)` is told of each moment and audience, such as `move=57&as=seat2`; `href(text)`
  // gives the address of a link to one; `rules`: that of a page that tells how the game is played.
  // `isHiding`: results are kept back; `keys`: the keyboard moves through the match.
  const mount = (element, match, { write = () => {}, marks, href = (text) => `#${text}`, rules,
    isHiding = Scores.isKept(), keys = true } = {}) => {
    const drawing = Tables.of(match.drawing);
    const telling = Telling.of(match.names, match.drawing.details?.low);
    const moments = drawing.moments(Views.all(match));
    const last = moments.length - 1;
    const lastMove = moments.filter(({ kind }) => kind === "move").length - 1;
    const byKey = new Map(moments.map(({ key, at }) => [key, at]));
    const units = startsOf(moments, drawing.unit);
    const rounds = startsOf(moments, drawing.round);
    const momentOf = (move) => byKey.get(String(move)) ?? (move < 0 ? 0 : last);
    const addressOf = (key) => `move=${key}${audience === "open" ? "" : `&as=${nameOf(audience)}`}`;
    const remarks = Moves.remarksOf(match, marks ?? match.marks ?? [], momentOf);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const address = throttled(write);

    let at = 0;
    let audience = "open";
    let playing = null;

    const linkTo = (key) => href(addressOf(key));
    const list = Moves.of(moments, remarks, telling, { go: (to) => go(to), href: linkTo,
      tally: drawing.tally });
    const ticks = Moves.ticks(remarks, last);
    const strip = Scores.strip(match, telling, drawing.score);
    const byRound = Scores.table(match, telling, moments, { go: (to) => go(to), href: linkTo });
    const controls = Controls.of({ last, hasRounds: rounds.length > 1, ticks: ticks.element,
      speeds: SPEEDS, audiences: [["open", "all hands open"], ["spectator", "a spectator"],
        ...match.names.map((name, seat) => [`seat${seat}`, `${name} (seat ${seat})`])] });
    const now = el("div", { class: "now", "aria-live": "polite", tabindex: "0", role: "group",
      "aria-label": "This move" });
    const tableBox = el("div", { class: "table-box" });
    const table = drawing.mount(tableBox, match, moments, telling);
    const root = el("div", { class: "viewer" },
      el("div", { class: "screen" }, strip.element, tableBox, now, controls.element),
      el("div", { class: "beside" }, list.element, byRound.element,
        Controls.help(match, rules)));

    const speed = () => Number(controls.speed.value);
    const isByTrick = () => controls.by.value === "trick";

    const show = (ms = 0) => {
      table.settle();
      const moment = moments[at];
      table.show(at, Views.seen(moment, audience), ms > 0);
      const { lines, time } = list.tellsOf(at, audience);
      now.replaceChildren(...lines, ...(time ? [time] : []));
      const where = moment.kind === "deal"
        ? (rounds.length > 1 ? `deal of round ${moment.view.round}` : "the deal")
        : `move ${moment.key} of ${lastMove}`;
      controls.where.textContent = where;
      controls.slider.value = String(at);
      controls.slider.setAttribute("aria-valuetext", where);
      for (const [name, button] of controls.buttons) {
        const isAtEnd = /back|start/.test(name) ? at === 0 : name !== "play" && at === last;
        const told = String(isAtEnd);
        if (button.ariaDisabled !== told) button.ariaDisabled = told;
      }
      tell();
      // These measure, so they come last: the page is laid out once.
      list.show(at);
      table.move(ms);
    };

    // While results are hidden, nothing after the moment on the table is told.
    const tell = () => {
      const to = isHiding ? at : last;
      list.reach(to);
      ticks.reach(to);
      strip.show(isHiding, to < last);
      byRound.show(to, moments[at].view.round);
    };

    const go = (wanted) => {
      const to = Math.max(0, Math.min(last, wanted));
      if (to === at) return;
      const isStep = to === at + 1;
      at = to;
      address.now(addressOf(moments[at].key));
      if (at === last) pause();
      const isMoving = isStep && !calm.matches && controls.motion.value === "on" &&
        document.visibilityState === "visible";
      show(isMoving ? Math.min(MOVE_MS, MOVE_MS / speed()) : 0);
    };

    const watch = (name) => {
      const found = audienceOf(name, match.seats);
      if (found === null || found === audience) return;
      become(found);
      address.now(addressOf(moments[at].key));
      show();
    };

    const become = (found) => {
      audience = found;
      controls.as.value = nameOf(audience);
      list.fill(audience);
    };

    const next = (starts) => starts.find((each) => each > at) ?? last;
    const previous = (starts) => starts.findLast((each) => each < at) ?? 0;

    const tellPlaying = () => {
      const button = controls.buttons.get("play");
      button.setAttribute("aria-pressed", String(playing !== null));
      button.setAttribute("aria-label", playing === null ? "play" : "pause");
      now.setAttribute("aria-live", playing === null ? "polite" : "off");
    };

    const pause = () => {
      clearTimeout(playing);
      playing = null;
      address.stop();
      tellPlaying();
    };

    const stepMs = () => {
      if (isByTrick()) return TRICK_MS / speed();
      return (drawing.isQuick(moments[at].view) ? PLAY_MS / 2 : PLAY_MS) / speed();
    };

    const wait = () => {
      playing = setTimeout(() => {
        go(isByTrick() ? next(units) : at + 1);
        if (playing !== null) wait();
      }, stepMs());
    };

    const begin = () => {
      clearTimeout(playing);
      wait();
      tellPlaying();
    };

    const setSpeed = (by) => {
      const wanted = SPEEDS[SPEEDS.indexOf(speed()) + by];
      if (wanted === undefined) return;
      controls.speed.value = String(wanted);
      if (playing !== null) begin();
    };

    const GO = {
      start: () => go(0),
      "round-back": () => go(previous(rounds)),
      "trick-back": () => go(previous(units)),
      back: () => go(at - 1),
      play: () => {
        if (playing !== null) return pause();
        if (at === last) go(0);
        return begin();
      },
      on: () => go(at + 1),
      "trick-on": () => go(next(units)),
      "round-on": () => go(next(rounds)),
      end: () => go(last),
      faster: () => setSpeed(1),
      slower: () => setSpeed(-1),
      by: () => {
        controls.by.value = isByTrick() ? "move" : "trick";
        if (playing !== null) begin();
      },
      hide: () => {
        isHiding = !isHiding;
        Scores.keep(isHiding);
        tell();
      },
    };

    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      // Where a key has a meaning of its own, it keeps it.
      if (target.closest?.("input, select, textarea, .scroll, pre") ||
        (event.key === " " && target.closest?.("button, a, summary"))) return;
      const key = (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + event.key;
      if (key in KEYS) GO[KEYS[key]]();
      else if (key === "o") watch("open");
      else if (key === "s") watch("spectator");
      else if (/^\d$/.test(key) && Number(key) < match.seats) watch(`seat${key}`);
      else return;
      event.preventDefault();
    };

    // Goes to `move=57&as=seat2`; says whether the text names a moment.
    const showAsked = (asked) => {
      const move = asked.get("move");
      const number = move === "end" ? last : byKey.get(move) ?? momentOf(Number(move));
      if (move === null || move === "" || !(byKey.has(move) || move === "end" ||
        Number.isInteger(Number(move)))) return false;
      address.drop();
      pause();
      at = number;
      become(audienceOf(asked.get("as"), match.seats) ?? "open");
      show();
      return true;
    };

    const closed = new AbortController();
    const on = (target, kind, call) =>
      target.addEventListener(kind, call, { signal: closed.signal });
    on(controls.element, "click", (event) => {
      const button = event.target.closest("button");
      if (button) GO[button.dataset.go]();
    });
    on(controls.slider, "input", () => go(Number(controls.slider.value)));
    on(controls.as, "change", () => watch(controls.as.value));
    // Chosen with a pointer, a choice does not keep the keys, which move through the match.
    on(controls.element, "change", ({ target }) => {
      if (!target.matches(":focus-visible")) target.blur();
    });
    for (const select of [controls.speed, controls.by]) {
      on(select, "change", () => playing !== null && begin());
    }
    on(strip.button, "click", GO.hide);
    if (keys) on(document, "keydown", onKey);

    controls.speed.value = "1";
    become(audience);
    element.replaceChildren(root);
    show();

    const close = () => {
      closed.abort();
      pause();
      address.stop();
      table.settle();
      table.close();
      element.replaceChildren();
    };

    // Goes to the moment of this key; a single step on is seen as one, unless it comes late.
    const step = (key, isInTime) => {
      const to = byKey.get(key) ?? last;
      if (to === at + 1 && isInTime) return go(to);
      if (to === at) return undefined;
      at = to;
      return show();
    };
    return { show: showAsked, step, close };
  };

  return { mount };
})();
