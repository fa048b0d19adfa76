"""The warden with real processes: what it starts, and that it ends all of it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

import arena.bots.warden
from arena.bots.launch import KeepPieces, Launch, Tail
from arena.bots.processes import _FOLDER, _PROGRAM, open_warden
from arena.bots.refused import CannotStart, HostFull
from arena.bots.warden.outputs import (
    FILE_BYTES,
    FIRST_BYTES,
    LAST_BYTES,
    SHOWN_BYTES,
    SLICE_BYTES,
    Output,
)
from arena.bots.warden.tree import MARK_VARIABLE, all_processes, below, children_of, look_up
from arena.bots.warden.wire import pack, unpack
from tests.bots.programs import BOTS, SAFETY_SECONDS, Family, processes_called, until, until_says
from tests.referee.real_match import ROOT

PRINTS_AND_STAYS = "import sys, time; print(end=sys.argv[1], flush=True); time.sleep(3600)"


async def test_a_bot_runs_with_what_it_was_given_and_nothing_else() -> None:
    family = Family()
    with trio.fail_after(SAFETY_SECONDS):
        async with open_warden() as warden:
            bot = await warden.start(family.launch("tells_all.py", "one", "two words"))
            end = await bot.exited()
            tails = await bot.tails()
    assert str(end) == "exit code 0", tails.stderr
    told = json.loads(str(tails.stdout))
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
        assert int(str((await bot.tails()).stdout).split()[1], 16) == 0


def test_no_ignored_or_blocked_signal_of_the_referee_reaches_a_bot() -> None:
    """Nor does one that is blocked keep the warden from seeing that a bot has ended."""
    referee = subprocess.run(
        [sys.executable, "-m", "tests.bots.deaf_referee"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * SAFETY_SECONDS,
    )
    *lines, end = referee.stdout.splitlines()
    assert end == "exit code 0", referee.stderr
    assert {line.split()[0]: int(line.split()[1], 16) for line in lines} == {
        "SigBlk:": 0,
        "SigIgn:": 0,
    }


async def test_the_exit_code_and_both_tails_are_told() -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch("exits_with_code.py", "3"))
        assert str(await bot.exited()) == "exit code 3"
        tails = await bot.tails()
        assert (str(tails.stdout), str(tails.stderr)) == ("going\n", "gone wrong\n")


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


async def test_of_several_ends_of_a_bot_the_earliest_holds() -> None:
    hours = 3_600_000 * 5
    async with open_warden() as warden:
        for graces in ((hours, 0), (0, hours)):
            bot = await warden.start(Family().launch("ignores_sigterm.py"))
            await until_says(bot)
            for grace_ms in graces:
                bot.end_soon(grace_ms)
            with trio.fail_after(SAFETY_SECONDS):
                assert str(await bot.exited()).startswith("killed by signal 9")


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
        assert "ready" in str((await bot.tails()).stdout)
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
    """The known limit: it is below the warden, but nothing says whose of several bots it was."""
    command = f"/bin/sleep 86400.{os.getpid()}"
    async with open_warden() as warden:
        await warden.start(Family().launch("ignores_sigterm.py"))
        launch = Family().launch("daemon_without_a_mark.py", *command.split())
        bot = await warden.start(launch)
        await bot.exited()
        await until(lambda: bool(processes_called(command)))
    assert not processes_called(command)


async def test_a_daemon_that_has_wiped_its_mark_ends_with_the_only_bot_that_there_is() -> None:
    command = f"/bin/sleep 86401.{os.getpid()}"
    async with open_warden() as warden:
        bot = await warden.start(Family().launch("daemon_without_a_mark.py", *command.split()))
        assert (await bot.exited()).left == 0
        assert not processes_called(command)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
async def test_a_flood_is_drained_and_only_its_two_ends_are_kept(stream: str) -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch(f"floods_{stream}.py"))
        with trio.fail_after(SAFETY_SECONDS):
            while getattr(await bot.tails(), stream).total_bytes < 10_000_000:
                pass
        await bot.end()
        tail = getattr(await bot.tails(), stream)
        assert (len(tail.first), len(tail.last)) == (FIRST_BYTES, LAST_BYTES)
        assert f"\n[{tail.dropped_bytes} bytes are left out here]\n" in str(tail)


@pytest.mark.parametrize("piece", [1, 1_000, FIRST_BYTES, SLICE_BYTES])
def test_the_line_that_matters_is_kept_at_the_beginning_and_at_the_end(piece: int) -> None:
    """Java and Node say what is wrong first, Python last; in whatever pieces it comes."""
    lines = b"".join(b"  at frame %d\n" % number for number in range(2_000))
    printed = b"Error: no such card\n" + lines + b"at last\n"
    reader, writer = os.pipe()
    output = Output(reader)
    for at in range(0, len(printed), piece):
        os.write(writer, printed[at : at + piece])
        assert output.read_slice()
    first, last, total = output.tail()
    assert (first, last, total) == (
        printed[:FIRST_BYTES],
        printed[-LAST_BYTES:],
        len(printed),
    )
    os.close(writer)
    assert not output.read_slice()
    output.close()


@pytest.mark.parametrize("more", [0, 1])
def test_output_up_to_the_limit_is_kept_whole(more: int) -> None:
    printed = b"-" * (FIRST_BYTES + LAST_BYTES) + b"+" * more
    reader, writer = os.pipe()
    output = Output(reader)
    os.write(writer, printed)
    assert output.read_slice()
    tail = Tail(*output.tail())
    assert tail.dropped_bytes == more
    assert (str(tail) == printed.decode()) is (more == 0)
    os.close(writer)
    output.close()


@pytest.mark.slow
@pytest.mark.alone
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
async def test_files_of_output_are_capped_and_hold_the_newest(tmp_path: Path) -> None:
    async with open_warden() as warden:
        bot = await warden.start(replace(Family().launch("floods_stdout.py"), logs=tmp_path))
        with trio.fail_after(SAFETY_SECONDS):
            while (await bot.tails()).stdout.total_bytes < 3 * FILE_BYTES:
                pass
        await bot.end()
    newer, older = tmp_path / "stdout.txt", tmp_path / "stdout.1.txt"
    assert sorted(tmp_path.iterdir()) == [older, newer]
    assert newer.stat().st_size <= FILE_BYTES
    assert FILE_BYTES - SLICE_BYTES < older.stat().st_size <= FILE_BYTES
    assert newer.read_bytes().endswith((await bot.tails()).stdout.last)


async def test_output_is_passed_on_as_it_comes_where_somebody_wants_it() -> None:
    came: list[tuple[object, ...]] = []
    async with open_warden(lambda *printed: came.append(printed)) as warden:
        launch = Family().launch("exits_with_code.py", "0")
        await (await warden.start(launch)).exited()
        assert came == []  # of this one it is not wanted, as of a build
        await (await warden.start(replace(launch, is_shown=True))).exited()
    assert sorted(came) == [
        ("exits_with_code.py", 2, "stderr", 0, b"gone wrong\n"),
        ("exits_with_code.py", 2, "stdout", 0, b"going\n"),
    ]


async def test_of_what_a_bot_prints_too_much_of_the_number_of_bytes_is_told_at_its_end(
    tmp_path: Path,
) -> None:
    came: list[tuple[str, int, str, int, bytes]] = []
    much = 3 * SHOWN_BYTES
    code = f"import os\ndata = b'x' * {much}\nwhile data: data = data[os.write(2, data):]"
    async with open_warden(lambda *printed: came.append(printed)) as warden:
        command = (sys.executable, "-I", "-S", "-c", code)
        await (await warden.start(Launch("x", command, {}, tmp_path, is_shown=True))).exited()
    assert {printed[:3] for printed in came} == {("x", 1, "stderr")}
    assert sum(skipped + len(data) for *_, skipped, data in came) == much
    assert sum(len(data) for *_, data in came) >= SHOWN_BYTES


async def test_what_was_printed_in_each_match_is_a_file_of_its_own(tmp_path: Path) -> None:
    """Also of a bot that ends in a match; what comes between two belongs to the second."""
    speaks = "import sys\nfor line in open(sys.argv[1]):\n    print(line.strip(), flush=True)"
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    folder = tmp_path / "pieces"
    folder.mkdir()
    launch = Family().command(sys.executable, "-I", "-S", "-c", speaks, str(fifo))
    async with open_warden() as warden:
        bot = await warden.start(replace(launch, pieces=KeepPieces(folder, "1.1~fox")))
        with await trio.to_thread.run_sync(fifo.open, "w") as file:

            async def prints(word: str) -> None:
                file.write(f"{word}\n")
                file.flush()
                with trio.fail_after(SAFETY_SECONDS):
                    while word not in str((await bot.tails()).stdout):
                        await trio.lowlevel.checkpoint()

            await prints("one")
            bot.has_played()
            await bot.plays("2.1~fox")
            await prints("two")
            bot.has_played()
            await bot.tails()
            await prints("between")
            await bot.plays("3.1~fox")
            await prints("end")
        await bot.exited()
    pieces = {piece.name.partition("~")[2]: piece.read_text() for piece in folder.iterdir()}
    assert pieces == {
        "1.1~fox.stdout": "one\n",
        "2.1~fox.stdout": "two\n",
        "3.1~fox.stdout": "between\nend\n",
    }
    assert {piece.stat().st_mode & 0o777 for piece in folder.iterdir()} == {0o600}


async def test_the_warden_keeps_nothing_of_who_has_ended_or_never_begun(tmp_path: Path) -> None:
    async with open_warden() as warden:
        await (await warden.start(Family().command("true"))).exited()
        before = set(os.listdir(f"/proc/{warden.pid}/fd"))
        for logs in (None, tmp_path, tmp_path / "missing"):
            for line in ("true", "no-such-program", "sleep 60"):
                pieces = None if logs is None else KeepPieces(logs, "1.1~fox")
                launch = replace(Family().command(*line.split()), logs=logs, pieces=pieces)
                with suppress(CannotStart, HostFull):
                    await (await warden.start(launch)).end()
        # It may be looking through /proc just now, and have one more open for a moment.
        await until(lambda: set(os.listdir(f"/proc/{warden.pid}/fd")) <= before)
        children = children_of(all_processes().values())
        assert not below(warden.pid, children)


async def test_the_end_of_a_bot_that_had_closed_its_output_leaves_the_output_of_others_alone() -> (
    None
):
    """The next bot's pipes get the numbers of those that were closed."""
    waits = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
