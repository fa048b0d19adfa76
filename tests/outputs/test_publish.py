"""A league published into a folder, again and again."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.model.played import StoredSet
from arena.league.model.publisher_pipe import AT, RUNNING, STOPPED
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.store.complete_reader import CompleteReader
from arena.league.store.database import StoreError
from arena.league.store.folder import COMPLETE_SETS, DATABASE, SECRETS
from arena.league.store.lock import locked
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.league.table.checkpoint import packed
from arena.league.table.live import ledger_of, standings_of
from arena.outputs.pages.names import file_of_bot
from arena.outputs.publish import NICE, Publisher, serve
from arena.outputs.registry import OUTPUTS
from tests.league.leagues import Simulated, played_match, schedule, simulate
from tests.outputs.leagues import play as play_all
from tests.outputs.reading import read as read_page

LEAGUE = Simulated(game="nope", seats=2, options={"max_turns": 20}, sets=12)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A league of which nothing is played yet."""
    with closing(simulate(tmp_path / "league.arena", LEAGUE, 0)) as store:
        yield store


@pytest.fixture
def publisher(store: Store, tmp_path: Path) -> Publisher:
    return Publisher(store.path.parent, tmp_path / "public")


def play(store: Store, *sets: PlannedSet) -> None:
    for one in sets:
        for turn in range(2):
            played = played_match(LEAGUE, one, turn, seed_of_set(store.secrets.key, one.number, 0))
            store.enter(played, completes=turn == 1, voids=False)


def published(publisher: Publisher) -> dict[str, str]:
    return {name: (publisher.to / f"standings.{name}").read_text() for name in OUTPUTS}


def expected(store: Store) -> dict[str, str]:
    return {name: output.text(standings_of(store)) for name, output in OUTPUTS.items()}


def test_every_output_is_written_and_equals_the_table_worked_out_anew(
    store: Store, publisher: Publisher
) -> None:
    planned = schedule(LEAGUE)
    for number in range(0, 12, 3):
        assert publisher.publish() == number
        assert published(publisher) == expected(store)
        play(store, *planned[number : number + 3])
    assert publisher.publish() == 12
    assert published(publisher) == expected(store)
    assert json.loads(published(publisher)["json"])["facts"]["is_finished"]


def test_sets_that_are_complete_before_their_turn_count_when_it_comes(
    store: Store, publisher: Publisher
) -> None:
    planned = schedule(LEAGUE)
    play(store, planned[2], planned[1])
    assert publisher.publish() == 0
    play(store, planned[0])
    assert publisher.publish() == 3
    assert published(publisher) == expected(store)


