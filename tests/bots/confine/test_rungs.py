"""Real bots on the rungs of this machine: what they see, what is left over, what is told."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import trio

from arena.bots.botfile import Bot
from arena.bots.build import BuildFailed, build
from arena.bots.builds.builder import give
from arena.bots.confine.choose import LEAST_ABI, tried
from arena.bots.confine.confinement import Rung, free_uids
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.controllers import find_controllers
from arena.bots.confine.limits import BUILD_LIMITS, Limits
from arena.bots.confine.selftest import try_out
from arena.bots.launch import Exit, Tails
from arena.bots.processes import Warden, open_warden
from arena.bots.program import Program, inherited_env
from arena.bots.refused import CannotStart
from arena.bots.warden import landlock
from arena.bots.warden.cgroups.groups import processes_in
from tests.bots.confine.rungs import CONFINED, confined
from tests.bots.programs import SAFETY_SECONDS, until

DOOR = "tcp:127.0.0.1:1"  # nobody listens there
both = pytest.mark.parametrize("rung", CONFINED)


async def ran(
    warden: Warden,
    confiner: Confiner,
    folder: Path,
    code: str,
    *,
    door: str = DOOR,
    limits: Limits | None = None,
) -> tuple[Exit, Tails]:
    """Run a few lines of Python as a confined bot to their end."""
    command = (sys.executable, "-I", "-c", code)
    uid = free_uids() if confiner.means.uids else None
    program = Program("bot", command, folder, limits=limits or Limits(), uid=uid)
    process = await warden.start(confiner.launch(program, {}, door))
    with trio.fail_after(SAFETY_SECONDS):
        end = await process.exited()
    return end, await process.tails()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a bot, that any user may read."""
    for each in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        each.chmod(0o755)
    return tmp_path


async def test_what_is_unconfined_fails_the_self_test(tmp_path: Path) -> None:
    """Else the self-test would prove nothing."""
    async with open_warden() as warden:
        result = await try_out(warden, Confiner(Means(), tmp_path))
    assert not result.holds
    assert "read a file of somebody else" in result.succeeded
    assert "connect to a TCP port of this machine" in result.succeeded
    assert result.lacking == ()


@both
async def test_a_confined_bot_passes_the_self_test(rung: Rung) -> None:
    async with confined(rung) as (warden, confiner):
        uid = free_uids() if confiner.means.uids else None
        assert str(await try_out(warden, confiner, uid)) == "it holds"


