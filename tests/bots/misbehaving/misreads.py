"""A bot with one common mistake, named by its argument.

one-read        takes one read for one message
one-write-each  writes header and body in two calls
strict-fields   gives up at a field it does not know
answers-all     answers whatever it gets
encodes-twice   takes the bytes of its token for characters
trims           sends its token trimmed
small-buffer    has room for 4096 bytes
stays           lives on after bye
prints          writes its hello to standard output
reads-lines     waits for the end of a line
first-id        answers every request with the id of the first
picks-last      sends a text that is not legal when asked for a team
"""

from __future__ import annotations

import os
import socket
import sys
import time
from typing import Any

import msgpack

MISTAKE = sys.argv[1]
KNOWN = {
    "start": {"type", "match", "game", "options", "seats", "names", "seat", "clock", "commitment"},
    "request": {"type", "match", "id", "view", "legal", "time_us", "charged_us"},
}
if MISTAKE == "prints":
    sys.exit(print({"type": "hello", "protocol": 1, "token": os.environ["ARENA_TOKEN"]}))
scheme, _, place = os.environ["ARENA_CONNECT"].partition(":")
if scheme == "unix":
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(place)
else:
    host, _, port = place.rpartition(":")
    sock = socket.create_connection((host.strip("[]"), int(port)))


def read_exactly(count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = sock.recv(count - len(data))
        if not part:
            sys.exit(1)
        data += part
    return data


def receive() -> dict[str, Any]:
    if MISTAKE == "one-read":
        data = sock.recv(65_536)
        if not data:
            sys.exit(1)
        return unpacked(data[4:])
    size = int.from_bytes(read_exactly(4), "big")
    if MISTAKE == "small-buffer" and size > 4096:
        sys.exit("message too long")
    return unpacked(read_exactly(size))


def unpacked(body: bytes) -> dict[str, Any]:
    message: dict[str, Any] = msgpack.unpackb(body)
    return message


def send(message: dict[str, Any]) -> None:
    body = msgpack.packb(message)
    header = len(body).to_bytes(4, "big")
    if MISTAKE == "one-write-each":
        sock.sendall(header)
        time.sleep(0.002)
        sock.sendall(body)
    else:
        sock.sendall(header + body)


token = os.environ["ARENA_TOKEN"]
if MISTAKE == "trims":
    token = token.strip()
if MISTAKE == "encodes-twice":
    token = os.environb[b"ARENA_TOKEN"].decode("latin-1")
send({"type": "hello", "protocol": 1, "token": token})
if MISTAKE == "reads-lines":
    while b"\n" not in sock.recv(65_536):
        pass
while True:
    message = receive()
    kind = message["type"]
    if MISTAKE == "strict-fields" and message.keys() > KNOWN.get(kind, message.keys()):
        sys.exit(f"unknown field in {kind}")
    if kind == "bye":
        if MISTAKE == "stays":
            time.sleep(60)
        sys.exit(0)
    if kind == "request" or (MISTAKE == "answers-all" and kind not in ("welcome", "start")):
        action = message.get("legal", ["none"])[0]
        if MISTAKE == "picks-last" and message["view"]["phase"] == "team":
            action = action.removeprefix("team:")
        send(
            {
                "type": "action",
                "match": message.get("match") or "",
                "id": 1 if MISTAKE == "first-id" else message.get("id") or 0,
                "action": action,
            }
        )
