"""The course of a soak: a ladder that runs, is stopped, killed and goes on, and its programs.

All processes are real. 40 bots dial in, most of them played by two programs, the others by a
program each, which are killed now and then. Five sample bots are started by the league, one of
which gets a new version.
"""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from arena import data
from arena.league.store.folder import folder_of
from tests.league.running import ARENA
from tests.league.soak.checks import INTERRUPTED, KILLED_JOB, KILLED_RUNNER
from tests.league.soak.diary import KILLED, STOP, Diary, Entry
from tests.league.soak.operator import Operator
from tests.league.soak.programs import Later, Program
from tests.league.soak.watch import JOB, Sample, children, look

CALLERS = tuple(f"caller-{number:02}" for number in range(40))
# Each of these has a program of its own; the others share two.
ALONE = CALLERS[:6]
SHARED = (CALLERS[6:23], CALLERS[23:])
SAMPLES = ("python-random", "python-high", "python-bare", "python-tricks")
CHANGING = "changing"  # a started bot whose files change once

JOBS, AT_ONCE, SEATS = 2, 3, 4
LOOK_SECONDS = 1.0
# An ended league, or a killed one's children, are gone after so long at most.
ENDS_SECONDS = 60.0
# Parts of all the time, after which these things happen. All stops are in the first quarter, so
# that one run of the league can be compared from the second quarter to the last.
STOPS_AT, KILLS_AT, KILLS_JOB_AT = 1 / 12, 2 / 12, 2.5 / 12
# Means, in seconds, between two kills of programs, two acts of the operator, and two new versions
# of bots that dial in; and of the time until any of these is undone.
KILL_SECONDS, ACT_SECONDS, VERSION_SECONDS, UNDO_SECONDS = 15.0, 8.0, 40.0, 6.0
# Changes of tokens while the league rests.
REVOKED_AT_ONCE, RENEWED_AT_ONCE = 3, 2


