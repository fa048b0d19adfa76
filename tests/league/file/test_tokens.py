"""The files for the authors of bots that dial in."""

from __future__ import annotations

import socket
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from arena.league.file.tokens import file_of, to_dial, tokens_of
from arena.league.model.config import Entrant, League

HERE = "tcp:127.0.0.1:4000"
LEAGUE = League(
    name="Cup",
    game="nyet",
    seats=2,
    entrants=(Entrant("fox", None, "fox"), Entrant("owl", None, "owl")),
    sets=1,
    listen=HERE,
)


def lines(folder: Path, name: str) -> list[str]:
    return file_of(folder, name).read_text().splitlines()


def test_each_has_a_file_of_its_own_that_a_shell_can_read(tmp_path: Path) -> None:
    tokens = tokens_of(LEAGUE, tmp_path)
    assert [*tokens] == ["fox", "owl"]
    assert tokens["fox"] != tokens["owl"]
    for name, token in tokens.items():
        comment, *rest = lines(tmp_path, name)
        assert comment.startswith(f"# For the author of {name}: ")
        assert rest == ["ARENA_RETRY_S=5", f"ARENA_CONNECT={HERE}", f"ARENA_TOKEN={token}"]


@pytest.mark.parametrize("is_copied", [False, True])
def test_nobody_else_on_the_machine_may_read_them(tmp_path: Path, is_copied: bool) -> None:
    """Also where the folder was copied by a program that does not keep modes."""
    tokens_of(LEAGUE, tmp_path)
    if is_copied:
        file_of(tmp_path, "fox").chmod(0o644)
        file_of(tmp_path, "fox").parent.chmod(0o755)
        tokens_of(LEAGUE, tmp_path)
    assert stat.S_IMODE(file_of(tmp_path, "fox").stat().st_mode) == 0o600
    assert stat.S_IMODE(file_of(tmp_path, "fox").parent.stat().st_mode) == 0o700


def test_a_token_stays_and_the_address_follows_the_league(tmp_path: Path) -> None:
    before = tokens_of(LEAGUE, tmp_path)
    elsewhere = "tcp:127.0.0.1:4001"
    assert tokens_of(replace(LEAGUE, listen=elsewhere), tmp_path) == before
    assert lines(tmp_path, "fox")[2:] == [
        f"ARENA_CONNECT={elsewhere}",
        f"ARENA_TOKEN={before['fox']}",
    ]


@pytest.mark.parametrize(
    "cut", ["", "ARENA_CONNECT=x\n", "ARENA_TOKEN=half-a-tok", "ARENA_TOKEN=\n"]
)
def test_a_file_that_was_cut_short_gets_a_new_token(tmp_path: Path, cut: str) -> None:
    before = tokens_of(LEAGUE, tmp_path)["fox"]
    file_of(tmp_path, "fox").write_text(cut)
    after = tokens_of(LEAGUE, tmp_path)["fox"]
    assert after not in ("", "half-a-tok", before)
    assert lines(tmp_path, "fox")[-1] == f"ARENA_TOKEN={after}"


def test_without_anybody_who_dials_in_there_is_nothing(tmp_path: Path) -> None:
    assert tokens_of(replace(LEAGUE, entrants=(), listen=None), tmp_path) == {}
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("everywhere", ["tcp:0.0.0.0:4000", "tcp:[::]:4000"])
def test_who_listens_everywhere_is_dialled_by_name(everywhere: str) -> None:
    assert to_dial(everywhere) == f"tcp:{socket.gethostname()}:4000"
    assert to_dial("tcp:[::1]:4000") == "tcp:[::1]:4000"
