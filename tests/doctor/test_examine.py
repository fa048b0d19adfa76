"""What an examination makes of a machine: proofs, remedies, and when it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from arena.bots.confine.choose import Rejected
from arena.bots.confine.confinement import Rung
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.controllers import Controllers
from arena.bots.confine.selftest import Tried
from arena.bots.launch import Exit, Launch, Tail, Tails
from arena.bots.processes import Warden
from arena.bots.refused import HostFull
from arena.bots.warden.rules import Rules
from arena.doctor import examine as examiner
from arena.doctor.cgroups import how_to_get, missing
from arena.doctor.examine import Examined, Proof, examine
from arena.doctor.probes import (
    PROBES,
    TRIAL_LIMITS,
    Probe,
    _cpu_seconds,
    _processes_with,
    _throttled,
    by_being_held_up,
    by_its_next_process,
    by_itself,
    by_what_arrives,
    by_what_is_left,
)
from arena.doctor.promises import SELF_TEST, Promise
from arena.doctor.report import Report
from arena.doctor.stage import ATTEMPT_SECONDS, NotTried, Stage, _succeeded
from tests.bots.programs import SAFETY_SECONDS

NOBODY = cast("Warden", object())
ALL_GROUPS = Controllers(dict.fromkeys(("memory", "pids", "cpu"), Path("/groups")))
LANDLOCK = Means(Rung.LANDLOCK, abi=7, controllers=ALL_GROUPS)
TOO_OLD = Rejected(Rung.LANDLOCK, "it is too old", "Renew it.")
NO_BWRAP = Rejected(Rung.BUBBLEWRAP, "it is not there", "Get it.")
OPEN = Tried(("use io_uring",), ("connect to its door",))


class Machine:
    """A machine on which rungs work or not, and attempts succeed or not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rungs: dict[Rung, Means | Rejected] = {}
        self.succeeding: set[str] = set()
        self.failing: dict[str, Exception] = {}
        self.unconfined = Tried()
        self.stage_error: Exception | None = None
        monkeypatch.setattr(examiner, "tried", self.tried)
        monkeypatch.setattr(examiner, "try_out", self.try_out)
        monkeypatch.setattr(examiner, "open_stage", self.open_stage)
        monkeypatch.setattr(examiner, "find_controllers", lambda: ALL_GROUPS)
        probes = tuple(replace(probe, judge=self.judge) for probe in PROBES)
        monkeypatch.setattr(examiner, "PROBES", probes)

    async def tried(
        self, warden: Warden, rung: Rung, place: Path, read: Sequence[Path]
    ) -> Means | Rejected:
        assert (warden, place, read) == (NOBODY, Path("/place"), (Path("/read"),))
        return self.rungs[rung]

    async def try_out(self, warden: Warden, confiner: Confiner) -> Tried:
        assert confiner.means == Means(controllers=ALL_GROUPS)
        return self.unconfined

    @asynccontextmanager
    async def open_stage(
        self, warden: Warden, confiner: Confiner, top: Path
    ) -> AsyncIterator[Stage]:
        assert top == Path("/place")
        if self.stage_error is not None:
            raise self.stage_error
        yield cast("Stage", self)

    async def judge(self, stage: Stage, probe: Probe) -> bool:
        if probe.name in self.failing:
            raise self.failing[probe.name]
        return probe.name in self.succeeding

    async def examined(self, *, every: bool = False) -> list[Examined]:
        return await examine(NOBODY, Path("/place"), (Path("/read"),), every=every)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


async def test_it_ends_with_the_first_rung_that_works_unless_all_are_wanted(
    machine: Machine,
) -> None:
    machine.rungs = {Rung.BUBBLEWRAP: NO_BWRAP, Rung.LANDLOCK: LANDLOCK}
    found = await machine.examined()
    assert [(each.rung, each.word, each.works) for each in found] == [
        (Rung.BUBBLEWRAP, "bubblewrap", False),
        (Rung.LANDLOCK, "landlock 7", True),
    ]
    assert (found[0].rejected, found[0].proofs) == (NO_BWRAP, ())
    assert [proof.attempt for proof in found[1].proofs] == [
        *SELF_TEST,
        *(probe.words for probe in PROBES),
    ]
    assert {(proof.was_refused, proof.trouble, proof.remedy) for proof in found[1].proofs} == {
        (True, "", "")
    }
    every = await machine.examined(every=True)
    assert [each.rung for each in every] == [Rung.BUBBLEWRAP, Rung.LANDLOCK, Rung.NONE]
    assert (every[2].word, every[2].works, every[2].rejected) == ("unconfined", False, None)


