"""Bots in parcels: the same bytes for the same files, and the same bot where they are unpacked."""

from __future__ import annotations

import io
import os
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.botfile import Bot
from arena.bots.contents import content_hash
from arena.bots.parcel import BadParcel, Parcel, ParcelCache, pack


def bot_in(folder: Path, build: tuple[str, ...] | None = ("make",)) -> Bot:
    folder.mkdir()
    (folder / "bot.py").write_text("print('moo')\n")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "cards").mkdir()
    (folder / "cards" / "deck.txt").write_text("R7")
    (folder / "here").symlink_to("cards/deck.txt")
    (folder / "build").mkdir()
    (folder / "build" / "program").write_text("made by hand")
    return Bot("fox", ("./run.sh",), folder, build=build)


@pytest.fixture
def cache(tmp_path: Path) -> ParcelCache:
    return ParcelCache(tmp_path / "parcels")


@pytest.mark.parametrize("build", [None, ("make",)], ids=["no build", "a build"])
def test_an_unpacked_bot_is_the_same_bot(
    tmp_path: Path, cache: ParcelCache, build: tuple[str, ...] | None
) -> None:
    bot = bot_in(tmp_path / "fox", build)
    parcel = pack(bot)
    cache.keep(parcel.hash, parcel.data)
    there = cache.bot(bot, parcel.hash)
    assert content_hash(there) == content_hash(bot)
    assert os.access(there.folder / "run.sh", os.X_OK)
    assert not os.access(there.folder / "bot.py", os.X_OK)
    assert (there.folder / "here").readlink() == Path("cards/deck.txt")
    assert (there.folder / "build" / "program").exists() == (build is None)


def test_every_file_and_folder_is_packed_once(tmp_path: Path) -> None:
    parcel = pack(bot_in(tmp_path / "fox"))
    with tarfile.open(fileobj=io.BytesIO(parcel.data)) as packed:
        assert packed.getnames() == ["bot.py", "cards", "cards/deck.txt", "here", "run.sh"]


def test_the_same_files_make_the_same_parcel_wherever_they_are(tmp_path: Path) -> None:
    first, second = bot_in(tmp_path / "fox"), bot_in(tmp_path / "again")
    os.utime(second.folder / "bot.py", (1, 1))
    (second.folder / "bot.py").chmod(0o600)
    assert pack(first) == pack(second)


def test_another_file_makes_another_parcel_also_where_it_is_no_source(tmp_path: Path) -> None:
    """A program that was built by hand is what runs, and the content of the bot leaves it out."""
    bot = bot_in(tmp_path / "fox", build=None)
    before = pack(bot).hash
    (bot.folder / "build" / "program").write_text("made anew")
    assert pack(bot).hash != before


def test_what_a_bot_includes_travels_with_it(tmp_path: Path, cache: ParcelCache) -> None:
    bot = replace(bot_in(tmp_path / "fox"), include=("python-tricks/tricks",))
    parcel = pack(bot)
    cache.keep(parcel.hash, parcel.data)
    there = cache.bot(bot, parcel.hash)
    assert (there.folder / "tricks" / "__init__.py").is_file()
    assert content_hash(there) == content_hash(bot)


def test_bytes_that_are_another_parcel_are_refused(tmp_path: Path, cache: ParcelCache) -> None:
    parcel = pack(bot_in(tmp_path / "fox"))
    with pytest.raises(BadParcel, match="are another parcel"):
        cache.keep("0" * 64, parcel.data)
    assert not cache.has("0" * 64)


@pytest.mark.parametrize("hash_", ["../../etc", "", "A" * 64])
def test_only_a_hash_names_a_parcel(cache: ParcelCache, hash_: str) -> None:
    with pytest.raises(BadParcel, match="is no hash"):
        cache.has(hash_)


def test_a_parcel_is_there_as_a_whole_or_not_at_all(tmp_path: Path, cache: ParcelCache) -> None:
    parcel = pack(bot_in(tmp_path / "fox"))
    half = Parcel(parcel.hash, parcel.data[:-20])
    with pytest.raises(BadParcel):
        cache.keep(half.hash, half.data)
    assert [*cache.folder.glob("*")] == [] or not cache.has(parcel.hash)
    cache.keep(parcel.hash, parcel.data)
    cache.keep(parcel.hash, parcel.data)  # by another process meanwhile
    assert [each.name for each in cache.folder.iterdir()] == [parcel.hash]


def test_cleaning_removes_what_is_not_used(tmp_path: Path, cache: ParcelCache) -> None:
    parcel = pack(bot_in(tmp_path / "fox"))
    assert cache.clean() == 0
    cache.keep(parcel.hash, parcel.data)
    assert cache.has(parcel.hash)
    assert cache.clean(unused_seconds=3600) == 0
    (cache.folder / ".new-1").mkdir()  # of a process that was killed
    assert cache.clean() == 2
    assert [*cache.folder.iterdir()] == []
