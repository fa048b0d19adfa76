"""What the referee costs: `python -m benchmarks.referee` (needs cc).

CPU time of this process alone, everything pinned to one core, bots too; what is compared takes
turns in one run, and medians are shown. The matches are real: deal, rules, views, codec,
clocks, lookout, lag meter, record. Against them stand, on the same connections with the same
bots, a bare echo of the same bytes (no codec, no rules: `send`, `wait_readable`, `recv`, one
task a match), and the same decisions without sockets. The exit code is 1 where a line does
not hold.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec
import trio
from trio.lowlevel import wait_readable

from arena.bots.program import Program
from arena.games import GAMES
from arena.record import Move, Record, dump
from arena.referee.house import open_house
from arena.referee.match import Plan
from arena.referee.wire.link import READ_BYTES, Link
from benchmarks.measure import Line, report
from benchmarks.null_bots import Bots, Family, built_null_bot, open_bots, plans_for
from protocol.messages import Action, Start, Welcome
from protocol.server_end import ServerEnd

PYTHON_BOT = Path(__file__).parent.parent / "sample_bots" / "python-random" / "bot.py"

SEATS = 4
MATCHES = 8
FEW, MANY = 16, 256
STARTS = 30

Cost: TypeAlias = tuple[int, int, int]
"""CPU and wall nanoseconds, and the number of decisions they were spent on."""

Work: TypeAlias = Callable[[], Cost]


@dataclass(frozen=True)
class Exchange:
    """One decision of a match as bytes."""

    seat: int
    request: bytes
    answer: bytes


@dataclass(frozen=True)
class Rehearsed:
    """A match as it will be played again and again, for its peers to repeat."""

    plan: Plan
    record: Record
    exchanges: tuple[Exchange, ...]


def whole(bots: Bots, plans: Sequence[Plan]) -> Work:
    """The matches, played at once, and their records packed."""

    def work() -> Cost:
        async def main() -> Cost:
            wall, cpu = time.perf_counter_ns(), time.process_time_ns()
            decisions = 0
            for played in await bots.play(plans):
                decisions += len(played.record.moves)
                dump(played.record)
            return time.process_time_ns() - cpu, time.perf_counter_ns() - wall, decisions

        return trio.run(main)

    return work


def by_turns(bots: Bots, plans: Sequence[Plan], number: int) -> Work:
    """The same matches, so many at once until all are played."""
    parts = [plans[first : first + number] for first in range(0, len(plans), number)]
    works = [whole(bots, part) for part in parts]

    def work() -> Cost:
        costs = [work() for work in works]
        cpu, wall, decisions = (sum(each) for each in zip(*costs, strict=True))
        return cpu, wall, decisions

    return work


def echo(bots: Bots, matches: Sequence[Rehearsed]) -> Work:
    """The bytes of the matches, sent and answered, with nothing done about them."""

    async def one(links: Sequence[Link], match: Rehearsed) -> None:
        socks = [link.sock for link in links]
        for exchange in match.exchanges:
            sock = socks[exchange.seat]
            sock.send(exchange.request)
            await wait_readable(sock)
            sock.recv(READ_BYTES)

    return at_once(bots, matches, one)


def least(bots: Bots, matches: Sequence[Rehearsed]) -> Work:
    """The echo with rules, view, codec and record inside: a referee that watches nothing."""

    async def one(links: Sequence[Link], match: Rehearsed) -> None:
        socks = [link.sock for link in links]
        deciding = decisions(match)
        seat, request = next(deciding)
        with suppress(StopIteration):
            while True:
                sock = socks[seat]
                sock.send(request)
                await wait_readable(sock)
                seat, request = deciding.send(sock.recv(READ_BYTES))

    return at_once(bots, matches, one)


def at_once(
    bots: Bots,
    matches: Sequence[Rehearsed],
    one: Callable[[Sequence[Link], Rehearsed], Awaitable[None]],
) -> Work:
    """A task for each match."""

    async def main() -> Cost:
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        async with trio.open_nursery() as nursery:
            first = 0
            for match in matches:
                nursery.start_soon(one, bots.links[first : first + match.plan.seats], match)
                first += match.plan.seats
        count = sum(len(match.exchanges) for match in matches)
        return time.process_time_ns() - cpu, time.perf_counter_ns() - wall, count

    return lambda: trio.run(main)


def rehearse(bots: Bots, plans: Sequence[Plan]) -> list[Rehearsed]:
    """Play the matches once, and write down what crosses the wire in them."""
    played = trio.run(bots.play, plans)
    return [_written_down(plan, each.record) for plan, each in zip(plans, played, strict=True)]


def _written_down(plan: Plan, record: Record) -> Rehearsed:
    game = GAMES[plan.game]
    state = game.deal(plan.seats, plan.seed, plan.options)
    ends = [_playing(plan, seat) for seat in range(plan.seats)]
    exchanges = []
    for move in record.moves:
        legal = [game.actions.name(code) for code in state.legal(move.seat)]
        end = ends[move.seat]
        request = end.request(plan.match, state.view(move.seat), legal, 10_100_000, move.time_us)
        said = {"type": "action", "match": plan.match, "id": end.asked, "action": move.action}
        body = msgspec.msgpack.encode(said)
        answer = len(body).to_bytes(4, "big") + body
        assert type(end.receive(answer)) is Action
        exchanges.append(Exchange(move.seat, request, answer))
        state.apply(move.seat, game.actions.code(move.action))
    return Rehearsed(plan, record, tuple(exchanges))


def _playing(plan: Plan, seat: int) -> ServerEnd:
    """A server's end in the middle of a match."""
    end = ServerEnd()
    hello = msgspec.msgpack.encode({"type": "hello", "protocol": 1, "token": "t"})
    end.receive(len(hello).to_bytes(4, "big") + hello)
    end.send(Welcome(1, "fox", (), {}))
    end.send(Start(plan.match, plan.game, {}, plan.seats, plan.names, seat, {}, ""))
    return end


