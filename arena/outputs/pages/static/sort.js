// Tables that are sorted by their columns. Without this script they stay in the league's order.
"use strict";

(() => {
  // By table, the column and the direction chosen last.
  const chosen = new Map();

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const value = cell.dataset.value ?? cell.textContent.trim();
    const number = Number(value);
    return value !== "" && Number.isFinite(number) ? number : value.toLowerCase();
  };

  const compare = (a, b) => {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  };

  const apply = (table, { column, direction }) => {
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [valueOf(row, column), row]);
    keyed.sort(([a], [b]) => direction * compare(a, b));
    body.append(...keyed.map(([, row]) => row));
    for (const head of table.tHead.rows[0].cells) {
      if (head.cellIndex === column) {
        head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      } else {
        head.removeAttribute("aria-sort");
      }
    }
  };

  // What a first click does: names and ranks from the top, numbers from the largest.
  const firstDirection = (head) => (head.classList.contains("num") ? -1 : 1);

  document.addEventListener("click", (event) => {
    const head = event.target.closest("table[data-sort] thead button")?.closest("th");
    if (!head) return;
    const table = head.closest("table");
    const now = chosen.get(table.dataset.sort);
    const direction = now?.column === head.cellIndex ? -now.direction : firstDirection(head);
    const choice = { column: head.cellIndex, direction };
    chosen.set(table.dataset.sort, choice);
    apply(table, choice);
  });

  Parts.add((root) => {
    for (const table of root.querySelectorAll("table[data-sort]")) {
      for (const head of table.tHead.rows[0].cells) {
        if (head.hasAttribute("data-unsorted")) continue;
        const button = head.ownerDocument.createElement("button");
        button.type = "button";
        button.id = `${table.dataset.sort}-by-${head.cellIndex}`;
        button.append(...head.childNodes);
        head.append(button);
      }
      const choice = chosen.get(table.dataset.sort);
      if (choice) apply(table, choice);
    }
  });
})();
