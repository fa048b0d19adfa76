"""A league published into a folder, again and again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.database import FILE_NAME, StoreError
from arena.league.reader import Reader
from arena.league.sets import PlannedSet, seed_of_set
from arena.league.store import Store
from arena.league.table import standings_of
from arena.outputs.progress import AT
from arena.outputs.publish import NICE, Publisher, serve
from arena.outputs.registry import OUTPUTS
from tests.league.leagues import Simulated, played_match, schedule, simulate

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
            played = played_match(LEAGUE, one, turn, seed_of_set(store.key, one.number, 0))
            store.enter(played, completes=turn == 1, voids=False)


def published(publisher: Publisher) -> dict[str, str]:
    return {name: (publisher.to / f"standings.{name}").read_text() for name in OUTPUTS}


def expected(store: Store) -> dict[str, str]:
    return {name: output(standings_of(store)) for name, output in OUTPUTS.items()}


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


def test_each_set_is_read_once(
    store: Store, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    complete_set = Reader.complete_set

    def counted(self: Reader, number: int) -> object:
        read.append(number)
        return complete_set(self, number)

    monkeypatch.setattr(Reader, "complete_set", counted)
    planned = schedule(LEAGUE)
    for number in range(6):
        play(store, planned[number])
        assert publisher.standings(store).facts.sets == number + 1
    assert read == [1, 2, 3, 4, 5, 6]


def test_progress_is_told_by_sets_read_and_pages_of_matches(
    store: Store, publisher: Publisher
) -> None:
    play(store, *schedule(LEAGUE)[:3])
    told: list[tuple[str, int, int]] = []

    def tell(what: str, done: int, of: int) -> None:
        told.append((what, done, of))

    publisher.publish(tell)
    assert told == [
        *(("sets read", done, 3) for done in (1, 2, 3)),
        *(("pages of matches", done, 6) for done in (2, 4, 6)),
    ]
    publisher.publish(tell)
    assert len(told) == 6


def test_newcomers_more_sets_and_another_anchor_are_taken_up(
    store: Store, publisher: Publisher
) -> None:
    play(store, *schedule(LEAGUE))
    publisher.publish()
    store.add_entrants([("cat", "cat", "hash of cat")])
    newcomers = PlannedSet(13, ("cat", "fox"))
    store.add_sets([newcomers], ())
    play(store, newcomers)
    store.change_settings({**store.settings, "anchor": {"fox": 1.0}, "anchor_elo": 1500.0})
    assert publisher.publish() == 13
    assert published(publisher) == expected(store)
    found = json.loads(published(publisher)["json"])
    assert found["facts"]["anchor"] == "fox is 1500"
    assert found["history"][-1]["elo"]["fox"][0] == 1500


def test_nothing_of_an_unfinished_set_is_published(store: Store, publisher: Publisher) -> None:
    one = schedule(LEAGUE)[0]
    seed = seed_of_set(store.key, 1, 0)
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
    before = (publisher.folder / FILE_NAME).read_bytes()
    publisher.publish()
    assert (publisher.folder / FILE_NAME).read_bytes() == before


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
        "at pages of matches: 2 of 4",
        "at pages of matches: 4 of 4",
        "done 2 sets",
    ]


def test_an_error_that_nobody_expects_is_answered_with_its_place(
    store: Store, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Reader) -> object:
        raise ZeroDivisionError("of nothing\x1b")

    answers: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(Reader, "voids", broken)
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
        [*command, str(store.path.parent), str(tmp_path / "public")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
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
        child.stdin.close()
        assert child.wait() == 0
        assert child.stderr.read() == ""
