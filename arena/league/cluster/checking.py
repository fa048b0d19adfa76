"""Checks of what a worker brought, before anything of it is entered. Each answer is decoded here.

A worker plays the matches, so it could always have played them otherwise. But one with bad memory,
or mended by hand, must not end the league or damage its store: its matches have to be those of the
order, and to replay, as `arena verify` would have it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import msgspec

from arena.audit.bounds import beyond
from arena.audit.match import is_time, of_its_place, problems
from arena.league.cluster.lost import MOST_WHY_CHARS
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.model.settings import Settings
from arena.league.play.held_output import word_of
from arena.league.play.orders import MatchOver, PlaySet, Said
from arena.league.worker.messages import Broke, PrintedPiece, SetPlayed, Unfit, opened
from arena.league.worker.sealed import Sealed
from arena.text import shortened

log = logging.getLogger(__name__)

# Far more than the matches of a set and what its bots printed: those of 24 matches, each with
# notes and faults, are some megabytes.
MOST_REPLY_BYTES = 67_108_864
# Of the words of a worker that did not play a set: characters from their beginning, and from their
# end, where those of a failed build have what it printed last.
WORDS_CHARS = (4_096, 12_288)
# A bot's words about itself come once from each of its processes.
MOST_SAID = 1_000
# Each of those words; the protocol allows fewer.
MOST_WORD_CHARS = 64

# The name of a file with output, as the warden writes it: the time in nanoseconds with all its
# digits, so that it is one before 2286, then match, bot and stream.
PIECE = re.compile(
    r"0[0-9]{19}~(?P<match>[0-9.]{1,60})~(?P<bot>[A-Za-z0-9._+-]{1,32})\.(stderr|stdout)"
)


class BadReply(Exception):
    """A worker brought something that it was not asked for; the text says what."""

    def __init__(self, why: str) -> None:
        super().__init__(shortened(why, MOST_WHY_CHARS))


def answer_in(answer: object, type_: Any) -> Any:
    """Decode an answer as a message of this type; its words for people are cut. Raises
    BadReply."""
    if not isinstance(answer, Sealed):
        raise BadReply(f"an answer of type {type(answer).__name__}")
    data = answer.open()
    if not isinstance(data, bytes):
        raise BadReply(f"an answer that seals a {type(data).__name__}")
    if len(data) > MOST_REPLY_BYTES:
        raise BadReply(f"an answer of {len(data):,} bytes, where {MOST_REPLY_BYTES:,} are the most")
    try:
        message = opened(answer, type_)
    # Bytes of another machine: besides the errors of msgpack and of UTF-8, those of our own hooks
    # for types and too deep a nesting.
    except Exception as error:
        raise BadReply(f"an answer that cannot be read: {error}") from error
    if isinstance(message, Broke | Unfit):
        return msgspec.structs.replace(message, why=shortened(message.why, *WORDS_CHARS))
    return message


def check_played(order: PlaySet, settings: Settings, machine: str, reply: SetPlayed) -> None:
    """Raise BadReply unless these are the matches of the order, each once, and replay.

    `settings`: of the league. `machine`: the name that the worker gave for its own.
    """
    try:
        _check_played(order, settings, machine, reply)
    except BadReply:
        raise
    # The values may be anything that their types allow, so whatever looking at them raises is the
    # worker's doing, and must not end the league. It may be a mistake of ours: the log has it.
    except Exception as error:
        log.warning("a check of set %d failed", order.number, exc_info=True)
        raise BadReply(f"looking at it raises {type(error).__name__}: {error}") from error


def _check_played(order: PlaySet, settings: Settings, machine: str, reply: SetPlayed) -> None:
    """Raise BadReply, or anything else, unless the matches are those of the order and replay."""
    played = [news.played for news in reply.news if isinstance(news, MatchOver)]
    if len(reply.news) - len(played) > MOST_SAID:
        raise BadReply(f"{len(reply.news) - len(played):,} words of its bots")
    for news in reply.news:
        if isinstance(news, MatchOver) and news.lease != order.lease:
            raise BadReply(f"a match of order {news.lease}, and it was given order {order.lease}")
        if isinstance(news, Said):
            _check_said(news, order)
    turns = tuple(match.turn for match in played)
    is_cut_short = bool(played) and played[-1].is_void
    if turns != (order.turns[: len(turns)] if is_cut_short else order.turns):
        raise BadReply(f"its matches are {turns}, and {order.turns} were asked for")
    here = replace(settings, timing=order.timing)
    for match in played:
        if (match.set, match.attempt) != (order.number, order.attempt):
            raise BadReply(f"a match of set {match.set}, attempt {match.attempt + 1}")
        if match.machine != machine:
            raise BadReply(f"a match of machine {match.machine!r}, and it is {machine!r}")
        if (wrong := _wrong(match, order, here)) is not None:
            raise BadReply(f"match {match.place} does not fit: {wrong}")
    words = {word_of(Place(order.number, turn), order.attempt) for turn in order.turns}
    for piece in reply.pieces:
        _check_piece(piece, order, words)


def _check_said(said: Said, order: PlaySet) -> None:
    if said.name not in order.line_up:
        raise BadReply("words of a bot that does not play in it")
    if max(map(len, (said.version, said.author, said.language))) > MOST_WORD_CHARS:
        raise BadReply(f"words of a bot of more than {MOST_WORD_CHARS} characters")


def _wrong(played: LeagueMatch, order: PlaySet, settings: Settings) -> str | None:
    """Return the first thing about a match that does not fit; None if all does."""
    record = played.record
    if (found := next(beyond(played, settings), None)) is not None:
        return found
    if any(each.seat not in range(record.seats) for each in played.evidence):
        return "its evidence names a seat that it has not"
    if played.stood and order.may_void:
        return "a late ruling stood, and by its order the match had to be void"
    if not played.is_void:
        return next(problems(played, order.planned, settings, order.clocks, order.seed), None)
    # It is kept to be counted, and never shown or replayed.
    if record.annulled is not None and record.annulled not in range(record.seats):
        return "it is void because of a seat that it has not"
    if not order.may_void:
        return "it is void, and its order says that rulings stand"
    if not is_time(played.ended):
        return f"it ended at {played.ended!r}, which is no time"
    return next(of_its_place(played, order.planned, settings), None)


def _check_piece(piece: PrintedPiece, order: PlaySet, words: Collection[str]) -> None:
    """Raise BadReply for a file that is not the output of a bot of this set.

    `words`: for the matches of the set, in the names of such files.
    """
    found = PIECE.fullmatch(piece.name)
    if found is None or found["bot"] not in order.line_up or found["match"] not in words:
        raise BadReply(f"a file {piece.name[:80]!r}, which is no output of its bots")
