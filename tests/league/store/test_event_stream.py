"""Events in a file: nothing twice, nothing left out, whoever was killed over it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from arena.league.store import events
from arena.league.store.event_stream import MOST_AT_ONCE, BadEventFile, EventStream
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from tests.audit.honest import Honest, honest
from tests.league.leagues import Simulated, settings_of, simulate


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with simulate(tmp_path, Simulated(sets=1)) as store:
        store.add_events([events.schedule(number) for number in range(1, 21)])
        yield store


def write_events(path: Path | str, store: Reader) -> None:
    stream = EventStream(str(path), store)
    stream.write()
    stream.close()


def written(path: Path) -> list[int]:
    return [json.loads(line)["n"] for line in path.read_text().splitlines()]


def test_a_file_gets_all_events_and_only_new_ones_later(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "events"
    for _ in range(2):
        stream = EventStream(str(path), store)
        stream.write()
        stream.write()
        stream.close()
        store.add_events([events.schedule(99)])
    assert written(path) == list(range(1, 22))


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Reader]:
    """A league with all its events."""
    with Reader.read(honest(tmp_path, Honest(sets=1)) / DATABASE) as reader:
        yield reader


def test_the_first_event_tells_the_version_of_the_format(begun: Reader, tmp_path: Path) -> None:
    path = tmp_path / "events"
    write_events(path, begun)
    told = [json.loads(line) for line in path.read_text().splitlines()]
    assert [*told[0]][:2] == ["n", "version"]
    assert (told[0]["event"], told[0]["version"]) == ("league", 1)
    assert {each["event"] for each in told if "version" in each} == {"league"}


def test_a_file_that_an_earlier_version_wrote_is_gone_on_with(
    begun: Reader, tmp_path: Path
) -> None:
    path = tmp_path / "events"
    write_events(path, begun)
    whole = path.read_text()
    old = whole.replace('"version":1,', "", 1)
    assert old != whole
    first, rest = old.split("\n", 1)
    for kept in (f"{first}\n", old):
        path.write_text(kept)
        write_events(path, begun)
        assert path.read_text() == f"{first}\n{rest}"


def test_a_file_cut_anywhere_is_mended(store: Store, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    write_events(whole, store)
    data = whole.read_bytes()
    for size in range(0, len(data), 7):
        path = tmp_path / "cut"
        path.write_bytes(data[:size])
        write_events(path, store)
        assert path.read_bytes() == data


@pytest.mark.parametrize("text", ["my diary", "my\ndiary\n", '{"x": 1}\n', "[1]\n", '{"n":"1"}\n'])
def test_another_file_is_refused_and_left_alone(text: str, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_text(text)
    with pytest.raises(BadEventFile, match=r"is no file of events.* move it away"):
        EventStream(str(path), store)
    assert path.read_text() == text


@pytest.mark.parametrize("number", [7, 1000])
def test_events_of_another_league_are_refused_and_left_alone(
    number: int, store: Store, tmp_path: Path
) -> None:
    """Begun anew, or another league: its numbers would go on, and what they tell would not."""
    path = tmp_path / "events"
    path.write_text(f'{{"n":{number},"at":"2026-01-01T00:00:00Z","event":"schedule","sets":5}}\n')
    before = path.read_text()
    with pytest.raises(BadEventFile, match="not those of this league"):
        EventStream(str(path), store)
    assert path.read_text() == before


@pytest.mark.parametrize("name", ["", "nowhere/events"])
def test_where_nothing_can_be_written_is_said_in_words(
    name: str, store: Store, tmp_path: Path
) -> None:
    with pytest.raises(BadEventFile, match="no events can be written there"):
        EventStream(str(tmp_path / name), store)


def test_a_full_disk_is_said_in_words(store: Store) -> None:
    stream = EventStream("/dev/full", store)
    with pytest.raises(BadEventFile, match=r"/dev/full: No space left.*what was played is kept"):
        stream.write()
    stream.close()


@pytest.fixture
def pipe() -> Iterator[tuple[int, str]]:
    """Its end to read from, and a path to the other."""
    read, write = os.pipe()
    yield read, f"/proc/self/fd/{write}"
    os.close(write)
    with suppress(OSError):
        os.close(read)


def test_a_pipe_gets_all_events(pipe: tuple[int, str], store: Store) -> None:
    read, path = pipe
    for _ in range(2):
        write_events(path, store)
    numbers = [json.loads(line)["n"] for line in os.read(read, 65_536).splitlines()]
    assert numbers == [*range(1, 21)] * 2


class Counting(FileIO):
    """A pipe that tells when it was full, and whether it was tried again while it was."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w")
        self.full = Event()
        self.tried_in_vain = False

    def write(self, data: object) -> int:
        count = super().write(data)  # type: ignore[arg-type]  # any buffer
        if count is None:
            self.tried_in_vain |= self.full.is_set()
            self.full.set()
        else:
            self.full.clear()
        return count


