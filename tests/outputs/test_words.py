"""Words around numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.league.model.anchor import Anchor
from arena.league.model.entrants import Presence
from arena.league.table.ratings import Lack, Scored, ratings
from arena.outputs.words import MOST_PRESENT, count, lack_in_words, notes, ordinal, own_clock
from arena.record.timing import BotClock
from arena.stats import Mean
from tests.outputs.tables import FACTS, ROW, by_hand, rated


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (0, "set", "0 sets"),
        (1, "set", "1 set"),
        (1, "match", "1 match"),
        (1200, "match", "1,200 matches"),
    ],
)
def test_a_number_is_told_with_its_noun(number: int, noun: str, told: str) -> None:
    assert count(number, noun) == told


def test_places_are_told_as_ordinals() -> None:
    assert [*map(ordinal, (1, 2, 3, 4, 11, 12, 21, 102, 113))] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "102nd", "113th")
    ]


def test_of_a_clock_of_its_own_only_what_differs_from_the_leagues_is_told() -> None:
    told = own_clock(BotClock(5000, 10_000, 5000), FACTS.clock)
    assert told == "5,000 ms a decision"
    told = own_clock(BotClock(100, 60_000, 9000), FACTS.clock)
    assert told == "60,000 ms a match, gone after 9,000 ms of silence"


def test_a_note_tells_which_bot_has_a_clock_of_its_own() -> None:
    slow = replace(rated(ROW, bot="o*wl"), clock=BotClock(5000, 10_000, 5000))
    told = [*notes(by_hand(ROW, slow), lambda text: text.replace("*", "?"))]
    assert told == ["o?wl has a clock of its own: 5,000 ms a decision"]


CORE = (Lack.CONNECTION,)


@pytest.mark.parametrize(
    ("ahead", "why"),
    [
        (1.0, "it finished ahead of others every time"),
        (0.0, "it finished behind others every time"),
        (
            0.54,
            "the bots fall into groups, and where two groups met, one finished ahead every time",
        ),
    ],
)
def test_the_results_that_put_no_limit_to_a_rating_are_told(ahead: float, why: str) -> None:
    row = rated(ROW, ahead=Mean(ahead, 0.1), lacks=CORE)
    assert lack_in_words(Lack.CONNECTION, row.rating).endswith(f"no limit to its rating: {why}")


def test_bots_of_two_owners_of_which_one_always_wins_are_told_to_be_two_groups() -> None:
    """Each bot is ahead of some and behind others, but never of those of the other owner."""
    names, owners = ["a1", "a2", "b1", "b2"], ["a", "a", "b", "b"]
    places = ((1, 2, 3, 4), (2, 1, 4, 3))
    matches = [Scored(number, 0, (0, 1, 2, 3), places[number % 2]) for number in range(40)]
    for row in ratings(names, matches, owners=owners).rows:
        assert Lack.CONNECTION in row.lacks
        told = lack_in_words(Lack.CONNECTION, row)
        assert told.endswith("finished ahead of others every time") == row.bot.startswith("a")
    mixed = [Scored(number, 0, (0, 2, 1, 3), (1, 2, 4, 3)) for number in range(40)]
    told_of = {
        row.bot: lack_in_words(Lack.CONNECTION, row)
        for row in ratings(names, mixed, owners=owners).rows
        if Lack.CONNECTION in row.lacks
    }
    assert "the bots fall into groups" in told_of["b1"]
    assert "the bots fall into groups" in told_of["b2"]


def test_bots_outside_the_mean_of_the_scale_are_named() -> None:
    hen = rated(ROW, bot="h*en", lacks=CORE)
    of_all = replace(FACTS, anchor=Anchor().in_words())
    told = [*notes(by_hand(ROW, hen, facts=of_all), lambda text: text.replace("*", "?"))]
    assert told[-1] == "not in the mean that is 0, as nothing limits their rating: h?en"
    assert "not in the mean" not in str([*notes(by_hand(ROW, hen), str)]), "a bot is the zero"
    alone = by_hand(hen, facts=of_all)
    assert "not in the mean" not in str([*notes(alone, str)]), "without a limit all are in it"


def note_of(*presence: Presence) -> list[str]:
    return [*notes(by_hand(presence=presence), lambda text: text.replace("*", "?"))]


def test_a_note_tells_who_of_the_bots_that_dial_in_is_here_and_who_away_since_when() -> None:
    at = "2026-11-19T20:30:59Z"
    fox, owl = (Presence(name, True, at) for name in ("fox", "o*wl"))
    crow, hen = (Presence(name, False, at) for name in ("cr*ow", "hen"))
    when = "2026-11-19 20:30 UTC"
    assert note_of() == []
    assert note_of(fox, owl) == ["here: fox, o?wl"]
    assert note_of(fox, crow, owl, hen) == [
        f"here: fox, o?wl; away: cr?ow since {when}, hen since {when}"
    ]
    assert note_of(crow) == [f"away: cr?ow since {when}"]


def test_where_many_bots_dial_in_the_note_tells_their_number() -> None:
    def bots(number: int, *, is_here: bool) -> list[Presence]:
        return [Presence(f"b{each}", is_here, "2026-11-19T20:30:59Z") for each in range(number)]

    (told,) = note_of(*bots(MOST_PRESENT, is_here=True), *bots(MOST_PRESENT + 1, is_here=False))
    assert told == "here: b0, b1, b2, b3, b4, b5, b6, b7, b8, b9; away: 11 bots"
