"""Killed, stopped, started twice: the same command goes on, and the table is what it would be."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from arena.league.store.complete_reader import complete_sets_of
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.league.table.live import standings_of
from arena.league.table.standings import Standings
from tests.bots.programs import SAFETY_SECONDS, until
from tests.league.rights import secrets_found
from tests.league.running import RealLeague

pytestmark = [pytest.mark.slow, pytest.mark.alone]

SETS = 12
# A run takes some three seconds to start its bots and play these; kills come at any moment of it.
LATEST_SECONDS = 2.5
KILLS, ALL_KILLS = 8, 50
STOPS, ALL_STOPS = 2, 20


def league(folder: Path) -> RealLeague:
    bots = {name: f"steady.py {name}" for name in ("fox", "owl", "crow", "hare", "mole")}
    return RealLeague(folder, bots, sets=SETS)


def told(table: Standings) -> dict[str, Any]:
    """All of it but times."""
    values = asdict(table)
    for row in values["rows"]:
        del row["think_ms"], row["slowest_ms"]
    for name in ("first", "last", "voids", "stood"):
        del values["facts"][name]
    return values


def table_of(one: RealLeague) -> dict[str, Any]:
    with one.store() as store:
        return told(standings_of(store))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    one = league(tmp_path_factory.mktemp("undisturbed"))
    one.run()
    table = table_of(one)
    assert table["facts"]["state"] == "finished"
    assert table["facts"]["sets"] == SETS
    return table


def moments(count: int, seed: str) -> Iterator[float]:
    rng = random.Random(seed)
    return (rng.uniform(0, LATEST_SECONDS) for _ in range(count))


def interrupt(one: RealLeague, after: float, how: signal.Signals) -> int | None:
    """Run it for so many seconds, unless it ends before; its exit code, None if it was killed."""
    with one.start() as process:
        try:
            process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            process.send_signal(how)
            process.communicate(timeout=SAFETY_SECONDS)
        return process.returncode


def until_it_plays(process: subprocess.Popen[str]) -> None:
    """Read events until a match was played. `process`: started with `--events -`."""
    assert process.stdout is not None
    for line in process.stdout:
        if '"event":"match"' in line:
            return
    raise AssertionError("it ended without a match")


async def nothing_is_left(one: RealLeague) -> float:
    """After how many seconds."""
    return await until(lambda: not one.family.alive())


def matches_in(one: RealLeague) -> int:
    if not (one.home / "league.db").exists():
        return 0
    with one.store() as store:
        return sum(len(state.turns) for state in store.sets())


async def test_a_league_killed_at_any_moment_goes_on_to_the_same_table(
    tmp_path: Path, undisturbed: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    kills = ALL_KILLS if request.config.getoption("full") else KILLS
    killed = in_the_middle = number = 0
    one = league(tmp_path / "0")
    for after in moments(kills, "kill -9"):
        before = matches_in(one)
        killed += interrupt(one, after, signal.SIGKILL) == -signal.SIGKILL
        assert matches_in(one) >= before
        in_the_middle += before < matches_in(one) < SETS * 4
        assert await nothing_is_left(one) < 1
        assert_nothing_is_early(one.home)
        if (one.home / "league.db").exists() and table_of(one)["facts"]["state"] == "finished":
            number += 1
            one = league(tmp_path / str(number))
    assert killed > kills / 2
    assert in_the_middle > 0
    one.run()
    for done in range(number + 1):
        assert table_of(league(tmp_path / str(done))) == undisturbed
        assert_is_whole(tmp_path / str(done) / "league.arena")


def assert_nothing_is_early(home: Path) -> None:
    """The copy for readers has no set that the league has not, and nobody else can read anything
    of an unfinished one."""
    if not (home / COMPLETE_SETS).exists():
        return
    with complete_sets_of(home) as copy, Reader.read(home / DATABASE) as truth:
        complete = {one.number: one for one in truth.complete_sets()}
        assert all(one == complete[one.number] for one in copy.complete_sets())
        assert [*copy.events()] == [*truth.events()][: copy.last_event()]
    assert secrets_found(home) == []


def assert_is_whole(home: Path) -> None:
    with complete_sets_of(home) as copy, Reader.read(home / DATABASE) as truth:
        assert [*copy.complete_sets()] == [*truth.complete_sets()]
        assert [*copy.events()] == [*truth.events()]
        assert (copy.sets(), copy.entrants()) == (truth.sets(), truth.entrants())


async def test_a_league_told_to_stop_ends_at_once_and_goes_on(
    tmp_path: Path, undisturbed: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    stops = ALL_STOPS if request.config.getoption("full") else STOPS
    number = 0
    one = league(tmp_path / "0")
    with one.start("--events", "-") as process:
        until_it_plays(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SAFETY_SECONDS)
    assert process.returncode == 143
    assert not one.family.alive()
    for after in moments(stops, "SIGTERM"):
        code = interrupt(one, after + 1, signal.SIGTERM)
        assert code in (0, 143, -signal.SIGTERM)  # the last: before it had begun at all
        assert not one.family.alive()
        if code == 0:
            number += 1
            one = league(tmp_path / str(number))
    one.run()
    assert table_of(one) == undisturbed


def test_a_second_runner_is_told_and_does_no_harm(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    one = league(tmp_path)
    with one.start("--events", "-") as first:
        until_it_plays(first)
        said = one.run(expect=1)
        assert f"is being played by process {first.pid}" in said
        first.communicate(timeout=300)
        assert first.returncode == 0
    assert table_of(one) == undisturbed


def test_a_finished_league_is_only_published_again(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    one = league(tmp_path)
    one.run()
    page = one.home / "public" / "standings.json"
    page.unlink()
    said = one.run()
    assert "finished" in said
    assert page.exists()
    with one.store() as store:
        last = [event["event"] for _, event in store.events()][-1]
        assert last == "finished"
        assert sum(event["event"] == "finished" for _, event in store.events()) == 1
    assert table_of(one) == undisturbed


def test_more_sets_and_more_bots_go_on_where_it_ended(tmp_path: Path) -> None:
    one = league(tmp_path)
    one.run()
    with one.store() as store:
        before = [match.record for played in store.complete_sets() for match in played.matches]
    one.bots = {**one.bots, "newt": "steady.py newt"}
    one.sets = SETS + 8
    one.write()
    one.run()
    with one.store() as store:
        after = [match.record for played in store.complete_sets() for match in played.matches]
        table = standings_of(store)
    assert after[: len(before)] == before
    assert len(after) == 4 * (SETS + 8)
    assert table.facts.is_finished
    assert {row.name for row in table.rows} == set(one.bots)


def test_a_changed_bot_stops_the_league_and_names_the_remedy(tmp_path: Path) -> None:
    one = league(tmp_path)
    one.sets = 2
    one.write()
    one.run()
    source = one.folder / "bots" / "fox" / "bot.py"
    source.write_text(source.read_text() + "\n# improved\n")
    said = one.run(expect=2)
    assert "fox" in said
    assert "`arena league --new-versions`" in said


def test_a_job_that_dies_is_replaced_and_nothing_is_lost(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    one = league(tmp_path)
    with one.start() as process:
        os.kill(wait_for_job(one, process), signal.SIGKILL)
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert "a referee process ended" in said
    assert table_of(one) == undisturbed


def wait_for_job(one: RealLeague, process: subprocess.Popen[str]) -> int:
    """The number of the referee process of a running league, once it has played something."""
    return wait_for(one, process, b"arena.league.play.job")


def wait_for(one: RealLeague, process: subprocess.Popen[str], word: bytes) -> int:
    """The number of a child with this in its command, once something was played."""
    while process.poll() is None:
        for pid in one.family.alive():
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes()
                parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if word in words and int(parent) == process.pid and matches_in(one):
                return pid
    raise AssertionError("it ended before it began")


def test_a_runner_without_its_warden_stops_with_a_word_and_goes_on(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    one = league(tmp_path)
    with one.start() as process:
        os.kill(wait_for(one, process, b"warden"), signal.SIGKILL)
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "Error: the warden" in said
    assert "Traceback" not in said
    assert not one.family.alive()
    one.run()
    assert table_of(one) == undisturbed


def test_a_locked_store_is_waited_for(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    one = league(tmp_path)
    with one.start() as process:
        wait_for_job(one, process)
        other = sqlite3.connect(one.home / "league.db", isolation_level=None, timeout=30)
        other.execute("BEGIN IMMEDIATE")
        assert process.stdout is not None
        waits = next(line for line in process.stdout if "waiting" in line)
        other.execute("ROLLBACK")
        other.close()
        said, _ = process.communicate(timeout=300)
    assert "another program has this file locked" in waits
    assert process.returncode == 0, said
    assert table_of(one) == undisturbed


def test_a_full_disk_stops_it_with_a_clear_word_and_it_goes_on(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    """Files of this process and its children cannot grow beyond a limit."""
    one = league(tmp_path)
    with one.start() as process:
        wait_for_job(one, process)
        size = (one.home / "league.db").stat().st_size + (one.home / "league.db-wal").stat().st_size
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size // 2, size // 2))
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 1
    assert str(one.home / "league.db") in said
    assert "Traceback" not in said
    assert not one.family.alive()
    one.run()
    assert table_of(one) == undisturbed
