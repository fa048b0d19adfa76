"""The scope that bots live in: refusals in words, nothing left behind, a warden that dies."""

from __future__ import annotations

import errno
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from arena.bots.launch import Launch
from arena.bots.processes import Warden, open_warden
from arena.bots.refused import CODES, CannotStart, HostFull, WardenDied, why_refused
from tests.bots.programs import SAFETY_SECONDS, Family, processes_called, until_says

# Everything that a bot can do to be hard to end.
HARD = ("ignores_sigterm.py", "forks_children.py", "double_forked_daemon.py stay", "spins.py")


async def start_hard_ones(warden: Warden, family: Family) -> None:
    for line in HARD:
        await until_says(await warden.start(family.launch(*line.split())))


def open_descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


async def refusal(launch: Launch) -> CannotStart:
    async with open_warden() as warden:
        with pytest.raises(CannotStart) as caught:
            await warden.start(launch)
        # It goes on for others.
        bot = await warden.start(Family().launch("exits_with_code.py", "0"))
        assert str(await bot.exited()) == "exit code 0"
    assert caught.value.code in CODES
    return caught.value


async def test_a_missing_program_may_have_to_be_built(tmp_path: Path) -> None:
    error = await refusal(Family().command("./target/release/fox", folder=tmp_path))
    assert error.code == "command-not-found"
    assert str(error) == (
        f"'./target/release/fox' was not started: there is no './target/release/fox' in"
        f" '{tmp_path}'. If a build makes it, run that build there by hand, or name it as `build`"
        " in a bot.toml."
    )


async def test_a_misspelt_program_is_told_the_nearest_there_is(tmp_path: Path) -> None:
    (tmp_path / "crow").touch()
    error = await refusal(Family().command("./crwo", folder=tmp_path))
    assert str(error).endswith(f"there is no './crwo' in '{tmp_path}'. Did you mean 'crow'?")
    tool = tmp_path / "interpret3"
    tool.touch()
    tool.chmod(0o755)
    launch = Family().command("intrepret3", "bot.py", folder=tmp_path)
    launch = replace(launch, env={**launch.env, "PATH": f"/no/such/folder:{tmp_path}"})
    assert str(await refusal(launch)).endswith(
        "no program 'intrepret3' in any folder of PATH. Did you mean 'interpret3'?"
    )


async def test_a_missing_tool_is_looked_for_in_path(tmp_path: Path) -> None:
    error = await refusal(Family().command("qqqqq", "bot.py", folder=tmp_path))
    assert str(error) == (
        "'qqqqq' was not started: no program 'qqqqq' in any folder of PATH. Is it installed, and in"
        " the PATH of the user who runs arena?"
    )


async def test_a_program_of_the_folder_needs_a_dot_and_a_slash(tmp_path: Path) -> None:
    (tmp_path / "fox").write_text("#!/bin/sh\n")
    error = await refusal(Family().command("fox", folder=tmp_path))
    assert error.code == "command-not-found"
    assert "There is a file of that name in its folder: write './fox'." in str(error)


async def test_a_file_without_permission_names_chmod(tmp_path: Path) -> None:
    (tmp_path / "fox").write_text("#!/bin/sh\n")
    error = await refusal(Family().command("./fox", folder=tmp_path))
    assert error.code == "not-executable"
    assert str(error).endswith("'./fox' may not be executed. Try: `chmod +x ./fox`.")


async def test_a_folder_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "fox").mkdir()
    error = await refusal(Family().command("./fox", folder=tmp_path))
    assert str(error).endswith("'./fox' is a folder, not a program.")


async def test_a_missing_interpreter_is_told_from_a_missing_program(tmp_path: Path) -> None:
    (tmp_path / "fox").write_bytes(b"#!/usr/bin/no-such-python\n")
    (tmp_path / "fox").chmod(0o755)
    error = await refusal(Family().command("./fox", folder=tmp_path))
    assert error.code == "interpreter-not-found"
    assert "its first line is '#!/usr/bin/no-such-python'; the interpreter" in str(error)


