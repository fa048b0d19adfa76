"""Leagues as named on a command line."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli.control.order import performed
from arena.cli.leagues import file_named, find_league, find_match, is_league
from arena.league.control.acts import Tokens
from arena.league.model.sets import Place
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.lock import FILE_NAME as LOCK
from tests.cli.test_main import run
from tests.league.leagues import Simulated, simulate
from tests.league.rights import as_nobody


def made(folder: Path, name: str) -> Path:
    """What lies there of a league, as far as finding it goes."""
    home = folder / f"{name}.arena"
    home.mkdir(parents=True)
    (home / DATABASE).touch()
    return home


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(argument: str | None) -> str:
    with pytest.raises(click.UsageError) as refused:
        find_league(argument)
    return str(refused.value)


@pytest.mark.parametrize(
    "argument", ["cup", "cup.toml", "cup.arena", "cup.arena/", "cup.arena/league.db", "./cup"]
)
def test_a_league_has_many_names(here: Path, argument: str) -> None:
    home = made(here, "cup")
    made(here, "another")
    assert find_league(argument).absolute() == home
    assert find_league(str(here / argument)).absolute() == home


def test_a_name_may_have_dots(here: Path) -> None:
    home = made(here, "cup.2026")
    for argument in ("cup.2026", "cup.2026.toml", "cup.2026.arena"):
        assert find_league(argument).absolute() == home


def test_the_only_league_here_needs_no_name(here: Path) -> None:
    home = made(here, "cup")
    assert find_league(None).absolute() == home
    (here / "empty.arena").mkdir()
    assert find_league(None).absolute() == home
    made(here, "bowl")
    assert refusal(None) == "name a league. Leagues here: bowl, cup"


def test_a_folder_with_one_league_names_it(here: Path) -> None:
    home = made(here / "sub", "cup")
    assert find_league("sub").absolute() == home
    made(here / "sub", "bowl")
    assert refusal("sub") == "name a league. Leagues in sub: sub/bowl, sub/cup"


def test_where_no_league_is_it_says_how_to_play_one(here: Path) -> None:
    assert refusal(None) == (
        "name a league. No league was played here yet: `arena league` plays one."
    )


def test_a_league_that_was_not_played_is_told_from_one_that_is_not_there(here: Path) -> None:
    (here / "cup.toml").touch()
    for argument in ("cup", "cup.toml", "cup.arena"):
        assert refusal(argument) == (
            "the league of cup.toml was not played yet: `arena league cup.toml` begins it"
        )


def test_a_command_that_is_proposed_can_be_typed_as_it_stands(here: Path) -> None:
    (here / "my cup.toml").touch()
    assert refusal("my cup").endswith(": `arena league 'my cup.toml'` begins it")


def test_a_misspelt_league_is_met_with_the_nearest(here: Path) -> None:
    made(here, "sunday")
    assert refusal("sundy") == (
        "'sundy' is no league: there is no folder sundy.arena with a league.db in it."
        " Did you mean 'sunday'? Leagues here: sunday"
    )
    assert "Did you mean 'sunday'?" in refusal("sundya.toml")
    assert "No league was played in nowhere yet" in refusal("nowhere/cup")


@pytest.mark.parametrize(
    "argument", ["cup", "cup.toml", "cup.arena", "cup.arena/", "cup.arena/league.db", "./cup", "."]
)
def test_the_file_of_a_league_has_its_names_too(here: Path, argument: str) -> None:
    made(here, "cup")
    (here / "cup.toml").touch()
    assert file_named(Path(argument)).absolute() == here / "cup.toml"


def test_a_league_that_was_not_played_has_a_file_and_names_for_it(here: Path) -> None:
    (here / "sub").mkdir()
    for name in ("sub/league.toml", "cup.2026.toml", "odd"):
        (here / name).touch()
    for argument, file in (
        ("sub", "sub/league.toml"),
        ("sub/league", "sub/league.toml"),
        ("cup.2026", "cup.2026.toml"),
        ("odd", "odd"),
        ("none.toml", "none.toml"),
    ):
        assert file_named(Path(argument)) == Path(file)


def test_a_folder_without_a_file_is_told_what_would_do(here: Path) -> None:
    made(here, "cup")
    made(here, "bowl")
    with pytest.raises(click.UsageError) as refused:
        file_named(Path("."))
    assert str(refused.value) == (
        "there is no league.toml in .; name the file, or `arena init .` makes one."
        " Leagues here: bowl, cup."
    )


def test_a_match_is_named_by_league_and_place(here: Path) -> None:
    home = made(here, "cup")
    for argument in ("cup:17.4", "cup.toml:17.4", f"{home}:17.4", ":17.4"):
        found = find_match(argument)
        assert found is not None
        assert (found[0].absolute(), found[1]) == (home, Place(17, 3))
    for argument in ("cup", "cup:", "cup:17", "cup:17.0", "cup:a.b", "17.4"):
        assert find_match(argument) is None


@pytest.mark.parametrize("command", ["table", "matches", "verify"])
def test_every_command_tells_what_is_no_league_of_ours(here: Path, command: str) -> None:
    code, output = run(command, "nothing")
    assert (code, "'nothing' is no league" in output) == (2, True)
    home = made(here, "cup")
    (home / DATABASE).write_text("not a database at all, but long enough to be looked at")
    code, output = run(command, "cup")
    assert code == 1
    assert "this is no league of arena" in " ".join(output.split())


@pytest.mark.parametrize(
    ("files", "is_one"),
    [((), False), ((DATABASE,), True), ((COMPLETE_SETS,), True), ((DATABASE, COMPLETE_SETS), True)],
)
def test_a_folder_with_either_file_of_a_league_is_one(
    files: tuple[str, ...], is_one: bool, tmp_path: Path
) -> None:
    """A copy for others has the complete sets alone."""
    for name in files:
        (tmp_path / name).touch()
    assert is_league(tmp_path) is is_one


@pytest.fixture
def of_another() -> Iterator[Path]:
    """The folder of a league at rest that another user may read, and not write."""
    # Not tmp_path, whose folder above is closed to others.
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "cup.arena"
        simulate(home, Simulated(sets=1)).close()
        Path(folder).chmod(0o755)
        (home / LOCK).touch()
        (home / LOCK).chmod(0o444)
        home.chmod(0o555)
        yield home
        home.chmod(0o755)
        Path(folder).chmod(0o755)


def test_a_league_of_another_user_is_neither_ordered_nor_told_in_a_traceback(
    of_another: Path,
) -> None:
    file = of_another.with_suffix(".toml")
    # `run` loads what the command needs: nobody may not read the modules.
    assert run("tokens", str(of_another), "--revoke", "nobody")[0] == 2
    found = as_nobody(lambda: performed(Tokens(), file, of_another))
    assert found == (
        f"ClickException: {of_another / LOCK}: this user may not write it; it is for the owner of"
        " the league"
    )


@pytest.mark.parametrize("above", [0, 1])
def test_a_league_in_a_closed_folder_is_told_in_words(of_another: Path, above: int) -> None:
    closed = (of_another, of_another.parent)[above]
    closed.chmod(0)
    for name in (of_another, of_another.with_suffix(".toml"), of_another.with_suffix("")):
        found = as_nobody(lambda name=name: find_league(str(name)))  # type: ignore[misc]
        assert found.startswith("ClickException: ")
        assert found.endswith(": this user may not read it; it is for the owner of the league")


def test_the_only_league_in_a_folder_is_named_where_it_is_closed(of_another: Path) -> None:
    of_another.chmod(0)
    found = as_nobody(lambda: find_league(str(of_another.parent)))
    assert found == (
        f"ClickException: {of_another / DATABASE}: this user may not read it; it is for the owner"
        " of the league"
    )
