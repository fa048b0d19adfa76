"""Asks one player as often as it is wanted, each time in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.asking.again import Again, Asked
from arena.asking.answers import Answer, Compared
from arena.referee.players.output import Remains, remains_of
from arena.referee.players.player import Player
from arena.referee.table import stepped
from protocol.breach import Breach


class Asking:
    """The answers of a bot, for each time it was asked; also those of a time that was stopped."""

    def __init__(self, asked: Asked, times: int):
        self.asked = asked
        self.times = times
        self.given: list[Sequence[Answer]] = []
        self.absent: Breach | None = None  # the reason why the bot did not start
        self.remains = Remains()  # of a bot that was absent or went away

    def __repr__(self) -> str:
        return f"<Asking {self.asked.seat}, {len(self.given)} of {self.times} times>"

    @property
    def is_gone(self) -> bool:
        """True if the bot went away before it was asked everything."""
        return any(
            fault.kind == "gone"
            for answers in self.given
            for answer in answers[-1:]
            for fault in answer.faults
        )

    async def ask(self, player: Player, tell: Callable[[str, int, int], object]) -> None:
        """Ask the bot all its requests, `times` times. `tell`: called with the progress."""
        requests = self.asked.requests
        of = requests * self.times
        for time in range(self.times):
            if time:
                await player.say_bye("replaced")
            self.absent = await player.ready()
            if self.absent is not None:
                self.remains = await remains_of(player, is_gone=True)
                return
            done = time * requests

            def count(answers: int, done: int = done) -> None:
                tell("requests answered", done + answers, of)

            again = Again(self.asked, player.link, count)
            self.given.append(again.answers)
            await stepped(again.steps(), [player.link])
            if self.is_gone:
                self.remains = await remains_of(player, is_gone=True)
                return

    def compared(self) -> list[Compared]:
        """Return the answers to each request that was answered, beside the recorded actions."""
        by_number: dict[int, list[Answer]] = {}
        for answers in self.given:
            for answer in answers:
                by_number.setdefault(answer.number, []).append(answer)
        return [
            Compared(
                each.number,
                each.seat,
                each.move.action,
                each.is_own,
                each.legal,
                tuple(by_number[each.number]),
            )
            for each in self.asked.decisions()
            if each.number in by_number
        ]
