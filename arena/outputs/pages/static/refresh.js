// While the league runs, an open page keeps itself up to date: it asks for itself every few
// seconds. For pages that any web server has; those of `arena serve` are told of news (live.js).
"use strict";

(() => {
  const EVERY_MS = 5000;
  let last = null;

  const refresh = async () => {
    // Not asked whether it has changed: most servers tell a page's age in whole seconds.
    const answer = await fetch(location.href.split("#")[0], { cache: "no-store" });
    if (!answer.ok) return;
    const text = await answer.text();
    if (text === last || Fresh.isReading()) return;
    if (Fresh.put(text)) last = text;
  };

  const wait = () => {
    if (!("running" in Fresh.main().dataset)) return;
    setTimeout(async () => {
      // A server that is gone for a while is no news: the page stays as it is.
      try {
        await refresh();
      } catch {}
      wait();
    }, EVERY_MS);
  };

  // A page that was opened from a file cannot ask for itself.
  if (location.protocol.startsWith("http")) wait();
})();
