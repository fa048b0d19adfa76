// Plays any legal action, in every game. Your idea goes into `choose`.

import type { Bye, FromBot, FromServer, Request } from "./messages.js";
import { connect } from "./wire.js";

/**
 * One of `request.legal`. What the decision needs is in `request.view` (SPEC 10.3), and
 * `request.time_us` is how long you have to think, in microseconds (SPEC 6.2).
 */
function choose(request: Request): string {
  const { legal } = request;
  return legal[Math.floor(Math.random() * legal.length)]!;
}

function onMessage(message: FromServer): void {
  switch (message.type) {
    case "request": // SPEC 4.4: a decision is owed. SPEC 4.5: `match` and `id` are copied.
      send({ type: "action", match: message.match, id: message.id, action: choose(message) });
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

function onEnd({ reason, text }: Bye): void {
  const isWell = WELL.includes(reason);
  if (!isWell) console.error(text);
  // SPEC 2.5: only bots that dial in have this; others end with their connection.
  const retry = process.env.ARENA_RETRY_S;
  if (!retry || !AGAIN.includes(reason)) process.exit(isWell ? 0 : 1);
  setTimeout(play, Number(retry) * 1000);
}

let send: (message: FromBot) => void;

function play(): void {
  send = connect(process.env.ARENA_CONNECT, onMessage, onEnd);
  // SPEC 4.1: the token says who we are; the rest is for people.
  const token = process.env.ARENA_TOKEN ?? "";
  send({ type: "hello", protocol: 1, token, language: "TypeScript" });
}

play();
