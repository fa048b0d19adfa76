// Works out the steps of matches from two forms of their data, with the scripts of the pages:
//     node same.mjs FOLDER < pairs.json
// Prints, for each pair in which they differ, the step and what differs there; then the count.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import vm from "node:vm";

const folder = process.argv[2];
const context = vm.createContext({});
const source = ["views", "sheet", "rounds"].map((name) => readFileSync(`${folder}/${name}.js`, "utf8"));
vm.runInContext(`${source.join("\n")}\nglobalThis.all = (match) => Views.all(match.sheet === undefined ? match
    : { ...match, rounds: Sheet.read(match.sheet, match.seats) });`, context);

// Values of another context have other prototypes; told lines of a seat in any order.
const plain = (value) => JSON.parse(JSON.stringify(value));
const pairs = JSON.parse(readFileSync(0, "utf8"));
for (const [number, [one, other]] of pairs.entries()) {
  const [first, second] = [plain(context.all(one)), plain(context.all(other))];
  if (first.length !== second.length) console.log(`${number}: ${first.length}, ${second.length} steps`);
  const differ = first.findIndex((step, at) => !isDeepStrictEqual(step, second[at]));
  if (differ >= 0) {
    for (const key of Object.keys(second[differ])) {
      const [came, expected] = [first[differ][key], second[differ][key]];
      if (!isDeepStrictEqual(came, expected)) {
        console.log(`${number}, step ${differ}, ${key}: ${JSON.stringify(came)}`);
        console.log(`    expected: ${JSON.stringify(expected)}`);
      }
    }
  }
}
console.log(`${pairs.length} compared`);
