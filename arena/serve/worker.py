"""The process that visitors talk to: `python -m arena.serve.worker SUPERVISOR SOCKET OPTIONS`.

It is started by a supervisor with a socket that listens already; it restricts itself before it
takes the first request, and writes two lines to standard output: the restriction in words, and that
it is ready.
"""

from __future__ import annotations

import logging
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from types import FrameType

import uvicorn

from arena.parent import end_after
from arena.serve.confine import confine, load_all
from arena.serve.connections.http import DEFAULT_MOST, BoundedProtocol
from arena.serve.connections.websocket import BoundedWebSocket
from arena.serve.options import BACKLOG, READY, ServeOptions
from arena.serve.web.app import application
from arena.serve.web.log import ProblemLines, open_log
from arena.serve.web.site import ServedSite

# For answers that are being sent when the server is told to end; streams end at once.
GRACE_SECONDS = 1
# Connections that are accepted before others have their turn: under a flood the end too has to wait
# for its turn.
ACCEPTED_AT_ONCE = 32
# Descriptors that are not for visitors: databases, the log, Python's own.
OTHER_DESCRIPTORS = 100
# A message of a WebSocket is a choice in a game: none is longer.
LONGEST_MESSAGE = 65_536


class EndingServer(uvicorn.Server):
    """uvicorn's server, which also ends streams when it is told to end."""

    def __init__(self, config: uvicorn.Config, site: ServedSite):
        super().__init__(config)
        self._site = site

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(BACKLOG)  # asyncio has made the queue as short as ACCEPTED_AT_ONCE
        print(READY, flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._site.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ask for the end; a second time changes nothing, it takes a second anyway."""
        self.should_exit = True


def serve(listener: socket.socket, options: ServeOptions) -> None:
    """Serve until SIGTERM."""
    log = open_log(options.log)
    _log_problems_to(ProblemLines(log))
    raise_limit()
    load_all()
    site = ServedSite(options)
    config = uvicorn.Config(
        application(site, log),
        http=BoundedProtocol,
        # Plain Python, as h11 is, and the implementation that survived fuzzed upgrades.
        ws=BoundedWebSocket,
        # A kilobyte may expand to a megabyte, and is expanded before its size is looked at.
        ws_per_message_deflate=False,
        ws_max_size=LONGEST_MESSAGE,
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=options.behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        backlog=ACCEPTED_AT_ONCE,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    config.load()
    print(confine([Path(folder) for folder in options.folders]), flush=True)
    EndingServer(config, site).run(sockets=[listener])


def raise_limit() -> None:
    """Have as many descriptors as this user may, and as many connections as they allow."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    room = DEFAULT_MOST if hard == resource.RLIM_INFINITY else hard - OTHER_DESCRIPTORS
    BoundedProtocol.most_connections = max(1, min(DEFAULT_MOST, room))


def _log_problems_to(handler: logging.Handler) -> None:
    logging.basicConfig(handlers=[handler], level=logging.ERROR)
    # A visitor's mistake is no problem of ours.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)


def main(supervisor: str, descriptor: str, options: str) -> None:
    end_after(int(supervisor))
    # Ctrl-C goes to the whole terminal; the supervisor decides when this process ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    with socket.socket(fileno=int(descriptor)) as listener:
        serve(listener, ServeOptions.from_json(options))
    # Threads that read a league are left as they are: they write nothing.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
