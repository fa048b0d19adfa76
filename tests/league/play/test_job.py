"""What a job makes of its first order, and of connections that are lent to it."""

from __future__ import annotations

import socket
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from arena.bots.program import Program
from arena.league.play import job
from arena.league.play.job import LentLinks
from arena.league.play.orders import Setup
from arena.record.confinement import DIALLED_IN
from arena.referee.house import House
from arena.referee.players.pool import SeatedGuest
from arena.referee.wire.link import Link
from arena.referee.wire.lookout import Lookout
from arena.referee.wire.packed import LinkBetweenMatches
from protocol.server_end import EndBetweenMatches, ServerEnd
from tests.league.play.test_orders import BETWEEN, SET


def test_bots_have_the_places_and_the_patience_that_the_order_gives_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[tuple[str, int]] = []
    confined: list[object] = []
    monkeypatch.setattr(job, "Pool", lambda *given: given)
    house = SimpleNamespace(
        confiner=SimpleNamespace(word="landlock"),
        confine_by=confined.append,
        player=lambda bot, start_ms: started.append((bot.name, start_ms)),
    )
    fox = Program("fox", ("fox",), cast("Any", "/"))
    setup = Setup((fox,), 3, 10_000)
    places, word, pieces = cast("Any", job.pool_of(cast("House", house), setup))
    assert started == [("fox", 10_000)] * 3
    assert {name: len(seated) for name, seated in places.items()} == {"fox": 3}
    assert (word, pieces, confined) == ("landlock", None, [setup.confine])
    _, word, _ = cast("Any", job.pool_of(cast("House", house), Setup((), 1, 1)))
    assert word == DIALLED_IN


def a_link(lookout: Lookout) -> tuple[Link, socket.socket]:
    """A link between two matches, and its other side."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    link = Link(ours, ServerEnd.going_on(EndBetweenMatches()), lookout, "fox")
    return link, theirs


def test_connections_that_are_lent_take_the_places_that_are_free_and_go_back_if_they_are_open() -> (
    None
):
    lookout = Lookout()
    lent = LentLinks(replace(SET, guests={"fox": 2}, absent={}), again_ms=5)
    links = [a_link(lookout) for _ in range(3)]
    for number, (link, _) in enumerate(links[:2]):
        link.go_on_from(BETWEEN)
        lent.receive("fox", link, number)
    links[0][1].close()
    lent.receive("fox", links[2][0], 2)
    assert not links[0][0].is_open
    places = lent.places()["fox"]
    assert [(place.player.starts, place.process()) for place in places] == [(2, 2), (1, 1)]
    assert all(isinstance(place, SeatedGuest) for place in places)
    back = {each.connection: each.known for each in lent.give_back()}
    assert back == {2: LinkBetweenMatches(), 1: BETWEEN}
    assert not any(link.is_open for link, _ in links)
    for _, theirs in links:
        theirs.close()
    lookout.close()


async def test_a_bot_that_was_waited_for_in_vain_is_absent_until_it_comes_after_all() -> None:
    lookout = Lookout()
    lent = LentLinks(SET, again_ms=5)
    (place,) = lent.places()["owl"]
    absent = await place.player.ready()
    assert absent is not None
    assert absent.came == SET.absent["owl"].came
    link, theirs = a_link(lookout)
    lent.receive("owl", link, 9)
    assert await place.player.ready() is None
    theirs.close()
    lost = await place.player.ready()
    assert lost is not None
    assert lost.code == "no-connection"
    assert lost.came != absent.came
    lookout.close()
