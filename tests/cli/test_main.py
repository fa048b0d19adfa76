"""The command line as a whole."""

from __future__ import annotations

from collections.abc import Iterator

import click
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


def every_option(command: click.Command, name: str) -> Iterator[tuple[str, click.Option]]:
    if isinstance(command, click.Group):
        for below, each in command.commands.items():
            yield from every_option(each, f"{name} {below}")
    for one in command.params:
        if isinstance(one, click.Option):
            yield f"{name} {one.opts[-1]}", one


@pytest.mark.parametrize("name", [*COMMANDS])
def test_every_option_says_what_it_does(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    silent = [told for told, option in every_option(command, name) if not option.help]
    assert silent == []


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
