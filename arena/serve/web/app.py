"""The application: the routes behind the guard, and the leagues followed while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp

from arena.serve.options import EVERYWHERE, ServeAddress
from arena.serve.web.answers import nothing_here
from arena.serve.web.guard import Guard
from arena.serve.web.log import RequestLog
from arena.serve.web.routes import routes
from arena.serve.web.site import ServedSite

# Visitors wait so long at most, as the server begins, for leagues to be read.
FIRST_SECONDS = 5.0


def application(site: ServedSite, log: RequestLog) -> ASGIApp:
    """Return the application that serves a site."""
    inner = Starlette(
        routes=routes(),
        lifespan=_following(site),
        exception_handlers={404: _nothing, 500: _our_bug},
    )
    inner.router.redirect_slashes = False
    inner.state.site = site
    return Guard(inner, _names(site), log, site.metrics, site.options.dial_in)


def _names(site: ServedSite) -> set[str]:
    """Return the hosts that requests may name, besides those of this machine's loopback."""
    host = ServeAddress.read(site.options.address).host
    bound = f"[{host}]" if ":" in host else host
    return {*site.options.hosts, *(() if host in EVERYWHERE else (bound.lower(),))}


def _following(
    site: ServedSite,
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as tasks:
            running = [
                tasks.create_task(each)
                for league in site.leagues.values()
                for each in (league.following.run(), league.broadcast.run())
            ]
            try:
                await site.read(FIRST_SECONDS)
                yield
            finally:
                for each in running:
                    each.cancel()

    return lifespan


async def _our_bug(_: Request, __: Exception) -> Response:
    """Answer a request that met a bug of ours; the guard logs it."""
    return PlainTextResponse("A bug in arena: its operator has a line about it.\n", 500)


async def _nothing(request: Request, _: Exception) -> Response:
    return nothing_here(request)