def test_a_publisher_that_begins_with_a_checkpoint_writes_the_same_pages(
    store: Store, publisher: Publisher, tmp_path: Path
) -> None:
    planned = schedule(LEAGUE)
    play(store, *planned[:5])
    publisher.publish()
    ledger = ledger_of(store)
    store.keep_checkpoint(packed(ledger), ledger.fresh, is_anew=True)
    play(store, planned[5])
    publisher.publish()
    other = Publisher(store.path.parent, tmp_path / "other")
    other.publish()
    found = [
        {file.relative_to(to): file.read_bytes() for file in to.rglob("*") if file.is_file()}
        for to in (publisher.to, other.to)
    ]
    assert found[0] == found[1]
    assert published(other) == expected(store)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the sets that are read from stores, in order."""
    numbers: list[int] = []
    complete_set = Reader.complete_set

    def counted(self: Reader, number: int) -> StoredSet | None:
        numbers.append(number)
        return complete_set(self, number)

    monkeypatch.setattr(Reader, "complete_set", counted)
    return numbers


def test_each_set_is_read_once_for_table_and_pages(
    store: Store, publisher: Publisher, read: list[int]
) -> None:
    for one in schedule(LEAGUE)[:6]:
        play(store, one)
        publisher.publish()
    assert read == [1, 2, 3, 4, 5, 6]
    assert len([*publisher.to.glob("sets/*/*.html")]) == 6


def test_a_new_publisher_reads_each_set_once_where_the_pages_are_there(
    store: Store, publisher: Publisher, read: list[int]
) -> None:
    play(store, *schedule(LEAGUE)[:3])
    publisher.publish()
    read.clear()
    Publisher(publisher.folder, publisher.to).publish()
    assert read == [1, 2, 3]


def test_of_a_long_backlog_only_so_many_sets_wait_in_memory(
    store: Store, publisher: Publisher, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.outputs.pages.pages.MOST_WAITING", 4)
    play(store, *schedule(LEAGUE)[:3])
    publisher.publish()
    assert read == [1, 2, 3, 3]
    play(store, *schedule(LEAGUE)[3:6])
    publisher.publish()
    assert read[4:] == [4, 5, 6, 6]
    assert len([*publisher.to.glob("sets/*/*.html")]) == 6


def test_no_record_is_encoded_to_tell_whether_its_page_is_up_to_date(
    store: Store, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(store, *schedule(LEAGUE)[:2])
    monkeypatch.setattr("arena.record.files._pack", None)
    for _ in "12":
        Publisher(publisher.folder, publisher.to).publish()


def test_a_set_whose_pages_could_not_be_compared_is_taken_the_next_time(
    store: Store, publisher: Publisher
) -> None:
    play(store, *schedule(LEAGUE)[:2])
    page = publisher.to / "sets" / "000" / "2.html"
    page.mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        publisher.publish()
    page.rmdir()
    assert publisher.publish() == 2
    assert published(publisher) == expected(store)
    assert len([*publisher.to.glob("sets/*/*.html")]) == 2


def test_progress_is_told_by_sets_read_and_sets_with_new_pages(
    store: Store, publisher: Publisher
) -> None:
    play(store, *schedule(LEAGUE)[:3])
    told: list[tuple[str, int, int]] = []

    def tell(what: str, done: int, of: int) -> None:
        told.append((what, done, of))

    publisher.publish(tell)
    assert told == [
        *(("sets read", done, 3) for done in (1, 2, 3)),
        *(("sets with new pages", done, 3) for done in (1, 2, 3)),
    ]
    publisher.publish(tell)
    assert len(told) == 6
    Publisher(publisher.folder, publisher.to).publish(tell)
    assert told[6:] == told[:3]


def state_of(publisher: Publisher) -> str:
    """The state of the league, as all that is published tells it alike."""
    facts = json.loads(published(publisher)["json"])["facts"]
    state = str(facts["state"])
    assert facts["is_finished"] == (state == "finished")
    assert f"- {state}: " in published(publisher)["md"]
    page = (publisher.to / "index.html").read_text()
    assert f'<span class="state {state}">{state}</span>' in page
    assert ("data-running" in page) == (state == "running")
    return state


def test_a_league_is_running_while_its_lock_is_held_and_stopped_after(
    store: Store, publisher: Publisher
) -> None:
    play(store, *schedule(LEAGUE)[:2])
    with locked(publisher.folder):
        publisher.publish()
        assert state_of(publisher) == "running"
    publisher.publish()
    assert state_of(publisher) == "stopped"
    play(store, *schedule(LEAGUE)[2:])
    publisher.publish()
    assert state_of(publisher) == "finished"


def test_the_last_request_of_a_runner_that_stops_makes_pages_of_a_stopped_league(
    store: Store, publisher: Publisher
) -> None:
    """Though it still holds the lock then."""
    play(store, *schedule(LEAGUE)[:2])
    states: list[str] = []
    with locked(publisher.folder):
        serve(publisher, [f"{RUNNING}\n", f"{STOPPED}\n"], lambda _: states.append("answered"))
    assert states.count("answered") >= 2
    assert state_of(publisher) == "stopped"


def test_a_runner_that_was_killed_leaves_pages_of_a_stopped_league(
    store: Store, publisher: Publisher
) -> None:
    """Its requests end, and nobody holds the lock."""
    play(store, *schedule(LEAGUE)[:2])
    serve(publisher, [f"{RUNNING}\n"], lambda _: None)
    assert state_of(publisher) == "stopped"


def test_while_the_lock_is_held_the_end_of_requests_changes_no_page(
    store: Store, publisher: Publisher
) -> None:
    """Whoever holds it has ended this publisher, and starts another when it wants one."""
    with locked(publisher.folder):
        serve(publisher, [f"{RUNNING}\n"], lambda _: None)
    assert state_of(publisher) == "running"


def test_newcomers_more_sets_and_another_anchor_are_taken_up(
    store: Store, publisher: Publisher
) -> None:
    play(store, *schedule(LEAGUE))
    publisher.publish()
    store.add_entrants([("cat", "cat", "hash of cat")])
    newcomers = PlannedSet(13, ("cat", "fox"))
    store.add_sets([newcomers], ())
    play(store, newcomers)
    store.change_settings({**store.settings, "anchor": {"fox": 1.0}, "anchor_elo": 1500.0}, ())
    assert publisher.publish() == 13
    assert published(publisher) == expected(store)
    found = json.loads(published(publisher)["json"])
    assert found["facts"]["anchor"] == "fox is 1500"
    assert found["history"][-1]["elo"]["fox"][0] == 1500


def test_nothing_of_an_unfinished_set_is_published(store: Store, publisher: Publisher) -> None:
    one = schedule(LEAGUE)[0]
    seed = seed_of_set(store.secrets.key, 1, 0)
    played = played_match(LEAGUE, one, 0, seed)
    store.enter(played, completes=False, voids=False)
    publisher.publish()
    for file in publisher.to.rglob("*"):
        if file.is_file():
            assert seed.hex().encode() not in file.read_bytes()
    assert json.loads(published(publisher)["json"])["facts"]["matches"] == 0


def test_a_league_is_only_read(store: Store, publisher: Publisher) -> None:
    play(store, *schedule(LEAGUE)[:2])
    store.close()
    before = (publisher.folder / DATABASE).read_bytes()
    publisher.publish()
    assert (publisher.folder / DATABASE).read_bytes() == before


def test_complete_sets_are_all_that_it_opens_of_a_league(
    store: Store, publisher: Publisher
) -> None:
    """In a folder that has everything: the runner plays on meanwhile."""
    play(store, *schedule(LEAGUE)[:2])
    home = publisher.folder
    code = f"""
