// The chart of ratings so far, drawn anew from the table of numbers for the bots that are chosen,
// as wide as its window. Without this script the chart of the first ten stands.
"use strict";

(() => {
  const SHOWN_LINES = 10;
  const COLOURS = 8, DASHES = 3, MARKERS = 5, FEW = 6;
  // As in chart.py: the first sets may lie outside, and bars need not all be seen.
  const UNSETTLED = 0.2, MOST_SPREAD = 3;
  const LABEL_HEIGHT = 16, TOP = 14, BOTTOM = 32, LEFT = 52;
  const NARROW = 640, NAME_LENGTH = 17;

  // By part, the names of the bots whose boxes are checked; without an entry, the first ten.
  const chosen = new Map();

  const svg = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const round = (value) => Math.round(value * 10) / 10;
  const signed = (value) => (value > 0 ? `+${value}` : String(value)).replace("-", "−");

  // The bots of a part in the order of the table, each with its points [sets, elo, half].
  const read = (root, part) => {
    const table = root.querySelector(".history");
    const bots = [...table.tHead.rows[0].cells].slice(1).map((head, at) => ({
      name: head.querySelector("bdi").textContent, part: head.dataset.part, kind: Number(head.dataset.kind), at: at + 1, points: [],
    }));
    for (const row of [...table.tBodies[0].rows].reverse()) {
      const sets = Number(row.cells[0].textContent.replaceAll(",", ""));
      for (const bot of bots) {
        const [elo, half] = row.cells[bot.at].textContent.trim().replaceAll("−", "-").split(" ±");
        if (half === undefined) continue;
        bot.points.push([sets, Number(elo), half === "?" ? null : Number(half)]);
      }
    }
    const own = bots.filter((bot) => bot.part === part);
    own.forEach((bot, at) => { bot.rank = at + 1; });
    return own;
  };

  const span = (points, withBars) => {
    const elos = points.map(([, elo]) => elo);
    const [least, most] = elos.length ? [Math.min(...elos), Math.max(...elos)] : [0, 0];
    const reach = Math.max(40, (most - least) * (MOST_SPREAD - 1) / 2);
    const halves = points.map(([, , half]) => half).filter((half) => half !== null).sort((a, b) => a - b);
    const margin = 10 + (halves.length && withBars ? Math.min(reach, halves[halves.length >> 1]) : 0);
    return [least - margin, most + margin];
  };

  const ticks = (low, high, about) => {
    if (high <= low) return [low];
    const raw = (high - low) / about;
    const size = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((by) => by * size).find((each) => each >= raw);
    const found = [];
    for (let at = Math.ceil(low / step); at <= Math.floor(high / step); at++) found.push(at * step || 0);
    return found;
  };

  // Heights of labels, moved so that none overlap: down from the top, then up.
  const apart = (wanted, top, bottom) => {
    const order = [...wanted.keys()].sort((a, b) => wanted[a] - wanted[b]);
    const at = [];
    let lowest = top - LABEL_HEIGHT;
    for (const each of order) lowest = at[each] = Math.max(wanted[each], lowest + LABEL_HEIGHT);
    let highest = bottom + LABEL_HEIGHT;
    for (const each of order.reverse()) highest = at[each] = Math.min(at[each], highest - LABEL_HEIGHT);
    return at;
  };

  const marker = (kind, x, y) => {
    if (kind === 0) return svg("circle", { cx: x, cy: y, r: 4 });
    const paths = [
      `M${x - 4} ${y - 4}h8v8h-8z`, `M${x} ${y - 5}l5 9h-10z`,
      `M${x} ${y - 5.5}l5.5 5.5-5.5 5.5-5.5-5.5z`, `M${x} ${y + 5}l5-9h-10z`,
    ];
    return svg("path", { d: paths[kind - 1] });
  };

  const draw = (bots, width, id) => {
    const isNarrow = width < NARROW;
    const right = width - (isNarrow ? 34 : 178);
    const height = Math.max(isNarrow ? 300 : 430, TOP + BOTTOM + LABEL_HEIGHT * bots.length);
    const all = bots.flatMap((bot) => bot.points);
    const first = Math.min(...all.map(([sets]) => sets)), last = Math.max(...all.map(([sets]) => sets));
    const [low, high] = span(all.filter(([sets]) => sets > UNSETTLED * last), bots.length <= FEW);
    const x = (sets) => round(LEFT + (last > first ? (sets - first) / (last - first) : 1) * (right - LEFT));
    const y = (elo) => round(height - BOTTOM - (elo - low) / (high - low) * (height - TOP - BOTTOM));
    const ends = bots.map((bot) => y(bot.points.at(-1)[1]));
    const labels = apart(ends, TOP + 4, height - BOTTOM);
    const told = bots.map((bot) => bot.name).join(", ");
    const chart = svg("svg", {
      class: `chart drawn${bots.length <= FEW ? " few" : ""}`, viewBox: `0 0 ${width} ${height}`,
      role: "img", "aria-label": `Elo of ${told} by counted sets; the table below has the numbers`,
    });
    for (const elo of ticks(low, high, 6)) {
      chart.append(
        svg("line", { class: elo ? "grid" : "grid zero", x1: LEFT, x2: right, y1: y(elo), y2: y(elo) }),
        svg("text", { class: "up", x: LEFT - 6, y: y(elo) + 4 }, signed(elo)));
    }
    for (const sets of ticks(first, last, isNarrow ? 4 : 8).filter(Number.isInteger)) {
      chart.append(svg("text", { class: "along", x: x(sets), y: height - 10 }, sets.toLocaleString("en")));
    }
    const clip = { "clip-path": `url(#${id})` };
    chart.append(svg("clipPath", { id },
      svg("rect", { x: LEFT - 6, y: 6, width: right - LEFT + 14, height: height - BOTTOM - 4 })));
    [...bots.keys()].reverse().forEach((at) => {
      const { name, kind, points, rank } = bots[at];
      const course = points.map(([sets, elo]) => `${x(sets)},${y(elo)}`).join(" ");
      const barred = points.filter(([, , half]) => half !== null);
      const band = [
        ...barred.map(([sets, elo, half]) => `${x(sets)},${y(elo + half)}`),
        ...barred.map(([sets, elo, half]) => `${x(sets)},${y(elo - half)}`).reverse(),
      ].join(" ");
      const end = x(points.at(-1)[0]);
      const short = name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;
      const value = svg("tspan", { class: "value" }, signed(points.at(-1)[1]).replace("+", ""));
      const label = { class: "label", x: right + (isNarrow ? 14 : 22), y: labels[at] + 4 };
      chart.append(svg("g", { class: `line ink${kind % COLOURS} dash${kind % DASHES}` },
        svg("title", {}, name),
        ...(barred.length > 1 ? [svg("polygon", { class: "band", points: band, ...clip })] : []),
        svg("polyline", { class: "course", points: course, ...clip }),
        svg("polyline", { class: "touch", points: course, ...clip }),
        svg("g", { class: "marker" }, marker(kind % MARKERS, end, ends[at])),
        svg("path", { class: "leader", d: `M${end + 7} ${ends[at]}L${right + (isNarrow ? 11 : 18)} ${labels[at]}` }),
        isNarrow ? svg("text", label, String(rank)) : svg("text", label, `${short} `, value)));
    });
    return chart;
  };

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
      const swatch = svg("svg", { class: `swatch line ink${bot.kind % COLOURS} dash${bot.kind % DASHES}`, viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
        svg("polyline", { class: "course", points: "0,7 30,7" }),
        svg("g", { class: "marker" }, marker(bot.kind % MARKERS, 15, 7)));
      const name = document.createElement("bdi");
      name.textContent = bot.name;
      label.append(input, swatch, `${bot.rank} `, name);
      field.append(label);
    }
    return field;
  };

  const isChosen = (part, bot) => chosen.get(part)?.has(bot.name) ?? bot.rank <= SHOWN_LINES;

  const redraw = (root, box) => {
    const { part } = box.dataset;
    const bots = read(root, part);
    const shown = bots.filter((bot) => isChosen(part, bot) && bot.points.length);
    for (const input of root.querySelectorAll(`#choice-${part} input`)) {
      input.checked = bots.some((bot) => bot.name === input.value && isChosen(part, bot));
      input.toggleAttribute("checked", input.checked);
    }
    const here = document.getElementById(box.id);
    const width = Math.max(280, Math.min(1400, here.clientWidth - 16));
    if (shown.length) box.replaceChildren(draw(shown, width, `plot-${part}`));
  };

  document.addEventListener("change", (event) => {
    const { part } = event.target.dataset;
    if (part === undefined) return;
    const checked = document.querySelectorAll(`#choice-${part} input:checked`);
    chosen.set(part, new Set([...checked].map((input) => input.value)));
    redraw(document, document.querySelector(`.chart-box[data-part="${part}"]`));
  });

  const all = (root) => root.querySelectorAll(".chart-box[data-part]");

  window.addEventListener("resize", () => {
    for (const box of all(document)) redraw(document, box);
  });

  Parts.add((root) => {
    for (const box of all(root)) {
      const bots = read(root, box.dataset.part);
      if (bots.length > 1) box.after(choices(bots, box.dataset.part));
      redraw(root, box);
    }
  });
})();
