"""Evidence told at the door: to whom, what, how often, and at no cost for anybody inside."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.record.evidence import Evidence
from arena.referee.door.addresses import TcpAddress
from arena.referee.door.evidence import (
    MOST_REPLY_BYTES,
    MOST_REQUEST_BYTES,
    MOST_TOLD,
    PAUSE_SECONDS,
    EvidencePage,
    KeptFault,
    asked_after,
    told_fault_evidence,
)
from arena.referee.door.lobby import Lobby
from protocol.encode import encode, encode_request
from protocol.limits import MAX_BOT_BODY_BYTES, MAX_SERVER_BODY_BYTES
from protocol.messages import Hello
from tests.referee.callers import a_lobby, call, expected, hello

REQUEST = encode_request("m-1", 3, {"hand": ["R1"], "turn": 0}, ("R1", "R2"), 10_100_000, 0)
FAULT = Evidence(
    seat=1,
    move=12,
    kind="illegal",
    code="not-legal",
    text="you played Q9",
    came="Q9",
    expected="R1, R2",
    request=REQUEST,
    reply=b"\x81\xa6action\xa2Q9",
    legal=("R1", "R2"),
    played="R1",
    allowed_us=10_100_000,
    took_us=412,
)


def page(*places: int, more: bool = False) -> EvidencePage:
    return EvidencePage(tuple(KeptFault(f"{at}.0.0", f"{at}.1", FAULT) for at in places), more)


class Kept:
    """A source with some pages, that notes what it was asked."""

    def __init__(self, **pages: EvidencePage):
        self.pages = {name.replace("_", ".").strip("."): each for name, each in pages.items()}
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, name: str, after: str) -> EvidencePage:
        self.asked.append((name, after))
        if after not in self.pages:
            raise ValueError(f"no evidence stands at {after!r}")
        return self.pages[after]


async def told(lobby: Lobby, data: bytes) -> list[Mapping[str, Any]]:
    """All that comes on one connection."""
    async with await call(lobby.addresses[0]) as caller:
        await caller.send(data)
        messages = []
        while (message := await caller.receive()) is not None:
            messages.append(message)
        return messages


def asking(token: str, after: str = "") -> bytes:
    return hello(token, offers=[f"evidence:{after}" if after else "evidence"])


async def test_a_bot_that_dials_in_is_told_its_faults_and_gets_no_welcome(tmp_path: Path) -> None:
    kept = Kept(_=page(3, 5, more=True))
    async with a_lobby(tmp_path, evidence=kept) as lobby:
        guest, guest_token = expected(lobby, "fox", dials_in=True)
        first, second, bye = await told(lobby, asking(guest_token))
        assert kept.asked == [("fox", "")]
        assert first == {
            "type": "evidence",
            "at": "3.0.0",
            "match": "3.1",
            "seat": 1,
            "move": 12,
            "kind": "illegal",
            "code": "not-legal",
            "came": "Q9",
            "expected": "R1, R2",
            "text": "you played Q9",
            "request": msgspec.msgpack.decode(REQUEST[4:]),
            "reply": FAULT.reply.hex(),
            "reply_bytes": len(FAULT.reply),
            "played": "R1",
            "allowed_us": 10_100_000,
            "took_us": 412,
            "more": True,
        }
        assert (second["at"], second["more"]) == ("5.0.0", True)
        assert (bye["type"], bye["reason"]) == ("bye", "told")
        assert guest.link is None
        assert not guest.has_come.is_set()


async def test_only_the_last_of_the_last_page_says_that_nothing_follows(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    kept = Kept(_=page(3, 5), _5_0_0=page())
    async with a_lobby(tmp_path, evidence=kept) as lobby:
        _, guest_token = expected(lobby, "fox", dials_in=True)
        assert [each.get("more") for each in await told(lobby, asking(guest_token))] == [
            True,
            False,
            None,
        ]
        await trio.sleep(PAUSE_SECONDS)
        (bye,) = await told(lobby, asking(guest_token, "5.0.0"))
        assert bye["reason"] == "told"
        assert kept.asked[1] == ("fox", "5.0.0")


async def test_a_bot_that_is_playing_may_ask_and_keeps_its_connection(tmp_path: Path) -> None:
    async with a_lobby(tmp_path, evidence=Kept(_=page(3))) as lobby:
        guest, guest_token = expected(lobby, "fox", dials_in=True)
        async with await call(lobby.addresses[0]) as playing:
            await playing.send(hello(guest_token))
            await playing.receive()
            link = guest.link
            assert link is not None
            assert len(await told(lobby, asking(guest_token))) == 2
            assert guest.link is link
            assert link.is_alive()


async def test_a_token_that_asks_again_at_once_is_told_that_it_is_too_soon(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """[2.7-1]"""
    kept = Kept(_=page(3))
    async with a_lobby(tmp_path, evidence=kept) as lobby:
        (_, fox), (_, owl) = (expected(lobby, name, dials_in=True) for name in ("fox", "owl"))
        for _ in range(3):
            assert [each["type"] for each in await told(lobby, asking(fox))] == [
                "evidence",
                "bye",
            ]
            (bye,) = await told(lobby, asking(fox))
            assert bye["reason"] == "too-soon"
            assert len(await told(lobby, asking(owl))) == 2
            await trio.sleep(PAUSE_SECONDS)
        assert len(kept.asked) == 6


async def test_a_token_asks_once_at_a_time(tmp_path: Path, autojump_clock: MockClock) -> None:
    asked, go_on = trio.Event(), trio.Event()

    async def slow(name: str, after: str) -> EvidencePage:
        asked.set()
        await go_on.wait()
        return page(3)

    async with a_lobby(tmp_path, evidence=slow) as lobby, trio.open_nursery() as nursery:
        _, guest_token = expected(lobby, "fox", dials_in=True)
        nursery.start_soon(told, lobby, asking(guest_token))
        await asked.wait()
        await trio.sleep(5)
        (bye,) = await told(lobby, asking(guest_token))
        assert bye["reason"] == "too-soon"
        go_on.set()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (asking("nobody's"), "bad-token"),
        (asking(""), "bad-token"),
        (hello("nobody's", protocol=2, offers=["evidence"]), "bad-version"),
    ],
)
async def test_without_a_token_nothing_is_asked_for(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    kept = Kept(_=page(3))
    async with a_lobby(tmp_path, evidence=kept) as lobby:
        expected(lobby, "fox", dials_in=True)
        (bye,) = await told(lobby, data)
        assert (bye["reason"], kept.asked) == (reason, [])


async def test_a_place_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    async with a_lobby(tmp_path, evidence=Kept(_=page(3))) as lobby:
        _, guest_token = expected(lobby, "fox", dials_in=True)
        (bye,) = await told(lobby, asking(guest_token, "Q9"))
        assert bye["reason"] == "bad-hello"
        assert bye["text"].endswith(" no evidence stands at 'Q9' (SPEC 2.7).")


async def test_a_bot_that_we_started_gets_its_welcome_whatever_it_offers(tmp_path: Path) -> None:
    kept = Kept(_=page(3))
    async with a_lobby(tmp_path, evidence=kept) as lobby:
        _, guest_token = expected(lobby, "fox")
        async with await call(lobby.addresses[0]) as caller:
            await caller.send(asking(guest_token))
            welcome = await caller.receive()
            assert welcome is not None
            assert (welcome["type"], welcome["offers"]) == ("welcome", [])
        assert kept.asked == []


async def test_where_nothing_is_kept_nothing_is_told(tmp_path: Path) -> None:
    async with a_lobby(tmp_path) as lobby:
        _, guest_token = expected(lobby, "fox", dials_in=True)
        (bye,) = await told(lobby, asking(guest_token))
        assert bye["reason"] == "told"


async def test_an_author_who_does_not_read_is_cut_off_when_the_time_of_a_hello_is_over(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Nothing holds the connection after it, and nobody is kept waiting by a `bye`."""
    long = msgspec.structs.replace(FAULT, reply=b"\xc1" * 4_000)
    kept = tuple(KeptFault(f"{at}.0.0", "3.1", long) for at in range(1, 400))

    async def endless(name: str, after: str) -> EvidencePage:
        return EvidencePage(kept)

    async with a_lobby(tmp_path, hello_ms=700, evidence=endless) as lobby:
        _, guest_token = expected(lobby, "fox", dials_in=True)
        async with await call(lobby.addresses[0]) as caller:
            began = trio.current_time()
            await caller.send(asking(guest_token))
            while "1 at the door" not in repr(lobby):
                await trio.sleep(0.01)
            while "1 at the door" in repr(lobby):
                await trio.sleep(0.05)
            assert trio.current_time() - began < 0.9
            messages = []
            while (message := await caller.receive()) is not None:
                messages.append(message)
            assert 0 < len(messages) < len(kept)
            assert {message["type"] for message in messages} == {"evidence"}


