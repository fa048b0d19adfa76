// The wire: a socket, frames on it, msgpack in them. A new idea needs no change here.

import net from "node:net";
import { Decoder, Encoder } from "@msgpack/msgpack";
import type { Bye, FromBot, FromServer } from "./messages.js";

// SPEC 8: no body from the server is longer.
const MAX_BODY_BYTES = 16384;

// Made once and used for every message.
const decoder = new Decoder();
const encoder = new Encoder();

/** A message from a body. The server keeps to SPEC, so its shape is taken on trust. */
export const decode = (body: Uint8Array) => decoder.decode(body) as FromServer;

/** SPEC 3.1: a frame is four bytes of length, big-endian, and a body. */
export function frame(message: FromBot): Buffer {
  const body = encoder.encodeSharedRef(message);
  const bytes = Buffer.allocUnsafe(4 + body.length);
  bytes.writeUInt32BE(body.length);
  bytes.set(body, 4);
  return bytes;
}

/** SPEC 3.1: a read brings what is there, half a header or three frames. */
export class Frames {
  #held: Buffer = Buffer.alloc(0);

  constructor(readonly maxBodyBytes = MAX_BODY_BYTES) {}

  /** The bodies that are complete with this chunk; the rest is held for the next. */
  *take(chunk: Buffer): Generator<Buffer, void> {
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

/** SPEC 2.2: unix:PATH, or tcp:HOST:PORT, where an IPv6 host stands in brackets; else null. */
export function place(address: string): net.NetConnectOpts | null {
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
 */
export function connect(
  where: net.NetConnectOpts,
  onMessage: (message: FromServer) => void,
  onEnd: (bye: Bye) => void,
): (message: FromBot) => void {
  const frames = new Frames();
  const socket = net.connect(where);
  let isOver = false;
  const end = (bye: Bye) => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    onEnd(bye);
  };
  // Without a bye the connection should not end; there is nobody left to play with.
  const lost = (text: string) => end({ type: "bye", reason: "lost", text });
  socket.on("data", (chunk: Buffer) => {
    let bodies: Buffer[];
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
  socket.on("error", (error: NodeJS.ErrnoException) => lost(error.message || `${error.code}`));
  socket.on("end", () => lost("the server closed the connection"));
  return (message) => void socket.write(frame(message));
}
