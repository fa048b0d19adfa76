"""The catalogue once more, as a user without rights: there the bots' user is the operator's."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.skipif(os.geteuid() != 0, reason="all other tests here run as an ordinary user"),
]

ROOT = Path(__file__).parent.parent.parent.parent
CATALOGUE = Path(__file__).parent
NOBODY = "nobody"


def as_nobody(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python as a user to whom nothing belongs."""
    user = pwd.getpwnam(NOBODY)
    return subprocess.run(
        [sys.executable, *arguments],
        user=user.pw_uid,
        group=user.pw_gid,
        extra_groups=[],
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def why_not() -> str:
    """Why this user could not run the tests at all; empty if it can."""
    try:
        tried = as_nobody("-c", "import arena.cli, pytest_trio, tests.bots.nasty")
    except (PermissionError, KeyError) as error:
        return f"{NOBODY} cannot run {sys.executable}: {error}"
    return tried.stderr.strip().rpartition("\n")[2]


def test_the_same_holds_for_an_ordinary_user() -> None:
    if why := why_not():
        pytest.skip(f"an interpreter or a folder that only root may enter: {why}")
    files = ("test_deeds.py", "test_builds.py", "test_matches.py")
    tests = [str(CATALOGUE / name) for name in files]
    # Neither of these two could write into this repository.
    plain = (
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
        "--rootdir",
        str(ROOT),
        "-c",
        str(ROOT / "pyproject.toml"),
    )
    ran = as_nobody("-m", "pytest", "-q", "-m", "slow", "-n", "2", *plain, *tests)
    assert ran.returncode == 0, ran.stdout[-4_000:]
    assert " passed" in ran.stdout
