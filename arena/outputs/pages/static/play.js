// A person's seat: messages of SPEC as JSON over a WebSocket, shown on the table of a set's page.
"use strict";

(() => {
  const { el } = Tables;
  const STEP_MS = 650; // between two moves that came at once
  const TOKEN_MS = 300;
  const MOVE_MS = 280; // the way of a card
  const AGAIN_MS = 1500; // before the seat is taken again
  const MOST_TRIES = 60;
  const KEPT = 60; // lines of the story
  const SEAT = "arena-seat"; // where a tab keeps the secret of its seat

  const data = JSON.parse(document.getElementById("play-data").textContent);
  const byId = (id) => document.getElementById(id);
  const [form, said, screen, rules] = ["begin", "said", "table", "rules"].map(byId);
  const part = (name) => screen.querySelector(`.${name}`);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let [socket, tries, isOver] = [null, 0, true];
  let game = null; // what is drawn of the match
  let waiting = []; // messages that are shown one after the other
  let pacing = null;
  let ticking = null;

  const say = (...words) => said.replaceChildren(...words);

  // The form.

  const rivals = () => {
    const { bots, short } = data.games[form.game.value];
    const sizes = [...new Set(Object.values(bots).flat())].sort((a, b) => a - b);
    const most = sizes.at(-1) - 1;
    const fewest = sizes[0] - 1;
    const rows = Array.from({ length: most }, (_, each) => el("label", {}, `Rival ${each + 1} `,
      el("select", { name: "rival" }, each >= fewest && el("option", { value: "" }, "nobody"),
        ...Object.keys(bots).map((name) => el("option", { value: name,
          selected: each < Math.max(fewest, Math.min(3, most)) && name === Object.keys(bots)[0] },
        name)))));
    form.querySelector(".rivals").replaceChildren(...rows);
    rules.textContent = short.join(" ");
  };

  const names = Object.keys(data.games);
  form.game.replaceChildren(...names.map((name) => el("option",
    { value: name, selected: name === data.game }, name)));
  form.game.addEventListener("change", rivals);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const bots = [...form.querySelectorAll("select[name=rival]")].map(({ value }) => value)
      .filter(Boolean);
    begin({ type: "open", game: form.game.value, bots, name: form.elements.name.value });
  });

  // The connection.

  const begin = (first) => {
    [isOver, tries] = [false, 0];
    form.hidden = true;
    say("Your rivals take their seats …");
    connect(first);
  };

  const connect = (first) => {
    const address = new URL("/play/table", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const here = socket = new WebSocket(address);
    here.addEventListener("open", () => here.send(JSON.stringify(first)));
    here.addEventListener("message", (event) => {
      if (here === socket) take(JSON.parse(event.data));
    });
    here.addEventListener("close", () => {
      if (here !== socket) return;
      socket = null;
      if (!isOver) again();
    });
  };

  const again = () => {
    const seat = sessionStorage.getItem(SEAT);
    tries += 1;
    if (seat === null || tries > MOST_TRIES) {
      return finish("The connection is lost, and the table does not answer.");
    }
    say("The connection is lost; your seat is kept while this page tries again …");
    setTimeout(() => !isOver && connect({ type: "rejoin", seat }), AGAIN_MS);
    return undefined;
  };

  const finish = (...words) => {
    isOver = true;
    document.body.classList.remove("is-playing");
    clearInterval(ticking);
    sessionStorage.removeItem(SEAT);
    Choices.clear(part("choices"));
    part("clock").textContent = "";
    part("whose").textContent = "";
    byId("leave").hidden = true;
    say(...words);
    form.hidden = false;
    form.querySelector("button").textContent = "Play again";
    socket?.close();
  };

  const send = (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  // What the table tells.

  const take = (message) => {
    tries = 0;
    if (message.type === "seated") {
      sessionStorage.setItem(SEAT, message.seat);
      // What follows is the table as it is now.
      waiting = [];
      game?.refresh();
      return;
    }
    if (message.type === "request") message.until = performance.now() + message.time_us / 1000;
    waiting.push(message);
    if (pacing === null) next();
  };

  const next = () => {
    pacing = null;
    const message = waiting.shift();
    if (message === undefined) return;
    const ms = SHOW[message.type]?.(message) ?? 0;
    if (calm.matches || document.hidden || ms === 0) next();
    else pacing = setTimeout(next, ms);
  };

  const SHOW = {
    start: (message) => { start(message); },
    moved: (message) => game?.moved(message),
    request: (message) => { ask(message); },
    fault: (message) => { fault(message); },
    end: (message) => { end(message); },
    bye: (message) => { if (!isOver) finish(message.text); },
    refused: (message) => finish(message.text),
    replaced: () => finish("This match goes on in another window."),
  };

  const start = (message) => {
    if (game?.match === message.match) return;
    game?.close();
    screen.hidden = false;
    part("told").replaceChildren();
    part("fault").textContent = "";
    byId("leave").hidden = false;
    game = shown(message);
    document.body.classList.add("is-playing");
    say(`${message.game}: you are ${message.names[message.seat]}, in seat ${message.seat}.`);
    for (const each of early.splice(0)) game.moved(each);
  };

  // The deal is told before the match has a name.
  const early = [];
  const { moved } = SHOW;
  SHOW.moved = (message) => {
    if (game && !isOver && game.isOn) return moved(message);
    early.splice(0, early.length, message);
    return 0;
  };

  // The table of one match, as its seat sees it.
  const shown = (first) => {
    const { drawing: { name, details } } = data.games[first.game];
    const match = { names: first.names, seats: first.seats, drawing: { name, details }, places: [],
      forfeits: [], scores: null, game: first.game, faults: [], moves: [] };
    const drawing = Tables.of({ name, details });
    const telling = Telling.of(first.names, details?.low);
    const steps = [];
    const moments = [];
    let table = null;
    let at = -1;

    const stepOf = ({ seat, view, told }) => ({ seat, action: "", timeUs: 0, told, toldOwn: {},
      view: { ...view, seats: first.seats },
      own: first.names.map((_, each) => (each === first.seat ? view : {})) });

    // A page that comes late has not seen the boxes open that are covered now.
    const whole = (view) => (view.tokens
      ? { ...view, open: data.games[first.game].boxes[first.seats] } : view);

    const tell = (lines) => {
      const box = part("told");
      box.append(...lines.map((line) => el("p", {}, telling.line(line))));
      while (box.children.length > KEPT) box.firstChild.remove();
      box.scrollTop = box.scrollHeight;
    };

    const show = (ms) => {
      at = moments.length - 1;
      table.settle();
      table.show(at, Views.seen(moments[at], first.seat), ms > 0);
      table.move(ms);
    };

    const moved = (message) => {
      steps.push(stepOf(message));
      moments.splice(0, moments.length, ...drawing.moments(steps));
      if (table === null) {
        const box = part("table-box");
        table = drawing.mount(box, match,
          [{ ...moments[0], view: whole(moments[0].view) }, ...moments.slice(1)], telling);
        table = remounted(box);
      }
      const before = at;
      const isMoving = before >= 0 && !calm.matches && !document.hidden;
      show(isMoving ? MOVE_MS : 0);
      tell(message.told);
      return before < 0 ? 0 : drawing.isQuick(message.view) ? TOKEN_MS : STEP_MS;
    };

    // The drawing keeps the list that it is given, and looks into it later.
    const remounted = (box) => {
      table.close();
      box.replaceChildren();
      const [head] = moments;
      moments[0] = { ...head, view: whole(head.view) };
      const made = drawing.mount(box, match, moments, telling);
      moments[0] = head;
      return made;
    };

    return {
      isOn: true,
      match: first.match,
      telling,
      moved,
      finished: (message) => Object.assign(match,
        { places: message.places, scores: message.scores, forfeits: message.forfeits }),
      // The next table that is told is shown at once.
      refresh: () => { at = -1; },
      close: () => {
        table?.settle();
        table?.close();
        part("table-box").replaceChildren();
      },
    };
  };

  const ask = (message) => {
    if (!game) return;
    const [request, choices] = [message, part("choices")];
    part("whose").textContent = "Your turn: choose.";
    Choices.show(choices, request.legal, game.telling, (action) => {
      send({ type: "action", match: request.match, id: request.id, action });
      answered();
    });
    clearInterval(ticking);
    const tick = () => {
      const left = Math.max(0, Math.round((request.until - performance.now()) / 1000));
      part("clock").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      part("clock").classList.toggle("is-short", left <= 20);
    };
    tick();
    ticking = setInterval(tick, 500);
  };

  const answered = () => {
    clearInterval(ticking);
    part("clock").textContent = "";
    part("whose").textContent = "The others play.";
    Choices.clear(part("choices"));
  };

  const fault = (message) => {
    part("fault").textContent = message.text;
    if (message.played !== null || message.forfeit) answered();
  };

  const end = (message) => {
    game?.finished(message);
    const won = (message.places ?? []).flatMap((place, seat) => (place === 1 ? [seat] : []));
    const lines = (message.places ?? []).map((place, seat) => [place, seat]).sort(
      (a, b) => a[0] - b[0]).map(([place, seat]) => el("li", {}, `place ${place}: `,
      game.telling.who(seat), message.scores.length ? `, ${message.scores[seat]} points` : ""));
    finish(won.length ? "Over. First: " : "Over.",
      ...(won.length ? game.telling.several(won) : []), el("ol", { class: "places" }, ...lines));
  };

  byId("leave").addEventListener("click", () => {
    send({ type: "leave" });
    finish("You have left the match; it is played on without you.");
  });
  byId("quiet").addEventListener("click", ({ currentTarget }) => {
    const isQuiet = currentTarget.getAttribute("aria-pressed") !== "true";
    currentTarget.setAttribute("aria-pressed", String(isQuiet));
    part("told").setAttribute("aria-live", isQuiet ? "off" : "polite");
    part("whose").setAttribute("role", isQuiet ? "none" : "status");
  });

  rivals();
  const seat = sessionStorage.getItem(SEAT);
  if (seat === null) form.hidden = false;
  else begin({ type: "rejoin", seat });
})();
