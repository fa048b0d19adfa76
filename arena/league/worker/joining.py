"""The wait of `arena worker` for its scheduler, before each start of the worker's process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from arena.league.worker.probe import Unreached

# A scheduler that cannot be reached now is tried again after so long.
AGAIN_SECONDS = 2.0


class CannotJoin(Exception):
    """The scheduler does not let this machine in as it was started; the text says why."""


class Joining:
    """Tries a scheduler until it lets this machine in. `tell`: takes lines for people."""

    def __init__(
        self, attempt: Callable[[], Awaitable[Unreached | None]], tell: Callable[[str], None]
    ) -> None:
        """`attempt`: tries once, and returns what is wrong; None if this machine is let in."""
        self._attempt = attempt
        self._tell = tell
        self._was_let_in = False

    def __repr__(self) -> str:
        return f"<Joining{', let in before' if self._was_let_in else ''}>"

    async def until_let_in(self) -> None:
        """Return once the scheduler lets this machine in; say what is wrong until then, each thing
        once. Raises CannotJoin where waiting does not help.

        It does help where the scheduler has let this machine in before: address and certificates
        are right then, and one that starts again may do anything for a moment.
        """
        told = ""
        while (found := await self._attempt()) is not None:
            if not (found.may_heal or self._was_let_in):
                raise CannotJoin(found.why)
            if found.why != told:
                told = found.why
                again = f"It is tried again every {AGAIN_SECONDS:.0f} s, until stopped."
                self._tell(f"{found.sentence} {again}")
            await trio.sleep(AGAIN_SECONDS)
        self._was_let_in = True
