"""What a server is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.serve.options import ServeAddress, ServeOptions, host_name, slugs_of


@pytest.mark.parametrize("text", ["127.0.0.1:8000", "[::1]:0", "example.org:65535"])
def test_an_address_is_read_and_written_again(text: str) -> None:
    assert str(ServeAddress.read(text)) == text


@pytest.mark.parametrize(
    "text", ["8000", "localhost", "::1:80", "a:70000", "a b:80", "http://a:80"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="HOST:PORT"):
        ServeAddress.read(text)


def test_options_pass_unchanged_to_another_process() -> None:
    options = ServeOptions(("/a", "/b"), "[::1]:1", ("a.org",), "tcp:a:1", "/log", True)
    assert ServeOptions.from_json(options.to_json()) == options


@pytest.mark.parametrize("text", ["http://a", "a/b", "a:80", "", "-a"])
def test_what_is_no_host_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="host name"):
        host_name(text)


def test_every_league_has_an_address_of_its_own() -> None:
    names = ("a/cup", "b/cup", "Früh ling", "play")
    folders = [Path(f"{name}.arena") for name in names]
    assert slugs_of(folders) == ["cup", "cup-2", "fr-h-ling", "play-2"]