import os, sys
opened = set()
def note(event, arguments):
    if event in ("open", "sqlite3.connect") and isinstance(arguments[0], str | bytes):
        name = os.fsdecode(arguments[0])
        if {str(home)!r} in name:
            opened.add(name.removeprefix("file://").partition("?")[0])
sys.addaudithook(note)
from arena.outputs.publish import main
main({str(home)!r}, {str(publisher.to)!r}, str(os.getppid()))
print(sorted(opened))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], input="\n", capture_output=True, text=True, check=True
    )
    *_, done, opened = ran.stdout.splitlines()
    assert done == "done 2 sets"
    assert opened == str([str(home / COMPLETE_SETS), str(home / "lock")])
    assert {DATABASE, SECRETS} <= {path.name for path in home.iterdir()}


def test_complete_sets_alone_can_be_published(
    store: Store, publisher: Publisher, tmp_path: Path
) -> None:
    play(store, *schedule(LEAGUE)[:2])
    publisher.publish()
    store.close()
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(publisher.folder / COMPLETE_SETS, alone)
    other = Publisher(alone, tmp_path / "other")
    assert other.publish() == 2
    assert published(other) == published(publisher)


def test_without_a_league_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such league"):
        Publisher(tmp_path / "nothing.arena", tmp_path / "public").publish()


def test_a_folder_that_cannot_be_written_is_told_in_words(tmp_path: Path) -> None:
    folder = tmp_path / "league.arena"
    simulate(folder, LEAGUE, 1).close()
    (tmp_path / "public").write_text("in the way")
    answers: list[str] = []
    serve(Publisher(folder, tmp_path / "public"), ["\n"], answers.append)
    assert answers[-1] == f"failed: {tmp_path / 'public'}: File exists"


def test_an_error_is_answered_and_the_next_request_is_served(tmp_path: Path) -> None:
    folder = tmp_path / "league.arena"
    answers: list[str] = []

    def asked() -> Iterator[str]:
        yield "\n"
        simulate(folder, LEAGUE, 2).close()
        yield "\n"

    serve(Publisher(folder, tmp_path / "public"), asked(), answers.append)
    assert answers[0].startswith("failed: ")
    assert "there is no such league" in answers[0]
    assert answers[1:] == [
        "at sets read: 1 of 2",
        "at sets read: 2 of 2",
        "at sets with new pages: 1 of 2",
        "at sets with new pages: 2 of 2",
        "done 2 sets",
    ]


