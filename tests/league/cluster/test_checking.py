"""The check of what a worker brought, whatever it raises."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from arena.league.cluster.checking import WORDS_CHARS, BadReply, answer_in, check_played
from arena.league.cluster.lost import MOST_WHY_CHARS, TaskFailed
from arena.league.play.orders import MatchOver
from arena.league.worker.facts import own_facts
from arena.league.worker.messages import Broke, Reply, SetPlayed, Unfit, WorkerFacts, sealed
from tests.league.cluster.test_cluster_job import ORDER, SIMULATED
from tests.league.leagues import played_match, settings_of


def test_whatever_a_check_raises_is_the_fault_of_the_reply() -> None:
    """Here the game is one that nobody knows, for which no check asks."""
    matches = [played_match(SIMULATED, ORDER.planned, turn, ORDER.seed) for turn in ORDER.turns]
    reply = SetPlayed(tuple(MatchOver(ORDER.lease, match) for match in matches))
    settings = replace(settings_of(SIMULATED), game="moo")
    with pytest.raises(BadReply, match="looking at it raises UnknownGame: "):
        check_played(ORDER, settings, "", reply)


@pytest.mark.parametrize("failure", [BadReply, TaskFailed])
def test_the_words_for_a_bad_reply_are_short_whatever_it_was(failure: type[Exception]) -> None:
    left_out = f"{3_000_000 - MOST_WHY_CHARS:,}"
    told = str(failure("moo" * 1_000_000))
    assert told == f"{('moo' * 200)[:MOST_WHY_CHARS]} [{left_out} characters are left out here]"


@pytest.mark.parametrize("reply", [Unfit("", "confinement"), Broke("", began=True)])
def test_the_words_of_a_worker_that_did_not_play_are_cut_in_their_middle(
    reply: Unfit | Broke,
) -> None:
    first, last = WORDS_CHARS
    why = "a" * first + "moo" * 1_000_000 + "z" * last
    came = answer_in(sealed(msgspec.structs.replace(reply, why=why)), Reply)
    told = f"{'a' * first} [3,000,000 characters are left out here] {'z' * last}"
    assert came == msgspec.structs.replace(reply, why=told)
    whole = msgspec.structs.replace(reply, why="a" * first + "z" * last)
    assert answer_in(sealed(whole), Reply) == whole


def test_a_reason_that_is_none_of_ours_is_no_answer() -> None:
    """It would stand in an event, which everybody may read."""
    with pytest.raises(BadReply, match=r"Invalid enum value 'moo'"):
        answer_in(sealed(Unfit("", "moo")), Reply)  # type: ignore[arg-type]  # a liar's


@pytest.mark.parametrize("field", ["machine", "version", "python"])
def test_facts_of_a_worker_are_of_a_length_that_facts_have(field: str) -> None:
    """The name of the machine would stand in each match that it plays, and in events."""
    facts = msgspec.structs.replace(own_facts(), **{field: "m" * 64})
    assert answer_in(sealed(facts), WorkerFacts) == facts
    long = msgspec.structs.replace(own_facts(), **{field: "m" * 65})
    with pytest.raises(BadReply, match=r"length <= 64 - at `\$\."):
        answer_in(sealed(long), WorkerFacts)
