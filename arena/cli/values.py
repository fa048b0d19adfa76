"""Words of a command line as values: options of games, seeds."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from arena.serve.options import ServeAddress

NOTHING = ("nil", "none", "off")


def game_options(pairs: Iterable[str]) -> dict[str, object]:
    """Return the options of `-o NAME=VALUE`: numbers, true, false, nil, lists with commas, text."""
    options = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"write NAME=VALUE, such as rounds=2; got {pair!r}")
        options[name] = value(text)
    return options


def value(text: str) -> object:
    """Return a single value."""
    if text.lower() in NOTHING:
        return None
    try:
        return json.loads(f"[{text}]" if "," in text and not text.startswith("[") else text)
    except ValueError:
        return text


def seed_bytes(text: str) -> bytes:
    """Return a seed as it was typed: `hex:` and digits, or any text."""
    if text.startswith("hex:"):
        try:
            return bytes.fromhex(text[4:])
        except ValueError:
            raise click.BadParameter(
                f"after hex: come pairs of hexadecimal digits; got {text[4:]!r}",
                param_hint="--seed",
            ) from None
    return text.encode()


def read_address(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """Read where a server listens."""
    try:
        return None if text is None else str(ServeAddress.read(text))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
