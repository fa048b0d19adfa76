// What each audience sees after each move, from the changes the page carries. Nothing here knows
// the rules: the spectator's view, and what each seat sees otherwise, come from the replay.
"use strict";

const Views = (() => {
  // `[value]` a new value, `[start, count, items...]` items of a list replaced, `0` a field gone.
  const applied = (before, changes) => {
    if (!changes) return before;
    const now = { ...before };
    for (const [field, change] of Object.entries(changes)) {
      if (change === 0) {
        delete now[field];
      } else if (change.length === 1) {
        now[field] = change[0];
      } else {
        now[field] = [...before[field]];
        now[field].splice(...change);
      }
    }
    return now;
  };

  // One entry for the deal, then one for each move; entry k + 1 is what stands after move k.
  const all = (match) => (match.rounds ? Rounds.all(match) : everyView(match));

  const everyView = (match) => {
    const { start } = match;
    const view = { ...start.view, seats: match.seats };
    const steps = [{ view, own: start.own, told: start.told, toldOwn: {} }];
    for (const [seat, action, timeUs, changes, own, told, toldOwn] of match.moves) {
      const before = steps.at(-1);
      steps.push({
        seat,
        action,
        timeUs: timeUs ?? 0,
        view: applied(before.view, changes),
        own: before.own.map((view, each) => applied(view, own?.[each])),
        told: told ?? [],
        toldOwn: toldOwn ?? {},
      });
    }
    return steps;
  };

  // An audience is "spectator", "open" or a seat's number. What it sees of a step:
  const seen = (step, audience) => {
    const isSeat = typeof audience === "number";
    const sees = (seat) => audience === "open" || audience === seat;
    const ofSeats = (field) => step.own.map((own, seat) => (sees(seat) ? own[field] : undefined));
    return {
      view: isSeat ? { ...step.view, ...step.own[audience] } : step.view,
      sees,
      // What seats see besides, where it is not in the view.
      own: audience === "open" ? step.own : [],
      hands: ofSeats("hand"),
      given: ofSeats("given"),
      received: ofSeats("received"),
      chosen: ofSeats("chosen"),
    };
  };

  // What happened with this step, as this audience is told it.
  const told = (step, audience) => {
    if (typeof audience === "number") return step.toldOwn[audience] ?? step.told;
    if (audience !== "open") return step.told;
    const lines = [...step.told];
    for (const own of Object.values(step.toldOwn)) {
      for (const line of own) {
        // Who acted is told more of the same: that line takes the place of the shorter one.
        const shorter = lines.findIndex((each) => line.startsWith(each));
        if (shorter < 0) lines.push(line);
        else lines[shorter] = line;
      }
    }
    return lines;
  };

  return { all, applied, seen, told };
})();
