"""Everything a referee needs around its matches, opened and closed as one.

    async with open_house() as house:
        fox = house.player(Program("fox", ("python3", "bot.py"), folder))
        absent = await fox.ready()

Leaving the scope leaves nothing behind: no process, socket file, descriptor or folder.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from arena.bots.confine.choose import Choice, choose
from arena.bots.confine.confinement import Wish
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.contents import remove_scratch
from arena.bots.processes import OnPrinted, Warden, open_warden
from arena.bots.program import Program
from arena.record import timing
from arena.referee.door import descriptors
from arena.referee.door.addresses import TcpAddress, UnixAddress
from arena.referee.door.folder import DOOR, folder_for_door
from arena.referee.door.lobby import Lobby, open_lobby
from arena.referee.players.started import StartedPlayer
from arena.referee.wire.connection import Tap
from arena.referee.wire.lookout import Lookout, open_lookout


class House:
    """A referee's surroundings: warden, lobby, lookout, folder. Made by `open_house`."""

    def __init__(
        self, lookout: Lookout, warden: Warden, lobby: Lobby, folder: Path, door_folder: Path
    ):
        self.lookout = lookout
        self.warden = warden
        self.lobby = lobby
        # Both private, and removed at the end.
        self.folder = folder
        self.door_folder = door_folder  # for sockets: the same, unless its path is too long
        self.confiner = Confiner(Means(), folder)

    def __repr__(self) -> str:
        return f"<House {self.lobby!r}>"

    def address(self, *, tcp: bool) -> str:
        """Return the address to which a started bot connects, as ARENA_CONNECT has it."""
        return self.lobby.addresses[1 if tcp else 0]

    @property
    def listens_at(self) -> str:
        """The address at which bots dial in; only if the house was opened with `listen`."""
        return self.lobby.addresses[2]

    def confine_by(self, means: Means) -> None:
        """Confine all bots that are started from now on by means that were chosen elsewhere."""
        self.confiner = Confiner(means, self.folder)

    async def confine(self, wish: Wish, read: Sequence[Path]) -> Choice:
        """Choose the strongest rung that works here for all bots that are started from now on.

        `read`: files and folders that bots may read besides the system's. Raises NotConfined.
        """
        choice = await choose(self.warden, wish, self.folder, read)
        self.confine_by(choice.means)
        return choice

    def player(self, program: Program, start_ms: int = timing.START_MS) -> StartedPlayer:
        address = self.address(tcp=program.tcp)
        return StartedPlayer(self.lobby, self.warden, self.confiner, address, program, start_ms)


@asynccontextmanager
async def open_house(
    *,
    hello_ms: int = timing.START_MS,
    tap: Tap | None = None,
    listen: TcpAddress | None = None,
    on_printed: OnPrinted | None = None,
) -> AsyncIterator[House]:
    """Open a warden, a lobby that listens on a Unix socket and on TCP, and the lookout.

    Started bots connect to these two addresses; `listen` is a third, for bots that dial in.
    `hello_ms`: a connection without a hello is closed after so long. `on_printed`: gets the output
    of bots as it comes.
    The soft limit of open files of this process is raised to the hard limit, and stays so.
    """
    descriptors.raise_limit()
    lookout = Lookout()
    folder = Path(tempfile.mkdtemp(prefix="arena-"))
    folders = [folder]
    try:
        if (short := folder_for_door(folder)) != folder:
            folders.append(short)
        doors: list[UnixAddress | TcpAddress] = [UnixAddress(short / DOOR), TcpAddress()]
        if listen is not None:
            doors.append(listen)
        async with (
            open_warden(on_printed) as warden,
            open_lobby(lookout, *doors, hello_ms=hello_ms, tap=tap) as lobby,
            open_lookout(lookout),
        ):
            for each in folders:
                warden.sweep(each)  # only if we are killed: else it is removed below
            yield House(lookout, warden, lobby, folder, short)
    finally:
        lookout.close()
        for each in folders:
            remove_scratch(each)
