// Draws the ratings of bots over time as lines with bands, for a given width. The rules are those
// of chart.py, which draws the chart that stands without scripts.
"use strict";

const Chart = (() => {
  const COLOURS = 8, DASHES = 3, MARKERS = 5, FEW = 2;
  // The first sets may lie outside the drawing, and bars need not be seen as a whole.
  const UNSETTLED = 0.2, MOST_SPREAD = 3;
  const LABEL_HEIGHT = 16, TOP = 14, BOTTOM = 32, LEFT = 52;
  // Below this width a line ends in the rank of its bot, else in its name and its Elo.
  const NARROW = 640, NAME_LENGTH = 17;

  const svg = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const round = (value) => Math.round(value * 10) / 10;
  const minus = (value) => String(value).replace("-", "−");
  const signed = (value) => (value > 0 ? `+${value}` : minus(value));

  const spanOf = (points, withBars) => {
    const elos = points.map(({ elo }) => elo);
    const [least, most] = elos.length ? [Math.min(...elos), Math.max(...elos)] : [0, 0];
    const halves = points.map(({ half }) => half).filter((half) => half !== null);
    halves.sort((a, b) => a - b);
    const reach = Math.max(40, (most - least) * (MOST_SPREAD - 1) / 2);
    const middle = halves.length && withBars ? halves[halves.length >> 1] : 0;
    const margin = 10 + Math.min(reach, middle);
    return [least - margin, most + margin];
  };

  // Round numbers between two, roughly `about` of them.
  const ticks = (low, high, about) => {
    if (high <= low) return [low];
    const raw = (high - low) / about;
    const size = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((by) => by * size).find((each) => each >= raw);
    const first = Math.ceil(low / step), last = Math.floor(high / step);
    return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step || 0);
  };

  // Heights of labels, moved so that none overlap: down from the top, then up.
  const apart = (wanted, top, bottom) => {
    const order = [...wanted.keys()].sort((a, b) => wanted[a] - wanted[b]);
    const at = [];
    let lowest = top - LABEL_HEIGHT;
    for (const each of order) lowest = at[each] = Math.max(wanted[each], lowest + LABEL_HEIGHT);
    let highest = bottom + LABEL_HEIGHT;
    for (const each of order.reverse()) {
      highest = at[each] = Math.min(at[each], highest - LABEL_HEIGHT);
    }
    return at;
  };

  const marker = (kind, x, y) => {
    const shape = kind % MARKERS;
    if (shape === 0) return svg("circle", { cx: x, cy: y, r: 4 });
    const paths = [
      `M${x - 4} ${y - 4}h8v8h-8z`,
      `M${x} ${y - 5}l5 9h-10z`,
      `M${x} ${y - 5.5}l5.5 5.5-5.5 5.5-5.5-5.5z`,
      `M${x} ${y + 5}l5-9h-10z`,
    ];
    return svg("path", { d: paths[shape - 1] });
  };

  const inkOf = (kind) => `line ink${kind % COLOURS} dash${kind % DASHES}`;

  // Where things are in a drawing of these bots.
  const frameOf = (bots, width) => {
    const isNarrow = width < NARROW;
    const right = width - (isNarrow ? 46 : 190);
    const height = Math.max(isNarrow ? 300 : 430, TOP + BOTTOM + LABEL_HEIGHT * bots.length);
    const points = bots.flatMap((bot) => bot.points);
    const numbers = points.map(({ sets }) => sets);
    const first = Math.min(...numbers), last = Math.max(...numbers);
    const settled = points.filter(({ sets }) => sets > UNSETTLED * last);
    const [low, high] = spanOf(settled, bots.length <= FEW);
    const along = (sets) => (last > first ? (sets - first) / (last - first) : 1);
    return {
      isNarrow, width, height, right, first, last, low, high,
      x: (sets) => round(LEFT + along(sets) * (right - LEFT)),
      y: (elo) => round(height - BOTTOM - (elo - low) / (high - low) * (height - TOP - BOTTOM)),
    };
  };

  const axes = ({ isNarrow, height, right, first, last, low, high, x, y }) => [
    ...ticks(low, high, 6).flatMap((elo) => [
      svg("line", {
        class: elo ? "grid" : "grid zero", x1: LEFT, x2: right, y1: y(elo), y2: y(elo),
      }),
      svg("text", { class: "up", x: LEFT - 6, y: y(elo) + 4 }, signed(elo)),
    ]),
    ...ticks(first, last, isNarrow ? 4 : 8).filter(Number.isInteger).map((sets) =>
      svg("text", { class: "along", x: x(sets), y: height - 10 }, sets.toLocaleString("en"))),
  ];

  const labelOf = ({ name, rank, points }, { isNarrow, right }, y) => {
    const place = { class: "label", x: right + (isNarrow ? 24 : 33), y: y + 4 };
    if (isNarrow) return svg("text", place, String(rank));
    const short = name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;
    const elo = svg("tspan", { class: "value" }, minus(points.at(-1).elo));
    return svg("text", place, `${short} `, elo);
  };

  const lineOf = (bot, frame, end, labelled, clip) => {
    const { x, y, right, isNarrow } = frame;
    const points = bot.points.map(({ sets, elo }) => `${x(sets)},${y(elo)}`).join(" ");
    const barred = bot.points.filter(({ half }) => half !== null);
    const band = [
      ...barred.map(({ sets, elo, half }) => `${x(sets)},${y(elo + half)}`),
      ...barred.map(({ sets, elo, half }) => `${x(sets)},${y(elo - half)}`).reverse(),
    ];
    const bands = barred.length > 1 ? [{ class: "band", points: band.join(" "), ...clip }] : [];
    const last = x(bot.points.at(-1).sets);
    const to = right + (isNarrow ? 11 : 18);
    // The marker stands at the label again: where lines end alike, those at their ends cover another.
    return svg("g", { class: inkOf(bot.kind), "data-kind": bot.kind },
      svg("title", {}, bot.name),
      ...bands.map((each) => svg("polygon", each)),
      svg("polyline", { class: "course", points, ...clip }),
      svg("polyline", { class: "touch", points, ...clip }),
      svg("g", { class: "marker" }, marker(bot.kind, last, end)),
      svg("g", { class: "marker" }, marker(bot.kind, to + 6, labelled)),
      svg("path", { class: "leader", d: `M${last + 7} ${end}L${to} ${labelled}` }),
      labelOf(bot, frame, labelled));
  };

  return {
    // `bots`: their names, ranks, kinds (which fix their colours), and points with `sets`, `elo`
    // and `half` of the bar.
    draw(bots, width, id) {
      const frame = frameOf(bots, width);
      const ends = bots.map((bot) => frame.y(bot.points.at(-1).elo));
      const labels = apart(ends, TOP + 4, frame.height - BOTTOM);
      const names = bots.map((bot) => bot.name).join(", ");
      const size = { width: frame.right - LEFT + 14, height: frame.height - BOTTOM - 4 };
      const lines = bots.map((bot, at) =>
        lineOf(bot, frame, ends[at], labels[at], { "clip-path": `url(#${id})` }));
      return svg("svg", {
        class: `chart drawn${bots.length <= FEW ? " few" : ""}`,
        viewBox: `0 0 ${width} ${frame.height}`,
        role: "img",
        "aria-label": `Elo of ${names} by counted sets; the table below has the numbers`,
      },
      ...axes(frame),
      svg("clipPath", { id }, svg("rect", { x: LEFT - 6, y: 6, ...size })),
      ...lines.reverse());
    },

    swatch(kind) {
      return svg("svg", {
        class: `swatch ${inkOf(kind)}`,
        viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true",
      },
      svg("polyline", { class: "course", points: "0,7 30,7" }),
      svg("g", { class: "marker" }, marker(kind, 15, 7)));
    },
  };
})();
