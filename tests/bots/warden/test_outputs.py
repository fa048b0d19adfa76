"""One output of a bot over a real pipe: slices, turns, the tail, and what is left at the end."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.bots.warden.outputs import (
    FILE_BYTES,
    FIRST_BYTES,
    LAST_BYTES,
    PIECE_BYTES,
    SHOWN_BYTES,
    SHOWN_SECONDS,
    SLICE_BYTES,
    TURN_BYTES,
    Ends,
    Output,
    append,
)

# More than one slice, as a bot may give its pipe by itself.
PIPE_BYTES = 4 * SLICE_BYTES


@contextmanager
def a_pipe(*, in_pieces: bool = False, is_shown: bool = False) -> Iterator[tuple[Output, int]]:
    """An output, and the writing end of its pipe; neither end waits."""
    reader, writer = os.pipe2(os.O_NONBLOCK)
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    output = Output(reader, in_pieces=in_pieces, is_shown=is_shown)
    try:
        yield output, writer
    finally:
        output.close()
        os.close(writer)


def fill(writer: int) -> int:
    """Write until the pipe takes no more; how much it took."""
    written = 0
    while True:
        try:
            written += os.write(writer, b"x" * SLICE_BYTES)
        except BlockingIOError:
            return written


def test_a_read_takes_one_slice() -> None:
    with a_pipe() as (output, writer):
        fill(writer)
        assert output.read_slice()
        assert (output.total, output.in_turn) == (SLICE_BYTES, SLICE_BYTES)


def test_an_empty_pipe_is_not_the_end_and_a_closed_one_is() -> None:
    reader, writer = os.pipe2(os.O_NONBLOCK)
    output = Output(reader)
    assert output.read_slice()
    os.write(writer, b"last words")
    os.close(writer)
    assert output.read_slice()
    assert not output.read_slice()
    assert output.tail() == (b"last words", b"", 10)
    output.close()


def test_all_that_a_bot_left_in_its_pipe_is_read() -> None:
    with a_pipe() as (output, writer):
        left = fill(writer) - LAST_BYTES
        os.read(output.descriptor, LAST_BYTES)
        os.write(writer, b"y" * LAST_BYTES)
        assert left > SLICE_BYTES
        output.read_rest()
        assert output.tail() == (b"x" * FIRST_BYTES, b"y" * LAST_BYTES, PIPE_BYTES)


def test_of_a_pipe_that_is_filled_again_and_again_no_more_than_a_turn_is_read() -> None:
    """A process that is not of the bot's tree may hold the pipe and go on writing."""
    with a_pipe() as (output, writer):

        class Filled(Output):
            def read_slice(self) -> bool:
                fill(writer)
                return super().read_slice()

        endless = Filled(os.dup(output.descriptor))
        endless.read_rest()
        assert endless.total == TURN_BYTES
        endless.close()


def test_only_both_ends_are_kept_and_all_is_counted() -> None:
    with a_pipe() as (output, writer):
        for piece in (b"a" * FIRST_BYTES, b"b" * 10, b"c" * LAST_BYTES, b"d"):
            os.write(writer, piece)
            assert output.read_slice()
        kept = (b"a" * FIRST_BYTES, b"c" * (LAST_BYTES - 1) + b"d")
        assert output.tail() == (*kept, FIRST_BYTES + LAST_BYTES + 11)


@pytest.mark.parametrize("slice_bytes", [1, 3, 7, 100])
def test_both_ends_are_the_same_in_whatever_slices_they_came(slice_bytes: int) -> None:
    whole = bytes(range(60))
    ends = Ends(5, 7)
    for at in range(0, len(whole), slice_bytes):
        ends.add(whole[at : at + slice_bytes])
    assert ends.kept == (whole[:5], whole[-7:], 60)


def test_a_piece_is_what_came_since_the_last_one() -> None:
    with a_pipe(in_pieces=True) as (output, writer):
        assert output.take_piece() == b""
        for words in (b"one", b"two"):
            os.write(writer, words)
            assert output.read_slice()
            assert output.take_piece() == words
            assert output.take_piece() == b""
        assert output.tail() == (b"onetwo", b"", 6)


def test_of_a_long_piece_both_ends_are_kept() -> None:
    with a_pipe(in_pieces=True) as (output, writer):
        for piece in (b"a" * PIECE_BYTES, b"b" * 10, b"c" * PIECE_BYTES):
            os.write(writer, piece)
            assert output.read_slice()
        left_out = b"\n[10 bytes are left out here]\n"
        assert output.take_piece() == b"a" * PIECE_BYTES + left_out + b"c" * PIECE_BYTES


def test_no_piece_is_kept_where_none_is_asked_for() -> None:
    with a_pipe() as (output, writer):
        os.write(writer, b"one")
        assert output.read_slice()
        assert output.take_piece() == b""
        assert output.take_shown(has_room=True) is None


def test_what_is_too_much_to_pass_on_is_skipped_and_counted() -> None:
    with a_pipe(is_shown=True) as (output, writer):
        fill(writer)
        while output.total < PIPE_BYTES:
            assert output.read_slice()
        assert output.take_shown(has_room=True) == (0, b"x" * SHOWN_BYTES)
        assert output.take_skipped() == PIPE_BYTES - SHOWN_BYTES
        assert output.take_skipped() == 0


def test_nothing_is_passed_on_to_a_referee_that_is_busy() -> None:
    with a_pipe(is_shown=True) as (output, writer):
        for words in (b"one", b"more"):
            os.write(writer, words)
            assert output.read_slice()
            assert output.take_shown(has_room=False) is None
        os.write(writer, b"words")
        assert output.read_slice()
        assert output.take_shown(has_room=True) == (7, b"words")
        assert output.take_shown(has_room=True) is None


def test_a_full_file_becomes_the_older_of_two(tmp_path: Path) -> None:
    newer, older = tmp_path / "stderr.txt", tmp_path / "stderr.1.txt"
    for letter in (b"a", b"b", b"c"):
        append(str(tmp_path), "stderr", letter * (FILE_BYTES - 1))
    append(str(tmp_path), "stderr", b"d")
    assert newer.read_bytes() == b"c" * (FILE_BYTES - 1) + b"d"
    assert older.read_bytes() == b"b" * (FILE_BYTES - 1)
    assert sorted(tmp_path.iterdir()) == [older, newer]


def test_a_link_in_the_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    """A bot that is not confined could have put it there."""
    (tmp_path / "stderr.txt").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="symbolic links"):
        append(str(tmp_path), "stderr", b"words")
    assert not (tmp_path / "precious").exists()


def test_so_much_is_passed_on_in_each_second_and_what_is_more_is_told_with_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("arena.bots.warden.outputs.time", SimpleNamespace(monotonic=lambda: now))
    with a_pipe(is_shown=True) as (output, writer):

        def shown(data: bytes, *, has_room: bool = True) -> tuple[int, bytes] | None:
            for at in range(0, len(data), SLICE_BYTES):
                os.write(writer, data[at : at + SLICE_BYTES])
                output.read_slice()
            return output.take_shown(has_room=has_room)

        assert shown(b"") is None
        assert shown(b"first") == (0, b"first")
        much = b"x" * (SHOWN_BYTES - 5)
        assert shown(much + b"yy") == (0, much)
        assert shown(b"zzz") is None
        now += SHOWN_SECONDS - 0.01
        assert shown(b"z") is None
        now += 0.01
        assert shown(b"new") == (2 + 3 + 1, b"new")
        assert shown(b"to nobody", has_room=False) is None
        assert output.take_skipped() == len("to nobody")
        assert output.take_skipped() == 0
