"""A match shown while it is played: live in a terminal, lines elsewhere, nothing for JSON.

Moves are shown from the spectator's view, like a transcript, so that a player at the same terminal
sees no hand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import Enum, auto
from typing import Protocol

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from arena.cli.match_stop import told_before, told_ratio
from arena.cli.printer import Printer
from arena.compare.play import Comparison, MatchView
from arena.compare.sets import OneSet, ahead_in, mean_in_set
from arena.games import GAMES, Game, State, View
from arena.record import Move, Record
from arena.record.evidence import Evidence
from arena.record.timing import Timing
from arena.record.transcript import told_fault
from arena.referee.match import OnMove, Plan, Result
from arena.referee.replies import Broken, Lagged
from arena.text import both_ends, plain
from protocol.faults import is_further_miss

LIVE_LINES = 14
BY_SEAT = {"cards": "hand_sizes", "score": "scores"}
"""By column of the table of seats, the field of a view that fills it; a game may have neither."""

# Lines shown of each output: either end may hold the line that matters.
FIRST_LINES, LAST_LINES = 6, 14
# From this part of its bank on it is told how slow a bot was.
MUCH = 0.1


class Style(Enum):
    """The ways to show matches while they are played."""

    PICTURE = auto()  # a picture in a terminal, elsewhere as MOVES
    MOVES = auto()  # lines of moves, faults and the result
    FAULTS = auto()  # of many matches, or beside other lines: faults only
    RESULT = auto()  # only the result of a single match
    SILENT = auto()  # for JSON: only bots that did not come


def view_for(printer: Printer, style: Style) -> MatchView:
    """Return the view of this style that fits the terminal."""
    if style is Style.SILENT:
        return SilentView()
    if style is Style.RESULT:
        return ResultView(printer)
    console = Console()
    if console.is_terminal and style is Style.PICTURE:
        return LiveMatch(printer, console)
    return MatchLines(printer, moves=style is not Style.FAULTS)


class SilentView:
    """Shows only bots that did not come; a document at the end has the rest."""

    @property
    def is_closed(self) -> bool:
        return False

    def begin(self, comparison: Comparison) -> None:
        """Show nothing."""

    def match(self, plan: Plan) -> AbstractContextManager[OnMove | None]:
        return nullcontext(None)

    def result(self, match: Result) -> None:
        """Show nothing."""

    def absent(self, name: str, fault: Evidence) -> None:
        click.echo(f"{plain(name)} did not start: {plain(fault.text)}", err=True)

    def progress(self, comparison: Comparison, number: int, one: OneSet) -> None:
        """Show nothing."""


class ResultView(SilentView):
    """Shows the result of a single match; of sets nothing, because the table at the end has it.

    Faults go to standard error: a result that they made must not stand there without a reason.
    """

    def __init__(self, printer: Printer):
        self._print = printer
        self._is_single = True
        self._timings: Sequence[Timing] = ()  # by seat
        self._told: set[tuple[str, str]] = set()  # faults told: bot and code

    @property
    def is_closed(self) -> bool:
        return self._print.closed

    def begin(self, comparison: Comparison) -> None:
        self._is_single = comparison.is_single

    def match(self, plan: Plan) -> AbstractContextManager[OnMove | None]:
        self._timings = plan.timings
        return nullcontext(None)

    def absent(self, name: str, fault: Evidence) -> None:
        super().absent(name, fault)
        for line in told_output(fault):
            click.echo(line, err=True)

    def result(self, match: Result) -> None:
        for line in (*told_faults(match, self._told), *told_second_answers(match, self._told)):
            click.echo(line, err=True)
        if self._is_single:
            for line in told_places(match):
                self._print(line)
            for line in told_slow(match.record, self._timings):
                click.echo(line, err=True)


class MatchLines(SilentView):
    """Plain lines without cursor movements; moves too, unless there are many matches."""

    def __init__(self, printer: Printer, *, moves: bool):
        self._print = printer
        self._moves = moves
        self._timings: Sequence[Timing] = ()  # by seat
        self._told: set[tuple[str, str]] = set()  # faults told in full: bot and code

    @property
    def is_closed(self) -> bool:
        return self._print.closed

    def begin(self, comparison: Comparison) -> None:
        if comparison.trial is not None:
            for line in told_before(comparison, comparison.trial):
                self._print(line)

    def match(self, plan: Plan) -> AbstractContextManager[OnMove | None]:
        self._timings = plan.timings
        if not self._moves:
            return nullcontext(None)
        for line in heading(plan):
            self._print(line)
        return nullcontext(Narrator(plan, self._print))

    def result(self, match: Result) -> None:
        for line in (*told_faults(match, self._told), *told_second_answers(match, self._told)):
            self._print(line)
        if self._moves:
            for line in (*told_places(match), *told_slow(match.record, self._timings)):
                self._print(line)
        elif match.lag is not None:
            self._print(told_void(match.lag))

    def absent(self, name: str, fault: Evidence) -> None:
        super().absent(name, fault)
        for line in told_output(fault):
            click.echo(line, err=True)

    def progress(self, comparison: Comparison, number: int, one: OneSet) -> None:
        shares = ", ".join(
            f"{plain(name)} {mean_in_set(one, row, ahead_in):.2f}"
            for name, row in zip(comparison.names, comparison.rows, strict=True)
        )
        of = "" if comparison.sets is None else f" of {comparison.sets}"
        stands = "" if comparison.trial is None else f"; {told_ratio(comparison.trial)}"
        self._print(f"set {number}{of}: ahead {shares}{stands}")


class LiveMatch(MatchLines):
    """A table of the seats and the last lines, redrawn a few times a second."""

    def __init__(self, printer: Printer, console: Console):
        super().__init__(printer, moves=True)
        self._console = console

    def match(self, plan: Plan) -> AbstractContextManager[OnMove | None]:
        self._timings = plan.timings
        return self._live(plan)

    @contextmanager
    def _live(self, plan: Plan) -> Iterator[OnMove]:
        for line in heading(plan):
            self._print(line)
        lines: deque[str] = deque(maxlen=LIVE_LINES)
        narrator = Narrator(plan, lines.append)
        moves = 0

        def picture() -> Group:
            return Group(seats_table(plan, narrator.now, moves), Text("\n".join(lines)))

        with Live(
            get_renderable=picture, console=self._console, refresh_per_second=8, transient=True
        ):

            def watch(number: int, move: Move, state: State) -> None:
                nonlocal moves
                moves = number + 1
                narrator(number, move, state)

            yield watch


class Narrator:
    """Prints each move from the spectator's view before and after it."""

    def __init__(self, plan: Plan, tell: Tell):
        self._game: Game = GAMES[plan.game]
        self._tell = tell
        self.now: View = self._game.deal(plan.seats, plan.seed, plan.options).view(None)
        for line in self._game.narrate(None, self.now, None):
            tell(line)

    def __call__(self, number: int, move: Move, state: State) -> None:
        before, self.now = self.now, state.view(None)
        for line in self._game.narrate(before, self.now, None):
            self._tell(line)


