"""The first check of every request: the host it is meant for, and the page that sent it.

A server on the loopback interface is reached by every page that the same browser has open: a page
may name our address outright, or have its own name lead to 127.0.0.1 (DNS rebinding). So a request
names one of our hosts, and a request that does more than read comes from one of our own pages.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Mapping

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.outputs.pages.render import POLICY
from arena.serve.web.answers import no_socket
from arena.serve.web.log import LONGEST_PATH, RequestLog, shortened
from arena.serve.web.metrics import ServeMetrics

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
READING = frozenset({"GET", "HEAD"})
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?\Z")

HEADERS: Mapping[str, str] = {
    "content-security-policy": f"{POLICY}; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def host_in(header: str) -> str | None:
    """Return the host that a Host header names, without its port; None if it names none."""
    found = _HOST.match(header.lower())
    return found[1].removesuffix(".") if found else None


def is_from_here(origin: str, host: str) -> bool:
    """Tell whether an Origin header is that of a page of this server, as it is asked for."""
    scheme, _, rest = origin.lower().partition("://")
    return scheme in ("http", "https") and rest == host.lower()


class Guard:
    """The application behind it gets good requests; each answer is completed, counted and
    logged."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str],
        log: RequestLog,
        metrics: ServeMetrics,
        dial_in: str = "",
    ):
        """`hosts`: the names this server has besides the loopback ones. `dial_in`: the address for
        bots, "" for none."""
        self._app = app
        self._hosts = LOOPBACK | set(hosts)
        self._log = log
        self._metrics = metrics
        self._dial_in = dial_in

    def __repr__(self) -> str:
        return f"<Guard for {sorted(self._hosts)}>"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        answer = _Answer(send, has_body=_has_body(scope))
        refusal = self._refusal(scope)
        try:
            if refusal is None:
                await self._app(scope, receive, answer.send)
            else:
                if scope["type"] == "websocket":
                    await receive()  # the wish to connect
                await refusal(scope, receive, answer.send)
        except Exception as error:
            self._failed(answer, error)
        finally:
            self._count(scope, answer, time.monotonic() - began)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that goes no further; None if it may."""
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        host = host_in(hosts[0]) if len(hosts) == 1 else None
        if host not in self._hosts:
            told = repr(hosts[0][:100]) if hosts else "no host"
            return PlainTextResponse(
                f"This server is not {told}: its operator may name it with --host.\n", 421
            )
        # No route is compared with a path such as *, and a program without Origin is no browser:
        # each of them says which page it shows.
        is_odd = not origins or not scope["path"].startswith("/")
        if scope["type"] == "websocket" and is_odd:
            return no_socket(self._dial_in)
        is_reading = scope["type"] == "http" and scope["method"] in READING
        if is_reading or (len(origins) == 1 and is_from_here(origins[0], hosts[0])):
            return None
        return PlainTextResponse("Only pages of this server may do that.\n", 403)

    def _failed(self, answer: _Answer, error: Exception) -> None:
        """Log a bug of ours; an error may also be of a visitor that is gone."""
        if not isinstance(error, OSError):
            frame = error.__traceback__
            while frame is not None and frame.tb_next is not None:
                frame = frame.tb_next
            where = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame else "?"
            self._log("bug", error=f"{type(error).__name__}: {error}"[:500], where=where)
        if not answer.is_whole:
            raise error  # the connection ends, so that nobody takes half an answer for a whole one

    def _count(self, scope: Scope, answer: _Answer, seconds: float) -> None:
        self._metrics.requests.labels(str(answer.status)).inc()
        if not answer.is_stream and scope["type"] == "http":
            self._metrics.seconds.observe(seconds)
        client = scope.get("client")
        self._log(
            "request",
            method=scope.get("method", "WEBSOCKET"),
            path=scope["path"][:LONGEST_PATH],
            status=answer.status,
            ms=round(1000 * seconds),
            bytes=answer.bytes,
            by=shortened(client[0]) if client else "?",
        )


class _Answer:
    """The answer to the visitor: completed with the headers that every answer has, and counted."""

    def __init__(self, send: Send, *, has_body: bool):
        """`has_body`: the request has one. Nobody reads it, so the connection ends after the
        answer."""
        self._send = send
        self._has_body = has_body
        self.status = 0  # of HTTP; 0 before the answer began
        self.bytes = 0
        self.is_whole = False
        self.is_stream = False

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self.status = message["status"]
            headers = [*message.get("headers", ()), *_RAW]
            if self._has_body:
                headers.append((b"connection", b"close"))
            self.is_stream = (b"content-type", EVENT_STREAM.encode()) in headers
            message = {**message, "headers": headers}
        elif message["type"] in ("http.response.body", "websocket.http.response.body"):
            self.bytes += len(message.get("body", b""))
            self.is_whole = not message.get("more_body", False)
        elif message["type"] == "websocket.accept":
            self.status = 101
        await self._send(message)


EVENT_STREAM = "text/event-stream; charset=utf-8"


def _has_body(scope: Scope) -> bool:
    if scope["type"] != "http":
        return False
    headers = Headers(scope=scope)
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
