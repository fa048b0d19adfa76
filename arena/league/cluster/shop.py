"""The bots of a league as a cluster gets them: packed here, once, and built where they play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import trio

from arena.bots.botfile import Bot
from arena.bots.confine.limits import Limits
from arena.bots.parcel import Parcel, pack
from arena.bots.program import Program
from arena.bots.refused import NotStartable
from arena.league.play.runner import Maker
from arena.league.worker.messages import TravellingBot


class Shop:
    """Packs bots. `local`: makes them ready on this machine too, for sets that are played here."""

    def __init__(self, local: Maker | None) -> None:
        self._local = local
        self._bots: dict[str, TravellingBot] = {}
        self._parcels: dict[str, Parcel] = {}

    def __repr__(self) -> str:
        return f"<Shop of {len(self._bots)} bots>"

    @property
    def builds(self) -> int:
        """The number of bots that each machine has to build."""
        return sum(bot.build is not None for bot in self._bots.values())

    async def make(self, bots: Mapping[str, tuple[Bot, Limits]]) -> list[Program]:
        """Pack bots, under these names and limits; raises NotStartable for one that cannot travel.

        Returns their programs: those of this machine, where some sets are played here.
        """
        in_place = [name for name, (bot, _) in bots.items() if bot.is_bare]
        if in_place:
            raise NotStartable(
                [
                    f"{name} is a command line, which runs in the place where it was written, and"
                    " no other machine has that: give it a folder with a bot.toml"
                    for name in in_place
                ]
            )
        for name, (bot, limits) in bots.items():
            parcel = await trio.to_thread.run_sync(partial(pack, bot))
            self._parcels[parcel.hash] = parcel
            self._bots[name] = TravellingBot(
                name,
                parcel.hash,
                bot.command,
                bot.build,
                bot.connect,
                bot.env,
                limits,
                bot.written_in,
            )
        if self._local is not None:
            return await self._local.make(bots)
        return [
            Program(name, bot.command, bot.folder, limits=limits)
            for name, (bot, limits) in bots.items()
        ]

    def bots(self, names: Sequence[str]) -> tuple[TravellingBot, ...]:
        """Return the bots of a line-up."""
        return tuple(self._bots[name] for name in sorted({*names}))

    def parcel(self, hash_: str) -> Parcel:
        """Return a parcel that was packed here."""
        return self._parcels[hash_]
