"""Acts of the operator on a league that runs: performed in its store, and taken up by the run."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio

from arena.bots.build import BuildFailed
from arena.bots.program import Program
from arena.bots.refused import ProcessError
from arena.league.control.acts import Act, ActRefused, Renew, Retire, Told, Who
from arena.league.control.perform import Performed, nothing_new, perform
from arena.league.control.rest import started_bots
from arena.league.model.config import League
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.play.attendance import RETIRED
from arena.league.play.entering import ActFailed
from arena.league.play.runner import Maker, Runner
from arena.league.store.database import StoreError
from arena.league.store.tokens import token_of
from arena.text import listed
from arena.utc import now

log = logging.getLogger(__name__)

# An answer waits so long for the builds of new bots; after that it says that they go on.
BUILD_SECONDS = 60.0
# Keys of the file, as fields of a League, that a run has from its start to its end.
ABOVE = ("jobs", "confine", "versions", "engine", "scheduler")
OF_A_RUN = (
    *("listen", "jobs", "at_once", "start_ms", "dial_in_ms", "confine", "versions"),
    *("engine", "scheduler", "tls"),
)


class Acting:
    """Performs acts while a runner plays, one at a time.

    `file`: league.toml. `workshop`: makes bots ready that are admitted; None: bots cannot be
    confined here as the file wants, for the reason `why_none`.
    """

    def __init__(
        self,
        runner: Runner,
        file: Path,
        workshop: Maker | None,
        why_none: str,
        nursery: trio.Nursery,
    ):
        self._runner = runner
        self._file = file
        self._workshop = workshop
        self._why_none = why_none
        self._nursery = nursery
        self._one_at_a_time = trio.Lock()
        self._as_filed: League | None = None  # the league as its file was last

    def __repr__(self) -> str:
        return f"<Acting on {self._runner!r}>"

    async def answer(self, act: Act) -> Told:
        """Perform an act, and return the lines for the operator."""
        if isinstance(act, Who):
            return Told(tuple(self._who()))
        try:
            async with self._one_at_a_time:
                lines, league, to_make = await self._perform(act)
        except ActRefused as refused:
            return refused.told
        except StoreError as error:
            return Told((str(error),), refused=True)
        # Other acts need not wait for a build.
        if league is not None and to_make:
            return await self._make(league, to_make, lines)
        return Told(tuple(lines))

    async def _perform(self, act: Act) -> tuple[list[str], League | None, Mapping[str, str]]:
        """Perform an act; return the lines for the operator, and by bot that is to be made its
        content."""
        runner = self._runner
        contents = self._contents()
        lines: list[str] = []
        to_make: dict[str, str] = {}

        def take_up(done: Performed) -> None:
            lines.extend(done.lines)
            if done.league is not None:
                to_make.update(self._to_make(done.league, contents))
                runner.attendance.being_made(to_make)
                lines.extend(self._take_up(done.league))

        done = await self._performed(act, take_up)
        await self._take_tokens(done)
        if not lines:
            lines.append(nothing_new(self._file))
        if done.events:
            # The first line of a token that is told is for its author, and not for this terminal.
            first = f"{act.name} has a new token" if isinstance(act, Renew) else lines[0]
            runner.entered.view.says(first)
        return lines, done.league, to_make

    async def _performed(self, act: Act, then: Callable[[Performed], object]) -> Performed:
        runner = self._runner
        folder = runner.store.path.parent
        performed = partial(
            perform, act, self._file, runner.store, folder, listen=runner.league.listen
        )
        try:
            return await runner.entered.perform(performed, runner.begun_sets, then)
        except ActFailed:  # the store has changed nothing, and the league can go on
            log.exception("an act was not performed: this is a bug in arena")
            raise ActRefused(
                f"{act!r} met a bug in arena, and nothing was changed; the log has more"
            ) from None

    def _contents(self) -> dict[str, str]:
        rows = self._runner.entered.planner.so_far.roster.rows
        return {name: row.content for name, row in rows.items()}

    # Changes to the run.

    def _take_up(self, league: League) -> Iterator[str]:
        """Go on with this league, but for the settings that a run has from its start to its end."""
        runner = self._runner
        before, self._as_filed = self._as_filed or runner.league, league
        kept = {key: getattr(runner.league, key) for key in OF_A_RUN}
        # Options of the command may override these keys: compare them from the second reading on.
        above = ABOVE if before is runner.league else ()
        for key in OF_A_RUN:
            new = getattr(league, key)
            is_as_played = key not in ABOVE and new == kept[key]
            if key not in above and new != getattr(before, key) and not is_as_played:
                yield f"`{key}` has changed: it will count when the league is started again"
        runner.take_up(replace(league, **kept))

    async def _take_tokens(self, done: Performed) -> None:
        """Let bots in at the door by their tokens, and those out that are retired."""
        runner = self._runner
        for name, token in done.tokens.items():
            runner.attendance.change_token(name, token)
        if runner.door is None:
            return
        roster = runner.entered.planner.so_far.roster
        for name, row in roster.rows.items():
            if row.content != UNKNOWN_CONTENT:
                continue
            if name in roster.retired or name in roster.replaced:
                if name in runner.door:
                    runner.door.dismiss(name, "done", RETIRED)
            elif name in runner.league.callers:
                if not runner.door.expects(name):
                    stored = await runner.entered.stored(partial(token_of, runner.store, name))
                    if stored is not None:
                        runner.attendance.tokens[name] = stored.token
                runner.attendance.expect(name, row.connections)

    def _to_make(self, league: League, before: Mapping[str, str]) -> Mapping[str, str]:
        """Return the contents of the bots that are started and have changed, or that this run has
        not made yet: new ones, and those that were retired when it began."""
        now = self._contents()
        retired = self._runner.entered.planner.so_far.roster.retired
        return {
            name: now[name]
            for name in league.bots
            if name not in retired
            and not (now[name] == before.get(name) and self._runner.is_made(name))
        }

    async def _make(
        self, league: League, contents: Mapping[str, str], lines: Sequence[str]
    ) -> Told:
        """Make bots ready, and tell about failures before the `lines` about the rest; return early
        if building takes long."""
        failures: dict[str, Sequence[str]] = {}
        left = {*contents}
        is_made = trio.Event()

        async def build(name: str, content: str) -> None:
            if failed := await self._build(league, name, content):
                failures[name] = failed
            left.discard(name)
            if not left:
                is_made.set()

        # Each by itself: the first of several that fails would end the others.
        for name, content in contents.items():
            self._nursery.start_soon(build, name, content)
        with trio.move_on_after(BUILD_SECONDS):
            await is_made.wait()
        # That it was admitted is taken back.
        kept = [line for line in lines if line.partition(" ")[0] not in failures]
        if left:
            kept.append(f"{listed(sorted(left))} will play once built, which takes a while")
        failed = [line for told in failures.values() for line in told]
        return Told((*failed, *kept), refused=bool(failed))

    async def _build(self, league: League, name: str, content: str) -> Sequence[str]:
        """Build a bot and enter it; retire one that cannot be made, and return lines about it.

        Its files may change meanwhile: then a build of what they are now decides.
        """
        runner = self._runner
        bot = {name: (league.bots[name], league.entrant(name).limits)}
        failed: Exception | None = None
        programs: Sequence[Program] = ()
        try:
            if self._workshop is None:
                raise CannotMake(self._why_none)
            programs = await self._workshop.make(bot)
        except (BuildFailed, ProcessError, OSError, CannotMake) as error:
            failed = error
        if not runner.attendance.is_being_made(name, content):
            return ()
        if failed is None:
            await runner.enter_bots(programs)
            runner.attendance.made(name, content)
            return ()
        told = [*str(failed).splitlines(), *await self._retire(name, content)]
        runner.entered.view.says("; ".join(told))
        return told

    async def _retire(self, name: str, content: str) -> Sequence[str]:
        """Retire a bot that cannot be made, and return lines that tell how it comes back."""

        def forget(done: Performed) -> None:
            self._runner.attendance.made(name, content)

        again = shlex.join(["arena", "admit", str(self._file.with_suffix("")), name])
        try:
            _, *more = (await self._performed(Retire(name), forget)).lines
            return [f"{name} was admitted, and is retired again; once mended: `{again}`", *more]
        except (ActRefused, StoreError) as error:
            return [str(error)]

    # Bots that are here.

    def _who(self) -> Iterator[str]:
        """Yield a line for each bot that dials in, and one for all others."""
        yield "the league is played"
        runner = self._runner
        so_far, door = runner.entered.planner.so_far, runner.door
        playing: dict[str, list[int]] = {}
        for one in runner.in_play:
            for name in one.planned.line_up:
                playing.setdefault(name, []).append(one.planned.number)
        for name, row in so_far.roster.rows.items():
            if row.content != UNKNOWN_CONTENT or name in so_far.roster.replaced:
                continue
            out = ", and is retired" if name in so_far.roster.retired else self._shut_out(name)
            sets = [f"set {number}" for number in playing.get(name, ())]
            doing = f", playing {listed(sets)}" if sets else ""
            if door is None or name not in door:
                yield f"{name} dials in{out or ', and cannot now'}"
            elif door.is_here(name):
                number, most = door.connections(name)
                of = f" with {number} of {most} connections" if most > 1 else ""
                yield f"{name} dials in, and is here{of}{doing}{out}"
            elif name in so_far.ever_here:
                away = f"and has been away for {round(door.away_seconds(name)):,} s"
                yield f"{name} dials in, {away}{doing}{out}"
            else:
                yield f"{name} dials in, and was never here{out}"
        yield from started_bots(so_far.roster)

    def _shut_out(self, name: str) -> str:
        """Return why a bot cannot dial in now, as the end of its line; "" if it can."""
        token = self._runner.attendance.tokens.get(name)
        if token is None:
            return "; its token was revoked"
        return f"; its token expired at {token.expires}" if token.has_expired(now()) else ""


class CannotMake(Exception):
    """A bot cannot be made ready here; the text says why."""
