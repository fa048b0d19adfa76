"""Trio in a thread of a worker's process, where sites live: Dask calls tasks in other threads."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

import trio

from arena.bots.builds.cache import users_cache
from arena.bots.confine.confinement import Wish
from arena.bots.parcel import ParcelCache
from arena.groups import leaves
from arena.league.worker.facts import machine_name
from arena.league.worker.folder import CONFINE, LOG, PARCELS, READ, folder_of
from arena.league.worker.messages import Broke, Reply, SetTask, SiteTerms, Unfit
from arena.league.worker.site import NotFit, Places, Site, open_site

log = logging.getLogger(__name__)


def places() -> Places:
    """Return where the worker of this process keeps things."""
    folder = folder_of(os.environ)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Places(
        machine_name(),
        ParcelCache(folder / PARCELS),
        users_cache(os.environ),
        folder / LOG,
        Wish(os.environ[CONFINE]) if os.environ.get(CONFINE) else None,
        tuple(Path(path) for path in os.environ.get(READ, "").split(os.pathsep) if path),
    )


class OpenSite:
    """A site of a league, while it is opened and while it is there."""

    def __init__(self) -> None:
        self.ready = trio.Event()
        self.site: Site | None = None
        self.why: Unfit | Broke | None = None  # it could not be opened
        self.plays: set[trio.CancelScope] = set()

    @property
    def is_over(self) -> bool:
        """Whether the site is being closed, which takes a while: its warden ends what is left."""
        return self.site is not None and self.site.is_over


class Host:
    """The sites of one worker's process, by their terms. Each call of `play` is in a thread."""

    def __init__(self) -> None:
        self._places = places()
        self._sites: dict[SiteTerms, OpenSite] = {}
        self._nursery: trio.Nursery
        self._token: trio.lowlevel.TrioToken
        is_ready = threading.Event()
        thread = threading.Thread(
            target=trio.run, args=(self._main, is_ready), name="arena host", daemon=True
        )
        thread.start()
        is_ready.wait()

    def __repr__(self) -> str:
        return f"<Host of {len(self._sites)} sites>"

    def play(self, task: SetTask) -> Reply:
        """Play a set from any thread but Trio's."""
        return trio.from_thread.run(self._play, task, trio_token=self._token)

    async def _main(self, is_ready: threading.Event) -> None:
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            self._token = trio.lowlevel.current_trio_token()
            is_ready.set()
            await trio.sleep_forever()

    async def _play(self, task: SetTask) -> Reply:
        while True:
            open_ = self._sites.get(task.terms)
            if open_ is None or open_.is_over:
                open_ = self._sites[task.terms] = OpenSite()
                self._nursery.start_soon(self._keep, task.terms, open_)
            await open_.ready.wait()
            if open_.site is None:
                assert open_.why is not None
                return open_.why
            # It may have been left while this task waited for its turn.
            if not open_.is_over:
                break
        with trio.CancelScope() as scope:
            open_.plays.add(scope)
            try:
                return await open_.site.play(task)
            finally:
                open_.plays.discard(scope)
        return open_.why or Broke("the worker lets go of the league", began=False)

    async def _keep(self, terms: SiteTerms, open_: OpenSite) -> None:
        """Keep a site until nobody plays there any more, or it has ended in trouble."""
        try:
            async with open_site(terms, self._places) as site, trio.open_nursery() as nursery:
                await nursery.start(site.serve)
                open_.site = site
                open_.ready.set()
        except Exception as error:  # another league may be played by this process
            found = next(leaves(error))
            is_unfit = isinstance(found, NotFit)
            open_.why = (
                Unfit(str(found), "confinement") if is_unfit else Broke(str(found), began=False)
            )
            if not is_unfit:
                log.exception("a league cannot be played here")
        finally:
            # The next set of the league may have opened another one meanwhile.
            if self._sites.get(terms) is open_:
                del self._sites[terms]
            open_.ready.set()
            for scope in open_.plays:
                scope.cancel()
