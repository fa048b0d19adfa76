// A round table: a middle, seats around it with their hands, and cards that move between places.
// Where a seat lies is told by classes alone, `seats-4` and `at-2`; match.css knows the places.
"use strict";

const Felt = (() => {
  const { el, put, plural } = Tables;
  const LONG_HAND = 8; // of more cards, seats with little room make two rows
  // Pixels of a plate that its name does not get, by the least width of its seat: a narrow seat has
  // a line for the name, a wide one tells everything in words (match.css has the same widths).
  const TAKEN = [[480, 362], [300, 190], [0, 38]];
  const CHARACTER = 0.58; // the width of a character, as a part of the height of its letters
  const FEWEST = 5; // characters of a name that is cut
  // Characters of a name in a box of the board, by the pixels of the middle for each column: as
  // many as fit beside the number of a seat, the dots and what the heads of the rows take.
  const inBox = (width) => Math.max(FEWEST, Math.min(10, Math.floor((width - 38) / 6.6)));

  // Cards in a row, in the order given; the cards of one name are alike, and "" is a hidden one.
  const row = (list) => {
    let items = [];

    const make = (name) => {
      const element = el("li", {}, name ? Cards.card(name) : Cards.back());
      return { name, element, card: element.firstChild };
    };

    // What stays and what goes, if these names are to lie here.
    const plan = (names) => {
      const left = new Map();
      for (const name of names) left.set(name, (left.get(name) ?? 0) + 1);
      const [kept, gone] = [[], []];
      for (const item of items) {
        const count = left.get(item.name) ?? 0;
        left.set(item.name, count - 1);
        (count > 0 ? kept : gone).push(item);
      }
      return { names, kept, gone };
    };

    // Returns the items that are new.
    const apply = ({ names, kept, gone }) => {
      for (const item of gone) item.element.remove();
      const come = [];
      let next = 0;
      items = names.map((name) => {
        if (kept[next]?.name === name) return kept[next++];
        const item = make(name);
        list.insertBefore(item.element, kept[next]?.element ?? null);
        come.push(item);
        return item;
      });
      // Another order: what was passed over has been made anew.
      for (const item of kept.slice(next)) item.element.remove();
      return come;
    };

    return { list, plan, apply, items: () => items };
  };

  // A hand, of which some cards may be marked.
  const hand = (list) => {
    const cards = row(list);
    const lengthen = (count) => {
      const half = count > LONG_HAND ? Math.ceil(count / 2) : count;
      list.style.setProperty("--n", Math.max(1, count - 1));
      list.style.setProperty("--half", Math.max(1, half - 1));
      list.classList.toggle("is-single", count === 1);
      list.classList.toggle("is-long", count > LONG_HAND);
    };
    const apply = (plan, label) => {
      const come = cards.apply(plan);
      if (come.length || plan.gone.length) lengthen(plan.names.length);
      if (list.shownLabel !== label) {
        list.shownLabel = label;
        list.setAttribute("aria-label", label);
      }
      return come;
    };
    lengthen(0);
    return { list, plan: cards.plan, apply, items: cards.items };
  };

  const seatOf = (match, telling, seat) => {
    const parts = {
      name: telling.who(seat),
      badges: el("span", { class: "badges" }),
      numbers: el("span", { class: "numbers" }),
      list: el("ul", { class: "hand" }),
      aside: el("p", { class: "aside" }),
    };
    const plate = el("div", { class: "plate" }, parts.name, parts.badges, parts.numbers);
    const element = el("div", { class: `seat at-${seat}`, role: "group", "data-seat": seat,
      "aria-label": `seat ${seat}, ${match.names[seat]}` }, plate, parts.aside, parts.list);
    return { ...parts, plate, element, hand: hand(parts.list) };
  };

  // Moving cards. Everything that moves is measured before and after the table has changed, and
  // then drawn from where it was: what the table is does not depend on it.
  const motion = () => {
    let flights = [];
    let running = [];
    let leaving = [];

    // Ends all that still moves.
    const settle = () => {
      for (const animation of running) animation.cancel();
      for (const card of leaving) card.remove();
      [flights, running, leaving] = [[], [], []];
    };

    const frames = (from, to) => ({
      transform: `translate(${from.left - to.left}px, ${from.top - to.top}px) ` +
        `scale(${from.width / to.width})`,
    });

    // This card came from there.
    const comes = (card, from) => flights.push({ card, from });
    // This card goes there, and is gone then.
    const goes = (card, to) => {
      card.classList.add("leaving");
      leaving.push(card);
      flights.push({ card, to });
    };

    const move = (ms) => {
      const measured = flights.map(({ card, from, to }) => [card, card.getBoundingClientRect(),
        from, to]);
      for (const [card, here, from, to] of measured) {
        const target = to && { left: to.left + to.width / 2 - here.width / 4,
          top: to.top + to.height / 2 - here.height / 4, width: here.width / 2 };
        const keys = from ? [frames(from, here), { transform: "none" }]
          : [{ transform: "none", opacity: 1 }, { ...frames(target, here), opacity: 0 }];
        const animation = card.animate(keys, { duration: ms, easing: "ease-out" });
        if (to) animation.onfinish = () => card.remove();
        running.push(animation);
      }
      flights = [];
    };

    return { settle, comes, goes, move };
  };

  // `details`: the class of the drawing.
  const of = (root, match, telling, kind) => {
    const middle = el("div", { class: `middle ${kind}-middle` });
    const seats = match.names.map((_, seat) => seatOf(match, telling, seat));
    const status = el("ul", { class: "status", "aria-label": "This round" });
    const table = el("div", { class: `round-table ${kind} seats-${match.seats}` }, middle,
      ...seats.map(({ element }) => element));
    const felt = el("div", { class: "felt" }, table);
    root.replaceChildren(status, felt);

    // Names are cut only where there is no room for them.
    const fit = () => {
      const letters = felt.clientWidth < 680 ? 11.9 : 13.5;
      for (const { name, element } of seats) {
        const width = element.clientWidth;
        const [, taken] = TAKEN.find(([least]) => width >= least);
        telling.shorten(name, Math.floor((width - taken) / (letters * CHARACTER)));
      }
      const columns = Math.max(0, ...[...middle.querySelectorAll(".board tr")]
        .map((line) => line.children.length - 1));
      for (const name of middle.querySelectorAll(".board .who")) {
        telling.shorten(name, felt.clientWidth < 960 ? FEWEST : inBox(middle.clientWidth / columns));
      }
    };
    const fitting = new ResizeObserver(fit);
    fitting.observe(felt);

    // The names that a hand shows: all, or as many hidden ones as there are.
    const namesOf = (seen, seat) => [
      ...(seen.hands[seat] ?? Array(seen.view.hand_sizes[seat]).fill("")),
      ...(seen.hands[seat] ? seen.chosen[seat] ?? [] : []),
    ];

    const label = (seen, seat, count) => (seen.hands[seat]
      ? `hand of ${match.names[seat]}`
      : `${plural(count, "card")} of ${match.names[seat]}, hidden`);

    // Lays all hands. Returns for each seat what is new in it, and what was taken from it with the
    // place where it lay, as far as places are asked for.
    const hands = (seen, isMeasured) => {
      const plans = seats.map(({ hand: each }, seat) => each.plan(namesOf(seen, seat)));
      const gone = plans.map((plan) => plan.gone.map(({ name, card }) =>
        ({ name, place: isMeasured ? card.getBoundingClientRect() : null })));
      return seats.map(({ hand: each }, seat) => ({ gone: gone[seat],
        come: each.apply(plans[seat], label(seen, seat, plans[seat].names.length)) }));
    };

    // Marks the cards of hands, by name: a class for each mark.
    const mark = (marksOf) => {
      for (const { hand: each } of seats) {
        for (const item of each.items()) {
          const marks = item.name ? marksOf(item.name) : "";
          if (item.element.className !== marks) item.element.className = marks;
        }
      }
    };

    const tell = (chips) => put(status, JSON.stringify(chips.map(([key]) => key)), () =>
      chips.map(([, ...content]) => el("li", {}, ...content)));

    return { table, middle, seats, hands, mark, tell, close: () => fitting.disconnect(),
      ...motion() };
  };

  return { of, row };
})();
