"""A match as it goes: a live view in a terminal, lines elsewhere, nothing at all for JSON.

Told from the spectator's view, like a transcript, so that nobody's hand is given away to
someone who plays from the same terminal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from arena.cli.printer import Printer
from arena.games import GAMES, Game, State, View
from arena.record import Move
from arena.record.transcript import plain, told_fault
from arena.referee.match import Plan, Played, Watcher
from arena.referee.remains import Remains
from arena.referee.replies import Broken, Lagged
from arena.referee.sets import OneSet, ahead_in, mean_in_set
from protocol.breach import Breach

LIVE_LINES = 14
OUTPUT_LINES = 20


class Show(Protocol):
    """How a match is shown."""

    def match(self, plan: Plan) -> AbstractContextManager[Watcher | None]: ...
    def result(self, match: Played, remains: Mapping[int, Remains]) -> None: ...
    def absent(self, name: str, breach: Breach, remains: Remains) -> None: ...
    def progress(self, number: int, sets: int, names: Sequence[str], one: OneSet) -> None: ...


def show_for(printer: Printer, *, lines_only: bool, silent: bool) -> Show:
    """What fits the terminal and what was asked for."""
    if silent:
        return Silent()
    console = Console()
    if console.is_terminal and not lines_only:
        return LiveShow(printer, console)
    return Lines(printer, moves=not lines_only)


class Silent:
    """Nothing; somebody else prints one document at the end."""

    def match(self, plan: Plan) -> AbstractContextManager[Watcher | None]:
        return nullcontext(None)

    def result(self, match: Played, remains: Mapping[int, Remains]) -> None:
        """Nothing."""

    def absent(self, name: str, breach: Breach, remains: Remains) -> None:
        click.echo(f"{plain(name)} did not start: {plain(breach.text)}", err=True)

    def progress(self, number: int, sets: int, names: Sequence[str], one: OneSet) -> None:
        """Nothing."""


class Lines(Silent):
    """Plain lines, nothing cursed; moves too, unless there are many matches."""

    def __init__(self, printer: Printer, *, moves: bool):
        self._print = printer
        self._moves = moves

    def match(self, plan: Plan) -> AbstractContextManager[Watcher | None]:
        if not self._moves:
            return nullcontext(None)
        for line in heading(plan):
            self._print(line)
        return nullcontext(Narrator(plan, self._print))

    def result(self, match: Played, remains: Mapping[int, Remains]) -> None:
        if self._moves or match.evidence:
            for line in told_result(match, remains, places=self._moves):
                self._print(line)

    def absent(self, name: str, breach: Breach, remains: Remains) -> None:
        super().absent(name, breach, remains)
        for line in told_output(remains):
            click.echo(line, err=True)

    def progress(self, number: int, sets: int, names: Sequence[str], one: OneSet) -> None:
        shares = ", ".join(
            f"{plain(name)} {mean_in_set(one, bot, ahead_in):.2f}" for bot, name in enumerate(names)
        )
        self._print(f"set {number} of {sets}: ahead {shares}")


class LiveShow(Lines):
    """A table of the seats and the last lines, redrawn a few times a second."""

    def __init__(self, printer: Printer, console: Console):
        super().__init__(printer, moves=True)
        self._console = console

    def match(self, plan: Plan) -> AbstractContextManager[Watcher | None]:
        return self._live(plan)

    @contextmanager
    def _live(self, plan: Plan) -> Iterator[Watcher]:
        for line in heading(plan):
            self._print(line)
        lines: deque[str] = deque(maxlen=LIVE_LINES)
        narrator = Narrator(plan, lines.append)
        moves = 0

        def picture() -> Group:
            return Group(seats_table(plan, narrator, moves), Text("\n".join(lines)))

        with Live(
            get_renderable=picture, console=self._console, refresh_per_second=8, transient=True
        ):

            def watch(number: int, move: Move, state: State) -> None:
                nonlocal moves
                moves = number + 1
                narrator(number, move, state)

            yield watch


class Narrator:
    """Tells each move from the spectator's view before and after it."""

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


def seats_table(plan: Plan, narrator: Narrator, moves: int) -> Table:
    """Who sits where, with what is public of each."""
    view = narrator.now
    table = Table(title=f"{plan.game}, move {moves}", title_justify="left")
    for column in ("seat", "bot", "cards", "score"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    scores = view.get("scores") or [""] * plan.seats
    for seat, name in enumerate(plan.names):
        turn = "→" if view["turn"] == seat else " "
        cards = str(view["hand_sizes"][seat])
        table.add_row(f"{turn} {seat}", Text(plain(name)), cards, str(scores[seat]))
    return table


def told_output(remains: Remains) -> Iterator[str]:
    """The last lines of what it printed."""
    for stream, text in (("stdout", remains.stdout), ("stderr", remains.stderr)):
        for line in text.splitlines()[-OUTPUT_LINES:]:
            yield f"  its {stream}: {plain(line)}"


def told_result(match: Played, remains: Mapping[int, Remains], *, places: bool) -> Iterator[str]:
    """Faults with their reasons, how those ended who are gone, then places and points."""
    record = match.record
    for kept in match.evidence:
        seat = kept.entry.seat
        yield f"{plain(record.names[seat])} {told_fault(kept.entry).strip()}"
        if kept.entry.kind == "gone":
            if remains[seat].exit:
                yield f"  its process: {remains[seat].exit}"
            yield from told_output(remains[seat])
    if match.lag is not None:
        yield f"void: {why_void(match.lag)}; nobody is blamed"
    if not places or match.lag is not None:
        return
    for seat in sorted(range(record.seats), key=lambda seat: record.places[seat]):
        points = f", {record.scores[seat]}" if record.scores else ""
        forfeited = ", forfeited" if seat in record.forfeits else ""
        name = plain(record.names[seat])
        yield f"place {record.places[seat]}: seat {seat} {name}{points}{forfeited}"
    moves = len(record.moves)
    yield f"{moves} move{'' if moves == 1 else 's'}; ending: {record.ending}"


def why_void(why: Lagged | Broken) -> str:
    """As `Played.lag` has it; of a bug of ours the log has told more."""
    if isinstance(why, Broken):
        return "arena itself failed in this match, which is a bug in it (SPEC 4.8, server-error)"
    stood_still = f"this machine stood still for {why.lag_us // 1000} ms of it"
    return f"a decision would have been late, but {stood_still}"