def league_text(port: int) -> str:
    bots = [f'[[bots]]\nname = "{name}"\ndials_in = true\n' for name in CALLERS]
    bots += [f'[[bots]]\nsample = "{name}"\n' for name in SAMPLES]
    bots.append(f'[[bots]]\npath = "{CHANGING}"\nname = "{CHANGING}"\n')
    return (
        'name = "Soak"\ngame = "nyet"\nformat = "ladder"\nduplicate = false\n'
        'versions = "new-row"\n'
        f'seats = {SEATS}\njobs = {JOBS}\nat_once = {AT_ONCE}\nlisten = "tcp:127.0.0.1:{port}"\n'
        "[options]\nrounds = 1\n"
        # Programs that share a busy machine are never late.
        "[clock]\ndecision_ms = 5000\nhang_ms = 20000\n" + "".join(bots)
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@dataclass
class Course:
    """One soak in a folder, for so many seconds. `tell` takes lines for people."""

    folder: Path
    seconds: float
    seed: str
    tell: Callable[[str], object]
    samples: list[Sample] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.file = self.folder / "soak.toml"
        self.home = folder_of(self.file)
        self.events_file = self.folder / "events.ndjson"
        self.said = self.folder / "said.txt"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._rng = random.Random(self.seed)
        self._diary = Diary.append(self.folder / "director.diary")
        self._league: subprocess.Popen[str] | None = None
        self._held = ExitStack()
        self._later = Later()
        self._began = 0.0
        self._operator = Operator(self.file, self.folder / "invited", self._note)
        self._idle = {*CALLERS}  # bots to which no act of the operator applies now
        self.programs = [self._program(names, "tokens") for names in SHARED]
        self._alone = {name: self._program((name,), "tokens") for name in ALONE}
        self.programs += self._alone.values()

    def _program(self, names: Sequence[str], tokens: str) -> Program:
        folder = self.folder / tokens if tokens == "invited" else self.home / tokens
        diary = self.folder / f"{names[0]}.diary"
        return Program(names, diary, (self.seed, str(diary), str(folder), *names))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave no process behind."""
        for program in self.programs:
            if program.process is not None:
                program.kill()
        if self._league is not None:
            self._league.kill()
            self._league.wait()
        self._held.close()
        self._diary.file.close()

    @property
    def diaries(self) -> list[Path]:
        """The files of all entries."""
        return sorted(self.folder.glob("*.diary"))

    @property
    def elapsed(self) -> float:
        """Seconds since the soak began."""
        return time.time() - self._began

    def run(self) -> None:
        """Play from the first start to the last stop."""
        changing = self.folder / CHANGING
        changing.mkdir(parents=True)
        for file in (data.sample_bots() / "python-random").glob("*.*"):
            (changing / file.name).write_bytes(file.read_bytes())
        self.file.write_text(league_text(free_port()))
        self._began = time.time()
        self._start_league()
        for program in self.programs:
            program.start()
        self._play(until=STOPS_AT)
        self._stop()
        revoked, renewed = self._taken(REVOKED_AT_ONCE), self._taken(RENEWED_AT_ONCE)
        for name in revoked:
            self._operator.revoke(name)
        for name in renewed:
            self._operator.renew(name)
        bot = changing / "bot.py"
        bot.write_text(bot.read_text() + "\n# improved\n")
        self._start_league()
        self._play(until=KILLS_AT)
        self._kill_league()
        for name in revoked:
            self._operator.renew(name)
        self._idle.update(revoked + renewed)
        self._start_league()
        self._play(until=KILLS_JOB_AT)
        self._kill_job()
        self._play(until=1.0)
        self._stop()
        for program in self.programs:
            program.end()

    def _taken(self, number: int = 1) -> list[str]:
        """Take so many bots to which no act of the operator applies."""
        chosen = self._rng.sample(sorted(self._idle), number)
        self._idle.difference_update(chosen)
        return chosen

    # The league.

    def _start_league(self) -> None:
        said = self._held.enter_context(self.said.open("ab"))
        command = [*ARENA, "league", str(self.file), "--events", str(self.events_file)]
        self._league = subprocess.Popen(
            command, stdout=said, stderr=subprocess.STDOUT, text=True, cwd=self.folder
        )

    def _stop(self) -> None:
        """Stop the league as a person does."""
        with self._ending(INTERRUPTED) as league:
            league.send_signal(signal.SIGINT)
            code = league.wait(ENDS_SECONDS)
            assert code == 130, f"arena league ended with exit code {code}; see said.txt"

    def _kill_league(self) -> None:
        with self._ending(KILLED_RUNNER) as league:
            league.kill()
            league.wait()

    @contextmanager
    def _ending(self, way: str) -> Iterator[subprocess.Popen[str]]:
        """End the league in this block; wait until its children are gone too."""
        league = self._league
        assert league is not None
        jobs = [*children(league.pid, JOB)]
        self._note("", STOP, way)
        yield league
        self._league = None
        until = time.monotonic() + ENDS_SECONDS
        while any(Path(f"/proc/{pid}").exists() for pid in jobs):
            assert time.monotonic() < until, f"jobs are left after {way}"
            time.sleep(0.05)
        # Bots that were told late are told near this.
        self._note("", STOP, way)
        self.tell(f"{self.elapsed:.0f} s: {way}")

    def _kill_job(self) -> None:
        assert self._league is not None
        until = time.monotonic() + ENDS_SECONDS
        while not (jobs := [*children(self._league.pid, JOB)]):
            assert time.monotonic() < until, "there is no job yet"
            time.sleep(0.05)
        job = self._rng.choice(jobs)
        self._note("", STOP, KILLED_JOB)
        subprocess.run(["kill", "-9", str(job)], check=True)
        self.tell(f"{self.elapsed:.0f} s: {KILLED_JOB}")

    # The time between.

    def _play(self, until: float) -> None:
        """Let all play until this part of the time is over; disturb them meanwhile."""
        end = self._began + until * self.seconds
        disturb = {
            self._kill_one: KILL_SECONDS,
            self._act: ACT_SECONDS,
            self._new_version: VERSION_SECONDS,
        }
        at = {what: time.time() + self._rng.expovariate(1 / disturb[what]) for what in disturb}
        while (now := time.time()) < end:
            assert self._league is not None
            assert self._league.poll() is None, "arena league has ended; see said.txt"
            self.samples += look(self.elapsed, self._league.pid)
            for what in [each for each in at if at[each] <= now]:
                at[what] = now + self._rng.expovariate(1 / disturb[what])
                what()
            self._later.do(now)
            time.sleep(LOOK_SECONDS)

    def _undo_at(self) -> float:
        return time.time() + self._rng.expovariate(1 / UNDO_SECONDS)

    def _kill_one(self) -> None:
        """Kill one of the programs of one bot, and start it again later."""
        running = [each for each in self._alone.values() if each.process is not None]
        if not running:
            return
        program = self._rng.choice(running)
        program.kill()
        (name,) = program.names
        self._note(name, KILLED)
        self._later.add(self._undo_at(), program.start)

    def _act(self) -> None:
        """Change something about a bot, and undo it later."""
        (name,) = self._taken()
        do, undo = self._rng.choice(
            [
                (self._operator.revoke, self._operator.renew),
                (self._operator.retire, self._operator.admit),
                (self._operator.renew, None),
            ]
        )
        do(name)

        def undone() -> None:
            if undo is not None:
                undo(name)
            self._idle.add(name)

        self._later.add(self._undo_at(), undone)

    def _new_version(self) -> None:
        """Retire a bot that has a program of its own; another bot of its owner comes instead."""
        ready = sorted(
            name
            for name, program in self._alone.items()
            if name in self._idle and program.process is not None
        )
        if not ready:
            return
        name = self._rng.choice(ready)
        self._idle.discard(name)  # for good
        program = self._alone.pop(name)
        program.kill()
        self._note(name, KILLED)
        self._operator.retire(name)
        newer = f"{name}-new"
        self._operator.invite(newer, name)
        program = self._program((newer,), "invited")
        program.start()
        self.programs.append(program)
        self.tell(f"{self.elapsed:.0f} s: {newer} comes in the place of {name}")

    def _note(self, bot: str, what: str, detail: str = "") -> None:
        self._diary.write(Entry(time.time(), bot, what, detail=detail))
