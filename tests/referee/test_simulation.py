"""Thousands of matches with faults of every kind: each has one verdict, and it adds up."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from trio.testing import MockClock

from arena.games import GAMES
from arena.record.replay import replay
from arena.record.timing import Timing
from arena.referee.match import Result
from protocol.codes import CODES
from tests.referee.faults import MISDEEDS, misbehaving
from tests.referee.small_table import ScriptedBot, play_scripted

# Small tables, most of the time: there are as many faults at them, and more matches.
TABLES = [(name, min(game.seats)) for name, game in GAMES.items()] * 2
TABLES += [(name, min(max(game.seats), 4)) for name, game in GAMES.items()]
TIMING = Timing(decision_ms=100, bank_ms=300, hang_ms=1_000)
# Those that no match can end in: they come before it.
BEFORE = {code for code, known in CODES.items() if known.kind == "never-started"}


async def simulate(first: int, count: int) -> tuple[set[str], Counter[str]]:
    """Play matches number so and so; the misdeeds done, and the codes that came of them."""
    done: set[str] = set()
    codes: Counter[str] = Counter()
    for number in range(first, first + count):
        chance = random.Random(number)
        game, seats = chance.choice(TABLES)
        scripts = [misbehaving(chance, done) for _ in range(seats)]
        seed = chance.randbytes(32)
        played, bots = await play_scripted(scripts, game=game, seed=seed, timing=TIMING)
        try:
            check(played, bots)
        except AssertionError as error:
            raise AssertionError(f"match {number} of {game} with {seats}") from error
        codes.update(kept.code for kept in played.evidence)
    return done, codes


def check(played: Result, bots: list[ScriptedBot]) -> None:
    """What holds for every match, whatever the bots have done."""
    record = played.record
    assert played.lag is None
    assert len([*replay(record)]) == len(record.moves) + 1
    assert len(record.places) == record.seats
    check_forfeits(played)
    check_places(played)
    for seat, bot in enumerate(bots):
        ends = bot.of("end")
        gone = [kept for kept in played.evidence if kept.kind == "gone"]
        lost = any(kept.seat == seat for kept in gone)
        if not lost and not bot.left_early:
            assert len(ends) == 1, (seat, bot.seen[-3:])
            assert ends[0]["places"] == list(record.places)
            assert ends[0]["forfeits"] == list(record.forfeits)
            assert bot.seen[-1] == {**bot.seen[-1], "type": "bye"}
        assert len(ends) <= 1
        assert len(bot.of("start")) == 1


def check_forfeits(played: Result) -> None:
    """Forfeited is who was gone or had three faults, and nobody else."""
    faults: Counter[int] = Counter()
    forfeited = []
    for kept, entry in zip(played.evidence, played.record.faults, strict=True):
        assert (kept.seat, kept.move, kept.text) == (entry.seat, entry.move, entry.text)
        assert entry.seat not in forfeited, "a fault after the forfeit"
        again = "the same `late`" in entry.text
        faults[entry.seat] += not again
        assert entry.forfeit == (entry.kind == "gone" or faults[entry.seat] >= 3)
        if entry.forfeit:
            forfeited.append(entry.seat)
        if kept.played and entry.move < len(played.record.moves):
            move = played.record.moves[entry.move]
            assert (move.seat, move.action) == (entry.seat, kept.played)
            assert kept.played in kept.legal
    assert played.record.forfeits == tuple(forfeited)


def check_places(played: Result) -> None:
    """The forfeited share the last place, the others have the first ones."""
    record = played.record
    others = [seat for seat in range(record.seats) if seat not in record.forfeits]
    assert len(others) >= 1
    assert {record.places[seat] for seat in record.forfeits} <= {len(others) + 1}
    kept = sorted(record.places[seat] for seat in others)
    assert kept[0] == 1
    assert all(place == 1 + sum(each < place for each in kept) for place in kept)
    assert (record.ending == "forfeit") <= (len(others) == 1)


async def test_some_hundred_matches_with_faults(autojump_clock: MockClock) -> None:
    done, codes = await simulate(0, 250)
    # Which misdeeds come up first depends on the games there are: go on until all have.
    for first in range(250, 1_000, 50):
        if done == {*MISDEEDS} and {*codes} == {*CODES} - BEFORE:
            break
        more, further = await simulate(first, 50)
        done |= more
        codes += further
    assert done == {*MISDEEDS}
    # Every code of SPEC 7.2 that a match can end in, for real.
    assert {*codes} == {*CODES} - BEFORE


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
async def test_ten_thousand_matches_with_faults(autojump_clock: MockClock, part: int) -> None:
    await simulate(1_000 + part * 1_000, 1_000)
