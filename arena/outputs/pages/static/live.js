// A page of `arena serve` hears of news from one stream of server-sent events. The first page gets
// its main element, line by line as the server has it, and then the lines that are others; the
// other pages ask for themselves when the table has changed.
"use strict";

(() => {
  const OTHERS_MS = 5000; // between two times that another page asks for itself
  const RETRY_MS = 5000; // before a stream that the server refused is tried again
  const SHOWN = 6; // lines of the ticker

  const live = document.getElementById("live");
  const [link, ticker] = [live.querySelector(".link"), live.querySelector(".ticker")];
  const isTable = live.dataset.page === "index.html";
  const from = new URL(live.dataset.from, location.href);
  let [source, last, lines, waiting] = [null, "", null, false];
  let [due, asked] = [null, 0];

  const tell = (text) => {
    if (link.textContent !== text) link.textContent = text;
  };

  const announce = (news) => {
    if (!ticker || !news.length) return;
    for (const text of news) {
      const line = document.createElement("li");
      line.textContent = text;
      ticker.prepend(line);
    }
    while (ticker.children.length > SHOWN) ticker.lastElementChild.remove();
    ticker.hidden = false;
  };

  const applied = (before, patch) => {
    const now = [...before];
    for (const [at, count, fresh] of patch) now.splice(at, count, ...fresh);
    return now;
  };

  // What waits because somebody reads is shown with the next news.
  const redraw = () => {
    waiting = Fresh.isReading() || !Fresh.put(lines.join("\n"));
  };

  const ask = async () => {
    due = null;
    asked = performance.now();
    try {
      const answer = await fetch(location.href.split("#")[0]);
      if (answer.ok && !Fresh.isReading()) Fresh.put(await answer.text());
    } catch {} // a server that is gone for a while is no news
  };

  const askSoon = () => {
    due ??= setTimeout(ask, Math.max(0, asked + OTHERS_MS - performance.now()));
  };

  const take = ({ data, lastEventId }, isWhole) => {
    const news = JSON.parse(data);
    last = lastEventId;
    tell("");
    if (isWhole) ticker?.replaceChildren();
    announce(news.ticker);
    if (!isTable) {
      if (!isWhole && news.patch.length) askSoon();
      return;
    }
    lines = isWhole ? news.lines : applied(lines, news.patch);
    if (isWhole || news.patch.length || waiting) redraw();
  };

  const open = () => {
    if (source || document.hidden) return;
    if (last) from.searchParams.set("after", last);
    source = new EventSource(from);
    source.addEventListener("snapshot", (event) => take(event, true));
    source.addEventListener("news", (event) => take(event, false));
    source.addEventListener("error", () => {
      tell("Not connected: what you see may be old.");
      if (source.readyState !== EventSource.CLOSED) return; // else the browser tries again
      close();
      setTimeout(open, RETRY_MS);
    });
  };

  const close = () => {
    source?.close();
    source = null;
  };

  // Browsers have six connections for each host: a page that nobody looks at gives its own back.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
})();
