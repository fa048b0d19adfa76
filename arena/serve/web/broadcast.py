"""The page of the broadcast, and its stream."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from arena.outputs.pages.render import render
from arena.serve.live.made import MadeFile
from arena.serve.web.answers import answer, come_again, nothing_here
from arena.serve.web.pages import league_of
from arena.serve.web.streams import stream


async def tv(request: Request) -> Response:
    """The page on which matches are shown."""
    league = league_of(request)
    if league is None:
        return nothing_here(request)
    look = league.look
    text = render(
        "tv.html",
        root="",
        here="tv",
        served=True,
        play_at=league.play_at,
        league=look.name if look is not None else league.slug,
        running=False,
        is_waiting=look is not None and not look.standings.facts.sets,
    )
    return answer(request, MadeFile.of("tv.html", text.encode("utf-8", "backslashreplace")))


async def live(request: Request) -> Response:
    """Stream the match on the air. A visitor that comes back gets that, and nothing it missed."""
    league = league_of(request)
    if league is None:
        return nothing_here(request)
    if league.on_air.is_full:
        return come_again("So many are watching that there is no room for more.", 30)
    return stream(request, league.on_air.stream(""))