async def test_of_a_rung_that_does_not_hold_the_self_test_is_told(machine: Machine) -> None:
    broken = replace(TOO_OLD, result=OPEN)
    machine.rungs = {Rung.BUBBLEWRAP: NO_BWRAP, Rung.LANDLOCK: broken}
    proofs = (await machine.examined())[1].proofs
    assert [proof.attempt for proof in proofs] == [*SELF_TEST]
    told = {proof.attempt: (proof.was_refused, proof.remedy) for proof in proofs}
    assert told.pop("use io_uring") == (False, "Renew it.")
    assert {*told.values()} == {(True, "")}
    machine.rungs[Rung.LANDLOCK] = replace(TOO_OLD, result=Tried(trouble="no such flag"))
    troubled = (await machine.examined())[1].proofs
    assert {(proof.was_refused, proof.trouble, proof.remedy) for proof in troubled} == {
        (False, "no such flag", "Renew it.")
    }


async def test_where_nothing_works_the_first_remedy_is_that_of_all(machine: Machine) -> None:
    machine.rungs = {Rung.BUBBLEWRAP: NO_BWRAP, Rung.LANDLOCK: TOO_OLD}
    machine.succeeding = {"keep a file", "read another bot's token"}
    machine.unconfined = OPEN
    none = (await machine.examined())[2]
    broken = {proof.attempt: proof.remedy for proof in none.proofs if not proof.was_refused}
    assert broken == {"use io_uring": "Get it.", "read another bot's token": "Get it."}


async def test_a_stronger_rung_that_keeps_it_is_the_remedy(machine: Machine) -> None:
    machine.rungs = {
        Rung.BUBBLEWRAP: replace(LANDLOCK, rung=Rung.BUBBLEWRAP),
        Rung.LANDLOCK: TOO_OLD,
    }
    machine.unconfined = OPEN
    none = (await machine.examined(every=True))[2]
    (proof,) = (proof for proof in none.proofs if not proof.was_refused)
    assert proof.remedy == "Confinement by bubblewrap keeps it, and works here."


async def test_what_only_a_control_group_holds_has_it_for_a_remedy(machine: Machine) -> None:
    some = Controllers({"pids": Path("/groups")})
    machine.rungs = {
        Rung.BUBBLEWRAP: NO_BWRAP,
        Rung.LANDLOCK: replace(LANDLOCK, controllers=some),
    }
    machine.succeeding = {"use more memory", "use more cores", "write a larger file"}
    found = (await machine.examined())[1]
    groups = how_to_get(missing(some), os.geteuid())
    remedies = {proof.attempt: proof.remedy for proof in found.proofs if not proof.was_refused}
    assert remedies == {
        "use more memory (limit: 96 MB)": groups,
        "write a larger file (limit: 8 MB)": "Get it.",
        "use more cores (limit: 1)": groups,
    }


async def test_an_attempt_that_was_not_made_is_told_and_the_others_go_on(machine: Machine) -> None:
    machine.rungs = {Rung.BUBBLEWRAP: NO_BWRAP, Rung.LANDLOCK: LANDLOCK}
    machine.failing = {
        "read another bot's token": NotTried("it hangs"),
        "use more cores": HostFull("no room"),
    }
    found = (await machine.examined())[1]
    untried = {proof.attempt: proof.trouble for proof in found.proofs if not proof.was_refused}
    assert untried == {
        "read another bot's token": "it hangs",
        "use more cores (limit: 1)": "no room",
    }
    assert len(found.proofs) == len(SELF_TEST) + len(PROBES)


async def test_without_a_stage_no_probe_was_tried(machine: Machine) -> None:
    machine.rungs = {Rung.BUBBLEWRAP: NO_BWRAP, Rung.LANDLOCK: LANDLOCK}
    machine.stage_error = NotTried("a second bot did not start: x")
    proofs = (await machine.examined())[1].proofs
    assert [proof.attempt for proof in proofs] == [
        *SELF_TEST,
        *(probe.words for probe in PROBES),
    ]
    assert {proof.trouble for proof in proofs[len(SELF_TEST) :]} == {
        "a second bot did not start: x"
    }
    assert {proof.was_refused for proof in proofs[: len(SELF_TEST)]} == {True}


