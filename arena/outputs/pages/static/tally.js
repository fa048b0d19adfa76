// What a round of tricks was worth, reckoned team by team as SPEC 11.6 tells it.
"use strict";

const Tally = (() => {
  const { el, plain, signed } = Tables;

  const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

  // A team's reckoning: `again` is what the bonus card counts twice, if it doubles a take.
  const reckoned = (round, seats, bonus) => {
    const tricks = seats.map((seat) => round.tricks_won[seat]);
    const loot = sum(seats.map((seat) => round.loot[seat]));
    const again = bonus === "take" && seats.includes(round.bonus)
      ? round.tricks_won[round.bonus] + round.loot[round.bonus] : null;
    const take = sum(tricks) + loot + (again ?? 0);
    return { seats, tricks, loot, again, take, points: round.points, product: take * round.points,
      scored: seats.map((seat) => round.scored[seat]) };
  };

  // "7 + 4 + 3 loot = 14, times 4 = 56 each". Other options than the usual ones (SPEC 11.7) make
  // scores that are not the product: then they are told besides.
  const words = ({ tricks, loot, again, take, points, product, scored }) => {
    const bonus = again === null ? [] : [`${again} by the bonus card`];
    const parts = [...tricks, `${loot} loot`, ...bonus];
    const reckoning = `${parts.join(" + ")} = ${take}, times ${plain(points)} = ${plain(product)}`;
    const each = scored.length > 1 ? " each" : "";
    if (scored.every((score) => score === product)) return reckoning + each;
    const isOne = new Set(scored).size === 1;
    return `${reckoning}; scored ${isOne ? signed(scored[0]) + each : scored.map(signed).join(", ")}`;
  };

  // `round`: what a view keeps of a round that is over. `bonus`: what the bonus card doubles.
  const teams = (round, bonus) => {
    const others = round.scored.map((_, seat) => seat).filter((seat) => !round.team.includes(seat));
    return [["A", round.team], ["B", others]].map(([name, seats]) =>
      [name, words(reckoned(round, seats, bonus))]);
  };

  // A line for each team.
  const lines = (view) => teams(view.previous, view.options?.bonus ?? "take").map(([name, told]) =>
    el("span", { class: "line" }, el("span", { class: `badge is-${name}` }, `team ${name}`),
      ` ${told}`));

  return { lines, teams };
})();
