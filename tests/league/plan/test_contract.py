"""The contract of all formats: pure, full tables, nobody with itself or its owner's other bots."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Basis, Done, Next, Play, Wait
from arena.league.plan.formats import FORMATS, format_of
from arena.league.plan.seating import SeatsTaken, seated
from tests.league.plan.driven import LOTS, Driven

MOST_STEPS = 12
ENDLESS = ("ladder",)
every_format = pytest.mark.parametrize("name", FORMATS)


@dataclass(frozen=True)
class Field:
    """The bots of a league: how many, and how many each owner has."""

    seats: int
    bots: int
    of_an_owner: int
    seed: int

    def terms(self, name: str) -> LeagueTerms:
        planner = FORMATS[name]
        keys = planner.keys
        challengers = ("bot000",) if "challenger" in keys else ()
        sets = 3 * self.bots if "sets_per_line_up" in keys else None
        return LeagueTerms(name, self.seats, sets, challengers=challengers, pairing=planner.pairing)

    def driven(self, name: str) -> Driven:
        # A bracket cannot keep bots of one owner apart.
        share = 1 if name == "knockout" else self.of_an_owner
        bots = [(f"bot{each:03}", f"owner{each // share}") for each in range(self.bots)]
        terms = self.terms(name)
        return Driven(format_of(terms), terms, bots, lots=LOTS + bytes([self.seed]))


@st.composite
def fields(draw: st.DrawFn, most: int = 30) -> Field:
    seats, share = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    least = (seats + 1) * share
    return Field(
        seats, draw(st.integers(least, max(least, most))), share, draw(st.integers(0, 255))
    )


def step(league: Driven) -> Next:
    """Ask as a runner does: of a format that plans set by set, when a set is over."""
    answer = league.plan()
    if isinstance(answer, Play):
        owners = dict(league.bots)
        for table in answer.tables:
            assert len({*table}) == len(table) == league.terms.seats
            assert len({owners[name] for name in table}) == len(table)
            assert not {*table} & league.away
    return answer


@every_format
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_tables_are_full_of_bots_that_take_part_whoever_leaves_and_enters(
    name: str, data: st.DataObject
) -> None:
    league = data.draw(fields()).driven(name)
    for number in range(MOST_STEPS):
        answer = step(league)
        what = data.draw(st.sampled_from(("finish", "finish", "leave", "enter")))
        if what == "leave" and len(league.bots) > league.terms.seats + 3:
            gone = data.draw(st.sampled_from([each for each, _ in league.bots[1:]]))
            league.leave(gone)
        elif what == "enter" and name != "knockout":
            league.bots.append((f"new{number:03}", f"newcomer{number}"))
        league.finish_sets()
        if isinstance(answer, Done):
            break


@every_format
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_the_same_answer_comes_from_a_planner_that_has_seen_nothing_before(
    name: str, data: st.DataObject
) -> None:
    league = data.draw(fields()).driven(name)
    for _ in range(MOST_STEPS):
        fresh = format_of(league.terms)
        answer = league.ask()
        here = {each for each, _ in league.bots}
        assert fresh.next(league.past, league.results, here, 0, league.lots) == answer
        assert league.ask() == answer
        if not isinstance(step(league), Play):
            break
        league.finish_sets()


@every_format
@pytest.mark.parametrize(("seats", "bots"), [(2, 2), (3, 7), (4, 16), (6, 13), (2, 100), (4, 100)])
def test_a_league_ends_unless_it_is_endless(name: str, seats: int, bots: int) -> None:
    league = Field(seats, bots, 1, 0).driven(name)
    for _ in range(120):
        answer = step(league)
        if isinstance(answer, Done):
            break
        assert isinstance(answer, Play)
        league.finish_sets()
    assert isinstance(answer, Done) == (name not in ENDLESS)
    in_all = league.format.sets_in_all(league.past, league.results)
    assert in_all == (None if name in ENDLESS else len(league.past.counting()))


@every_format
def test_too_few_bots_for_a_table_are_told_in_words(name: str) -> None:
    field = Field(4, 3, 1, 0)
    reason = field.driven(name).format.why_not([("bot000", "a"), ("bot001", "b"), ("bot002", "c")])
    assert reason is not None
    assert "4 seats need 4 bots, and there are 3" in reason


@every_format
def test_without_results_a_format_waits_or_goes_on_and_is_never_done(name: str) -> None:
    league = Field(2, 6, 1, 0).driven(name)
    step(league)
    assert isinstance(league.ask(), Wait | Play)


@every_format
def test_a_decision_can_be_stored_with_its_basis_alone(name: str) -> None:
    """Seats are drawn from the number of a set and the lots: the same again at any time."""
    league = Field(3, 9, 1, 0).driven(name)
    answer = league.ask()
    assert isinstance(answer, Play)
    first = seated(answer.tables, league.past, league.terms, league.lots, SeatsTaken())
    assert first == seated(answer.tables, league.past, league.terms, league.lots, SeatsTaken())
    step(league)
    assert league.past.sets[: len(first)] == first
    assert league.past.decisions == [Basis(1, tuple(league.bots), frozenset(dict(league.bots)))]
