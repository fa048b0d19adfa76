// The broadcast of a league: one match of a complete set, card by card. The server says when a deal
// began, and how long each move stays; so all who watch see the same card.
"use strict";

(() => {
  const RETRY_MS = 5000;
  const LATE_MS = 1500; // who is further behind jumps
  const screen = document.getElementById("viewer");
  const told = document.getElementById("on-air");
  const from = new URL(screen.dataset.from, location.href);
  const { el } = Tables;
  let [source, viewer, shown, timer] = [null, null, "", null];

  const words = ({ match, set, deal }) => [
    el("a", { href: `${screen.dataset.root}sets/${String(Math.floor(set / 1000)).padStart(3, "0")}/` +
      `${set}.html#match=${match.place.split(".")[1]}` }, `match ${match.place}`),
    `, ${match.names.join(", ")}`,
    deal[1] > 1 ? `; deal ${deal[0]} of ${deal[1]}` : "",
  ];

  // Where the broadcast is after so many milliseconds of the deal: the number of the move that was
  // played last, and how long until the next one.
  const where = ({ first, firstMs, stays }, elapsed) => {
    let until = firstMs;
    let move = first - 1;
    for (const stay of stays) {
      if (elapsed < until) return [move, until - elapsed];
      move += 1;
      until += stay;
    }
    return [move, null];
  };

  const keyOf = (on, move) => {
    if (move >= on.first) return String(move);
    return on.deal[0] === 1 ? "deal" : `deal${on.deal[0]}`;
  };

  const play = (on, began) => {
    clearTimeout(timer);
    const elapsed = performance.now() - began;
    const [move, wait] = where(on, elapsed);
    viewer.step(keyOf(on, move), elapsed < LATE_MS || wait !== null);
    if (wait !== null) timer = setTimeout(() => play(on, began), wait);
  };

  const take = ({ data }) => {
    const on = JSON.parse(data);
    if (!on.match) return;
    const began = performance.now() - on.elapsed;
    if (shown !== on.match.place) {
      viewer?.close();
      const match = { ...on.match, notes: [], number: 1,
        rounds: on.match.view && Sheet.read(on.match.lines.join("\n"), on.match.seats) };
      screen.hidden = false;
      viewer = Viewer.mount(screen, match, { isHiding: true, keys: false });
      // Read aloud card by card it would never end.
      screen.querySelector(".now").setAttribute("aria-live", "off");
      shown = on.match.place;
    }
    told.replaceChildren(...words(on));
    play(on, began);
  };

  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(from);
    source.addEventListener("snapshot", take);
    source.addEventListener("news", take);
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return; // else the browser tries again
      close();
      setTimeout(open, RETRY_MS);
    });
  };

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
})();
