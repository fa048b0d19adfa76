"""The command line as a whole."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from arena import __version__
from arena.cli import COMMANDS, main


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.output


def test_the_version_is_told() -> None:
    assert run("--version") == (0, f"arena, version {__version__}\n")


def test_help_lists_every_command_with_its_sentence() -> None:
    code, output = run("--help")
    assert code == 0
    for name, (_, sentence) in COMMANDS.items():
        assert f"  {name}" in output
        assert sentence in output


@pytest.mark.parametrize("name", [*COMMANDS])
def test_every_command_has_help_with_examples(name: str) -> None:
    code, output = run(name, "--help")
    assert code == 0
    assert "Examples:" in output
    assert f"arena {name}" in output


def test_a_misspelt_command_is_met_with_the_nearest() -> None:
    code, output = run("gmaes")
    assert code == 2
    assert "there is no command 'gmaes'. Did you mean 'games'?" in output


def test_what_looks_like_an_option_is_no_command_after_two_dashes_either() -> None:
    code, output = run("--", "--sets")
    assert code == 2
    assert "No such option" in output


def test_without_a_command_the_help_is_shown() -> None:
    code, output = run()
    assert code == 2
    assert "Commands:" in output
