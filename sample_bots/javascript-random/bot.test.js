// The vectors of the protocol, as far as they concern a bot. `npm test` runs this.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { decode, Frames, frame, place } from "./wire.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = process.env.ARENA_VECTORS ?? join(here, "../../protocol/vectors");
const skip = existsSync(folder) ? false : "set ARENA_VECTORS to arena's folder protocol/vectors";

const vectors = (name) =>
  skip ? [] : JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")).vectors;
const bytes = (hex) => Buffer.from(hex, "hex");

test("the vectors are there", { skip }, () => assert.ok(vectors("messages").length > 0));

describe("SPEC 3.1: frames may be cut and joined anywhere", () => {
  for (const vector of vectors("frames")) {
    test(vector.name, () => {
      const frames = new Frames(vector.max_body_bytes);
      const bodies = [];
      const read = () => {
        for (const chunk of vector.chunks) {
          for (const body of frames.take(bytes(chunk))) bodies.push(body.toString("hex"));
        }
      };
      if (vector.breach === null) read();
      else assert.throws(read, { message: new RegExp(vector.breach) });
      assert.deepEqual(bodies, vector.bodies);
    });
  }
});

describe("SPEC 4: what the server says is read, what a bot says is written", () => {
  for (const vector of vectors("messages")) {
    test(vector.name, () => {
      // Every form of a value may come (SPEC 3.3-5), so a bot's messages are read here too.
      assert.deepEqual(decode(bytes(vector.hex)), vector.message);
      if (vector.from === "bot" && vector.canonical) {
        assert.equal(frame(vector.message).subarray(4).toString("hex"), vector.hex);
      }
    });
  }
});

describe("SPEC 5: the bot, run against the server's side of whole conversations", () => {
  const sockets = mkdtempSync(join(tmpdir(), "arena-"));
  after(() => rmSync(sockets, { recursive: true }));

  for (const [number, vector] of vectors("conversations").entries()) {
    const said = vector.steps.filter((step) => step.from === "server");
    const requests = said.map((step) => step.message).filter(({ type }) => type === "request");
    const ended = ["done", "stopping", "replaced"].includes(said.at(-1)?.message.reason);

    test(vector.name, async () => {
      const { heard, code } = await converse(join(sockets, `${number}`), said);
      const [hello, ...actions] = heard;
      assert.equal(hello.type, "hello");
      assert.equal(hello.token, "tK3x");
      assert.deepEqual(
        actions.map(({ type, match, id }) => ({ type, match, id })),
        requests.map(({ match, id }) => ({ type: "action", match, id })),
      );
      for (const [index, { action }] of actions.entries()) {
        assert.ok(requests[index].legal.includes(action), action);
      }
      assert.equal(code, ended ? 0 : 1);
    });
  }
});

/** Say all of it to a bot, three bytes at a time; what the bot said, and its exit code. */
function converse(path, said) {
  return new Promise((resolve) => {
    const heard = [];
    const frames = new Frames();
    const server = net.createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("data", (chunk) => {
        for (const body of frames.take(chunk)) heard.push(decode(body));
        if (heard.length > 0 && !socket.writableEnded) {
          const all = Buffer.concat(said.map((step) => bytes(step.hex)));
          for (let at = 0; at < all.length; at += 3) socket.write(all.subarray(at, at + 3));
          socket.end();
        }
      });
      socket.on("error", () => {});
    });
    server.listen(path, () => {
      const env = { ...process.env, ARENA_CONNECT: `unix:${path}`, ARENA_TOKEN: "tK3x" };
      const bot = spawn(process.execPath, [join(here, "bot.js")], { env, stdio: "ignore" });
      bot.on("exit", (code) => server.close(() => resolve({ heard, code })));
    });
  });
}

test("SPEC 2.2: addresses", () => {
  assert.deepEqual(place("unix:/tmp/a:b"), { path: "/tmp/a:b" });
  assert.deepEqual(place("tcp:localhost:4000"), { host: "localhost", port: 4000, noDelay: true });
  assert.deepEqual(place("tcp:[::1]:4000"), { host: "::1", port: 4000, noDelay: true });
  assert.throws(() => place("udp:localhost:4000"), { message: /SPEC 2.2/ });
});
