"""Builds at once, kept and taken; one that fails ends the others."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from arena.bots.botfile import Bot
from arena.bots.build import BuildFailed
from arena.bots.builds.builder import give
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confinement import FIRST_UID, Rung
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.prepare import built
from arena.bots.processes import Warden, open_warden
from arena.bots.program import Program
from tests.bots.confine.rungs import confined
from tests.bots.programs import SAFETY_SECONDS, Family


class Workshop:
    """Builds bots with one cache, and keeps the lines that were told."""

    def __init__(self, warden: Warden, confiner: Confiner, folder: Path) -> None:
        self.told: list[str] = []
        self.cache = BuildCache(folder / "cache")
        self._warden = warden
        self._confiner = confiner
        self._folder = folder
        self._runs = 0

    async def ready(self, *bots: Bot) -> list[Program]:
        self._runs += 1
        self.told.clear()
        place = self._folder / f"run-{self._runs}"
        with trio.fail_after(SAFETY_SECONDS):
            return await built(
                self._warden, self._confiner, bots, place, self.told.append, self.cache
            )

    @property
    def first_words(self) -> list[str]:
        """Of each line that was told, the part before the first colon or figure."""
        return [" ".join(line.partition(":")[0].split()[:2]) for line in self.told]


@asynccontextmanager
async def workshop(folder: Path, confiner: Confiner | None = None) -> AsyncIterator[Workshop]:
    async with open_warden() as warden:
        yield Workshop(warden, confiner or Confiner(Means(), folder), folder)


def a_bot(folder: Path, name: str, line: str, source: str = "") -> Bot:
    own = folder / "sources" / name
    own.mkdir(parents=True, exist_ok=True)
    (own / "source").write_text(source)
    return Bot(name, ("./fox",), own, build=("sh", "-c", line))


COUNTED = "echo x >> {count}; cp source made; chmod 755 made"


async def test_the_line_of_a_build_says_nothing_to_a_terminal(tmp_path: Path) -> None:
    async with workshop(tmp_path) as shop:
        await shop.ready(a_bot(tmp_path, "fox", "cp source made # \x1b]0;owned\x07"))
        assert shop.told[0] == "building fox: sh -c 'cp source made # \ufffd]0;owned\ufffd'"


async def test_a_bot_is_built_once_and_taken_from_then_on(tmp_path: Path) -> None:
    count = tmp_path / "count"
    bot = a_bot(tmp_path, "fox", COUNTED.format(count=count), "1")
    async with workshop(tmp_path) as shop:
        await shop.ready(bot)
        assert shop.first_words == ["building fox", "built fox"]
        (program,) = await shop.ready(bot)
        assert shop.told == ["built before: fox"]
    assert count.read_text() == "x\n"
    assert (program.folder / "made").read_text() == "1"
    assert os.access(program.folder / "made", os.X_OK)


async def test_another_content_is_built_anew(tmp_path: Path) -> None:
    count = tmp_path / "count"
    async with workshop(tmp_path) as shop:
        for source in ("1", "2"):
            bot = a_bot(tmp_path, "fox", COUNTED.format(count=count), source)
            (program,) = await shop.ready(bot)
            assert (program.folder / "made").read_text() == source
    assert count.read_text() == "x\nx\n"


async def test_what_a_bot_changes_in_its_copy_is_not_in_the_next(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "fox", "cp source made", "1")
    async with workshop(tmp_path) as shop:
        for _ in range(3):
            (program,) = await shop.ready(bot)
            assert (program.folder / "made").read_text() == "1"
            (program.folder / "made").write_text("changed")


async def test_an_entry_that_was_damaged_is_built_again(tmp_path: Path) -> None:
    count = tmp_path / "count"
    bot = a_bot(tmp_path, "fox", COUNTED.format(count=count), "1")
    async with workshop(tmp_path) as shop:
        await shop.ready(bot)
        ((_, identity, _),) = shop.cache.entries()
        (shop.cache.folder / identity / "tree" / "made").write_text("2")
        (program,) = await shop.ready(bot)
    assert (program.folder / "made").read_text() == "1"
    assert count.read_text() == "x\nx\n"


async def test_two_bots_that_are_the_same_are_built_once(tmp_path: Path) -> None:
    """As are those of two commands: the second waits for the lock of the first."""
    count = tmp_path / "count"
    line = COUNTED.format(count=count)
    async with workshop(tmp_path) as shop:
        fox, owl = (a_bot(tmp_path, name, line, "1") for name in ("fox", "owl"))
        programs = await shop.ready(fox, owl)
    assert count.read_text() == "x\n"
    assert programs[0].folder != programs[1].folder
    assert [(each.folder / "made").read_text() for each in programs] == ["1", "1"]


@pytest.mark.skipif(os.cpu_count() == 1, reason="there are as many builds at once as cores")
async def test_builds_run_at_once(tmp_path: Path) -> None:
    """Each waits for what the other makes, so none could end alone."""
    line = "touch {mine}; until [ -e {other} ]; do sleep 0.01; done"
    async with workshop(tmp_path) as shop:
        a, b = tmp_path / "a", tmp_path / "b"
        bots = (
            a_bot(tmp_path, "fox", line.format(mine=a, other=b)),
            a_bot(tmp_path, "owl", line.format(mine=b, other=a)),
        )
        await shop.ready(*bots)
        assert sorted(shop.first_words) == [
            "building fox",
            "building owl",
            "built fox",
            "built owl",
        ]


@pytest.mark.skipif(os.cpu_count() == 1, reason="there are as many builds at once as cores")
async def test_a_build_that_fails_ends_the_others_and_is_told_with_its_name(
    tmp_path: Path,
) -> None:
    family = Family()
    mark = tmp_path / "begun"
    slow = f"touch {mark}; FAMILY={family.name} exec sleep 3600"
    async with workshop(tmp_path) as shop:
        bots = (
            a_bot(tmp_path, "slow", slow),
            a_bot(tmp_path, "bad", f"until [ -e {mark} ]; do sleep 0.01; done; echo no; exit 2"),
        )
        with pytest.raises(BuildFailed, match="the build of 'bad' failed: exit code 2"):
            await shop.ready(*bots)
    assert not family.alive()
    assert shop.cache.entries() == []


async def test_a_build_that_was_cancelled_leaves_no_lock_and_no_entry(tmp_path: Path) -> None:
    mark = tmp_path / "begun"
    bot = a_bot(tmp_path, "fox", f"[ -e {mark} ] && exit 0; touch {mark}; exec sleep 3600")
    async with workshop(tmp_path) as shop, trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:
            nursery.start_soon(_cancel_when, mark, scope)
            await shop.ready(bot)
        assert scope.cancelled_caught
        assert shop.cache.entries() == []
        await shop.ready(bot)
        assert len(shop.cache.entries()) == 1


async def _cancel_when(file: Path, scope: trio.CancelScope) -> None:
    while not file.exists():
        await trio.sleep(0.005)
    scope.cancel()


async def test_a_build_that_cannot_be_kept_is_told_with_the_reason(tmp_path: Path) -> None:
    line = 'printf "#!%s/python\\n" "$PWD" > made; chmod 755 made'
    bot = a_bot(tmp_path, "fox", line)
    async with workshop(tmp_path) as shop:
        await shop.ready(bot)
        assert shop.told[-1] == (
            "fox is built each time: made holds the path of the folder in which it was built"
        )
        await shop.ready(bot)
        assert "built before: fox" not in shop.told


async def test_without_a_folder_for_them_builds_run_all_the_same(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "fox", "cp source made", "1")
    async with workshop(tmp_path) as shop:
        shop.cache = BuildCache(tmp_path / "sources" / "fox" / "source" / "builds")
        (program,) = await shop.ready(bot)
        assert shop.told[0].startswith("builds are not kept: ")
    assert (program.folder / "made").read_text() == "1"


@pytest.mark.parametrize("rung", [Rung.BUBBLEWRAP, Rung.LANDLOCK])
async def test_what_an_unconfined_build_has_made_is_not_taken_for_a_confined_one(
    rung: Rung, tmp_path: Path
) -> None:
    bot = a_bot(tmp_path, "fox", "cp source made", "1")
    async with workshop(tmp_path) as shop:
        await shop.ready(bot)
    async with confined(rung) as (warden, confiner):
        shop = Workshop(warden, confiner, tmp_path)
        shop.cache = BuildCache(tmp_path / "cache")
        shop._folder = confiner._place
        await shop.ready(bot)
        assert shop.first_words == ["building fox", "built fox"]
        await shop.ready(bot)
        assert shop.told == ["built before: fox"]
    assert len(shop.cache.entries()) == 2


async def test_a_copy_out_of_the_cache_belongs_to_the_bots_own_user(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "fox", "cp source made; chmod 750 made", "1")
    async with confined(Rung.BUBBLEWRAP) as (warden, confiner):
        if not confiner.means.uids:
            pytest.skip("only root gives each bot a user of its own")
        shop = Workshop(warden, confiner, confiner._place)
        for _ in range(2):
            (program,) = await shop.ready(bot)
            made = (program.folder / "made").stat()
            assert made.st_uid == program.uid
            assert made.st_uid is not None
            assert made.st_uid >= FIRST_UID
            assert made.st_mode & 0o777 == 0o750
            assert program.folder.stat().st_mode & 0o777 == 0o700
        assert shop.told == ["built before: fox"]
        ((_, identity, _),) = shop.cache.entries()
        assert (shop.cache.folder / identity / "tree" / "made").stat().st_uid == os.geteuid()


def test_a_folder_is_given_to_a_user_with_all_in_it_and_no_other_enters_it(tmp_path: Path) -> None:
    uid = FIRST_UID if os.geteuid() == 0 else os.geteuid()
    folder = tmp_path / "fox"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.py").touch()
    (folder / "link").symlink_to("/")
    folder.chmod(0o755)
    owner = Path("/").stat().st_uid
    give(folder, uid)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.lstat().st_uid for path in (folder, *folder.rglob("*"))} == {uid}
    assert Path("/").stat().st_uid == owner  # the link was given, not what it leads to
