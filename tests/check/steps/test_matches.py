"""What is said about whole matches and the way their frames came."""

from __future__ import annotations

import socket

import pytest

from arena.check.peer import NAGLE_US, Pieces
from arena.check.steps.matches import cut_frames, has_ipv6


@pytest.mark.parametrize(
    ("kind", "gap_us", "words"),
    [
        ("tcp", NAGLE_US, "2 of 9 frames came in several pieces (TCP)."),
        (
            "tcp6",
            40_000,
            "2 of 9 frames came in several pieces (TCP with an IPv6 address). They were up to"
            " 40 ms apart, on your clock: that is Nagle's algorithm.",
        ),
        ("unix", 40_000, "2 of 9 frames came in several pieces (Unix socket)."),
    ],
)
def test_pieces_far_apart_are_put_down_to_nagles_algorithm_on_tcp_alone(
    kind: str, gap_us: int, words: str
) -> None:
    assert cut_frames(kind, Pieces(9, 2, gap_us)).what == words


@pytest.mark.parametrize("works", [True, False])
def test_ipv6_is_there_if_a_socket_can_have_its_address(
    works: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Socket:
        def __init__(self, family: int) -> None:
            assert family == socket.AF_INET6

        def __enter__(self) -> Socket:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def bind(self, address: object) -> None:
            assert address == ("::1", 0)
            if not works:
                raise OSError("cannot assign requested address")

    monkeypatch.setattr("arena.check.steps.matches.socket.socket", Socket)
    assert has_ipv6() == works


def test_without_ipv6_in_the_kernel_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.check.steps.matches.socket.AF_INET6", -1)
    assert not has_ipv6()
