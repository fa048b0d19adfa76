"""Tools for tests; they have tests of their own in test_helpers.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgpack

from protocol.bot_end import BotEnd
from protocol.breach import Breach
from protocol.faults import fault_message
from protocol.messages import Action, End, Fault, Hello, Start, Welcome
from protocol.server_end import Received, ServerEnd

# Modules that cannot be imported without the extra `rl`, which quick tests have not.
NEED_EXTRAS = {
    f"arena.rl.{each}" for each in ("aec", "parallel", "seat_arrays", "spiel", "spiel_observer")
}


def framed(body: bytes) -> bytes:
    """A body with its header, by nothing but the rule in SPEC 3.1."""
    return len(body).to_bytes(4, "big") + body


def packed(message: object) -> bytes:
    """A frame of anything at all, right or wrong."""
    return framed(msgpack.packb(message))


def fault_of(breach: Breach, *, again: bool = False) -> Fault:
    """The `fault` for a breach that is the first of its match, or a further miss."""
    return fault_message(
        breach,
        match="m",
        id_=1,
        played="R1",
        faults=1,
        forfeit=False,
        faults_to_forfeit=3,
        again=again,
    )


class ConnectionPair:
    """A server's and a bot's end with nothing but memory between them.

    Whatever one end makes the other takes at once, cut into pieces of `piece` bytes.
    """

    def __init__(self, piece: int = 65_536) -> None:
        self.server = ServerEnd()
        self.bot = BotEnd()
        self.piece = piece

    def to_server(self, data: bytes) -> list[Received]:
        """What the server's end makes of bytes from the bot."""
        seen = []
        for start in range(0, len(data), self.piece):
            what = self.server.receive(data[start : start + self.piece])
            while what is not None:
                seen.append(what)
                what = self.server.receive()
        return seen

    def to_bot(self, data: bytes) -> list[Mapping[str, Any]]:
        """What the bot's end makes of bytes from the server."""
        seen: list[Mapping[str, Any]] = []
        for start in range(0, len(data), self.piece):
            message = self.bot.receive(data[start : start + self.piece])
            while message is not None:
                seen.append(message)
                message = self.bot.receive()
        return seen

    def greet(self) -> None:
        """Hello and welcome."""
        (hello,) = self.to_server(self.bot.hello("token"))
        assert isinstance(hello, Hello)
        self.to_bot(self.server.send(Welcome(1, "fox", (), {})))

    def start(self, match: str = "m-1") -> None:
        """A match of a toy game begins."""
        self.to_bot(self.server.send(Start(match, "toy", {}, 2, ("seat 0", "seat 1"), 0, {}, "")))

    def ask(self, legal: tuple[str, ...] = ("G2", "G9"), match: str = "m-1") -> None:
        """The server asks; the bot has not answered yet."""
        self.to_bot(self.server.request(match, {}, legal, 10_100_000, 0))

    def answer(self, action: str = "G2", note: str = "") -> Action:
        """The bot answers as it should."""
        (what,) = self.to_server(self.bot.action(action, note))
        assert isinstance(what, Action)
        return what

    def end(self, match: str = "m-1") -> None:
        """The match is over."""
        self.to_bot(self.server.send(End(match, (1, 0), (1, 2), "played-out", (), ())))


def pair_in(state: str) -> ConnectionPair:
    """A pair as the violation vectors want it: match m-1, three requests made."""
    pair = ConnectionPair()
    if state == "opened":
        return pair
    pair.greet()
    pair.start()
    for asked in (1, 2, 3):
        pair.ask()
        if asked < 3 or state != "asked":
            pair.answer()
    if state == "idle":
        pair.end()
    assert pair.server.state.value == state
    return pair