async def test_a_script_with_line_ends_of_windows_is_told_how_to_get_rid_of_them(
    tmp_path: Path,
) -> None:
    (tmp_path / "fox").write_bytes(b"#!/bin/sh\r\nexit 0\r\n")
    (tmp_path / "fox").chmod(0o755)
    error = await refusal(Family().command("./fox", folder=tmp_path))
    assert error.code == "interpreter-not-found"
    assert str(error) == (
        r"'./fox' was not started: the first line of './fox', '#!/bin/sh\r', ends as on Windows, in"
        " a carriage return and a line feed. The system takes the carriage return for a part of the"
        " interpreter's name, and finds none. Save the file with line feeds alone, for instance:"
        r" `sed -i 's/\r$//' ./fox`."
    )


async def test_a_file_that_is_no_program_says_so(tmp_path: Path) -> None:
    (tmp_path / "fox").write_text("print('hello')\n")
    (tmp_path / "fox").chmod(0o755)
    error = await refusal(Family().command("./fox", folder=tmp_path))
    assert error.code == "not-a-program"


async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    error = await refusal(Family().command("true", folder=tmp_path / "gone"))
    assert error.code == "folder-missing"
    assert str(error).endswith(f"its folder '{tmp_path}/gone' does not exist.")
    (tmp_path / "file").touch()
    error = await refusal(Family().command("true", folder=tmp_path / "file"))
    assert str(error).endswith(f"'{tmp_path}/file' is not a folder.")


async def test_too_long_a_command_and_an_unusable_one_are_refused() -> None:
    error = await refusal(Family().command("true", *["x" * 100_000] * 100))
    assert error.code == "command-too-long"
    error = await refusal(Family().command("true", "zero \0 byte"))
    assert error.code == "command-unusable"


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EMFILE, errno.ENOMEM])
@pytest.mark.parametrize("stage", ["machine", "command"])
def test_a_full_machine_is_no_fault_of_the_bot(stage: str, number: int) -> None:
    error = why_refused(Family().command("true"), stage, number)
    assert isinstance(error, HostFull)
    assert "no fault of the bot" in str(error)


def test_rules_that_the_kernel_refuses_are_no_fault_of_the_bot() -> None:
    error = why_refused(Family().command("true"), "rules", errno.EPERM)
    assert isinstance(error, HostFull)
    assert str(error) == (
        "'true' was not started: the kernel refused the rules that confine it: Operation not"
        " permitted. This is no fault of the bot; `arena doctor` says what works here."
    )


def test_a_folder_that_may_not_be_entered_says_why() -> None:
    error = why_refused(Family().command("true", folder=Path("/den")), "folder", errno.EACCES)
    assert str(error) == (
        "'true' was not started: its folder '/den' cannot be entered: Permission denied."
    )


async def test_leaving_the_scope_leaves_no_process_and_no_descriptor() -> None:
    family = Family()
    before = open_descriptors()
    async with open_warden() as warden:
        await start_hard_ones(warden, family)
        assert len(family.alive()) >= len(HARD)
    assert not family.alive()
    assert not Path(f"/proc/{warden.pid}").exists()
    assert open_descriptors() == before


async def test_what_is_raised_inside_comes_out_as_it_is() -> None:
    family = Family()

    async def divide_by_zero() -> None:
        async with open_warden() as warden:
            await start_hard_ones(warden, family)
            _ = 1 / 0

    with pytest.raises(ZeroDivisionError):
        await divide_by_zero()
    assert not family.alive()


async def test_a_cancelled_scope_leaves_nothing() -> None:
    family = Family()
    with trio.CancelScope() as scope:
        async with open_warden() as warden:
            await start_hard_ones(warden, family)
            scope.cancel()
            await trio.sleep_forever()
    assert scope.cancelled_caught
    assert not family.alive()


async def test_a_start_that_is_cancelled_leaves_no_bot() -> None:
    family = Family()
    async with open_warden() as warden:
        for _ in range(20):
            with trio.CancelScope() as scope:
                scope.cancel()
                await warden.start(family.launch("ignores_sigterm.py"))
        # The warden does one thing after the other: this one was started after all of those.
        bot = await warden.start(family.launch("exits_with_code.py", "0"))
        await bot.exited()
        with trio.fail_after(SAFETY_SECONDS):
            while family.alive():
                await trio.sleep(0.001)


async def test_an_end_goes_on_when_waiting_for_it_is_cancelled() -> None:
    family = Family()
    async with open_warden() as warden:
        bot = await warden.start(family.launch("ignores_sigterm.py"))
        with trio.CancelScope() as scope:
            scope.cancel()
            await bot.end()
        assert (await bot.exited()).asked


