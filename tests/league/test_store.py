"""What is entered is there whatever fails, and once; what is unfinished is shown to nobody."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.database import FILE_NAME, StoreBusy, StoreDamaged, StoreError
from arena.league.played import Played
from arena.league.sets import Place, PlannedSet, seed_of_set
from arena.league.store import Store
from arena.record import FaultEntry, Move
from tests.league.leagues import Simulated, played_match, schedule, settings_of, simulate

LEAGUE = Simulated(sets=3)


def matches(league: Simulated = LEAGUE) -> list[Played]:
    return [
        played_match(league, one, turn, seed_of_set(b"k" * 32, one.number, 0))
        for one in schedule(league)
        for turn in range(league.seats)
    ]


def begun(store: Store) -> Store:
    store.begin(settings_of(LEAGUE).to_json(), b"k" * 32, b"l" * 32)
    store.add_entrants((name, name, "hash") for name in LEAGUE.bots)
    store.add_sets(schedule(LEAGUE))
    return store


def enter(store: Store, played: Played) -> None:
    store.enter(played, completes=played.turn == 3, voids=False, events=[{"event": "match"}])


def test_what_was_entered_is_read_again(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / FILE_NAME)) as store:
        for played in matches():
            enter(store, played)
    with Store.read(tmp_path / FILE_NAME) as store:
        read = [match for one in store.complete_sets() for match in one.matches]
        assert [(each.place, each.record, each.processes) for each in read] == [
            (each.place, each.record, each.processes) for each in matches()
        ]
        assert store.key == b"k" * 32
        assert [entrant.name for entrant in store.entrants()] == list(LEAGUE.bots)


def test_a_key_is_drawn_for_each_league(tmp_path: Path) -> None:
    keys = set()
    for name in "ab":
        with Store.open(tmp_path / name / FILE_NAME) as store:
            store.begin(settings_of(LEAGUE).to_json(), None, None)
            keys |= {store.key, store.lots}
    assert len(keys) == 4
    assert all(len(key) == 32 for key in keys)


def test_a_match_is_not_entered_twice(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / FILE_NAME)) as store:
        enter(store, matches()[0])
        with pytest.raises(StoreError, match="UNIQUE constraint failed: matches"):
            enter(store, matches()[0])
        assert len(store.matches_of(1, 0)) == 1
        assert store.last_event() == 1


def test_a_set_is_shown_only_when_it_is_complete(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / FILE_NAME)) as store:
        for number, played in enumerate(matches()):
            enter(store, played)
            assert len(list(store.complete_sets())) == (number + 1) // 4
            assert (store.complete_set(played.set) is not None) == (played.turn == 3)
        assert [one.number for one in store.complete_sets(after=1)] == [2, 3]


def test_evidence_is_shown_only_when_its_set_is_complete(tmp_path: Path) -> None:
    league = Simulated(sets=1, illegal=LEAGUE.bots)
    with begun(Store.open(tmp_path / FILE_NAME)) as store:
        for played in matches(league):
            assert not store.evidence(Place(1, 0))
            enter(store, played)
        assert len(store.evidence(Place(1, 0))) == 4


def test_a_void_set_begins_again_and_its_matches_count_for_nothing(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / FILE_NAME)) as store:
        first, second, *_ = matches()
        enter(store, first)
        store.enter(second, completes=False, voids=True)
        (state, *_) = store.sets()
        assert (state.attempt, state.turns, state.is_complete) == (1, (), False)
        assert store.voids() == {"": 1}


def test_events_are_numbered_without_a_gap(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / FILE_NAME)) as store:
        enter(store, matches()[0])
        store.add_events([{"event": "a"}, {"event": "b"}])
        assert [number for number, _ in store.events()] == [1, 2, 3]
        assert [event["event"] for _, event in store.events(after=1)] == ["a", "b"]


@pytest.mark.parametrize(
    "changed",
    [
        {"moves": (Move(4, "R1", 1),)},
        {"moves": (Move(-1, "R1", 1),)},
        {"faults": (FaultEntry(9, 0, "late", "out-of-time", ""),)},
        {"forfeits": (4,)},
    ],
)
def test_a_record_that_names_seats_it_has_not_is_told_as_damage(
    tmp_path: Path, changed: Mapping[str, Any]
) -> None:
    with begun(Store.open(tmp_path / FILE_NAME)) as store:
        played = matches()[0]
        damaged = msgspec.structs.replace(played.record, **changed)
        enter(store, msgspec.structs.replace(played, record=damaged))
        with pytest.raises(StoreDamaged, match=r"match 1\.1 names seats that it has not"):
            store.matches_of(1, 0)


class Failing(sqlite3.Connection):
    """A connection whose n-th call fails as a broken disk makes it fail."""

    left = 10**9

    @classmethod
    def _count(cls) -> None:
        Failing.left -= 1
        if Failing.left < 0:
            raise sqlite3.OperationalError("disk I/O error")

    def execute(self, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
        self._count()
        return super().execute(*args, **kwargs)

    def executemany(self, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
        self._count()
        return super().executemany(*args, **kwargs)


def failing(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri, uri=True, isolation_level=None, factory=Failing, check_same_thread=False
    )


def play(path: Path, connect: Callable[[str], sqlite3.Connection], entered: list[Played]) -> None:
    """As a runner does: begin if nobody has, enter what is not there yet."""
    with Store.open(path, connect) as store:
        if not store.has_begun:
            store.begin(settings_of(LEAGUE).to_json(), b"k" * 32, b"l" * 32)
        known = {entrant.name for entrant in store.entrants()}
        store.add_entrants((name, name, "h") for name in LEAGUE.bots if name not in known)
        already = len(store.sets())
        store.add_sets(schedule(LEAGUE)[already:])
        done = {(state.planned.number, turn) for state in store.sets() for turn in state.turns}
        for played in entered:
            if (played.set, played.turn) not in done:
                enter(store, played)


def fails(path: Path, call: int, entered: list[Played]) -> bool:
    """Play until this call of the store fails, and all after it; whether it came to that, and was
    told as a broken disk."""
    Failing.left = call
    try:
        play(path, failing, entered)
    except StoreError as error:
        return "disk I/O error; " in str(error)
    finally:
        Failing.left = 10**9
    return False


def test_whichever_call_fails_nothing_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    """The first call fails, or the second, and so on to the last; then it goes on."""
    entered = matches()[:4]
    calls = Failing.left
    play(tmp_path / "whole" / FILE_NAME, failing, entered)
    calls -= Failing.left
    for call in range(calls):
        path = tmp_path / str(call) / FILE_NAME
        assert fails(path, call, entered)
        play(path, sqlite_connect, entered)
        with Store.read(path) as store:
            read = [match.record for one in store.complete_sets() for match in one.matches]
            assert read == [played.record for played in entered]
            assert store.last_event() == len(read)
    assert not fails(tmp_path / str(calls) / FILE_NAME, calls, entered)


def sqlite_connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def test_a_full_disk_is_told_and_what_was_entered_is_kept(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME

    def small(uri: str) -> sqlite3.Connection:
        db = sqlite3.connect(uri, uri=True, isolation_level=None)
        db.execute("PRAGMA max_page_count = 20")
        return db

    with begun(Store.open(path, small)) as store:
        entered = list(until_full(store))
    with Store.open(path) as store:
        assert sum(len(state.turns) for state in store.sets()) == len(entered) > 0


def until_full(store: Store) -> Iterator[Played]:
    for played in matches(Simulated(sets=3, options={"rounds": 8})):
        try:
            enter(store, played)
        except StoreError as error:
            assert "full; make room on this disk and run it again" in str(error)  # noqa: PT017
            return
        yield played
    pytest.fail("it was never full")


def test_a_locked_store_says_so_and_can_be_tried_again(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME

    def hasty(uri: str) -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=0)

    with begun(Store.open(path, hasty)) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="another program has this file locked"):
            enter(store, matches()[0])
        other.execute("COMMIT")
        other.close()
        enter(store, matches()[0])


def test_a_reader_sees_what_is_there_while_it_is_written_to(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 1) as store, Store.read(store.path) as reader:
        assert len(list(reader.complete_sets())) == 1
        for turn in range(4):
            played = played_match(LEAGUE, schedule(LEAGUE)[1], turn, seed_of_set(b"k" * 32, 2, 0))
            enter(store, played)
        assert len(list(reader.complete_sets())) == 2


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    simulate(tmp_path, LEAGUE, 0).close()
    reading = Store.read(tmp_path / FILE_NAME)
    with reading as reader, pytest.raises(StoreError, match="attempt to write a readonly database"):
        reader.add_sets([PlannedSet(99, ("fox", "owl", "crow", "hare"))])
