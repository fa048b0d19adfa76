"""Adapters without the packages of the extra `rl`."""

from __future__ import annotations

import importlib
import sys

import pytest

from arena.rl.extra import of_the_extra_rl

REMEDY = r"which is in the extra rl: pip install '\.\[rl\]' in the folder of arena"


@pytest.mark.parametrize(
    ("module", "package"),
    [("aec", "gymnasium"), ("parallel", "gymnasium"), ("spiel", "pyspiel")],
)
def test_an_adapter_without_its_package_says_what_to_install(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("arena.rl.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.spaces", None)
    with pytest.raises(ModuleNotFoundError, match=rf"the adapters need {package}, {REMEDY}"):
        importlib.import_module(f"arena.rl.{module}")


def test_another_module_that_is_missing_is_told_as_it_is() -> None:
    with (
        pytest.raises(ModuleNotFoundError, match=r"^No module named 'nowhere_at_all'$"),
        of_the_extra_rl(),
    ):
        importlib.import_module("nowhere_at_all")
