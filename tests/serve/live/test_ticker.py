"""Events in lines for people."""

from __future__ import annotations

from arena.league.store.events import KINDS
from arena.serve.live.ticker import WORDS, in_words
from tests.league.leagues import NASTY


def test_every_kind_of_event_in_the_ticker_is_one_that_leagues_have() -> None:
    assert WORDS.keys() <= KINDS.keys()


def test_a_match_is_told_by_its_places() -> None:
    event = {"event": "match", "set": 3, "turn": 1, "bots": ["owl", "fox"], "places": [2, 1]}
    assert in_words([event]) == ["Match 3.2 is over: 1st fox, 2nd owl"]


def test_no_line_has_the_seed_of_a_set() -> None:
    event = {"event": "set", "set": 3, "attempt": 0, "seed": "ab" * 32, "matches": []}
    assert in_words([event]) == ["Set 3 is complete: it counts, and its cards can be seen"]


def test_a_name_reaches_no_terminal_as_more_than_text() -> None:
    (line,) = in_words([{"event": "here", "name": NASTY}])
    assert "\x1b" not in line


def test_kinds_that_are_no_news_have_no_line() -> None:
    assert in_words([{"event": "schedule", "sets": 5, "absent": []}]) == []
