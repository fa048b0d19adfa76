// A field above a long table: it hides the rows whose name does not contain what is typed.
"use strict";

(() => {
  const FEWEST_ROWS = 8;
  // By kind of table, what was typed last.
  const typed = new Map();

  const nameOf = (row) => row.querySelector("th")?.dataset.value ?? "";

  const apply = (root, kind) => {
    const wanted = (typed.get(kind) ?? "").trim().toLowerCase();
    let found = 0;
    for (const table of root.querySelectorAll(`table[data-filter="${kind}"]`)) {
      for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
        row.hidden = !nameOf(row).toLowerCase().includes(wanted);
        found += !row.hidden;
      }
    }
    const told = root.querySelector(`#found-${kind}`);
    if (told) told.textContent = wanted ? `${found} found` : "";
  };

  const field = (kind, make) => {
    const label = make.createElement("label");
    label.className = "filter";
    const input = make.createElement("input");
    input.type = "search";
    input.id = `filter-${kind}`;
    input.placeholder = "find a bot";
    input.setAttribute("aria-label", "Find a bot by its name");
    input.setAttribute("value", typed.get(kind) ?? "");
    input.autocomplete = "off";
    input.spellcheck = false;
    const found = make.createElement("output");
    found.id = `found-${kind}`;
    label.append(input, " ", found);
    return label;
  };

  document.addEventListener("input", (event) => {
    if (!event.target.id.startsWith("filter-")) return;
    const kind = event.target.id.slice("filter-".length);
    typed.set(kind, event.target.value);
    apply(document, kind);
  });

  Parts.add((root) => {
    const kinds = new Map();
    for (const table of root.querySelectorAll("table[data-filter]")) {
      const { filter } = table.dataset;
      const { rows, first } = kinds.get(filter) ?? { rows: 0, first: table };
      kinds.set(filter, { rows: rows + table.querySelectorAll("tbody tr").length, first });
    }
    for (const [kind, { rows, first }] of kinds) {
      if (rows < FEWEST_ROWS) continue;
      first.closest(".scroll").before(field(kind, root.ownerDocument));
      apply(root, kind);
    }
  });
})();
