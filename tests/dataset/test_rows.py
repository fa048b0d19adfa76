"""RowBatch of complete sets: every decision, and nothing of sets that are still played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from arena.dataset import rows
from arena.dataset.rows import ExportedLeague, MixedLeagues, about_of, batches
from arena.dataset.schema import COLUMNS, Batch
from arena.games import GAMES, Outcome
from arena.league.model.played import LeagueMatch
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.outputs.progress import untold
from arena.record.replay import replay
from arena.rl.rewards import by_place
from tests.audit.honest import Honest, honest

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
            assert bool(told["played"]) == (move.time_us > 0)
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


def test_leagues_of_different_tables_are_refused_in_words(tmp_path: Path) -> None:
    one = honest(tmp_path, KNOCKOUT, "one")
    two = honest(tmp_path, Honest(sets=1), "two")
    with (
        Reader.read(one / DATABASE) as first,
        Reader.read(two / DATABASE) as second,
        pytest.raises(MixedLeagues, match="one plays nope with 3 seats, but two plays nyet"),
    ):
        about_of([ExportedLeague("one", first), ExportedLeague("two", second)])


def test_every_step_of_a_replay_is_seen_before_its_action(source: ExportedLeague) -> None:
    """`replay` yields one state object; a row is written from it before it goes on."""
    record = matches_of(source)[0].record
    states = {id(step.state) for step in replay(record)}
    assert len(states) == 1
