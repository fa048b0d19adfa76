"""What contributors' tools and the forge run are stages of .ci/run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUN = ROOT / ".ci" / "run"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CALLERS = [ROOT / ".pre-commit-config.yaml", *WORKFLOWS]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


SUITE = '<testsuite tests="{}" failures="{}" errors="{}" skipped="{}"/>'


def ci(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", str(RUN), *arguments], capture_output=True, text=True)


@pytest.fixture(scope="module")
def stages() -> set[str]:
    listed = ci("--list")
    assert (listed.returncode, listed.stderr) == (0, "")
    return set(re.findall(r"^([a-z]+)  ", listed.stdout, re.M))


def named(text: str) -> list[str]:
    """The stages that a text has .ci/run run, one call after the other."""
    calls = re.findall(
        r"\.ci/run((?: +[a-z]+)*)[ `]*$|`(?:bash )?\.ci/run((?: +[a-z]+)*)`", text, re.M
    )
    return [name for call in calls for part in call for name in part.split()]


@pytest.mark.parametrize("file", [*CALLERS, *DOCUMENTS], ids=lambda file: file.name)
def test_every_stage_that_is_named_exists(file: Path, stages: set[str]) -> None:
    assert {*named(file.read_text())} <= stages


@pytest.mark.parametrize("file", CALLERS, ids=lambda file: file.name)
def test_whatever_a_tool_runs_is_a_call_of_the_one_script(file: Path) -> None:
    """One truth: a check is added to .ci/run, and all callers have it."""
    text = file.read_text()
    run = re.findall(r"^ *(?:- )?(?:entry|run): (.*)$", text, re.M)
    calls = [command for command in run if not command.startswith("git config ")]
    assert calls
    assert all(re.fullmatch(r"bash \.ci/run[ a-z]*", command) for command in calls), calls


def test_pre_commit_runs_all_of_quick() -> None:
    listed = ci("--list").stdout
    (quick,) = re.findall(r"^quick +([a-z ]+):", listed, re.M)
    assert named(CALLERS[0].read_text()) == quick.split()


def test_a_workflow_runs_everything() -> None:
    assert any("run: bash .ci/run\n" in file.read_text() for file in WORKFLOWS)


def test_every_stage_has_its_words(stages: set[str]) -> None:
    text = RUN.read_text()
    assert stages - {"quick"} == {*re.findall(r"^stage_(\w+)\(\)", text, re.M)}
    (whole,) = re.findall(r'^WHOLE="(.*)"$', text, re.M)
    # readme runs what tests and confined run, where toolchains has come before it.
    assert {*whole.split()} == stages - {"quick", "tests", "confined"}
    assert whole.split().index("toolchains") < whole.split().index("readme")


@pytest.mark.parametrize("arguments", [["qick"], ["style", "qick"], ["sty"], ["--all"], ["s.yle"]])
def test_an_unknown_stage_is_told_in_words_and_nothing_runs(
    arguments: list[str], stages: set[str]
) -> None:
    done = ci(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"there is no stage '{arguments[-1]}'; there are: ")
    assert done.stderr.endswith(" See: .ci/run --list\n")
    assert all(stage in done.stderr for stage in stages)


class Bench:
    """A copy of .ci/run with tools that succeed or fail as a test says, and nothing to install."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / ".ci" / "venv" / "bin"
        self.bin.mkdir(parents=True)
        shutil.copy(RUN, folder / ".ci" / "run")
        (folder / "pyproject.toml").write_text("[project]\n")
        key = subprocess.run(
            ["bash", "-c", "python3 -V; pwd; cat pyproject.toml"],
            cwd=folder,
            capture_output=True,
            check=True,
        )
        (self.bin.parent / "made-of").write_bytes(key.stdout)
        (self.bin.parent / "has-dev").touch()
        (self.bin / "activate").write_text(f"PATH={shlex.quote(str(self.bin))}:$PATH\n")
        for tool in ("ruff", "mypy", "pytest"):
            self.tool(tool, "exit 0")

    def tool(self, name: str, script: str) -> None:
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def tests(self, suite: str, code: int) -> None:
        """Have pytest write this as its report, and end with this code."""
        report = "for word; do case $word in --junitxml=*) report=${word#*=};; esac; done"
        self.tool(
            "pytest", f"{report}\nmkdir -p ${{report%/*}}\necho '{suite}' >$report\nexit {code}"
        )

    def run(self, *stages: str) -> tuple[int, list[str]]:
        done = subprocess.run(
            ["bash", ".ci/run", *stages], cwd=self.folder, capture_output=True, text=True
        )
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_the_last_line_counts_tests_and_a_stage_without_any_as_one(bench: Bench) -> None:
    bench.tests(SUITE.format(30, 0, 0, 2), 0)
    code, said = bench.run("style", "types", "tests")
    assert (code, said[-1]) == (0, "30 passed, 0 failed")
    assert [line for line in said if line.startswith("== ")] == ["== style", "== types", "== tests"]


