"""The bar of `arena match --against` beside that of a league: `python -m benchmarks.against`.

python-tricks and a copy of it without one idea (it covers the first box that it may, instead
of the best) are compared twice over the same number of matches of nyet with 4 seats: by --against
with python-high, python-random and python-bare around them, and by a league of the five. Printed
are the distance in Elo and its 95 % bar, by either way, and how many matches a league would need
for the bar of --against. Both are real commands with real bots.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from arena import data
from arena.league.store.complete_reader import reader_of
from arena.league.table.live import ledger_of
from arena.league.table.ratings import ratings
from arena.league.table.ratings.bars import half_width

WHOLE, LESS = "python-tricks", "without-tokens"
FIELD = ("python-high", "python-random", "python-bare")
SETS = 50
ROUNDS = 2
SEATS = 4
ARENA = (sys.executable, "-c", "from arena.cli import main; main()")


def without_an_idea(folder: Path) -> Path:
    """Make the copy, and return its folder."""
    made = folder / LESS
    shutil.copytree(data.sample_bots() / WHOLE, made)
    bot = made / "bot.py"
    text = bot.read_text()
    changed = text.replace('"tokens": cover', '"tokens": lambda view, legal: legal[0]')
    assert changed != text
    bot.write_text(changed)
    settings = made / "bot.toml"
    settings.write_text(settings.read_text().replace(f'"{WHOLE}"', f'"{LESS}"'))
    return made


def run(*words: str, folder: Path) -> str:
    ran = subprocess.run(
        [*ARENA, *words], cwd=folder, stdout=subprocess.PIPE, text=True, check=True, env=os.environ
    )
    return ran.stdout


def by_against(copy: Path, sets: int) -> tuple[float, float]:
    """Return the distance in Elo and its bar."""
    words = ("match", "nyet", WHOLE, "--against", str(copy), "--field", *FIELD)
    said = run(
        *words,
        "--sets",
        str(sets),
        "--seed",
        "against",
        "-o",
        f"rounds={ROUNDS}",
        folder=copy.parent,
    )
    found = re.search(r"same others: ([+-]\d+) ±(\d+)", said)
    over = re.search(r"(\S+) over (\S+): ", said)
    assert found is not None, said
    assert over is not None, said
    sign = 1 if over[1] == WHOLE else -1
    return sign * float(found[1]), float(found[2])


def by_league(copy: Path, sets: int) -> tuple[float, float, int]:
    """Return the same for a league of the five bots, and its matches."""
    bots = "".join(f"[[bots]]\nsample = {json.dumps(name)}\n" for name in (WHOLE, *FIELD))
    file = copy.parent / "league.toml"
    file.write_text(
        f'game = "nyet"\nseats = {SEATS}\nsets = {sets}\nseed = "against"\nowners_may_meet = true\n'
        f"options = {{ rounds = {ROUNDS} }}\n{bots}[[bots]]\npath = {json.dumps(str(copy))}\n"
    )
    run("league", str(file), "--no-pages", folder=copy.parent)
    with reader_of(file.with_suffix(".arena")) as reader:
        ledger = ledger_of(reader)
    found = ratings(ledger.names, ledger.matches)
    (group,) = found.groups
    at = group.bots.tolist()
    one, other = (at.index(ledger.names.index(name)) for name in (WHOLE, LESS))
    cov = group.covariance
    variance = float(cov[one, one] + cov[other, other] - 2 * cov[one, other])
    elos = {row.bot: row.elo for row in found.rows}
    return (
        elos[WHOLE] - elos[LESS],
        half_width(variance, ledger.sets) or math.inf,
        len(ledger.matches),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=SETS, help="of --against")
    sets = parser.parse_args().sets
    with tempfile.TemporaryDirectory(prefix="arena-") as place:
        folder = Path(place)
        folder.chmod(0o711)
        copy = without_an_idea(folder)
        elo, bar = by_against(copy, sets)
        league_elo, league_bar, matches = by_league(copy, 2 * sets)
    print(f"{WHOLE} over itself without an idea, nyet with {SEATS} seats, {matches} matches each")
    print(f"  --against  {elo:+6.0f} ±{bar:.0f} Elo")
    print(f"  a league   {league_elo:+6.0f} ±{league_bar:.0f} Elo")
    print(f"  for the same bar a league needs {(league_bar / bar) ** 2:.1f} times the matches")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