def test_a_promise_is_kept_if_every_attempt_was_refused() -> None:
    kept = Proof("a", (Promise.DEALS, Promise.FILES), was_refused=True)
    broken = Proof("b", (Promise.FILES,), was_refused=False)
    found = Examined(Rung.LANDLOCK, "landlock", None, (kept, broken))
    assert found.of(Promise.FILES) == (kept, broken)
    assert [found.keeps(each) for each in (Promise.DEALS, Promise.FILES)] == [True, False]
    report = Report((Examined(Rung.BUBBLEWRAP, "b", NO_BWRAP, ()), found), (), (), ())
    assert report.used is found
    assert report.is_strict
    assert report.rejected == (NO_BWRAP,)
    assert report.broken == tuple(each for each in Promise if each is not Promise.DEALS)
    none = replace(report, rungs=(report.rungs[0], replace(found, rung=Rung.NONE)))
    assert not none.is_strict


END = Exit.from_status(0, asked=False)
KILLED = Exit.from_status(-9, asked=False)


@pytest.mark.parametrize(
    ("stdout", "end", "result"),
    [
        ("began\nsucceeded\n", END, True),
        ("began\nsucceeded\n", KILLED, True),
        ("began\nrefused\n", END, False),
        ("refused\n", END, False),
        ("began\n", KILLED, False),
        ("began\n", END, "why"),
        ("", KILLED, "why"),
    ],
)
def test_what_an_attempt_has_printed_is_read(stdout: str, end: Exit, result: bool | str) -> None:
    out, err = (Tail(text.encode(), b"", len(text)) for text in (stdout, "first\nwhy\n"))
    tails = Tails(out, err)
    if isinstance(result, bool):
        assert _succeeded(end, tails) is result
        return
    with pytest.raises(NotTried, match="why"):
        _succeeded(end, tails)


def test_an_attempt_that_printed_nothing_is_told_by_its_end() -> None:
    nothing = Tail(b"", b"", 0)
    with pytest.raises(NotTried, match=r"exit code 0"):
        _succeeded(END, Tails(nothing, nothing))


class ScriptedStage:
    """A stage on which attempts have results that are written down."""

    name = "a word of tests"

    def __init__(self, *results: Any) -> None:
        self.results = [*results]
        self.calls: list[Any] = []

    async def attempt(self, name: str, limits: object, more: Any = None) -> Any:
        assert limits == TRIAL_LIMITS
        self.calls.append((name, more))
        result = self.results.pop(0)
        if callable(result):
            result(more)
            return False, END
        return result if isinstance(result, tuple) else (result, END)


PROBE = Probe("swim", (Promise.END,), {"far": 3})


@pytest.mark.parametrize("result", [True, False])
async def test_by_itself_an_attempt_is_given_what_the_probe_has(*, result: bool) -> None:
    stage = ScriptedStage(result)
    assert await by_itself(cast("Stage", stage), PROBE) is result
    assert stage.calls == [("swim", {"far": 3})]


async def test_the_next_process_says_what_it_has_found() -> None:
    for result in (True, False):
        stage = ScriptedStage(not result, result)
        assert await by_its_next_process("dive")(cast("Stage", stage), PROBE) is result
        assert [name for name, _ in stage.calls] == ["dive", "swim"]


@pytest.mark.parametrize(("left", "result"), [(0, False), (1, True)])
async def test_a_process_that_could_not_be_killed_is_left(left: int, *, result: bool) -> None:
    stage = ScriptedStage((False, replace(END, left=left)))
    assert await by_what_is_left(cast("Stage", stage), PROBE) is result


@pytest.mark.parametrize(
    ("data", "result"), [(b"a word of tests", True), (b"another", False), (None, False)]
)
async def test_only_a_datagram_of_this_attempt_has_arrived(
    data: bytes | None, *, result: bool
) -> None:
    def send(more: dict[str, int]) -> None:
        if data is not None:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.sendto(data, ("127.0.0.1", more["port"]))

    assert await by_what_arrives(cast("Stage", ScriptedStage(send)), PROBE) is result


class NeverHeldUp:
    """A stage, its warden and a process in a control group that gets no processor to use."""

    exit = None

    def __init__(self, group: Path, setting: str = "cpu.max") -> None:
        self.warden = self
        self.group = group
        self.setting = setting
        self.is_over = False

    def launch(self, name: str, limits: object) -> Launch:
        rules = Rules(cgroups=((str(self.group), ((self.setting, "100000"),), ()),))
        return Launch(name, ("busy",), {}, self.group, rules=rules)

    async def start(self, launch: Launch) -> NeverHeldUp:
        return self

    async def tails(self) -> Tails:
        return Tails(Tail(b"began\n", b"", 6), Tail(b"", b"", 0))

    async def end(self) -> None:
        self.is_over = True


