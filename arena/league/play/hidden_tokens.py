"""Tokens of bots that dial in, struck out of what is entered.

A hello that comes in the middle of a match is a fault, and its bytes are the evidence; they hold
the token that proves who the bot is. A bot may also write it into a note, which everybody reads.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.league.model.played import LeagueMatch

# As long as what it stands for, so that the lengths before texts and bytes stay right.
IN_ITS_PLACE = b"*"


def without_tokens(played: LeagueMatch, tokens: Sequence[str]) -> LeagueMatch:
    """Return the match with asterisks in the place of each of these tokens."""
    if not tokens:
        return played
    packed = hidden = msgspec.msgpack.encode(played)
    for token in tokens:
        hidden = hidden.replace(token.encode(), IN_ITS_PLACE * len(token.encode()))
    if hidden == packed:
        return played
    return msgspec.msgpack.decode(hidden, type=LeagueMatch)
