// Runs every vector in a folder without any code of arena's: node vectors.mjs FOLDER
//
// Written from SPEC.md. Bytes are read and written by @msgpack/msgpack; what SPEC refuses and
// that library lets pass is found by a small reader of our own. Prints one line for each vector
// that fails, then the count; the exit code is 1 if one did.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { decode, encode } from "@msgpack/msgpack";

const folder = process.argv[2];
const load = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")).vectors;
const bytes = (hex) => Buffer.from(hex, "hex");
const hex = (data) => Buffer.from(data).toString("hex");
const refuse = (code) => {
  throw { code };
};

// SPEC 3.1 and 3.2: bodies from a stream that was cut anywhere.
class Frames {
  constructor(most) {
    this.most = most;
    this.held = Buffer.alloc(0);
  }

  *take(chunk) {
    this.held = Buffer.concat([this.held, chunk]);
    while (this.held.length >= 4) {
      const length = this.held.readUInt32BE(0);
      if (length > this.most) refuse("frame-too-long");
      if (this.held.length < 4 + length) return;
      yield this.held.subarray(4, 4 + length);
      this.held = this.held.subarray(4 + length);
    }
  }
}

// SPEC 3.3 and 8: one map, and the first thing wrong with it.
function readStrictly(body) {
  let at = 0;
  let values = 0;
  const take = (count) => {
    if (at + count > body.length) refuse("cut-short");
    at += count;
    return body.subarray(at - count, at);
  };
  const unsigned = (size) => BigInt(`0x${hex(take(size))}`);
  const text = (size) => {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(take(size));
    } catch (error) {
      return refuse(error.code === "cut-short" ? "cut-short" : "bad-utf8");
    }
  };
  const list = (count, depth) => {
    if (depth > 4) refuse("too-deep");
    const read = [];
    for (let i = 0; i < count; i += 1) read.push(value(depth + 1));
    return read;
  };
  const map = (count, depth) => {
    if (depth > 4) refuse("too-deep");
    const read = new Map();
    for (let i = 0; i < count; i += 1) {
      const key = value(depth + 1);
      if (typeof key !== "string") refuse("key-not-text");
      if (read.has(key)) refuse("duplicate-key");
      read.set(key, value(depth + 1));
    }
    return read;
  };
  // Whole numbers are BigInts here, so that none is rounded.
  const value = (depth) => {
    values += 1;
    if (values > 256) refuse("too-many-values");
    const lead = take(1)[0];
    if (lead <= 0x7f) return BigInt(lead);
    if (lead >= 0xe0) return BigInt(lead - 0x100);
    if (lead <= 0x8f) return map(lead & 0x0f, depth);
    if (lead <= 0x9f) return list(lead & 0x0f, depth);
    if (lead <= 0xbf) return text(lead & 0x1f);
    if (lead === 0xc0) return null;
    if (lead === 0xc1) refuse("malformed");
    if (lead === 0xc2 || lead === 0xc3) return lead === 0xc3;
    if (lead <= 0xc6) refuse("bin");
    if (lead === 0xca || lead === 0xcb) refuse("float");
    if (lead >= 0xcc && lead <= 0xcf) return unsigned(1 << (lead - 0xcc));
    if (lead >= 0xd0 && lead <= 0xd3) {
      const size = 1 << (lead - 0xd0);
      return BigInt.asIntN(8 * size, unsigned(size));
    }
    if (lead >= 0xd9 && lead <= 0xdb) return text(Number(unsigned(1 << (lead - 0xd9))));
    if (lead === 0xdc || lead === 0xdd) return list(Number(unsigned(2 << (lead - 0xdc))), depth);
    if (lead === 0xde || lead === 0xdf) return map(Number(unsigned(2 << (lead - 0xde))), depth);
    return refuse("ext");
  };
  const read = value(1);
  if (at < body.length) refuse("trailing-bytes");
  if (!(read instanceof Map)) refuse("not-a-map");
  return read;
}

// SPEC 4: the fields of what a bot may send.
const number = { most: 2n ** 53n - 1n };
const text = (most) => ({ text: most });
const fields = {
  hello: {
    protocol: { ...number, required: true },
    token: { ...text(128), required: true },
    version: text(32),
    author: text(64),
    language: text(32),
    offers: { list: 16, text: 32 },
  },
  action: {
    match: { ...text(64), required: true },
    id: { ...number, required: true },
    action: { ...text(64), required: true },
    note: text(200),
  },
};
const serverTypes = ["welcome", "start", "request", "fault", "end", "bye"];
const control =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

function checkText(value, most) {
  if (typeof value !== "string") refuse("wrong-type");
  if ([...value].length > most) refuse("too-long");
  if (control.test(value)) refuse("bad-text");
}

