"""Events in a file: nothing twice, nothing left out, whoever was killed over it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league import events
from arena.league.event_stream import BadEventFile, EventFile, EventPipe
from arena.league.store import Store
from tests.league.leagues import Simulated, settings_of, simulate


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with simulate(tmp_path, Simulated(sets=1)) as store:
        store.add_events([events.schedule(number) for number in range(1, 21)])
        yield store


def write_events(path: Path, store: Store) -> None:
    file = EventFile(path)
    file.write(store)
    file.close()


def written(path: Path) -> list[int]:
    return [json.loads(line)["n"] for line in path.read_text().splitlines()]


def test_a_file_gets_all_events_and_only_new_ones_later(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "events"
    for _ in range(2):
        file = EventFile(path)
        file.write(store)
        file.write(store)
        file.close()
        store.add_events([events.schedule(99)])
    assert written(path) == list(range(1, 22))


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
def test_another_file_is_refused_and_left_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_text(text)
    with pytest.raises(BadEventFile, match="move it away"):
        EventFile(path)
    assert path.read_text() == text


def test_a_pipe_gets_all_events(store: Store) -> None:
    out = io.BytesIO()
    pipe = EventPipe(out)
    pipe.write(store)
    pipe.write(store)
    numbers = [json.loads(line)["n"] for line in out.getvalue().splitlines()]
    assert numbers == list(range(1, 21))


def test_the_settings_are_told_but_not_the_seed() -> None:
    told = json.dumps(events.league(settings_of(Simulated(seed="a secret seed"))))
    assert "a secret seed" not in told
    assert json.loads(told)["are_deals_predictable"] is True
