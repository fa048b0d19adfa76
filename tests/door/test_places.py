"""The addresses at which a door listens."""

from __future__ import annotations

import pytest

from arena.door.places import ListenPlace, Way


@pytest.mark.parametrize("text", ["tls:0.0.0.0:443", "wss:[::1]:8443", "ws:localhost:80"])
def test_a_place_is_written_as_it_is_read(text: str) -> None:
    place = ListenPlace.of(text)
    assert str(place) == text
    assert place.is_encrypted is not text.startswith("ws:")


def test_a_place_has_its_parts() -> None:
    assert ListenPlace.of("wss:[::1]:8443") == ListenPlace(Way.WSS, "::1", 8443)


@pytest.mark.parametrize("text", ["tcp:127.0.0.1:1", "wss://host/", "wss:host", "ws:host:0", ""])
def test_what_is_no_place_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"is not tls:HOST:PORT.* For instance: wss:0\.0\.0\.0:443"
    ):
        ListenPlace.of(text)
