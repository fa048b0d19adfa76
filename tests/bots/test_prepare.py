"""Bots made ready: copied, built, and their programs found before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.botfile import Bot, bot_of_command_line, read_bot_file
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.prepare import built, prepared
from arena.bots.processes import open_warden
from arena.bots.program import Program
from arena.bots.refused import NotStartable

UNCONFINED = Confiner(Means(), Path("/"))


def a_bot(folder: Path, name: str, command: str, more: str = "") -> Bot:
    (folder / name).mkdir()
    file = folder / name / "bot.toml"
    file.write_text(f'name = "{name}"\ncommand = [{command}]\ngames = ["nyet"]\n{more}')
    return read_bot_file(file)


async def ready(folder: Path, *bots: Bot) -> list[Program]:
    told: list[str] = []
    async with open_warden() as warden:
        cache = BuildCache(folder / "cache")
        return await prepared(warden, UNCONFINED, bots, folder / "scratch", told.append, cache)


async def test_a_program_that_the_build_makes_is_looked_for_after_it(tmp_path: Path) -> None:
    build = 'build = ["sh", "-c", "echo \'#!/bin/sh\' > fox && chmod +x fox"]\n'
    (program,) = await ready(tmp_path, a_bot(tmp_path, "fox", '"./fox"', build))
    assert (program.folder / "fox").exists()


async def test_every_program_that_is_not_there_is_told_with_the_file_that_names_it(
    tmp_path: Path,
) -> None:
    bots = [
        a_bot(tmp_path, "fox", '"./fox"'),
        a_bot(tmp_path, "owl", '"{python}", "bot.py"'),
        bot_of_command_line("qqqqq bot.py"),
    ]
    with pytest.raises(NotStartable) as caught:
        await ready(tmp_path, *bots)
    fox, crow = caught.value.problems
    assert fox.startswith("'fox' was not started: there is no './fox' in ")
    assert fox.endswith(f" The command stands in {tmp_path}/fox/bot.toml.")
    assert crow.startswith("'qqqqq' was not started: no program 'qqqqq' in any folder of PATH.")
    assert crow.endswith(" The command stands in the command line.")
    assert str(caught.value) == f"{fox}\n{crow}"


async def test_the_path_of_the_bot_itself_is_searched(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    env = f'env = {{ PATH = "{tmp_path}" }}\n'
    assert len(await ready(tmp_path, a_bot(tmp_path, "fox", '"tool"', env))) == 1


async def test_one_that_is_only_built_is_not_looked_for(tmp_path: Path) -> None:
    """`arena check` starts it, and tells by itself why that failed."""
    async with open_warden() as warden:
        fox = a_bot(tmp_path, "fox", '"./fox"')
        cache = BuildCache(tmp_path / "cache")
        assert len(await built(warden, UNCONFINED, [fox], tmp_path / "scratch", print, cache)) == 1
