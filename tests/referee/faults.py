"""Faults of every kind for scripted bots, drawn by chance: simulated matches are made of them."""

from __future__ import annotations

import random
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import trio

from protocol.limits import MAX_BOT_BODY_BYTES
from tests.helpers import framed, packed
from tests.referee.small_table import Script, ScriptedBot

Message: TypeAlias = Mapping[str, Any]
Misdeed: TypeAlias = Callable[[ScriptedBot, Message, random.Random], Awaitable[None]]


def good(request: Message, **otherwise: object) -> bytes:
    """The frame of a legal answer, but for what is said otherwise."""
    answer = {
        "type": "action",
        "match": request["match"],
        "id": request["id"],
        "action": request["legal"][0],
    }
    return packed(answer | otherwise)


def sends(make: Callable[[Message], bytes]) -> Misdeed:
    async def misdeed(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
        await bot.send(make(request))

    return misdeed


async def nothing(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    """Says nothing to this one."""


async def late(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    await trio.sleep(chance.choice((0.05, 0.2, 0.399_999, 0.4, 0.400_001, 0.7, 3)))
    await bot.send(good(request))


async def closes(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    if chance.random() < 0.5:
        await bot.send(good(request)[: chance.randrange(1, 60)])
    bot.left_early = True
    bot.sock.close()


async def closes_half(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    bot.sock.shutdown(socket.SHUT_WR)


async def in_pieces(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    frame = good(request)
    cut = chance.randrange(1, len(frame))
    await bot.send(frame[:cut])
    await trio.sleep(chance.choice((0, 0.05, 0.3, 0.5)))
    await bot.send(frame[cut:])


async def half(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    frame = good(request)
    await bot.send(frame[: chance.randrange(1, len(frame))])


async def bytes_at_random(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    await bot.send(framed(chance.randbytes(chance.randrange(0, 80))))


async def a_byte_wrong(bot: ScriptedBot, request: Message, chance: random.Random) -> None:
    frame = bytearray(good(request))
    frame[chance.randrange(len(frame))] = chance.randrange(256)
    await bot.send(bytes(frame))


HELLO = packed({"type": "hello", "protocol": 1, "token": "again"})

MISDEEDS: Mapping[str, Misdeed] = {
    "nothing": nothing,
    "late": late,
    "closes": closes,
    "closes half": closes_half,
    "in pieces": in_pieces,
    "half": half,
    "random": bytes_at_random,
    "a byte wrong": a_byte_wrong,
    "malformed": sends(lambda request: framed(b"\xc1")),
    "empty": sends(lambda request: framed(b"")),
    "cut short": sends(lambda request: framed(good(request)[4:-1])),
    "trailing": sends(lambda request: framed(good(request)[4:] + b"\0")),
    "not a map": sends(lambda request: packed([1])),
    "key not text": sends(lambda request: packed({1: 1})),
    "duplicate key": sends(lambda request: framed(b"\x82\xa1a\1\xa1a\1")),
    "bad utf-8": sends(lambda request: framed(b"\x81\xa4type\xa1\xff")),
    "float": sends(lambda request: good(request, id=1.0)),
    "bin": sends(lambda request: good(request, action=b"R1")),
    "ext": sends(lambda request: framed(b"\x81\xa4type\xd4\1\1")),
    "too deep": sends(lambda request: good(request, action=[[[[[]]]]])),
    "too many": sends(lambda request: good(request, action=[0] * 300)),
    "unknown type": sends(lambda request: good(request, type="move")),
    "server type": sends(lambda request: good(request, type="end")),
    "unknown field": sends(lambda request: good(request, notes="")),
    "missing field": sends(lambda request: packed({"type": "action"})),
    "wrong type": sends(lambda request: good(request, id="1")),
    "out of range": sends(lambda request: good(request, id=-1)),
    "too long": sends(lambda request: good(request, action="R" * 65)),
    "bad text": sends(lambda request: good(request, note="\x1b[2J")),
    "wrong id": sends(lambda request: good(request, id=10_000)),
    "wrong match": sends(lambda request: good(request, match="m-0")),
    "not legal": sends(lambda request: good(request, action="R99")),
    "twice": sends(lambda request: good(request) * 2),
    "many times": sends(lambda request: good(request) * 40),
    "early": sends(lambda request: good(request) + good(request, id=request["id"] + 1)),
    "stale": sends(lambda request: good(request, id=1) + good(request)),
    "hello": sends(lambda request: HELLO + good(request)),
    "hellos": sends(lambda request: HELLO * 200),
    "prints": sends(lambda request: b"Hello, world!\n"),
    "oversized": sends(lambda request: framed(b"\x81" * (MAX_BOT_BODY_BYTES + 1))),
}


def misbehaving(chance: random.Random, done: set[str]) -> Script:
    """Plays well but for some requests; writes down the misdeeds it has done."""
    share = chance.choice((0.0, 0.02, 0.1, 0.5))
    favourites = chance.sample([*MISDEEDS], 3)

    async def script(bot: ScriptedBot, message: Message) -> None:
        if message["type"] != "request":
            return
        bot.end.action("any")  # what it really sends is not its end's business
        if chance.random() < share:
            misdeed = chance.choice(favourites)
            done.add(misdeed)
            await MISDEEDS[misdeed](bot, message, chance)
        else:
            await bot.send(good(message, action=chance.choice(message["legal"])))

    return script
