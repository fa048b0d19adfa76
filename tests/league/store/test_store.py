"""What is entered is there whatever fails, and once; what is unfinished is shown to nobody."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.model.played import LeagueMatch
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import Place
from arena.league.store.complete_reader import complete_sets_of
from arena.league.store.database import (
    AlreadyEntered,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreGone,
    Tell,
    untold,
)
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.league.store.store import Store, read_admitted
from arena.record import FaultEntry, Move
from tests.league.leagues import Simulated, played_match, schedule, settings_of, simulate

LEAGUE = Simulated(sets=3)


def matches(league: Simulated = LEAGUE) -> list[LeagueMatch]:
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


def enter(store: Store, played: LeagueMatch) -> None:
    store.enter(played, completes=played.turn == 3, voids=False, events=[{"event": "match"}])


def test_what_was_entered_is_read_again(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        for played in matches():
            enter(store, played)
    with Reader.read(tmp_path / DATABASE) as store:
        read = [match for one in store.complete_sets() for match in one.matches]
        assert [(each.place, each.record, each.processes) for each in read] == [
            (each.place, each.record, each.processes) for each in matches()
        ]
        assert [entrant.name for entrant in store.entrants()] == list(LEAGUE.bots)


def test_a_key_is_drawn_for_each_league(tmp_path: Path) -> None:
    keys = set()
    for name in "ab":
        with Store.open(tmp_path / name / DATABASE) as store:
            store.begin(settings_of(LEAGUE).to_json(), None, None)
            keys |= {store.secrets.key, store.secrets.lots}
    assert len(keys) == 4
    assert all(len(key) == 32 for key in keys)


def test_a_match_is_not_entered_twice(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        enter(store, matches()[0])
        with pytest.raises(AlreadyEntered, match=r"match 1\.1 of attempt 0 is entered already"):
            enter(store, matches()[0])
        assert len(store.matches_of(1, 0)) == 1
        assert store.last_event() == 1


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_league_that_was_moved_or_removed_while_it_is_open_takes_no_match(
    tmp_path: Path, is_kept: bool
) -> None:
    home, moved = tmp_path / "cup.arena", tmp_path / "away.arena"
    with begun(Store.open(home / DATABASE)) as store:
        enter(store, matches()[0])
        home.rename(moved)
        if not is_kept:
            shutil.rmtree(moved)
        with pytest.raises(StoreGone) as caught:
            enter(store, matches()[1])
    assert str(caught.value) == (
        f"{home / DATABASE} is gone: it or its folder was moved, removed or replaced while the"
        " league is played, so no further match can be kept. Put it back in its place, or its last"
        " copy if it was removed; then the same command goes on after the last match in it"
    )
    if is_kept:
        with Store.open(moved / DATABASE) as store:
            assert len(store.matches_of(1, 0)) == 1


def test_a_league_whose_file_was_replaced_while_it_is_open_takes_no_match(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        (tmp_path / "copy").write_bytes((tmp_path / DATABASE).read_bytes())
        (tmp_path / "copy").replace(tmp_path / DATABASE)
        with pytest.raises(StoreGone, match=r"league\.db is another file now"):
            enter(store, matches()[0])


def test_the_machine_of_a_match_is_kept_and_only_the_owner_of_the_league_reads_it(
    tmp_path: Path,
) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        for number, played in enumerate(matches()):
            machine = ("", "east", "west")[number % 3]
            enter(store, msgspec.structs.replace(played, machine=machine))
        names = {played.place: machine for machine, played in store.played_on()}
    assert names
    places = [played.place for played in matches()]
    assert names == {place: ("", "east", "west")[places.index(place) % 3] for place in names}
    with complete_sets_of(tmp_path) as copy, pytest.raises(StoreError, match="machines"):
        [*copy.played_on()]


def test_after_a_match_that_was_refused_the_next_one_is_entered(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        first, second, *_ = matches()
        enter(store, first)
        with pytest.raises(AlreadyEntered):
            store.enter(first, completes=True, voids=True)
        enter(store, second)
        (state, *_) = store.sets()
        assert (state.attempt, state.turns, state.is_complete) == (0, (0, 1), False)


def test_a_lease_is_raised_for_one_set_and_stays_when_the_store_is_opened_again(
    tmp_path: Path,
) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        assert [store.lease(1), store.lease(1), store.lease(2)] == [1, 2, 1]
    with Store.open(tmp_path / DATABASE) as store:
        assert [store.lease(2), store.lease(1), store.lease(3)] == [2, 3, 1]
        with pytest.raises(ValueError, match="there is no set 4"):
            store.lease(4)


def test_a_set_has_begun_from_its_first_lease_until_it_is_complete(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        line_ups = {state.planned.number: state.planned for state in store.sets()}
        assert store.begun() == ()
        for played in matches():
            store.lease(played.set)
            assert store.begun() == (line_ups[played.set],)
            enter(store, played)
            assert store.begun() == (() if played.turn == 3 else (line_ups[played.set],))


def test_a_set_is_shown_only_when_it_is_complete(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        for number, played in enumerate(matches()):
            enter(store, played)
            assert len(list(store.complete_sets())) == (number + 1) // 4
            assert (store.complete_set(played.set) is not None) == (played.turn == 3)
        assert [one.number for one in store.complete_sets(after=1)] == [2, 3]


def test_evidence_is_shown_only_when_its_set_is_complete(tmp_path: Path) -> None:
    league = Simulated(sets=1, illegal=LEAGUE.bots)
    with begun(Store.open(tmp_path / DATABASE)) as store:
        for played in matches(league):
            assert not store.evidence(Place(1, 0))
            enter(store, played)
        assert len(store.evidence(Place(1, 0))) == 4


def test_a_void_set_begins_again_and_its_matches_count_for_nothing(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        first, second, *_ = matches()
        enter(store, first)
        store.enter(second, completes=False, voids=True)
        (state, *_) = store.sets()
        assert (state.attempt, state.turns, state.is_complete) == (1, (), False)
        assert store.voids() == {"": 1}


def test_events_are_numbered_without_a_gap(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
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
    with begun(Store.open(tmp_path / DATABASE)) as store:
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


def play(
    path: Path,
    connect: Callable[[str], sqlite3.Connection],
    entered: list[LeagueMatch],
    tell: Tell = untold,
) -> None:
    """As a runner does: begin if nobody has, enter what is not there yet."""
    with Store.open(path, connect, tell) as store:
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


def fails(path: Path, call: int, entered: list[LeagueMatch]) -> bool:
    """Play until this call of the store fails, and all after it; whether it came to that, and was
    told as a broken disk."""
    Failing.left = call
    told: list[str] = []
    try:
        play(path, failing, entered, told.append)
    except StoreError as error:
        told.append(str(error))
    finally:
        Failing.left = 10**9
    return "disk I/O error; " in (told[-1] if told else "")


def test_whichever_call_fails_nothing_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    """The first call fails, or the second, and so on to the last; then it goes on."""
    entered = matches()[:4]
    calls = Failing.left
    play(tmp_path / "whole" / DATABASE, failing, entered)
    # The last call only leaves WAL mode: if it fails, readers find a -wal, and nobody is told.
    calls -= Failing.left + 1
    for call in range(calls):
        path = tmp_path / str(call) / DATABASE
        assert fails(path, call, entered)
        play(path, sqlite_connect, entered)
        with Reader.read(path) as store:
            read = [match.record for one in store.complete_sets() for match in one.matches]
            assert read == [played.record for played in entered]
            assert store.last_event() == len(read)
    assert not fails(tmp_path / str(calls) / DATABASE, calls, entered)


def sqlite_connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def test_a_full_disk_is_told_and_what_was_entered_is_kept(tmp_path: Path) -> None:
    path = tmp_path / DATABASE

    def small(uri: str) -> sqlite3.Connection:
        db = sqlite3.connect(uri, uri=True, isolation_level=None)
        db.execute("PRAGMA max_page_count = 20")
        return db

    with begun(Store.open(path, small)) as store:
        entered = list(until_full(store))
    with Store.open(path) as store:
        assert sum(len(state.turns) for state in store.sets()) == len(entered) > 0


def until_full(store: Store) -> Iterator[LeagueMatch]:
    for played in matches(Simulated(sets=3, options={"rounds": 8})):
        try:
            enter(store, played)
        except StoreError as error:
            assert "full; make room on this disk and run it again" in str(error)  # noqa: PT017
            return
        yield played
    pytest.fail("it was never full")


def test_a_locked_store_says_so_and_can_be_tried_again(tmp_path: Path) -> None:
    path = tmp_path / DATABASE

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
    with simulate(tmp_path, LEAGUE, 1) as store, Reader.read(store.path) as reader:
        assert len(list(reader.complete_sets())) == 1
        for turn in range(4):
            played = played_match(LEAGUE, schedule(LEAGUE)[1], turn, seed_of_set(b"k" * 32, 2, 0))
            enter(store, played)
        assert len(list(reader.complete_sets())) == 2


FOX = {"path": "bots/fox", "name": "fox", "owner": "ann", "limits": {"memory_mb": 64}}


def test_a_bot_that_was_admitted_is_kept_and_no_reader_sees_it(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        store.admit("fox", {"sample": "python-bare"})
        store.admit("fox", FOX)
        store.admit("owl", FOX)
        store.admit("owl", None)
    with Store.open(tmp_path / DATABASE) as store:
        assert store.admitted() == {"fox": FOX}
    assert read_admitted(tmp_path / DATABASE) == {"fox": FOX}
    with (
        Reader.read(tmp_path / DATABASE) as reader,
        pytest.raises(sqlite3.DatabaseError, match="prohibited"),
    ):
        reader._db.execute("SELECT * FROM admitted")


def test_changes_made_as_one_are_all_there_or_none(tmp_path: Path) -> None:
    with begun(Store.open(tmp_path / DATABASE)) as store:
        before = store.last_event()

        def changes() -> None:
            store.admit("fox", FOX)
            store.add_entrants([("hen", "hen", "hash")], [{"event": "entrant"}])

        def fails() -> None:
            with store.as_one():
                changes()
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fails()
        assert (store.admitted(), store.last_event()) == ({}, before)
        assert "hen" not in {each.name for each in store.entrants()}
        with store.as_one():
            changes()
        assert (store.admitted(), store.last_event()) == ({"fox": FOX}, before + 1)
    with complete_sets_of(tmp_path) as copy:
        assert "hen" in {each.name for each in copy.entrants()}
