"""What the way through a door costs a bot: `python -m benchmarks.door`.

Copies of one bot dial in to one league, each by another way: plain TCP, TLS, a WebSocket, and a
WebSocket through Caddy where that is installed. They sit at one table, so their decisions are
interleaved, and one match is played at a time. Compared are the medians of the times in the
records, as the league charges them. For information the same with a door that cannot tell the
league its times: then all of the way is in the figures, there and back.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.reader import Reader
from arena.referee.door.addresses import RELAY
from benchmarks.measure import Line, report
from benchmarks.two_jobs import ARENA, ROOT, wait_until
from tests.door.an_open_door import CHAIN, KEY
from tests.door.caddy import a_door_process, caddy
from tests.league.play.test_dialling_league import free_port

TCP = "tcp"
CADDY = "wss through Caddy"
WAYS = (TCP, "tls", "wss", CADDY)
BOUND_US, STRETCH_US = 1_000, 300
BOT = ROOT / "sample_bots" / "python-random" / "bot.py"
PATIENCE_SECONDS = 240


def name_of(way: str) -> str:
    return way.replace(" ", "-")


def addresses(ways: Sequence[str], ports: Mapping[str, int], through: str) -> dict[str, str]:
    """By way the address that its bot dials."""
    known = {
        TCP: f"tcp:127.0.0.1:{ports[TCP]}",
        "tls": f"tls:localhost:{ports['tls']}",
        "wss": f"wss://localhost:{ports['wss']}/",
        CADDY: through,
    }
    return {way: known[way] for way in ways}


def times(file: Path, ways: Sequence[str]) -> dict[str, float]:
    """By way the median time of its bot's decisions, in microseconds."""
    took: dict[str, list[int]] = defaultdict(list)
    with Reader.read(folder_of(file) / DATABASE) as store:
        for number in store.completed():
            for match in getattr(store.complete_set(number), "matches", ()):
                for move in match.record.moves:
                    took[match.record.names[move.seat]].append(move.time_us)
    return {way: statistics.median(took[name_of(way)]) for way in ways}


def played(ways: Sequence[str], sets: int, *, is_credited: bool) -> dict[str, float]:
    """Play a league; return by way the median time of a decision, in microseconds."""
    with tempfile.TemporaryDirectory(prefix="arena-door-") as place, ExitStack() as held:
        folder = Path(place)
        ports = {each: free_port() for each in (TCP, "tls", "wss", "ws")}
        file = folder / "league.toml"
        file.write_text(
            f'name = "Benchmark"\ngame = "nyet"\nseats = {len(ways)}\nsets = {sets}\nseed = "7"\n'
            f'listen = "tcp:127.0.0.1:{ports[TCP]}"\nat_once = 1\n[options]\nrounds = 1\n'
            + "".join(f'[[bots]]\nname = "{name_of(way)}"\ndials_in = true\n' for way in ways)
        )
        league = held.enter_context(
            subprocess.Popen([*ARENA, "league", str(file), "--no-pages"], stdout=subprocess.DEVNULL)
        )
        held.callback(league.kill)
        home = folder_of(file)
        wait_until((home / RELAY).exists, "the league")
        held.enter_context(
            a_door_process(
                str(file) if is_credited else f"tcp:127.0.0.1:{ports[TCP]}",
                *("--certificate", str(CHAIN), "--key", str(KEY), "--trust", "127.0.0.1"),
                *("--listen", f"tls:127.0.0.1:{ports['tls']}"),
                *("--listen", f"wss:127.0.0.1:{ports['wss']}"),
                *("--listen", f"ws:127.0.0.1:{ports['ws']}"),
            )
        )
        through = held.enter_context(caddy(folder, ports["ws"])) if CADDY in ways else ""
        for way, address in addresses(ways, ports, through).items():
            token = home / "tokens" / f"{name_of(way)}.env"
            wait_until(token.exists, str(token))
            env = dict(line.split("=", 1) for line in token.read_text().split("\n") if "=" in line)
            env |= {"ARENA_CONNECT": address, "SSL_CERT_FILE": str(CHAIN)}
            bot = held.enter_context(
                subprocess.Popen([sys.executable, str(BOT), "7"], env=os.environ | env)
            )
            held.callback(bot.kill)
        league.wait(PATIENCE_SECONDS)
        return times(file, ways)


def medians(ways: Sequence[str], sets: int, repeats: int, *, is_credited: bool) -> dict[str, float]:
    runs = [played(ways, sets, is_credited=is_credited) for _ in range(repeats)]
    return {way: statistics.median(run[way] for run in runs) for way in ways}


def told(took: Mapping[str, float]) -> str:
    return ", ".join(f"{way} {us:.0f} us" for way, us in took.items())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    ways = [way for way in WAYS if way != CADDY or shutil.which("caddy")]
    charged = medians(ways, options.sets, options.repeats, is_credited=True)
    whole = medians(ways, options.sets, options.repeats, is_credited=False)
    lines = [
        Line(f"a decision by {way}, over TCP", took[way] - took[TCP], "us", BOUND_US, STRETCH_US)
        for took in (charged,)
        for way in ways[1:]
    ]
    lines += [
        Line(f"the same uncredited, by {way}", whole[way] - whole[TCP], "us", BOUND_US, STRETCH_US)
        for way in ways[1:]
    ]
    notes = [f"medians as charged: {told(charged)}", f"medians uncredited: {told(whole)}"]
    return report("door", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
