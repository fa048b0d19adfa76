"""A league shown while it is played: a live table in a terminal, plain lines elsewhere."""

from __future__ import annotations

import shlex
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from arena.league.model.played import LeagueMatch
from arena.league.play.runner import Runner
from arena.league.table.standings import Standings
from arena.outputs.text import has_colour, text
from arena.text import duration, plain

# Seconds between two lines about progress, at least.
LINE_SECONDS = 5.0
# The number of last matches that the pace is worked out from.
RATE_MATCHES = 200
# Faults of one kind are printed this often for each bot, and then only counted.
TOLD_FAULTS = 5
LAST_LINES = 6


@dataclass(frozen=True)
class Pace:
    """The speed of the league, from its last matches."""

    matches_a_second: float
    seconds_left: float | None

    def __str__(self) -> str:
        if not self.matches_a_second:
            return "no match yet"
        rate = self.matches_a_second
        words = f"{rate:.1f} matches/s" if rate >= 1 else f"{rate * 60:.1f} matches/min"
        return (
            words if self.seconds_left is None else f"{words}, {duration(self.seconds_left)} left"
        )


class View:
    """Keeps the pace and prints events as lines; `ProgressLines` and `LiveView` show progress
    too."""

    def __init__(self, tell: Callable[[str], None]):
        self._tell = tell
        self._runner: Runner | None = None
        self._league = "LEAGUE"  # as a command line names it
        self._ends: deque[float] = deque(maxlen=RATE_MATCHES)
        self._faults: Counter[tuple[str, str]] = Counter()
        self._began = time.monotonic()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *exc: object) -> None:
        """Show nothing more."""

    def begun(self, runner: Runner) -> None:
        self._runner = runner
        self._league = shlex.quote(str(runner.store.path.parent.with_suffix("")))
        self._began = time.monotonic()
        total = runner.sets_in_all
        if runner.sets_over > 0 and (total is None or runner.sets_over < total):
            self._tell(f"going on after {runner.progress}")

    def match_over(self, played: LeagueMatch) -> None:
        self._ends.append(time.monotonic())
        record = played.record
        for fault in record.faults:
            if not self._faults:
                command = f"arena matches {self._league} --fault --evidence"
                self._tell(f"why: `{command}`, once a set is complete")
            name = record.names[fault.seat]
            self._faults[name, fault.kind] += 1
            times = self._faults[name, fault.kind]
            if times <= TOLD_FAULTS:
                # The fault's text is left out: it may name a card of a set that is not complete.
                self._tell(
                    f"match {played.place}: {plain(name)}: {fault.kind} ({fault.code})"
                    f"{', forfeits' if fault.forfeit else ''}"
                    f"{'; more of these are only counted' if times == TOLD_FAULTS else ''}"
                )

    def void(self, played: LeagueMatch) -> None:
        late = (
            "" if played.annulled is None else f" to say whether {plain(played.annulled)} was late"
        )
        self._tell(
            f"set {played.set} is void: this machine was too slow, or its door ended, in match"
            f" {played.place}{late}; it is played anew with another deal"
        )

    def benched(self, name: str, reason: str) -> None:
        self._tell(f"{plain(name)} is benched: it {plain(reason)}")

    def says(self, text: str) -> None:
        self._tell(text)

    def tick(self) -> None:
        """Do nothing: these lines need no redrawing."""

    def pace(self) -> Pace:
        """Work out the pace from the last matches."""
        runner, now = self._runner, time.monotonic()
        if runner is None or not self._ends:
            return Pace(0, None)
        since = self._began if len(self._ends) < RATE_MATCHES else self._ends[0]
        rate = len(self._ends) / max(now - since, 1e-3)
        total = runner.sets_in_all
        if total is None:
            return Pace(rate, None)
        return Pace(rate, (total - runner.sets_over) * runner.league.matches_of_a_set / rate)

    def progress(self) -> str:
        runner = self._runner
        if runner is None:
            return ""
        return f"{runner.progress}, {runner.entered.matches} matches in this run, {self.pace()}"


class ProgressLines(View):
    """Plain lines without cursor movements, for a pipe or a simple terminal."""

    def __init__(self, tell: Callable[[str], None]):
        super().__init__(tell)
        self._told_at = time.monotonic()

    def tick(self) -> None:
        now = time.monotonic()
        if now - self._told_at >= LINE_SECONDS and self._ends:
            self._told_at = now
            self._tell(self.progress())


class LiveView(View):
    """A picture of the table, the sets in play and the last lines, redrawn in place."""

    def __init__(self, console: Console, standings: Callable[[], Standings]):
        self._lines: deque[str] = deque(maxlen=LAST_LINES)
        super().__init__(self._lines.append)
        self._console = console
        self._standings = standings
        self._shown: Standings | None = None
        self._sets_shown = -1
        self._cost = 0.0
        self._made_at = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> LiveView:
        self._live.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._live.__exit__(None, None, None)
        # The picture disappears; the lines stay to be read.
        for line in self._lines:
            self._console.print(Text(line))

    def tick(self) -> None:
        """Draw the picture. New lines stand at the top, because a table that is too long is cut
        below."""
        lines = [*self._lines]
        if self._runner is not None:
            self._work_out()
            lines = [self._bar(), *self._in_play(), *lines]
        parts = [Text(line) for line in lines]
        if self._shown is not None and self._shown.rows:
            shown = text(self._shown, width=self._console.width, colour=has_colour(self._console))
            parts += [Text(), Text.from_ansi(shown)]
        self._live.update(Group(*parts), refresh=True)

    def _in_play(self) -> Iterator[str]:
        assert self._runner is not None
        of = self._runner.league.matches_of_a_set
        progresses = self._runner.in_play
        for one in progresses[:LAST_LINES]:
            names = ", ".join(plain(name) for name in one.planned.line_up)
            match = f"match {min(len(one.matches) + 1, of)} of {of}"
            yield f"in play: set {one.planned.number}, {match}: {names}"
        if len(progresses) > LAST_LINES:
            yield f"and {len(progresses) - LAST_LINES} more sets"

    def _work_out(self) -> None:
        """Make the table anew if a set was counted since; one that takes long, less often."""
        assert self._runner is not None
        now = time.monotonic()
        sets = self._runner.ledger.sets
        if sets != self._sets_shown and now - self._made_at > max(1.0, 20 * self._cost):
            self._shown = self._standings()
            self._sets_shown, self._made_at = sets, now
            self._cost = time.monotonic() - now

    def _bar(self) -> str:
        assert self._runner is not None
        progress = self.progress()
        total = self._runner.sets_in_all
        if total is None:
            return progress
        width = max(10, min(40, self._console.width - len(progress) - len("[] ")))
        share = self._runner.sets_over / max(1, total)
        full = round(width * share)
        return f"[{'#' * full}{'.' * (width - full)}] {progress}"


def view_on(
    console: Console, standings: Callable[[], Standings], tell: Callable[[str], None]
) -> View:
    """Return a live view if the screen can be written over, which a dumb terminal cannot."""
    return LiveView(console, standings) if console.is_interactive else ProgressLines(tell)
