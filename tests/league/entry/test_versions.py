"""Which row a bot of the file gets once the league has begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.botfile import MAX_NAME_CHARS, Bot
from arena.league.entry.changes import refusals
from arena.league.entry.versions import (
    Changed,
    Replaced,
    Resolved,
    in_rows,
    in_words,
    resolved,
    version_name,
)
from arena.league.model.config import Entrant, League
from arena.league.model.sets import PlannedSet, SetState
from arena.league.model.settings import Settings
from arena.league.plan.roster import Roster
from arena.league.store import events
from arena.record.timing import BotClock


def entrant(name: str, owner: str | None = None) -> Entrant:
    return Entrant(name, Bot(name, (f"./{name}",), Path("/bots") / name), owner or name)


CUP = League("Cup", "nyet", 2, (entrant("fox"), entrant("owl"), entrant("crow")), sets=9)
NEW_ROWS = replace(CUP, versions="new-row")
HASHES = {"fox": "1", "owl": "2", "crow": "3"}


def roster(*more: events.Event) -> Roster:
    found = Roster()
    for name, content in HASHES.items():
        found.tell(events.entrant(name, name, content))
    for event in more:
        found.tell(event)
    return found


def state(
    number: int, *line_up: str, turns: int = 0, attempt: int = 0, over: bool = False
) -> SetState:
    return SetState(PlannedSet(number, line_up), attempt, over, tuple(range(turns)))


# Fox and owl have played; crow has not.
STATES = (
    state(1, "fox", "owl", turns=2, over=True),
    state(2, "owl", "fox", turns=1),
    state(3, "fox", "crow"),
    state(4, "owl", "crow"),
)


def found(
    league: League,
    contents: Mapping[str, str] | None = None,
    *more: events.Event,
    states: Sequence[SetState] = STATES,
) -> Resolved:
    return resolved(league, roster(*more), HASHES | dict(contents or {}), states)


def names(result: Resolved) -> list[str]:
    return [each.name for each in result.league.entrants]


def test_where_nothing_has_changed_each_bot_has_its_row() -> None:
    result = found(NEW_ROWS)
    assert names(result) == ["fox", "owl", "crow"]
    assert (result.changes, result.problems, result.contents) == ([], [], HASHES)


def test_a_changed_bot_gets_a_row_of_its_own_and_its_unfinished_sets_are_given_up() -> None:
    """Also the one in which it has played already: its matches there would mix two bots."""
    result = found(NEW_ROWS, {"fox": "4"})
    assert names(result) == ["fox+2", "owl", "crow"]
    assert result.changes == [Replaced("fox", "fox+2", (2, 3), is_new=True)]
    assert result.contents == {"fox+2": "4", "owl": "2", "crow": "3"}
    assert result.bases["fox+2"] == "fox"
    assert [each.name for each in result.known(roster())] == ["owl", "crow"]


def test_unless_it_is_asked_for_a_changed_bot_is_left_to_be_refused() -> None:
    result = found(CUP, {"fox": "4"})
    assert (names(result)[0], result.changes) == ("fox", [])
    (fox, *_) = result.known(roster())
    assert (fox.content, result.contents["fox"]) == ("1", "4")


def test_a_bot_that_has_played_nothing_is_changed_in_its_row() -> None:
    for league in (CUP, NEW_ROWS):
        result = found(league, {"crow": "5"})
        assert names(result) == ["fox", "owl", "crow"]
        assert result.changes == [Changed("crow", "crow", "5", ())]
        assert [each.content for each in result.known(roster())] == ["1", "2", "5"]


def test_to_have_played_in_an_attempt_that_was_void_is_to_have_played() -> None:
    result = found(NEW_ROWS, {"crow": "5"}, states=[state(1, "fox", "crow", attempt=1)])
    assert result.changes == [Replaced("crow", "crow+2", (1,), is_new=True)]


ENTERED = events.entrant("fox+2", "fox", "4", "fox")
REPLACED = events.replaced("fox", "fox+2", (2, 3))


def test_a_later_version_is_known_by_its_content() -> None:
    result = found(CUP, {"fox": "4"}, ENTERED, REPLACED)
    assert (names(result)[0], result.changes) == ("fox+2", [])
    assert in_rows(CUP, roster(ENTERED, REPLACED)) == result.league
    assert in_rows(CUP, Roster()) == CUP


def test_files_of_before_bring_the_row_of_before_back() -> None:
    played = (*STATES, state(5, "fox+2", "owl", turns=1), state(6, "fox+2", "owl"))
    result = found(NEW_ROWS, {}, ENTERED, REPLACED, states=played)
    assert result.changes == [Replaced("fox+2", "fox", (5, 6), is_new=False)]
    assert names(result)[0] == "fox"


def test_a_new_version_that_an_interrupted_run_let_in_is_taken() -> None:
    """It had entered, and the row before had not been replaced yet."""
    result = found(NEW_ROWS, {"fox": "4"}, ENTERED)
    assert result.changes == [Replaced("fox", "fox+2", (2, 3), is_new=False)]


def test_a_benched_bot_comes_back_as_a_new_version() -> None:
    benched = events.benched("fox", "it did not start", 1)
    assert names(found(NEW_ROWS, {"fox": "4"}, benched)) == ["fox+2", "owl", "crow"]
    assert found(NEW_ROWS, {}, benched).changes == []


def test_the_challenger_of_a_gauntlet_is_left_to_be_refused() -> None:
    league = replace(NEW_ROWS, format="gauntlet", challengers=("fox",))
    assert found(league, {"fox": "4"}).changes == []


def test_a_name_that_is_that_of_a_later_version_is_refused() -> None:
    more = replace(NEW_ROWS, entrants=(*NEW_ROWS.entrants, entrant("fox+2")))
    result = found(more, {"fox": "4", "fox+2": "6"}, ENTERED, REPLACED)
    assert result.problems == [
        "'fox+2' is the row of a later version of 'fox': choose another name"
    ]


def test_a_later_version_takes_no_name_of_the_file() -> None:
    more = replace(NEW_ROWS, entrants=(*NEW_ROWS.entrants, entrant("Fox+2")))
    assert names(found(more, {"fox": "4", "Fox+2": "6"}))[0] == "fox+3"


def test_a_long_name_loses_its_end_for_the_number() -> None:
    long = "a" * MAX_NAME_CHARS
    assert version_name(long, [long]) == f"{'a' * (MAX_NAME_CHARS - 2)}+2"
    taken = [f"{'a' * (MAX_NAME_CHARS - 2)}+{number}" for number in range(2, 10)]
    assert version_name(long, taken) == f"{'a' * (MAX_NAME_CHARS - 3)}+10"


def owned(**owners: str) -> League:
    return replace(CUP, entrants=tuple(entrant(name, owners.get(name)) for name in HASHES))


def test_an_owner_may_change_until_two_bots_of_the_new_one_have_met() -> None:
    result = found(owned(crow="fox"))
    assert result.changes == [Changed("crow", "fox", "3", (3,))]
    assert [each.owner for each in result.known(roster())] == ["fox", "owl", "fox"]
    result = found(owned(owl="fox"))
    assert result.changes == []
    assert [each.owner for each in result.known(roster())] == ["fox", "owl", "crow"]


def test_a_new_owner_who_has_no_other_bot_is_no_matter() -> None:
    assert found(owned(fox="ann")).changes == [Changed("fox", "ann", "1", ())]


def test_where_owners_may_meet_an_owner_may_change_at_any_time() -> None:
    league = replace(owned(owl="fox"), owners_may_meet=True)
    assert found(league).changes == [Changed("owl", "fox", "2", ())]


def test_all_versions_of_a_bot_change_owner_together() -> None:
    result = found(owned(fox="ann"), {"fox": "4"}, ENTERED, REPLACED)
    assert result.changes == [Changed("fox", "ann", "1", ()), Changed("fox+2", "ann", "4", ())]


def test_owner_and_content_change_in_one() -> None:
    result = found(owned(crow="ann"), {"crow": "5"})
    assert result.changes == [Changed("crow", "ann", "5", ())]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            Replaced("fox", "fox+2", (2, 3), is_new=True),
            "fox has changed: it plays on as fox+2, a new row; others come in the place of"
            " 2 sets planned with it",
        ),
        (
            Replaced("fox+2", "fox", (), is_new=False),
            "fox+2 has changed: it plays on as fox, its row of before",
        ),
        (
            Changed("owl", "ann", "2", (1,)),
            "owl is changed in its row, and its owner is ann; others come in the place of 1"
            " set planned with it",
        ),
    ],
)
def test_a_change_is_told_in_a_line(change: Replaced | Changed, words: str) -> None:
    assert in_words(change) == words


SLOW = BotClock(decision_ms=5000, bank_ms=10_000, hang_ms=5000)


def refused(result: Resolved) -> list[str]:
    known = result.known(roster(ENTERED, REPLACED))
    return refusals(Settings.of(CUP), known, result.league, result.contents)


def clocked(league: League = CUP, **clocks: BotClock) -> League:
    entrants = (replace(each, clock=clocks.get(each.name)) for each in league.entrants)
    return replace(league, entrants=tuple(entrants))


def test_a_bot_that_has_played_nothing_gets_another_clock_in_its_row() -> None:
    result = found(clocked(crow=SLOW))
    assert result.changes == [Changed("crow", "crow", "3", (), SLOW)]
    assert [each.clock for each in result.known(roster())] == [None, None, SLOW]


def test_the_clock_of_a_row_that_has_played_is_left_to_be_refused() -> None:
    result = found(clocked(fox=SLOW))
    assert result.changes == []
    assert [each.clock for each in result.known(roster())] == [None, None, None]


def test_a_new_version_has_the_clock_of_the_file_and_the_row_before_keeps_its_own() -> None:
    result = found(clocked(NEW_ROWS, fox=SLOW), {"fox": "4"})
    assert result.changes == [Replaced("fox", "fox+2", (2, 3), is_new=True)]
    assert result.league.entrants[0].clock == SLOW


def test_a_row_of_before_comes_back_with_its_clock_of_before() -> None:
    played = (*STATES, state(5, "fox+2", "owl", turns=1))
    result = found(clocked(NEW_ROWS, fox=SLOW), {}, ENTERED, REPLACED, states=played)
    assert result.changes == [Replaced("fox+2", "fox", (5,), is_new=False)]
    known = {each.name: each.clock for each in result.known(roster(ENTERED, REPLACED))}
    assert known == {"fox": None, "owl": None, "crow": None}
    assert any("the clock of 'fox' was" in each for each in refused(result))


def test_connections_change_in_the_row_of_a_bot_that_has_played() -> None:
    more = replace(CUP, entrants=(replace(CUP.entrants[0], connections=2), *CUP.entrants[1:]))
    result = found(more)
    assert result.changes == [Changed("fox", "fox", "1", (), None, 2)]


def test_a_changed_clock_is_told_to_the_operator() -> None:
    assert in_words(Changed("fox", "ann", "1", (), SLOW, 2)) == (
        "fox is changed in its row, and its owner is ann; it has a clock of its own, decision_ms ="
        " 5000, bank_ms = 10000, hang_ms = 5000; it may have 2 connections"
    )


def test_a_set_that_is_being_played_is_never_given_up() -> None:
    """Nor is a bot that sits in it changed in its row: it has begun to play."""
    changed = {"fox": "9", "crow": "8"}
    result = resolved(NEW_ROWS, roster(), HASHES | changed, STATES, {3})
    assert result.changes == [
        Replaced("fox", "fox+2", (2,), is_new=True),
        Replaced("crow", "crow+2", (4,), is_new=True),
    ]


def test_a_retired_bot_is_not_looked_at_unless_it_has_to_play_on() -> None:
    gone = events.retired("fox", (3,))
    without = replace(NEW_ROWS, entrants=NEW_ROWS.entrants[1:])
    result = resolved(without, roster(gone), {"owl": "2", "crow": "3"}, STATES)
    assert ([each.name for each in result.known(roster(gone))], result.changes) == (
        *(["owl", "crow"], []),
    )
    playing_on = resolved(NEW_ROWS, roster(gone), HASHES | {"fox": "9"}, STATES)
    assert [each.name for each in playing_on.known(roster(gone))] == ["fox", "owl", "crow"]
    assert (names(playing_on)[0], playing_on.changes) == ("fox", [])
