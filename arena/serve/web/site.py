"""All that one server serves: its leagues, each with its thread, its pages and its stream."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from arena.outputs.pages.render import STATIC
from arena.serve.connections.places import PagePlaces
from arena.serve.connections.programs import ProgramPlaces
from arena.serve.live.following import Following
from arena.serve.live.hub import Hub
from arena.serve.live.made import MadeFile, MadePages
from arena.serve.live.watched import LeagueLook, WatchedLeague
from arena.serve.options import ServeOptions, slugs_of
from arena.serve.thread import OneThread
from arena.serve.tv.broadcast import Broadcast
from arena.serve.web.metrics import ServeMetrics

# Watchers of one league at once, and programs that follow its events.
MOST_WATCHERS = 2_000
MOST_PROGRAMS = 10
# The address of the page on which people play.
PLAY = "/play"
# Calls that wait for a league's thread; the next visitor is asked to come again.
MOST_WAITING = 40
# A league that was not looked at for so long makes /healthz fail, also without an error.
SICK_SECONDS = 30.0


class ServedLeague:
    """One league with all that serves it."""

    def __init__(self, folder: Path, slug: str, boot: str, *, play_at: str):
        """`boot`: of this process alone. `play_at`: the address where visitors play, "" for
        none."""
        self.slug = slug
        self.play_at = play_at
        self.watched = WatchedLeague(folder, slug)
        self.thread = OneThread(f"look at {slug}", MOST_WAITING)
        self.pages = MadePages(self.watched, play_at=play_at)
        self.hub = Hub(boot, MOST_WATCHERS)
        self.following = Following(
            self.watched, self.hub, self.thread, self.pages.main, self._taken
        )
        self.on_air = Hub(boot, MOST_WATCHERS)
        self.broadcast = Broadcast(self.on_air, self.thread)
        self._ratings: set[asyncio.Task[None]] = set()  # of matches for the broadcast
        self.is_closing = False
        self.programs = ProgramPlaces(MOST_PROGRAMS)  # that follow its events
        self._news = asyncio.Event()  # is set, and replaced, by `wake`

    def __repr__(self) -> str:
        return f"<ServedLeague {self.slug!r}>"

    @property
    def look(self) -> LeagueLook | None:
        return self.watched.look

    async def page(self, file: str) -> MadeFile | None:
        """Return a page by its file; None if there is none. Raises ThreadBusy."""
        made = self.pages.ready(file)
        return made if made is not None else await self.thread.run(lambda: self.pages.find(file))

    @property
    def why_unread(self) -> str:
        """Words for visitors while there is no look."""
        if self.following.problem:
            return "This league cannot be read at the moment."
        return "This league is still being read."

    async def events_after(self, cursor: int) -> None:
        """Wait until events after this one may be told, or the server ends."""
        while (self.look is None or self.look.cursor <= cursor) and not self.is_closing:
            await self._news.wait()

    async def woken(self, seconds: float) -> None:
        """Wait until there is something new, a place is over or the server ends, but no longer than
        this."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    def close(self) -> None:
        """End all streams."""
        self.is_closing = True
        self.hub.close()
        self.on_air.close()
        self.wake()

    def _taken(self, look: LeagueLook) -> None:
        """Take a new look, in the loop."""
        self.wake()
        if look.new_sets:
            task = asyncio.create_task(self.broadcast.take(look, look.new_sets))
            self._ratings.add(task)
            task.add_done_callback(self._ratings.discard)

    def wake(self) -> None:
        """Have all streams of events look whether they go on."""
        self._news.set()
        self._news = asyncio.Event()


class ServedSite:
    """The leagues of one server, and what is the same for all of them."""

    def __init__(self, options: ServeOptions):
        self.options = options
        self.metrics = ServeMetrics()
        folders = [Path(each) for each in options.folders]
        # Not a secret: it tells the streams of this process from those of one before.
        boot = secrets.token_hex(4)
        slugs = slugs_of(folders)
        self.play_at = PLAY if options.play else ""
        self.leagues = {
            slug: ServedLeague(folder, slug, boot, play_at=self._play_at(slug, len(slugs)))
            for slug, folder in zip(slugs, folders, strict=True)
        }
        self.assets = read_assets()
        self.places = PagePlaces()  # of people who play
        # Those that they get, once they were made, by league and its game.
        self.play_pages: dict[tuple[str, str], MadeFile] = {}
        self.is_closing = False

    def __repr__(self) -> str:
        return f"<ServedSite of {', '.join(self.leagues)}>"

    def _play_at(self, slug: str, leagues: int) -> str:
        """Return the address where visitors of a league play; it names one of several leagues."""
        return f"{self.play_at}?league={slug}" if self.play_at and leagues > 1 else self.play_at

    def visited(self, slug: str) -> ServedLeague | None:
        """Return the league that an address names by its slug, or the only one; else None."""
        (only, *others) = self.leagues.values()
        return self.leagues.get(slug) if others else only

    def sick(self) -> Sequence[str]:
        """Return a line for each league whose last look failed, or is overdue."""
        now = time.monotonic()
        return [
            f"{league.slug}: {league.following.problem or 'still being read'}"
            for league in self.leagues.values()
            if league.following.problem or now - league.following.looked > SICK_SECONDS
        ]

    async def read(self, most_seconds: float) -> None:
        """Wait until all leagues are read, but no longer than this."""
        with suppress(TimeoutError):
            async with asyncio.timeout(most_seconds):
                for league in self.leagues.values():
                    await league.events_after(0)

    def figures(self) -> bytes:
        """Return the metrics as they are now."""
        now = time.monotonic()
        for slug, league in self.leagues.items():
            self.metrics.watchers.labels(slug, "live").set(len(league.hub))
            self.metrics.watchers.labels(slug, "tv").set(len(league.on_air))
            self.metrics.watchers.labels(slug, "events").set(len(league.programs))
            self.metrics.cursor.labels(slug).set(league.look.cursor if league.look else 0)
            self.metrics.behind.labels(slug).set(now - league.following.looked)
        return self.metrics.text()

    def close(self) -> None:
        """End all streams, because the server ends."""
        self.is_closing = True
        for league in self.leagues.values():
            league.close()


def read_assets() -> dict[str, MadeFile]:
    """Return the scripts, styles and images of all pages by their names."""
    return {
        path.relative_to(STATIC).as_posix(): MadeFile.of(path.name, path.read_bytes())
        for path in sorted(STATIC.rglob("*"))
        if path.is_file()
    }
