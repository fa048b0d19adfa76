// Plays any legal action, in all four games. Your idea goes into `choose`.

import type { FromServer, Request } from "./messages.js";
import { connect } from "./wire.js";

/**
 * One of `request.legal`. What your seat may know is in `request.view` (SPEC 10.3): the whole
 * round so far, so there is nothing to remember. `request.time_us` is what you have to think.
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
    case "bye": // SPEC 4.8: the one way a session ends well.
      process.exit(0);
    // SPEC 4: everything else may be passed over, also what is not invented yet.
  }
}

const send = connect(process.env.ARENA_CONNECT, onMessage);

// SPEC 4.1: the token says who we are; the rest is for people.
const token = process.env.ARENA_TOKEN ?? "";
send({ type: "hello", protocol: 1, token, language: "TypeScript" });
