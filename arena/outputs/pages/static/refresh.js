// While the league runs, an open page keeps itself up to date: it asks for itself every few
// seconds, and Idiomorph (0.8.0 from npm, unchanged) changes what is another in the fresh one.
// Elements that are the same stay, and with them where they are scrolled to and the focus.
"use strict";

(() => {
  const EVERY_MS = 5000;
  let last = null;

  const main = () => document.getElementById("main");

  const isReading = () => {
    const selection = document.getSelection();
    return document.hidden || (selection && !selection.isCollapsed);
  };

  // What a reader has opened and chosen is no part of the page that comes.
  const keepChoices = (fresh) => {
    for (const element of main().querySelectorAll("details[id], input[id]")) {
      const other = fresh.querySelector(`[id="${CSS.escape(element.id)}"]`);
      if (!other) continue;
      if (element.localName === "details") other.open = element.open;
      else if (element.type === "checkbox" || element.type === "radio") {
        other.checked = element.checked;
      }
    }
  };

  const refresh = async () => {
    // Not asked whether it has changed: most servers tell a page's age in whole seconds.
    const answer = await fetch(location.href.split("#")[0], { cache: "no-store" });
    if (!answer.ok) return;
    const text = await answer.text();
    if (text === last || isReading()) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh) return;
    last = text;
    Parts.prepare(fresh);
    keepChoices(fresh);
    Idiomorph.morph(main(), fresh, { morphStyle: "outerHTML" });
    document.title = page.title;
  };

  const wait = () => {
    if (!("running" in main().dataset)) return;
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
