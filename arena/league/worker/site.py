"""One league on one worker: its bots made ready, and the referee processes that play it.

A site is opened when the first set of a league comes, and closed when none has come for a while.
Bots are made ready when a set first needs them, confined as this machine can.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import trio

from arena.bots.build import BuildFailed
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.choose import NotConfined, choose
from arena.bots.confine.confinement import Wish
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.contents import remove_scratch
from arena.bots.logs import OutputPiece
from arena.bots.parcel import ParcelCache
from arena.bots.processes import Warden, open_warden
from arena.bots.program import Program
from arena.bots.refused import ProcessError
from arena.bots.workshop import Workshop
from arena.groups import leaves
from arena.league.play.jobs import JobEnded, RemoteJob, open_job
from arena.league.play.orders import EnterBots, MatchOver, News, PlaySet, Said, Setup
from arena.league.play.run import is_refused
from arena.league.worker.messages import (
    Broke,
    Lacks,
    PrintedPiece,
    Reply,
    SetPlayed,
    SetTask,
    SiteTerms,
    TravellingBot,
    Unfit,
)
from arena.league.worker.patience import count_down, most_seconds

log = logging.getLogger(__name__)

# A league that nobody plays any more is let go of, with its bots' processes, after so long.
IDLE_SECONDS = 60.0
LOOK_SECONDS = 5.0

# A disk with less room than this is full.
TRIED_BYTES = 65_536

# The output of bots that comes back with one set; any more is lost.
MOST_PIECES_BYTES = 4_194_304


@dataclass(frozen=True)
class Places:
    """The folders and settings of a worker. `machine`: its name in the records of its matches."""

    machine: str
    parcels: ParcelCache
    builds: BuildCache
    log: Path  # for complaints of referee processes
    wish: Wish | None = None  # how bots are confined at least; None: as the league wants
    read: tuple[Path, ...] = ()  # further paths that bots may read


class Slot:
    """A referee process, kept from set to set. `pieces`: the folder for the output of bots."""

    def __init__(self, pieces: Path) -> None:
        self.pieces = pieces
        self.known: dict[str, Program] = {}  # the bots that its process has
        self.job: RemoteJob | None = None
        self.playing: trio.CancelScope | None = trio.CancelScope()
        self.used_at = trio.current_time()
        self.unwanted = trio.Event()  # set: it ends
        self.why = ""  # it has ended by itself

    def __repr__(self) -> str:
        return f"<Slot {self.job!r}>"


class Site:
    """The bots and the referee processes of one league. Made by `open_site`."""

    def __init__(
        self,
        terms: SiteTerms,
        places: Places,
        workshop: Workshop,
        means: Means,
        scratch: Path,
        patience: Callable[[PlaySet, int], float] = most_seconds,
    ) -> None:
        """`patience`: returns the seconds after which a set will not come back."""
        self._terms = terms
        self._places = places
        self._workshop = workshop
        self._means = means
        self._scratch = scratch
        self._patience = patience
        self._nursery: trio.Nursery
        self._making = trio.Lock()
        self._made: dict[str, tuple[TravellingBot, Program]] = {}
        self._slots: list[Slot] = []
        self._numbers = iter(range(1_000_000_000))
        self._plays = 0  # calls of `play` that have not returned
        self.used_at = trio.current_time()
        self.is_over = False  # no set can be played here any more

    def __repr__(self) -> str:
        return f"<Site of {self._terms.league}, {len(self._slots)} slots>"

    async def play(self, task: SetTask) -> Reply:
        """Play a set, and return its matches, or why there are none."""
        self._plays += 1
        try:
            return await self._play(task)
        finally:
            self._plays -= 1
            self.used_at = trio.current_time()

    async def _play(self, task: SetTask) -> Reply:
        lacking = {bot.parcel for bot in task.bots if not self._places.parcels.has(bot.parcel)}
        if lacking:
            return Lacks(tuple(sorted(lacking)))
        try:
            programs = await self._programs(task.bots)
        except (BuildFailed, ProcessError) as error:
            return Unfit(str(error))
        except OSError as error:
            return Broke(in_words(error), began=False)
        slot = await self._free_slot()
        if slot.job is None:
            return Broke(f"a referee process did not start: {slot.why}", began=False)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._end_hung, slot, task.order)
                reply = await self._played_in(slot, task, programs)
                nursery.cancel_scope.cancel()
            return reply
        finally:
            slot.playing = None
            slot.used_at = trio.current_time()

    async def _end_hung(self, slot: Slot, order: PlaySet) -> None:
        """End a referee process whose set takes longer than any set of these clocks can."""
        seconds = self._patience(order, self._terms.start_ms)
        await count_down(seconds)
        slot.why = f"its set had not ended after {seconds:,.1f} s, and no set can take so long"
        log.warning("set %d: %s", order.number, slot.why)
        slot.unwanted.set()

    async def serve(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep the referee processes until the site has not been used for a while; then it is
        over, at the same moment."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                task_status.started()
                while True:
                    await trio.sleep(LOOK_SECONDS)
                    oldest = trio.current_time() - IDLE_SECONDS
                    for slot in self._slots:
                        if slot.playing is None and slot.used_at < oldest:
                            slot.unwanted.set()
                    # A build may take longer than that, and no referee process runs meanwhile.
                    if not (self._plays or self._slots) and self.used_at < oldest:
                        # Before the nursery is left, which takes some turns of the loop.
                        self.is_over = True
                        break
        finally:
            self.is_over = True

    async def _programs(self, bots: Sequence[TravellingBot]) -> list[Program]:
        """Return the programs of bots; those that are new, or have changed, are made ready."""
        async with self._making:
            new = [bot for bot in bots if self._made.get(bot.name, (None,))[0] != bot]
            if new:
                parcels = self._places.parcels
                wanted = {
                    bot.name: (parcels.bot(bot.unpacked(), bot.parcel), bot.limits) for bot in new
                }
                made = await self._workshop.make(wanted)
                self._made |= {
                    bot.name: (bot, program) for bot, program in zip(new, made, strict=True)
                }
            return [self._made[bot.name][1] for bot in bots]

    # Referee processes.

    async def _free_slot(self) -> Slot:
        """Take a referee process that plays nothing, or start one."""
        for slot in self._slots:
            if slot.playing is None and slot.job is not None and not slot.unwanted.is_set():
                slot.playing = trio.CancelScope()
                return slot
        pieces = self._scratch / f"pieces-{next(self._numbers)}"
        pieces.mkdir(mode=0o700)
        slot = Slot(pieces)
        self._slots.append(slot)
        await self._nursery.start(self._keep, slot)
        return slot

    async def _keep(
        self, slot: Slot, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep one referee process until it is not wanted, or has ended by itself."""
        terms = self._terms
        pieces = slot.pieces if terms.keeps_output else None
        setup = Setup((), terms.processes, terms.start_ms, self._means, pieces)
        is_started = False
        try:
            with self._told(slot):
                opening = open_job(setup, (), self._places.log)
                async with opening as job, trio.open_nursery() as nursery:
                    nursery.start_soon(job.read)
                    slot.job = job
                    is_started = True
                    task_status.started()
                    await slot.unwanted.wait()
                    nursery.cancel_scope.cancel()
        finally:
            slot.job = None
            self._slots.remove(slot)
            if slot.playing is not None:
                slot.playing.cancel()
            if not is_started:
                task_status.started()

    @contextmanager
    def _told(self, slot: Slot) -> Iterator[None]:
        """Note how a referee process ended, or why it could not be started."""
        try:
            yield
        except* (JobEnded, OSError) as ended:
            slot.why = in_words(next(leaves(ended)))

    async def _played_in(self, slot: Slot, task: SetTask, programs: Sequence[Program]) -> Reply:
        """Play a set in a referee process, and collect its matches and files."""
        assert slot.job is not None
        assert slot.playing is not None
        news: list[MatchOver | Said] = []
        is_over = False
        with slot.playing:
            try:
                late = [each for each in programs if slot.known.get(each.name) != each]
                if late:
                    await slot.job.enter(EnterBots(tuple(late)))
                    slot.known |= {each.name: each for each in late}
                async with aclosing(slot.job.play(task.order)) as comes:
                    async for each in comes:
                        news += self._of_here(each)
                is_over = True
            except JobEnded as ended:
                slot.why = slot.why or str(ended)
        if not is_over:
            if (trouble := disk_trouble()) is not None:
                return Broke(trouble, began=False)
            return Broke(f"a referee process ended: {slot.why or 'the worker is ending'}", True)
        return SetPlayed(tuple(news), tuple(taken_pieces(slot.pieces, task.order.number)))

    def _of_here(self, news: News) -> Iterator[MatchOver | Said]:
        """Yield the messages for the runner, each match with the name of this machine."""
        match news:
            case MatchOver(lease, played):
                here = msgspec.structs.replace(played, machine=self._places.machine)
                yield MatchOver(lease, here)
            case Said():
                yield news