print("ready", flush=True)
signal.sigwait({signal.SIGTERM})
print("still here")
"""
    async with open_warden() as warden:
        await (await warden.start(Family().command("true"))).exited()
        before = set(os.listdir(f"/proc/{warden.pid}/fd"))
        line = "exec sleep 3600 >/dev/null 2>&1"
        silent = await warden.start(Family().command("sh", "-c", line))
        await until(lambda: set(os.listdir(f"/proc/{warden.pid}/fd")) <= before)
        other = await warden.start(Family().command(sys.executable, "-I", "-S", "-c", waits))
        await until_says(other)
        await silent.end()
        end = await other.end(SAFETY_SECONDS * 1000)
        assert str((await other.tails()).stdout) == "ready\nstill here\n"
        assert end.code == 0
        assert (await silent.tails()).stdout.total_bytes == 0


async def test_output_that_cannot_be_filed_is_no_harm_to_the_bot(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    launch = Family().launch("exits_with_code.py", "0")
    async with open_warden() as warden:
        bot = await warden.start(
            replace(launch, logs=missing, pieces=KeepPieces(missing, "1.1~fox"))
        )
        assert str(await bot.exited()) == "exit code 0"
        assert str((await bot.tails()).stdout) == "going\n"


def test_a_full_link_holds_up_nothing_and_loses_nothing() -> None:
    """The referee may be busy for longer than its link has room for what it asked."""
    kept = FIRST_BYTES + LAST_BYTES
    printed = b"x" * kept
    command = (sys.executable, "-I", "-S", "-c", PRINTS_AND_STAYS, printed.decode())
    with a_warden_of_its_own() as (process, ours, theirs):
        messages = messages_from(ours)
        ours.sendall(pack(("start", 1, command, {}, "/", 64, (), {})))
        assert next(messages)[0] == "started"
        told: tuple[object, ...] = ()
        while told != (
            "tails",
            1,
            (b"x" * FIRST_BYTES, b"x" * LAST_BYTES, kept),
            (b"", b"", 0),
            (),
        ):
            ours.sendall(pack(("tails", 1)))
            told = next(messages)
        ours.sendall(pack(("tails", 1)) * 100)
        # It has taken all requests and sleeps again, with more to send than the link holds.
        deadline = time.monotonic() + SAFETY_SECONDS
        while unread(theirs) or (status := look_up(process.pid)) is None or status.state != "S":
            assert time.monotonic() < deadline
            time.sleep(0.001)
        assert unread(ours) < 100 * kept
        assert [next(messages) for _ in range(100)] == [told] * 100
        ours.sendall(pack(("end", 1, 0)))
        assert next(messages)[0] == "exited"
        ours.close()
        assert process.wait(SAFETY_SECONDS) == 0


@contextmanager
def a_warden_of_its_own() -> Iterator[tuple[subprocess.Popen[bytes], socket.socket, socket.socket]]:
    """A warden without Trio, and both ends of its link."""
    ours, theirs = socket.socketpair()
    ours.settimeout(SAFETY_SECONDS)
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, _FOLDER, "secret"]
    started = subprocess.Popen(command, stdin=theirs.fileno(), start_new_session=True)
    with started as process, ours, theirs:
        try:
            yield process, ours, theirs
        finally:
            process.kill()  # if it has not ended; its bots end with it


def messages_from(link: socket.socket) -> Iterator[tuple[object, ...]]:
    buffer = bytearray()
    while data := link.recv(65_536):
        buffer += data
        yield from unpack(buffer)


def unread(link: socket.socket) -> int:
    """How many bytes have come that nobody has read."""
    return int.from_bytes(fcntl.ioctl(link, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_the_warden_loads_little() -> None:
    """Its start is waited for, and so is each fork of it."""
    code = "import sys; sys.path.append(sys.argv[1]); import warden.process; print(*sys.modules)"
    folder = Path(arena.bots.warden.__file__).parent.parent
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, folder], stdout=subprocess.PIPE, check=True
    )
    heavy = {"trio", "msgspec", "arena", "subprocess", "threading", "typing", "re", "traceback"}
    assert not heavy & set(loaded.stdout.decode().split())


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
