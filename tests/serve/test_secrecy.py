"""What watchers are sent before a set is complete tells nothing of its cards.

Two leagues with equal results and other deals are served side by side, and every byte that goes
out is compared: pages, tables, news, events and the broadcast.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from arena.league.model.played import LeagueMatch
from arena.league.model.seeds import seed_of_set
from arena.outputs.pages.names import file_of_bot
from arena.record import Record
from tests.league.leagues import Simulated, played_match, schedule
from tests.serve.asked import Answer, Visitor, served
from tests.serve.told import KEY, ToldLeague

STREAMS = ("live", "events", "tv/live")
# Times, and what differs from server to server whatever they serve.
VARYING = (
    (re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), b"TIME"),
    (re.compile(rb"^id: [0-9a-f]{8}-", re.MULTILINE), b"id: BOOT-"),
    (re.compile(rb'"elapsed":\d+'), b'"elapsed":0'),
)


def normalised(sent: bytes) -> bytes:
    for pattern, text in VARYING:
        sent = pattern.sub(text, sent)
    return sent


class Capture:
    """Everything that one server sent to somebody who asks for all there is."""

    def __init__(self, visitor: Visitor, league: ToldLeague):
        self._visitor = visitor
        self._streams: dict[str, tuple[AsyncIterator[bytes], Answer]] = {}
        pages = ("", "matrix.html", "history.html", "deals.html", "game.html", "join", "tv")
        bots = [f"bots/{file_of_bot(name)}" for name in league.league.bots]
        sets = [f"sets/000/{one.number}.html" for one in league.planned]
        tables = [f"standings.{ending}" for ending in ("json", "csv", "md")]
        pairs = ["versus/crow/fox.html", "versus/fox/owl.html", "versus/hare/mole.html"]
        self.paths = [f"/cup/{each}" for each in (*pages, *bots, *sets, *tables, *pairs)]

    async def take(self) -> dict[str, bytes]:
        """Look again, and return what was sent by address; of streams all since they began."""
        league = self._visitor.site.leagues["cup"]
        for name in STREAMS:
            if name not in self._streams:
                answer = Answer()
                stream = self._visitor.messages(f"/cup/{name}", answer)
                self._streams[name] = stream, answer
                await anext(stream)
        await league.following.look()
        on = league.broadcast._channel.go_on()
        assert on is not None
        await league.broadcast.show(on)
        # In the thread of the league everything that streams asked for is done in order.
        for _ in range(3):
            await league.thread.run(lambda: None)
            await asyncio.sleep(0)
        found = {path: await self._visitor.ask(path) for path in self.paths}
        sent = {path: f"{each.status} ".encode() + each.body for path, each in found.items()}
        sent |= {name: answer.body for name, (_, answer) in self._streams.items()}
        return {name: normalised(each) for name, each in sent.items()}

    async def close(self) -> None:
        for stream, _ in self._streams.values():
            await stream.aclose()  # type: ignore[attr-defined]  # a generator


def dealt(league: Simulated, played: LeagueMatch, salt: bytes) -> LeagueMatch:
    """The same match as far as it may be told, with cards, moves and secrets of its own."""
    planned = schedule(league)[played.set - 1]
    other = played_match(league, planned, played.turn, seed_of_set(salt * 32, played.set, 0))
    nonce = sha256(salt + bytes([played.turn])).hexdigest()
    record: Record = msgspec.structs.replace(
        other.record,
        scores=played.record.scores,
        places=played.record.places,
        ending=played.record.ending,
        match=f"m-{nonce[:16]}",
        nonce=nonce,
    )
    return msgspec.structs.replace(played, record=record)


def needles(matches: Sequence[LeagueMatch]) -> list[bytes]:
    """What tells the cards of these matches, and could be sent by mistake."""
    found = [KEY, KEY.hex().encode()]
    for played in matches:
        record = played.record
        cards = " ".join(move.action for move in record.moves[-12:])
        found += [each.encode() for each in (record.seed, record.nonce, record.match, cards)]
    return found


@pytest.mark.parametrize("illegal", [(), ("fox",)])
def test_watchers_of_another_deal_are_sent_the_same_until_the_set_is_complete(
    tmp_path: Path, illegal: tuple[str, ...]
) -> None:
    league = Simulated(sets=4, illegal=illegal)
    leagues = [ToldLeague(tmp_path / name / "cup.arena", league, 2) for name in ("one", "other")]
    played = [leagues[0].match(2, turn) for turn in range(league.seats)]
    deals = [[dealt(league, each, salt) for each in played] for salt in (b"a", b"b")]

    async def main() -> None:
        async with served(leagues[0].folder) as one, served(leagues[1].folder) as other:
            captures = [Capture(one, leagues[0]), Capture(other, leagues[1])]
            for turn in range(league.seats - 1):
                for told, matches in zip(leagues, deals, strict=True):
                    told.enter_one(matches[turn])
                first, second = [await each.take() for each in captures]
                assert first == second
                assert sum(each.startswith(b"200") for each in first.values()) > 15
                sent = b"".join(first.values())
                assert sent.count(b'"event":"match"') == 8 + turn + 1
                assert not [each for each in needles([*deals[0], *deals[1]]) if each in sent]
            for told, matches in zip(leagues, deals, strict=True):
                told.complete(matches)
            first, second = [await each.take() for each in captures]
            # Else this would pass with nothing sent at all.
            assert first != second
            for dealt_here, sent_to in zip(deals, (first, second), strict=True):
                assert dealt_here[0].record.seed.encode() in sent_to["events"]
                assert dealt_here[0].record.nonce.encode() in sent_to["/cup/sets/000/3.html"]
            for each in captures:
                await each.close()

    with closing(leagues[0]), closing(leagues[1]):
        asyncio.run(main())
