"""The whole protocol in one file: the standard library and msgpack, nothing of arena's.

Read it from the bottom. Every line that touches the wire names its section of SPEC.md.
"""

import os
import random
import socket
import sys
import time

import msgpack

# SPEC 4.8: the reasons of `bye` after which all is well, and 2.5: those after which a bot that
# dials in may come again.
WELL = ("done", "stopping", "replaced")
AGAIN = ("stopping", "hung", "token-in-use")


def connect(address):
    """SPEC 2.2: unix:PATH or tcp:HOST:PORT."""
    kind, _, place = address.partition(":")
    if kind == "unix":
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.connect(place)
        return link
    host, _, port = place.rpartition(":")
    link = socket.create_connection((host.strip("[]"), int(port)))
    # Otherwise each answer may wait 40 ms for an acknowledgement, on our clock.
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def send(link, message):
    """SPEC 3.1: four bytes of length, then the body, in one call."""
    body = msgpack.packb(message)
    link.sendall(len(body).to_bytes(4, "big") + body)


def read_exactly(link, count):
    """A stream has no message boundaries: what we ask for may come in pieces."""
    data = b""
    while len(data) < count:
        part = link.recv(count - len(data))
        if not part:
            raise ConnectionError("the server closed the connection without a bye")
        data += part
    return data


def receive(link):
    """One frame, as a map."""
    length = int.from_bytes(read_exactly(link, 4), "big")
    return msgpack.unpackb(read_exactly(link, length))


def decide(view, legal):
    """Your ideas go here."""
    return random.choice(legal)


def play():
    """One session, up to the bye that is returned."""
    link = connect(os.environ["ARENA_CONNECT"])
    # SPEC 4.1: who we are. The token says it; the rest is for people.
    token = os.environ["ARENA_TOKEN"]
    send(link, {"type": "hello", "protocol": 1, "token": token, "language": "Python"})
    while True:
        message = receive(link)
        kind = message["type"]
        if kind == "request":
            # SPEC 4.5: match and id are copied, action is one of legal.
            answer = {
                "type": "action",
                "match": message["match"],
                "id": message["id"],
                "action": decide(message["view"], message["legal"]),
            }
            send(link, answer)
        elif kind == "fault":
            # SPEC 4.6: what we did wrong, in words. Standard error is kept for us.
            print(message["text"], file=sys.stderr)
        elif kind == "bye":
            # SPEC 4.8: the server hangs up, and says why.
            return message
        # SPEC 4: everything else may be passed over, also what is not invented yet.


def main():
    # SPEC 2.5: only bots that dial in have this; others end with their connection.
    retry = os.environ.get("ARENA_RETRY_S")
    while True:
        try:
            bye = play()
        except OSError as error:
            bye = {"reason": "lost", "text": f"no connection: {error}"}
        if bye["reason"] not in WELL:
            print(bye["text"], file=sys.stderr)
        if retry is None or bye["reason"] not in ("lost", *AGAIN):
            sys.exit(0 if bye["reason"] in WELL else 1)
        time.sleep(float(retry))


if __name__ == "__main__":
    main()
