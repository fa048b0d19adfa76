"""Connections of bots that dial in, lent to a set."""

from __future__ import annotations

import socket

from arena.referee.players.lent import LentLinks
from arena.referee.players.pool import SeatedGuest
from arena.referee.wire.lookout import Lookout
from arena.referee.wire.packed import LendLink, LinkBack, LinkBetweenMatches
from tests.league.play.test_orders import BETWEEN, SET


def lend(lent: LentLinks, lookout: Lookout, name: str, number: int) -> socket.socket:
    """Lend a connection, and return its other side."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = socket.create_connection(listener.getsockname())
        ours, _ = listener.accept()
    known = BETWEEN if number == 1 else LinkBetweenMatches()
    lent.receive(LendLink(3, 2, name, number, known), ours, lookout)
    return theirs


def test_connections_take_the_places_that_are_free_and_go_back_if_they_are_open() -> None:
    lookout = Lookout()
    lent = LentLinks({"fox": 2}, {}, again_ms=5)
    others = [lend(lent, lookout, "fox", number) for number in range(2)]
    others[0].close()
    others.append(lend(lent, lookout, "fox", 2))
    places = [*map(SeatedGuest, lent.players["fox"])]
    assert [(place.player.starts, place.process()) for place in places] == [(2, 2), (1, 1)]
    back = lent.give_back()
    assert back == (LinkBack(2, LinkBetweenMatches()), LinkBack(1, BETWEEN))
    assert lent.give_back() == ()
    for each in others:
        each.close()
    lookout.close()


async def test_a_bot_that_was_waited_for_in_vain_is_absent_until_it_comes_after_all() -> None:
    lookout = Lookout()
    lent = LentLinks(SET.guests, SET.absent, again_ms=5)
    (player,) = lent.players["owl"]
    absent = await player.ready()
    assert absent is not None
    assert absent.came == SET.absent["owl"].came
    with lend(lent, lookout, "owl", 9):
        assert await player.ready() is None
    lost = await player.ready()
    assert lost is not None
    assert lost.code == "no-connection"
    assert lost.came != absent.came
    lookout.close()
