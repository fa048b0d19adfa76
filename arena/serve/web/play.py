"""Play against bots: the page, and the WebSocket that passes its messages to a table and back.

The tables are in another process (`arena.people`); a page that loses its connection, or this
process if it is replaced, leaves them as they are.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from arena.games import GAMES
from arena.outputs.pages.render import render
from arena.serve.connections.places import PagePlace
from arena.serve.live.made import MadeFile
from arena.serve.web.answers import answer, no_socket, nothing_here
from arena.serve.web.log import shortened
from arena.serve.web.pages import site_of
from arena.serve.web.site import PLAY, ServedSite

# Messages of a page are short; those of a table have a view of 4 KiB at most.
LONGEST_FROM_PAGE = 4_000
LONGEST_FROM_TABLE = 1_000_000
# The address of the WebSocket.
TABLE = f"{PLAY}/table"
# WebSocket codes: come again later; a message that is none.
TRY_AGAIN, NOT_UNDERSTOOD = 1013, 1007


# How the table's message begins that gives a page its seat.
_SEATED = b'{"type":"seated"'


async def play(request: Request) -> Response:
    """The page on which a person plays."""
    site = site_of(request)
    if not site.options.play:
        return nothing_here(request)
    league = site.visited(request.query_params.get("league", ""))
    game = league.look.settings.game if league is not None and league.look is not None else ""
    key = (league.slug if league is not None else "", game)
    if key not in site.play_pages:
        site.play_pages[key] = _page(site, *key)
    return answer(request, site.play_pages[key])


def _page(site: ServedSite, slug: str, game: str) -> MadeFile:
    """Make the page that visitors of a league get; it is the same while the server runs.

    `slug`: of the league, "" for none. `game`: the one that is chosen at first, "" for the first.
    """
    text = render(
        "play.html",
        root=f"/{slug}/" if slug else "/",
        here="play",
        league="Play",
        running=False,
        data=choices(site, game),
    )
    return MadeFile.of("play.html", text.encode("utf-8", "backslashreplace"))


async def to_play(_: Request) -> Response:
    """Lead to the page from an address with a slash behind."""
    return RedirectResponse(PLAY, 308)


def choices(site: ServedSite, first: str = "") -> Mapping[str, Any]:
    """Return the facts about games and bots for the page. `first`: the game to choose at first, if
    a bot plays it."""
    games = {
        name: {
            "drawing": {"name": game.drawing.name, "details": dict(game.drawing.details)},
            "bots": {bot.name: bot.games[name] for bot in site.options.play if name in bot.games},
            "short": list(game.drawing.in_short),
            # All boxes of a board in their order, by the number of seats; a page that comes late
            # sees only those that are open then.
            "boxes": {
                seats: game.deal(seats, b"boxes").view(None).get("open", ()) for seats in game.seats
            },
        }
        for name, game in GAMES.items()
    }
    played = {name: each for name, each in games.items() if each["bots"]}
    return {"game": first if first in played else "", "games": played}


async def table(socket: WebSocket) -> None:
    """Pass messages between a page and its table until one of them ends."""
    site = socket.app.state.site
    assert isinstance(site, ServedSite)
    if not site.options.play:
        await socket.send_denial_response(no_socket(site.options.dial_in))
        return
    by = shortened(socket.client.host) if socket.client else "?"
    is_out = asyncio.Event()  # another page has this one's place
    place = site.places.enter(by, is_out.set)
    try:
        await socket.accept()
        await _talk(socket, site.options.tables, place, is_out)
    except WebSocketDisconnect:
        pass  # it is gone
    finally:
        site.places.go(place)


async def no_table(socket: WebSocket) -> None:
    """Answer a WebSocket at any other address, as one of a bot that has mistaken it."""
    await socket.send_denial_response(no_socket(socket.app.state.site.options.dial_in))


async def _talk(socket: WebSocket, tables: str, place: PagePlace, is_out: asyncio.Event) -> None:
    """Pass messages until one of the two ends, or the page has to make room.

    A page that makes room is left without a close frame: nobody waits for its answer to one.
    """
    try:
        reader, writer = await asyncio.open_unix_connection(tables, limit=LONGEST_FROM_TABLE)
    except (OSError, ValueError):
        await socket.close(TRY_AGAIN, "the tables are not open")
        return
    writer.write(json.dumps({"by": place.by}).encode() + b"\n")
    tasks: list[asyncio.Task[object]] = [
        asyncio.create_task(_to_table(socket, writer)),
        asyncio.create_task(_to_page(reader, socket, place)),
        asyncio.create_task(is_out.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        writer.close()
    if socket.application_state is WebSocketState.CONNECTED and not is_out.is_set():
        with suppress(RuntimeError):
            await socket.close()


async def _to_table(socket: WebSocket, writer: asyncio.StreamWriter) -> None:
    """Pass on the messages of the page, a line each."""
    with suppress(WebSocketDisconnect, ConnectionError):
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return
            line = (message.get("text") or "").encode()
            if not line or b"\n" in line or len(line) > LONGEST_FROM_PAGE:
                await socket.close(NOT_UNDERSTOOD, "a message is a line of JSON")
                return
            writer.write(line + b"\n")
            await writer.drain()


async def _to_page(reader: asyncio.StreamReader, socket: WebSocket, place: PagePlace) -> None:
    """Pass on the messages of the table."""
    with suppress(WebSocketDisconnect, ConnectionError, ValueError):
        while line := await reader.readline():
            place.has_seat = place.has_seat or line.startswith(_SEATED)
            await socket.send_text(line.decode().rstrip("\n"))
