"""A token is in nothing that is kept of a match."""

from __future__ import annotations

import msgspec
import pytest

from arena.league.entry.hidden_tokens import without_tokens
from arena.league.model.played import LeagueMatch
from arena.league.play.orders import Said
from arena.record import Note
from arena.record.evidence import Evidence
from arena.tokens import KnownToken, new_token
from tests.league.leagues import Simulated, played_match, schedule

LEAGUE = Simulated(sets=1, illegal=("fox", "owl"))
EARLIER = "Zm94IGlzIHRoZSBiZXN0IGJvdCBoZXJl"
# The last is one that somebody wrote by hand, and the name of a field of a record.
DRAWN = "0123456789ab." + "aB-_" * 10 + "xyz"
TOKENS = (DRAWN, EARLIER, "confinement", "\u00fc b\u00f6se Tokens")


def hello(token: str) -> bytes:
    return msgspec.msgpack.encode({"type": "hello", "protocol": 1, "token": token})


def said_again(token: str) -> LeagueMatch:
    """A match in which a bot said hello again, and wrote its token down."""
    played = played_match(LEAGUE, schedule(LEAGUE)[0], 0, b"seed")
    evidence: tuple[Evidence, ...] = tuple(
        msgspec.structs.replace(each, reply=hello(token), stderr=f"my token is {token}\n")
        for each in played.evidence
    )
    record = msgspec.structs.replace(played.record, notes=(Note(0, f"I am x{token}x!"),))
    return msgspec.structs.replace(played, record=record, evidence=evidence)


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_struck_out_and_nothing_else(token: str) -> None:
    """Also inside a longer word, and where only its hash is known."""
    played = said_again(token)
    hidden = without_tokens(played, [KnownToken.of("another"), KnownToken.of(token)])
    stars = "*" * len(token.encode())
    assert hidden.record.notes == (Note(0, f"I am x{stars}x!"),)
    assert hidden.evidence
    for before, after in zip(played.evidence, hidden.evidence, strict=True):
        assert after == msgspec.structs.replace(
            before,
            reply=hello(token).replace(token.encode(), stars.encode()),
            stderr=f"my token is {stars}\n",
        )
    record = msgspec.structs.replace(played.record, notes=hidden.record.notes)
    assert hidden == msgspec.structs.replace(played, record=record, evidence=hidden.evidence)


def test_every_token_that_is_there_is_struck_out() -> None:
    one, other = new_token(), new_token()
    said = Said("fox", f"{one}{other}", other, EARLIER + one)
    known = [KnownToken.of(token) for token in (one, other, EARLIER)]
    assert without_tokens(said, known) == Said("fox", "*" * 112, "*" * 56, "*" * 88)


def test_a_match_without_tokens_is_left_as_it_is() -> None:
    token = new_token()
    played = said_again(token)
    for tokens in ([], [KnownToken.of("another token")], [KnownToken.of(token[:-1] + "\n")]):
        assert without_tokens(played, tokens) is played
