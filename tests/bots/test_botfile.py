"""bot.toml: what is read, and everything that is wrong with it at once, in words."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.bots.botfile import (
    MOST_FILE_BYTES,
    BadBotFile,
    bot_of_command_line,
    read_bot,
    read_bot_file,
    runnable,
)
from arena.games import GAMES

SAMPLE_BOTS = Path(__file__).parent.parent.parent / "sample_bots"

LEAST = 'name = "fox"\ncommand = ["./fox"]\ngames = ["nyet"]\n'


def write(folder: Path, text: str) -> Path:
    path = folder / "bot.toml"
    path.write_text(text)
    return path


def problems(folder: Path, text: str) -> list[str]:
    """What is wrong, without the file's name in front, which each line has."""
    path = write(folder, text)
    with pytest.raises(BadBotFile) as caught:
        read_bot(folder)
    assert str(caught.value) == "\n".join(caught.value.problems)
    for problem in caught.value.problems:
        assert problem.startswith(f"{path}: ")
    return [problem.removeprefix(f"{path}: ") for problem in caught.value.problems]


def test_the_least_that_a_file_must_say(tmp_path: Path) -> None:
    write(tmp_path, LEAST)
    bot = read_bot(tmp_path)
    assert (bot.name, bot.command, bot.games) == ("fox", ("./fox",), ("nyet",))
    assert (bot.build, bot.connect, bot.language, bot.env) == (None, ("unix", "tcp"), "", {})
    assert bot.folder == tmp_path
    assert not bot.is_bare


def test_everything_that_a_file_may_say(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        LEAST
        + 'build = ["make", "fox"]\nconnect = ["tcp"]\nlanguage = "C"\nenv = { LEVEL = "3" }\n',
    )
    bot = read_bot(str(path))
    assert (bot.build, bot.connect, bot.language) == (("make", "fox"), ("tcp",), "C")
    assert bot.env == {"LEVEL": "3"}


def test_any_stands_for_every_game_there_is(tmp_path: Path) -> None:
    path = tmp_path / "bot.toml"
    path.write_text(LEAST.replace('["nyet"]', '"any"'))
    assert read_bot(path).games == tuple(GAMES)
    path.write_text(LEAST.replace('["nyet"]', '"all"'))
    with pytest.raises(BadBotFile, match="`games` is 'all'; it must be \"any\", or a list of"):
        read_bot(path)


def test_every_sample_bot_can_be_read() -> None:
    for path in SAMPLE_BOTS.glob("*/bot.toml"):
        assert read_bot(path).name == path.parent.name


def test_files_and_folders_of_sample_bots_may_be_included(tmp_path: Path) -> None:
    write(tmp_path, LEAST + 'include = ["python-random/bot.py"]\n')
    assert read_bot(tmp_path).included() == {"bot.py": SAMPLE_BOTS / "python-random" / "bot.py"}


@pytest.mark.parametrize(
    "name",
    ["bot.py", "python-random/../../SPEC.md", "/etc/passwd", "./bot.py", "python-random//bot.py"],
)
def test_nothing_else_of_the_machine_can_be_included(tmp_path: Path, name: str) -> None:
    (problem,) = problems(tmp_path, LEAST + f'include = ["{name}"]\n')
    assert problem.startswith(f"`include` names '{name}', which is no file or folder of a sample")