class Tell(Protocol):
    def __call__(self, line: str, /) -> object: ...


def heading(plan: Plan) -> list[str]:
    names = (f"seat {seat} {plain(name)}" for seat, name in enumerate(plan.names))
    return [f"{plan.game}: {', '.join(names)}", f"seed hex:{plan.seed.hex()}"]


def seats_table(plan: Plan, view: View, moves: int) -> Table:
    """Return a table of the seats: bot, and what the view of a spectator has by seat."""
    table = Table(title=f"{plan.game}, move {moves}", title_justify="left")
    table.add_column("seat", justify="right")
    table.add_column("bot")
    shown = [(title, view[field]) for title, field in BY_SEAT.items() if field in view]
    for title, _ in shown:
        table.add_column(title, justify="right")
    for seat, name in enumerate(plan.names):
        # A game of simultaneous choices may have no field `turn`.
        turn = "→" if view.get("turn") == seat else " "
        table.add_row(
            f"{turn} {seat}", Text(plain(name)), *(str(values[seat]) for _, values in shown)
        )
    return table


def told_output(fault: Evidence) -> Iterator[str]:
    """Yield the first and last lines that the bot printed."""
    for stream, text in (("stdout", fault.stdout), ("stderr", fault.stderr)):
        for line in both_ends(text.splitlines(), FIRST_LINES, LAST_LINES):
            yield f"  its {stream}: {plain(line)}"