async def test_an_author_who_reads_slowly_is_told_all(tmp_path: Path) -> None:
    """More than the buffers of a socket take at once."""
    long = msgspec.structs.replace(FAULT, reply=b"\xc1" * 4_000)
    kept = tuple(KeptFault(f"{at}.0.0", "3.1", long) for at in range(1, 2_000))

    async def much(name: str, after: str) -> EvidencePage:
        return EvidencePage(kept)

    async with a_lobby(tmp_path, TcpAddress(), evidence=much) as lobby:
        _, guest_token = expected(lobby, "fox", dials_in=True)
        async with await call(lobby.addresses[1]) as caller:
            await caller.send(asking(guest_token))
            await wait_all_tasks_blocked(0.01)
            for each in kept:
                message = await caller.receive()
                assert message is not None
                assert message["at"] == each.at
            assert await caller.reason() == "told"


async def test_a_source_that_fails_costs_the_one_who_asked_and_nobody_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(name: str, after: str) -> EvidencePage:
        raise RuntimeError("the league cannot be read")

    async with a_lobby(tmp_path, evidence=broken) as lobby:
        _, guest_token = expected(lobby, "fox", dials_in=True)
        (bye,) = await told(lobby, asking(guest_token))
        assert bye["reason"] == "server-error"
        async with await call(lobby.addresses[0]) as caller:
            await caller.send(hello(guest_token))
            welcome = await caller.receive()
            assert welcome is not None
            assert welcome["type"] == "welcome"
    assert "the league cannot be read" in caplog.text


