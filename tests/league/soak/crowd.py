"""Bots that dial in, come and go: `python -m tests.league.soak.crowd SEED DIARY TOKENS NAME...`.

One process plays all the bots named, until its standard input ends. TOKENS is the folder with the
files for their authors, read anew before each connection; a bot whose file is gone tries its last
token again. Each stays for a while, and then leaves: between two matches, or in the middle of one
in one of several ways. It comes again as another version. DIARY gets what it saw and did.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.thinkers import READ_BYTES, settings_in
from protocol.bot_end import BotEnd
from protocol.errors import Breached
from protocol.limits import CONNECT_VARIABLE, TOKEN_VARIABLE
from tests.league.soak.diary import (
    BROKEN,
    BYE,
    CAME,
    END,
    FAULT,
    LEFT,
    LOST,
    START,
    Diary,
    Entry,
)

# Means of exponential distributions, in seconds.
THINKS, STAYS, RESTS = 0.02, 20.0, 4.0
# One rest of so many is longer than the minute after which a bot is away.
LONG_RESTS, LONG_REST_SECONDS = 12, (62.0, 90.0)
# Crashes without a finished match between, after which a program leaves in peace: one that loses
# five matches in a row is benched.
MOST_CRASHES = 2
# Between two tries while nobody listens, or the token is not valid.
AGAIN_SECONDS = 1.0
# In the middle of a frame of 100 bytes.
HALF_A_FRAME = b"\0\0\0\x64\x84\xa4type"
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, for no time

IN_PEACE = "in peace"


def close(writer: asyncio.StreamWriter) -> None:
    """End the connection in good order."""
    writer.close()


def reset(writer: asyncio.StreamWriter) -> None:
    """End the connection as a machine that has crashed: with an RST."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    writer.transport.abort()


def half_a_frame(writer: asyncio.StreamWriter) -> None:
    """End the connection in the middle of a message."""
    writer.write(HALF_A_FRAME)
    writer.close()


# The ways of leaving in the middle of a match, by name.
CRASHES: Mapping[str, Callable[[asyncio.StreamWriter], None]] = {
    "close": close,
    "reset": reset,
    "half a frame": half_a_frame,
}


class Gone(Exception):
    """The session is over."""


class Caller:
    """One bot, session after session."""

    def __init__(self, name: str, tokens: Path, diary: Diary, rng: random.Random):
        self.name = name
        self._file = tokens / f"{name}.env"
        self._diary = diary
        self._rng = rng
        self._settings: Mapping[str, str] = {}
        self._version = 1
        self._match = ""
        self._crashes = 0  # since it finished a match

    def __repr__(self) -> str:
        return f"<Caller {self.name!r}>"

    async def live(self) -> None:
        """Come and go until cancelled."""
        while True:
            await asyncio.sleep(await self._session())

    def _write(self, what: str, detail: str = "") -> None:
        self._diary.write(Entry(time.time(), self.name, what, self._match, detail))

    async def _session(self) -> float:
        """Play from connecting to the end of the connection; return the seconds to rest."""
        try:
            self._settings = settings_in(self._file)
        except (OSError, ValueError):  # gone, or half written
            if not self._settings:
                return AGAIN_SECONDS
        host, _, port = self._settings[CONNECT_VARIABLE].removeprefix("tcp:").rpartition(":")
        try:
            reader, writer = await asyncio.open_connection(host, int(port))
        except OSError:
            return AGAIN_SECONDS
        try:
            return await self._play(reader, writer)
        except (OSError, Gone):
            self._write(LOST)
            return AGAIN_SECONDS
        except Breached as broken:
            self._write(BROKEN, str(broken))
            return AGAIN_SECONDS
        finally:
            self._match = ""
            writer.close()

    async def _play(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> float:
        end, rng = BotEnd(), self._rng
        leaves_at = time.monotonic() + rng.expovariate(1 / STAYS)
        way = rng.choice([IN_PEACE, *CRASHES])
        if self._crashes >= MOST_CRASHES:
            way = IN_PEACE
        hello = end.hello(self._settings[TOKEN_VARIABLE], version=f"1.{self._version}")
        self._version += 1
        writer.write(hello)
        while True:
            may_leave = way == IN_PEACE and not self._match
            message = await self._next(end, reader, leaves_at if may_leave else None)
            if message is None:  # it is time, and nothing is played
                self._write(LEFT, way)
                return self._rest()
            kind = message["type"]
            if kind == "request" and way != IN_PEACE and time.monotonic() > leaves_at:
                self._write(LEFT, way)
                self._crashes += 1
                CRASHES[way](writer)
                return self._rest()
            if kind == "request":
                await asyncio.sleep(rng.expovariate(1 / THINKS))
                writer.write(end.action(rng.choice(message["legal"])))
            elif kind == "bye":
                self._write(BYE, message["reason"])
                return AGAIN_SECONDS
            else:
                self._hear(kind, message)

    def _hear(self, kind: str, message: Mapping[str, Any]) -> None:
        """Write down a message that wants no answer."""
        if kind == "welcome":
            self._write(CAME, f"1.{self._version - 1}")
        elif kind == "start":
            self._match = message["match"]
            self._write(START)
        elif kind == "end":
            self._write(END, message["ending"])
            self._match = ""
            self._crashes = 0
        elif kind == "fault":
            self._write(FAULT, message["text"])

    async def _next(
        self, end: BotEnd, reader: asyncio.StreamReader, until: float | None
    ) -> Mapping[str, Any] | None:
        """Return the next message; None if none has come by then. Raises Gone at the end."""
        message = end.receive()
        while message is None:
            seconds = None if until is None else max(0.0, until - time.monotonic())
            try:
                async with asyncio.timeout(seconds):
                    data = await reader.read(READ_BYTES)
            except TimeoutError:
                return None
            if not data:
                raise Gone
            message = end.receive(data)
        return message

    def _rest(self) -> float:
        if self._rng.randrange(LONG_RESTS) == 0:
            return self._rng.uniform(*LONG_REST_SECONDS)
        return self._rng.expovariate(1 / RESTS)


async def live(seed: str, diary: Diary, tokens: Path, names: Sequence[str]) -> None:
    """Let all these bots come and go until the end of standard input."""
    loop = asyncio.get_running_loop()
    is_over = asyncio.Event()
    loop.add_reader(0, lambda: is_over.set() if not os.read(0, READ_BYTES) else None)
    callers = [Caller(name, tokens, diary, random.Random(f"{seed} {name}")) for name in names]
    tasks = [asyncio.create_task(each.live()) for each in callers]
    ends = asyncio.create_task(is_over.wait())
    await asyncio.wait([ends, *tasks], return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        if task.done():
            task.result()  # raises: a bug in the soak
        task.cancel()


def main(seed: str, diary: str, tokens: str, *names: str) -> None:
    asyncio.run(live(seed, Diary.append(Path(diary)), Path(tokens), names))


if __name__ == "__main__":
    main(*sys.argv[1:])
