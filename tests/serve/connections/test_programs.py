"""Places for programs, and who makes room."""

from __future__ import annotations

from functools import partial

from arena.serve.connections.programs import ProgramPlaces


def entered(places: ProgramPlaces, networks: str, left: list[str]) -> str:
    """The networks that got a place, of programs that come one after another."""
    return "".join(
        network for network in networks if places.enter(network, partial(left.append, network))
    )


def test_a_newcomer_takes_the_oldest_place_of_a_network_that_has_two_more() -> None:
    places, left = ProgramPlaces(4), list[str]()
    first = places.enter("a", partial(left.append, "first"))
    assert entered(places, "aab", left) == "aab"
    assert entered(places, "b", left) == "b"
    assert left == ["first"]
    assert first is not None
    assert first.is_over
    assert len(places) == 4


def test_no_place_is_taken_where_the_networks_have_as_many_or_one_more() -> None:
    places, left = ProgramPlaces(4), list[str]()
    assert entered(places, "aabb", left) == "aabb"
    assert not places.has_room("a")
    assert entered(places, "ab", left) == ""
    assert places.has_room("c")
    assert entered(places, "cc", left) == "c"
    assert left == ["a"]


def test_a_network_alone_gets_all_places_and_no_more() -> None:
    places, left = ProgramPlaces(3), list[str]()
    assert entered(places, "aaaa", left) == "aaa"
    assert left == []


def test_a_place_that_is_given_back_is_free_and_may_be_given_back_again() -> None:
    places, left = ProgramPlaces(1), list[str]()
    place = places.enter("a", partial(left.append, "a"))
    assert place is not None
    assert not places.has_room("a")
    places.go(place)
    places.go(place)
    assert places.has_room("a")
    assert entered(places, "a", left) == "a"
    assert left == []