function checkFields(message) {
  const type = message.get("type");
  if (serverTypes.includes(type)) refuse("server-type");
  if (type !== "hello" && type !== "action") refuse("unknown-type");
  const known = fields[type];
  for (const name of message.keys()) {
    if (name !== "type" && !Object.hasOwn(known, name)) refuse("unknown-field");
  }
  for (const [name, field] of Object.entries(known)) {
    if (!message.has(name)) {
      if (field.required) refuse("missing-field");
      continue;
    }
    const value = message.get(name);
    if (field.most !== undefined) {
      if (typeof value !== "bigint") refuse("wrong-type");
      if (value < 0n || value > field.most) refuse("out-of-range");
    } else if (field.list !== undefined) {
      if (!Array.isArray(value)) refuse("wrong-type");
      if (value.length > field.list) refuse("too-long");
      for (const entry of value) checkText(entry, field.text);
    } else {
      checkText(value, field.text);
    }
  }
  return message;
}

// SPEC 5: what may come when, and what a message means there.
const moves = {
  opened: { hello: "greeted", bye: "closed" },
  greeted: { welcome: "idle", evidence: "greeted", bye: "closed" },
  idle: { start: "playing", fault: "idle", bye: "closed" },
  playing: { request: "asked", fault: "playing", end: "idle", bye: "closed" },
  asked: { ruling: "playing", fault: "asked", end: "idle", bye: "closed" },
  closed: {},
};

class Server {
  state = "opened";
  asked = 0;
  lastId = 0;
  stale = 0;
  match = "";
  legal = [];

  hear(body) {
    let message;
    let wrong;
    try {
      message = checkFields(readStrictly(body));
    } catch (error) {
      if (error.code === undefined) throw error;
      wrong = error.code;
    }
    const type = message?.get("type");
    if (this.state === "opened") {
      if (wrong) refuse(wrong);
      if (type !== "hello") refuse("nothing-asked");
      this.state = "greeted";
      return message;
    }
    if (type === "hello") refuse("second-hello");
    const id = type === "action" ? Number(message.get("id")) : undefined;
    if (id !== undefined && id >= 1 && id <= this.lastId && id !== this.asked) {
      this.stale += 1;
      if (this.stale > this.lastId) refuse("too-many-answers");
      return "stale";
    }
    if (this.state !== "asked") refuse("nothing-asked");
    const asked = this.asked;
    this.state = "playing";
    this.asked = 0;
    if (wrong) refuse(wrong);
    if (id !== asked) refuse("wrong-id");
    if (message.get("match") !== this.match) refuse("wrong-match");
    if (!this.legal.includes(message.get("action"))) refuse("not-legal");
    return message;
  }

  say(message) {
    let event = message.type;
    if (event === "fault" && message.id !== null && message.id === this.asked) event = "ruling";
    const after = moves[this.state][event];
    if (after === undefined) throw new Error(`${event} while ${this.state}`);
    if (event === "start") this.match = message.match;
    if (event === "request") {
      this.lastId += 1;
      if (message.id !== this.lastId) throw new Error(`request ${message.id}`);
      this.asked = this.lastId;
      this.legal = message.legal;
    } else if (after !== "asked") {
      this.asked = 0;
    }
    this.state = after;
  }
}

const codeOf = (action) => {
  try {
    action();
    return null;
  } catch (error) {
    if (error.code === undefined) throw error;
    return error.code;
  }
};

const plain = (read) => {
  if (typeof read === "bigint") return Number(read);
  if (Array.isArray(read)) return read.map(plain);
  if (read instanceof Map) {
    return Object.fromEntries([...read].map(([key, value]) => [key, plain(value)]));
  }
  return read;
};

