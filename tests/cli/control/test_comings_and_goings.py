"""Real leagues whose bots come and go between their runs, and in the middle of sets."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena import data
from arena.league.model.sets import PlannedSet
from arena.league.store.folder import DATABASE
from arena.league.store.store import Store
from arena.league.table.live import standings_of
from tests.cli.test_main import run
from tests.league.entry.test_new_versions import notes
from tests.league.running import RealLeague

pytestmark = pytest.mark.slow

NEWT = data.sample_bots() / "python-random" / "bot.py"
MOST_TRIES = 10
SHORT = "[options]\nmax_turns = 4\n[clock]\nstart_ms = 2000\n"


def make(folder: Path, sets: int, more: str = "") -> RealLeague:
    bots = {name: notes(name) for name in ("fox", "owl", "hare")}
    return RealLeague(
        folder,
        bots,
        sets=sets,
        game="nope",
        seats=2,
        tables=SHORT,
        more=f"duplicate = true\n{more}",
    )


def done(*arguments: str) -> str:
    code, said = run(*arguments)
    assert code == 0, said
    return said


def killed_in_a_set(league: RealLeague) -> PlannedSet:
    """Kill the league in the middle of a set; the set.

    Each run tells all events from the first on, and only a new match shows that it plays.
    """
    known = 0
    for _ in range(MOST_TRIES):
        with league.start("--events", "-") as process:
            assert process.stdout is not None
            told = (json.loads(line) for line in process.stdout if line.startswith("{"))
            next(each for each in told if each["event"] == "match" and each["n"] > known)
            process.kill()
        with Store.open(league.home / DATABASE) as store:
            begun, known = store.begun(), store.last_event()
        if begun:
            return begun[0]
    raise AssertionError("it was never caught in the middle of a set")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def complete_sets_with(league: RealLeague, row: str) -> set[int]:
    with league.store() as store:
        return {
            one.planned.number
            for one in store.sets()
            if one.is_complete and row in one.planned.line_up
        }


def verified(league: RealLeague) -> None:
    said = done("verify", str(league.file))
    assert said.startswith("all fits"), said


def test_a_bot_retired_in_the_middle_of_a_set_plays_it_to_its_end_and_no_other(
    tmp_path: Path,
) -> None:
    league = make(tmp_path, 60)
    begun = killed_in_a_set(league)
    name = begun.line_up[0]
    before = complete_sets_with(league, name)
    said = done("retire", str(league.file), name)
    assert "sets with it that have begun, and are played to their end: 1" in said
    # Its table may go: the league has kept it, for the set that has begun.
    league.bots = {each: bot for each, bot in league.bots.items() if each != name}
    league.write()
    league.run()
    theirs = complete_sets_with(league, name)
    assert theirs == before | {begun.number}
    with league.store() as store:
        (event,) = (event for _, event in store.events() if event["event"] == "retired")
        table = standings_of(store)
    assert event["sets"]
    assert theirs.isdisjoint(event["sets"])
    # As many sets count as were asked for: others were planned in the place of those.
    assert table.facts.sets == 60
    assert table.retired == (name,)
    told = f"{name} is retired: it plays no further sets, and its results count"
    assert told in done("table", str(league.file))
    assert ">retired</span>" in (league.home / "public" / "index.html").read_text()
    verified(league)
    # It comes back, without its table in the file, and plays on in its row.
    league.sets = 75
    league.write()
    assert done("admit", str(league.file), name).startswith(f"{name} takes part again\n")
    league.run()
    assert len(complete_sets_with(league, name)) > len(theirs)
    verified(league)


def test_a_bot_that_was_admitted_by_command_plays_until_it_is_retired(tmp_path: Path) -> None:
    league = make(tmp_path, 6)
    league.run()
    league.bots = {**league.bots, "newt": notes("newt")}
    league.write()  # for the folder of the newt
    league.bots = {name: bot for name, bot in league.bots.items() if name != "newt"}
    league.sets = 20
    league.write()
    said = done("admit", str(league.file), "newt", "--path", str(tmp_path / "bots" / "newt"))
    assert "`sets` was 6 and is now 20" in said
    league.run()
    assert complete_sets_with(league, "newt")
    theirs = complete_sets_with(league, "newt")
    verified(league)
    done("retire", str(league.file), "newt")
    league.sets = 30
    league.write()
    league.run()
    assert complete_sets_with(league, "newt") == theirs
    verified(league)


def test_a_league_goes_on_without_a_bot_that_was_invited_and_retired(
    tmp_path: Path,
) -> None:
    league = make(tmp_path, 6, f'listen = "tcp:127.0.0.1:{free_port()}"\n')
    league.run()
    said = done("invite", str(league.file), "newt")
    (token,) = re.findall(r"ARENA_TOKEN=(\S+)", said)
    done("retire", str(league.file), "newt")
    league.sets = 10
    league.write()
    league.run()
    assert complete_sets_with(league, "newt") == set()
    verified(league)
    for path in league.home.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes()


def test_an_invited_bot_dials_in_with_the_lines_that_were_printed(tmp_path: Path) -> None:
    league = make(tmp_path, 6, f'listen = "tcp:127.0.0.1:{free_port()}"\n')
    league.run()
    said = done("invite", str(league.file), "newt")
    lines = dict(re.findall(r"^(ARENA_\w+)=(\S+)$", said, re.M))
    assert {"ARENA_CONNECT", "ARENA_TOKEN"} <= lines.keys()
    league.sets = 20
    league.write()
    author = subprocess.Popen(
        [sys.executable, str(NEWT)], env={**os.environ, **lines}, stderr=subprocess.DEVNULL
    )
    try:
        league.run()
    finally:
        author.kill()
        author.wait()
    assert complete_sets_with(league, "newt")
    with league.store() as store:
        assert not store.roster().benched
    verified(league)


def test_a_retired_bot_that_the_file_still_has_stays_retired_and_the_run_says_so(
    tmp_path: Path,
) -> None:
    league = make(tmp_path, 6)
    league.run()
    done("retire", str(league.file), "hare")
    theirs = complete_sets_with(league, "hare")
    league.sets = 12
    league.write()
    said = league.run()
    assert "hare is retired and plays no part, though league.toml has it:" in said
    assert complete_sets_with(league, "hare") == theirs
    with Store.open(league.home / DATABASE) as store:
        assert [name for name, _ in store.roster().taking_part] == ["fox", "owl"]
    verified(league)
