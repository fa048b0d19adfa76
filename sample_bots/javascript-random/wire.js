// @ts-check
// The wire: a socket, frames on it, msgpack in them. A new idea needs no change here.

/** @import { Bye, FromBot, FromServer } from "./messages.js" */
import net from "node:net";
import { Decoder, Encoder } from "@msgpack/msgpack";

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
 * SPEC 2.2: unix:PATH, or tcp:HOST:PORT, where an IPv6 host stands in brackets; else null.
 *
 * @param {string} address
 * @returns {net.NetConnectOpts | null}
 */
export function place(address) {
  const [, path] = address.match(/^unix:(.+)$/s) ?? [];
  if (path) return { path };
  const [, host, port] = address.match(/^tcp:\[?(.+?)\]?:(\d+)$/) ?? [];
  if (!host || Number(port) < 1 || Number(port) > 65535) return null;
  // Without noDelay each answer may wait 40 ms, and the clock runs.
  return { host, port: Number(port), noDelay: true };
}

/**
 * Connects, and calls `onMessage` for each message; gives a function that sends one. `onEnd` is
 * called once, with the bye (SPEC 4.8), or with the reason "lost" where there was none.
 *
 * @param {net.NetConnectOpts} where
 * @param {(message: FromServer) => void} onMessage
 * @param {(bye: Bye) => void} onEnd
 * @returns {(message: FromBot) => void}
 */
export function connect(where, onMessage, onEnd) {
  const frames = new Frames();
  const socket = net.connect(where);
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
