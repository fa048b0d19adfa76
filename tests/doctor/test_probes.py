"""The probes: that each shows something, which is that it succeeds where nothing holds it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from arena.bots.confine import probe
from arena.bots.confine.confinement import Rung
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.processes import open_warden
from arena.doctor.attempts import ATTEMPTS
from arena.doctor.examine import Examined, examine, used
from arena.doctor.probes import PROBES, TRIAL_LIMITS, Probe, _cpu_seconds
from arena.doctor.promises import NOT_PROMISED, SELF_TEST, WORDS, Promise
from arena.doctor.stage import NotTried, open_stage
from tests.bots.confine.rungs import CONFINED, confined

# Held where nothing else is: open files for every bot that is started, and daemons by the warden.
HELD_UNCONFINED = {"open more files", "leave a process behind"}
# Only root may, and only with more than one core it can be seen.
HELD_AT_TIMES = {"raise its limit of open files", "use more cores"}


def test_every_attempt_of_the_self_test_shows_a_promise() -> None:
    assert SELF_TEST.keys() == probe.ATTEMPTS.keys()
    assert all(SELF_TEST.values())


def test_every_probe_is_an_attempt_and_every_attempt_is_used() -> None:
    first_halves = {"keep a file", "keep shared memory"}
    assert {each.name for each in PROBES} | first_halves == ATTEMPTS.keys()
    assert len({each.words for each in PROBES}) == len(PROBES)


def test_every_promise_has_words_and_is_tried_more_than_once() -> None:
    assert WORDS.keys() == set(Promise)
    assert NOT_PROMISED.keys() == set(Rung)
    for promise in Promise:
        tries = [each for each in SELF_TEST.values() if promise in each]
        tries += [each.promises for each in PROBES if promise in each.promises]
        assert len(tries) >= 2, promise


def told(probe: Probe) -> str:
    judge = getattr(probe.judge, "__qualname__", "").partition(".")[0]
    parts = [
        ", ".join(probe.promises),
        *(f"{name}={value}" for name, value in probe.given.items()),
        f"cgroup {probe.cgroup}" if probe.cgroup else "",
        judge if judge != "by_itself" else "",
    ]
    return f"{probe.words}: {'; '.join(part for part in parts if part)}"


def test_each_probe_has_its_promises_sizes_and_judge() -> None:
    assert [told(probe) for probe in PROBES] == [
        "read another bot's token: identity",
        "read another bot's memory: deals, identity",
        "attach to another bot: deals, identity",
        "send another bot a signal: others",
        "change another bot's priority: others",
        "send the warden a signal: others, end",
        "change the warden's priority: others",
        "lock a file that all bots can read: others",
        "read another bot's folder: files",
        "write into another bot's folder: files",
        "read another bot's scratch folder: files",
        "ask whether another bot has a file: files, memory",
        "leave a process behind: end; by_what_is_left",
        "find a file of its last process: memory; by_its_next_process",
        "find shared memory of its last process: memory; by_its_next_process",
        "use more memory (limit: 96 MB): limits; large_mb=160; cgroup memory",
        "use more memory in several processes together (limit: 96 MB): limits; each_mb=60;"
        " cgroup memory",
        "use more shared memory (limit: 96 MB): limits; large_mb=160; cgroup memory",
        "start more processes (limit: 24): limits; most=24",
        "write a larger file (limit: 8 MB): limits; large_mb=12",
        "write larger files together (limit: 8 MB): limits; each_mb=5",
        "open more files (limit: 64): limits; files=64",
        "raise its limit of open files: limits; files=64",
        "use more cores (limit: 1): limits; cgroup cpu; by_being_held_up",
        "send a datagram to this machine: network; by_what_arrives",
    ]


def test_a_bot_cannot_do_what_is_promised() -> None:
    assert [f"a bot cannot {words}" for words in WORDS.values()] == [
        "a bot cannot learn a deal except through its views",
        "a bot cannot be another bot",
        "a bot cannot slow or stop anybody",
        "a bot cannot see or change anybody's files",
        "a bot cannot outlive its match",
        "a bot cannot keep anything from one match of a set to the next",
        "a bot cannot exceed its limits",
        "a bot cannot reach the network",
    ]
    assert {attempt: ", ".join(broken) for attempt, broken in SELF_TEST.items()} == {
        "read a file of somebody else": "deals, files",
        "list a folder of somebody else": "files",
        "write into a folder of somebody else": "files",
        "change its own sources": "files, memory",
        "read the referee's environment": "identity",
        "read the referee's memory": "deals",
        "attach to the referee": "deals",
        "send the referee a signal": "others",
        "change the referee's priority": "others",
        "begin a session of its own": "others",
        "make a user namespace": "limits",
        "connect to a TCP port of this machine": "network",
        "connect to a Unix socket of somebody else": "network",
        "connect to an abstract Unix socket": "network",
        "open an AF_VSOCK socket": "network",
        "use io_uring": "network",
        "use userfaultfd": "others",
        "add a key to a keyring": "memory",
    }


def test_what_no_attempt_can_show_is_told_rung_by_rung() -> None:
    everywhere = [
        "hidden signals by timing: a bot can measure how busy the machine is, and keep it busy",
        "errors in the kernel, in bubblewrap and in the programs that bots may read",
        "figures about the whole machine in /proc (memory, processor time, uptime)",
    ]
    by_landlock = [
        "the command lines of all processes of this machine, and its load, in /proc",
        "whether a file exists, its size and its times, for a bot that knows the path",
    ]
    assert {rung: [*words] for rung, words in NOT_PROMISED.items()} == {
        Rung.BUBBLEWRAP: everywhere,
        Rung.LANDLOCK: [*everywhere, *by_landlock],
        Rung.NONE: ["anything: a bot can do whatever the user who runs arena can do"],
    }


@pytest.mark.slow
async def test_a_bot_that_is_not_confined_succeeds_with_nearly_everything() -> None:
    """Else the probes would prove nothing."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        async with open_warden() as warden:
            found = await examine(warden, Path(folder), (), every=True)
    unconfined = found[-1]
    assert unconfined.rung is Rung.NONE
    assert [each.trouble for each in unconfined.proofs if each.trouble] == []
    refused = {proof.attempt for proof in unconfined.proofs if proof.was_refused}
    by_words = {each.words: each.name for each in PROBES}
    assert {by_words[attempt] for attempt in refused} - HELD_AT_TIMES <= HELD_UNCONFINED
    for examined in found[:-1]:
        if examined.works:
            check_confined(examined)


