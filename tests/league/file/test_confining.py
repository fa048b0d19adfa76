"""What a league's file says of confinement, limits and builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.confine.confinement import Wish
from arena.bots.confine.limits import Limits
from arena.league.model.config import Confine
from tests.league.file.test_reading import league, problems

GAME = 'game = "nyet"\n'
BOTS = """
[[bots]]
sample = "python-random"

[[bots]]
sample = "python-bare"
"""


def test_without_a_word_bots_have_the_ordinary_limits_and_the_best_confinement(
    tmp_path: Path,
) -> None:
    found = league(tmp_path, GAME + BOTS)
    assert [each.limits for each in found.entrants] == [Limits(), Limits()]
    assert found.confine == Confine(Wish.AUTO, (), True)


def test_limits_are_of_all_bots_and_those_of_a_bot_go_before_them(tmp_path: Path) -> None:
    found = league(
        tmp_path,
        f"{GAME}[limits]\nmemory_mb = 16\nprocesses = 1\nscratch_mb = 2\nopen_files = 17\n"
        f"cores = 3\n{BOTS}limits = {{ memory_mb = 1024, cores = 1 }}\n",
    )
    assert [each.limits for each in found.entrants] == [
        Limits(memory_mb=16, processes=1, scratch_mb=2, open_files=17, cores=3),
        Limits(memory_mb=1024, processes=1, scratch_mb=2, open_files=17, cores=1),
    ]
    own = league(tmp_path, f"{GAME}{BOTS}limits = {{ scratch_mb = 1 }}\n")
    assert [each.limits for each in own.entrants] == [Limits(), Limits(scratch_mb=1)]


@pytest.mark.parametrize(
    ("line", "least"),
    [("memory_mb", 16), ("processes", 1), ("scratch_mb", 1), ("open_files", 16), ("cores", 1)],
)
def test_a_limit_under_which_nothing_runs_is_refused_where_it_stands(
    line: str, least: int, tmp_path: Path
) -> None:
    for of, text in (
        ("[limits]", f"{GAME}[limits]\n{line} = {least - 1}\n{BOTS}"),
        ("`limits` of [[bots]] number 2", f"{GAME}{BOTS}limits = {{ {line} = {least - 1} }}\n"),
    ):
        (problem,) = problems(tmp_path, text)
        assert problem.startswith(f"`{line}` of {of} is {least - 1}; it must be ")
    league(tmp_path, f"{GAME}[limits]\n{line} = {least}\n{BOTS}")


def test_confinement_is_a_word_or_a_table_with_paths_as_seen_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "home" / ".cargo").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = league(tmp_path, f'confine = "strict"\n{GAME}{BOTS}')
    assert found.confine == Confine(Wish.STRICT, (), True)
    table = '[confine]\nby = "none"\nread = ["tools", "~/.cargo", "/usr"]\n'
    found = league(tmp_path, f"{GAME}{table}[build]\nnetwork = false\n{BOTS}")
    paths = (tmp_path / "tools", tmp_path / "home" / ".cargo", Path("/usr"))
    assert found.confine == Confine(Wish.NONE, paths, False)
    found = league(tmp_path, f"{GAME}[confine]\nread = []\n[build]\nnetwork = true\n{BOTS}")
    assert found.confine == Confine(Wish.AUTO, (), True)


def test_what_confinement_cannot_be_is_told(tmp_path: Path) -> None:
    wishes = f"it must be one of {', '.join(Wish)}"
    (problem,) = problems(tmp_path, f'confine = "best"\n{GAME}{BOTS}')
    assert problem.startswith(f"`by` of [confine] is 'best'; {wishes}")
    (problem,) = problems(tmp_path, f'{GAME}[confine]\nread = ["gone"]\n{BOTS}')
    gone = str(tmp_path / "gone")
    assert problem == f"`read` of [confine] has {gone!r}, and there is no such file"
    (problem,) = problems(tmp_path, f"{GAME}[build]\nnetwork = 1\n{BOTS}")
    assert problem.startswith("`network` of [build] is 1; it must be true or false")
