"""The warden's bots: refusals with their errno, and which ended processes are reaped when."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.warden.children import Children
from arena.bots.warden.printing import Printing
from arena.bots.warden.rules import Rules
from arena.bots.warden.spawn import StartOrder
from tests.bots.programs import SAFETY_SECONDS
from tests.bots.reaping import CHECKS
from tests.referee.door.test_lobby import no_more_descriptors
from tests.referee.real_match import ROOT


@pytest.mark.parametrize("check", CHECKS)
def test_in_a_warden_of_its_own(check: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bots.reaping", check],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SAFETY_SECONDS,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "as it should\n"), ran.stderr


def refusal(rules: Rules | None = None) -> tuple[object, ...]:
    """The only message about a bot that cannot be started."""
    sent: list[tuple[object, ...]] = []
    bots = Children("secret", sent.append)
    order = StartOrder(("true",), {}, "/", 64, rules)
    assert bots.start(1, order, Printing()) is None
    (message,) = sent
    return message


def test_a_machine_without_descriptors_refuses_with_its_errno() -> None:
    with no_more_descriptors():
        message = refusal()
    assert message == ("refused", 1, "machine", errno.EMFILE)


def test_rules_whose_folder_or_group_cannot_be_made_refuse_with_their_errno(tmp_path: Path) -> None:
    """And nothing that was made for them is left."""
    group, missing = tmp_path / "group", str(tmp_path / "missing" / "scratch")
    rules = Rules(cgroups=((str(group), (), ()),), folders=(missing,))
    assert refusal(rules) == ("refused", 1, "rules", errno.ENOENT)
    assert not group.exists()
    rules = Rules(cgroups=((str(group), (("no/file", "1"),), ()),))
    assert refusal(rules) == ("refused", 1, "rules", errno.ENOENT)
    assert not group.exists()
