"""Words for how a program ended, and for what it printed."""

from __future__ import annotations

import signal

from arena.bots.launch import Exit, Tail


def test_an_end_is_told_in_words() -> None:
    assert str(Exit.from_status(3, asked=False)) == "exit code 3"
    assert str(Exit.from_status(-9, asked=False)) == "killed by signal 9 (SIGKILL)"
    assert str(Exit.from_status(-9, asked=True)) == (
        "killed by signal 9 (SIGKILL), ended by the referee"
    )
    assert str(Exit.from_status(-(signal.SIGRTMIN + 1), asked=False)) == (
        "killed by signal 35 (a real-time signal)"
    )
    assert str(Exit.from_status(0, asked=False, left=2)) == (
        "exit code 0; 2 of the processes it started could not be killed"
    )


def test_a_tail_is_text_whatever_the_bytes_and_says_what_is_missing() -> None:
    assert str(Tail(b"caf\xc3", b"\xa9 \xff", 7)) == "café \N{REPLACEMENT CHARACTER}"
    assert str(Tail(b"begin\n", b"end\n", 1_010)) == (
        "begin\n[1000 bytes are left out here]\nend\n"
    )
    assert str(Tail(b"beg", b"nd\n", 1_006)) == "beg\n[1000 bytes are left out here]\nnd\n"
