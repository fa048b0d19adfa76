"""Builds: in the scratch folder, within a limit, and what they printed when they fail."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from arena.bots.botfile import Bot
from arena.bots.build import LOOK_SECONDS, LOOKS_FOR_A_LINE, BuildFailed, _watched, build
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.launch import Tail, Tails
from arena.bots.processes import open_warden
from tests.bots.programs import BOTS, SAFETY_SECONDS, Family

UNCONFINED = Confiner(Means(), Path("/"))


def a_bot(*words: str) -> Bot:
    return Bot("fox", ("./fox",), BOTS, build=words or None, env={"LEVEL": "3"})


async def run_build(bot: Bot, folder: Path, seconds: float = SAFETY_SECONDS) -> Family:
    family = Family()
    async with open_warden() as warden:
        try:
            await build(warden, UNCONFINED, bot, folder, family.env, seconds)
        finally:
            assert not family.alive()
    return family


async def test_a_build_runs_in_the_scratch_folder_with_the_bots_environment(tmp_path: Path) -> None:
    await run_build(a_bot("sh", "-c", "echo level $LEVEL > made"), tmp_path)
    assert (tmp_path / "made").read_text() == "level 3\n"


async def test_a_bot_without_a_build_needs_none(tmp_path: Path) -> None:
    await run_build(a_bot(), tmp_path)
    assert not os.listdir(tmp_path)


async def test_our_python_builds_where_that_is_asked_for(tmp_path: Path) -> None:
    await run_build(a_bot("{python}", "-c", "open('made', 'w')"), tmp_path)
    assert os.listdir(tmp_path) == ["made"]


async def test_a_build_that_fails_shows_what_it_printed(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed) as caught:
        await run_build(
            a_bot("sh", "-c", "echo compiling; echo no such header >&2; exit 2"), tmp_path
        )
    assert str(caught.value) == (
        "the build of 'fox' failed: exit code 2\n"
        "command: ['sh', '-c', 'echo compiling; echo no such header >&2; exit 2']\n"
        "Mend what it complains of, or `build` in the command line, and try again.\n"
        "--- stdout ---\ncompiling\n"
        "--- stderr ---\nno such header"
    )


async def test_a_build_that_is_too_slow_is_ended_with_its_tree(tmp_path: Path) -> None:
    bot = a_bot("{python}", str(BOTS / "forks_children.py"))
    with pytest.raises(BuildFailed, match=r"it was not done after 0\.1 s and was ended\n"):
        await run_build(bot, tmp_path, seconds=0.1)


async def test_a_build_whose_tool_is_missing_says_so(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="no program 'no-such-cargo' in any folder of PATH"):
        await run_build(a_bot("no-such-cargo", "build"), tmp_path)


async def test_a_build_that_is_cancelled_is_ended() -> None:
    family = Family()
    bot = a_bot("{python}", str(BOTS / "ignores_sigterm.py"))
    async with open_warden() as warden:
        with trio.move_on_after(0.05):
            await build(warden, UNCONFINED, bot, BOTS, family.env)
        with trio.fail_after(SAFETY_SECONDS):
            while family.alive():
                await trio.sleep(0.001)


async def test_a_long_build_tells_now_and_then_what_it_printed_last(
    autojump_clock: MockClock,
) -> None:
    class Building:
        exit = None
        looks = 0
        stderr = b""

        async def exited(self) -> None:
            await trio.sleep_forever()

        def look_at_scratch(self) -> None:
            self.looks += 1

        async def tails(self) -> Tails:
            out = b"first\nlast of stdout\n\n"
            return Tails(Tail(out, b"", len(out)), Tail(self.stderr, b"", len(self.stderr)))

    process, told = Building(), list[str]()

    def tell(line: str) -> None:
        told.append(line)
        process.stderr = b"\x1b[31m" + b"red" * 21 + b"\x1b[0m\n"

    bot = SimpleNamespace(name="fox")
    with trio.move_on_after((2 * LOOKS_FOR_A_LINE + 0.5) * LOOK_SECONDS):
        await _watched(cast(Any, process), cast(Any, bot), tell)
    assert told == [
        "building fox for 15 s: last of stdout",
        f"building fox for 30 s: {'red' * 20}",
    ]
    assert process.looks == 30