def check_confined(examined: Examined) -> None:
    """What every rung keeps, on every machine."""
    assert [each.trouble for each in examined.proofs if each.trouble] == []
    for promise in (Promise.DEALS, Promise.IDENTITY, Promise.OTHERS, Promise.END, Promise.NETWORK):
        assert examined.keeps(promise), promise


@pytest.mark.parametrize("rung", CONFINED)
async def test_an_attempt_that_is_refused_is_told_from_one_that_was_not_made(
    rung: Rung, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    async with (
        confined(rung) as (warden, confiner),
        open_stage(warden, confiner, tmp_path) as stage,
    ):
        succeeded, _ = await stage.attempt("read another bot's folder", TRIAL_LIMITS)
        assert not succeeded
        with pytest.raises(NotTried, match="KeyError"):
            await stage.attempt("write a larger file", TRIAL_LIMITS)


async def test_nothing_is_left_of_an_unconfined_bot_that_kept_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setenv("HOME", str(scratch))
    async with open_warden() as warden:
        async with open_stage(warden, Confiner(Means(), tmp_path), tmp_path) as stage:
            succeeded, _ = await stage.attempt("keep a file", TRIAL_LIMITS)
            assert succeeded
            assert stage.name in os.listdir(scratch)
        assert os.listdir(scratch) == []


def test_the_rung_in_use_is_the_first_that_works() -> None:
    landlock = Examined(Rung.LANDLOCK, "landlock 7", None, ())
    none = Examined(Rung.NONE, "unconfined", None, ())
    assert used([landlock, none]) is landlock
    assert used([none]) is none


def test_a_promise_that_nothing_was_tried_against_is_not_kept() -> None:
    assert not Examined(Rung.LANDLOCK, "landlock 7", None, ()).keeps(Promise.DEALS)


def test_processor_time_is_that_of_the_program_and_of_the_kernel_for_it(tmp_path: Path) -> None:
    """Of this process, as the kernel tells it by another way, up to its ticks."""
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n")
    tick = 1 / os.sysconf("SC_CLK_TCK")
    before = os.times()
    used = _cpu_seconds([str(tmp_path)])
    after = os.times()
    assert before.user + before.system - 2 * tick <= used <= after.user + after.system + 2 * tick
