"""Checks of what a worker brought, before anything of it is entered.

A worker plays the matches, so it could always have played them otherwise. But one with bad memory,
or mended by hand, must not end the league or damage its store: its matches have to be those of the
order, and to replay, as `arena verify` would have it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.audit.match import is_time, of_its_place, problems
from arena.bots.logs import OutputPiece
from arena.league.cluster.answers import BadReply
from arena.league.model.played import LeagueMatch
from arena.league.model.settings import Settings
from arena.league.play.orders import MatchOver, PlaySet, Said
from arena.league.worker.messages import PrintedPiece, SetPlayed

# A bot's words about itself come once from each of its processes.
MOST_SAID = 1_000


def check_played(order: PlaySet, settings: Settings, machine: str, reply: SetPlayed) -> None:
    """Raise BadReply unless these are the matches of the order, each once, and replay.

    `settings`: of the league. `machine`: the name that the worker gave for its own.
    """
    played = [news.played for news in reply.news if isinstance(news, MatchOver)]
    if len(reply.news) - len(played) > MOST_SAID:
        raise BadReply(f"{len(reply.news) - len(played):,} words of its bots")
    for news in reply.news:
        if isinstance(news, MatchOver) and news.lease != order.lease:
            raise BadReply(f"a match of order {news.lease}, and it was given order {order.lease}")
        if isinstance(news, Said) and news.name not in order.line_up:
            raise BadReply("words of a bot that does not play in it")
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
    for piece in reply.pieces:
        _check_piece(piece, order)


def _wrong(played: LeagueMatch, order: PlaySet, settings: Settings) -> str | None:
    """Return the first thing about a match that does not fit; None if all does."""
    record = played.record
    if any(each.seat not in range(record.seats) for each in played.evidence):
        return "its evidence names a seat that it has not"
    if not played.is_void:
        found = problems(played, order.planned, settings, order.clocks, order.seed)
        return next(found, None)
    # It is kept to be counted, and never shown or replayed.
    if record.annulled is not None and record.annulled not in range(record.seats):
        return "it is void because of a seat that it has not"
    if not order.may_void:
        return "it is void, and its order says that rulings stand"
    if not is_time(played.ended):
        return f"it ended at {played.ended!r}, which is no time"
    return next(of_its_place(played, order.planned, settings), None)


def _check_piece(piece: PrintedPiece, order: PlaySet) -> None:
    """Raise BadReply for a file that is not the output of a bot of this set."""
    found = OutputPiece.of(Path(piece.name))
    if (
        "/" in piece.name
        or found is None
        or found.bot not in order.line_up
        or found.match.partition(".")[0] != str(order.number)
    ):
        raise BadReply(f"a file {piece.name!r}, which is no output of its bots")
