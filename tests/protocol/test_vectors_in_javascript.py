"""The vectors in a second language, by a program that knows SPEC.md and none of our code."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.vectors import FOLDER, KINDS, load

PROGRAM = Path(__file__).parent.parent / "javascript"


def test_the_lock_names_no_host() -> None:
    """Whatever registry somebody uses, what comes is held to its hash."""
    lock = json.loads((PROGRAM / "package-lock.json").read_text())
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert packages
    for package in packages.values():
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with its package, in a folder of its own."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("javascript")
    for name in ("package.json", "package-lock.json", "vectors.mjs"):
        shutil.copy(PROGRAM / name, folder)
    done = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def run(program: Path, vectors: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node", "vectors.mjs", str(vectors)], cwd=program, capture_output=True, text=True
    )


@pytest.mark.languages
def test_every_vector_holds_in_javascript(installed: Path) -> None:
    done = run(installed, FOLDER)
    assert done.stdout.splitlines() == [
        f"{name}: {len(load(kind))}" for name, kind in KINDS.items()
    ]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.languages
def test_the_javascript_notices_when_a_vector_is_wrong(installed: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors"
    shutil.copytree(FOLDER, vectors)
    for name, before, after in (
        ("frames", '"frame-too-long"', '"closed"'),
        ("messages", '"saving the red one"', '"saving the red 1"'),
        ("conversations", '"too-many-answers"', '"nothing-asked"'),
        ("violations", '"code": "bad-utf8"', '"code": "malformed"'),
        ("chance", '"counter": 258', '"counter": 259'),
        ("commitment", '"match": "m-12"', '"match": "m-13"'),
        ("following", '"may_play": [\n    "B1"\n', '"may_play": [\n    "G3"\n'),
        ("tricks", '"taken_by": 4', '"taken_by": 3'),
        ("showing", '"colours": "RG"', '"colours": "RB"'),
    ):
        file = vectors / f"{name}.json"
        text = file.read_text()
        assert before in text
        file.write_text(text.replace(before, after, 1))
    done = run(installed, vectors)
    failed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert failed == [f"{name}:" for name in KINDS]
    assert done.returncode == 1