def test_what_is_included_hides_no_file_of_the_bot(tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    (problem,) = problems(tmp_path, LEAST + 'include = ["python-random/README.md"]\n')
    assert problem == "`include` brings 'README.md', and the bot has that already: rename its own"
    text = 'include = ["python-random/bot.py", "python-bare/bot.py"]\n'
    (problem,) = problems(tmp_path, LEAST + text)
    assert problem.startswith("`include` brings 'bot.py'")


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    text = 'name = "the fox"\ncommand = "python3 bot.py"\ngames = ["nyett"]\nenvv = {}\n'
    games = ", ".join(GAMES)
    assert problems(tmp_path, text + 'connect = ["udp"]\nbuild = []\nlanguage = 3') == [
        "`envv` is not a key of a bot.toml; did you mean `env`?",
        "`name` is 'the fox'; it must be 1 to 32 letters, digits, '.', '_', '+' or '-', a letter"
        ' or digit first. For instance: name = "fox"',
        "`command` is 'python3 bot.py'; it must be a list of strings, the program first; no shell"
        ' reads it. For instance: command = ["{python}", "bot.py"]',
        "`build` is []; it must be a list of strings, the program first; no shell reads it."
        ' For instance: build = ["cargo", "build", "--release"]',
        '`connect` is [\'udp\']; it must be a list out of "unix" and "tcp".'
        ' For instance: connect = ["unix", "tcp"]',
        "`language` is 3; it must be a string of at most 32 characters."
        ' For instance: language = "Rust"',
        "`games` names 'nyett', which is no game here; did you mean 'nyet'?",
    ]
    assert problems(tmp_path, LEAST.replace("nyet", "chess")) == [
        f"`games` names 'chess', which is no game here; there are {games}"
    ]
    assert problems(tmp_path, LEAST.replace("nyet", "any")) == [
        f"`games` names 'any', which is no game here; there are {games}; for all of them write"
        ' games = "any"'
    ]


def test_what_is_missing_is_said_with_an_example(tmp_path: Path) -> None:
    missing = problems(tmp_path, "zebra = 1")
    assert missing[0].startswith("`zebra` is not a key of a bot.toml; the keys are name, command")
    assert missing[1].startswith("`name` is missing: ")
    assert missing[2].endswith('For instance: command = ["{python}", "bot.py"]')
    assert missing[3].startswith("`games` is missing: ")


@pytest.mark.parametrize(
    "line",
    [
        'name = ""',
        'name = "-fox"',
        'name = "fox\\n"',
        f'name = "{"x" * 33}"',
        'name = "f\\u00f6x"',
        'command = ["zero\\u0000byte"]',
        "command = [1]",
        "games = []",
        'env = { ARENA_TOKEN = "x" }',
        'env = { "A=B" = "x" }',
        "env = { LEVEL = 3 }",
        "seats = 4",
        "seats = []",
        "seats = [0]",
        "seats = [9]",
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_key(tmp_path: Path, line: str) -> None:
    key = line.split(" ")[0]
    rest = "".join(other + "\n" for other in LEAST.splitlines() if not other.startswith(key))
    (problem,) = problems(tmp_path, rest + line)
    assert problem.startswith(f"`{key}` is ")


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(BadBotFile, match="there is no such file"):
        read_bot(tmp_path)
    assert problems(tmp_path, "name = fox")[0].startswith("is not TOML: Invalid value (at line 1")
    (tmp_path / "bot.toml").write_bytes(b'name = "f\xf6x"')
    with pytest.raises(BadBotFile, match="is not UTF-8 at byte 9; save it as UTF-8"):
        read_bot(tmp_path)
    (tmp_path / "bot.toml").write_text("\ufeff" + LEAST, encoding="utf-8")
    with pytest.raises(BadBotFile, match="begins with a byte-order mark; save it as UTF-8 without"):
        read_bot(tmp_path)
    (tmp_path / "bot.toml").unlink()
    (tmp_path / "bot.toml").mkdir()
    with pytest.raises(BadBotFile, match="cannot be read: Is a directory"):
        read_bot(tmp_path)


def test_a_command_line_is_a_bot_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my bot.py").touch()
    bot = read_bot("python3 'my bot.py' --level 3")
    assert bot.command == ("python3", "my bot.py", "--level", "3")
    assert (bot.name, bot.games, bot.folder) == ("my-bot", tuple(GAMES), tmp_path)
    assert bot.is_bare
    assert bot_of_command_line("./no/such/fox").name == "fox"
    assert bot_of_command_line("'???'").name == "bot"


@pytest.mark.parametrize("line", ["", " ", "''", "python3 'bot.py"])
def test_a_command_line_without_a_command_is_refused(line: str) -> None:
    with pytest.raises(BadBotFile, match="command line"):
        bot_of_command_line(line)


def test_our_python_is_put_where_a_command_asks_for_it() -> None:
    assert runnable(("{python}", "bot.py")) == (sys.executable, "bot.py")


def test_a_bot_may_play_some_sizes_of_table_only(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(LEAST + "seats = [6, 2]\n", encoding="utf-8")
    bot = read_bot(tmp_path)
    assert bot.seats == (6, 2)
    assert bot.sizes("nope") == (2, 6)
    assert read_bot("python3 bot.py").sizes("nope") == GAMES["nope"].seats


def test_a_game_without_a_table_that_a_bot_plays_is_left_out_of_any_and_else_refused(
    tmp_path: Path,
) -> None:
    others = "".join(f"{line}\n" for line in LEAST.splitlines() if not line.startswith("games"))
    (tmp_path / "bot.toml").write_text(others + 'games = "any"\nseats = [6]\n', encoding="utf-8")
    assert read_bot(tmp_path).games == ("nope",)
    (problem,) = problems(tmp_path, others + 'games = ["nope", "nyet"]\nseats = [6]\n')
    assert problem == (
        "`seats` is [6], and tables of nyet have 2, 3, 4, 5; leave nyet out of `games`, or add a"
        " size"
    )
    (problem,) = problems(tmp_path, others + 'games = "any"\nseats = [9]\n')
    assert problem == "`seats` is [9], and no game here has a table of that size"


def test_a_pipe_a_device_and_a_very_long_file_are_no_bot(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    long = tmp_path / "long.toml"
    long.write_bytes(b"#" * (MOST_FILE_BYTES + 1))
    for path, why in (
        (pipe, "is no file with text"),
        (Path("/dev/zero"), "is no file with text"),
        (long, "has 1,000,001 bytes, and 1,000,000 are the most"),
    ):
        with pytest.raises(BadBotFile, match=why):
            read_bot_file(path)
