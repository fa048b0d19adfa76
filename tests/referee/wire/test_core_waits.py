"""How long this thread has waited for a processor, as the kernel says."""

from __future__ import annotations

from pathlib import Path

from arena.referee.wire.core_waits import CoreWaits


def test_it_only_goes_up() -> None:
    waits = CoreWaits()
    first = waits()
    assert 0 <= first <= waits()
    waits.close()
    assert first <= waits()
    waits.close()
    waits.close()


def test_it_is_the_second_number_in_whole_microseconds(tmp_path: Path) -> None:
    counts = tmp_path / "schedstat"
    counts.write_text("381305 60870 1\n")
    waits = CoreWaits(str(counts))
    assert waits() == 60
    counts.write_text("381305 1060870 2\n")
    assert waits() == 1060
    waits.close()


def test_a_kernel_that_does_not_count_it_says_nothing(tmp_path: Path) -> None:
    waits = CoreWaits(str(tmp_path / "missing"))
    assert waits() == 0
    assert waits() == 0
    waits.close()
