"""Connections of bots that dial in, lent to a set."""

from __future__ import annotations

import socket

from arena.referee.players.lent import LentLinks
from arena.referee.players.pool import SeatedGuest
from arena.referee.replies import Lagged
from arena.referee.wire.lookout import Lookout
from arena.referee.wire.packed import LendLink, LinkBack, LinkBetweenMatches
from arena.referee.wire.relay import Kind, Packet
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


def relayed(lent: LentLinks, lookout: Lookout, number: int) -> socket.socket:
    """Lend a connection that came through a door, and return the door's end."""
    ours, doors = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    lent.receive(LendLink(3, 2, "fox", number, LinkBetweenMatches()), ours, lookout)
    return doors


async def test_a_bot_that_its_door_has_lost_is_waited_for_and_then_sits_down_all_the_same() -> None:
    """The match is void once it is asked: it did not fail to come."""
    lookout = Lookout()
    lent = LentLinks({"fox": 1}, {}, again_ms=5)
    (player,) = lent.players["fox"]
    relayed(lent, lookout, 1).close()
    assert await player.ready() is None
    assert isinstance(player.link.ask("m-1", {}, ("R1",), 1_000, 0, 5_000), Lagged)
    with relayed(lent, lookout, 2):
        assert await player.ready() is None
        assert lent.give_back() == (LinkBack(2, LinkBetweenMatches()),)
    lookout.close()


async def test_a_bot_that_has_left_its_door_is_missing() -> None:
    lookout = Lookout()
    lent = LentLinks({"fox": 1}, {}, again_ms=5)
    (player,) = lent.players["fox"]
    with relayed(lent, lookout, 1) as door:
        door.send(Packet(Kind.ENDED, 0).packed())
    lost = await player.ready()
    assert lost is not None
    assert lost.code == "no-connection"
    lookout.close()
