"""The copy for readers: never ahead of the league, soon up to date, made anew where in doubt."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.league.model.played import LeagueMatch
from arena.league.model.seeds import seed_of_set
from arena.league.store import events
from arena.league.store.complete_reader import CompleteReader, complete_sets_of, reader_of
from arena.league.store.database import COMPLETE, StoreError
from arena.league.store.folder import CLEAN_END, COMPLETE_SETS, DATABASE, SECRETS
from arena.league.store.reader import Reader
from arena.league.store.store import TELL_AGAIN_SECONDS, Store
from tests.audit.damage import Damaged
from tests.league.leagues import Simulated, played_match, schedule, settings_of, simulate
from tests.league.rights import as_nobody

LEAGUE = Simulated(sets=4, illegal=("fox", "owl"))
KEY = b"k" * 32


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A league of four sets, of which one is played."""
    with simulate(tmp_path, LEAGUE, 1) as store:
        yield store


def matches(number: int) -> list[LeagueMatch]:
    one = schedule(LEAGUE)[number - 1]
    return [played_match(LEAGUE, one, turn, seed_of_set(KEY, number, 0)) for turn in range(4)]


def enter(store: Store, played: LeagueMatch, *, voids: bool = False) -> None:
    told = events.void(played) if voids else events.match(played)
    store.enter(played, completes=played.turn == 3, voids=voids, events=[told])


def shown(reader: Reader) -> dict[str, object]:
    """All that a reader shows, but for evidence."""
    return {
        "settings": {**reader.settings, "seed": reader.settings["seed"] is not None},
        "entrants": reader.entrants(),
        "sets": reader.sets(),
        "voids": reader.voids(),
        "complete": [*reader.complete_sets()],
        "events": [*reader.events()],
        "benched": reader.roster().benched,
    }


def assert_same(store: Store) -> None:
    """The copy shows what the league shows."""
    with complete_sets_of(store.path.parent) as copy, Reader.read(store.path) as truth:
        assert shown(copy) == shown(truth)


def test_it_shows_what_the_league_shows_after_each_call(store: Store) -> None:
    assert_same(store)
    store.change_settings({**store.settings, "name": "Bowl"}, [{"event": "league"}])
    assert_same(store)
    store.add_entrants([("newt", "newt", "hash")], [events.entrant("newt", "newt", "hash")])
    assert_same(store)
    store.note_said("newt", {"version": "2"})
    assert_same(store)
    store.add_sets(schedule(Simulated(sets=6))[4:], [events.schedule(6)])
    assert_same(store)
    first, second, *_ = matches(2)
    enter(store, first)
    assert_same(store)
    enter(store, second, voids=True)
    assert_same(store)
    store.add_events([events.benched("mole", "because", 1)])
    assert_same(store)
    for number in (3, 4):
        for played in matches(number):
            enter(store, played)
            assert_same(store)


def test_it_has_no_byte_of_a_set_that_is_not_complete(store: Store, tmp_path: Path) -> None:
    """Neither while it is written nor after that."""
    for played in matches(2)[:3]:
        enter(store, played)
    with closing(sqlite3.connect(store.path)) as truth:
        records = truth.execute("SELECT number, record FROM matches ORDER BY number").fetchall()
    assert [number for number, _ in records] == [1, 1, 1, 1, 2, 2, 2]
    while_open = all_bytes(tmp_path)
    store.close()
    for found in (while_open, all_bytes(tmp_path)):
        for number in (2, 3, 4):
            seed = seed_of_set(KEY, number, 0)
            assert seed not in found
            assert seed.hex().encode() not in found
        for number, record in records:
            middle = record[len(record) // 2 :][:60]  # of its moves
            assert (middle in found) == (number == 1)


def all_bytes(home: Path) -> bytes:
    """All bytes of the copy and of the files beside it."""
    return b"".join(path.read_bytes() for path in sorted(home.glob(f"{COMPLETE_SETS}*")))


def test_it_has_no_evidence_and_no_seed_of_the_file(store: Store, tmp_path: Path) -> None:
    with Reader.read(store.path) as truth:
        place = next(
            played.place
            for one in truth.complete_sets()
            for played in one.matches
            if played.record.faults
        )
        assert truth.evidence(place)
    with complete_sets_of(tmp_path) as copy:
        assert copy.settings["seed"] == ""
        with pytest.raises(StoreError, match=r"has no evidence: it is in league\.db"):
            copy.evidence(place)
        with pytest.raises(sqlite3.DatabaseError, match="no such table"):
            copy._db.execute("SELECT * FROM evidence")


def test_without_a_seed_in_the_file_it_says_so(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=1, seed=None), 0), complete_sets_of(tmp_path) as copy:
        assert copy.settings["seed"] is None


