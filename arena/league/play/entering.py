"""Enters the matches that come back from jobs: one at a time, each once, in one thread.

Everything else of a run follows from entered matches: sets that count, benched bots, voids.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec
import trio

from arena.league.control.acts import ActRefused
from arena.league.control.perform import Performed
from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.sets import MOST_VOIDS
from arena.league.plan.format import Done, Wait
from arena.league.plan.planner import Planned
from arena.league.play.orders import Said
from arena.league.play.sets_to_play import NO_LEASE, SetInPlay
from arena.league.store import events
from arena.league.store.database import StoreBusy, StoreError
from arena.league.store.store import Store
from arena.league.table.checkpoint import is_due, packed
from arena.league.table.ledger import Ledger
from arena.league.table.live import ledger_of
from arena.text import listed
from arena.utc import now, seconds

if TYPE_CHECKING:
    from arena.league.play.runner import Runner

# Tries to write to a locked store; each try waits for some seconds itself.
MOST_TRIES = 12

# Sets set aside in one run, after which it ends: others would take their places for ever.
MOST_SETS_ASIDE = 10

# Events that tell the sets that nobody plays any more.
GIVE_UP = ("retired", "replaced", "changed")

T = TypeVar("T")


class LeagueView(Protocol):
    """A league shown to people while it is played."""

    def begun(self, runner: Runner) -> None: ...
    def match_over(self, played: LeagueMatch) -> None: ...
    def void(self, played: LeagueMatch) -> None: ...
    def benched(self, name: str, reason: str) -> None: ...
    def says(self, text: str) -> None:
        """A line for people, such as a bot that is waited for."""

    def tick(self) -> None:
        """Called a few times a second, to redraw."""


class BegunSets(Protocol):
    """The sets that a run is playing, which cannot be withdrawn any more."""

    @property
    def taken(self) -> Container[int]:
        """The numbers of sets that are being played, or wait to be played on."""

    def held(self) -> AbstractContextManager[None]:
        """Let no further set begin in this block."""


class LeagueStopped(Exception):
    """The league cannot go on now; the text says why. All entered matches are kept."""


class ActFailed(Exception):
    """An act met a bug in arena; nothing was changed."""


class Entering:
    """The one way of matches into the store, and all that is counted of them."""

    def __init__(self, store: Store, matches_of_a_set: int, log: Path):
        self.ledger: Ledger = ledger_of(store)
        self.planner = store.planner()
        self.voids = store.voids()
        self.matches = 0  # entered in this run
        self.complete = 0  # sets that became complete in this run
        self.sets_aside = 0  # in this run
        self.dropped = 0  # matches that came late, for an order that was given anew since
        # By number the bots of the sets that have begun and are not complete.
        self.begun: dict[int, tuple[str, ...]] = {
            one.number: one.line_up for one in store.begun() if not self.ledger.is_left_out(one)
        }
        self.view: LeagueView
        self._store = store
        self._matches_of_a_set = matches_of_a_set
        self._log = log
        self._said: dict[str, Mapping[str, str]] = {
            entrant.name: entrant.said for entrant in store.entrants()
        }
        self._one_thread = trio.CapacityLimiter(1)
        self._entering = trio.Lock()

    def __repr__(self) -> str:
        return f"<Entering {self.matches} matches, {self.ledger!r}>"

    async def enter(self, one: SetInPlay, played: LeagueMatch) -> None:
        """Enter a match of the order that holds the lease, count it and tell it.

        Matches are entered one at a time. The same match a second time is left alone.
        """
        async with self._entering:
            if self._is_entered(one, played):
                return
            if played.is_void:
                await self._begin_anew(one, played)
                return
            matches = {**one.matches, played.turn: played}
            complete = None
            happened = [events.match(played)]
            if len(matches) == self._matches_of_a_set:
                turns = tuple(matches[turn] for turn in sorted(matches))
                complete = PlayedSet(played.set, played.attempt, turns)
                happened.append(events.complete(complete))
            await self.stored(
                partial(
                    self._store.enter,
                    played,
                    completes=complete is not None,
                    voids=False,
                    events=happened,
                )
            )
            for event in happened:
                self.planner.tell(event)
            one.matches = matches
            self.matches += 1
            self.view.match_over(played)
            if complete is not None:
                self.complete += 1
                del self.begun[complete.number]
                await self._count(complete)

    def _is_entered(self, one: SetInPlay, played: LeagueMatch) -> bool:
        """Tell whether this match is entered; raises LeagueStopped if another one is in its
        place, or it has none in the set as it is played now."""
        known = one.matches.get(played.turn)
        has_place = 0 <= played.turn < self._matches_of_a_set
        if has_place and played.attempt == one.attempt and known is None:
            return False
        # Matches that were read from the store come without their evidence and their machine.
        if known in (played, msgspec.structs.replace(played, evidence=(), machine="")):
            return True
        wrong = "was not asked for" if known is None else "is not the one that it brought before"
        raise LeagueStopped(
            f"match {played.place}, attempt {played.attempt + 1}, of a referee process {wrong}, "
            f"which only a bug in arena can make; see {self._log}"
        )

    def drop(self, played: LeagueMatch) -> None:
        """Count a match of an order that was given anew since. It is left out: its set is played on
        by the new order."""
        self.dropped += 1
        with self._log.open("a") as log:
            log.write(f"match {played.place} came too late for its order, and is left out\n")

    async def _begin_anew(self, one: SetInPlay, played: LeagueMatch) -> None:
        """Enter a void match, and begin its set anew from the seed of the next attempt."""
        if one.attempt >= MOST_VOIDS:
            raise LeagueStopped(
                f"set {played.set} is void for the {one.attempt + 1}th time, which only a "
                f"bug in arena can make it; see {self._log}"
            )
        await self.stored(
            partial(
                self._store.enter,
                played,
                completes=False,
                voids=True,
                events=[events.void(played)],
            )
        )
        self.voids[played.annulled or ""] += 1
        one.attempt += 1
        one.lease = NO_LEASE  # later matches of this order belong to the void attempt
        one.matches = {}
        self.view.void(played)

    async def _count(self, one: PlayedSet) -> None:
        self.ledger.enter(one)
        await self.tell_benched()
        await self.keep_checkpoint()

    async def keep_checkpoint(self) -> None:
        """Keep the counts so far for the next opening, if many are new; the store has all of it."""
        ledger = self.ledger
        if is_due(ledger):
            await self.stored(
                partial(
                    self._store.keep_checkpoint,
                    packed(ledger),
                    ledger.fresh,
                    is_anew=ledger.is_all_fresh,
                )
            )
            ledger.forget_fresh()

    async def tell_benched(self) -> None:
        """Enter and tell each benching that was not told yet, also those from before a kill."""
        benching = self.ledger.benching
        for name in sorted(benching.reasons.keys() - self.planner.so_far.roster.benched.keys()):
            reason = benching.reasons[name]
            event = events.benched(name, reason, benching.after_set[name])
            await self.stored(partial(self._store.add_events, [event]))
            self.planner.tell(event)
            self.view.benched(name, reason)

    async def plan(self, absent: Callable[[], Collection[str]]) -> Planned | Wait | Done:
        """Ask the planner for the next sets, and enter its decision before they are played.

        `absent` returns the bots that it has to do without.
        """
        async with self._entering:
            at = now()
            names = sorted(absent())
            answer = self.planner.next(seconds(at), names)
            if isinstance(answer, Planned):
                grown = events.schedule(answer.sets[-1].number, names, at)
                await self.stored(partial(self._store.add_sets, answer.sets, [grown]))
                self.planner.hand_over(answer.sets)
                self.planner.tell(grown)
                self.ledger.grow((), answer.sets)
            return answer

    async def perform(
        self,
        act: Callable[[Container[int]], Performed],
        sets: BegunSets,
        then: Callable[[Performed], object],
    ) -> Performed:
        """Have an act of the operator performed in the store, and take its events in.

        `act` gets the numbers of the sets that have begun. `then` is called before anything else is
        decided or entered.
        """
        async with self._entering:
            with sets.held():
                return await self._perform(partial(act, sets.taken), then)

    async def _perform(
        self, act: Callable[[], Performed], then: Callable[[Performed], object]
    ) -> Performed:
        try:
            done = await self.stored(act)
        except (ActRefused, StoreError):
            raise
        except Exception as error:
            raise ActFailed from error
        for event in done.events:
            self.planner.tell(event)
            entered = (event["name"],) if event["event"] == "entrant" else ()
            given_up = event["sets"] if event["event"] in GIVE_UP else ()
            self.ledger.grow(entered, (), given_up)
        then(done)
        return done

    async def set_aside(self, one: SetInPlay, why: str) -> None:
        """Enter that a set is not played any more. Raises LeagueStopped where that becomes usual:
        then it is no set but a bot, or the machines."""
        number = one.planned.number
        async with self._entering:
            event = events.set_aside(number, why)
            await self.stored(partial(self._store.add_events, [event]))
            self.planner.tell(event)
            one.is_set_aside = True
            self.begun.pop(number, None)
            self.ledger.grow((), (), (number,))
            self.sets_aside += 1
        self.view.says(f"set {number} of {listed(one.planned.line_up)} is set aside: {why}")
        if self.sets_aside >= MOST_SETS_ASIDE:
            raise LeagueStopped(
                f"{self.sets_aside} sets were set aside in this run, the last of"
                f" {listed(one.planned.line_up)}: look which bot is in all of them, and retire it"
                " (`arena retire`), or give it less memory; the same command goes on"
            )

    async def happened(self, event: events.Event) -> None:
        """Enter an event that changes nothing of the league, such as that of a worker."""
        async with self._entering:
            await self.stored(partial(self._store.add_events, [event]))
            self.planner.tell(event)

    async def come(self, name: str) -> None:
        """Enter that a bot that dials in is here, unless that is known."""
        async with self._entering:
            if not self.planner.so_far.is_here(name):
                event = events.here(name)
                await self.stored(partial(self._store.add_events, [event]))
                self.planner.tell(event)

    async def gone(self, name: str, sets: BegunSets) -> None:
        """Enter that a bot that dials in is away, unless that is known. On a ladder its sets that
        have not begun are withdrawn; other bots play in their place."""
        if not self.planner.so_far.is_here(name):
            return
        async with self._entering:
            with sets.held():
                withdrawn = self._not_begun(name, sets.taken) if self.planner.withdraws else []
                event = events.away(name, withdrawn)
                await self.stored(partial(self._store.add_events, [event]))
                self.planner.tell(event)
                self.ledger.grow((), (), withdrawn)

    def _not_begun(self, name: str, taken: Container[int]) -> list[int]:
        """Return the numbers of the sets of a bot that have not begun."""
        so_far = self.planner.so_far
        return [
            each.number
            for each in so_far.past().unfinished(so_far.results)
            if name in each.line_up and each.number not in taken and each.number not in self.begun
        ]

    def is_done(self) -> bool:
        """Tell whether nothing more will be planned."""
        return isinstance(self.planner.next(seconds(now()), ()), Done)

    async def end_early(self, sets: BegunSets) -> None:
        """Enter the end of the league, if a rule of [stop] holds; sets not begun are given up
        then."""
        if not self.planner.may_end_early:
            return
        async with self._entering:
            with sets.held():
                await self._end_early(sets.taken)

    async def _end_early(self, taken: Container[int]) -> None:
        at = now()
        why = self.planner.why_end(seconds(at))
        if why is None:
            return
        so_far = self.planner.so_far
        to_play = (one.number for one in so_far.past().unfinished(so_far.results))
        given_up = [each for each in to_play if each not in taken and each not in self.begun]
        event = events.ended_early(why, given_up, at)
        await self.stored(partial(self._store.add_events, [event]))
        self.planner.tell(event)
        self.ledger.grow((), (), given_up)
        self.view.says(f"the league ends here: {why}")

    async def note(self, said: Said) -> None:
        words = {"version": said.version, "author": said.author, "language": said.language}
        if self._said.get(said.name) != words:
            self._said[said.name] = words
            await self.stored(partial(self._store.note_said, said.name, words))

    async def stored(self, call: Callable[[], T]) -> T:
        """Call the store in its one thread. While its file is locked by another program, wait and
        say so."""
        for tries in range(MOST_TRIES):
            try:
                # A call is never abandoned: half a transaction would break the connection.
                return await trio.to_thread.run_sync(
                    call, limiter=self._one_thread, abandon_on_cancel=False
                )
            except StoreBusy as busy:
                if tries == MOST_TRIES - 1:
                    raise
                self.view.says(f"{busy}; waiting for it")
        raise AssertionError("not reached")