def test_a_pipe_that_does_not_block_is_waited_for_and_not_tried_again_and_again(
    pipe: tuple[int, str], store: Store
) -> None:
    """As that to a program in Node."""
    read, path = pipe
    store.add_events([events.schedule(number) for number in range(2000)])
    stream = EventStream(path, store)
    out = Counting(os.dup(stream._out.fileno()))
    stream._out.close()
    stream._out = out
    os.set_blocking(out.fileno(), False)
    writer = Thread(target=stream.write)
    writer.start()
    out.full.wait()
    data = b""
    while data.count(b"\n") < 2020:
        data += os.read(read, 65_536)
    writer.join()
    stream.close()
    assert [json.loads(line)["n"] for line in data.splitlines()] == list(range(1, 2021))
    assert not out.tried_in_vain


class AtOnce(Store):
    """Tells how many events were read at once."""

    most = 0

    def events(
        self, after: int = 0, to: int | None = None
    ) -> Iterator[tuple[int, Mapping[str, Any]]]:
        found = list(super().events(after, to))
        self.most = max(self.most, len(found))
        return iter(found)


def test_a_long_history_is_written_piece_by_piece(store: Store, tmp_path: Path) -> None:
    store.add_events([events.schedule(number) for number in range(2 * MOST_AT_ONCE)])
    store.close()
    with AtOnce.open(tmp_path / DATABASE) as again:
        for _ in range(2):  # the second time it goes on with the file, and looks at its last line
            write_events(tmp_path / "events", again)
        assert isinstance(again, AtOnce)
        assert again.most == MOST_AT_ONCE
    assert written(tmp_path / "events") == list(range(1, 2 * MOST_AT_ONCE + 21))


def test_nobody_who_reads_a_pipe_is_no_error(pipe: tuple[int, str], store: Store) -> None:
    read, path = pipe
    stream = EventStream(path, store)
    os.close(read)
    stream.write()
    store.add_events([events.schedule(99)])
    stream.write()
    stream.close()


def test_a_write_waits_for_one_that_was_given_up(pipe: tuple[int, str], store: Store) -> None:
    """So that nothing comes twice, or in between."""
    read, path = pipe
    store.add_events([events.schedule(number) for number in range(2000)])
    stream = EventStream(path, store)
    writers = [Thread(target=stream.write) for _ in range(3)]
    for writer in writers:
        writer.start()
    data = b""
    while data.count(b"\n") < 2020:
        data += os.read(read, 65_536)
    for writer in writers:
        writer.join()
    stream.close()
    assert [json.loads(line)["n"] for line in data.splitlines()] == list(range(1, 2021))


def test_a_stream_is_closed_without_waiting_for_a_write_that_was_given_up(
    pipe: tuple[int, str], store: Store
) -> None:
    """That one has the file until somebody reads."""
    read, path = pipe
    store.add_events([events.schedule(number) for number in range(2000)])
    stream = EventStream(path, store)
    writer = Thread(target=stream.write)
    writer.start()
    data = os.read(read, 1)  # it has begun, and the pipe cannot hold the rest
    stream.close()
    while data.count(b"\n") < 2020:
        data += os.read(read, 65_536)
    writer.join()
    stream.close()
    assert [json.loads(line)["n"] for line in data.splitlines()] == list(range(1, 2021))


def test_the_settings_are_told_but_not_the_seed() -> None:
    told = json.dumps(events.league(settings_of(Simulated(seed="a secret seed"))))
    assert "a secret seed" not in told
    assert json.loads(told)["are_deals_predictable"] is True
