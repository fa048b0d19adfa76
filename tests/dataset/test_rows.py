"""RowBatch of complete sets: every decision, and nothing of sets that are still played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from sqlite3 import connect

import msgspec
import numpy as np
import pytest

from arena.dataset import rows
from arena.dataset.rows import (
    ExportedLeague,
    MixedLeagues,
    RowBatch,
    about_of,
    batches,
    distinct_names,
    told_apart,
    without_ending,
)
from arena.dataset.schema import COLUMNS, Batch
from arena.games import GAMES, Outcome
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.sets import PlannedSet
from arena.league.store import events
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.outputs.progress import untold
from arena.record import FaultEntry
from arena.record.decisions import decisions
from arena.rl.rewards import by_place
from tests.audit.honest import Honest, honest
from tests.audit.honest import match as match_of

CUP = Honest(sets=3, illegal=("hare",), unfinished=2)
KNOCKOUT = Honest(game="nope", seats=3, sets=2, options={"max_turns": 30})


@pytest.fixture(scope="module", params=[CUP, KNOCKOUT], ids=lambda league: league.game)
def source(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ExportedLeague]:
    folder = honest(tmp_path_factory.mktemp("leagues"), request.param)
    with Reader.read(folder / DATABASE) as reader:
        yield ExportedLeague("cup", reader)


def joined(found: list[Batch]) -> Batch:
    return {name: np.concatenate([batch[name] for batch in found]) for name in COLUMNS}


def matches_of(source: ExportedLeague) -> list[LeagueMatch]:
    return [match for one in source.reader.complete_sets() for match in one.matches]


def test_each_decision_of_each_complete_set_has_a_row_in_order(source: ExportedLeague) -> None:
    about = about_of([source])
    found = joined([*batches([source], about, untold)])
    game = GAMES[about.game]
    row = 0
    for match in matches_of(source):
        record = match.record
        results = by_place(Outcome(record.scores, record.places, ""))
        state = game.deal(record.seats, record.seed_bytes, record.options)
        for number, move in enumerate(record.moves):
            told = {name: found[name][row] for name in COLUMNS}
            out = [0] * game.observation(record.seats, record.options).size
            state.observe(move.seat, out)
            assert told["observation"].tolist() == out
            assert [*told["mask"].nonzero()[0]] == sorted(state.legal(move.seat))
            assert game.actions.name(int(told["action"])) == move.action
            assert about.bots[told["bot"]] == record.names[move.seat]
            assert told["result"] == pytest.approx(results[move.seat])
            score = record.scores[move.seat] if record.scores else np.nan
            assert told["score"] == pytest.approx(score, nan_ok=True)
            place = (told["set"], told["turn"], told["move"], told["seat"])
            assert place == (match.place.set, match.place.turn, number, move.seat)
            # The one fault of this league is an illegal action, for which another is played.
            is_faulty = any(each.move == number for each in record.faults)
            assert bool(told["played"]) == (move.time_us > 0 and not is_faulty)
            state.apply(move.seat, game.actions.code(move.action))
            row += 1
    assert row == len(found["action"])


def test_no_match_of_an_unfinished_set_is_there(source: ExportedLeague) -> None:
    found = joined([*batches([source], about_of([source]), untold)])
    assert {*found["set"]} == {*source.reader.completed()}


def test_a_batch_has_a_bounded_number_of_rows_whatever_the_league_has(
    source: ExportedLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = about_of([source])
    whole = joined([*batches([source], about, untold)])
    monkeypatch.setattr(rows, "BATCH_ROWS", 100)
    told: list[tuple[str, int, int]] = []
    pieces = [*batches([source], about, lambda *each: told.append(each))]
    assert {len(piece["action"]) for piece in pieces[:-1]} == {100}
    again = joined(pieces)
    assert all(np.array_equal(whole[name], again[name], equal_nan=True) for name in COLUMNS)
    sets = len(source.reader.completed())
    assert told == [("sets exported", number + 1, sets) for number in range(sets)]


def test_rows_of_several_leagues_follow_one_another(source: ExportedLeague) -> None:
    both = [source, ExportedLeague("again", source.reader)]
    about = about_of(both)
    assert about.leagues == ("cup", "again")
    found = joined([*batches(both, about, untold)])
    half = len(found["action"]) // 2
    assert [*found["league"]] == [0] * half + [1] * half


def enter_newt(folder: Path) -> None:
    """Let a bot enter, and complete a set with it."""
    one = PlannedSet(99, ("newt", "fox", "owl"))
    with Store.open(folder / DATABASE) as store:
        newt = ("newt", "newt", "hash of newt")
        store.add_entrants([newt], [events.entrant(*newt)])
        store.add_sets([one], [events.schedule(1)])
        matches = tuple(match_of(KNOCKOUT, one, turn, 0) for turn in range(KNOCKOUT.seats))
        for played in matches[:-1]:
            store.enter(played, completes=False, voids=False, events=[events.match(played)])
        whole = PlayedSet(99, 0, matches)
        told = [events.match(matches[-1]), events.complete(whole)]
        store.enter(matches[-1], completes=True, voids=False, events=told)


@pytest.mark.parametrize("when", ["before about", "before batches", "between leagues"])
def test_a_bot_that_enters_meanwhile_and_its_sets_are_not_exported(
    tmp_path: Path, when: str
) -> None:
    folders = [honest(tmp_path, KNOCKOUT, name) for name in ("one", "two")]
    changed(folders[1], "fox", "other files")
    with ExitStack() as stack:
        sources = [
            ExportedLeague(folder.stem, stack.enter_context(Reader.read(folder / DATABASE)))
            for folder in folders
        ]
        expected = [
            each.record.names[move.seat]
            for source in sources
            for each in matches_of(source)
            for move in each.record.moves
        ]
        if when == "before about":
            for folder in folders:
                enter_newt(folder)
        about = about_of(sources)
        if when == "before batches":
            for folder in folders:
                enter_newt(folder)

        def tell(_: str, done: int, of: int) -> None:
            assert done <= of == 2 * KNOCKOUT.sets
            if when == "between leagues" and done == 1:
                enter_newt(folders[1])

        found = joined([*batches(sources, about, tell)])
        assert 99 in {*sources[1].reader.completed()}
    assert "newt" not in about.bots
    assert [about.bots[bot].partition(" ")[0] for bot in found["bot"]] == expected


def test_leagues_of_different_tables_are_refused_in_words(tmp_path: Path) -> None:
    one = honest(tmp_path, KNOCKOUT, "one")
    two = honest(tmp_path, Honest(sets=1), "two")
    with (
        Reader.read(one / DATABASE) as first,
        Reader.read(two / DATABASE) as second,
        pytest.raises(MixedLeagues, match="one plays nope with 3 seats, but two plays nyet"),
    ):
        about_of([ExportedLeague("one", first), ExportedLeague("two", second)])


def test_about_tells_all_options_and_the_files_of_bots(source: ExportedLeague) -> None:
    about = about_of([source])
    record = matches_of(source)[0].record
    assert (
        about.options
        == GAMES[about.game].deal(record.seats, b"", record.options).view(None)["options"]
    )
    assert about.contents == tuple(f"hash of {name}" for name in about.bots)


def test_leagues_with_other_options_are_refused_with_each_that_differs(tmp_path: Path) -> None:
    one = honest(tmp_path, Honest(sets=1, options={"rounds": 1, "bonus": "score"}), "one")
    two = honest(tmp_path, Honest(sets=1, options={"rounds": 2, "bonus": "take"}), "two")
    same = honest(tmp_path, Honest(sets=1, options={"bonus": "score", "rounds": 1}), "same")
    with (
        Reader.read(one / DATABASE) as first,
        Reader.read(two / DATABASE) as second,
        Reader.read(same / DATABASE) as third,
    ):
        both = [ExportedLeague("one", first), ExportedLeague("two", second)]
        with pytest.raises(MixedLeagues) as error:
            about_of(both)
        assert about_of([both[0], ExportedLeague("same", third)]).leagues == ("one", "same")
    assert str(error.value) == (
        "one plays nyet with rounds=1, bonus='score', but two with rounds=2, bonus='take': export"
        " them into files of their own"
    )


def changed(folder: Path, name: str, content: str) -> None:
    with closing(connect(folder / DATABASE)) as db, db:
        db.execute("UPDATE entrants SET content = ? WHERE name = ?", (content, name))


def test_bots_of_one_name_with_other_files_have_numbers_of_their_own(tmp_path: Path) -> None:
    league = Honest(game="nope", seats=2, bots=("fox", "owl", "crow"), sets=3, options={})
    folders = [honest(tmp_path, league, name) for name in ("one", "two", "three")]
    changed(folders[1], "fox", "other files")
    changed(folders[0], "crow", UNKNOWN_CONTENT)
    changed(folders[2], "crow", UNKNOWN_CONTENT)
    with ExitStack() as stack:
        sources = [
            ExportedLeague(
                without_ending(Path(folder.name)).name,
                stack.enter_context(Reader.read(folder / DATABASE)),
            )
            for folder in folders
        ]
        about = about_of(sources)
        found = joined([*batches(sources, about, untold)])
        expected = [
            match.record.names[move.seat]
            for source in sources
            for match in matches_of(source)
            for move in match.record.moves
        ]
        told = [*told_apart(sources)]
    assert about.bots == (
        "fox (one)",
        "owl",
        "crow (one)",
        "fox (two)",
        "crow (two)",
        "crow (three)",
    )
    assert about.contents == (
        "hash of fox",
        "hash of owl",
        None,
        "other files",
        "hash of crow",
        None,
    )
    names = [about.bots[bot].partition(" ")[0] for bot in found["bot"]]
    assert names == expected
    pairs = {*zip(found["bot"].tolist(), found["league"].tolist(), strict=True)}
    assert pairs == {(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (3, 1), (4, 1), (5, 2)}
    assert told == [
        "the bots called fox differ in their files; they are fox (one) and fox (two) in the file",
        "the bots called crow may differ in their files, as those that dial in; they are crow"
        " (one), crow (two) and crow (three) in the file",
    ]


def test_leagues_have_names_that_tell_them_apart() -> None:
    folders = [Path("/a/one/league.arena"), Path("/b/two/league.arena"), Path("/b/cup.arena")]
    assert distinct_names(folders) == ["one/league", "two/league", "cup"]
    assert distinct_names([*folders[:1], Path("/b/one/league.arena")]) == [
        "a/one/league",
        "b/one/league",
    ]
    assert distinct_names([Path("/a/cup"), Path("/a/cup.arena")]) == ["cup", "cup.arena"]
    assert distinct_names([Path("/a/my.old"), Path("/a/my.new")]) == ["my.old", "my.new"]


def test_a_league_that_is_named_twice_is_refused_however_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "cup.arena").mkdir()
    (tmp_path / "also.arena").symlink_to(tmp_path / "cup.arena")
    cup, also = tmp_path / "cup.arena", tmp_path / "also.arena"
    with pytest.raises(MixedLeagues, match="cup is named twice; name each league once"):
        distinct_names([cup, cup])
    with pytest.raises(MixedLeagues, match=r"cup and .*also are one league: it is named twice"):
        distinct_names([cup, also])


def test_every_decision_is_written_before_its_action(source: ExportedLeague) -> None:
    """`decisions` yields one state object; a row is written from it before it goes on."""
    record = matches_of(source)[0].record
    states = {id(decision.state) for decision in decisions(record)}
    assert len(states) == 1


@pytest.mark.parametrize(
    ("kind", "forfeit", "is_played"),
    [
        ("late", False, 0),
        ("unreadable", False, 0),
        ("illegal", False, 0),
        ("gone", True, 0),
        ("out-of-turn", False, 1),  # a message too many: the answer to the request stands
        ("out-of-turn", True, 0),
    ],
)
def test_an_action_that_a_fault_had_drawn_is_not_the_bots_although_it_took_time(
    source: ExportedLeague, kind: str, forfeit: bool, is_played: int
) -> None:
    played = matches_of(source)[0]
    seat = played.record.moves[0].seat
    fault = FaultEntry(seat, 0, kind, "", "", forfeit)
    assert played.record.moves[0].time_us > 0
    batch = RowBatch(about_of([source]))
    record = msgspec.structs.replace(played.record, faults=(fault,))
    bots = {name: number for number, name in enumerate(record.names)}
    assert [*batch.add(msgspec.structs.replace(played, record=record), 0, bots)] == []
    rows = batch.taken()
    assert rows["played"][0] == is_played
    others = rows["seat"][1:] != seat
    assert rows["played"][1:][others].all()
    assert (rows["played"][1:][~others] == (not forfeit)).all()
