// A fresh copy of a page takes the place of the page: Idiomorph (0.8.0 from npm, unchanged) changes
// what is another in it. Elements that are the same stay, and with them where they are scrolled to
// and the focus.
"use strict";

const Fresh = (() => {
  const main = () => document.getElementById("main");

  // Somebody copies text, or does not look: then the page stays as it is for now.
  const isReading = () => {
    const selection = document.getSelection();
    return document.hidden || Boolean(selection && !selection.isCollapsed);
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

  // `text`: a whole page, or its main element alone. Returns whether it had one.
  const put = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh) return false;
    Parts.prepare(fresh);
    keepChoices(fresh);
    Idiomorph.morph(main(), fresh, { morphStyle: "outerHTML" });
    if (page.title) document.title = page.title;
    return true;
  };

  return { main, isReading, put };
})();
