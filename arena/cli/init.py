"""`arena init`: a league.toml to begin with, every key in it with its reason."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import click

from arena.bots.botfile import FILE_NAME as BOT_FILE
from arena.bots.botfile import BadBotFile, Bot, read_bot_file
from arena.bots.contents import BUILD_OUTPUT
from arena.cli.printer import Printer
from arena.games import GAMES, Game
from arena.games.options import Option
from arena.league.file.keys import KEYS, Key
from arena.league.file.names import another_name, title_of
from arena.league.file.reading import FILE_NAME
from arena.league.file.sources import sample_folders
from arena.league.store.folder import FOLDER_SUFFIX

DEEPEST = 4
"""Bots are looked for this many folders down: a whole home folder would take minutes."""

TABLES = (
    *("options", "clock", "stop", "faults", "confine", "limits", "build", "anchor", "pages"),
    *("tls", "bots"),
)
"""The keys that are written as tables, in the order of the file. TOML wants all others above."""

_HEAD = f"""\
# A league: `arena league` plays it, and goes on with it after a stop.
# Lines that begin with # change nothing; take the mark away to set what they say.
# Results are kept beside this file, in {Path(FILE_NAME).stem}{FOLDER_SUFFIX}/."""


class Lineup:
    """The bots of the new league, and the game that they play."""

    def __init__(self, game: Game):
        self.game = game
        self.names: list[str] = []
        self.lines: list[str] = []  # of the file, for its [[bots]]
        self.left_out: list[str] = []  # lines with the reasons
        self._sizes = {*game.seats}  # of tables that all bots play

    def __repr__(self) -> str:
        return f"<Lineup of {self.names} for {self.game.name}>"

    @property
    def seats(self) -> int:
        """The largest table that all bots play and that they fill; one they fill, if they agree
        on none."""
        filled = [seats for seats in self.game.seats if seats <= len(self.names)]
        return max([seats for seats in filled if seats in self._sizes] or filled)

    def enter(self, bot: Bot, source: str, value: str) -> None:
        """Enter a bot under a name of its own. `source` and `value`: its key in the file."""
        if self.game.name not in bot.games:
            self.leave_out(f"{value}: {bot.name} does not play {self.game.name}")
            return
        self.lines += ["[[bots]]", f"{source} = {quoted(value)}"]
        self._sizes &= {*bot.sizes(self.game.name)}
        name = bot.name
        if name.lower() in (other.lower() for other in self.names):
            name = another_name(name, self.names)
            self.lines.append(f"name = {quoted(name)}")
        self.lines.append("")
        self.names.append(name)

    def leave_out(self, why: str) -> None:
        """Note a bot that is not entered, in one line that is safe in a comment and on a
        terminal."""
        line = why.splitlines()[0]
        self.left_out.append("".join(char if char.isprintable() else "?" for char in line))


@click.command("init")
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
def COMMAND(folder: Path) -> None:  # noqa: N802  # the name that every command module exports
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
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None
    try:
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
    """Yield the folder and all folders above it."""
    whole = Path(os.path.realpath(folder))  # which a loop of links does not end
    yield whole
    yield from whole.parents


def look(here: Path, folder: Path) -> Lineup:
    """Find the bots below `here`, for a league in `folder`."""
    bots: list[tuple[Bot, str]] = []
    bad = []
    for place in bot_folders(here):
        path = os.path.relpath(os.path.realpath(place), os.path.realpath(folder))
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
    field = Lineup(game)
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
    """Yield folders with a bot.toml in the order of their names; a bot holds no other bots."""
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


def league_file(title: str, field: Lineup) -> str:
    """Return the whole text of the file."""
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
    """Return a string of TOML: as JSON writes it, but for one character that TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
