"""The process of the tables: `python -m arena.people.process SERVER FOLDER OPTIONS`.

It listens on a Unix socket in FOLDER, which only this user can enter. It ends with its input, or
soon after the process SERVER if that was killed. On standard output it tells lines for people, and
that it is ready.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path

import trio

from arena.bots.botfile import read_bot
from arena.bots.build import BuildFailed
from arena.bots.builds.cache import users_cache
from arena.bots.confine.choose import NotConfined
from arena.bots.confine.confinement import Wish
from arena.bots.prepare import prepared
from arena.bots.refused import NotStartable
from arena.groups import leaves
from arena.parent import end_after
from arena.people.hall import Hall
from arena.people.options import READY, SOCKET, TablesOptions
from arena.referee.house import open_house

BACKLOG = 64
# After a connection that could not be accepted.
TROUBLE_SECONDS = 0.1

log = logging.getLogger(__name__)


def say(line: str) -> None:
    print(line, flush=True)


async def play(folder: Path, options: TablesOptions, ended: trio.Event) -> None:
    """Keep tables until the input ends. Raises NotConfined, BuildFailed or NotStartable."""
    bots = [read_bot(each) for each in options.bots]
    async with open_house() as house, trio.open_nursery() as nursery:
        choice = await house.confine(Wish(options.confine), ())
        if choice.warning is not None:
            say(f"warning: {choice.warning}")
        cache = users_cache(os.environ)
        programs = await prepared(house.warden, house.confiner, bots, house.folder, say, cache)
        hall = Hall(house, {each.name: each for each in bots}, programs, options.most_tables)
        with trio.socket.socket(trio.socket.AF_UNIX, trio.socket.SOCK_STREAM) as listener:
            await listener.bind(str(folder / SOCKET))
            listener.listen(BACKLOG)
            say(READY)
            nursery.start_soon(_accept, listener, hall, nursery)
            await ended.wait()
            nursery.cancel_scope.cancel()


async def _accept(listener: trio.socket.SocketType, hall: Hall, nursery: trio.Nursery) -> None:
    while True:
        try:
            sock, _ = await listener.accept()
        except OSError as error:  # no descriptor is free: those that play have theirs
            log.warning("a page is not accepted: %s", error)
            await trio.sleep(TROUBLE_SECONDS)
            continue
        nursery.start_soon(hall.serve, trio.SocketStream(sock), nursery)


async def main(folder: Path, options: TablesOptions) -> int:
    ended = trio.Event()

    async def wait_for_end(nursery: trio.Nursery) -> None:
        async with trio.lowlevel.FdStream(os.dup(0)) as stdin:
            while await stdin.receive_some():
                pass
        ended.set()
        nursery.cancel_scope.deadline = trio.current_time() + 5

    code = 0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait_for_end, nursery)
        try:
            await play(folder, options, ended)
        except* (NotConfined, BuildFailed, NotStartable) as errors:
            for each in leaves(errors):
                say(str(each))
            code = 1
        nursery.cancel_scope.cancel()
    return code


if __name__ == "__main__":
    server, place, told = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(level=logging.WARNING)
    end_after(int(server))
    sys.exit(trio.run(main, Path(place), TablesOptions.from_json(told)))