def taken_pieces(folder: Path, number: int) -> Iterator[PrintedPiece]:
    """Take the files of the bots' output in a set out of their folder.

    Output of an earlier set, which a bot printed when it ended later, is removed: the runner takes
    no file of another set than the one that it asked for.
    """
    room = MOST_PIECES_BYTES
    for file in sorted(folder.iterdir()):
        if file.name.startswith("."):  # is being written
            continue
        piece = OutputPiece.of(file)
        if piece is not None and piece.match.partition(".")[0] == str(number):
            room -= file.stat().st_size
            if room >= 0:
                yield PrintedPiece(file.name, file.read_bytes())
        file.unlink()


def in_words(error: BaseException) -> str:
    """Return words for an error; one of the system with the file that it is about."""
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}"
    return str(error)


def disk_trouble() -> str | None:
    """Return why nothing can be written here now; None if something can.

    A referee process that ends over a full disk has not ended over the set that it played.
    """
    try:
        with tempfile.TemporaryFile() as file:
            file.write(bytes(TRIED_BYTES))
    except OSError as error:
        return in_words(error)
    return None


@asynccontextmanager
async def open_site(
    terms: SiteTerms, places: Places, patience: Callable[[PlaySet, int], float] = most_seconds
) -> AsyncIterator[Site]:
    """Open a site. Raises NotFit if bots may not be started here as the operator wants.

    `patience`: as in `Site`.
    """
    scratch = Path(tempfile.mkdtemp(prefix="arena-site-"))
    try:
        async with open_warden() as warden:
            warden.sweep(scratch)
            means = await _means(terms, places, warden, scratch)
            workshop = Workshop(warden, Confiner(means, scratch), scratch, places.builds, log.info)
            yield Site(terms, places, workshop, means, scratch, patience)
    finally:
        remove_scratch(scratch)


class NotFit(Exception):
    """This machine may not play the league; the text says why."""


async def _means(terms: SiteTerms, places: Places, warden: Warden, scratch: Path) -> Means:
    """Choose how bots are confined here; never weaker than before unless that is wished for."""
    # A toolchain that the runner's machine has somewhere need not be here.
    read = [path for path in terms.read if path.exists()]
    wish = places.wish or terms.wish
    try:
        choice = await choose(warden, wish, scratch, [*read, *places.read])
    except NotConfined as error:
        raise NotFit(str(error)) from None
    rung = choice.means.rung
    if terms.wish not in (Wish.AUTO, Wish.NONE) and rung not in terms.wish.rungs:
        raise NotFit(f"the league wants bots confined by {terms.wish}, and here they are {rung}")
    means = replace(choice.means, build_network=terms.build_network)
    word = Confiner(means, scratch).word
    if is_refused(terms.before, word, terms.wish):
        raise NotFit(
            f"the league's bots were confined by {terms.before} until now, and here they would be"
            f" {word}; `arena doctor` there tells what would change that"
        )
    return means
