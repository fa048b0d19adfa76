"""The values: rungs, wishes and limits."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.build import BUILD_SECONDS
from arena.bots.confine.confinement import Confinement, Rung, Wish
from arena.bots.confine.limits import BUILD_LIMITS, Limits
from arena.bots.program import PASSED_ON
from arena.record.confinement import DIALLED_IN, STRONGEST_FIRST

ROOT = Path(__file__).parents[3]


def test_the_rungs_are_those_that_records_know() -> None:
    assert (DIALLED_IN, *map(str, Rung)) == STRONGEST_FIRST


@pytest.mark.parametrize(
    ("wish", "rungs"),
    [
        (Wish.AUTO, (Rung.BUBBLEWRAP, Rung.LANDLOCK)),
        (Wish.STRICT, (Rung.BUBBLEWRAP, Rung.LANDLOCK)),
        (Wish.BUBBLEWRAP, (Rung.BUBBLEWRAP,)),
        (Wish.LANDLOCK, (Rung.LANDLOCK,)),
        (Wish.NONE, ()),
    ],
)
def test_a_wish_names_the_rungs_that_will_do(wish: Wish, rungs: tuple[Rung, ...]) -> None:
    assert wish.rungs == rungs


def test_limits_have_defaults_that_common_runtimes_need() -> None:
    """Node and a JVM need half a gibibyte of data, a JVM some 40 threads on two cores."""
    limits = Limits()
    assert limits.memory_mb >= 512
    assert limits.processes >= 64
    assert limits.open_files >= 256


def test_a_limit_that_was_reached_is_told_with_its_number() -> None:
    limits = Limits(memory_mb=64, processes=5, scratch_mb=7)
    assert limits.words_for("memory") == "memory over 64 MB"
    assert limits.words_for("processes") == "more than 5 processes and threads"
    assert limits.words_for("scratch") == "scratch is full: 7 MB"
    assert limits.words_for("connect 1.2.3.4:5") == "it tried to connect to 1.2.3.4:5"


def test_the_documents_for_authors_name_the_limits_that_hold() -> None:
    limits, builds = Limits(), BUILD_LIMITS
    spec = (ROOT / "SPEC.md").read_text()
    numbers = f"{limits.memory_mb} MB, {limits.processes}, {limits.scratch_mb} MB"
    assert f"{numbers} and {limits.open_files}" in spec
    manual = (ROOT / "docs" / "confinement.md").read_text()
    for row in (
        f"| memory | {limits.memory_mb} MB |",
        f"| processes and threads | {limits.processes} at one time;",
        f"| files in its scratch folder | {limits.scratch_mb} MB |",
        f"| open files | {limits.open_files} for each process |",
        f"{builds.memory_mb} MB of memory, {builds.processes} processes and threads,"
        f" {builds.scratch_mb} MB of files",
    ):
        assert row in manual
    assert limits.cores == 1
    assert BUILD_SECONDS == 600


def test_every_variable_that_is_passed_on_is_documented() -> None:
    manual = (ROOT / "docs" / "confinement.md").read_text()
    assert all(f"`{name}`" in manual for name in PASSED_ON)


def test_the_default_limits_are_those_of_every_bot() -> None:
    assert Limits() == Limits(512, 128, 256, 1024, 1)
    assert Limits(4096, 2048, 4096, 65_536, os.cpu_count() or 1) == BUILD_LIMITS


def test_what_has_no_door_is_a_build() -> None:
    bot = Confinement(Path("/bot"), (), Path("/scratch"), "unix:/door")
    assert not bot.is_build
    assert replace(bot, door="").is_build
    assert (bot.write, bot.servers, bot.read, bot.listed, bot.env) == ((), (), (), (), ())
    assert (bot.limits, bot.uid) == (Limits(), None)
