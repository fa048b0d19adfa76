"""The use of cores, from files like those of the kernel."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.league.play.lanes.machine import TICKS, Machine

HEAD = "cpu  1 1 1 1 1 1 1 1 0 0\n"


def written(
    proc: Path, cores: dict[int, tuple[int, ...]], user: int, system: int, job: int = 7
) -> None:
    """Columns of each core in ticks: user nice system idle iowait irq softirq steal."""
    lines = [f"cpu{core} {' '.join(map(str, columns))} 0 0\n" for core, columns in cores.items()]
    (proc / "stat").write_text(HEAD + "".join(lines) + "intr 1 2 3\n")
    (proc / str(job)).mkdir(exist_ok=True)
    before = "7 (a job) with) S" + " 0" * 10
    (proc / str(job) / "stat").write_text(f"{before} {user} {system} 0 0 20\n")


class Ticking:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def test_the_use_of_its_own_cores_since_the_last_look(tmp_path: Path) -> None:
    clock = Ticking()
    machine = Machine(7, [0, 1], tmp_path, clock)
    written(tmp_path, dict.fromkeys(range(3), (0,) * 8), 0, 0)
    assert machine.used() is None
    clock.at = 2.0
    part = TICKS // 10
    busy = (4 * part, 3 * part, part, 2 * part, part, part, part, part)
    written(tmp_path, {0: busy, 1: (0, 0, 0, TICKS, 0, 0, 0, 0), 2: (TICKS,) * 8}, 2 * part, part)
    used = machine.used()
    assert used is not None
    assert used.seconds == 2.0
    assert used.idle == pytest.approx((3 + 2 + 1 + 10) / 10 / 2)
    assert used.refereeing == pytest.approx(0.3 / 2)
    assert used.thinking == pytest.approx((4 + 1 + 1 + 1 + 1 - 3) / 10 / 2)


def test_without_such_files_nothing_is_known(tmp_path: Path) -> None:
    machine = Machine(7, [0], tmp_path)
    assert machine.used() is None
    assert machine.used() is None


def test_the_files_of_this_machine_are_understood() -> None:
    clock = Ticking()
    machine = Machine(os.getpid(), os.sched_getaffinity(0), clock=clock)
    assert machine.used() is None
    clock.at = 1.0
    used = machine.used()
    assert used is not None
    assert min(used.idle, used.refereeing, used.thinking) >= 0
