"""One match between players: have them all there, play it, and say what came of it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import trio

from arena.referee.match import Plan, Played, Watcher
from arena.referee.player import Player
from arena.referee.playing import play
from protocol.breach import Breach
from protocol.commitment import NONCE_BYTES, commit


@dataclass(frozen=True)
class NotBegun:
    """Somebody did not come; it counts against those absent only (SPEC 7.1)."""

    plan: Plan
    absent: Mapping[int, Breach]  # by seat


def committed(plan: Plan) -> Plan:
    """The plan with a name and a commitment of its own (SPEC 13.2)."""
    match = f"m-{secrets.token_hex(8)}"
    nonce = secrets.token_bytes(NONCE_BYTES)
    return replace(plan, match=match, nonce=nonce, commitment=commit(match, nonce, plan.seed))


async def sit_down(
    plan: Plan, players: Sequence[Player], watch: Watcher | None = None
) -> Played | NotBegun:
    """Play it with these players, by seat."""
    absent: dict[int, Breach] = {}

    async def call(seat: int, player: Player) -> None:
        breach = await player.ready()
        if breach is not None:
            absent[seat] = breach

    async with trio.open_nursery() as nursery:
        for seat, player in enumerate(players):
            nursery.start_soon(call, seat, player)
    if absent:
        return NotBegun(plan, dict(sorted(absent.items())))
    return await play(committed(plan), [player.link for player in players], watch)
