"""`arena init`: a league.toml to begin with, every key in it with its reason."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import click

from arena.cli.printer import Printer
from arena.games import GAMES, Game
from arena.games.options import Option
from arena.league.file import FILE_NAME, another_name, title_of
from arena.league.keys import KEYS, Key
from arena.league.opening import FOLDER_SUFFIX
from arena.league.sources import sample_folders
from arena.referee.botfile import FILE_NAME as BOT_FILE
from arena.referee.botfile import BadBotFile, Bot, read_bot_file
from arena.referee.contents import BUILD_OUTPUT

DEEPEST = 4
"""So many folders down bots are looked for: in a home folder it would take minutes to see all."""

TABLES = ("options", "clock", "faults", "anchor", "bots")
"""Those keys that are written as tables, in the order of the file: what is above all tables
must come first."""

_HEAD = f"""\
# A league: `arena league` plays it, and goes on with it after a stop.
# Lines that begin with # change nothing; take the mark away to set what they say.
# Results are kept beside this file, in {Path(FILE_NAME).stem}{FOLDER_SUFFIX}/."""


class Field:
    """The bots of the new league, and the game that they play."""

    def __init__(self, game: Game):
        self.game = game
        self.names: list[str] = []
        self.lines: list[str] = []  # of the file
        self.left_out: list[str] = []  # and why

    def __repr__(self) -> str:
        return f"<Field of {self.names} for {self.game.name}>"

    @property
    def seats(self) -> int:
        """As many as there are bots, at most the largest table."""
        return max(seats for seats in self.game.seats if seats <= len(self.names))

    def enter(self, bot: Bot, source: str, value: str) -> None:
        """One more bot, under a name of its own."""
        if self.game.name not in bot.games:
            self.leave_out(f"{value}: {bot.name} does not play {self.game.name}")
            return
        self.lines += ["[[bots]]", f"{source} = {quoted(value)}"]
        name = bot.name
        if name.lower() in (other.lower() for other in self.names):
            name = another_name(name, self.names)
            self.lines.append(f"name = {quoted(name)}")
        self.lines.append("")
        self.names.append(name)

    def leave_out(self, why: str) -> None:
        """A line that stays one in a comment, and does nothing to a terminal."""
        line = why.splitlines()[0]
        self.left_out.append("".join(char if char.isprintable() else "?" for char in line))


@click.command("init")
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
def COMMAND(folder: Path) -> None:  # noqa: N802  # what every command module exports
    """Write FOLDER/league.toml, with all keys and the bots below the current folder.

    Bots are folders with a bot.toml; where there are none, or too few for a table, sample bots
    fill it. The game is one that they all play, or most. A file that is there is not touched.

    \b
    Examples:
      arena init
      arena init sunday-league && arena league sunday-league/league.toml
    """
    file = folder / FILE_NAME
    inside = next((each for each in around(folder) if (each / BOT_FILE).is_file()), None)
    if inside is not None:
        raise click.UsageError(
            f"{inside} is the folder of a bot, and a bot is all its files: a league kept in it "
            "would change it with every match. Name a folder outside, such as "
            f"`arena init {shlex.quote(os.path.join(os.path.relpath(inside.parent), 'league'))}`"
        )
    field = look(Path.cwd(), folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as written:
            written.write(league_file(title_of(folder.resolve().name), field))
    except FileExistsError:
        raise click.ClickException(
            f"{file} is there already, and stays as it is; edit it, or name another folder: "
            "`arena init FOLDER`"
        ) from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None
    printer = Printer()
    printer(f"{file}: {field.game.name} at {field.seats} seats, {', '.join(field.names)}")
    for line in field.left_out:
        click.echo(f"left out: {line}", err=True)
    is_default = folder.resolve() == Path.cwd().resolve()
    command = "arena league" if is_default else f"arena league {shlex.quote(str(file))}"
    printer(f"next: look through the file, then `{command}`")
    printer.end()


def around(folder: Path) -> Iterator[Path]:
    """The folder and all that it lies in."""
    whole = folder.resolve()
    yield whole
    yield from whole.parents


def look(here: Path, folder: Path) -> Field:
    """The bots below here, for a league in the folder."""
    bots: list[tuple[Bot, str]] = []
    bad = []
    for place in bot_folders(here):
        path = os.path.relpath(place.resolve(), folder.resolve())
        try:
            path.encode()
            bots.append((read_bot_file(place / BOT_FILE), path))
        except UnicodeEncodeError:
            bad.append(f"{path!a}: its name is not UTF-8, and cannot stand in the file")
        except BadBotFile as error:
            bad.append(error.problems[0])
    # Without a build, so that a first league needs no other language.
    read = [(read_bot_file(place / BOT_FILE), name) for name, place in sample_folders().items()]
    samples = [(bot, name) for bot, name in read if bot.build is None]
    players = [bot for bot, _ in bots or samples]
    game = max(GAMES.values(), key=lambda game: sum(game.name in bot.games for bot in players))
    field = Field(game)
    for why in bad:
        field.leave_out(why)
    for bot, path in bots:
        field.enter(bot, "path", path)
    fitting = [(bot, name) for bot, name in samples if game.name in bot.games]
    lacking = max(0, game.seats[0] - len(field.names)) if bots else len(fitting)
    for bot, name in islice(cycle(fitting), lacking):
        field.enter(bot, "sample", name)
    return field


def bot_folders(here: Path) -> Iterator[Path]:
    """Folders with a bot.toml, in the order of their names; nothing inside a bot is another."""
    for place, folders, files in os.walk(here):
        depth = len(Path(place).relative_to(here).parts)
        if BOT_FILE in files:
            yield Path(place)
        folders[:] = sorted(
            name
            for name in folders
            if BOT_FILE not in files
            and depth < DEEPEST
            and not name.startswith(".")
            and not name.endswith(FOLDER_SUFFIX)
            and name not in BUILD_OUTPUT
        )


def league_file(title: str, field: Field) -> str:
    """The whole text."""
    first = quoted(field.names[0])
    is_set = {
        "name": f"name = {quoted(title)}",
        "game": f"game = {quoted(field.game.name)}",
        "seats": f"seats = {field.seats}",
        "sets": KEYS[""]["sets"].example,
    }
    could_be = {"challenger": f"# challenger = {first}", "bots": f"# bots = {first}"}
    lines = [*_HEAD.splitlines(), ""]
    for name, key in KEYS[""].items():
        if name not in TABLES:
            lines += [about(key), is_set.get(name) or could_be.get(name, f"# {key.example}"), ""]
    for table in TABLES:
        lines.append(f"# {KEYS[''][table].why}")
        if table == "bots":
            lines += [f"#   {key.example:<28} {key.why}" for key in KEYS[table].values()]
            lines += ["", *field.lines]
            continue
        lines.append(f"[{table}]")
        for name, key in KEYS.get(table, {}).items():
            lines += [about(key), could_be.get(name, f"# {key.example}")]
        if table == "options":
            lines += [f"#   {about_option(option)}" for option in field.game.options]
        lines.append("")
    lines += [f"# Left out: {why}" for why in field.left_out]
    return "\n".join(lines).rstrip() + "\n"


def about(key: Key) -> str:
    return f"# {key.why}" + (f" Default: {key.default}." if key.default else "")


def about_option(option: Option) -> str:
    text = f"{option.name}: {option.meaning}; default: {option.default_in_words}"
    return text.replace("`", "")


def quoted(text: str) -> str:
    """A string of TOML. JSON writes it the same, but for one character that TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
