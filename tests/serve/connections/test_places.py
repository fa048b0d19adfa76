"""Places for pages, and who makes room."""

from __future__ import annotations

from functools import partial

from arena.serve.connections.places import PagePlaces


def test_a_newcomer_takes_the_oldest_place_of_the_network_that_has_most() -> None:
    left: list[str] = []
    places = PagePlaces(4)
    for number, network in enumerate("abbcde"):
        places.enter(network, partial(left.append, f"{network}{number}"))
    assert left == ["b1", "a0"]
    assert len(places) == 4


def test_whoever_has_a_seat_stays_while_there_is_somebody_without() -> None:
    left: list[str] = []
    places = PagePlaces(3)
    for place in (places.enter("a", lambda: left.append("first")) for _ in range(2)):
        place.has_seat = True
    places.enter("b", lambda: left.append("second"))
    places.enter("c", lambda: left.append("third"))
    assert left == ["second"]


def test_where_all_have_seats_the_oldest_makes_room() -> None:
    left: list[str] = []
    places = PagePlaces(1)
    places.enter("a", lambda: left.append("first")).has_seat = True
    places.enter("b", lambda: left.append("second"))
    assert left == ["first"]


def test_a_place_that_is_given_back_is_free_and_may_be_given_back_again() -> None:
    left: list[str] = []
    places = PagePlaces(1)
    place = places.enter("a", lambda: left.append("first"))
    places.go(place)
    places.go(place)
    places.enter("b", lambda: left.append("second"))
    assert left == []
