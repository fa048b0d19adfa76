"""The shapes of views, read from the field tables of the games: what every language's types need.

A shape is a map with named members or a list whose places have names. Every distinct table of
fields among the games is a shape, and so is every record in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from arena.games import EVERY_PHASE, GAMES, Game, ViewField, ViewRecord

Kind: TypeAlias = Literal["number", "text", "map", "shape"]

PLAIN: Mapping[str, Kind] = {"number": "number", "text": "text", "map": "map"}


@dataclass(frozen=True)
class Type:
    """The type of a member: `kind` within so many lists.

    `map` may hold anything, as `options` does; `shape` is the one called `shape`.
    """

    kind: Kind
    lists: int = 0
    shape: str = ""


@dataclass(frozen=True)
class Member:
    """One field of a shape."""

    name: str
    type: Type
    meaning: str
    values: tuple[str, ...] = ()
    """All texts that it may hold, where they are known; a later server may add some."""
    nil_in: frozenset[str] = frozenset()
    """The phases in which a seat may find nil here. A bot always has a seat, so that a field which
    is nil for a spectator alone has none."""

    @property
    def may_be_nil(self) -> bool:
        return bool(self.nil_in)


@dataclass(frozen=True)
class Shape:
    name: str
    about: str
    """One sentence."""
    members: tuple[Member, ...]
    games: tuple[str, ...] = ()
    """Whose view this is; a record has none."""
    phases: tuple[str, ...] = ()
    """Of a view whose games have phases, all of them."""
    is_list: bool = False
    """A list on the wire, its members in order."""
    rest: Member | None = None
    """Of a list: any number of texts after the members."""

    @property
    def is_view(self) -> bool:
        return bool(self.games)


def shapes(games: Iterable[Game] = tuple(GAMES.values())) -> tuple[Shape, ...]:
    """Every shape once; the records of a view stand before it, in the order of its fields."""
    tables: dict[tuple[ViewField, ...], list[Game]] = {}
    for game in games:
        tables.setdefault(game.fields, []).append(game)
    found: dict[str, Shape] = {}
    for fields, group in tables.items():
        view = _view(fields, group)
        for field in fields:
            if field.record is not None:
                record = _record(field.record, view.phases)
                assert found.setdefault(record.name, record) == record, record.name
        assert view.name not in found
        found[view.name] = view
    return tuple(found.values())


def views(every: Iterable[Shape]) -> Iterator[Shape]:
    """The shapes that are whole views."""
    return (shape for shape in every if shape.is_view)


def view_of_game(every: Iterable[Shape]) -> Mapping[str, Shape]:
    """By a game's name, the shape of its view."""
    return {game: shape for shape in views(every) for game in shape.games}


def _view(fields: tuple[ViewField, ...], games: list[Game]) -> Shape:
    names = tuple(game.name for game in games)
    phases = next((field.values for field in fields if field.name == "phase"), ())
    members = tuple(_member(field, phases) for field in fields)
    # TrickGame and Nope are classes of games; the one of a single game may have any name.
    name = f"{type(games[0]).__name__.removesuffix('Game')}View"
    return Shape(name, f"A view of {_listed(names)}.", members, names, phases)


def _record(record: ViewRecord, phases: tuple[str, ...]) -> Shape:
    members = tuple(_member(field, phases) for field in record.fields)
    rest = None if record.rest is None else _member(record.rest, phases)
    return Shape(record.name, record.about, members, is_list=rest is not None, rest=rest)


def _member(field: ViewField, phases: tuple[str, ...]) -> Member:
    nil_in = phases if field.nil_in == EVERY_PHASE and phases else field.nil_in
    return Member(field.name, _type(field), _meaning(field), field.values, frozenset(nil_in))


def _meaning(field: ViewField) -> str:
    """What a field means, for a bot: it always has a seat, and the table of a record is below in
    SPEC alone."""
    return re.sub("; nil(:| for) a spectator|: the table below", "", field.meaning)


def _type(field: ViewField) -> Type:
    *around, plain = field.type.removesuffix(" or nil").split(" of ")
    lists = len(around) + (plain == "lists")
    if field.record is not None:
        # The innermost lists of a table of turns are the turns themselves.
        return Type("shape", lists - (field.record.rest is not None), field.record.name)
    kind = PLAIN.get(plain.removesuffix("s"))
    if kind is None or not {*around} <= {"list", "lists"}:
        raise ValueError(f"{field.name}: no type of other languages is known for {field.type!r}")
    return Type(kind, lists)


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
