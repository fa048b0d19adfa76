// @ts-check
// The wire: a socket, frames on it, msgpack in them. A new idea needs no change here.

/** @import { Bye, FromBot, FromServer } from "./messages.js" */
import net from "node:net";
import { Decoder, Encoder } from "@msgpack/msgpack";
import { connectByTls, WebSocketStream } from "./secure.js";

// SPEC 8: no body from the server is longer.
const MAX_BODY_BYTES = 16384;

// Made once and used for every message.
const decoder = new Decoder();
const encoder = new Encoder();

/**
 * A message from a body. The server keeps to SPEC, so its shape is taken on trust.
 *
 * @param {Uint8Array} body
 */
export const decode = (body) => /** @type {FromServer} */ (decoder.decode(body));

/**
 * SPEC 3.1: a frame is four bytes of length, big-endian, and a body.
 *
 * @param {FromBot} message
 */
export function frame(message) {
  const body = encoder.encodeSharedRef(message);
  const bytes = Buffer.allocUnsafe(4 + body.length);
  bytes.writeUInt32BE(body.length);
  bytes.set(body, 4);
  return bytes;
}

/** SPEC 3.1: a read brings what is there, half a header or three frames. */
export class Frames {
  #held = Buffer.alloc(0);

  constructor(maxBodyBytes = MAX_BODY_BYTES) {
    this.maxBodyBytes = maxBodyBytes;
  }

  /**
   * The bodies that are complete with this chunk; the rest is held for the next.
   *
   * @param {Buffer<ArrayBuffer>} chunk
   */
  *take(chunk) {
    let data = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    while (data.length >= 4) {
      const length = data.readUInt32BE();
      if (length > this.maxBodyBytes) {
        throw new Error(`frame-too-long: a body of ${length} bytes (SPEC 3.2)`);
      }
      if (data.length < 4 + length) break;
      yield data.subarray(4, 4 + length);
      data = data.subarray(4 + length);
    }
    this.#held = data;
  }
}

/**
 * @typedef {{ way: "unix", path: string }
 *   | { way: "tcp" | "tls", host: string, port: number }
 *   | { way: "wss", host: string, port: number, target: string }} Where
 */

/**
 * SPEC 2.2: unix:PATH, tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH, where an IPv6 host stands
 * in brackets; else null.
 *
 * @param {string} address
 * @returns {Where | null}
 */
export function place(address) {
  const [, path] = address.match(/^unix:(.+)$/s) ?? [];
  if (path) return { way: "unix", path };
  const [, way, host, port] =
    address.match(/^(tcp|tls):\[?(.+?)\]?:(\d+)$/) ??
    address.match(/^(wss):\/\/\[?([^/]+?)\]?(?::(\d+))?(?:\/.*)?$/) ??
    [];
  const number = Number(port ?? 443);
  if (!host || number < 1 || number > 65535) return null;
  if (way !== "wss") return { way: way === "tls" ? "tls" : "tcp", host, port: number };
  const target = address.slice("wss://".length).match(/\/[!-~]*$/)?.[0] ?? "/";
  return { way, host, port: number, target };
}

/**
 * A stream of frames to this place.
 *
 * @param {Where} where
 */
function dial(where) {
  switch (where.way) {
    case "unix":
      return net.connect({ path: where.path });
    case "tcp":
      // Without noDelay each answer may wait 40 ms, and the clock runs.
      return net.connect({ host: where.host, port: where.port, noDelay: true });
    case "tls":
      return connectByTls(where);
    case "wss":
      return new WebSocketStream(where);
  }
}

/**
 * Connects, and calls `onMessage` for each message; gives a function that sends one. `onEnd` is
 * called once, with the bye (SPEC 4.8), or with the reason "lost" where there was none.
 *
 * @param {Where} where
 * @param {(message: FromServer) => void} onMessage
 * @param {(bye: Bye) => void} onEnd
 * @returns {(message: FromBot) => void}
 */
export function connect(where, onMessage, onEnd) {
  const frames = new Frames();
  const socket = dial(where);
  let isOver = false;
  const end = (bye) => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    onEnd(bye);
  };
  // Without a bye the connection should not end; there is nobody left to play with.
  const lost = (text) => end({ type: "bye", reason: "lost", text });
  socket.on("data", (chunk) => {
    let bodies;
    try {
      bodies = [...frames.take(chunk)];
    } catch (error) {
      return lost(`no server of arena is there: ${error}`);
    }
    for (const body of bodies) {
      const message = decode(body);
      if (message.type === "bye") return end(message);
      onMessage(message);
    }
  });
  // The error of a host with two addresses has no message.
  socket.on("error", (/** @type {NodeJS.ErrnoException} */ error) =>
    lost(error.message || `${error.code}`),
  );
  socket.on("end", () => lost("the server closed the connection"));
  return (message) => socket.write(frame(message));
}
