"""Writes down every message it gets, with the process that got it, and plays the first action.

The file is named by its argument, without which it is no use.
"""

import json
import os
import socket
import sys
from pathlib import Path

import msgpack

FILE = Path(sys.argv[1])
scheme, _, place = os.environ["ARENA_CONNECT"].partition(":")
assert scheme == "unix"
sock = socket.socket(socket.AF_UNIX)
sock.connect(place)
stream = sock.makefile("rwb")


def send(message: object) -> None:
    body = msgpack.packb(message)
    stream.write(len(body).to_bytes(4, "big") + body)
    stream.flush()


send({"type": "hello", "protocol": 1, "token": os.environ["ARENA_TOKEN"]})
with FILE.open("a") as file:
    while header := stream.read(4):
        message = msgpack.unpackb(stream.read(int.from_bytes(header, "big")))
        file.write(json.dumps([os.getpid(), message]) + "\n")
        file.flush()
        if message["type"] == "request":
            answer = {name: message[name] for name in ("match", "id")}
            send({"type": "action", "action": message["legal"][0], **answer})
        if message["type"] == "bye":
            break