async def test_on_a_busy_machine_a_use_of_cores_is_watched_for_a_quarter_of_an_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    (tmp_path / "cpu.stat").write_text("nr_throttled 0\n")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    stage = NeverHeldUp(tmp_path)
    assert not await by_being_held_up(cast("Stage", stage), PROBE)
    assert stage.is_over
    assert trio.current_time() == pytest.approx(ATTEMPT_SECONDS / 4)


async def test_with_one_core_there_is_no_second_one_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cores in (None, 1):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        # Without a stage: nothing is started.
        assert not await by_being_held_up(cast("Stage", object()), PROBE)


async def test_without_a_group_of_its_controller_nothing_holds_up_a_use_of_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    stage = NeverHeldUp(tmp_path, "memory.max")
    assert await by_being_held_up(cast("Stage", stage), PROBE)
    assert stage.is_over


async def test_a_use_of_cores_that_the_kernel_holds_up_is_watched_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    (tmp_path / "cpu.stat").write_text("nr_throttled 1\n")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    with pytest.MonkeyPatch.context() as patch:
        times = iter((0.0, 9.0))
        patch.setattr("arena.doctor.probes._cpu_seconds", lambda groups: next(times))
        patch.setattr("trio.current_time", iter((0.0, 0.1)).__next__)
        assert not await by_being_held_up(cast("Stage", NeverHeldUp(tmp_path)), PROBE)
    assert trio.current_time() == 0


@pytest.mark.parametrize(("cores", "succeeded"), [(1.01, True), (0.99, False)])
async def test_who_is_never_held_up_succeeds_with_more_than_one_core(
    cores: float,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: MockClock,
    *,
    succeeded: bool,
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    (tmp_path / "cpu.stat").write_text("nr_throttled 0\n")
    monkeypatch.setattr(
        "arena.doctor.probes._cpu_seconds",
        lambda groups: cores * trio.current_time() if groups == [str(tmp_path)] else 0.0,
    )
    await trio.sleep(100)
    assert await by_being_held_up(cast("Stage", NeverHeldUp(tmp_path)), PROBE) is succeeded


async def test_a_use_of_cores_that_never_began_was_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)

    class Ended(NeverHeldUp):
        exit = END  # type: ignore[assignment]

        async def tails(self) -> Tails:
            return Tails(Tail(b"", b"", 0), Tail(b"", b"", 0))

    with pytest.raises(NotTried, match=f"^{re.escape(str(END))}$"):
        await by_being_held_up(cast("Stage", Ended(tmp_path)), PROBE)


class ScriptedWarden:
    """Starts a process that has printed this, and that ends when it is told to, or has ended."""

    pid = 77

    def __init__(self, stdout: str, stderr: str, end: Exit | None = None) -> None:
        self.exit = end
        self.launched: list[Launch] = []
        out, err = (Tail(text.encode(), b"", len(text)) for text in (stdout, stderr))
        self._tails = Tails(out, err)

    async def start(self, launch: Launch) -> ScriptedWarden:
        self.launched.append(launch)
        return self

    async def tails(self) -> Tails:
        await trio.lowlevel.checkpoint()
        return self._tails

    async def exited(self) -> Exit:
        if self.exit is None:
            await trio.sleep_forever()
        return await self.end()

    async def end(self) -> Exit:
        await trio.lowlevel.checkpoint()
        return KILLED if self.exit is None else self.exit


def stage_of(warden: ScriptedWarden, place: Path) -> Stage:
    return Stage(cast("Warden", warden), Confiner(Means(), place), place)


