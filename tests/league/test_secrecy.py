"""What nobody may know before a set is complete, and who may not have seen a deal."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import msgspec
import pytest

from arena.league import events
from arena.league.database import FILE_NAME
from arena.league.event_stream import EventStream
from arena.league.played import Played
from arena.league.sets import seed_of_set
from arena.league.table import standings_of
from arena.outputs.publish import Publisher
from arena.record import Record
from tests.league.leagues import Simulated, played_match, schedule, simulate
from tests.league.running import RealLeague


def published(folder: Path) -> dict[str, bytes]:
    """Everything that lies outside the store, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(FILE_NAME)
    }


def dealt_anew(league: Simulated, played: Played, number: int) -> Played:
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
def test_no_process_plays_two_matches_of_a_set_nor_is_told_a_secret(tmp_path: Path) -> None:
    """By what the bots themselves wrote down of every message they ever got."""
    names = ("fox", "owl", "crow", "hare", "mole")
    told = tmp_path / "told"
    told.mkdir()
    bots = {name: f"tells.py {told}/{name}" for name in names}
    league = RealLeague(tmp_path / "league", bots, sets=15, more="at_once = 2")
    league.run()
    with league.store() as store:
        complete = list(store.complete_sets())
        key = store.key
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


@pytest.mark.slow
def test_memory_in_a_process_gains_nothing_and_in_a_file_it_is_exposed(tmp_path: Path) -> None:
    bots = {
        "mind": "remembers.py",
        "diary": "remembers.py diary.txt",
        "fox": "steady.py fox",
    }
    league = RealLeague(tmp_path, bots, sets=200, seats=2)
    league.run()
    with league.store() as store:
        gains = {row.name: row.gain for row in standings_of(store, with_history=False).rows}
    mind, diary = gains["mind"], gains["diary"]
    assert mind is not None
    assert diary is not None
    assert abs(mind.value) < (mind.bar or 0)
    assert diary.value > (diary.bar or 1)
