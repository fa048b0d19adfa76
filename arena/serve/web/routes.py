"""Every address of the server, in the order in which they are compared with a request.

The one place where something new is added: a line here, and its function in a module of its own.
What is the server's own has a first part that is in RESERVED (`arena.serve.options`), so no league
takes it.
"""

from __future__ import annotations

from starlette.routing import BaseRoute, Route, WebSocketRoute

from arena.serve.web import broadcast, join, pages, play, streams


def routes() -> list[BaseRoute]:
    """Return the addresses of a server."""
    return [
        Route("/", pages.leagues),
        Route("/index.html", pages.leagues),
        Route("/healthz", pages.health),
        Route("/metrics", pages.metrics),
        Route("/assets/{file:path}", pages.asset),
        Route("/spec", join.spec),
        Route("/samples/{name}.zip", join.sample),
        Route("/play", play.play),
        Route("/play/", play.to_play),
        WebSocketRoute(play.TABLE, play.table),
        WebSocketRoute("/{path:path}", play.no_table),
        Route("/{league}", pages.to_folder),
        Route("/{league}/", pages.page),
        Route("/{league}/live", streams.live),
        Route("/{league}/events", streams.events),
        Route("/{league}/join", join.join),
        Route("/{league}/tv", broadcast.tv),
        Route("/{league}/tv/live", broadcast.live),
        Route("/{league}/assets/{file:path}", pages.asset),
        Route("/{league}/{file:path}", pages.page),
    ]