def told_faults(match: Result, told: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the faults of a match with their reasons and the ends of processes.

    Faults of one bot with one code are a line with their number. `told`: bot and code of the faults
    that need not be told any more; those told now are added.
    """
    record = match.record
    alike: dict[tuple[int, str], list[Evidence]] = {}
    for kept in match.evidence:
        alike.setdefault((kept.seat, kept.code), []).append(kept)
    for (seat, code), (first, *more) in alike.items():
        name = record.names[seat]
        if (name, code) in told:
            continue
        told.add((name, code))
        times = f" ({in_this_match([first, *more])})" if more else ""
        yield f"{plain(name)} {told_fault(first).strip()}{times}"
        gone = next((kept for kept in (first, *more) if kept.kind == "gone"), None)
        if gone is not None:
            if gone.exit:
                yield f"  its process: {gone.exit}"
            yield from told_output(gone)


def told_second_answers(match: Result, told: set[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each bot that answered requests twice: nothing else shows it until it is a
    fault. `told`: as for `told_faults`."""
    for seat, times in enumerate(match.second_answers):
        key = match.record.names[seat], "a second answer"
        if times and key not in told:
            told.add(key)
            requests = "1 request" if times == 1 else f"{times} requests"
            yield (
                f"{plain(key[0])} answered {requests} a second time. That is ignored until such"
                " answers outnumber the requests; from then on each is a fault (SPEC 5.3)"
            )


def in_this_match(faults: Sequence[Evidence]) -> str:
    """Return how many faults these are, and how many further misses that are none."""
    misses = sum(is_further_miss(each.text) for each in faults)
    if not misses:
        return f"{len(faults)} times in this match"
    counted = len(faults) - misses
    are = "miss that is none" if misses == 1 else "misses that are none"
    of = "fault" if counted == 1 else "faults"
    return f"{counted} {of} in this match, and {misses} further {are}, SPEC 6.4"


def told_places(match: Result) -> Iterator[str]:
    """Yield places and points, and how it ended."""
    record = match.record
    if match.lag is not None:
        yield told_void(match.lag)
        return
    for seat in sorted(range(record.seats), key=lambda seat: record.places[seat]):
        points = f", {record.scores[seat]}" if record.scores else ""
        forfeited = ", forfeited" if seat in record.forfeits else ""
        name = plain(record.names[seat])
        yield f"place {record.places[seat]}: seat {seat} {name}{points}{forfeited}"
    moves = len(record.moves)
    yield f"{moves} move{'' if moves == 1 else 's'}; ending: {record.ending}"


def told_slow(record: Record, timings: Sequence[Timing]) -> Iterator[str]:
    """Yield a line for each bot that used much of its bank: one day it will be late.

    `timings`: by seat.
    """
    for seat, (name, timing) in enumerate(zip(record.names, timings, strict=True)):
        times = [move.time_us / 1000 for move in record.moves if move.seat == seat]
        beyond = [each - timing.decision_ms for each in times if each > timing.decision_ms]
        if beyond and sum(beyond) >= MUCH * timing.bank_ms:
            yield (
                f"{plain(name)}: {len(beyond)} of {len(times)} decisions took longer than"
                f" {timing.decision_ms} ms, {sum(beyond) / 1000:.1f} of"
                f" {timing.bank_ms / 1000:.1f} s of its bank"
            )


def told_void(why: Lagged | Broken) -> str:
    return f"void: {why_void(why)}; no bot is at fault"


def why_void(why: Lagged | Broken) -> str:
    """Return the reason why the match is void; about an error in arena the log has more."""
    if isinstance(why, Broken):
        return "arena itself failed in this match, which is a bug in it (SPEC 4.8, server-error)"
    stood_still = f"this machine stood still for {why.lag_us // 1000} ms of its time"
    return f"a decision would have been late, but {stood_still}"
