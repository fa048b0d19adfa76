"""What a long league costs: `python -m benchmarks.scale [MATCHES ...]`.

Leagues of 100 bots at tables of four, played by the runner itself into its own store, with records
as a referee makes them: matches of nyet with all their rounds, dealt from the seeds of their sets
and played by random seats in this process, without sockets or bots. Times of thinking are drawn.
Nothing is reused, so `arena verify` replays each of them and finds nothing.

For each league, in processes of their own: the time until a run could play on, the time of
`arena table` with the start of its process, that of `arena verify`, the sizes of the files, and the
memory of whoever plays, reads or publishes, early and late. Memory is resident, from /proc.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

# Before numpy loads its BLAS: on one core more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import trio

from arena.games import GAMES
from arena.league.entry.opening import open_league
from arena.league.file.reading import read_league
from arena.league.model.played import LeagueMatch
from arena.league.play.orders import MatchOver, News, PlaySet, SetOver, Setup
from arena.league.play.runner import Runner
from arena.league.store.folder import COMPLETE_SETS, DATABASE, LOG, PUBLIC, folder_of
from arena.outputs.publish import Publisher
from arena.record import FORMAT, VERSION, Move, Record
from arena.utc import now
from benchmarks.measure import Line, report
from protocol.commitment import NONCE_BYTES

BOTS = 100
SEATS = 4
SIZES = (1_000, 10_000, 100_000)
# Memory is compared from this part of a league on: by then everything has been loaded.
EARLY = 0.1
PUBLISH_SECONDS = 5.0  # the pause between two publishings, as in a running league
MIB = 2**20


class RandomSeats:
    """A job that plays each order at once, by lot."""

    async def play(self, order: PlaySet) -> AsyncGenerator[News, None]:
        for turn in order.turns:
            await trio.lowlevel.checkpoint()
            yield MatchOver(order.lease, match(order, turn))
        yield SetOver(order.number, order.lease)

    async def read(self) -> None:
        await trio.sleep_forever()

    async def finish(self) -> None:
        """Do nothing: no bot waits for a `bye`."""

    async def lend(self, *_: object) -> None:
        raise AssertionError("no bot dials in")

    async def enter(self, *_: object) -> None:
        raise AssertionError("no bot is started")

    async def pace(self, *_: object) -> None:
        """Leave the number of lanes as it is: nobody thinks."""


@asynccontextmanager
async def random_seats(
    _setup: Setup, _cores: Sequence[int], _log: Path
) -> AsyncIterator[RandomSeats]:
    yield RandomSeats()


def match(order: PlaySet, turn: int) -> LeagueMatch:
    """Play one match by lot."""
    rng = random.Random(f"{order.number}.{turn}")
    game, names = GAMES[order.game], order.planned.seating(turn)
    state = game.deal(len(names), order.seed, order.options)
    moves = []
    while owing := state.to_act():
        seat, action = owing[0], rng.choice(state.legal(owing[0]))
        moves.append(Move(seat, game.actions.name(action), rng.randrange(5, 200)))
        state.apply(seat, action)
    outcome = state.outcome()
    assert outcome is not None
    record = Record(
        FORMAT,
        VERSION,
        order.game,
        len(names),
        order.options,
        order.seed.hex(),
        names,
        tuple(moves),
        outcome.scores,
        outcome.places,
        outcome.ending,
        rng.randbytes(8).hex(),
        nonce=rng.randbytes(NONCE_BYTES).hex(),
    )
    # A started bot has a process of its own for each match of a set.
    processes = tuple(4 * order.number + turn for _ in names)
    return LeagueMatch(order.number, turn, order.attempt, record, processes, now(), stood=False)


@dataclass
class Silent:
    """The view of a run that nobody watches; it takes samples of the memory of its process."""

    matches: int
    played: int = 0
    early: int = 0
    late: int = 0

    def match_over(self, _: LeagueMatch) -> None:
        self.played += 1
        if self.played == int(EARLY * self.matches):
            self.early = resident()
        self.late = resident() if self.played == self.matches else self.late

    def begun(self, _: Runner) -> None: ...
    def void(self, _: LeagueMatch) -> None: ...
    def benched(self, name: str, reason: str) -> None:
        raise AssertionError(f"{name} was benched: {reason}")

    def says(self, text: str) -> None:
        print(text, file=sys.stderr)

    def tick(self) -> None: ...


def resident(pid: int | str = "self") -> int:
    """Return the resident memory of a process in bytes; 0 if it is gone."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def league_file(place: Path, matches: int) -> Path:
    """Write the file of a league, and a bot for each of its rows."""
    file = place / "scale.toml"
    if not file.exists():
        bots = place / "bots"
        for number in range(BOTS):
            bot = bots / f"bot-{number:03}"
            bot.mkdir(parents=True)
            (bot / "bot.toml").write_text(
                f'name = "{bot.name}"\ncommand = ["./bot"]\ngames = "any"\n'
            )
            (bot / "bot").write_text(f"# {number}\n")
        rows = "\n".join(
            f'[[bots]]\npath = "bots/bot-{number:03}"\nname = "bot-{number:03}"'
            for number in range(BOTS)
        )
        file.write_text(
            f'name = "Scale"\ngame = "nyet"\nseats = {SEATS}\nsets = {matches // SEATS}\n{rows}\n'
        )
    return file


