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
# dials in may come again. "lost" is our own word: no connection, or none any more.
WELL = ("done", "stopping", "replaced")
AGAIN = ("lost", "stopping", "hung", "token-in-use")

MAX_BODY_BYTES = 16_384  # SPEC 8: of the body of one frame from the server


def variable(name, expected):
    """SPEC 2.1: a variable of the environment that must be there, in UTF-8."""
    value = os.environ.get(name)
    if not value:
        sys.exit(f"{name} is not set; expected {expected}.")
    try:
        value.encode()
    except UnicodeEncodeError:  # Python keeps the bytes that are not UTF-8 in a form of its own
        sys.exit(f"{name} is {value!r}, which is not UTF-8; expected {expected}.")
    return value


def connect(address):
    """SPEC 2.2: unix:PATH or tcp:HOST:PORT."""
    kind, _, place = address.partition(":")
    host, _, port = place.rpartition(":")
    try:
        if kind == "unix" and place:
            link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            link.connect(place)
            return link
        if kind == "tcp" and host and port.isdecimal() and int(port) <= 65_535:
            link = socket.create_connection((host.strip("[]"), int(port)))
            # Otherwise each answer may wait 40 ms for an acknowledgement, on our clock.
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return link
    # UnicodeError: of a host's name with a part that is empty or too long.
    except (OSError, UnicodeError) as error:
        raise ConnectionError(f"no connection to {address}: {error}") from None
    sys.exit(f"ARENA_CONNECT is {address!r}; expected unix:PATH or tcp:HOST:PORT.")


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
    """One frame, as a map. Perhaps no server of arena is there, so look at the length first."""
    length = int.from_bytes(read_exactly(link, 4), "big")
    if length > MAX_BODY_BYTES:
        raise ConnectionError(f"a frame of {length} bytes came, and SPEC 8 allows {MAX_BODY_BYTES}")
    try:
        message = msgpack.unpackb(read_exactly(link, length))
    except ValueError as error:
        raise ConnectionError(f"a body came that cannot be read: {error}") from None
    if not isinstance(message, dict):
        raise ConnectionError(f"a body came that is not a map: {message!r}")
    return message


def decide(request):
    """Your idea goes here. request["view"] is all that your seat may know."""
    return random.choice(request["legal"])


def play():
    """One session, up to the bye that is returned."""
    address = variable("ARENA_CONNECT", "unix:PATH or tcp:HOST:PORT")
    token = variable("ARENA_TOKEN", "the token of the bot, unchanged")
    link = connect(address)
    # SPEC 4.1: who we are. The token says it; the rest is for people.
    send(link, {"type": "hello", "protocol": 1, "token": token, "language": "Python"})
    while True:
        message = receive(link)
        kind = message.get("type")
        if kind == "request":
            # SPEC 4.5: match and id are copied, action is one of legal.
            answer = {
                "type": "action",
                "match": message["match"],
                "id": message["id"],
                "action": decide(message),
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
    try:
        seconds = None if retry is None else max(0.0, float(retry))
    except ValueError:
        sys.exit(f"ARENA_RETRY_S is {retry!r}; expected a number of seconds.")
    while True:
        try:
            bye = play()
        except OSError as error:
            bye = {"reason": "lost", "text": f"lost the server: {error}"}
        if bye["reason"] not in WELL:
            print(bye["text"], file=sys.stderr)
        if seconds is None or bye["reason"] not in AGAIN:
            sys.exit(0 if bye["reason"] in WELL else 1)
        time.sleep(seconds)


if __name__ == "__main__":
    main()
