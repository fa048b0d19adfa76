"""The self-test: what its program tries, and what is made of its words."""

from __future__ import annotations

import errno
import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bots.confine import probe, selftest
from arena.bots.confine.filters import numbers
from arena.bots.confine.selftest import Tried
from arena.bots.launch import Exit, Tail, Tails


def refuse(_: object) -> None:
    raise OSError("no")


def test_attempts_go_on_after_one_that_failed() -> None:
    done: list[object] = []
    table: dict[str, Callable[[dict[str, Any]], object]]
    table = {"a": refuse, "b": done.append, "c": refuse, "d": done.append}
    assert probe.succeeded(table, {"x": 1}) == ["b", "d"]
    assert done == [{"x": 1}] * 2


def test_unconfined_all_succeeds_that_any_process_may_do() -> None:
    """The others need rights that this user, or this kernel, may not give."""
    with selftest._surroundings(None) as (folder, given):
        words = [sys.executable, "-I", "-S", str(probe.__file__), json.dumps(given)]
        env = {"TMPDIR": str(folder)}
        said = json.loads(subprocess.run(words, env=env, capture_output=True, check=True).stdout)
        assert [*os.listdir(folder.parent)] != []
        top = folder.parent
    assert said["needs"] == [
        "read its own folder",
        "write into its scratch folder",
        "connect to its door",
    ]
    always = {
        "read a file of somebody else",
        "list a folder of somebody else",
        "write into a folder of somebody else",
        "change its own sources",
        "send the referee a signal",
        "change the referee's priority",
        "begin a session of its own",
        "connect to a TCP port of this machine",
        "connect to a Unix socket of somebody else",
        "connect to an abstract Unix socket",
    }
    assert always <= {*said["attempts"]}
    assert not top.exists()


def test_surroundings_are_open_so_that_only_the_rung_keeps_the_probe_out() -> None:
    with selftest._surroundings(None) as (folder, given):
        top = folder.parent
        modes = {path.name: path.stat().st_mode & 0o777 for path in (top, *top.iterdir())}
        assert modes[top.name] == 0o755
        assert [modes[name] for name in ("elsewhere", "door", "other")] == [0o777, 0o666, 0o666]
        assert (folder / "readable").read_text() == "own"
        assert Path(str(given["secret"])).read_text() == "secret"
        assert given == {
            "secret": f"{top}/elsewhere/secret",
            "elsewhere": f"{top}/elsewhere",
            "own": f"{top}/own",
            "door": f"{top}/door",
            "referee": os.getpid(),
            "pids": os.readlink("/proc/self/ns/pid"),
            "tcp": given["tcp"],
            "unix": f"{top}/other",
            "abstract": f"{top.name}-abstract",
        }


def test_a_long_path_of_temporary_files_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for size in (selftest.MOST_FOLDER_BYTES, selftest.MOST_FOLDER_BYTES + 1):
        room = tmp_path / str(size)
        room.mkdir()
        # mkdtemp adds "arena-" and eight characters.
        while (missing := size - 15 - len(str(room))) > 0:
            room = room / ("x" * min(missing - 1 if missing > 1 else 1, 40))
            room.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(room))
        made.append(selftest._short_folder())
        is_inside = made[-1].is_relative_to(room)
        if len(str(room)) + 15 == size:
            assert is_inside == (size == selftest.MOST_FOLDER_BYTES)
            assert is_inside or [*room.iterdir()] == []
    for folder in made:
        folder.rmdir()


def attempt(name: str, given: dict[str, object]) -> None:
    probe.ATTEMPTS[name](given)


def test_what_is_not_there_cannot_be_done(tmp_path: Path) -> None:
    """Each of these would be told as a success if its failure were not noticed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        given: dict[str, object] = {
            "secret": str(tmp_path / "no"),
            "elsewhere": str(tmp_path / "no"),
            "own": str(tmp_path / "no"),
            "door": str(tmp_path / "no"),
            "tcp": port,
            "unix": str(tmp_path / "no"),
            "abstract": "arena-nobody-listens-here",
            "pids": "pid:[1]",
            "referee": os.getpid(),
        }
        done = probe.succeeded(probe.ATTEMPTS, given)
    assert {name for name in done if "referee" in name or "somebody" in name} == set()
    assert {name for name in done if "connect" in name or "sources" in name} == set()
    assert "begin a session of its own" in done  # in a child of its own


def test_an_empty_file_was_not_read(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(OSError, match="empty"):
        probe.read(str(tmp_path / "empty"))
    (tmp_path / "full").write_bytes(b"x" * 100)
    assert probe.read(str(tmp_path / "full")) == b"x" * 64


def test_a_file_that_was_written_is_removed_again(tmp_path: Path) -> None:
    probe.write(str(tmp_path / "x"))
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_takes_no_byte_cannot_be_written_into(tmp_path: Path) -> None:
    """On a full disk there are still empty files to be made."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
            probe.write(str(tmp_path / "x"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_an_attempt_in_a_child_fails_as_the_child_does() -> None:
    probe.in_a_child(lambda: None)
    with pytest.raises(OSError, match="it failed"):
        probe.in_a_child(lambda: refuse(None))


def test_a_system_call_that_fails_raises_its_error() -> None:
    number = numbers(["sched_yield", "close"])
    probe.call(number["sched_yield"])  # returns 0
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        probe.call(number["close"], -1)
    with pytest.raises(OSError, match="ptrace"):
        probe.seize(os.getpid())  # nobody traces itself


def test_the_referee_is_only_meant_in_its_own_namespace() -> None:
    seen: list[int] = []
    here = os.readlink("/proc/self/ns/pid")
    probe.of_the_referee({"pids": here, "referee": 7}, seen.append)
    assert seen == [7]
    with pytest.raises(OSError, match="namespace"):
        probe.of_the_referee({"pids": f"{here}0", "referee": 7}, seen.append)


def test_a_process_may_read_its_own_memory_and_keep_its_own_priority() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    probe.memory(os.getpid())
    probe.renice(os.getpid())
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
    with pytest.raises(OSError, match="No such"):
        probe.memory(2**22 + 1)


ALL = json.dumps({"attempts": [], "needs": [*probe.NEEDS]})


@pytest.mark.parametrize(
    ("stdout", "stderr", "result", "words"),
    [
        (ALL, "", Tried(), "it holds"),
        (ALL, "a warning", Tried(), "it holds"),
        (
            '{"attempts": ["fly", "swim"], "needs": ["connect to its door"]}',
            "",
            Tried(("fly", "swim"), ("read its own folder", "write into its scratch folder")),
            "a bot can fly; a bot can swim; a bot cannot read its own folder; a bot cannot write"
            " into its scratch folder",
        ),
        ("", "first\n last \n\n", Tried(trouble=" last"), " last"),
        ("{}", "", Tried(trouble="the self-test ended with exit code 3"), ""),
        ("[", "why", Tried(trouble="why"), "why"),
    ],
)
def test_the_words_of_the_probe_are_read(
    stdout: str, stderr: str, result: Tried, words: str
) -> None:
    out, err = (Tail(text.encode(), b"", len(text)) for text in (stdout, stderr))
    told = selftest._told(Exit.from_status(3, asked=False), Tails(out, err))
    assert told == result
    assert str(told) == (words or result.trouble)
    assert told.holds == (words == "it holds")