def decisions(match: Rehearsed) -> Generator[tuple[int, bytes], bytes, None]:
    """The match again through rules, view, codec and record: gives whom to ask and the request,
    and is sent the answer."""
    plan = match.plan
    game = GAMES[plan.game]
    state = game.deal(plan.seats, plan.seed, plan.options)
    names, code = game.actions.names, game.actions.code
    ends = [_playing(plan, seat) for seat in range(plan.seats)]
    moves = []
    while owing := state.to_act():
        seat = owing[0]
        legal = [names[each] for each in state.legal(seat)]
        end = ends[seat]
        answer = yield seat, end.request(plan.match, state.view(seat), legal, 10_100_000, 100)
        action = end.receive(answer)
        assert type(action) is Action
        state.apply(seat, code(action.action))
        moves.append(Move(seat, action.action, 100))
    assert state.outcome() is not None
    dump(msgspec.structs.replace(match.record, moves=tuple(moves)))


def in_process(matches: Sequence[Rehearsed]) -> Work:
    """The same decisions without sockets, clocks or tasks."""

    def work() -> Cost:
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        for match in matches:
            deciding = decisions(match)
            next(deciding)
            with suppress(StopIteration):
                for exchange in match.exchanges:
                    deciding.send(exchange.answer)
        count = sum(len(match.exchanges) for match in matches)
        return time.process_time_ns() - cpu, time.perf_counter_ns() - wall, count

    return work


@dataclass(frozen=True)
class Figure:
    """Medians, for one decision."""

    cpu_us: float
    wall_us: float


