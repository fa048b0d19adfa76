"""The pages of leagues, of the server itself, and the files that go with them."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from arena.league.store.database import StoreError
from arena.outputs.pages.render import render
from arena.serve.live.made import INDEX, MadeFile
from arena.serve.thread import ThreadBusy
from arena.serve.web.answers import FOR_EVER, answer, come_again, nothing_here
from arena.serve.web.metrics import CONTENT_TYPE
from arena.serve.web.site import ServedLeague, ServedSite


def site_of(request: Request) -> ServedSite:
    """Return the leagues of this server, and the files they share."""
    found = request.app.state.site
    assert isinstance(found, ServedSite)
    return found


def league_of(request: Request) -> ServedLeague | None:
    """Return the league that an address names."""
    return site_of(request).leagues.get(request.path_params["league"])


async def leagues(request: Request) -> Response:
    """The index of all leagues; where there is one, that one."""
    site = site_of(request)
    if len(site.leagues) == 1:
        (slug,) = site.leagues
        return RedirectResponse(f"/{slug}/", 307)
    text = render(
        "leagues.html",
        root="",
        here="",
        league="Leagues",
        running=False,
        play_at=site.play_at,
        leagues=[
            (slug, league.look.standings.facts if league.look is not None else None)
            for slug, league in site.leagues.items()
        ],
    )
    return answer(request, MadeFile.of("leagues.html", text.encode()))


async def to_folder(request: Request) -> Response:
    """Lead to the folder of a league, so that addresses on its page are right."""
    league = league_of(request)
    return nothing_here(request) if league is None else RedirectResponse(f"/{league.slug}/", 308)


async def page(request: Request) -> Response:
    """A page or a table of a league."""
    league = league_of(request)
    if league is None:
        return nothing_here(request)
    if league.look is None:
        return come_again(league.why_unread, 2)
    try:
        made = await league.page(request.path_params.get("file") or INDEX)
    except ThreadBusy:
        return come_again("So many pages are being made that this one has to wait.")
    except StoreError:
        return come_again("This league cannot be read at the moment.")
    return nothing_here(request) if made is None else answer(request, made)


async def asset(request: Request) -> Response:
    """A script, a style or an image."""
    made = site_of(request).assets.get(request.path_params["file"])
    if made is None:
        return nothing_here(request)
    return answer(request, made, caching=FOR_EVER)


async def health(request: Request) -> Response:
    """Tell whether the leagues can be looked at: for a program that restarts servers."""
    sick = site_of(request).sick()
    told = json.dumps({"ok": not sick, "problems": list(sick)}) + "\n"
    return Response(told, 503 if sick else 200, media_type="application/json")


async def metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    return Response(site_of(request).figures(), media_type=CONTENT_TYPE)
