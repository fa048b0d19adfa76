// @ts-check
// The wire and whole conversations, by the vectors of the protocol. `npm test` runs this.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { decide } from "./decide.js";
import { high } from "./high.js";
import { bytes, vectors } from "./vectors.js";
import { isNope, isTrick } from "./views.js";
import { decode, Frames, frame, place } from "./wire.js";

/** @typedef {{ from: string, hex: string }} Step */

/** @type {{ name: string, steps: Step[] }[]} */
const conversations = vectors("conversations");

/**
 * The server's messages, read from their frames.
 *
 * @param {Step[]} steps
 */
function saidIn(steps) {
  return steps.flatMap(({ from, hex }) => (from === "server" ? [decode(bytes(hex.slice(8)))] : []));
}

describe("SPEC 3.1: frames may be cut and joined anywhere", () => {
  for (const vector of vectors("frames")) {
    test(vector.name, () => {
      const frames = new Frames(vector.max_body_bytes);
      /** @type {string[]} */
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

describe("SPEC 4.5: whatever is asked, the answer is one of `legal`", () => {
  for (const { name, steps } of conversations) {
    for (const message of saidIn(steps)) {
      if (message.type !== "request") continue;
      const { view, legal } = message;
      const phase = isTrick(view) || isNope(view) ? view.phase : "of a later game";
      for (const player of [decide, high]) {
        test(`${player.name}: ${name}, request ${message.id}, ${view.game}, ${phase}`, () =>
          assert.ok(legal.includes(player(message)), `not one of ${legal}`));
      }
    }
  }

  test("high: a game that is not invented yet", () => {
    const [request] = conversations
      .flatMap(({ steps }) => saidIn(steps))
      .filter(({ type }) => type === "request");
    const view = /** @type {any} */ ({ game: "chess", phase: "play" });
    assert.ok(request?.type === "request");
    assert.ok(request.legal.includes(high({ ...request, view })));
  });
});

describe("SPEC 5: the bot, run against the server's side of whole conversations", () => {
  const sockets = mkdtempSync(join(tmpdir(), "arena-"));
  after(() => rmSync(sockets, { recursive: true }));

  for (const [number, { name, steps }] of conversations.entries()) {
    const messages = saidIn(steps);
    const requests = messages.flatMap((each) => (each.type === "request" ? [each] : []));

    test(name, async () => {
      const sent = steps.flatMap(({ from, hex }) => (from === "server" ? [bytes(hex)] : []));
      const { heard, code, printed } = await converse(
        join(sockets, `${number}`),
        Buffer.concat(sent),
      );
      const [hello, ...answers] = heard;
      assert.ok(hello?.type === "hello", printed);
      assert.equal(hello.token, "tK3x");
      assert.equal(answers.length, requests.length, printed);
      for (const [index, { match, id, legal }] of requests.entries()) {
        const answer = answers[index];
        assert.ok(answer?.type === "action");
        assert.deepEqual([answer.match, answer.id], [match, id]);
        assert.ok(legal.includes(answer.action), answer.action);
      }
      const last = messages.at(-1);
      const isWell = last?.type === "bye" && ["done", "stopping", "replaced"].includes(last.reason);
      assert.equal(code, isWell ? 0 : 1, printed);
      if (last?.type === "bye" && !isWell) assert.ok(printed.includes(last.text), printed);
    });
  }
});

/**
 * Send it all to a bot, three bytes at a time; what the bot said and printed, its exit code.
 *
 * @param {string} path
 * @param {Buffer} sent
 */
async function converse(path, sent) {
  /** @type {any[]} */
  const heard = [];
  const frames = new Frames();
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("data", (chunk) => {
      for (const body of frames.take(chunk)) heard.push(decode(body));
      if (heard.length > 0 && !socket.writableEnded) {
        for (let at = 0; at < sent.length; at += 3) socket.write(sent.subarray(at, at + 3));
        socket.end();
      }
    });
    socket.on("error", () => {});
  });
  await once(server.listen(path), "listening");
  const ended = await run({ ARENA_CONNECT: `unix:${path}`, ARENA_TOKEN: "tK3x" });
  server.close();
  return { heard, ...ended };
}

/**
 * Run the bot with these variables; its exit code, and what it printed to standard error.
 *
 * @param {NodeJS.ProcessEnv} variables
 */
async function run(variables) {
  const env = { PATH: process.env.PATH, ...variables };
  const bot = spawn(process.execPath, [fileURLToPath(new URL("bot.js", import.meta.url))], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  bot.stderr.on("data", (chunk) => (printed += chunk));
  const [code] = await once(bot, "close");
  return { code, printed };
}

test("SPEC 2.2: addresses", () => {
  assert.deepEqual(place("unix:/tmp/a:b"), { way: "unix", path: "/tmp/a:b" });
  assert.deepEqual(place("tcp:localhost:4000"), { way: "tcp", host: "localhost", port: 4000 });
  assert.deepEqual(place("tcp:[::1]:4000"), { way: "tcp", host: "::1", port: 4000 });
  assert.deepEqual(place("tls:[::1]:4001"), { way: "tls", host: "::1", port: 4001 });
  const secure = [
    ["wss://localhost", "localhost", 443, "/"],
    ["wss://localhost/bots/1", "localhost", 443, "/bots/1"],
    ["wss://localhost:8443/bots?a=b", "localhost", 8443, "/bots?a=b"],
    ["wss://[::1]:8443", "::1", 8443, "/"],
    ["wss://[::1]/bots", "::1", 443, "/bots"],
  ];
  for (const [address, host, port, target] of secure) {
    assert.deepEqual(place(`${address}`), { way: "wss", host, port, target });
  }
  const wrong = ["", "unix:", "udp:localhost:4000", "tcp:localhost", "tcp:localhost:70000"];
  for (const each of [...wrong, "tls:localhost", "wss:localhost", "wss://", "ws://localhost/"]) {
    assert.equal(place(each), null, each);
  }
});

describe("SPEC 2.1: a wrong environment is told in words, by the name of the variable", () => {
  const nowhere = "unix:/no/such/place";
  /** @type {[NodeJS.ProcessEnv, string][]} */
  const wrong = [
    [
      { ARENA_TOKEN: "tK3x" },
      "ARENA_CONNECT is not set; it should be unix:PATH, tcp:HOST:PORT, tls:",
    ],
    [{ ARENA_CONNECT: "fox:4000", ARENA_TOKEN: "tK3x" }, 'ARENA_CONNECT is "fox:4000"; it should'],
    [{ ARENA_CONNECT: nowhere }, "ARENA_TOKEN is not set; it should be the token of your bot"],
    [{ ARENA_CONNECT: nowhere, ARENA_TOKEN: "tK3x" }, `ARENA_CONNECT=${nowhere}: connect ENOENT`],
  ];
  for (const [variables, words] of wrong) {
    test(words, async () => {
      const { code, printed } = await run(variables);
      assert.equal(code, 1);
      assert.ok(printed.startsWith(words), printed);
      assert.equal(printed.trimEnd().split("\n").length, 1);
    });
  }
});
