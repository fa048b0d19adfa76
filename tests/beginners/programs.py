"""Programs with a mistake that beginners make, and leagues of them.

Most stand in tests/bots/misbehaving; what only this folder needs is here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.bots.programs import BOTS

ROOT = Path(__file__).parent.parent.parent

LITTLE_ENDIAN = """
from tests.bots.misbehaving.wire import Wire, hello
wire = Wire()
frame = hello()
wire.send(frame[3::-1] + frame[4:])
wire.receive()
"""
EXITS_ON_END = """
from tests.bots.misbehaving.wire import action, greeted
wire = greeted()
while (message := wire.receive())["type"] != "end":
    if message["type"] == "request":
        wire.send(action(message))
"""
ANSWERS_TWICE = """
from tests.bots.misbehaving.wire import action, misplay
misplay(1, lambda wire, request: wire.send(action(request) * 2), times=1_000_000)
"""
ENDLESS = """
from tests.bots.misbehaving.wire import greeted
wire = greeted()
wire.request()
while True:
    pass
"""
SOURCES: Mapping[str, str] = {
    "little_endian": LITTLE_ENDIAN,
    "exits_on_end": EXITS_ON_END,
    "answers_twice": ANSWERS_TWICE,
    "endless": ENDLESS,
}
SCRIPT = "#!/bin/sh\nexec python3 bot.py\n"


def write_bot(folder: Path, program: str) -> Path:
    """Write a bot folder, called after the program. `program`: its name, and arguments."""
    name, *arguments = program.split()
    bot = folder / name
    bot.mkdir()
    command = ["{python}", "bot.py", *arguments]
    build = ""
    match name:
        case "crlf" | "no_exec_bit":
            command = ["./bot"]
            text = SCRIPT.replace("\n", "\r\n") if name == "crlf" else SCRIPT
            (bot / "bot").write_bytes(text.encode())
            (bot / "bot").chmod(0o755 if name == "crlf" else 0o644)
        case "half_a_build":
            steps = "echo compiling; echo 'bot.c:3: error: no such header' >&2; exit 2"
            build = f"build = {json.dumps(['sh', '-c', steps])}\n"
        case _:
            (bot / "bot.py").write_text(SOURCES.get(name) or (BOTS / f"{name}.py").read_text())
    (bot / "bot.toml").write_text(
        f'name = "{name}"\ncommand = {json.dumps(command)}\ngames = ["nyet"]\n{build}'
        f'connect = ["unix"]\nenv = {{ PYTHONPATH = "{ROOT}" }}\n'
    )
    return bot


def write_league(folder: Path, bots: Iterable[str]) -> Path:
    """Write a league in which each bot, a folder here, plays one match against a good one."""
    names = [*bots]
    rows = "".join(f'[[bots]]\npath = "{name}"\n' for name in names)
    file = folder / "cup.toml"
    file.write_text(
        f'name = "Mistakes"\ngame = "nyet"\nseats = 2\nsets = {len(names)}\nduplicate = false\n'
        'format = "gauntlet"\nchallenger = "python-random"\n'
        "[options]\nrounds = 1\n"
        "[clock]\ndecision_ms = 200\nbank_ms = 300\nhang_ms = 1500\nstart_ms = 3000\n"
        f'[[bots]]\nsample = "python-random"\n{rows}'
    )
    return file
