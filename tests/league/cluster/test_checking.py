"""The check of what a worker brought, whatever it raises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.league.cluster.checking import MOST_WHY_CHARS, BadReply, check_played
from arena.league.play.orders import MatchOver
from arena.league.worker.messages import SetPlayed
from tests.league.cluster.test_cluster_job import ORDER, SIMULATED
from tests.league.leagues import played_match, settings_of


def test_whatever_a_check_raises_is_the_fault_of_the_reply() -> None:
    """Here the game is one that nobody knows, for which no check asks."""
    matches = [played_match(SIMULATED, ORDER.planned, turn, ORDER.seed) for turn in ORDER.turns]
    reply = SetPlayed(tuple(MatchOver(ORDER.lease, match) for match in matches))
    settings = replace(settings_of(SIMULATED), game="moo")
    with pytest.raises(BadReply, match="looking at it raises UnknownGame: "):
        check_played(ORDER, settings, "", reply)


def test_the_words_for_a_bad_reply_are_short_whatever_it_was() -> None:
    assert len(str(BadReply("moo" * 1_000_000))) == MOST_WHY_CHARS + len("...")