# Commands of this module for the processes that are measured.


def play(file: Path, matches: int) -> None:
    """Play the league to its end; print the memory of this process early and late."""
    league, folder = read_league(file), folder_of(file)
    view = Silent(matches)
    with open_league(league, folder) as store:
        runner = Runner(league, store, folder / LOG, random_seats)
        trio.run(runner.run, (), view)
    print(view.early, view.late)


def resume(file: Path) -> None:
    """Open the league as a run does, up to the moment in which it could play; print the seconds."""
    began = time.perf_counter()
    league, folder = read_league(file), folder_of(file)
    with open_league(league, folder) as store:
        Runner(league, store, folder / LOG, random_seats)
        print(time.perf_counter() - began)


def publish(file: Path) -> None:
    """Publish the league while it is played, at each line of input; print the memory each time."""
    publisher = Publisher(folder_of(file), folder_of(file) / PUBLIC)
    for _ in sys.stdin:
        publisher.publish()
        print(resident(), flush=True)


COMMANDS: Mapping[str, Callable[..., None]] = {"play": play, "resume": resume, "publish": publish}


@dataclass(frozen=True)
class Ran:
    """One run of a process."""

    seconds: float
    peak: int  # bytes of resident memory
    output: str


def run(*arguments: str) -> Ran:
    """Run a process to its end, and look at its memory."""
    began, peak = time.perf_counter(), 0
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True) as one:
        while True:
            peak = max(peak, family(one.pid))
            with suppress(subprocess.TimeoutExpired):
                output = one.communicate(timeout=0.05)[0]
                break
        seconds = time.perf_counter() - began
    if one.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {one.returncode}: {output[-2000:]}")
    return Ran(seconds, peak, output)


