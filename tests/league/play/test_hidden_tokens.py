"""A token is in nothing that is kept of a match."""

from __future__ import annotations

import msgspec

from arena.league.model.played import LeagueMatch
from arena.league.play.hidden_tokens import without_tokens
from arena.record import Note
from arena.record.evidence import Evidence
from tests.league.leagues import Simulated, played_match, schedule

LEAGUE = Simulated(sets=1, illegal=("fox", "owl"))
TOKEN = "Zm94IGlzIHRoZSBiZXN0IGJvdCBo"
HELLO = b"\x82\xa4type\xa5hello\xa5token\xbc" + TOKEN.encode()


def said_again() -> LeagueMatch:
    """A match in which a bot said hello again, and wrote its token down."""
    played = played_match(LEAGUE, schedule(LEAGUE)[0], 0, b"seed")
    evidence: tuple[Evidence, ...] = tuple(
        msgspec.structs.replace(each, reply=HELLO, stderr=f"my token is {TOKEN}\n")
        for each in played.evidence
    )
    record = msgspec.structs.replace(played.record, notes=(Note(0, f"I am {TOKEN}!"),))
    return msgspec.structs.replace(played, record=record, evidence=evidence)


def test_a_token_is_struck_out_and_nothing_else() -> None:
    played = said_again()
    hidden = without_tokens(played, ["another", TOKEN])
    stars = "*" * len(TOKEN)
    assert hidden.record.notes == (Note(0, f"I am {stars}!"),)
    assert hidden.evidence
    for before, after in zip(played.evidence, hidden.evidence, strict=True):
        assert after == msgspec.structs.replace(
            before,
            reply=HELLO.replace(TOKEN.encode(), stars.encode()),
            stderr=f"my token is {stars}\n",
        )
    record = msgspec.structs.replace(played.record, notes=hidden.record.notes)
    assert hidden == msgspec.structs.replace(played, record=record, evidence=hidden.evidence)


def test_a_match_without_tokens_is_left_as_it_is() -> None:
    played = said_again()
    for tokens in ([], ["another token"]):
        assert without_tokens(played, tokens) is played
