// Shows what one seat sees of two sheets of one match, which differ in the hands of the others:
//     node secret.mjs FOLDER < cases.json
// Prints each step at which that seat sees or is told something else; then the number of steps.

import { readFileSync } from "node:fs";
import vm from "node:vm";

const folder = process.argv[2];
const context = vm.createContext({});
const source = ["views", "sheet", "rounds"].map((name) =>
  readFileSync(`${folder}/${name}.js`, "utf8"));
vm.runInContext(`${source.join("\n")}
globalThis.seenBy = (match, seat) => Views.all(
  { ...match, rounds: Sheet.read(match.sheet, match.seats) },
).map((step) => JSON.stringify([Views.seen(step, seat), Views.told(step, seat)]));`, context);

let steps = 0;
for (const [number, [one, other, seat]] of JSON.parse(readFileSync(0, "utf8")).entries()) {
  const [first, second] = [context.seenBy(one, seat), context.seenBy(other, seat)];
  steps += first.length;
  for (const [at, seen] of first.entries()) {
    if (seen !== second[at]) console.log(`${number}, step ${at}: ${seen}\n    ${second[at]}`);
  }
}
console.log(`${steps} steps`);
