"""Kept builds: whole or not there, private, bounded, and held by one command at a time."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

import pytest
import trio

from arena.bots.builds.cache import BuildCache, users_cache
from tests.bots.programs import SAFETY_SECONDS

FIRST, SECOND, THIRD = ("a" * 64, "b" * 64, "c" * 64)
FACTS = {"name": "fox", "command": ("make",), "rung": "bubblewrap", "seconds": 1.5}


@pytest.fixture
def cache(tmp_path: Path) -> BuildCache:
    made = BuildCache(tmp_path / "cache" / "builds")
    assert made.trouble() is None
    return made


def a_tree(folder: Path, content: str = "program") -> Path:
    folder.mkdir()
    (folder / "fox").write_text(content)
    (folder / "fox").chmod(0o755)
    return folder


async def keep(cache: BuildCache, identity: str, built: Path) -> str | None:
    async with cache.held(identity):
        return cache.keep(identity, built, FACTS)


async def take(cache: BuildCache, identity: str, into: Path) -> bool:
    async with cache.held(identity):
        return cache.take(identity, into)


def names(cache: BuildCache) -> list[str]:
    return [identity for _, identity, _ in cache.entries()]


async def test_what_was_kept_is_taken_as_it_was(cache: BuildCache, tmp_path: Path) -> None:
    assert not await take(cache, FIRST, tmp_path / "copy")
    assert await keep(cache, FIRST, a_tree(tmp_path / "built")) is None
    assert await take(cache, FIRST, tmp_path / "copy")
    assert (tmp_path / "copy" / "fox").read_text() == "program"
    assert os.access(tmp_path / "copy" / "fox", os.X_OK)
    ((_, identity, kept),) = cache.entries()
    assert (identity, kept.name, kept.command, kept.size_bytes) == (FIRST, "fox", ("make",), 7)


def test_a_folder_that_was_used_before_is_used_again(cache: BuildCache) -> None:
    assert BuildCache(cache.folder).trouble() is None


async def test_a_copy_is_nobody_elses_file(cache: BuildCache, tmp_path: Path) -> None:
    """A bot that writes to its copy changes nothing that another bot gets."""
    await keep(cache, FIRST, a_tree(tmp_path / "built"))
    await take(cache, FIRST, tmp_path / "copy")
    (tmp_path / "copy" / "fox").write_text("changed")
    assert await take(cache, FIRST, tmp_path / "next")
    assert (tmp_path / "next" / "fox").read_text() == "program"


async def test_only_the_user_may_look_into_it(cache: BuildCache, tmp_path: Path) -> None:
    await keep(cache, FIRST, a_tree(tmp_path / "built"))
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: (entry / "tree" / "fox").write_text("another"),
        lambda entry: (entry / "tree" / "fox").chmod(0o644),
        lambda entry: (entry / "tree" / "fox").unlink(),
        lambda entry: (entry / "tree" / "more").write_text(""),
        lambda entry: (entry / "entry.json").write_text("{}"),
        lambda entry: (entry / "entry.json").unlink(),
    ],
    ids=["content", "mode", "file gone", "file more", "entry of another kind", "entry gone"],
)
async def test_a_damaged_entry_is_not_taken_and_is_kept_anew(
    cache: BuildCache, tmp_path: Path, damage: object
) -> None:
    built = a_tree(tmp_path / "built")
    await keep(cache, FIRST, built)
    assert callable(damage)
    damage(cache.folder / FIRST)
    assert not await take(cache, FIRST, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    assert await keep(cache, FIRST, built) is None
    assert await take(cache, FIRST, tmp_path / "copy")


async def test_what_a_killed_command_has_left_is_in_nobodys_way(
    cache: BuildCache, tmp_path: Path
) -> None:
    (cache.folder / f".new-{FIRST}" / "tree").mkdir(parents=True)
    assert not await take(cache, FIRST, tmp_path / "copy")
    assert await keep(cache, FIRST, a_tree(tmp_path / "built")) is None
    assert sorted(os.listdir(cache.folder)) == [FIRST, "locks"]


async def test_the_entry_that_was_not_used_for_the_longest_time_makes_room(
    tmp_path: Path,
) -> None:
    cache = BuildCache(tmp_path / "builds", most_bytes=20)
    assert cache.trouble() is None
    built = a_tree(tmp_path / "built")
    for used, identity in enumerate((FIRST, SECOND)):
        await keep(cache, identity, built)
        os.utime(cache.folder / identity / "entry.json", (used, used))
    assert await take(cache, FIRST, tmp_path / "copy")
    await keep(cache, THIRD, built)
    assert sorted(names(cache)) == [FIRST, THIRD]
    assert sorted(os.listdir(cache.folder / "locks")) == [FIRST, THIRD]


async def test_an_entry_larger_than_all_the_room_is_not_kept(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path / "builds", most_bytes=6)
    assert cache.trouble() is None
    why = await keep(cache, FIRST, a_tree(tmp_path / "built"))
    assert why == "its 0.0 MB are more than the cache may have"
    assert names(cache) == []


async def test_a_program_that_would_miss_its_folder_is_not_kept(
    cache: BuildCache, tmp_path: Path
) -> None:
    built = a_tree(tmp_path / "built", f"#!{tmp_path}/built/python")
    why = await keep(cache, FIRST, built)
    assert why == "fox holds the path of the folder in which it was built"
    assert names(cache) == []


async def test_an_entry_is_held_by_one_at_a_time(cache: BuildCache) -> None:
    order = []
    begun = trio.Event()

    async def second() -> None:
        await begun.wait()
        async with cache.held(FIRST):
            order.append("second")

    with trio.fail_after(SAFETY_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(second)
            async with cache.held(FIRST):
                begun.set()
                await trio.testing.wait_all_tasks_blocked()
                async with cache.held(SECOND):
                    order.append("first")
    assert order == ["first", "second"]


async def test_an_entry_in_use_is_not_cleaned(cache: BuildCache, tmp_path: Path) -> None:
    built = a_tree(tmp_path / "built")
    await keep(cache, FIRST, built)
    await keep(cache, SECOND, built)
    async with cache.held(FIRST):
        assert cache.clean() == (1, 7, 1)
    assert names(cache) == [FIRST]
    assert cache.clean() == (1, 7, 0)
    assert os.listdir(cache.folder / "locks") == []


async def test_a_lock_whose_file_was_removed_holds_nobody_off(
    cache: BuildCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder before may remove it just before it lets go; then two would believe to hold it."""
    path = cache.folder / "locks" / FIRST
    flock = fcntl.flock
    calls = []

    def late(descriptor: int, operation: int) -> None:
        calls.append(descriptor)
        if len(calls) == 1:
            path.unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with trio.fail_after(SAFETY_SECONDS):
        async with cache.held(FIRST):
            assert path.exists()
    assert len(calls) == 2


def test_a_folder_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path / "builds")
    cache.folder.mkdir()
    cache.folder.chmod(0o755)
    assert cache.trouble() is None
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "builds"
    folder.mkdir()
    folder.chmod(0o777)
    assert BuildCache(folder).trouble() == f"other users may write to {folder}"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "builds"
    assert BuildCache(folder).trouble() == f"{folder}: Not a directory"


def test_it_lies_where_xdg_says() -> None:
    cases = {
        "/home/ada/.cache/arena/builds": {"HOME": "/home/ada"},
        "/var/x/arena/builds": {"HOME": "/home/ada", "XDG_CACHE_HOME": "/var/x"},
        # The specification has a relative path ignored.
        "/home/eve/.cache/arena/builds": {"HOME": "/home/eve", "XDG_CACHE_HOME": "x"},
    }
    for folder, environ in cases.items():
        assert users_cache(environ).folder == Path(folder)
