"""Exceptions of a Trio program as a command tells them, and Ctrl-C."""

from __future__ import annotations

import errno
import os
import signal

import click
import pytest
import trio

from arena.bots.launch import Exit
from arena.bots.refused import HostFull, WardenDied
from arena.cli.running import run, until_ctrl_c
from arena.exits import INTERRUPTED
from arena.referee.door.addresses import CannotListen


async def fail_in_a_group(error: BaseException) -> int:
    async with trio.open_nursery():
        raise error


def test_the_exit_code_is_that_of_the_program() -> None:
    async def main() -> int:
        await trio.lowlevel.checkpoint()
        return 7

    assert run(main) == 7


def test_an_error_for_people_comes_out_of_its_groups() -> None:
    usage, ours = click.UsageError("no such bot"), LookupError("told")
    with pytest.raises(click.UsageError) as caught:
        run(lambda: fail_in_a_group(usage))
    assert caught.value is usage
    with pytest.raises(LookupError) as told:
        run(lambda: fail_in_a_group(ours), (LookupError,))
    assert told.value is ours


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (WardenDied(7, Exit(None, 9, False), None), "the warden (process 7)"),
        (HostFull("no more processes"), "no more processes"),
        (CannotListen("taken"), "taken"),
        (PermissionError(errno.EACCES, "Permission denied", "bot.py"), "bot.py: Permission denied"),
        (FileExistsError(errno.EEXIST, "File exists", "worker"), "worker: File exists"),
        (OSError(errno.EMFILE, os.strerror(errno.EMFILE)), "raise the limit (ulimit -n)"),
    ],
)
def test_an_error_of_the_machine_is_told_in_words(error: Exception, says: str) -> None:
    with pytest.raises(click.ClickException) as caught:
        run(lambda: fail_in_a_group(error))
    assert says in caught.value.message


def test_an_error_of_the_machine_that_a_command_tells_itself_is_left_to_it() -> None:
    full = HostFull("no more processes")
    with pytest.raises(HostFull) as told:
        run(lambda: fail_in_a_group(full), (HostFull,))
    assert told.value is full


@pytest.mark.parametrize("error", [LookupError("a bug"), OSError(errno.EBADF, "a bug")])
def test_an_error_that_nobody_tells_keeps_its_groups(error: Exception) -> None:
    with pytest.raises(ExceptionGroup):
        run(lambda: fail_in_a_group(error))


def test_ctrl_c_is_a_word_and_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(lambda: fail_in_a_group(KeyboardInterrupt())) == INTERRUPTED
    assert capsys.readouterr() == ("", "stopped\n")


def test_ctrl_c_calls_off_the_scope_and_not_what_comes_after_it() -> None:
    async def main() -> int:
        async with until_ctrl_c() as scope:
            os.kill(os.getpid(), signal.SIGINT)
            await trio.sleep_forever()
        await trio.lowlevel.checkpoint()
        return 3 if scope.cancelled_caught else 4

    assert run(main) == 3


def test_a_scope_that_ends_by_itself_was_not_called_off() -> None:
    async def main() -> int:
        async with until_ctrl_c() as scope:
            await trio.lowlevel.checkpoint()
        return 3 if scope.cancelled_caught else 4

    assert run(main) == 4
