// The head of a long table stays in sight: that of a table as narrow as its box at the edge of the
// window, that of a wider one at the edge of the box, which scrolls. Without this script every box
// scrolls.
"use strict";

(() => {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(".scroll");
      const fits = target.offsetWidth <= box?.clientWidth;
      box?.classList.toggle("fits", fits);
      box?.classList.toggle("over", !fits);
    }
  });

  Parts.add((root) => {
    for (const table of root.querySelectorAll(".scroll.long > table")) {
      const box = table.parentNode;
      if (root.ownerDocument === document) observer.observe(table);
      else if (document.querySelector(`.fits[id="${box.id}"]`)) box.classList.add("fits");
    }
  });
})();
