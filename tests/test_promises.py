"""The numbers that documents promise are those of the code, sentence by sentence.

Tests of behaviour take a number from the code by its name, so they pass whatever it is; here it
stands as people were told. A number that changes changes its sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from arena.asking.again import GENEROUS
from arena.bots.botfile import MAX_NAME_CHARS
from arena.bots.build import BUILD_SECONDS
from arena.bots.confine.choose import LEAST_ABI
from arena.bots.confine.limits import BUILD_LIMITS, OPEN_FILES, Limits
from arena.bots.warden.cgroups.spread import FIRST_SECONDS, MOST_SECONDS
from arena.bots.warden.outputs import FILE_BYTES, PIECE_BYTES
from arena.children import END_SECONDS
from arena.cli.judging.judge import DEFAULT_SECONDS
from arena.cli.match_sets import SETS_AGAINST
from arena.compare.stop import FARTHEST_NORMALISED, FEWEST_SETS, MANY_VALUES
from arena.judge.bars import CHANCE_OF_A_MISS, FIRST_LOOK, MOST_LOOKS, MOST_WORLDS
from arena.league.model.config import DIAL_IN_MS
from arena.league.model.sets import MOST_VOIDS
from arena.league.plan.round_robin.in_turn import FEW_LINE_UPS
from arena.league.plan.round_robin.planner import MOST_LINE_UPS
from arena.league.table.benching import MOST_FAILED_STARTS, MOST_FORFEITS, MOST_SILENT
from arena.league.table.waiting import LEAST_MATCHES, LEAST_SECONDS, LEAST_SHARE
from arena.referee.door.descriptors import MOST_STRANGERS
from arena.referee.door.evidence import MOST_REPLY_BYTES, MOST_TOLD, PAUSE_SECONDS
from arena.referee.door.guests import RETRY_SECONDS
from arena.referee.wire.lookout import SWEEP_SECONDS, TURN_US

ROOT = Path(__file__).parent.parent

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
WORDS: Mapping[float, str] = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 10: "ten"}
PARTS: Mapping[float, str] = {0.25: "a quarter", 0.5: "half"}
SECONDS: Mapping[float, str] = {1: "a second", 60: "a minute"}

# The kernel that brought each version of Landlock.
LINUX_OF_ABI = {4: "6.7", 5: "6.10", 6: "6.12", 7: "6.15"}

BOTS, BUILDS = Limits(), BUILD_LIMITS


def digits(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def words(number: float, known: Mapping[float, str] = WORDS) -> str:
    return known.get(number, digits(number))


PROMISES = {
    "SPEC.md": (
        f"limited: to {BOTS.memory_mb} MB, {BOTS.processes}, {BOTS.scratch_mb} MB and {OPEN_FILES},"
        " unless the league says otherwise.",
        f"until your bot has been away for {words(DIAL_IN_MS / 60_000)} minutes, unless it says",
        f"wait ARENA_RETRY_S seconds                     # {RETRY_SECONDS} if you choose",
        f"Each fault comes as an `evidence` (4.9), at most {MOST_TOLD} of them;",
        f"MUST NOT ask again within {words(PAUSE_SECONDS, SECONDS)} of the end of its last asking",
        f"the body that came, its first {MOST_REPLY_BYTES} bytes,",
        f"after {words(MOST_VOIDS)} for one place the result stands.",
        f"after {MOST_FAILED_STARTS} failed starts in a row, {MOST_FORFEITS} forfeited matches in a"
        f" row, or {MOST_SILENT} matches in a row in which it was asked and answered nothing",
    ),
    "docs/architecture.md": (
        f"is killed {digits(END_SECONDS)} s later;",
        f"sweeps deadlines every {digits(SWEEP_SECONDS * 1000)} ms.",
        f"no match waits longer than one turn of {digits(TURN_US / 1000)} ms for it.",
    ),
    "docs/comparing.md": (
        f"it goes up to {digits(FARTHEST_NORMALISED)}.",
        f"Without `--sets` there are {SETS_AGAINST} sets;",
        f"No verdict comes before {FEWEST_SETS} sets.",
        f"where no result came in {words(MANY_VALUES, PARTS)} of the sets.",
    ),
    "docs/confinement.md": (
        f"| memory | {BOTS.memory_mb} MB |",
        f"| processes and threads | {BOTS.processes} at one time;",
        f"| files in its scratch folder | {BOTS.scratch_mb} MB |",
        f"| open files | {OPEN_FILES} for each process |",
        f"| processor cores | {words(BOTS.cores)}, where",
        f"Its limits: {BUILDS.memory_mb} MB of memory, {BUILDS.processes} processes and threads,"
        f" {BUILDS.scratch_mb} MB of files, all cores, and {words(BUILD_SECONDS / 60)} minutes.",
        f"it needs Linux {LINUX_OF_ABI.get(LEAST_ABI)} |",
        f"{words(FIRST_SECONDS)} second at first and up to {digits(MOST_SECONDS)} if it goes on:",
    ),
    "docs/json.md": (f"its first {MOST_REPLY_BYTES} bytes, in hexadecimal digits",),
    "docs/judging.md": (
        f"The clock is generous, {words(GENEROUS.decision_ms / 1000, SECONDS)} for each decision,",
        f"All decisions get {FIRST_LOOK} worlds.",
        f"(`--seconds`, {digits(DEFAULT_SECONDS)} by default) or each has had `--worlds`"
        f" (at most {MOST_WORLDS:,}).",
        f"The {digits(100 * CHANCE_OF_A_MISS)} % are shared evenly among all comparisons and the"
        f" {MOST_LOOKS} looks at each;",
    ),
    "docs/formats.md": (
        f"Where there are at most {FEW_LINE_UPS} line-ups,",
        f"for up to {MOST_LINE_UPS:,} line-ups.",
    ),
    "docs/league.md": (
        f"unknown connections, up to {MOST_STRANGERS} and fewer",
        f"so that none has more than {MAX_NAME_CHARS} characters.",
        f"does not start {words(MOST_FAILED_STARTS)} times in a row, forfeits"
        f" {words(MOST_FORFEITS)} matches in a row, or answers nothing in time in"
        f" {words(MOST_SILENT)} matches in a row",
        f"from {words(LEAST_MATCHES)} matches on,",
        f"and {LEAST_SECONDS} s and {words(LEAST_SHARE, PARTS)} of the time of all bots in all.",
        f"at most {digits(2 * PIECE_BYTES / KIBIBYTE)} KiB of each output are kept, the first and"
        f" the last {digits(PIECE_BYTES / KIBIBYTE)} KiB, and of each bot at most four files of"
        f" {digits(FILE_BYTES / MEBIBYTE)} MiB;",
    ),
}


@pytest.mark.parametrize(
    ("document", "promise"),
    [(document, promise) for document, promises in PROMISES.items() for promise in promises],
)
def test_a_number_in_a_document_is_that_of_the_code(document: str, promise: str) -> None:
    assert promise in (ROOT / document).read_text()
