"""Bots that cost next to nothing, connected: what the referee's benchmarks play with.

`null_bot.c` is built with cc into a temporary folder. Bots are started without a warden, their
hellos are taken here with plain blocking calls, and from then on the links are the referee's
own; they are used again from one measurement to the next, as bots stay from match to match.
"""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import trio

from arena.referee.match import Plan, Result
from arena.referee.table import play
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout, open_lookout
from arena.referee.wire.stamps import NoStamps, Stamps
from protocol.messages import Hello, Welcome
from protocol.server_end import ServerEnd

Family: TypeAlias = Literal["unix", "tcp"]

HERE = Path(__file__).parent


@contextmanager
def built_null_bot() -> Iterator[str]:
    """The path of the program, for as long as the scope lasts."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "null_bot")
        source = str(HERE / "null_bot.c")
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", program, source], check=True)
        yield program


class Bots:
    """A listener, the bots that came to it, and the referee's lookout."""

    def __init__(self, family: Family, folder: str):
        self.lookout = Lookout()
        self.links: list[Link] = []
        self.family = family
        self._bots: list[subprocess.Popen[bytes]] = []
        if family == "unix":
            self._listener = socket.socket(socket.AF_UNIX)
            path = f"{folder}/socket"
            self._listener.bind(path)
            self.address = f"unix:{path}"
        else:
            self._listener = socket.create_server(("127.0.0.1", 0))
            self.address = f"tcp:127.0.0.1:{self._listener.getsockname()[1]}"
        self._listener.listen(4096)

    def start(self, command: Sequence[str], tokens: Sequence[str], *, in_arguments: bool) -> None:
        """Start a program and take its hellos, one for each token.

        Null bots get address and tokens as arguments, others in their environment.
        """
        environment: Mapping[str, str] = os.environ
        if in_arguments:
            command = [*command, self.address, *tokens]
        else:
            (token,) = tokens
            given = {"ARENA_CONNECT": self.address, "ARENA_TOKEN": token}
            environment = {**os.environ, **given}
        # Each in a session of its own, as the warden starts them: the kernel's autogroups then
        # share the processors out between bots, and not between terminals.
        bot = subprocess.Popen(command, env=environment, start_new_session=True)
        self._bots.append(bot)
        links = {}
        for _ in tokens:
            link, token = self._accept()
            links[token] = link
        self.links += [links[token] for token in tokens]

    def _accept(self) -> tuple[Link, str]:
        sock, _ = self._listener.accept()
        end = ServerEnd()
        hello = end.receive(sock.recv(4096))
        assert isinstance(hello, Hello), hello
        sock.setblocking(False)
        unix = self.family == "unix"
        stamps = NoStamps(sock, self.lookout.lag) if unix else Stamps(sock, self.lookout.now)
        link = Link(sock, end, self.lookout, hello.token, stamps)
        link.tell(Welcome(1, hello.token, (), {}))
        return link, hello.token

    def say_bye(self) -> None:
        """End the bots; their reports are written when this returns."""

        async def hang_up() -> None:
            for link in self.links:
                link.hang_up("done")

        trio.run(hang_up)
        for bot in self._bots:
            bot.wait()
        self._bots.clear()

    def close(self) -> None:
        """End what is left."""
        for link in self.links:
            link.sock.close()
        for bot in self._bots:
            bot.kill()
            bot.wait()
        self._listener.close()
        self.lookout.close()

    async def play(self, plans: Sequence[Plan]) -> list[Result]:
        """All at once, each on as many links as it has seats, the lookout at work."""
        results: list[Result | None] = [None] * len(plans)

        async def one(number: int, plan: Plan, links: Sequence[Link]) -> None:
            results[number] = await play(plan, links)

        async with open_lookout(self.lookout), trio.open_nursery() as playing:
            first = 0
            for number, plan in enumerate(plans):
                links = self.links[first : first + plan.seats]
                first += plan.seats
                playing.start_soon(one, number, plan, links)
        played = [each for each in results if each is not None]
        for each in played:
            assert each.lag is None, each.lag
            assert not each.evidence, each.evidence[0]
        return played


@contextmanager
def open_bots(family: Family) -> Iterator[Bots]:
    """Bots that end with the scope."""
    with ExitStack() as stack:
        bots = Bots(family, stack.enter_context(tempfile.TemporaryDirectory()))
        stack.callback(bots.close)
        yield bots
        bots.say_bye()


def plans_for(game: str, seats: int, count: int, **options: object) -> list[Plan]:
    """So many matches, each with a seed of its own, the same ones every time."""
    names = tuple(f"bot {seat}" for seat in range(seats))
    return [
        Plan(f"m-{number:016x}", game, seats, number.to_bytes(32, "big"), names, options)
        for number in range(count)
    ]
