// @ts-check
// Over an open network (SPEC 2.2): frames in TLS, and frames as WebSocket messages in TLS. Only a
// bot that dials in needs this.

import { createHash, randomBytes } from "node:crypto";
import net from "node:net";
import { Duplex } from "node:stream";
import tls from "node:tls";

// RFC 6455, 1.3: the server proves with it that it has understood the request.
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MAX_HEAD_BYTES = 16384;
// SPEC 8: no body from the server is longer.
const MAX_BODY_BYTES = 16384;
const CONTINUED = 0x0;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

/**
 * Connects by TLS; the certificate is checked against the host. `NODE_EXTRA_CA_CERTS` names the
 * file of a private authority.
 *
 * @param {{ host: string, port: number }} where
 */
export function connectByTls({ host, port }) {
  const servername = net.isIP(host) ? "" : host;
  const socket = tls.connect({ host, port, servername });
  // Else each answer may wait 40 ms, and the clock runs.
  socket.setNoDelay(true);
  return socket;
}

/** A WebSocket as a stream of frames: each write is one frame, and one message. */
export class WebSocketStream extends Duplex {
  #socket;
  #key = randomBytes(16).toString("base64");
  #held = Buffer.alloc(0);
  #message = Buffer.alloc(0);
  #isOpen = false;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {{ host: string, port: number, target: string }} where */
  constructor({ host, port, target }) {
    super({ allowHalfOpen: false });
    const name = net.isIPv6(host) ? `[${host}]` : host;
    this.#socket = connectByTls({ host, port });
    this.#socket.on("secureConnect", () =>
      this.#socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${port === 443 ? name : `${name}:${port}`}\r\n` +
          "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
          `Sec-WebSocket-Key: ${this.#key}\r\n\r\n`,
      ),
    );
    this.#socket.on("data", (chunk) => {
      this.#held = Buffer.concat([this.#held, chunk]);
      try {
        if (!this.#isOpen) this.#open();
        if (this.#isOpen) while (this.#take());
      } catch (error) {
        this.destroy(/** @type {Error} */ (error));
      }
    });
    this.#socket.on("error", (error) => this.destroy(error));
    this.#socket.on("end", () => this.push(null));
  }

  /** Reads the server's answer to the request, once it is whole. */
  #open() {
    const end = this.#held.indexOf("\r\n\r\n");
    if (end < 0) {
      if (this.#held.length > MAX_HEAD_BYTES) throw new Error("no WebSocket is there");
      return;
    }
    const [status, ...lines] = this.#held.subarray(0, end).toString("latin1").split("\r\n");
    this.#held = this.#held.subarray(end + 4);
    const proof = createHash("sha1")
      .update(this.#key + GUID)
      .digest("base64");
    const accept = lines.find((line) => /^sec-websocket-accept:/i.test(line));
    if (!status.startsWith("HTTP/1.1 101") || accept?.split(":")[1].trim() !== proof) {
      throw new Error(`no WebSocket is there: ${status}`);
    }
    this.#isOpen = true;
    for (const write of this.#waiting.splice(0)) write();
  }

  /** Takes one part of a message out of what has come; false if none is whole. */
  #take() {
    const data = this.#held;
    if (data.length < 2) return false;
    let length = data[1];
    let at = 2;
    if (length === 126 || length === 127) {
      at += length === 126 ? 2 : 8;
      if (data.length < at) return false;
      length = length === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
    }
    if (data[1] > 127 || length > MAX_BODY_BYTES) throw new Error("no server of arena is there");
    if (data.length < at + length) return false;
    this.#held = data.subarray(at + length);
    this.#hear(data[0], data.subarray(at, at + length));
    return true;
  }

  /**
   * @param {number} first the first byte of the part: whether it is the last, and its kind
   * @param {Buffer} payload
   */
  #hear(first, payload) {
    switch (first & 0x0f) {
      case BINARY:
      case CONTINUED: {
        this.#message = Buffer.concat([this.#message, payload]);
        if (this.#message.length > MAX_BODY_BYTES) throw new Error("frame-too-long (SPEC 3.2)");
        if (first < 0x80) break;
        const header = Buffer.alloc(4);
        header.writeUInt32BE(this.#message.length);
        this.push(Buffer.concat([header, this.#message]));
        this.#message = Buffer.alloc(0);
        break;
      }
      case PING:
        this.#send(PONG, payload);
        break;
      case CLOSE:
        this.#send(CLOSE, payload.subarray(0, 2));
        this.#socket.end();
        this.push(null);
        break;
    }
  }

  /**
   * Sends one part, masked by four new random bytes, as a client has to.
   *
   * @param {number} kind
   * @param {Buffer} payload
   */
  #send(kind, payload) {
    const isShort = payload.length < 126;
    const header = Buffer.alloc(isShort ? 2 : 4);
    header[0] = 0x80 | kind;
    header[1] = 0x80 | (isShort ? payload.length : 126);
    if (!isShort) header.writeUInt16BE(payload.length, 2);
    const mask = randomBytes(4);
    const hidden = payload.map((byte, at) => byte ^ mask[at % 4]);
    this.#socket.write(Buffer.concat([header, mask, hidden]));
  }

  /** @override */
  _read() {}

  /**
   * @override
   * @param {Buffer} frame
   * @param {BufferEncoding} _encoding
   * @param {() => void} done
   */
  _write(frame, _encoding, done) {
    const write = () => {
      this.#send(BINARY, frame.subarray(4));
      done();
    };
    if (this.#isOpen) write();
    else this.#waiting.push(write);
  }

  /**
   * @override
   * @param {Error | null} error
   * @param {(error: Error | null) => void} done
   */
  _destroy(error, done) {
    this.#socket.destroy();
    done(error);
  }
}
