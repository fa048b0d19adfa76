// Times of the last minutes, hours or days as "12 s ago"; the UTC time is their title. Without this
// script the UTC time stands.
"use strict";

(() => {
  const UNITS = [["day", 86400], ["h", 3600], ["min", 60]];
  // From here on the page of a league that runs says that its news are old.
  const STALE_SECONDS = 600;

  const since = (time) => Math.max(0, Math.round((Date.now() - new Date(time.dateTime)) / 1000));

  const ago = (seconds) => {
    for (const [unit, size] of UNITS) {
      const count = Math.floor(seconds / size);
      if (count) return `${count} ${unit}${unit === "day" && count > 1 ? "s" : ""} ago`;
    }
    return `${seconds} s ago`;
  };

  const tell = (root) => {
    for (const time of root.querySelectorAll("time[data-ago]")) {
      time.title ||= time.textContent;
      const told = ago(since(time));
      if (time.textContent !== told) time.textContent = told;
    }
    for (const stale of root.querySelectorAll("[data-stale]")) {
      stale.hidden = since(stale.previousElementSibling) < STALE_SECONDS;
    }
  };

  Parts.add(tell);
  setInterval(() => {
    const main = document.getElementById("main");
    // What is being read aloud, or copied, is left alone.
    if (document.getSelection()?.isCollapsed ?? true) tell(main);
  }, 1000);
})();