def test_a_reader_of_it_can_neither_write_nor_read_its_facts(store: Store, tmp_path: Path) -> None:
    with complete_sets_of(tmp_path) as copy:
        for statement in ("DELETE FROM matches", "SELECT * FROM facts", "ATTACH 'x' AS y"):
            with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
                copy._db.execute(statement)


def test_while_a_program_has_it_locked_the_league_goes_on_and_says_so_once(
    tmp_path: Path,
) -> None:
    simulate(tmp_path, LEAGUE, 1).close()
    told: list[str] = []
    with Store.open(tmp_path / DATABASE, tell=told.append) as store:
        with closing(sqlite3.connect(tmp_path / COMPLETE_SETS, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for played in matches(2):
                enter(store, played)
            assert len([*store.complete_sets()]) == 2
            with complete_sets_of(tmp_path) as copy:
                assert len([*copy.complete_sets()]) == 1
            other.execute("ROLLBACK")
        (line,) = told
        assert line == (
            f"{tmp_path / COMPLETE_SETS}: another program has this file locked; the pages wait for"
            " it, the league goes on"
        )
        store.add_events([{"event": "finished"}])
        assert_same(store)
    assert len(told) == 1


class Full(sqlite3.Connection):
    """A connection that can write nothing to the copy while its disk is full."""

    is_full = False
    path = ""

    def execute(self, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
        if Full.is_full and COMPLETE_SETS in self.path and args[0].startswith("BEGIN"):
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(*args, **kwargs)


def full(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, isolation_level=None, factory=Full)
    db.path = uri
    return db


@pytest.fixture
def full_disk() -> Iterator[None]:
    """The disk of the copy is full from then on, as soon as a test says so."""
    yield
    Full.is_full = False


@pytest.mark.usefixtures("full_disk")
def test_while_it_cannot_be_written_what_is_entered_is_entered_and_the_trouble_is_told(
    tmp_path: Path,
) -> None:
    """Else a caller would count an entry that is on disk as refused."""
    simulate(tmp_path, LEAGUE, 1).close()
    told: list[str] = []
    with Store.open(tmp_path / DATABASE, full, told.append) as store:
        Full.is_full = True
        for played in matches(2):
            enter(store, played)
        assert len([*store.complete_sets()]) == 2
        with complete_sets_of(tmp_path) as copy:
            assert len([*copy.complete_sets()]) == 1
        (line,) = told
        assert line.startswith(f"{tmp_path / COMPLETE_SETS}: database or disk is full; ")
        assert line.endswith("; the pages wait for it, the league goes on")
        Full.is_full = False
        store.add_events([{"event": "finished"}])
        assert_same(store)
    assert len(told) == 1


@pytest.mark.usefixtures("full_disk")
def test_trouble_that_lasts_is_told_again(tmp_path: Path) -> None:
    simulate(tmp_path, LEAGUE, 1).close()
    told: list[str] = []
    times = (0.0, TELL_AGAIN_SECONDS - 1, TELL_AGAIN_SECONDS, TELL_AGAIN_SECONDS + 1)
    with Store.open(tmp_path / DATABASE, full, told.append) as store:
        store._clock = iter(times).__next__
        Full.is_full = True
        for _ in times:
            store.add_events([{"event": "finished"}])
    assert len(told) == 2


@pytest.mark.usefixtures("full_disk")
def test_a_copy_that_cannot_be_written_is_told_by_an_opening(tmp_path: Path) -> None:
    """Nothing was entered then, and the operator is still there."""
    simulate(tmp_path, LEAGUE, 1).close()
    Full.is_full = True
    with pytest.raises(StoreError, match="database or disk is full"):
        Store.open(tmp_path / DATABASE, full)


@pytest.mark.parametrize("times", [1, 2])
def test_sets_that_it_lacks_are_copied_once_a_lock_is_gone(tmp_path: Path, times: int) -> None:
    """After a kill before they were copied: the first opening compares, and meets a lock."""
    simulate(tmp_path, LEAGUE, 1).close()
    behind = tmp_path / "behind"
    shutil.copy(tmp_path / COMPLETE_SETS, behind)
    with Store.open(tmp_path / DATABASE) as store:
        for played in matches(2):
            enter(store, played)
    behind.rename(tmp_path / COMPLETE_SETS)

    class LockedLater(sqlite3.Connection):
        """Its own first transaction succeeds, and then another program has the file locked."""

        begun = 0

        def execute(self, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
            if args[0].startswith("BEGIN"):
                self.begun += 1
                if 1 < self.begun <= 1 + times:
                    error = sqlite3.OperationalError("database is locked")
                    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                    raise error
            return super().execute(*args, **kwargs)

    def locked_later(uri: str) -> sqlite3.Connection:
        factory = LockedLater if COMPLETE_SETS in uri else sqlite3.Connection
        return sqlite3.connect(uri, uri=True, isolation_level=None, factory=factory)

    told: list[str] = []
    with Store.open(tmp_path / DATABASE, locked_later, told.append) as store:
        for _ in range(times):
            store.add_events([{"event": "finished"}])
        assert len(told) == 1
        assert_same(store)


def test_settings_of_a_copying_that_failed_are_copied_by_the_next(tmp_path: Path) -> None:
    """The disk may be full when the transaction ends."""
    simulate(tmp_path, LEAGUE, 1).close()

    class FailsOnce(sqlite3.Connection):
        fails = False

        def execute(self, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
            if FailsOnce.fails and args[0] == "COMMIT":
                FailsOnce.fails = False
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(*args, **kwargs)

    def fails_once(uri: str) -> sqlite3.Connection:
        factory = FailsOnce if COMPLETE_SETS in uri else sqlite3.Connection
        return sqlite3.connect(uri, uri=True, isolation_level=None, factory=factory)

    with Store.open(tmp_path / DATABASE, fails_once) as store:
        FailsOnce.fails = True
        store.change_settings({**store.settings, "name": "Bowl"}, [{"event": "league"}])
        assert not FailsOnce.fails
        store.add_entrants([("newt", "newt", "hash")], [events.entrant("newt", "newt", "hash")])
        assert_same(store)


def test_a_reader_in_the_middle_of_reading_delays_nobody(store: Store, tmp_path: Path) -> None:
    told: list[str] = []
    store._tell = told.append
    with closing(sqlite3.connect(tmp_path / COMPLETE_SETS, isolation_level=None)) as reads:
        reads.execute("BEGIN")
        before = reads.execute("SELECT count(*) FROM matches").fetchone()
        for played in matches(2):
            enter(store, played)
        assert_same(store)
        assert reads.execute("SELECT count(*) FROM matches").fetchone() == before
        store.close()
        assert not told
        # The file at rest is in the reader's hands, and the next run does not wait for it either.
        with Store.open(store.path, tell=told.append) as again:
            assert_same(again)
        assert not told


class Killed(sqlite3.Connection):
    """A connection whose n-th call ends the process, as `kill -9` does."""

    left = 10**9

    def execute(self, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
        Killed.left -= 1
        if Killed.left < 0:
            os._exit(9)
        return super().execute(*args, **kwargs)


def play(home: Path, calls: int = 10**9) -> int:
    """Play the first three sets as a runner does, going on from what is there; be killed after so
    many calls. Returns the number of calls that were left."""
    Killed.left = calls

    def killed(uri: str) -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, isolation_level=None, factory=Killed)

    with Store.open(home / DATABASE, killed) as store:
        if not store.has_begun:
            store.begin(settings_of(LEAGUE).to_json(), KEY, b"l" * 32, [{"event": "league"}])
        known = len(store.entrants())
        store.add_entrants([(name, name, "h") for name in LEAGUE.bots][known:])
        store.add_sets(schedule(LEAGUE)[len(store.sets()) :])
        done = {(state.planned.number, turn) for state in store.sets() for turn in state.turns}
        for number in (1, 2, 3):
            for played in matches(number):
                if (played.set, played.turn) not in done:
                    enter(store, played)
    return Killed.left


def test_killed_at_any_call_it_is_never_ahead_and_comes_to_the_same(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Between the two transactions, in the middle of either, and while the copy is made."""
    calls = 10**9 - play(tmp_path / "whole")
    with complete_sets_of(tmp_path / "whole") as copy:
        whole = shown(copy)
    behind = 0
    for call in range(0, calls, 1 if request.config.getoption("full") else 17):
        home = tmp_path / str(call)
        child = os.fork()
        if not child:
            play(home, call)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        behind += is_behind(home)
        play(home)
        with complete_sets_of(home) as copy, Reader.read(home / DATABASE) as truth:
            assert shown(copy) == shown(truth) == whole
        shutil.rmtree(home)
    assert behind  # else no kill came between the two


def is_behind(home: Path) -> bool:
    """Whether the copy has less than the league; it must not have more."""
    if not (home / COMPLETE_SETS).exists():
        return False
    with complete_sets_of(home) as copy, Reader.read(home / DATABASE) as truth:
        early, late = shown(copy), shown(truth)
    for what in ("events", "entrants", "sets", "complete"):
        ours, theirs = early[what], late[what]
        assert isinstance(ours, list | tuple)
        assert isinstance(theirs, list | tuple)
        if what == "sets":
            assert {each.planned for each in ours} <= {each.planned for each in theirs}
            complete = {each.planned for each in theirs if each.is_complete}
            assert {each.planned for each in ours if each.is_complete} <= complete
        else:
            assert ours == theirs[: len(ours)]
    return early != late


def remove(home: Path) -> None:
    (home / COMPLETE_SETS).unlink()


def truncate(home: Path) -> None:
    file = home / COMPLETE_SETS
    file.write_bytes(file.read_bytes()[:5000])


def overwrite(home: Path) -> None:
    file = home / COMPLETE_SETS
    data = bytearray(file.read_bytes())
    data[8192:12288] = b"\xff" * 4096
    file.write_bytes(data)


def empty(home: Path) -> None:
    (home / COMPLETE_SETS).write_bytes(b"")


def no_database(home: Path) -> None:
    (home / COMPLETE_SETS).write_bytes(b"no database at all" * 1000)


def removed_with_a_wal_left(home: Path) -> None:
    """By hand, after a run that was killed: SQLite takes a -wal for that of the new file."""
    with simulate(home / "other", Simulated(sets=4), 3):
        for ending in ("-wal", "-shm"):
            shutil.copy(home / "other" / f"{COMPLETE_SETS}{ending}", home)
    remove(home)


def of_a_newer_schema(home: Path) -> None:
    Damaged(home, COMPLETE_SETS).execute(f"PRAGMA user_version = {COMPLETE.schema + 1}")


def the_league_itself(home: Path) -> None:
    shutil.copy(home / DATABASE, home / COMPLETE_SETS)


def of_another_league(home: Path) -> None:
    other = home / "other"
    simulate(other, Simulated(sets=4, seed="8"), 1).close()
    Damaged(other, COMPLETE_SETS).execute("UPDATE facts SET value = x'00' WHERE name = 'league'")
    shutil.copy(other / COMPLETE_SETS, home)


def with_another_event(home: Path) -> None:
    Damaged(home, COMPLETE_SETS).execute('INSERT INTO events VALUES (1, \'{"event": "a"}\')')


def ahead(home: Path) -> None:
    """As where an earlier copy of `league.db` was brought back."""
    simulate(home / "other", LEAGUE, 3).close()
    shutil.copy(home / "other" / COMPLETE_SETS, home)


def with_more_sets(home: Path) -> None:
    Damaged(home, COMPLETE_SETS).execute("INSERT INTO sets VALUES (9, '[]', 0, 0, '[]', '[]')")


@pytest.mark.parametrize(
    "damage",
    [
        remove,
        truncate,
        overwrite,
        empty,
        no_database,
        removed_with_a_wal_left,
        of_a_newer_schema,
        the_league_itself,
        of_another_league,
        with_another_event,
        ahead,
        with_more_sets,
    ],
    ids=lambda damage: damage.__name__,
)
def test_one_that_is_not_of_this_league_is_made_anew(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    simulate(tmp_path, LEAGUE, 2).close()
    damage(tmp_path)
    with Store.open(tmp_path / DATABASE) as store:
        assert_same(store)
    with closing(sqlite3.connect(tmp_path / COMPLETE_SETS)) as copy:
        assert copy.execute("SELECT DISTINCT number FROM matches").fetchall() == [(1,), (2,)]
    assert not [*tmp_path.glob(f"{COMPLETE_SETS}?*")]  # nothing is left of making it


class Watching(sqlite3.Connection):
    """A connection that remembers what was asked."""

    asked: list[str]

    def execute(self, *args: Any, **kwargs: Any) -> sqlite3.Cursor:
        Watching.asked.append(args[0])
        return super().execute(*args, **kwargs)


def is_looked_through(home: Path) -> bool:
    """Whether an opening reads the whole copy."""

    def watched(uri: str) -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, isolation_level=None, factory=Watching)

    Watching.asked = []
    Store.open(home / DATABASE, watched).close()
    assert "PRAGMA journal_mode = WAL" in Watching.asked
    return "PRAGMA quick_check" in Watching.asked


def test_one_that_a_clean_end_closed_is_not_looked_through(tmp_path: Path) -> None:
    simulate(tmp_path, LEAGUE, 2).close()
    assert not is_looked_through(tmp_path)
    assert not is_looked_through(tmp_path)


def killed(home: Path) -> None:
    """While the copy is open."""
    child = os.fork()
    if not child:
        Store.open(home / DATABASE)
        os._exit(9)
    os.waitpid(child, 0)


def written_in_place(home: Path) -> None:
    """With the same bytes, at once: a program that does so may as well write others."""
    file = home / COMPLETE_SETS
    with file.open("r+b") as copy:
        first = copy.read(1)
        copy.seek(0)
        copy.write(first)


def with_the_times_of_before(home: Path) -> None:
    """As `cp --preserve` and `touch --reference` do."""
    file = home / COMPLETE_SETS
    before = file.stat()
    written_in_place(home)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def copied_elsewhere(home: Path) -> None:
    file = home / COMPLETE_SETS
    shutil.copy2(file, home / "again")
    (home / "again").rename(file)


def without_its_mark(home: Path) -> None:
    (home / CLEAN_END).unlink()


def with_a_damaged_mark(home: Path) -> None:
    (home / CLEAN_END).write_bytes(b"\xff{")


@pytest.mark.parametrize(
    "change",
    [
        killed,
        written_in_place,
        with_the_times_of_before,
        copied_elsewhere,
        without_its_mark,
        with_a_damaged_mark,
    ],
    ids=lambda change: change.__name__,
)
def test_one_that_something_else_may_have_written_to_is_looked_through_once(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    simulate(tmp_path, LEAGUE, 2).close()
    change(tmp_path)
    assert is_looked_through(tmp_path)
    assert not is_looked_through(tmp_path)


def test_while_a_reader_holds_it_no_end_is_clean(tmp_path: Path) -> None:
    store = simulate(tmp_path, LEAGUE, 2)
    with closing(sqlite3.connect(tmp_path / COMPLETE_SETS, isolation_level=None)) as reads:
        reads.execute("BEGIN")
        reads.execute("SELECT count(*) FROM matches").fetchone()
        store.close()
        assert not (tmp_path / CLEAN_END).exists()


def test_one_that_is_behind_is_brought_up_to_date_and_not_made_anew(tmp_path: Path) -> None:
    simulate(tmp_path, LEAGUE, 1).close()
    kept = tmp_path / "kept"
    shutil.copy(tmp_path / COMPLETE_SETS, kept)
    with Store.open(tmp_path / DATABASE) as store:
        for number in (2, 3):
            for played in matches(number)[: 4 if number == 2 else 2]:
                enter(store, played)
        store.add_sets(schedule(Simulated(sets=5))[4:])
    kept.rename(tmp_path / COMPLETE_SETS)
    file = (tmp_path / COMPLETE_SETS).stat().st_ino
    with Store.open(tmp_path / DATABASE) as store:
        assert_same(store)
        assert (tmp_path / COMPLETE_SETS).stat().st_ino == file


def test_a_league_that_begins_anew_has_a_copy_of_its_own(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 0) as store:
        store.clear()
        assert not (tmp_path / COMPLETE_SETS).exists()
        store.begin(settings_of(LEAGUE).to_json(), b"x" * 32, b"y" * 32, [{"event": "league"}])
        assert_same(store)


def test_at_rest_it_is_one_file_that_anybody_may_read(tmp_path: Path) -> None:
    simulate(tmp_path, LEAGUE, 1).close()
    file = tmp_path / COMPLETE_SETS
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    assert file.read_bytes()[18:20] == b"\1\1"  # the form of a file that has no -wal
    assert [*tmp_path.glob(f"{COMPLETE_SETS}?*")] == []


@pytest.mark.parametrize("state", ["running", "killed", "at rest"])
def test_another_user_reads_it_and_nothing_else(state: str) -> None:
    """With no right to write anything; at rest also where the folder was copied."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "cup.arena"
        with simulate(home, LEAGUE, 1) as store:
            for played in matches(2)[:2]:
                enter(store, played)
            if state == "killed":
                shutil.copytree(home, Path(folder) / "killed.arena")
                home = Path(folder) / "killed.arena"
            if state == "at rest":
                store.close()
            hide_from_nobody(Path(folder))
            found = as_nobody(lambda: readable(home))
        Path(folder).chmod(0o700)
    assert json.loads(found) == {"complete": [1], "league.db": "this user may not read it"}


def hide_from_nobody(folder: Path) -> None:
    """Let everybody enter a folder; where this user is not root, take from all files the rights
    that others do not have."""
    for path in (folder, *folder.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | 0o055 if path.is_dir() else 0o444 if mode & 0o004 else 0)


def readable(home: Path) -> str:
    """What this process can read of a league, as JSON."""
    with complete_sets_of(home) as copy:
        complete = [one.number for one in copy.complete_sets()]
    assert not os.access(home / SECRETS, os.R_OK)
    try:
        Reader.read(home / DATABASE)
    except StoreError as error:
        (why,) = re.findall("league.db: (.*); it is for the owner", str(error))
        return json.dumps({"complete": complete, "league.db": why})
    return "the league can be read"


def test_commands_read_the_league_where_there_is_no_copy_of_it(tmp_path: Path) -> None:
    simulate(tmp_path, LEAGUE, 2).close()
    with reader_of(tmp_path) as reader:
        assert type(reader) is CompleteReader
        with Reader.read(tmp_path / DATABASE) as truth:
            assert shown(reader) == shown(truth)
    of_a_newer_schema(tmp_path)
    with reader_of(tmp_path) as reader:
        assert (type(reader), len([*reader.complete_sets()])) == (Reader, 2)
    remove(tmp_path)
    with reader_of(tmp_path) as reader:
        assert (type(reader), len([*reader.complete_sets()])) == (Reader, 2)
    (tmp_path / DATABASE).unlink()
    with pytest.raises(StoreError, match="there is no such league"):
        reader_of(tmp_path)


def test_who_opens_complete_sets_alone_is_told_of_another_version(tmp_path: Path) -> None:
    simulate(tmp_path, LEAGUE, 2).close()
    of_a_newer_schema(tmp_path)
    with pytest.raises(StoreError, match="made by a newer arena"):
        complete_sets_of(tmp_path)
