// While the league runs, an open page keeps itself up to date: it asks for itself every few
// seconds, and where its main part is another, puts that in its place. What its reader has done
// stays: where it is scrolled to, what is sorted, opened, chosen or in focus.
"use strict";

(() => {
  const EVERY_MS = 5000;
  const main = () => document.getElementById("main");
  let last = null;

  const reading = () => {
    const selection = document.getSelection();
    return document.hidden || (selection && !selection.isCollapsed);
  };

  const state = () => ({
    focus: document.activeElement?.id,
    x: window.scrollX,
    y: window.scrollY,
    boxes: [...document.querySelectorAll(".scroll")].map((box) => [box.id, box.scrollLeft]),
    open: [...document.querySelectorAll("details")].map((each) => [each.id, each.open]),
    checked: [...document.querySelectorAll("main input:checked")].map((each) => each.id),
  });

  const restore = (was) => {
    for (const [id, open] of was.open) {
      const details = document.getElementById(id);
      if (details) details.open = open;
    }
    for (const id of was.checked) {
      const input = document.getElementById(id);
      if (input) input.checked = true;
    }
    for (const [id, left] of was.boxes) {
      const box = document.getElementById(id);
      if (box) box.scrollLeft = left;
    }
    window.scrollTo({ left: was.x, top: was.y, behavior: "instant" });
    if (was.focus) document.getElementById(was.focus)?.focus({ preventScroll: true });
  };

  const refresh = async () => {
    // Not asked whether it has changed: most servers tell a page's age in whole seconds.
    const answer = await fetch(location.href.split("#")[0], { cache: "no-store" });
    if (!answer.ok) return;
    const text = await answer.text();
    if (text === last || reading()) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh) return;
    last = text;
    const was = state();
    main().replaceWith(document.adoptNode(fresh));
    document.title = page.title;
    Sorting.prepareAll();
    restore(was);
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
