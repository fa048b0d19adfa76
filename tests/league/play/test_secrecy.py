"""What nobody may know before a set is complete, and who may not have seen a deal."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.league.model.played import LeagueMatch
from arena.league.model.seeds import seed_of_set
from arena.league.store import events
from arena.league.store.event_stream import EventStream
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.secrets import read_secrets
from arena.league.table.live import standings_of
from arena.outputs.publish import Publisher
from arena.record import Record
from arena.stats import Mean
from tests.league.leagues import Simulated, played_match, schedule, simulate
from tests.league.rights import TELLING_MOVES, readable_by_others, secrets_found
from tests.league.running import RealLeague

# What others may read of a league that runs; `tells.py` fills a file in `scratch` meanwhile.
OPEN_TO_ALL = {
    "public",
    "lock",
    "referee.log",
    *(f"{COMPLETE_SETS}{ending}" for ending in ("", "-wal", "-shm", "-journal")),
}


def published(folder: Path) -> dict[str, bytes]:
    """Everything that anybody but the owner may read, by name.

    Of the copy for readers its rows: its -wal and -shm hold random numbers of SQLite.
    """
    found = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in readable_by_others(folder)
        if not path.name.startswith(COMPLETE_SETS)
    }
    with closing(sqlite3.connect(folder / COMPLETE_SETS)) as copy:
        found[COMPLETE_SETS] = "\n".join(copy.iterdump()).encode()
    return found


def dealt_anew(league: Simulated, played: LeagueMatch, number: int) -> LeagueMatch:
    """The same match as far as it may be told, with other cards, moves, notes and secrets."""
    other = played_match(league, schedule(league)[played.set - 1], played.turn, bytes([number]))
    record: Record = msgspec.structs.replace(
        other.record,
        scores=played.record.scores,
        places=played.record.places,
        ending=played.record.ending,
        match=f"m-{number}",
        nonce=bytes([number] * 32).hex(),
    )
    return msgspec.structs.replace(played, record=record)


@pytest.mark.parametrize("illegal", [(), ("fox",)])
def test_nothing_outside_the_store_tells_an_unfinished_set_from_another(
    tmp_path: Path, illegal: tuple[str, ...]
) -> None:
    """After every commit: a set with other cards leaves every event, page and file the same."""
    league = Simulated(sets=4, illegal=illegal)
    homes = [tmp_path / "one", tmp_path / "other"]
    stores = [simulate(home, league, 2) for home in homes]
    streams = [
        EventStream(str(home / "events"), store) for home, store in zip(homes, stores, strict=True)
    ]
    publishers = [Publisher(home, home / "public") for home in homes]
    third = schedule(league)[2]
    for turn in range(3):
        played = played_match(league, third, turn, seed_of_set(b"k" * 32, 3, 0))
        for number, (store, stream, publisher) in enumerate(
            zip(stores, streams, publishers, strict=True)
        ):
            entered = dealt_anew(league, played, turn + 7) if number else played
            store.enter(entered, completes=False, voids=False, events=[events.match(entered)])
            stream.write()
            publisher.publish()
        one, other = (published(home) for home in homes)
        assert one == other
        assert len(one) > 8
        assert "set" not in Counter(
            json.loads(line)["event"] for line in one["events"].splitlines()
        )
    for store, stream in zip(stores, streams, strict=True):
        stream.close()
        store.close()


def test_a_set_that_is_complete_is_shown_with_all_it_opens(tmp_path: Path) -> None:
    """Else the test before would pass with nothing published at all."""
    with simulate(tmp_path, Simulated(sets=2)) as store:
        Publisher(tmp_path, tmp_path / "public").publish()
        (first, _) = store.complete_sets()
    pages = b"".join(published(tmp_path).values())
    assert first.matches[0].record.seed.encode() in pages


@pytest.mark.slow
def test_while_a_league_runs_nobody_else_can_read_anything_of_an_unfinished_set(
    tmp_path: Path,
) -> None:
    """Every file that others may read is searched, again and again."""
    bots = dict.fromkeys(("fox", "owl", "crow", "hare", "mole"), "tells.py told")
    # Unconfined: else they could not write down in their folders what they see.
    league = RealLeague(tmp_path, bots, sets=40, more='confine = "none"')
    looks = in_the_middle = 0
    with league.start() as process:
        while process.poll() is None:
            if not (league.home / COMPLETE_SETS).exists():
                continue
            assert secrets_found(league.home) == []
            readable = readable_by_others(league.home)
            assert {path.relative_to(league.home).parts[0] for path in readable} <= OPEN_TO_ALL
            looks += 1
            with league.store() as store:
                states = store.sets()
            in_the_middle += any(state.turns and not state.is_complete for state in states)
        assert process.returncode == 0
    assert looks > 10
    assert in_the_middle > 5
    with league.store() as store:
        records = [played.record for one in store.complete_sets() for played in one.matches]
    assert all(len(record.moves) >= TELLING_MOVES for record in records)
    assert (league.home / "public" / "sets").is_dir()


@pytest.mark.slow
def test_no_process_plays_two_matches_of_a_set_nor_is_told_a_secret(tmp_path: Path) -> None:
    """By what the bots themselves wrote down of every message they ever got."""
    names = ("fox", "owl", "crow", "hare", "mole")
    told = tmp_path / "told"
    told.mkdir()
    bots = {name: f"tells.py {told}/{name}" for name in names}
    # Unconfined: they write into files that the test reads, and tell of processes by number.
    more = 'at_once = 2\nconfine = "none"'
    league = RealLeague(tmp_path / "league", bots, sets=15, more=more)
    league.run()
    with league.store() as store:
        complete = list(store.complete_sets())
    key = read_secrets(league.home / DATABASE).key
    of_match = {each.record.match: one.number for one in complete for each in one.matches}
    assert len(of_match) == 60
    secrets = {each.record.nonce for one in complete for each in one.matches}
    secrets |= {
        seed_of_set(key, number, attempt).hex() for number in range(99) for attempt in (0, 1)
    }
    for name in names:
        sets_of: dict[int, list[int]] = defaultdict(list)
        text = (told / name).read_text()
        assert not any(secret in text for secret in secrets)
        for line in text.splitlines():
            process, message = json.loads(line)
            if message["type"] == "start":
                sets_of[process].append(of_match[message["match"]])
                assert message["names"] == [f"seat {seat}" for seat in range(4)]
        assert sum(map(len, sets_of.values())) == 48
        for sets in sets_of.values():
            assert len(sets) == len(set(sets))
        # They live on from set to set: few are started.
        assert len(sets_of) <= 5
    for one in complete:
        for name in names:
            seated = [
                match.processes[match.record.names.index(name)]
                for match in one.matches
                if name in match.record.names
            ]
            assert len(seated) == len(set(seated))


def gains_of(league: RealLeague) -> dict[str, Mean]:
    """The gain from repetition of each bot, after a league with its bars."""
    league.run()
    with league.store() as store:
        standings = standings_of(store, with_history=False)
    gains = {row.name: row.rating.gain for row in standings.rows}
    return {name: gain for name, gain in gains.items() if gain is not None}


REMEMBERING = {
    "mind": "remembers.py",
    "diary": "remembers.py diary.txt",
    "fox": "steady.py fox",
}


@pytest.mark.slow
def test_memory_in_a_process_gains_nothing_and_in_a_file_it_is_exposed(tmp_path: Path) -> None:
    league = RealLeague(tmp_path, REMEMBERING, sets=200, seats=2, more='confine = "none"')
    gains = gains_of(league)
    assert abs(gains["mind"].value) < (gains["mind"].bar or 0)
    assert gains["diary"].value > (gains["diary"].bar or 1)


@pytest.mark.slow
def test_a_diary_in_the_scratch_of_a_confined_bot_gains_nothing(tmp_path: Path) -> None:
    league = RealLeague(tmp_path, REMEMBERING, sets=200, seats=2)
    gains = gains_of(league)
    with league.store() as store:
        if standings_of(store, with_history=False).facts.confinement == "unconfined":
            pytest.skip("this machine confines no bots; `arena doctor` says why")
    assert abs(gains["diary"].value) < (gains["diary"].bar or 0)
    assert abs(gains["mind"].value) < (gains["mind"].bar or 0)