def measured(works: Mapping[str, Work], repeats: int) -> dict[str, Figure]:
    """Turn and turn about, after one round to warm up."""
    for work in works.values():
        work()
    gc.collect()
    gc.freeze()
    costs: dict[str, list[Cost]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            costs[name].append(work())
    return {
        name: Figure(
            statistics.median(cpu / count for cpu, _, count in each) / 1000,
            statistics.median(wall / count for _, wall, count in each) / 1000,
        )
        for name, each in costs.items()
    }


def null_bots(program: str, bots: Bots, count: int) -> None:
    """One process for each."""
    for number in range(count):
        bots.start([program], [f"bot-{number}"], in_arguments=True)


def costs_of_a_decision(
    program: str, family: Family, game: str, seats: int, repeats: int
) -> dict[str, Figure]:
    """Eight matches at once between null bots, and the same without rules or without sockets."""
    plans = plans_for(game, seats, MATCHES)
    with open_bots(family) as bots:
        null_bots(program, bots, MATCHES * seats)
        matches = rehearse(bots, plans)
        return measured(
            {
                "whole": whole(bots, plans),
                "echo": echo(bots, matches),
                "least": least(bots, matches),
                "in process": in_process(matches),
            },
            repeats,
        )


def costs_of_many(program: str, repeats: int) -> dict[str, Figure]:
    """As many matches, 16 at once and all at once; one process holds all bots."""
    plans = plans_for("nyet", SEATS, MANY, rounds=1)
    with open_bots("unix") as bots:
        tokens = [f"bot-{number}" for number in range(MANY * SEATS)]
        bots.start([program], tokens, in_arguments=True)
        return measured(
            {"few": by_turns(bots, plans, FEW), "many": by_turns(bots, plans, MANY)}, repeats
        )


def costs_with_python_bots(repeats: int) -> Figure:
    """Eight matches at once between bots made with the kit."""
    plans = plans_for("nyet", SEATS, MATCHES, rounds=2)
    with open_bots("unix") as bots:
        for number in range(MATCHES * SEATS):
            command = [sys.executable, str(PYTHON_BOT), "7"]
            bots.start(command, [f"bot-{number}"], in_arguments=False)
        return measured({"whole": whole(bots, plans)}, repeats)["whole"]


def ms_to_start_a_bot(program: str) -> float:
    """Median CPU milliseconds of this process from asking for a bot until its hello is taken."""

    async def main() -> float:
        costs = []
        async with open_house() as house:
            for _ in range(STARTS):
                player = house.player(Program("null", (program,), Path(program).parent))
                cpu = time.process_time_ns()
                absent = await player.ready()
                costs.append((time.process_time_ns() - cpu) / 1e6)
                assert absent is None, absent
                await player.end()
        return statistics.median(costs)

    return trio.run(main)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()
    repeats = options.repeats
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with built_null_bot() as program:
        unix = costs_of_a_decision(program, "unix", "nyet", SEATS, repeats)
        many = costs_of_many(program, max(3, repeats // 3))
        tcp = costs_of_a_decision(program, "tcp", "nyet", SEATS, max(3, repeats // 3))
        nope = costs_of_a_decision(program, "unix", "nope", SEATS, max(3, repeats // 3))
        python = costs_with_python_bots(3)
        start_ms = ms_to_start_a_bot(program)
    lines = [
        Line(
            "CPU for a decision, 8 matches of nyet at once, against a bare echo",
            unix["whole"].cpu_us / unix["echo"].cpu_us,
            "x",
            2.1,
            1.8,
        ),
        Line("of that, sockets and tasks, against a bare echo", io_ratio(unix), "x", 1.2, 1.05),
        Line(
            "CPU for a decision, 256 matches at once against 16",
            many["many"].cpu_us / many["few"].cpu_us,
            "x",
            1.2,
            1.1,
        ),
        Line("CPU to start a bot, its hello taken", start_ms, "ms", 2, 1),
    ]
    notes = [
        *(
            f"{what}: {each['whole'].cpu_us:.1f} us, of that in process"
            f" {each['in process'].cpu_us:.1f}; echo {each['echo'].cpu_us:.1f},"
            f" I/O ratio {io_ratio(each):.2f}; an echo with the rules inside"
            f" {each['least'].cpu_us:.1f}; {1e6 / each['whole'].wall_us:,.0f} decisions/s"
            for what, each in (("nyet, unix", unix), ("nyet, tcp", tcp), ("nope, unix", nope))
        ),
        f"16 matches at once: {many['few'].cpu_us:.1f} us; 256: {many['many'].cpu_us:.1f} us",
        f"with Python bots of the kit: {python.cpu_us:.1f} us,"
        f" {1e6 / python.wall_us:,.0f} decisions/s",
    ]
    return report("referee, CPU of its process alone, pinned", lines, notes)


def io_ratio(figures: Mapping[str, Figure]) -> float:
    """What sockets, tasks and clocks cost, against an echo that has nothing else."""
    return (figures["whole"].cpu_us - figures["in process"].cpu_us) / figures["echo"].cpu_us


if __name__ == "__main__":
    sys.exit(main())
