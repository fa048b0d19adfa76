"""The bots of a run that can play now: those that dial in and are here, and those that are made."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import NoReturn

import trio

from arena.league.entry.hidden_tokens import without_tokens
from arena.league.play.entering import Entering
from arena.league.play.orders import Said
from arena.league.play.sets_to_play import SetsToPlay
from arena.referee.door.front_door import FrontDoor
from arena.referee.door.guests import Guest
from arena.tokens import KnownToken

# Between two looks at the connections of bots that dial in; the shorter one when a bot has come.
LOOK_SECONDS, SOON_SECONDS = 0.25, 0.02
# Between two times at which words of bots about themselves are entered.
SAID_SECONDS = 1.0
# A bot that has had no connection for so long is away.
AWAY_SECONDS = 60.0
# Between two counts of connections with wrong tokens.
COUNT_SECONDS = 60.0

RETIRED = "The league has retired your bot; the people who run it may take it up again."


class Attendance:
    """Sees bots come and go, enters it, and has the sets to play looked at again.

    `tokens`: by name, of the bots that may dial in. `callers`: the bots of the league that dial in.
    """

    def __init__(self, entered: Entering, sets: SetsToPlay):
        self.door: FrontDoor | None = None
        self.tokens: dict[str, KnownToken] = {}
        self.callers: Set[str] = frozenset()
        self._entered = entered
        self._sets = sets
        self._has_come = trio.Event()
        self._said: dict[str, Said] = {}  # to be entered
        self._being_made: dict[str, str] = {}  # by bot that is started, the content of its build

    def __repr__(self) -> str:
        return f"<Attendance at {self.door!r}>"

    def open_to(self, door: FrontDoor, nursery: trio.Nursery) -> None:
        """Let bots come in at this door."""
        self.door = door
        door.on_come = self._came
        nursery.start_soon(self._watch, door)
        nursery.start_soon(self._tell_said)
        nursery.start_soon(self._tell_wrong_tokens, door)

    def _came(self, guest: Guest) -> None:
        """Look at the door soon, and note a bot's words about itself; of many the last."""
        hello = guest.hello
        assert hello is not None
        self._said[guest.name] = Said(guest.name, hello.version, hello.author, hello.language)
        self._has_come.set()

    def expect(self, name: str, connections: int) -> None:
        """Let a bot dial in by its token, if it has one."""
        assert self.door is not None
        self.door.expect(name, self.tokens.get(name), connections)

    def open_to_callers(self, callers: Mapping[str, int]) -> None:
        """Let these bots dial in. A retired one may only play on in sets that have begun.

        `callers`: by name, how many connections each may have at a time.
        """
        playing_on = self._sets.bots_playing_on
        for name, connections in callers.items():
            if name not in self._retired or name in playing_on:
                self.expect(name, connections)

    def dismiss_retired(self, names: Iterable[str]) -> None:
        """Dismiss those of these bots that are retired and have no set left to play on."""
        if self.door is None:
            return
        for name in (self._retired & {*names}) - self._sets.bots_playing_on:
            if self.door.expects(name):
                self.door.dismiss(name, "done", RETIRED)

    @property
    def _retired(self) -> Set[str]:
        return self._entered.planner.so_far.roster.retired

    def change_token(self, name: str, token: KnownToken | None) -> None:
        """Let a bot dial in by another token, or by none, from now on."""
        if token is None:
            self.tokens.pop(name, None)
        else:
            self.tokens[name] = token
        if self.door is not None and name in self.door:
            self.door.change_token(name, token)

    def absent(self, callers: Iterable[str]) -> Collection[str]:
        """Return the bots that cannot play now. `callers`: those that dial in."""
        door, so_far = self.door, self._entered.planner.so_far
        # A bot counts as here once its event `here` is stored: only then can an `away` follow.
        here = {
            name
            for name in (door.names if door is not None else ())
            if so_far.is_here(name) and door is not None and door.is_here(name)
        }
        return [*(name for name in callers if name not in here), *self._being_made.keys()]

    # Bots that are started.

    def being_made(self, bots: Mapping[str, str]) -> None:
        """Begin no set with bots that cannot be started yet. `bots`: by name, the content that is
        built; it takes the place of one whose build is not over."""
        self._being_made.update(bots)

    def is_being_made(self, name: str, content: str | None = None) -> bool:
        """Tell whether a bot is being built; with a content, whether it is to play with that."""
        return name in self._being_made and content in (None, self._being_made[name])

    def made(self, name: str, content: str) -> None:
        """Let a bot play: this content of it is made, or it is retired because it cannot be. One
        of which another content is built by now still cannot."""
        if self.is_being_made(name, content):
            del self._being_made[name]
        self._sets.changed()

    # As Readiness.

    def blocker(self, line_up: Sequence[str], /) -> str | None:
        """Return a bot that cannot play a further set now, None if there is none."""
        if (
            unready := next((name for name in line_up if self._is_unready(name)), None)
        ) is not None:
            return unready
        return None if self.door is None else self.door.blocker(line_up)

    def waits_until(self, line_up: Sequence[str], /) -> float:
        """Return the time from which a set may be played without those of its bots that are away,
        in seconds of Trio's clock; infinity if one of them is busy, or is being made."""
        if any(map(self._is_unready, line_up)):
            return math.inf
        return -math.inf if self.door is None else self.door.waits_until(line_up)

    def _is_unready(self, name: str) -> bool:
        """Tell whether a job cannot play a bot yet, connected or not: it is being made, or the door
        does not expect it yet."""
        if name in self._being_made:
            return True
        return self.door is not None and name in self.callers and name not in self.door

    # What is seen at the door.

    async def _watch(self, door: FrontDoor) -> NoReturn:
        """See which bots come and go, and enter it."""
        so_far = self._entered.planner.so_far
        while True:
            has_news = bool(door.look())
            for name in door.names:
                if door.is_here(name):
                    if not so_far.is_here(name):
                        await self._entered.come(name)
                        has_news = True
                elif so_far.is_here(name) and door.away_seconds(name) >= AWAY_SECONDS:
                    await self._entered.gone(name, self._sets)
            if has_news or self._has_come.is_set():
                self._sets.changed()
            self._has_come = trio.Event()
            await trio.sleep(SOON_SECONDS)
            with trio.move_on_after(LOOK_SECONDS):
                await self._has_come.wait()

    async def _tell_said(self) -> NoReturn:
        """Enter what bots say of themselves when they connect, once a second at most."""
        while True:
            said, self._said = self._said, {}
            for each in said.values():
                await self._entered.note(without_tokens(each, self.tokens.values()))
            await trio.sleep(SAID_SECONDS)

    async def _tell_wrong_tokens(self, door: FrontDoor) -> NoReturn:
        """Tell people of connections with wrong tokens: of the first at once."""
        while True:
            self._entered.view.says(str(await door.wrong_tokens()))
            await trio.sleep(COUNT_SECONDS)
