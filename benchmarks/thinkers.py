"""Bots that dial in and think: `python -m benchmarks.thinkers KIND MS FILE...`.

KIND is `wait`, where a decision takes MS milliseconds and no processor time of this machine, as of
bots on other machines; or `burn`, where it takes MS milliseconds of this process's processor time.
Each FILE is that of one bot's author, with address and token. One process plays all of them, so
`burn` wants a process for each bot. It ends when the league has said bye to all its bots.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from protocol.bot_end import BotEnd
from protocol.limits import CONNECT_VARIABLE, TOKEN_VARIABLE

Think = Callable[[float], Awaitable[None]]
"""Takes so many seconds."""

# Between two tries while nobody listens yet.
AGAIN_SECONDS = 0.05
READ_BYTES = 65_536


async def burn(seconds: float) -> None:
    """Use so much processor time."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


THINK: Mapping[str, Think] = {"wait": asyncio.sleep, "burn": burn}


def settings_in(file: Path) -> Mapping[str, str]:
    """Read a file for the author of a bot that dials in."""
    lines = file.read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


async def play(file: Path, think: Think, seconds: float) -> None:
    """Play one bot from connecting to bye: it answers the first legal action."""
    settings = settings_in(file)
    host, _, port = settings[CONNECT_VARIABLE].removeprefix("tcp:").rpartition(":")
    while True:
        try:
            # asyncio switches Nagle's algorithm off by itself.
            reader, writer = await asyncio.open_connection(host, int(port))
            break
        except ConnectionError:
            await asyncio.sleep(AGAIN_SECONDS)
    end = BotEnd()
    writer.write(end.hello(settings[TOKEN_VARIABLE]))
    while data := await reader.read(READ_BYTES):
        message = end.receive(data)
        while message is not None:
            if message["type"] == "request":
                await think(seconds)
                writer.write(end.action(message["legal"][0]))
            message = end.receive()
    writer.close()


async def play_all(files: Sequence[Path], think: Think, seconds: float) -> None:
    async with asyncio.TaskGroup() as tasks:
        for file in files:
            tasks.create_task(play(file, think, seconds))


def main(arguments: Sequence[str]) -> None:
    kind, milliseconds, *files = arguments
    asyncio.run(play_all([*map(Path, files)], THINK[kind], float(milliseconds) / 1000))


if __name__ == "__main__":
    main(sys.argv[1:])
