"""`arena init`."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from arena.bots.botfile import read_bot_file
from arena.games import GAMES
from arena.league.file.formats import OF_FORMATS
from arena.league.file.keys import KEYS
from arena.league.file.reading import read_league
from arena.league.file.sources import sample_folders
from arena.league.plan.formats import FORMATS
from tests.cli.test_main import run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: an empty one."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def bot(folder: Path, name: str, games: str = '["nyet", "nope"]') -> None:
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["./x"]\ngames = {games}\n')


def test_without_bots_the_sample_bots_play(here: Path) -> None:
    code, output = run("init")
    assert code == 0
    league = read_league(here / "league.toml")
    assert league.name == "here"
    names = [each.name for each in league.entrants]
    assert {"python-random", "python-bare"} <= {*names}
    assert all(each.build is None for each in league.bots.values())
    assert league.seats == min(len(names), 5)
    assert output == (
        f"league.toml: nyet at {league.seats} seats, {', '.join(names)}\n"
        "next: look through the file, then `arena league`\n"
    )


def test_the_table_is_the_largest_that_all_bots_play(here: Path) -> None:
    for name in ("fox", "owl", "hen", "cat"):
        bot(here / name, name)
    with (here / "fox" / "bot.toml").open("a") as file:
        file.write("seats = [2, 3, 5]\n")
    assert run("init")[0] == 0
    assert read_league(here / "league.toml").seats == 3


def test_the_bots_below_are_found_but_not_what_builds_and_runs_leave(here: Path) -> None:
    bot(here / "fox", "fox")
    bot(here / "more" / "birds" / "owl", "owl")
    bot(here / "fox" / "tests" / "inner", "inner")
    bot(here / ".hidden" / "a", "hidden")
    bot(here / "target" / "b", "built")
    bot(here / "old.arena" / "scratch" / "c", "scratch")
    bot(here / "1" / "2" / "3" / "4" / "5", "deep")
    assert run("init")[0] == 0
    league = read_league(here / "league.toml")
    assert [(name, each.folder.relative_to(here)) for name, each in league.bots.items()] == [
        ("fox", Path("fox")),
        ("owl", Path("more/birds/owl")),
    ]
    assert league.seats == 2


def test_a_blank_line_stands_around_each_bot_of_the_file(here: Path) -> None:
    bot(here / "fox", "fox")
    bot(here / "more" / "fox", "fox")
    bot(here / "owl", "owl")
    assert run("init")[0] == 0
    paragraphs = (here / "league.toml").read_text().split("\n\n")
    tables = [each for each in paragraphs if "[[bots]]" in each.splitlines()]
    assert [each.count("[[bots]]") for each in tables] == [1, 1, 1]


def test_the_game_is_the_one_that_most_play_and_the_rest_is_left_out_with_the_reason(
    here: Path,
) -> None:
    bot(here / "a", "fox", '["nope"]')
    bot(here / "b", "owl", '["nyet", "nope"]')
    bot(here / "c", "crow", '["nyet"]')
    bot(here / "d", "hare", '["nope"]')
    (here / "e").mkdir()
    (here / "e" / "bot.toml").write_text('name = "no\\nname"\n')
    code, output = run("init")
    assert code == 0
    league = read_league(here / "league.toml")
    assert (league.game, league.seats) == ("nope", 3)
    assert [each.name for each in league.entrants] == ["fox", "owl", "hare"]
    assert "left out: c: crow does not play nope\n" in output
    assert f"left out: {here}/e/bot.toml: `name` is 'no\\nname'; it must be" in output
    text = (here / "league.toml").read_text()
    assert "# Left out: c: crow does not play nope\n" in text


def test_too_few_bots_for_a_table_are_joined_by_sample_bots(here: Path) -> None:
    bot(here / "fox", "python-bare", '["njet-it"]')
    assert run("init")[0] == 0
    league = read_league(here / "league.toml")
    assert (league.game, league.seats, len(league.entrants)) == ("njet-it", 4, 4)
    assert league.bots["python-bare"].folder == here / "fox"
    assert len({each.name.lower() for each in league.entrants}) == 4


def test_a_sample_bot_that_needs_no_build_plays_every_game() -> None:
    for game in GAMES:
        bots = [read_bot_file(folder / "bot.toml") for folder in sample_folders().values()]
        assert any(each.build is None and game in each.games for each in bots)


def test_bots_of_one_name_get_names_of_their_own(here: Path) -> None:
    for folder in ("a", "b", "c"):
        bot(here / folder, "fox" if folder != "b" else "FOX")
    assert run("init")[0] == 0
    league = read_league(here / "league.toml")
    assert [each.name for each in league.entrants] == ["fox", "FOX-2", "fox-3"]


NEEDS = {"address": "listen", "scheduler": "engine"}
"""By key, another without which it means nothing."""


def test_every_key_is_in_the_file_and_works_when_its_mark_is_taken_away(here: Path) -> None:
    bot(here / "fox", "fox")
    bot(here / "owl", "owl")
    assert run("init")[0] == 0
    path = here / "league.toml"
    text = path.read_text()
    for table in KEYS.values():
        for name, key in table.items():
            assert key.why in text
            assert re.search(rf"^(# +)?\[*{name}\b", text, re.MULTILINE), name
    marked = re.findall(r"^# (\w+ = .*)$", text, re.MULTILINE)
    assert len(marked) >= 15
    for line in marked:
        its = "round-robin"
        path.write_text(text.replace(f"# {line}\n", f"{line}\n"))
        key = line.partition(" ")[0]
        if key in OF_FORMATS:
            its = next(name for name, each in FORMATS.items() if key in each.keys)
            as_it_is = path.read_text().replace("# format = ", "format = ")
            path.write_text(as_it_is.replace('round-robin"\n', f'{its}"\n'))
        if key != "sets" and (key == "sets_per_line_up" or "sets" not in FORMATS[its].keys):
            path.write_text(re.sub(r"^sets = .*$", "", path.read_text(), flags=re.MULTILINE))
        if key in NEEDS:
            path.write_text(path.read_text().replace(f"# {NEEDS[key]} = ", f"{NEEDS[key]} = "))
        read_league(path)


def test_a_file_that_is_there_is_not_touched(here: Path) -> None:
    (here / "league.toml").write_text("mine")
    code, output = run("init")
    assert code == 1
    assert "league.toml is there already, and stays as it is; edit it, or name another" in output
    assert (here / "league.toml").read_text() == "mine"


def test_another_folder_is_made_and_its_file_finds_the_bots_of_this_one(here: Path) -> None:
    bot(here / "my fox", "fox")
    bot(here / "owl", "owl")
    code, output = run("init", "leagues/the first")
    assert code == 0
    league = read_league(here / "leagues" / "the first" / "league.toml")
    assert [each.name for each in league.entrants] == ["fox", "owl"]
    assert league.name == "the first"
    assert "then `arena league 'leagues/the first/league.toml'`" in output


def test_a_league_is_not_begun_inside_a_bot(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot(here / "fox", "fox")
    (here / "fox" / "src").mkdir()
    monkeypatch.chdir(here / "fox" / "src")
    code, output = run("init")
    assert code == 2
    assert f"{here}/fox is the folder of a bot, and a bot is all its files" in " ".join(
        output.split()
    )
    assert "`arena init ../../league`" in " ".join(output.split())
    assert run("init", "../../league")[0] == 0


def test_a_folder_that_cannot_be_written_is_an_error_in_words(here: Path) -> None:
    (here / "file").write_text("")
    code, output = run("init", "file/league")
    assert code == 1
    assert "file/league/league.toml cannot be written: Not a directory" in output


@pytest.mark.parametrize(
    "name",
    [
        'quo"te',
        "back\\slash",
        "new\nline",
        "del\x7f",
        "tab\t",
        "# [[bots]]",
        "é\U0001f98a",
        "\x1b[31m",
    ],
)
def test_folders_of_any_name_give_a_file_that_can_be_read(here: Path, name: str) -> None:
    bot(here / name / name, "fox", '["nope"]')
    bot(here / name / "other", "owl", '["nyet"]')
    assert run("init", name)[0] == 0
    league = read_league(here / name / "league.toml")
    assert league.game == "nyet"
    text = (here / name / "league.toml").read_text()
    assert len(tomllib.loads(text)["bots"]) == 2
    assert "\x1b" not in text


def test_a_folder_whose_name_no_file_can_hold_is_left_out(here: Path) -> None:
    bot(here / "fox", "fox")
    bot(here / "owl", "owl")
    bad = os.fsdecode(b"bad\xff")
    bot(here / bad, "crow")
    code, output = run("init")
    assert code == 0
    assert "its name is not UTF-8, and cannot stand in the file" in output
    assert len(read_league(here / "league.toml").entrants) == 2
