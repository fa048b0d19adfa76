"""Words and data by which a game describes itself, so that nothing else lists the games.

Checks and tests read `Trials` and `DecisionKind`, match pages read `Drawing`, SPEC.md and
`arena games` read `ViewField`. Options have a module of their own, `options`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

Options: TypeAlias = Mapping[str, object]
"""Options as a league gives them, by name; those left out keep their defaults."""

DEFAULTS: Options = MappingProxyType({})


@dataclass(frozen=True)
class ViewField:
    """One field of a view, as SPEC prints it and as types in other languages are made from it.

    `type` is `number`, `text`, `map`, or `list of` numbers, texts or lists, perhaps with `or nil`.
    """

    name: str
    type: str
    meaning: str
    # All texts that the field may hold, where they are few.
    values: tuple[str, ...] = ()
    # The parts of a map, or of the innermost list where its places have meanings of their own; a
    # map without it may hold anything.
    record: ViewRecord | None = None
    # With `or nil`: the phases of the view in which a seat may find nil. A spectator may find it in
    # any.
    nil_in: tuple[str, ...] = ()


@dataclass(frozen=True)
class ViewRecord:
    """The parts of a map in a view, or of a list whose places have meanings of their own."""

    name: str  # the type's name in other languages, `PreviousRound`
    about: str
    fields: tuple[ViewField, ...]
    # A list has its fields in order, and then any number of texts of this name and meaning.
    rest: ViewField | None = None


EVERY_PHASE = ("*",)
"""`nil_in` of a field that may be nil whatever the phase is."""


@dataclass(frozen=True)
class DecisionKind:
    """One kind of decision that a bot must tell from others; a check shows a bot each."""

    name: str
    # Actions that the other seats of a check avoid while they can, so that the kind comes up;
    # `{seat}` stands for the seat that is to meet it.
    left_alone: tuple[str, ...] = ()
    together: bool = False  # several seats owe it at the same time
    # This kind comes up so seldom that a check looks for a deal that begins with it.
    is_rare: bool = False


@dataclass(frozen=True)
class Trials:
    """Options for matches that programs play among themselves.

    A game without options needs none of them; a game with long matches needs `short`.
    """

    short: Options = field(
        default_factory=dict
    )  # at most a few hundred decisions, at every size of table
    unusual: Options = field(
        default_factory=dict
    )  # as many values as possible that are not the defaults
    long: Options = field(default_factory=dict)  # its last views are about the largest there are
    # Together they use every value of every option. The first is written out as a playthrough.
    sweep: tuple[Options, ...] = (DEFAULTS,)


@dataclass(frozen=True)
class Drawing:
    """The drawing of `outputs/pages/static/tables.js` that shows a match, by name, with the facts
    of the game that it needs. `fields` writes a view down field by field."""

    name: str = "fields"
    details: Mapping[str, str] = field(default_factory=dict)
    # Where a page may work every view out from the moves: the round (from 1) and the phase of a
    # state, found without making a view (`outputs/pages/sets/sheet.py` says which games can).
    stage: Callable[[Any], tuple[int, str]] | None = None
    # The game in a few sentences, for somebody who watches and has never played it.
    in_short: tuple[str, ...] = ()
