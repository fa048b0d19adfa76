"""A served site without sockets: requests as values, answers as values."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from starlette.types import Message

from arena.serve.options import ServeOptions
from arena.serve.web.app import application
from arena.serve.web.log import RequestLog
from arena.serve.web.site import ServedSite

HOST = "127.0.0.1:8000"
Result = TypeVar("Result")


@dataclass
class Answer:
    """What came for one request."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def text(self) -> str:
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


class Lines(RequestLog):
    """A log that is kept in memory."""

    def __init__(self) -> None:
        super().__init__(2, is_ours=False)
        self.lines: list[Mapping[str, Any]] = []

    def __call__(self, kind: str, **values: Any) -> None:
        self.lines.append({"kind": kind, **values})


class Visitor:
    """Asks one site."""

    def __init__(self, site: ServedSite, log: Lines):
        self.site = site
        self.log = log
        self.app = application(site, log)

    async def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        headers: Sequence[tuple[str, str]] = (("host", HOST),),
        kind: str = "http",
    ) -> Answer:
        """Ask and wait for the whole answer."""
        answer = Answer()
        async for _ in self.messages(path, answer, method=method, headers=headers, kind=kind):
            pass
        return answer

    async def messages(
        self,
        path: str,
        answer: Answer,
        *,
        method: str = "GET",
        headers: Sequence[tuple[str, str]] = (("host", HOST),),
        kind: str = "http",
        by: str = "192.0.2.17",
    ) -> AsyncIterator[bytes]:
        """Ask, and yield each part of the answer's body as it comes; leaving ends the request.

        `by`: the address of the visitor.
        """
        plain, _, query = path.partition("?")
        scope = {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": plain,
            "raw_path": plain.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
            "client": (by, 4711),
            "server": ("127.0.0.1", 8000),
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        parts: asyncio.Queue[bytes | None] = asyncio.Queue()

        async def receive() -> Message:
            if kind == "websocket":
                return {"type": "websocket.connect"}
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Message) -> None:
            if message["type"].endswith("http.response.start"):
                answer.status = message["status"]
                answer.headers = {
                    name.decode(): value.decode() for name, value in message["headers"]
                }
            elif message["type"].endswith("http.response.body"):
                answer.body += message.get("body", b"")
                await parts.put(message.get("body", b""))
            elif message["type"] == "websocket.close":
                answer.status = message["code"]

        async def run() -> None:
            try:
                await self.app(scope, receive, send)
            finally:
                await parts.put(None)

        task = asyncio.create_task(run())
        try:
            while (part := await parts.get()) is not None:
                yield part
            await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def served(*folders: Path, **options: Any) -> AsyncIterator[Visitor]:
    """A site of these leagues, each looked at once."""
    named = tuple(map(str, folders))
    site = ServedSite(ServeOptions(named, **{"address": HOST, **options}))
    for league in site.leagues.values():
        await league.following.look()
    yield Visitor(site, Lines())


def visit(do: Callable[[Visitor], Awaitable[Result]], *folders: Path, **options: Any) -> Result:
    """Serve these leagues and do something with them, in an event loop of its own."""

    async def main() -> Result:
        async with asyncio.timeout(60), served(*folders, **options) as visitor:
            return await do(visitor)

    return asyncio.run(main())