def test_the_largest_evidence_fits_into_a_frame() -> None:
    """Whatever a bot sent and was asked."""
    view = {"hand": ["\N{BLACK SQUARE}" * 1_000], "more": "x" * 1_096}
    legal = [f"action {number:03}" for number in range(200)]
    long = msgspec.structs.replace(
        FAULT,
        request=encode_request("m" * 64, 2**53 - 1, view, legal, 2**53 - 1, 2**53 - 1),
        reply=b"\xc1" * MAX_BOT_BODY_BYTES,
        text="y" * 2_000,
        came="z" * 500,
        expected="w" * 500,
    )
    assert len(long.request) < MOST_REQUEST_BYTES
    message = told_fault_evidence(KeptFault("9" * 32, "9" * 20, long), more=True)
    assert message.request is not None
    assert (len(message.reply), message.reply_bytes) == (2 * MOST_REPLY_BYTES, MAX_BOT_BODY_BYTES)
    assert len(encode(message)) <= MAX_SERVER_BODY_BYTES
    longer = msgspec.structs.replace(
        long, request=encode_request("m", 1, {"x": "x" * MOST_REQUEST_BYTES}, ("R1",), 1, 0)
    )
    assert told_fault_evidence(KeptFault("1.0.0", "1.1", longer), more=True).request is None


def test_a_fault_without_a_request_has_none() -> None:
    none = msgspec.structs.replace(FAULT, request=b"", reply=b"", legal=(), played="")
    message = told_fault_evidence(KeptFault("1.0.0", "1.1", none), more=False)
    assert (message.request, message.reply, message.reply_bytes) == (None, "", 0)
    assert (message.played, message.more) == (None, False)


@pytest.mark.parametrize(
    ("offers", "after"),
    [
        ((), None),
        (("many-matches",), None),
        (("evidences", "evident"), None),
        (("evidence",), ""),
        (("many-matches", "evidence:5.1.0"), "5.1.0"),
        (("evidence:",), ""),
        (("evidence:a:b",), "a:b"),
    ],
)
def test_the_offer_names_the_place_to_go_on_from(
    offers: tuple[str, ...], after: str | None
) -> None:
    assert asked_after(Hello(1, "token", offers=offers)) == after


def test_a_page_is_small() -> None:
    assert MOST_TOLD * MAX_SERVER_BODY_BYTES <= 262_144