// The vectors, one function for each file.
const runners = {
  frames(vector) {
    const frames = new Frames(vector.max_body_bytes);
    const bodies = [];
    const breach = codeOf(() => {
      for (const chunk of vector.chunks) {
        for (const body of frames.take(bytes(chunk))) bodies.push(hex(body));
      }
    });
    same(bodies, vector.bodies);
    same(breach, vector.breach);
    if (!breach) same(frames.held.length ? "frame-unfinished" : null, vector.at_end);
  },

  messages(vector) {
    const body = bytes(vector.hex);
    const message = decode(body);
    if (vector.canonical) same(hex(encode(vector.message)), vector.hex);
    if (vector.from === "bot") same(plain(checkFields(readStrictly(body))), message);
    same(message, vector.message);
  },

  conversations(vector) {
    const server = new Server();
    let onlyBot = false;
    for (const step of vector.steps) {
      onlyBot ||= step.only_bot ?? false;
      const frames = new Frames(step.from === "bot" ? 4096 : 16384);
      let heard = null;
      const breach = codeOf(() => {
        const [body] = [...frames.take(bytes(step.hex))];
        if (body === undefined) refuse("frame-unfinished");
        if (step.message) same(decode(body), step.message);
        if (step.from === "bot") heard = server.hear(body);
        else if (!onlyBot) server.say(step.message);
      });
      same(breach, step.breach ?? null);
      same(heard === "stale", step.stale ?? false);
      if (!onlyBot) same(server.state, step.after);
    }
  },

  violations(vector) {
    const server = new Server();
    if (vector.state !== "opened") {
      Object.assign(server, { state: vector.state, lastId: 3, match: "m-1", legal: ["G2", "G9"] });
      server.asked = vector.state === "asked" ? 3 : 0;
    }
    same(codeOf(() => server.hear(bytes(vector.hex))), vector.code);
  },

  chance(vector) {
    const start = () => stream(bytes(vector.seed), vector.label, vector.counter);
    const seen = start();
    same(bytes(vector.stream).every((byte) => byte === seen.next().value), true);
    const draws = start();
    same(vector.below.map((n) => below(n, draws)), vector.numbers);
    const shuffling = start();
    const things = vector.shuffled.map((_, index) => index);
    for (let i = things.length - 1; i > 0; i -= 1) {
      const j = below(i + 1, shuffling);
      [things[i], things[j]] = [things[j], things[i]];
    }
    same(things, vector.shuffled);
  },

  commitment(vector) {
    const digest = createHash("sha256").update("arena commitment 1\0", "ascii");
    for (const part of [Buffer.from(vector.match), bytes(vector.nonce), bytes(vector.seed)]) {
      digest.update(fourBytes(part.length)).update(part);
    }
    same(digest.digest("hex"), vector.commitment);
  },

  following(vector) {
    const view = readView(vector);
    const asked = suit(view.tricks.at(-1)[0], view);
    const answers = view.hand.filter((card) => suit(card, view) === asked);
    same(answers.length ? answers : view.hand, vector.may_play);
  },

  tricks(vector) {
    const view = readView(vector);
    const trick = view.tricks.at(-1);
    const worth = (card) => strength(card, trick[0], view);
    const best = Math.max(...trick.map(worth));
    const place = trick.findLastIndex((card) => worth(card) === best);
    same((view.leaders.at(-1) + place) % view.seats, vector.taken_by);
    const isMine = (seat) => view.team.includes(seat) === view.team.includes(view.seat);
    const seats = [...Array(view.seats).keys()].filter(isMine);
    same(seats.filter((seat) => seat !== view.seat), vector.teammates);
  },

  showing(vector) {
    const named = vector.card.replace(/^[TSJX]/, "");
    const colours = /^[RGBY]/.test(named) ? named.replace(/\d$/, "") : "RGBY";
    const number = vector.card === "J" ? 1 : (vector.card.match(/\d$/)?.[0] ?? null);
    same(colours, vector.colours);
    same(number === null ? null : Number(number), vector.number);
  },
};

function readView(vector) {
  const view = decode(bytes(vector.hex));
  same(view, vector.view);
  return view;
}

// SPEC 11.4 and 11.5
const isLow = (card, view) => card.slice(1) === (view.game === "njet" ? "0" : "1");
const isSupertrump = (card, view) => isLow(card, view) && card[0] === view.supertrump;
const suit = (card, view) =>
  view.game === "nyet" && isSupertrump(card, view) ? view.trump : card[0];

function strength(card, led, view) {
  if (isSupertrump(card, view)) return 300;
  const rank = Number(card.slice(1));
  if (card[0] === view.trump) return 200 + rank;
  return suit(card, view) === suit(led, view) ? 100 + rank : 0;
}

function fourBytes(number) {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(number);
  return data;
}

// SPEC 13.1
function* stream(seed, label, counter) {
  for (let block = 0; ; block += 1) {
    yield* createHash("sha256")
      .update(label, "ascii")
      .update("\0")
      .update(fourBytes(counter))
      .update(fourBytes(block))
      .update(seed)
      .digest();
  }
}

function below(n, draws) {
  if (n === 1) return 0;
  for (;;) {
    const byte = draws.next().value;
    if (byte < 256 - (256 % n)) return byte % n;
  }
}

function same(came, expected) {
  if (!isDeepStrictEqual(came, expected)) {
    throw new Error(`${JSON.stringify(came)}, expected ${JSON.stringify(expected)}`);
  }
}

let failed = 0;
for (const [name, run] of Object.entries(runners)) {
  const vectors = load(name);
  for (const vector of vectors) {
    try {
      run(vector);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name}: ${vector.name}: ${error.message ?? error.code}`);
    }
  }
  console.log(`${name}: ${vectors.length}`);
}
process.exitCode = failed ? 1 : 0;