def family(pid: int) -> int:
    """Return the largest resident memory of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        found = children.read_text().split()
    except OSError:
        found = []
    return max(resident(pid), *map(resident, found), 0)


def arena(*arguments: str) -> Ran:
    return run("-c", "from arena.cli import main; main()", *arguments)


def mine(command: str, *arguments: object) -> Ran:
    return run("-m", "benchmarks.scale", command, *map(str, arguments))


def size(path: Path) -> int:
    if path.is_dir():
        return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
    return path.stat().st_size


def played(file: Path, matches: int) -> Mapping[str, float]:
    """Play a league to its end and publish it meanwhile; return the figures of both processes."""
    began = time.perf_counter()
    mine = [sys.executable, "-m", "benchmarks.scale"]
    pipe = subprocess.PIPE
    playing = subprocess.Popen([*mine, "play", str(file), str(matches)], stdout=pipe, text=True)
    publishing = subprocess.Popen(
        [*mine, "publish", str(file)], stdin=pipe, stdout=pipe, text=True, bufsize=1
    )
    assert playing.stdout is not None
    assert publishing.stdin is not None
    assert publishing.stdout is not None
    sizes: list[tuple[float, int]] = []  # when, and the memory of the publisher
    with playing, publishing:
        while playing.poll() is None:
            try:
                playing.wait(PUBLISH_SECONDS)
            except subprocess.TimeoutExpired:
                publishing.stdin.write("\n")
                sizes.append((time.perf_counter() - began, int(publishing.stdout.readline())))
        seconds = time.perf_counter() - began
        early, late = map(int, playing.stdout.read().split())
        publishing.stdin.close()
    found = {
        "ms a match, played and entered": 1000 * seconds / matches,
        "runner early, MiB": early / MIB,
        "runner late, MiB": late / MIB,
    }
    if sizes:
        first = next(size for when, size in sizes if when >= EARLY * sizes[-1][0])
        found["publisher early, MiB"], found["publisher late, MiB"] = (
            first / MIB,
            sizes[-1][1] / MIB,
        )
    return found


def measured(place: Path, matches: int) -> Mapping[str, float]:
    """Play a league, unless it is there, and return its figures by name."""
    file, folder = league_file(place, matches), folder_of(place / "scale.toml")
    found: dict[str, float] = {}
    if not (folder / DATABASE).exists():
        found |= played(file, matches)
    resumed = mine("resume", file)
    found["resume, s"] = float(resumed.output)
    found["resume, MiB"] = resumed.peak / MIB
    table = arena("table", str(file))
    found["table, s"], found["table, MiB"] = table.seconds, table.peak / MIB
    listed = arena("matches", str(file), "--limit", "10")
    found["matches --limit 10, s"], found["its MiB"] = listed.seconds, listed.peak / MIB
    listed = arena("matches", str(file), "--json")
    found["matches --json, s"], found["its MiB then"] = listed.seconds, listed.peak / MIB
    published = arena("publish", str(file), "--to", str(folder / PUBLIC))
    found["publish, s"], found["publish, MiB"] = published.seconds, published.peak / MIB
    checked = arena("verify", str(file))
    found["verify, s"], found["verify, MiB"] = checked.seconds, checked.peak / MIB
    found["league.db, MB"] = size(folder / DATABASE) / 1e6
    found["complete.db, MB"] = size(folder / COMPLETE_SETS) / 1e6
    found["public, MB"] = size(folder / PUBLIC) / 1e6
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a line does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="MATCHES")
    parser.add_argument("--keep", type=Path, help="play the leagues here, and keep them")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="arena-scale-") as made:
        place = options.keep or Path(made)
        figures = {}
        for matches in options.sizes:
            (place / str(matches)).mkdir(parents=True, exist_ok=True)
            figures[matches] = measured(place / str(matches), matches)
    names = list(dict.fromkeys(name for found in figures.values() for name in found))
    print("| matches |" + "".join(f" {size:,} |" for size in figures))
    print("|---|" + "---|" * len(figures))
    for name in names:
        row = (f"{found[name]:.1f}" if name in found else "" for found in figures.values())
        print(f"| {name} |" + "".join(f" {each} |" for each in row))
    most = figures[max(figures)]
    return report("scale", [*lines(most)], [f"the lines are of {max(figures):,} matches"])


def lines(found: Mapping[str, float]) -> Sequence[Line]:
    """Return the promises, of the longest league."""
    bounds = {
        "resume, s": 2.0,
        "table, s": 3.0,
        "public, MB": 300.0,
        "verify, s": 600.0,
    }
    told = [Line(name, found[name], "", bound, bound / 2) for name, bound in bounds.items()]
    for process in ("runner", "publisher"):
        if f"{process} late, MiB" in found:
            grown = found[f"{process} late, MiB"] - found[f"{process} early, MiB"]
            told.append(Line(f"the {process} grows by, MiB", grown, "", 20, 10))
    return told


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in COMMANDS:
        COMMANDS[sys.argv[1]](Path(sys.argv[2]), *map(int, sys.argv[3:]))
        sys.exit(0)
    sys.exit(main())