def test_an_error_that_nobody_expects_is_answered_with_its_place(
    store: Store, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Reader) -> object:
        raise ZeroDivisionError("of nothing\x1b")

    answers: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(CompleteReader, "voids", broken)
        serve(publisher, ["\n"], answers.append)
    serve(publisher, ["\n"], answers.append)
    failed, done = answers
    assert failed.startswith(
        "failed: ZeroDivisionError: of nothing\N{REPLACEMENT CHARACTER} (test_"
    )
    assert failed.endswith("); this is a bug in arena")
    assert done == "done 0 sets"


def test_it_ends_when_nobody_reads_its_answers(store: Store, publisher: Publisher) -> None:
    def gone(_: str) -> None:
        raise BrokenPipeError

    asked = iter(["\n", "\n"])
    serve(publisher, asked, gone)
    assert [*asked] == ["\n"]


def test_the_child_publishes_at_each_line_and_ends_with_its_input(
    store: Store, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "arena.outputs.publish"]
    with subprocess.Popen(
        [*command, str(store.path.parent), str(tmp_path / "public"), str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        start_new_session=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write("\n")
        assert child.stdout.readline() == "done 0 sets\n"
        play(store, *schedule(LEAGUE)[:2])
        child.stdin.write("again\n")
        said = [child.stdout.readline() for _ in range(5)]
        assert [line.startswith(AT) for line in said] == [True] * 4 + [False]
        assert said[-1] == "done 2 sets\n"
        assert os.getpriority(os.PRIO_PROCESS, child.pid) == min(
            19, os.getpriority(os.PRIO_PROCESS, 0) + NICE
        )
        autogroup = Path(f"/proc/{child.pid}/autogroup")
        assert not autogroup.exists() or autogroup.read_text().endswith(f" nice {NICE}\n")
        # People wait for the last pages, and no bot plays any more.
        child.stdin.write(f"{STOPPED}\n")
        while not child.stdout.readline().startswith("done"):
            pass
        assert not autogroup.exists() or autogroup.read_text().endswith(" nice 0\n")
        child.stdin.close()
        assert child.wait() == 0
        assert child.stderr.read() == ""


def test_a_benched_bot_among_parts_that_never_met_is_published_beside_them(tmp_path: Path) -> None:
    """Its pairs are left out, which makes more parts, and itself is in none of them."""
    bots = ("ape", "bee", "cat", "dog", "elk")
    league = Simulated(sets=0, seats=2, bots=bots, illegal=("ape",))
    line_ups = [("ape", "bee"), ("ape", "cat"), ("ape", "bee"), ("dog", "elk"), ("dog", "elk")]
    sets = [PlannedSet(number, line_up) for number, line_up in enumerate(line_ups, 1)]
    with closing(simulate(tmp_path / "league.arena", league)) as store:
        store.add_sets(sets, ())
        play_all(store, league, sets)
        publisher = Publisher(store.path.parent, tmp_path / "public")
        assert publisher.publish() == 5
        assert published(publisher) == expected(store)
    page = read_page(tmp_path / "public" / "index.html")
    assert "There are 3 tables, because these bots never met" in page.text
    names = [row[1] for row in page.rows if row[0][:1].isdigit() or row[0] == "\u2013"]
    assert sorted(name[:3] for name in names) == ["ape", "bee", "cat", "dog", "elk"]
    assert "in table 2" in read_page(tmp_path / "public" / "bots" / file_of_bot("bee")).text


HOLDS_MUCH = """
from pathlib import Path
from arena.outputs.publish import give_memory_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

pieces = [bytes([1]) * 100_000 for _ in range(1000)]
last = pieces.pop()
del pieces
before = resident()
give_memory_back()
print(before - resident())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc holds it")
def test_memory_that_was_needed_for_a_moment_goes_back() -> None:
    """Also where something that is kept lies behind it."""
    done = subprocess.run(
        [sys.executable, "-c", HOLDS_MUCH], stdout=subprocess.PIPE, text=True, check=True
    )
    assert int(done.stdout) > 50_000_000
