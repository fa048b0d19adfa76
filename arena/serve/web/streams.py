"""The streams of a league: of news, for browsers, and of its events, for programs."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from arena.league.store.events import line
from arena.serve.live.hub import COMMENT, QUIET_SECONDS, server_sent
from arena.serve.live.moment import at_one_moment
from arena.serve.thread import ThreadBusy
from arena.serve.web.answers import come_again, nothing_here
from arena.serve.web.guard import EVENT_STREAM
from arena.serve.web.log import shortened
from arena.serve.web.pages import league_of
from arena.serve.web.site import MOST_PROGRAMS, ServedLeague

# Events that are read at once for one program.
MOST_EVENTS = 200
# The largest number that the store can hold, and its digits.
_LARGEST = 2**63 - 1
_MOST_DIGITS = 19


async def live(request: Request) -> Response:
    """News of a league for its pages: a snapshot, then what changes."""
    league = league_of(request)
    if league is None:
        return nothing_here(request)
    if league.look is None:
        return come_again(league.why_unread, 2)
    if league.hub.is_full:
        return come_again("So many are watching that there is no room for more.", 30)
    return stream(request, league.hub.stream(last_of(request)))


async def events(request: Request) -> Response:
    """The events of docs/events.md, each as its line of JSON, from any number on."""
    league = league_of(request)
    if league is None:
        return nothing_here(request)
    by = shortened(request.client.host if request.client is not None else "")
    if not league.programs.has_room(by):
        return come_again(f"{MOST_PROGRAMS} programs follow these events already.", 30)
    after = _number_in(last_of(request) or "0")
    if after is None:
        return Response("after is the number of the last event you have.\n", 400)
    return stream(request, _lines(league, by, after))


def _number_in(text: str) -> int | None:
    """Return the number of an event; None if this is none that the store can hold."""
    # Python refuses to read thousands of digits with a ValueError.
    if len(text) > _MOST_DIGITS or not (text.isascii() and text.isdecimal()):
        return None
    number = int(text)
    return number if number <= _LARGEST else None


def last_of(request: Request) -> str:
    """Return the number of the last message that this reader had; "" if it begins.

    A browser that lost its connection says it in a header; a page that opens a new one, or a
    program, in the address.
    """
    return request.headers.get("last-event-id") or request.query_params.get("after", "")


def stream(request: Request, messages: AsyncIterator[bytes]) -> Response:
    """Return an answer of server-sent events; it is never compressed, which would hold them up."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no", "content-type": EVENT_STREAM}
    if request.method == "HEAD":
        return Response(headers=headers)  # nothing would ever end a stream that nobody reads
    return StreamingResponse(messages, headers=headers)


async def _lines(league: ServedLeague, by: str, after: int) -> AsyncIterator[bytes]:
    """Yield the events after a number as they may be told; a slow program holds up itself alone.

    `by`: the network of the program. While nothing is new a comment is sent now and then: only the
    system that sends notices that a program is gone without a word, and its place is free then.
    """
    place = league.programs.enter(by, league.wake)
    if place is None:
        return  # another one has taken the last place since
    try:
        yield COMMENT  # so that the answer begins at once
        sent = time.monotonic()
        while not (league.is_closing or place.is_over):
            look = league.look
            if look is not None and look.cursor > after:
                to = min(look.cursor, after + MOST_EVENTS)
                try:
                    yield await league.thread.run(lambda: _read(league, after, to))  # noqa: B023  # awaited before it changes
                    after, sent = to, time.monotonic()
                    continue
                except ThreadBusy:
                    pass
            left = sent + QUIET_SECONDS - time.monotonic()
            if left > 0:
                await league.woken(left)
            else:
                yield COMMENT
                sent = time.monotonic()
    finally:
        league.programs.go(place)


def _read(league: ServedLeague, after: int, to: int) -> bytes:
    """Read events, in the league's thread."""
    with at_one_moment(league.watched.folder) as reader:
        return b"".join(
            server_sent("event", str(number), line(number, event))
            for number, event in reader.events(after, to)
        )
