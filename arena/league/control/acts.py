"""What an operator may order a league to do, and what they are told of it. Values only.

A running league takes acts at its control socket (`socket`); on one that rests, the command that
was given performs them itself (`rest`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = str | bool | int | Mapping[str, int]
"""The value of a key below [[bots]]."""


class Admit(Struct, frozen=True, tag=True):
    """Enter a bot that league.toml has not.

    `bot`: a table as below [[bots]], with `name`. Its `path` is absolute, or as seen from the
    folder of the file.
    """

    bot: Mapping[str, Value]


class AdmitAgain(Struct, frozen=True, tag=True):
    """Take up a bot again that was retired."""

    name: str


class Merge(Struct, frozen=True, tag=True):
    """Read league.toml again, and make the changes in it."""


class Retire(Struct, frozen=True, tag=True):
    """Plan nothing more for a bot; its sets that have begun are played to their end."""

    name: str


class Invite(Struct, frozen=True, tag=True):
    """Enter a bot that dials in, with a token that is told once and is in no file.

    `expires`: the first second in which the token is not valid, such as 2026-01-31T12:00:00Z.
    """

    name: str
    owner: str | None = None
    expires: str | None = None


class Renew(Struct, frozen=True, tag=True):
    """Draw a new token for a bot that dials in; the one before ends. `expires`: as above."""

    name: str
    expires: str | None = None


class Revoke(Struct, frozen=True, tag=True):
    """End the token of a bot that dials in."""

    name: str


class Tokens(Struct, frozen=True, tag=True):
    """List the tokens of all bots."""


class Who(Struct, frozen=True, tag=True):
    """Tell which bots are here."""


Act: TypeAlias = Admit | AdmitAgain | Merge | Retire | Invite | Renew | Revoke | Tokens | Who


class Told(Struct, frozen=True):
    """The answer to an act: lines for the operator.

    `refused`: nothing was done, or it was undone as a bot could not be made ready; the lines say
    why, and what to do. `is_misnamed`: it was
    refused because of a name that no bot here has, so the command was written wrongly.
    """

    lines: tuple[str, ...]
    refused: bool = False
    is_misnamed: bool = False


class ActRefused(Exception):
    """An act cannot be performed; the text says why and what to do. Nothing was changed."""

    def __init__(self, text: str, *, is_misnamed: bool = False) -> None:
        super().__init__(text)
        self.told = Told(tuple(text.splitlines()), refused=True, is_misnamed=is_misnamed)
