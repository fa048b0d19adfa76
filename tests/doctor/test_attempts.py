"""Each attempt by itself, unconfined: that it says when it has succeeded, and when it has not."""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.doctor import attempts
from arena.doctor.attempts import ATTEMPTS


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scratch folder of the attempts, beside which others may lie."""
    folder = tmp_path / "scratches" / "own"
    folder.mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def neighbour() -> Iterator[subprocess.Popen[bytes]]:
    """Another bot: a process with a word on its command line, and a token."""
    code = "print('here', flush=True); input()"
    words = [sys.executable, "-I", "-S", "-c", code, "a-mark-of-tests"]
    env = {"ARENA_TOKEN": "x"}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, env=env, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def succeeds(attempt: str, /, **given: Any) -> bool:
    try:
        ATTEMPTS[attempt](given)
    except OSError:
        return False
    return True


MARK = "a-mark-of-tests"[::-1]


@pytest.mark.parametrize(
    "name",
    ["read another bot's token", "send another bot a signal", "change another bot's priority"],
)
def test_another_bot_is_got_at_where_there_is_one(
    neighbour: subprocess.Popen[bytes], name: str
) -> None:
    assert attempts.neighbours({"mark": MARK}) == [neighbour.pid]
    assert succeeds(name, mark=MARK)
    assert not succeeds(name, mark="yvael-ydobon")


def test_one_of_several_is_enough() -> None:
    tried: list[int] = []

    def attempt(process: int) -> None:
        tried.append(process)
        if process != 2:
            raise OSError("no")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attempts, "neighbours", lambda given: [1, 2, 3])
        attempts.of_another_bot({}, attempt)
        assert tried == [1, 2]
        patch.setattr(attempts, "neighbours", lambda given: [1, 3])
        with pytest.raises(OSError, match="no process of another bot"):
            attempts.of_another_bot({}, attempt)


def test_a_process_without_a_token_has_none_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["sleep", "60"], env={}) as process:
        try:
            with pytest.raises(OSError, match="it has none"):
                attempts.read_token(process.pid)
        finally:
            process.kill()


def test_the_warden_is_only_meant_in_its_own_namespace() -> None:
    here = os.readlink("/proc/self/ns/pid")
    for name in ("send the warden a signal", "change the warden's priority"):
        assert succeeds(name, pids=here, warden=os.getpid())
        assert not succeeds(name, pids="elsewhere", warden=os.getpid())
        assert not succeeds(name, pids=here, warden=2**22 + 1)


def test_another_bots_folder_is_read_and_written_to(tmp_path: Path) -> None:
    given = {"folder": str(tmp_path)}
    wants_secret = ("read another bot's folder", "ask whether another bot has a file")
    assert [succeeds(name, **given) for name in wants_secret] == [False, False]
    (tmp_path / "secret").write_text("x")
    assert [succeeds(name, **given) for name in wants_secret] == [True, True]
    assert succeeds("write into another bot's folder", **given)
    assert os.listdir(tmp_path) == ["secret"]
    assert not succeeds("write into another bot's folder", folder=str(tmp_path / "no"))


def test_a_file_of_another_scratch_is_looked_for_beside_the_own(scratch: Path) -> None:
    name = "read another bot's scratch folder"
    assert not succeeds(name, secret="hands")
    other = scratch.parent / "other"
    other.mkdir()
    (other / "hands").touch()
    assert succeeds(name, secret="hands")
    (other / "hands").unlink()
    (scratch.parent / "hands").touch()
    assert succeeds(name, secret="hands")


def test_a_lock_is_taken_unless_somebody_holds_it_alone(tmp_path: Path) -> None:
    file = tmp_path / "python"
    file.touch()
    with pytest.MonkeyPatch.context() as patch, file.open("rb") as held:
        patch.setattr("sys.executable", str(file))
        assert succeeds("lock a file that all bots can read")
        fcntl.flock(held, fcntl.LOCK_EX)
        assert not succeeds("lock a file that all bots can read")


def test_every_page_of_a_block_is_written_to() -> None:
    block = bytearray(3 * mmap.PAGESIZE)
    attempts.touch(block)
    size = len(block) // 3
    assert [at for at, value in enumerate(block) if value] == [0, size, 2 * size]
    assert len(attempts.take(2)) == 2 * 1_048_576
    assert succeeds("use more memory", large_mb=1)
    assert succeeds("use more shared memory", large_mb=1)


def ran(name: str, **given: object) -> list[str]:
    """Run an attempt as a program in a session of its own, and end all that it has started."""
    words = [sys.executable, "-I", "-S", str(attempts.__file__)]
    given["attempt"] = name
    with subprocess.Popen(
        [*words, json.dumps(given)], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip(), process.stdout.readline().strip()]
        os.killpg(process.pid, 9)
    return lines


@pytest.mark.parametrize(
    ("name", "given", "word"),
    [
        ("use more memory in several processes together", {"each_mb": 1}, "succeeded"),
        ("start more processes", {"most": 1}, "succeeded"),
        ("open more files", {"files": 10}, "succeeded"),
        ("use more memory", {"large_mb": 1}, "succeeded"),
        ("use more memory", {"large_mb": 1 << 40}, "refused"),
        ("raise its limit of open files", {"files": -3}, "refused"),
        ("read another bot's folder", {"folder": "/no/such"}, "refused"),
    ],
)
def test_an_attempt_says_that_it_began_and_how_it_went(
    name: str, given: dict[str, object], word: str
) -> None:
    assert ran(name, **given) == ["began", word]


def test_files_are_written_whole_and_removed(scratch: Path) -> None:
    seen: list[list[int]] = []
    remove = os.remove

    def note(path: str) -> None:
        seen.append([file.stat().st_size >> 20 for file in sorted(scratch.iterdir())])
        remove(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.remove", note)
        assert succeeds("write a larger file", large_mb=2)
        assert succeeds("write larger files together", each_mb=1)
    assert seen == [[2], [1, 1, 1], [1, 1], [1]]
    assert os.listdir(scratch) == []


def test_a_file_that_is_cut_short_is_no_larger_file(scratch: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    code = (
        "import resource, signal, sys; from arena.doctor import attempts;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000));"
        "attempts.write_files([2])"
    )
    end = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "OSError: it is full" in end.stderr or "File too large" in end.stderr
    assert os.listdir(scratch) == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == before


def test_a_limit_is_raised_to_one_more() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    code = (
        "import resource; from arena.doctor import attempts;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (30, 40));"
        "attempts.raise_limit({'files': 35});"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    end = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert end.stdout == "(36, 36)\n"
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)


def test_a_daemon_has_left_its_session_and_its_environment(tmp_path: Path) -> None:
    name = f"a-daemon-of-tests-{os.getpid()}"
    words = [sys.executable, "-I", "-S", str(attempts.__file__)]
    given = json.dumps({"attempt": "leave a process behind", "name": name})
    out = tmp_path / "out"  # not a pipe, which the daemon would hold open
    with out.open("w") as file:
        subprocess.run([*words, given], stdout=file, check=True)
    assert out.read_text() == "began\nsucceeded\n"
    (daemon,) = attempts.neighbours({"mark": name[::-1]})
    try:
        assert os.getsid(daemon) != os.getsid(0)
        assert Path(f"/proc/{daemon}/environ").read_bytes() == b""
    finally:
        os.kill(daemon, 9)


def test_a_datagram_has_the_name_in_it() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
        assert succeeds("send a datagram to this machine", port=port, name="hello")
        assert sock.recv(64) == b"hello"


def test_a_diary_is_found_where_it_was_kept_and_removed(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch.parent)
    given = {"name": f"a-diary-of-tests-{os.getpid()}"}
    names = ["/tmp", "/var/tmp", "/dev/shm"]
    places = [str(scratch), str(scratch), str(scratch.parent), *names]
    assert attempts.diaries(given) == [f"{place}/{given['name']}" for place in places]
    kept = [attempts.diaries(given)[0], attempts.diaries(given)[2], "/no/such/folder/x"]
    monkeypatch.setattr(attempts, "diaries", lambda given: kept)
    assert not succeeds("find a file of its last process", **given)
    assert succeeds("keep a file", **given)
    assert (scratch / given["name"]).read_bytes() == b"hands"
    assert succeeds("find a file of its last process", **given)
    assert not any(os.path.exists(place) for place in attempts.diaries(given))
    assert not succeeds("find a file of its last process", **given)
    monkeypatch.setattr(attempts, "diaries", lambda given: ["/no/such/folder/x"])
    assert not succeeds("keep a file", **given)


def test_a_segment_is_found_once() -> None:
    key = 0x41000000 | os.getpid() & 0xFFFFFF
    if not succeeds("keep shared memory", key=key):
        pytest.skip("no shared memory of System V here")
    assert succeeds("find shared memory of its last process", key=key)
    assert not succeeds("find shared memory of its last process", key=key)


def test_a_call_that_fails_raises() -> None:
    assert [attempts.call(0), attempts.call(7)] == [0, 7]
    with pytest.raises(OSError, match=r"\[Errno "):
        attempts.call(-1)


def test_the_scratch_is_tmpdir_or_tmp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    assert attempts.scratch() == "/tmp"
    monkeypatch.setenv("TMPDIR", "/there")
    assert attempts.scratch() == "/there"


def test_memory_that_is_taken_is_written_to_page_by_page() -> None:
    """Until then the kernel has given none of it."""
    block = attempts.take(1)
    assert len(block) == 1 << 20
    assert [at for at, byte in enumerate(block) if byte] == [*range(0, 1 << 20, mmap.PAGESIZE)]
