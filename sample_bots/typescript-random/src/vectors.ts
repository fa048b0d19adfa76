// The vectors of the protocol, for the tests: plain JSON, which says what must come out.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const bot = fileURLToPath(new URL("..", import.meta.url));
// `arena new-bot` puts them into the bot's folder; the sample bots use those of the repository.
const places = [join(bot, "vectors"), join(bot, "../../protocol/vectors")];
const folder = process.env.ARENA_VECTORS || places.find((place) => existsSync(place));

/** All vectors of a file; where there is none, a test fails. */
export function vectors<T>(name: string): T[] {
  const file = join(folder ?? places[0]!, `${name}.json`);
  const found = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).vectors : [];
  test(`${file} has vectors`, () =>
    assert.ok(found.length > 0, `set ARENA_VECTORS to the folder protocol/vectors of arena`));
  return found;
}

export const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");
