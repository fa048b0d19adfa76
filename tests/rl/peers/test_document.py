"""The examples of docs/adapters.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import arena

pytestmark = pytest.mark.rl

DOCUMENT = Path(arena.__file__).parent.parent / "docs" / "adapters.md"


def test_the_examples_run_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL):
        exec(example, names)
    assert names["over"] == {f"seat_{seat}": True for seat in range(4)}
    returns, gain, shape = capsys.readouterr().out.splitlines()
    assert sum(eval(returns)) == pytest.approx(0)
    assert shape == "(8, 86)"
    assert float(gain) == pytest.approx(19 / 140)
