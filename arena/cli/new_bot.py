"""`arena new-bot`: a bot to begin with, a copy of the sample bot of a language."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

import protocol
from arena import data
from arena.bots.botfile import FILE_NAME, BadBotFile, read_bot_file, runnable
from arena.bots.confine.needs import folders_to_read
from arena.bots.contents import BUILD_OUTPUT
from arena.cli.printer import Printer
from arena.doctor.sample_needs import NEEDS
from arena.text import did_you_mean

VECTORS = Path(protocol.__path__[0]) / "vectors"
# Those that the tests of a bot run; the others are for servers.
OF_BOTS = ("frames", "messages", "conversations", "following", "tricks", "showing")


@dataclass(frozen=True)
class Starter:
    """The sample bot that a language begins with."""

    folder: str
    needs: str
    """The programs to install, in words."""
    packages: str = ""
    """The packages of Debian with these programs."""

    def in_words(self) -> str:
        return f"{self.needs} (Debian: {self.packages})" if self.packages else self.needs


STARTERS: Mapping[str, Starter] = {
    "python": Starter("python-random", "nothing more"),
    "javascript": Starter("javascript-random", "Node 20 or newer, npm", "nodejs npm"),
    "typescript": Starter("typescript-random", "Node 20 or newer, npm", "nodejs npm"),
    "go": Starter("go-random", "Go 1.24 or newer", "golang-go"),
    "rust": Starter("rust-random", "Rust 1.85 or newer, cargo", "cargo rustc"),
    "java": Starter("java-random", "a JDK 17 or newer, Maven", "default-jdk-headless maven"),
    "kotlin": Starter("kotlin-random", "a JDK 17 or newer, Maven", "default-jdk-headless maven"),
    "c": Starter("c-random", "a C compiler, make", "gcc libc6-dev make"),
    "cpp": Starter(
        "cpp-random",
        "a C++20 compiler, CMake 3.16, msgpack-cxx 4.1 or newer",
        "g++ cmake make libmsgpack-cxx-dev",
    ),
    "ruby": Starter("ruby-random", "Ruby 3.1 or newer", "ruby"),
    "php": Starter("php-random", "PHP 8.2 or newer", "php-cli"),
}

# Other names of these languages.
SPELLINGS: Mapping[str, str] = {
    "c++": "cpp",
    "golang": "go",
    "js": "javascript",
    "kt": "kotlin",
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "ts": "typescript",
}


@click.command("new-bot")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--language", help="One of those listed without it.")
def COMMAND(  # noqa: N802  # the name that every command module exports
    folder: Path | None, language: str | None
) -> None:
    """Make FOLDER, a bot to begin with, called after it.

    It is a copy of the sample bot of the language: it plays any legal action in all games, and
    has one place for your idea, `decide`. Its own tests (README.md) need nothing from elsewhere.
    Without --language the languages are listed, with the programs that each needs.

    \b
    Examples:
      arena new-bot
      arena new-bot --language rust my-bot
      arena check my-bot
    """
    if language is None:
        if folder is not None:
            raise click.UsageError(f"which language? Write --language and one of: {known()}")
        list_languages()
        return
    language = language.lower()
    if language not in STARTERS:
        meant = SPELLINGS.get(language)
        hint = f" Did you mean {meant!r}?" if meant else did_you_mean(language, STARTERS)
        raise click.BadParameter(
            f"there is no sample bot in {language!r}; there are: {known()}.{hint}"
            " In any other language: `arena spec` is all you need.",
            param_hint="--language",
        )
    if folder is None:
        raise click.UsageError(
            f"where? Write a folder's name: arena new-bot --language {language} my-bot"
        )
    make(STARTERS[language], folder)
    printer = Printer()
    tell(STARTERS[language], folder, printer)
    printer.end()


def known() -> str:
    return ", ".join(STARTERS)


def list_languages() -> None:
    printer = Printer()
    width = max(map(len, STARTERS))
    printer("Languages, and the programs that each needs:")
    for language, starter in STARTERS.items():
        printer(f"  {language:<{width}}  {starter.in_words()}")
    printer("\n`arena new-bot --language LANGUAGE my-bot` makes a bot to begin with.")
    printer.end()


def make(starter: Starter, folder: Path) -> None:
    """Make the whole folder, or nothing: it is prepared beside its place and then moved."""
    folder = folder.absolute()
    if folder.exists() or folder.is_symlink():
        raise click.UsageError(f"{folder} is there already; choose another name, or move it away")
    above = Path(os.path.normpath(folder)).parent
    if not above.exists() and not above.is_relative_to(Path.cwd()):
        raise click.UsageError(
            f"there is no folder {above} to make it in; only folders below this one are made too"
        )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-bot-") as place:
            copy = Path(place) / folder.name
            shutil.copytree(data.sample_bots() / starter.folder, copy, ignore=no_sources)
            rename(starter.folder, copy)
            copy_vectors(copy / "vectors")
            copy.rename(folder)
    except OSError as error:
        why = f"{error.strerror}: {error.filename}"
        raise click.ClickException(f"{folder} cannot be made: {why}") from None


def no_sources(folder: str, names: list[str]) -> set[str]:
    """Return the folders among these names that builds and tools have left there."""
    return {
        name
        for name in names
        if name in BUILD_OUTPUT or (name.startswith(".") and Path(folder, name).is_dir())
    }


def copy_vectors(folder: Path) -> None:
    """Copy what the bot's own tests run, so that they need nothing outside its folder."""
    folder.mkdir()
    for name in OF_BOTS:
        shutil.copy(VECTORS / f"{name}.json", folder)