async def test_ending_and_asking_again_is_harmless() -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch("exits_with_code.py", "3"))
        end = await bot.exited()
        assert await bot.end() == await bot.end(grace_ms=100) == bot.exit == end
        assert await bot.tails() == await bot.tails()
        assert repr(bot) == f"<BotProcess 'exits_with_code.py' pid {bot.pid} exit code 3>"


async def test_nothing_can_be_started_after_the_scope() -> None:
    async with open_warden() as warden:
        bot = await warden.start(Family().launch("ignores_sigterm.py"))
    with pytest.raises(trio.ClosedResourceError):
        await bot.exited()
    with pytest.raises(trio.ClosedResourceError):
        await bot.end()
    with pytest.raises(trio.ClosedResourceError):
        await bot.tails()
    with pytest.raises(trio.ClosedResourceError):
        await warden.start(Family().launch("ignores_sigterm.py"))


async def test_the_warden_is_deaf_to_ctrl_c() -> None:
    async with open_warden() as warden:
        await (await warden.start(Family().command("true"))).exited()
        os.kill(warden.pid, signal.SIGINT)
        bot = await warden.start(Family().launch("exits_with_code.py", "0"))
        assert str(await bot.exited()) == "exit code 0"
        assert os.getsid(warden.pid) == warden.pid


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_warden_that_is_killed_is_our_mistake_and_leaves_nothing(number: int) -> None:
    family = Family()

    async def kill_it() -> None:
        async with open_warden() as warden:
            await start_hard_ones(warden, family)
            bot = await warden.start(family.launch("ignores_sigterm.py"))
            os.kill(warden.pid, number)
            # Whoever asks for evidence against a bot learns nothing else.
            with pytest.raises(WardenDied), trio.CancelScope(shield=True):
                await bot.exited()
            await trio.sleep_forever()

    with pytest.raises(WardenDied, match="it is no fault of any bot") as caught:
        await kill_it()
    assert not family.alive()
    if number == signal.SIGKILL:
        assert "killed by signal 9 (SIGKILL)" in str(caught.value)


async def test_a_warden_that_breaks_says_where() -> None:
    family = Family()

    async def break_it() -> None:
        async with open_warden() as warden:
            await start_hard_ones(warden, family)
            warden._post("nonsense")
            await trio.sleep_forever()

    with pytest.raises(WardenDied, match="AssertionError: no such message: \\('nonsense',\\)"):
        await break_it()
    assert not family.alive()


async def test_a_second_warden_does_not_touch_what_the_first_has_started() -> None:
    family = Family()
    async with open_warden() as first:
        bot = await first.start(family.launch("double_forked_daemon.py", "stay"))
        await until_says(bot)
        alive = family.alive()

        async def kill_another() -> None:
            async with open_warden() as second:
                os.kill(second.pid, signal.SIGKILL)
                await trio.sleep_forever()

        with pytest.raises(WardenDied):
            await kill_another()
        assert family.alive() == alive


@pytest.mark.slow
@pytest.mark.alone
async def test_two_hundred_bots_are_gone_within_a_second() -> None:
    family = Family()
    async with open_warden() as warden:
        for _ in range(200):
            await warden.start(family.command("sleep", f"3600.{os.getpid()}"))
        assert len(family.alive()) == 200
        began = trio.current_time()
    assert trio.current_time() - began < 1
    assert not processes_called(f"sleep 3600.{os.getpid()}")


async def test_a_machine_that_cannot_start_the_warden_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*words: object, **how: object) -> None:
        raise OSError(errno.EAGAIN, "no more processes")

    before = open_descriptors()
    monkeypatch.setattr("subprocess.Popen", refuse)
    with pytest.raises(HostFull, match=r"^the machine would not start the warden: .*no more proc"):
        async with open_warden():
            raise AssertionError("it was started")
    assert open_descriptors() == before


async def test_a_start_of_the_warden_that_is_cancelled_leaves_nothing_open() -> None:
    before = open_descriptors()
    with trio.CancelScope() as scope:
        scope.cancel()
        async with open_warden():
            raise AssertionError("it was started")
    assert scope.cancelled_caught
    assert open_descriptors() == before
