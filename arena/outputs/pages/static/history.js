// The chart of ratings so far, drawn anew from the table of numbers for the bots that are chosen,
// as wide as its window. Without this script the chart of the first ten stands.
"use strict";

(() => {
  const SHOWN_LINES = 10;
  const PADDING = 16, LEAST_WIDTH = 280, MOST_WIDTH = 1400;

  // By part, the names of the bots whose boxes are checked; without an entry, the first ten.
  const chosen = new Map();

  const pointOf = (row, at) => {
    const told = row.cells[at].textContent.trim().replaceAll("−", "-");
    const [elo, half] = told.split(" ±");
    if (half === undefined) return [];
    const sets = Number(row.cells[0].textContent.replaceAll(",", ""));
    return [{ sets, elo: Number(elo), half: half === "?" ? null : Number(half) }];
  };

  // The bots of a part in the order of the table, each with its points.
  const read = (root, part) => {
    const table = root.querySelector(".history");
    const rows = [...table.tBodies[0].rows].reverse();
    const heads = [...table.tHead.rows[0].cells].filter((head) => head.dataset.part === part);
    return heads.map((head, at) => ({
      name: head.querySelector("bdi").textContent,
      kind: Number(head.dataset.kind),
      rank: at + 1,
      points: rows.flatMap((row) => pointOf(row, head.cellIndex)),
    }));
  };

  const isChosen = (part, bot) => chosen.get(part)?.has(bot.name) ?? bot.rank <= SHOWN_LINES;

  const choices = (bots, part) => {
    const field = document.createElement("fieldset");
    field.className = "choice bots-choice";
    field.id = `choice-${part}`;
    const legend = document.createElement("legend");
    legend.textContent = "Bots";
    field.append(legend);
    for (const bot of bots) {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "checkbox", id: `line-${part}-${bot.kind}`, value: bot.name });
      input.dataset.part = part;
      input.dataset.kind = bot.kind;
      const name = document.createElement("bdi");
      name.textContent = bot.name;
      label.append(input, Chart.swatch(bot.kind), `${bot.rank} `, name);
      field.append(label);
    }
    return field;
  };

  const redraw = (root, box, bots) => {
    const { part } = box.dataset;
    const shown = bots.filter((bot) => isChosen(part, bot));
    const names = new Set(shown.map((bot) => bot.name));
    for (const input of root.querySelectorAll(`#choice-${part} input`)) {
      input.checked = names.has(input.value);
      input.toggleAttribute("checked", input.checked);
    }
    const lines = shown.filter((bot) => bot.points.length);
    // A fresh page has no width yet: that of the page it comes into.
    const room = document.getElementById(box.id).clientWidth - PADDING;
    const width = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, room));
    if (lines.length) box.replaceChildren(Chart.draw(lines, width, `plot-${part}`));
  };

  const boxes = (root) => root.querySelectorAll(".chart-box[data-part]");

  // The line of a bot whose box is pointed at, or in focus, shows its band.
  const point = (element) => {
    const kind = element.closest?.(".bots-choice label")?.querySelector("input").dataset.kind;
    for (const line of document.querySelectorAll(".line[data-kind]")) {
      line.classList.toggle("pointed", line.dataset.kind === kind);
    }
  };
  for (const type of ["pointerover", "focusin"]) {
    document.addEventListener(type, (event) => point(event.target));
  }

  document.addEventListener("change", (event) => {
    const { part } = event.target.dataset;
    if (part === undefined) return;
    const checked = document.querySelectorAll(`#choice-${part} input:checked`);
    chosen.set(part, new Set([...checked].map((input) => input.value)));
    const box = document.querySelector(`.chart-box[data-part="${part}"]`);
    redraw(document, box, read(document, part));
    point(event.target);
  });

  window.addEventListener("resize", () => {
    for (const box of boxes(document)) redraw(document, box, read(document, box.dataset.part));
  });

  Parts.add((root) => {
    for (const box of boxes(root)) {
      const bots = read(root, box.dataset.part);
      if (bots.length > 1) box.after(choices(bots, box.dataset.part));
      redraw(root, box, bots);
    }
  });
})();