def parts_work(rung: Rung) -> bool:
    """Tell if what a rung is made of works on this machine, without any rule of arena."""
    if rung is Rung.LANDLOCK:
        return landlock.abi() >= LEAST_ABI
    words = "bwrap --unshare-all --cap-drop ALL --ro-bind / / --proc /proc --dev /dev true"
    try:
        return subprocess.run(words.split(), capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@both
async def test_a_rung_whose_parts_work_here_holds_here(rung: Rung, tmp_path: Path) -> None:
    """Else a mistake in its rules or in the self-test would skip the tests below."""
    if not parts_work(rung):
        pytest.skip(f"{rung} is made of things that do not work here")
    tmp_path.chmod(0o711)
    async with open_warden() as warden:
        means = await tried(warden, rung, tmp_path, ())
    assert isinstance(means, Means), means


@both
async def test_a_bare_command_line_reads_its_folder_but_no_league_and_no_dot_file(
    rung: Rung, folder: Path
) -> None:
    for name in ("bot.txt", ".env", "cup.arena"):
        (folder / name).write_text("text")
    code = """
import os
for name in ("bot.txt", ".env", "cup.arena"):
    try:
        open(name).close()
        print(name)
    except OSError:
        pass
"""
    command = (sys.executable, "-I", "-c", code)
    async with confined(rung) as (warden, confiner):
        program = Program("bot", command, folder, is_bare=True)
        process = await warden.start(confiner.launch(program, {}, DOOR))
        with trio.fail_after(SAFETY_SECONDS):
            await process.exited()
        tails = await process.tails()
    assert str(tails.stdout) == "bot.txt\n", tails.stderr


@both
async def test_a_bot_that_speaks_tcp_is_connected_to_its_door_alone(
    rung: Rung, folder: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door, socket.create_server(("", 0)) as other:
        port, forbidden = door.getsockname()[1], other.getsockname()[1]
        code = f"""
import socket
sock = socket.create_connection(("127.0.0.1", {port}))
sock.sendall(b"hello")
for address in (("127.0.0.1", {forbidden}), ("127.0.0.2", {port})):
    try:
        socket.create_connection(address)
    except OSError as error:
        print(error.strerror)
"""
        async with confined(rung) as (warden, confiner):
            end, tails = await ran(warden, confiner, folder, code, door=f"tcp:127.0.0.1:{port}")
        accepted, _ = door.accept()
        with accepted:
            assert accepted.recv(5) == b"hello", tails.stderr
        assert str(tails.stdout) == "Permission denied\n" * 2
        assert end.reached == (
            f"it tried to connect to 127.0.0.1:{forbidden}",
            f"it tried to connect to 127.0.0.2:{port}",
        )


@both
async def test_a_socket_that_does_not_wait_is_connected_too(rung: Rung, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        code = f"""
import select, socket
sock = socket.socket()
sock.setblocking(False)
print(sock.connect_ex(("127.0.0.1", {port})) in (0, 115), sock.getblocking())
select.select([], [sock], [])
sock.send(b"hello")
"""
        async with confined(rung) as (warden, confiner):
            _, tails = await ran(warden, confiner, folder, code, door=f"tcp:127.0.0.1:{port}")
        assert str(tails.stdout) == "True False\n", tails.stderr
        accepted, _ = door.accept()
        with accepted:
            assert accepted.recv(5) == b"hello"


@both
async def test_nothing_is_kept_from_one_process_to_the_next(rung: Rung, folder: Path) -> None:
    code = """
import os
place = os.environ["TMPDIR"]
print(os.listdir(place))
open(os.path.join(place, "diary"), "w").write("hands")
print(os.listdir(place))
"""
    async with confined(rung) as (warden, confiner):
        for _ in range(2):
            _, tails = await ran(warden, confiner, folder, code)
            before, after = str(tails.stdout).splitlines()
            assert "diary" not in before, tails.stderr
            assert "diary" in after


@both
async def test_a_daemon_ends_with_its_bot(rung: Rung, folder: Path) -> None:
    code = """
import os, sys, time
if os.fork() == 0:
    try:
        os.setsid()
    except OSError:
        pass
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(3600)"], {})
    os._exit(0)
os.wait()
print("started")
"""
    async with confined(rung) as (warden, confiner):
        end, tails = await ran(warden, confiner, folder, code)
        assert str(tails.stdout) == "started\n", tails.stderr
        # `exited` waits until the whole tree is gone, or reports how many are left.
        assert end.left == 0


@both
async def test_a_file_over_the_scratch_is_refused_and_a_full_one_is_named(
    rung: Rung, folder: Path
) -> None:
    code = """
import os, sys, time
try:
    with open(os.environ["TMPDIR"] + "/large", "wb", buffering=0) as file:
        for _ in range(64):
            if file.write(bytes(1_048_576)) < 1_048_576:
                raise OSError("it is full")
except OSError as error:
    print("refused", flush=True)
sys.stdin.read() if sys.argv[1:] else time.sleep(3600)
"""
    async with confined(rung) as (warden, confiner):
        program = Program(
            "bot",
            (sys.executable, "-I", "-c", code),
            folder,
            limits=Limits(scratch_mb=8),
            uid=free_uids() if confiner.means.uids else None,
        )
        process = await warden.start(confiner.launch(program, {}, DOOR))
        with trio.fail_after(SAFETY_SECONDS):
            while "refused" not in str((await process.tails()).stdout):
                await trio.sleep(0.01)
            process.look_at_scratch()
            end = await process.end()
    # On the second rung each file is bounded, and not all of them together.
    named = ("scratch is full: 8 MB",) if rung is Rung.BUBBLEWRAP else ()
    assert end.reached == named


@both
async def test_memory_over_the_limit_is_refused_or_ends_the_bot(rung: Rung, folder: Path) -> None:
    code = "x = bytearray(b'x' * 300_000_000); print(len(x))"
    async with confined(rung) as (warden, confiner):
        limits = Limits(memory_mb=100)
        end, tails = await ran(warden, confiner, folder, code, limits=limits)
        assert str(tails.stdout) == ""
        assert end.code != 0
        if "memory" in confiner.means.controllers.names:
            assert end.reached == ("memory over 100 MB",)
        else:
            assert "MemoryError" in str(tails.stderr)


@both
async def test_processes_over_the_limit_are_refused(rung: Rung, folder: Path) -> None:
    code = """
import os, time
pids = []
try:
    for _ in range(200):
        pid = os.fork()
        if pid == 0:
            time.sleep(3600)
        pids.append(pid)
except OSError as error:
    print(len(pids) < 40)
"""
    async with confined(rung) as (warden, confiner):
        if rung is Rung.LANDLOCK and not confiner.means.controllers.names:
            pytest.skip("without cgroups the second rung has no bound for the processes of a user")
        _, tails = await ran(warden, confiner, folder, code, limits=Limits(processes=40))
    assert str(tails.stdout) == "True\n", tails.stderr


@both
async def test_a_program_that_is_out_of_sight_is_named_with_the_remedy(
    rung: Rung, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = folder / "home"
    tool = home / ".toolchain" / "bin" / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    own = folder / "bot"
    own.mkdir()
    async with confined(rung) as (_, confiner):
        with pytest.raises(CannotStart) as caught:
            confiner.launch(Program("fox", (str(tool),), own), {}, DOOR)
    assert caught.value.code == "out-of-sight"
    assert f'read = ["{home}/.toolchain"]' in str(caught.value)


@both
async def test_what_the_operator_lets_bots_read_is_seen(rung: Rung, folder: Path) -> None:
    shown = folder / "shown"
    shown.mkdir()
    (shown / "file").write_text("seen")
    own = folder / "bot"
    own.mkdir()
    async with confined(rung) as (warden, confiner):
        more = Confiner(
            replace(confiner.means, read=(*confiner.means.read, shown)), confiner._place
        )
        code = f"print(open({str(shown / 'file')!r}).read())"
        _, tails = await ran(warden, more, own, code)
        assert str(tails.stdout) == "seen\n", tails.stderr
        _, tails = await ran(warden, confiner, own, code)
        assert str(tails.stdout) == ""


@both
async def test_what_a_loader_does_for_a_variable_of_the_bot_is_done_inside(
    rung: Rung, folder: Path
) -> None:
    """The loader of bubblewrap itself would do it outside: write a file, or run the bot's code."""
    outside, own = folder / "outside", folder / "bot"
    for each in (outside, own):
        each.mkdir()
    outside.chmod(0o777)
    chosen = {"LD_DEBUG": "statistics", "LD_DEBUG_OUTPUT": f"{outside}/x", "LEVEL": "3"}
    code = "import os; print(os.environ['LEVEL'], os.environ['LD_DEBUG'])"
    command = (sys.executable, "-I", "-c", code)
    async with confined(rung) as (warden, confiner):
        uid = free_uids() if confiner.means.uids else None
        program = Program("bot", command, own, env=chosen, uid=uid)
        process = await warden.start(confiner.launch(program, {"LEVEL": "4"}, DOOR))
        with trio.fail_after(SAFETY_SECONDS):
            await process.exited()
        tails = await process.tails()
    assert "4 statistics\n" in str(tails.stdout), tails.stderr
    assert list(outside.iterdir()) == []


@both
async def test_a_build_reads_no_file_for_its_author_saying_that_it_is_a_certificate(
    rung: Rung, folder: Path
) -> None:
    """Files of certificates that the operator names in these variables are read."""
    secret, own = folder / "secret", folder / "bot"
    secret.write_text("the operator's")
    own.mkdir()
    reads = ("{python}", "-I", "-S", "-c", "import os; print(open(os.environ['PIP_CERT']).read())")
    bot = Bot("fox", ("./fox",), own, build=reads, env={"PIP_CERT": str(secret)})
    async with confined(rung) as (warden, confiner):
        uid = free_uids() if confiner.means.uids else None
        with pytest.raises(BuildFailed) as caught:
            await build(warden, confiner, bot, own, inherited_env(), SAFETY_SECONDS, uid)
    assert "the operator's" not in str(caught.value)


async def test_means_can_be_told_to_a_job(tmp_path: Path) -> None:
    """As msgpack, with paths as text."""

    def text(value: object) -> str:
        assert isinstance(value, Path)
        return str(value)

    async with open_warden() as warden:
        means = await tried(warden, Rung.BUBBLEWRAP, tmp_path, ())
        if not isinstance(means, Means):
            pytest.skip(f"bubblewrap does not work here: {means.why}")
    packed = msgspec.msgpack.encode(means, enc_hook=text)
    hook = lambda kind, value: kind(value)  # noqa: E731
    assert msgspec.msgpack.decode(packed, type=Means, dec_hook=hook) == means


@both
async def test_a_build_writes_to_its_copy_and_reaches_no_address_of_this_machine(
    rung: Rung, folder: Path
) -> None:
    """It may lock files and begin sessions, which bots may not."""
    code = """
import fcntl, os, socket, subprocess
with open("made", "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
subprocess.run(["true"], start_new_session=True, check=True)
print(os.environ["HOME"] == os.environ["TMPDIR"] != os.getcwd())
try:
    socket.create_connection(("127.0.0.1", 1))
except OSError as error:
    print(error.strerror)
"""
    async with confined(rung) as (warden, confiner):
        uid = free_uids() if confiner.means.uids else None
        own = folder / "bot"
        own.mkdir()
        if uid is not None:
            give(own, uid)
        command = (sys.executable, "-I", "-c", code)
        limits = BUILD_LIMITS
        launch = confiner.build("build of fox", command, {}, own, chosen={}, limits=limits, uid=uid)
        process = await warden.start(launch)
        with trio.fail_after(SAFETY_SECONDS):
            end = await process.exited()
        tails = await process.tails()
    assert str(tails.stdout) == "True\nPermission denied\n", tails.stderr
    assert end.reached == ("it tried to connect to 127.0.0.1:1",)
    assert (own / "made").exists()


SPINS = """
import os
for _ in range(2):
    os.fork()
while True:
    pass
"""


@both
async def test_processes_that_want_more_than_a_bots_cores_are_kept_on_as_many_processors(
    rung: Rung, folder: Path
) -> None:
    """A quota alone would let them hold up bots on every processor of the machine."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one processor")
    if not {"cpu", "cpuset"} <= set(find_controllers().names):
        pytest.skip("control groups of processors cannot be made here")
    async with confined(rung) as (warden, confiner):
        confiner = Confiner(replace(confiner.means, controllers=find_controllers()), folder)
        uid = free_uids() if confiner.means.uids else None
        command = (sys.executable, "-I", "-c", SPINS)
        launch = confiner.launch(Program("bot", command, folder, uid=uid), {}, DOOR)
        groups = [group for group, _, _ in launch.rules.cgroups]
        process = await warden.start(launch)
        # On a busy machine they might not get a whole core; a twentieth they do.
        assert launch.rules.spread is not None
        group = Path(launch.rules.spread[0]).parent
        if (group / "cpu.max").exists():
            (group / "cpu.max").write_text("1000 20000")
        else:
            (group / "cpu.cfs_quota_us").write_text("1000")
            (group / "cpu.cfs_period_us").write_text("20000")

        def are_kept_together() -> bool:
            pids = processes_in(groups)
            return len(pids) >= 4 and {len(os.sched_getaffinity(pid)) for pid in pids} == {1}

        await until(are_kept_together)
        await process.end()
