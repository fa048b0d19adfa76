// @ts-check
// The whole bot: hello, then an action for every request, until bye. Your idea goes into decide.js.

/** @import { Bye, FromBot, FromServer } from "./messages.js" */
import { decide } from "./decide.js";
import { connect, place } from "./wire.js";

// SPEC 2.1, and 2.5 for the last, which only a bot that dials in has.
const { ARENA_CONNECT = "", ARENA_TOKEN = "", ARENA_RETRY_S } = process.env;
const where =
  place(ARENA_CONNECT) ??
  refuse("ARENA_CONNECT", "unix:PATH, tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH (SPEC 2.2)");
if (ARENA_TOKEN === "") refuse("ARENA_TOKEN", "the token of your bot (SPEC 2.3)");
if (!(Number(ARENA_RETRY_S ?? 5) > 0)) refuse("ARENA_RETRY_S", "a number of seconds (SPEC 2.5)");

/**
 * @param {string} name
 * @param {string} expected
 * @returns {never}
 */
function refuse(name, expected) {
  const value = process.env[name];
  const came = value === undefined ? "is not set" : `is ${JSON.stringify(value)}`;
  console.error(`${name} ${came}; it should be ${expected}`);
  process.exit(1);
}

/** @param {FromServer} message */
function onMessage(message) {
  switch (message.type) {
    case "request": // SPEC 4.4: a decision is owed. SPEC 4.5: `match` and `id` are copied.
      send({ type: "action", match: message.match, id: message.id, action: decide(message) });
      break;
    case "fault": // SPEC 4.6: what we did wrong, in words. Standard error is kept for us.
      console.error(message.text);
      break;
    // SPEC 4: everything else may be passed over, also what is not invented yet.
  }
}

// SPEC 4.8: the reasons of a bye after which all is well, and SPEC 2.5: those after which a bot
// that dials in may come again.
const WELL = ["done", "stopping", "replaced"];
const AGAIN = ["lost", "stopping", "hung", "token-in-use"];

/** @param {Bye} bye */
function onEnd({ reason, text }) {
  const isWell = WELL.includes(reason);
  if (reason === "lost") console.error(`ARENA_CONNECT=${ARENA_CONNECT}: ${text}`);
  else if (reason === "bad-token") console.error(`ARENA_TOKEN: ${text}`);
  else if (!isWell) console.error(text);
  if (ARENA_RETRY_S === undefined || !AGAIN.includes(reason)) process.exit(isWell ? 0 : 1);
  setTimeout(play, Number(ARENA_RETRY_S) * 1000);
}

/** @type {(message: FromBot) => void} */
let send;

function play() {
  send = connect(where, onMessage, onEnd);
  // SPEC 4.1: the token says who we are; the rest is for people.
  send({ type: "hello", protocol: 1, token: ARENA_TOKEN, language: "JavaScript" });
}

play();
