"""A referee of its own that is to be stopped: `python -m tests.referee.stopped_referee PATH`.

Listens at PATH, takes two bots, plays one round of nyet with them under the real clock, and
prints as JSON what came of it.
"""

from __future__ import annotations

import json
import socket
import sys

import trio

from arena.record.timing import Timing
from arena.referee.match import Plan
from arena.referee.table import play
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout, open_lookout
from protocol.messages import Hello, Welcome
from protocol.server_end import ServerEnd

# Much less than the stop, and much more than a bot needs.
ALLOWED = Timing(decision_ms=600, bank_ms=0, hang_ms=60_000)


def accepted(listener: socket.socket, lookout: Lookout) -> Link:
    sock, _ = listener.accept()
    end = ServerEnd()
    hello = end.receive(sock.recv(4096))
    assert isinstance(hello, Hello)
    sock.setblocking(False)
    link = Link(sock, end, lookout, hello.token)
    link.tell(Welcome(1, hello.token, (), {}))
    return link


async def main(path: str) -> None:
    lookout = Lookout()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("listening", flush=True)
        links = [accepted(listener, lookout) for _ in range(2)]
    plan = Plan("m-1", "nyet", 2, b"seed", ("one", "two"), {"rounds": 1}, ALLOWED)
    async with open_lookout(lookout):
        played = await play(plan, links)
    for link in links:
        link.hang_up("done")
    report = {
        "ending": played.record.ending,
        "faults": [kept.code for kept in played.evidence],
        "slowest_us": max(move.time_us for move in played.record.moves),
        "is_void": played.lag is not None,
        "lag_us": lookout.lag.lag_us,
    }
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    trio.run(main, sys.argv[1])
