"""Sources of a league's bots: folders, command lines and the bundled bots.

Files are only read; nothing is built or run.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from arena import data
from arena.bots.botfile import FILE_NAME as BOT_FILE
from arena.bots.botfile import BadBotFile, Bot, bot_of_command_line, read_bot_file
from arena.league.file.keys import KEYS
from arena.text import did_you_mean

DIALS_IN = "dials_in"
SOURCES = ("path", "command", "sample", DIALS_IN)
"""Keys of [[bots]]: each bot has exactly one of them."""


def bot_from(source: str, value: str, folder: Path) -> Bot:
    """Return the bot that one of the first three `SOURCES` names; raises BadBotFile.

    `folder`: paths are relative to it.
    """
    if source == "command":
        return _program(folder, value)
    if source == "sample":
        samples = sample_folders()
        if value not in samples:
            there_are = f"there is no such sample bot; there are {', '.join(samples)}."
            raise BadBotFile([there_are + did_you_mean(value, samples)])
        return read_bot_file(samples[value] / BOT_FILE)
    path = folder / value
    if path.is_dir():
        return read_bot_file(path / BOT_FILE)
    if path.is_file() and path.suffix != ".toml":
        command = KEYS["bots"]["command"].example
        raise BadBotFile(
            [
                f"is a file; name the folder with its {BOT_FILE}, or write a command line."
                f" For instance: {command}"
            ]
        )
    if not path.exists():
        raise BadBotFile([f"there is no {path}.{_neighbour(path)}"])
    return read_bot_file(path)


def sample_folders() -> dict[str, Path]:
    """Return the folders of the bundled bots by name."""
    files = sorted(data.sample_bots().glob(f"*/{BOT_FILE}"))
    return {file.parent.name: file.parent for file in files}


def _program(folder: Path, line: str) -> Bot:
    """Return a bot that is only a command line, run in this folder and named after its program."""
    bot = bot_of_command_line(line)
    program = next((word for word in bot.command[1:] if (folder / word).is_file()), bot.command[0])
    return replace(bot, name=bot_of_command_line(shlex.quote(program)).name, folder=folder)


def _neighbour(path: Path) -> str:
    """Return a hint at a folder beside one that does not exist."""
    if not path.parent.is_dir():
        return f" There is no {path.parent} either; paths are as seen from the folder of this file"
    near = did_you_mean(path.name, (file.parent.name for file in path.parent.glob(f"*/{BOT_FILE}")))
    return near or f" A bot's folder is one with a {BOT_FILE}, as seen from the folder of this file"
