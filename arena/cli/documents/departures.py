"""`arena match --replay-others`: where a match left its record, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.cli.match_arguments import Repeats
from arena.json_formats import JsonKey, Sections
from arena.record import Record
from arena.record.repeat import Departure, first_departure, first_forced
from arena.text import plain

SECTIONS: Sections = {
    "repeated": {
        "seat": JsonKey("whole number", "whose bot played; all others repeated the record"),
        "departed": JsonKey("departure or null", "the first move that is not the recorded one"),
        "forced": JsonKey(
            "departure or null",
            "the first move at which another seat could not play the next of its recorded actions",
        ),
    },
    "departure": {
        "move": JsonKey("whole number", "its number"),
        "seat": JsonKey("whole number", "that played it"),
        "bot": JsonKey("text", "who sat there"),
        "played": JsonKey("text", "the action"),
        "recorded": JsonKey(
            "text or null", "the one in the record; null: there it was no move of this seat"
        ),
    },
}


def told_departures(repeats: Repeats, again: Record) -> Iterator[str]:
    """Yield where the match left its record, and where another seat was forced to."""
    departed = first_departure(repeats.record, again)
    if departed is None:
        yield "every move is the recorded one"
        return
    yield f"first departure from the record: {in_words(departed, again)}"
    forced = first_forced(repeats.record, again, repeats.seat)
    if forced is None:
        yield "all other seats repeated their recorded actions to the end"
    else:
        yield f"first recorded action that could not be repeated: {in_words(forced, again)}"


def in_words(departure: Departure, again: Record) -> str:
    name = plain(again.names[departure.seat])
    recorded = f"; recorded: {departure.recorded}" if departure.recorded is not None else ""
    return (
        f"move {departure.move}, seat {departure.seat} ({name}) plays {departure.played}{recorded}"
    )


def repeated_as_json_value(repeats: Repeats, again: Record) -> Mapping[str, Any]:
    return {
        "seat": repeats.seat,
        "departed": as_json_value(first_departure(repeats.record, again), again),
        "forced": as_json_value(first_forced(repeats.record, again, repeats.seat), again),
    }


def as_json_value(departure: Departure | None, again: Record) -> Mapping[str, Any] | None:
    if departure is None:
        return None
    return {
        "move": departure.move,
        "seat": departure.seat,
        "bot": again.names[departure.seat],
        "played": departure.played,
        "recorded": departure.recorded,
    }
