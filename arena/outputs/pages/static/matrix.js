// The matrix: tints, other figures than the share ahead, and a link in each cell to the page about
// its two bots. Of 10,000 cells only those that are pointed at, or in focus, have their link made.
"use strict";

(() => {
  const FIGURES = [
    ["ahead", "finished ahead, %"],
    ["meetings", "meetings"],
    ["better", "likelihood of being better, %"],
  ];
  // With more bots a column has no room for a name.
  const MOST_NAMES = 24;
  const NO_LIKELIHOOD = 101;
  const TINTS = 5;
  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  let matrix = null; // what the page says of each pair, as it is now
  let show = "ahead";
  let active = null; // the files of the bots of the cell that the Tab key leads to

  const rowsOf = (table) => [...table.tBodies[0].rows];
  const fileOf = (row) =>
    row.cells[0].querySelector("a").getAttribute("href").slice("bots/".length);
  const nameOf = (row) => row.cells[0].querySelector("bdi").textContent;
  const cellsOf = (table) => rowsOf(table).map((row) => {
    const cells = [];
    for (let cell = row.cells[1]; cell; cell = cell.nextElementSibling) cells.push(cell);
    return cells;
  });
  const matrixOf = (root) => root.querySelector("#matrix");

  const likelihood = (share) =>
    share === NO_LIKELIHOOD ? "–" : share < 1 ? "<1" : share > 99 ? ">99" : String(share);

  // By row and column, what each figure tells of a pair. Most readers look at one figure only, so
  // the others are worked out when they are asked for.
  const read = (table, { unit, width, meetings, better }) => {
    const ahead = cellsOf(table).map((row) => row.map((cell) => cell.textContent.trim()));
    const size = ahead.length;
    const pair = (i, j) => i * size - (i * (i + 1)) / 2 + j - i - 1;
    const betterOf = (i, j) => {
      const at = pair(Math.min(i, j), Math.max(i, j)) * 2;
      const share = parseInt(better.slice(at, at + 2), 36);
      return i < j || share === NO_LIKELIHOOD ? share : 100 - share;
    };
    const told = {
      ahead: (i, j) => ahead[i][j],
      meetings: (i, j) => {
        const at = pair(Math.min(i, j), Math.max(i, j)) * width;
        return (unit * parseInt(meetings.slice(at, at + width), 36)).toLocaleString("en");
      },
      better: (i, j) => likelihood(betterOf(i, j)),
    };
    // The tint repeats the number that a cell shows; a count of meetings favours neither bot.
    const tints = {
      ahead: (i, j) => tint(Number(ahead[i][j])),
      meetings: () => "",
      better: (i, j) => (betterOf(i, j) === NO_LIKELIHOOD ? "" : tint(betterOf(i, j))),
    };
    return { ahead, told, tints };
  };

  const tint = (share) => {
    const step = Math.min(TINTS, Math.round(Math.abs(share - 50) / 50 * TINTS + 0.2));
    return step ? `${share > 50 ? "u" : "d"}${step}` : "";
  };

  const paint = (table) => {
    cellsOf(table).forEach((row, i) => row.forEach((cell, j) => {
      const isNever = matrix.ahead[i][j] === "";
      const name = i === j ? "same" : isNever ? "never" : matrix.tints[show](i, j);
      if (name !== cell.className) cell.className = name;
    }));
  };

  const tell = (table) => {
    cellsOf(table).forEach((row, i) => row.forEach((cell, j) => {
      if (matrix.ahead[i][j] !== "") cell.textContent = matrix.told[show](i, j);
    }));
  };

  const isMet = (cell) => cell?.matches("#matrix td:not(.same, .never, .corner)") ?? false;

  // The row of the bot that a cell's column is about.
  const columnRow = (cell) => rowsOf(cell.closest("table"))[cell.cellIndex - 1];

  const link = (cell) => {
    if (cell.firstElementChild) return cell.firstElementChild;
    const [first, second] = [fileOf(cell.parentNode), fileOf(columnRow(cell))].sort();
    const made = cell.ownerDocument.createElement("a");
    made.href = `versus/${first.replace(/\.html$/, "")}/${second}`;
    made.tabIndex = -1;
    made.title = `${nameOf(cell.parentNode)} against ${nameOf(columnRow(cell))}`;
    made.append(...cell.childNodes);
    cell.append(made);
    return made;
  };

  const activate = (table, cell) => {
    for (const other of table.querySelectorAll("a[tabindex='0']")) other.tabIndex = -1;
    active = [fileOf(cell.parentNode), fileOf(columnRow(cell))];
    const made = link(cell);
    made.tabIndex = 0;
    return made;
  };

  const cellOf = (table, [row, column]) => {
    const files = rowsOf(table).map(fileOf);
    return rowsOf(table)[files.indexOf(row)]?.cells[files.indexOf(column) + 1];
  };

  const choice = (make) => {
    const field = make.createElement("fieldset");
    field.className = "choice";
    const legend = make.createElement("legend");
    legend.textContent = "Show";
    field.append(legend);
    for (const [name, words] of FIGURES) {
      const label = make.createElement("label");
      const input = make.createElement("input");
      Object.assign(input, { type: "radio", name: "show", id: `show-${name}`, value: name });
      input.checked = name === show;
      label.append(input, ` ${words}`);
      field.append(label);
    }
    return field;
  };

  const nameColumns = (table) => {
    const rows = rowsOf(table);
    [...table.tHead.rows[0].cells].slice(1).forEach((head, at) => {
      const name = nameOf(rows[at]);
      head.title = name;
      if (rows.length > MOST_NAMES) return;
      const told = table.ownerDocument.createElement("bdi");
      told.className = "col-name";
      told.textContent = name;
      head.append(told);
    });
  };

  document.addEventListener("change", (event) => {
    if (event.target.name !== "show") return;
    show = event.target.value;
    const table = matrixOf(document);
    paint(table);
    tell(table);
    if (active) activate(table, cellOf(table, active));
  });

  document.addEventListener("pointerover", (event) => {
    const cell = event.target.closest("td");
    if (isMet(cell)) link(cell);
  });

  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td");
    const step = STEPS[event.key];
    if (!step || !isMet(cell) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const rows = rowsOf(cell.closest("table"));
    let [row, column] = [rows.indexOf(cell.parentNode), cell.cellIndex];
    do {
      row += step[0];
      column += step[1];
      if (!rows[row] || column < 1) return;
    } while (rows[row].cells[column] && !isMet(rows[row].cells[column]));
    if (rows[row].cells[column]) activate(cell.closest("table"), rows[row].cells[column]).focus();
  });

  Parts.add((root) => {
    const table = matrixOf(root);
    if (!table) return;
    matrix = read(table, JSON.parse(root.querySelector("#matrix-data").textContent));
    table.setAttribute("role", "grid");
    root.querySelector("#scroll-matrix").before(choice(root.ownerDocument));
    nameColumns(table);
    paint(table);
    if (show !== "ahead") tell(table);
    const first = [...table.querySelectorAll("tbody td")].find(isMet);
    const cell = (active && cellOf(table, active)) || first;
    if (isMet(cell)) activate(table, cell);
  });
})();
