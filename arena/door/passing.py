"""Hand bytes on between a bot and its referee until one of the two has left.

Nothing is kept here: each direction reads on when its last bytes have been sent, so a side that
does not read holds up the other and nobody else.
"""

from __future__ import annotations

from contextlib import suppress

import trio

from arena.door.bots import BotAtDoor, BotLeft
from arena.door.referees import Referee, RefereeLeft

# After the referee has hung up: for the bot to read its `bye` and close.
GOODBYE_SECONDS = 1.0
# Between two looks if all that has come was sent on.
LOOK_SECONDS = 0.0005


class Passing:
    """One bot and its referee."""

    def __init__(self, bot: BotAtDoor, referee: Referee):
        self._bot = bot
        self._referee = referee
        self._is_sending_on = False
        self._bot_has_left = trio.Event()

    async def run(self) -> None:
        """Hand on until the bot or the referee leaves; then the other one is told."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._from_bot, nursery.cancel_scope)
            nursery.start_soon(self._to_bot, nursery.cancel_scope)

    async def _from_bot(self, over: trio.CancelScope) -> None:
        bot, referee = self._bot, self._referee
        try:
            while data := await bot.receive():
                self._is_sending_on = True
                await referee.send(data, bot.tcp.arrived_us)
                self._is_sending_on = False
            await referee.bot_left()
        except RefereeLeft:
            # Its last messages are on their way to the bot; anything the bot still says is dropped.
            while await bot.receive():
                pass
            self._bot_has_left.set()
        else:
            over.cancel()

    async def _to_bot(self, over: trio.CancelScope) -> None:
        bot, referee = self._bot, self._referee
        while data := await referee.receive(self._settled):
            if not await self._is_taken(data):
                with suppress(RefereeLeft):
                    await referee.bot_left()
                over.cancel()
                return
        with trio.move_on_after(GOODBYE_SECONDS):
            await bot.say_goodbye()
            bot.tcp.send_no_more()
            await self._bot_has_left.wait()
        over.cancel()

    async def _is_taken(self, data: bytes) -> bool:
        """Send bytes to the bot; tell whether it takes them."""
        try:
            await self._bot.send(data)
            self._referee.note_sent(self._bot.tcp.sent_us, self._bot.tcp.full_until_us)
        except BotLeft:
            return False
        return True

    async def _settled(self, at_us: int) -> None:
        """Wait until all is sent on that came from the bot before a time."""
        # The kernel is asked in between, and a task that waits for this input has its turn.
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        tcp = self._bot.tcp
        while not (tcp.is_parked or self._is_sending_on or tcp.arrived_us >= at_us):
            await trio.sleep(LOOK_SECONDS)