async def test_a_second_bot_that_says_nothing_is_told_with_its_last_words_or_its_end(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    for number, (said, end, told) in enumerate(
        [("first\nno such thing\n", None, "no such thing"), ("", END, "exit code 0")]
    ):
        place = tmp_path / str(number)
        place.mkdir()
        stage = stage_of(ScriptedWarden("", said, end), place)
        with pytest.raises(NotTried, match=f"^a second bot did not start: {told}$"):
            await stage.start_neighbour()
    assert trio.current_time() == pytest.approx(ATTEMPT_SECONDS, abs=0.01)


async def test_a_second_bot_that_says_something_has_started(tmp_path: Path) -> None:
    warden = ScriptedWarden("here\n", "")
    stage = stage_of(warden, tmp_path)
    assert await stage.start_neighbour() is cast("Any", warden)
    (launch,) = warden.launched
    assert launch.name == "neighbour"
    assert launch.env["ARENA_TOKEN"] == "x" * 32
    own = next(folder for folder in tmp_path.iterdir() if folder.name.startswith("own-"))
    other = next(folder for folder in tmp_path.iterdir() if folder.name.startswith("other-"))
    assert launch.folder == other
    assert [(folder / "secret").read_text() for folder in (own, other)] == ["secret"] * 2


async def test_an_attempt_that_hangs_was_not_tried(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    stage = stage_of(ScriptedWarden("began\n", ""), tmp_path)
    with pytest.raises(NotTried, match=r"^it was not done after 20 s$"):
        await stage.attempt("swim", TRIAL_LIMITS)
    assert trio.current_time() == ATTEMPT_SECONDS


async def test_an_attempt_is_started_with_all_that_it_needs_to_know(tmp_path: Path) -> None:
    warden = ScriptedWarden("began\nsucceeded\n", "", END)
    stage = stage_of(warden, tmp_path)
    assert await stage.attempt("swim", TRIAL_LIMITS, {"far": 3}) == (True, END)
    (launch,) = warden.launched
    given = json.loads(launch.command[-1])
    tag = given["name"].removeprefix(".arena-doctor-")
    assert len(tag) == 16
    assert 0 <= given.pop("key") < 2**31
    assert given == {
        "attempt": "swim",
        "name": f".arena-doctor-{tag}",
        "mark": f"another-{tag}"[::-1],
        "folder": str(tmp_path / f"other-{tag}"),
        "secret": f"arena-doctor-{tag}-scratch",
        "warden": 77,
        "pids": os.readlink("/proc/self/ns/pid"),
        "far": 3,
    }
    assert launch.folder == tmp_path / f"own-{tag}"


async def test_what_an_attempt_has_left_is_killed() -> None:
    words = [sys.executable, "-I", "-S", "-c", "print('here', flush=True); input()"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*words, ScriptedStage.name], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert await by_what_is_left(cast("Stage", ScriptedStage(False)), PROBE)
        assert process.wait(SAFETY_SECONDS) == -signal.SIGKILL


def test_what_an_attempt_has_left_in_the_scratch_folder_and_at_home_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [tmp_path / folder / name for folder in ("scratch", "home") for name in ("n", "s", "x")]
    for file in left:
        file.parent.mkdir(exist_ok=True)
        file.write_text("")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    stage = SimpleNamespace(name="n", _secret="s")
    Stage.clean_up(cast("Stage", stage))
    assert [file.name for file in left if file.exists()] == ["x", "x"]


@pytest.mark.parametrize(
    ("text", "is_throttled"),
    [
        ("nr_periods 5\nnr_throttled 1\nthrottled_time 3\n", True),
        ("nr_periods 5\nnr_throttled 0\n", False),
        ("nr_periods 5\n", False),
        ("", False),
    ],
)
def test_times_of_waiting_are_counted(tmp_path: Path, text: str, *, is_throttled: bool) -> None:
    (tmp_path / "cpu.stat").write_text(text)
    assert _throttled(tmp_path / "cpu.stat") is is_throttled
    assert not _throttled(tmp_path / "missing")


def test_the_time_of_a_groups_processes_is_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    own = sum(os.times()[:2])
    monkeypatch.setattr("arena.doctor.probes.processes_in", lambda groups: {os.getpid(), 2**22 + 1})
    assert own - 1 <= _cpu_seconds(["/group"]) <= sum(os.times()[:2]) + 1
    monkeypatch.setattr("arena.doctor.probes.processes_in", lambda groups: set())
    assert _cpu_seconds(["/group"]) == 0


def test_processes_are_found_by_a_whole_word() -> None:
    words = [sys.executable, "-I", "-S", "-c", "input()", "a-word-of-examine"]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        # Exec may not have happened yet; until then it has the command line of this process.
        while _processes_with("a-word-of-examine") != [process.pid]:
            assert process.poll() is None
        assert _processes_with("a-word-of") == []
        process.kill()


def test_the_trial_limits_are_reached_by_what_the_probes_ask_for() -> None:
    assert (TRIAL_LIMITS.memory_mb, TRIAL_LIMITS.processes, TRIAL_LIMITS.scratch_mb) == (96, 24, 8)
    assert (TRIAL_LIMITS.open_files, TRIAL_LIMITS.cores) == (64, 1)
    given = {probe.words: dict(probe.given) for probe in PROBES if probe.given}
    assert given == {
        "use more memory (limit: 96 MB)": {"large_mb": 160},
        "use more memory in several processes together (limit: 96 MB)": {"each_mb": 60},
        "use more shared memory (limit: 96 MB)": {"large_mb": 160},
        "start more processes (limit: 24)": {"most": 24},
        "write a larger file (limit: 8 MB)": {"large_mb": 12},
        "write larger files together (limit: 8 MB)": {"each_mb": 5},
        "open more files (limit: 64)": {"files": 64},
        "raise its limit of open files": {"files": 64},
    }
