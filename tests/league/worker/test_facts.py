"""What a worker says of itself, and why it will not do."""

from __future__ import annotations

import msgspec
import pytest

import arena
from arena.league.worker.facts import (
    MACHINE,
    clock_warning,
    machine_name,
    own_facts,
    version,
    why_unfit,
)
from arena.league.worker.messages import Unfit


def test_a_worker_of_the_same_program_will_do() -> None:
    ours = own_facts()
    assert why_unfit(ours, ours) is None
    assert clock_warning(ours, ours) is None


def test_another_version_is_named_with_what_to_do() -> None:
    ours = own_facts()
    why = why_unfit(msgspec.structs.replace(ours, version="0.0.1 (0123456789)"), ours)
    assert why is not None
    assert why.reason == "version"
    assert why.why.startswith("it has arena 0.0.1 (0123456789), and the runner ")
    assert why.why.endswith("install the same there, and start it again")


def test_another_python_is_named() -> None:
    ours = own_facts()
    why = why_unfit(msgspec.structs.replace(ours, python="3.99"), ours)
    assert why == Unfit(
        f"it has Python 3.99, and the runner {ours.python}: use the same there", "python"
    )


def test_the_version_tells_the_files_apart_and_not_only_the_number() -> None:
    number, _, digits = version().partition(" ")
    assert number == arena.__version__
    assert len(digits.strip("()")) == 10


@pytest.mark.parametrize(("seconds", "word"), [(120.0, "ahead"), (-120.0, "behind")])
def test_a_clock_that_is_wrong_is_told(seconds: float, word: str) -> None:
    ours = own_facts()
    warning = clock_warning(msgspec.structs.replace(ours, clock=ours.clock + seconds), ours)
    assert warning == f"its clock is 120 s {word}; times of its matches will be, too"


def test_the_operator_names_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MACHINE, "east")
    assert machine_name() == "east"
    assert own_facts().machine == "east"