def rename(before: str, copy: Path) -> None:
    """Give a bot, and the program that its build makes, the name of its folder."""
    after = package_name(copy.name)
    for path in copy.rglob("*"):
        if path.is_file():
            path.write_bytes(renamed(path.read_bytes(), before, after))
    file = copy / FILE_NAME
    # The bot itself may have a name that no build tool would take. TOML reads JSON's strings.
    name = f"name = {json.dumps(copy.name)}".encode()
    file.write_bytes(re.sub(rb"(?m)^name = .*$", lambda _: name, file.read_bytes(), count=1))
    try:
        read_bot_file(file)
    except BadBotFile as error:
        problems = str(error).replace(f"{file}: ", "")
        raise click.UsageError(f"a bot is called after its folder, but {problems}") from None


def renamed(text: bytes, before: str, after: str) -> bytes:
    """Return a file's text with one name for another, also as a program spells it: with
    underscores."""
    for old, new in ((before, after), (before.replace("-", "_"), after.replace("-", "_"))):
        text = re.sub(rb"(?<![\w-])%b(?![\w-])" % old.encode(), new.encode(), text)
    return text


def package_name(name: str) -> str:
    """Return a name that all build tools take: lower-case letters, digits, '-'; a letter first."""
    plain = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    return plain if plain[:1].isalpha() else f"bot-{plain}"


def out_of_sight(starter: Starter) -> Iterator[str]:
    """Yield a line about toolchains in the home folder, if bots would not see them."""
    programs = [shutil.which(need) for need in NEEDS.get(starter.folder, {})]
    homes = [
        folder
        for program in filter(None, programs)
        if Path(program).is_relative_to(Path.home())
        for folder in folders_to_read(Path(program))
    ]
    shown = os.environ.get("ARENA_READ", "").split(os.pathsep)
    if hidden := [str(folder) for folder in dict.fromkeys(homes) if str(folder) not in shown]:
        listed = os.pathsep.join(map(shlex.quote, hidden))
        yield (
            "Its toolchain lies in your home folder, which confined bots and builds do not see."
            f" Show it to them first: export ARENA_READ={listed}"
        )


def tell(starter: Starter, folder: Path, printer: Printer) -> None:
    """Print the next commands, ready to be typed in the current folder."""
    bot = read_bot_file(folder / FILE_NAME)
    where = shlex.quote(str(folder))
    commands = [f"arena check {where}", f"arena match nyet {where} python-random"]
    if bot.build is not None:
        commands.insert(0, f"(cd {where} && {shlex.join(runnable(bot.build))})")
    printer(
        f"{folder} is a copy of {starter.folder}, and its README.md says where your idea goes.\n"
        f"It needs: {starter.in_words()}.\n\nNext:"
    )
    for command in commands:
        printer(f"  {command}")
    for line in out_of_sight(starter):
        printer(f"\n{line}")
    if bot.build is not None:
        printer("\n`arena` builds it too, in a copy, whenever it is checked or plays.")