def test_failed_tests_are_counted_and_the_next_stage_runs(bench: Bench) -> None:
    bench.tests(SUITE.format(30, 2, 1, 2), 1)
    code, said = bench.run("tests", "style")
    assert (code, said[-1]) == (1, "26 passed, 3 failed")
    verdicts = [line.split()[6:] for line in said if " s of CPU " in line]
    assert verdicts == [["FAILED", "tests"], ["ok", "style"]]


@pytest.mark.parametrize("which", ["the first command", "the last command"])
def test_a_stage_that_fails_without_a_test_is_one_failure(bench: Bench, which: str) -> None:
    """`ruff check` must fail the stage although `ruff format --check` succeeds after it."""
    failing = "check" if which == "the first command" else "format"
    bench.tool("ruff", f'[ "$1" != {failing} ]')
    code, said = bench.run("style", "types")
    assert (code, said[-1]) == (1, "1 passed, 1 failed")


def test_a_run_that_ends_before_any_test_is_one_failure(bench: Bench) -> None:
    bench.tool("pytest", "exit 4")
    code, said = bench.run("tests")
    assert (code, said[-1]) == (1, "0 passed, 1 failed")


def test_the_soak_runs_beside_the_next_stages_and_is_told_at_the_end(bench: Bench) -> None:
    for extra in ("browser", "dask", "rl"):
        (bench.bin.parent / f"has-{extra}").touch()
    # It goes on only when the next stage has begun.
    bench.tool("ruff", "touch begun")
    bench.tests(SUITE.format(1, 0, 0, 0), 0)
    waits = "for _ in $(seq 500); do [ -e begun ] && break; sleep 0.01; done; [ -e begun ]"
    pytest_tool = (bench.bin / "pytest").read_text().removeprefix("#!/bin/sh\n")
    bench.tool("pytest", f"{waits} || exit 1\n{pytest_tool}")
    code, said = bench.run("soak", "style")
    assert (code, said[-1]) == (0, "3 passed, 0 failed")
    told = [line for line in said if line.startswith("== ")]
    assert told == ["== soak begins, beside the next stages", "== style", "== soak"]


def test_a_soak_that_fails_fails_the_run(bench: Bench) -> None:
    for extra in ("browser", "dask", "rl"):
        (bench.bin.parent / f"has-{extra}").touch()
    bench.tests(SUITE.format(1, 1, 0, 0), 1)
    code, said = bench.run("soak", "style")
    assert (code, said[-1]) == (1, "1 passed, 2 failed")


@pytest.mark.parametrize(("first", "then", "code"), [(5, 0, 0), (0, 5, 0), (1, 0, 1), (0, 1, 1)])
def test_the_tests_that_are_alone_run_after_the_others_and_either_may_be_none(
    bench: Bench, first: int, then: int, code: int
) -> None:
    choice = f'case "$*" in *"slow and alone"*) exit {then};; *) exit {first};; esac'
    bench.tool("pytest", f'echo "$3" >>marks\n{choice}')
    assert bench.run("slow")[0] == code
    marks = (bench.folder / "marks").read_text()
    assert marks == "slow and not alone\nslow and alone\n"
