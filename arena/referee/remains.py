"""What can be seen of a bot after a match: the ends of what it printed, how its process ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import trio

from arena.referee.match import Evidence
from arena.referee.player import Player

# A connection ends before its process has: the kernel closes first and tells of the end later,
# and interpreters tidy up before they go.
MOMENT_SECONDS = 0.5

STILL_RUNNING = "it still runs"


@dataclass(frozen=True)
class Remains:
    """Empty where nothing was printed, or nothing can be seen from here."""

    stdout: str = ""
    stderr: str = ""
    exit: str = ""


async def remains_of(player: Player, *, is_gone: bool) -> Remains:
    """Of one whose connection has ended the end is waited for, but not for long."""
    if is_gone:
        with trio.move_on_after(MOMENT_SECONDS):
            await player.exited()
    tails = await player.tails()
    if tails is None:
        return Remains()
    end = str(player.exit or (STILL_RUNNING if is_gone else ""))
    return Remains(str(tails.stdout), str(tails.stderr), end)


async def remains_by_seat(
    evidence: Iterable[Evidence], players: Sequence[Player]
) -> Mapping[int, Remains]:
    """Of each that has faults."""
    gone: dict[int, bool] = {}
    for kept in evidence:
        seat = kept.entry.seat
        gone[seat] = gone.get(seat, False) or kept.entry.kind == "gone"
    return {seat: await remains_of(players[seat], is_gone=gone[seat]) for seat in sorted(gone)}
