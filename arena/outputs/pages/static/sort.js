// Tables that are sorted by their columns. Without this script they stay in the league's order.
"use strict";

const Sorting = (() => {
  // By table, what it was last sorted by: kept while the page refreshes itself.
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
    const rows = [...body.rows].sort(
      (a, b) => direction * compare(valueOf(a, column), valueOf(b, column)));
    body.append(...rows);
    for (const head of table.tHead.rows[0].cells) {
      if (head.cellIndex === column) {
        head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      } else {
        head.removeAttribute("aria-sort");
      }
    }
  };

  // What a first click does: names and ranks from the top, numbers from the largest.
  const firstDirection = (head) =>
    head.classList.contains("num") && !head.hasAttribute("data-ascending") ? -1 : 1;

  const prepare = (table) => {
    for (const head of table.tHead.rows[0].cells) {
      if (head.hasAttribute("data-unsorted")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.id = `${table.dataset.sort}-by-${head.cellIndex}`;
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = chosen.get(table.dataset.sort);
        const direction = now?.column === head.cellIndex ? -now.direction : firstDirection(head);
        const choice = { column: head.cellIndex, direction };
        chosen.set(table.dataset.sort, choice);
        apply(table, choice);
      });
    }
    const choice = chosen.get(table.dataset.sort);
    if (choice) apply(table, choice);
  };

  const prepareAll = () => {
    for (const table of document.querySelectorAll("table[data-sort]")) prepare(table);
  };

  prepareAll();
  return { prepareAll };
})();
