"""The warden with real processes: what it starts, and that it ends all of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

import arena.referee.warden
from arena.referee.not_started import CannotStart, HostFull
from arena.referee.processes import open_warden
from arena.referee.warden.outputs import FILE_BYTES, KEPT_BYTES
from arena.referee.warden.tree import MARK_VARIABLE, all_processes, below, children_of
from tests.referee.programs import (
    BOTS,
    SAFETY_SECONDS,
    Family,
    processes_called,
    until,
    until_says,
)


async def test_a_bot_runs_with_what_it_was_given_and_nothing_else() -> None:
    family = Family()
    with trio.fail_after(SAFETY_SECONDS):
        async with open_warden() as warden:
            bot = await warden.start(family.launch("tells_all.py", "one", "two words"))
            end = await bot.exited()
            tails = await bot.tails()
    assert str(end) == "exit code 0", tails.stderr
    told = json.loads(tails.stdout.text)
    mark = told["environment"].pop(MARK_VARIABLE)
    told["environment"].pop("LC_CTYPE", None)  # Python sets it for itself
    assert mark
    assert told == {
        "arguments": ["one", "two words"],
        "descriptors": [0, 1, 2],
        "environment": family.env,
        "folder": str(BOTS),
        "ignored": ["SIGPIPE", "SIGXFSZ"],  # by Python itself; not SIGINT
        "open_files": [1024, 1024],
        "session": [bot.pid, bot.pid],
        "stdin": "",
    }


async def test_a_program_that_is_not_python_gets_no_ignored_signals() -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().command("grep", "SigIgn", "/proc/self/status"))
        await bot.exited()
        assert int((await bot.tails()).stdout.text.split()[1], 16) == 0


async def test_the_exit_code_and_both_tails_are_told() -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch("exits_with_code.py", "3"))
        assert str(await bot.exited()) == "exit code 3"
        tails = await bot.tails()
        assert (tails.stdout.text, tails.stderr.text) == ("going\n", "gone wrong\n")


async def test_a_signal_that_ended_a_bot_is_named() -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch("kills_itself.py", str(int(signal.SIGSEGV))))
        assert str(await bot.exited()) == "killed by signal 11 (SIGSEGV)"


async def test_a_bot_that_ignores_sigterm_is_killed_when_its_grace_is_over() -> None:
    family = Family()
    async with open_warden() as warden:
        bot = await warden.start(family.launch("ignores_sigterm.py"))
        await until_says(bot)
        end = await bot.end(grace_ms=20)
        assert str(end) == "killed by signal 9 (SIGKILL), ended by the referee"
        assert not family.alive()


async def test_a_bot_that_ends_on_sigterm_is_not_killed_within_its_grace() -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch("ends_on_sigterm.py"))
        await until_says(bot)
        assert str(await bot.end(grace_ms=60_000)) == "exit code 7, ended by the referee"


@pytest.mark.parametrize(
    "line",
    ["forks_children.py", "double_forked_daemon.py stay", "closes_stdout.py", "spins.py"],
)
async def test_ending_a_bot_ends_its_whole_tree(line: str) -> None:
    family = Family()
    async with open_warden() as warden:
        bot = await warden.start(family.launch(*line.split()))
        await until_says(bot)
        assert bot.pid in family.alive()
        await bot.end()
        assert not family.alive()


async def test_a_daemon_does_not_outlive_a_bot_that_ends_of_itself() -> None:
    family = Family()
    async with open_warden() as warden:
        bot = await warden.start(family.launch("double_forked_daemon.py", "leave"))
        assert str(await bot.exited()) == "exit code 0"
        assert "ready" in (await bot.tails()).stdout.text
        assert not family.alive()


async def test_who_only_ever_lives_for_a_moment_is_caught() -> None:
    family = Family()
    async with open_warden() as warden:
        bot = await warden.start(family.launch("runs_away.py"))
        end = await bot.exited()
        assert end.left == 0
        assert not family.alive()


async def test_ending_one_bot_leaves_the_others_and_their_daemons_alone() -> None:
    family, others = Family(), Family()
    async with open_warden() as warden:
        other = await warden.start(others.launch("double_forked_daemon.py", "stay"))
        await until_says(other)
        alive = others.alive()
        assert len(alive) == 2
        bot = await warden.start(family.launch("double_forked_daemon.py", "stay"))
        await until_says(bot)
        await bot.end()
        assert not family.alive()
        assert others.alive() == alive
        assert other.exit is None


async def test_a_daemon_that_has_wiped_its_mark_ends_with_the_warden() -> None:
    """The known limit: it is below the warden, but nothing says whose it was."""
    command = f"/bin/sleep 86400.{os.getpid()}"
    async with open_warden() as warden:
        launch = Family().launch("daemon_without_a_mark.py", *command.split())
        bot = await warden.start(launch)
        await bot.exited()
        await until(lambda: bool(processes_called(command)))
    assert not processes_called(command)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
async def test_a_flood_is_drained_and_only_its_end_is_kept(stream: str) -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch(f"floods_{stream}.py"))
        with trio.fail_after(SAFETY_SECONDS):
            while getattr(await bot.tails(), stream).total_bytes < 10_000_000:
                pass
        await bot.end()
        tail = getattr(await bot.tails(), stream)
        assert len(tail.data) == KEPT_BYTES
        assert str(tail).startswith(f"[{tail.dropped_bytes} earlier bytes were not kept]\n")


@pytest.mark.slow
async def test_a_flood_costs_the_warden_little() -> None:
    """As CPU time for each byte it lets through, and it lets through a bounded number."""
    async with open_warden() as warden:
        bots = [
            await warden.start(Family().launch(f"floods_{stream}.py"))
            for stream in ("stdout", "stderr")
        ]
        before = cpu_seconds(warden.pid)
        began = trio.current_time()
        with trio.fail_after(SAFETY_SECONDS):
            while (await bots[0].tails()).stdout.total_bytes < 30_000_000:
                await trio.sleep(0.01)
        assert trio.current_time() - began > 0.3
        assert cpu_seconds(warden.pid) - before < 0.3


async def test_what_is_printed_is_written_to_files_where_that_is_asked_for(tmp_path: Path) -> None:
    launch = Family().launch("exits_with_code.py", "0")
    async with open_warden() as warden:
        bot = await warden.start(replace(launch, logs=tmp_path))
        await bot.exited()
    assert (tmp_path / "stdout.txt").read_text() == "going\n"
    assert (tmp_path / "stderr.txt").read_text() == "gone wrong\n"


@pytest.mark.slow
async def test_a_file_of_output_is_capped(tmp_path: Path) -> None:
    async with open_warden() as warden:
        bot = await warden.start(replace(Family().launch("floods_stdout.py"), logs=tmp_path))
        with trio.fail_after(SAFETY_SECONDS):
            while (await bot.tails()).stdout.total_bytes < 3 * FILE_BYTES:
                pass
    assert (tmp_path / "stdout.txt").stat().st_size == FILE_BYTES


async def test_the_warden_keeps_nothing_of_who_has_ended_or_never_begun(tmp_path: Path) -> None:
    async with open_warden() as warden:
        await (await warden.start(Family().command("true"))).exited()
        before = set(os.listdir(f"/proc/{warden.pid}/fd"))
        for logs in (None, tmp_path, tmp_path / "missing"):
            for line in ("true", "no-such-program", "sleep 60"):
                launch = replace(Family().command(*line.split()), logs=logs)
                with suppress(CannotStart, HostFull):
                    await (await warden.start(launch)).end()
        # It may be looking through /proc just now, and have one more open for a moment.
        await until(lambda: set(os.listdir(f"/proc/{warden.pid}/fd")) <= before)
        children = children_of(all_processes().values())
        assert not below(warden.pid, children)


async def test_output_that_cannot_be_filed_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    launch = replace(Family().command("true"), logs=tmp_path / "missing")
    async with open_warden() as warden:
        with pytest.raises(HostFull, match="its output cannot be written to a file"):
            await warden.start(launch)


def test_the_warden_loads_little() -> None:
    """Its start is waited for, and so is each fork of it."""
    code = "import sys; sys.path.append(sys.argv[1]); import warden.process; print(*sys.modules)"
    folder = Path(arena.referee.warden.__file__).parent.parent
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, folder], stdout=subprocess.PIPE, check=True
    )
    heavy = {"trio", "msgspec", "arena", "subprocess", "threading", "typing", "re", "traceback"}
    assert not heavy & set(loaded.stdout.decode().split())


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
