"""One match as a JSON value: for each seat its bot, place, score, faults and times, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.json_formats import JsonKey, Sections
from arena.record import FaultEntry, Record

MICROSECONDS = 1000  # in a millisecond
DIGITS = 3  # of milliseconds, after the point

# Keys of every value of `match_as_json_value`.
MATCH_KEYS: Mapping[str, JsonKey] = {
    "name": JsonKey("text", "as its bots were told it; empty where it was not begun"),
    "seed": JsonKey("text", "what its cards were dealt from (SPEC 13.1), in hexadecimal digits"),
    "ending": JsonKey(
        "text", "one of the game's endings (SPEC 10.1), `forfeit`, `void`, `not-begun`"
    ),
    "moves": JsonKey("whole number", "decisions of all seats together"),
    "seats": JsonKey("list of seat", "who sat there and what came of it, from seat 0 on"),
    "faults": JsonKey("list of fault", "in the order in which they came"),
}
# The sections that those keys lead to.
MATCH_SECTIONS: Sections = {
    "seat": {
        "seat": JsonKey("whole number", "from 0"),
        "bot": JsonKey("text", "the name of the bot: escape it, like all text here"),
        "place": JsonKey("whole number or null", "from 1, ties share the best place; null: void"),
        "score": JsonKey("whole number or null", "null: the match was not played out"),
        "is_forfeited": JsonKey("true or false", "the seat was forfeited (SPEC 7.4)"),
        "faults": JsonKey("whole number", "of this bot"),
        "decisions": JsonKey("whole number", "that took a microsecond or more, as in the table"),
        "think_ms": JsonKey("number or null", "mean time of these; null: there were none"),
        "slowest_ms": JsonKey("number or null", "the longest; null: there were none"),
    },
    "fault": {
        "seat": JsonKey("whole number", "of the bot"),
        "bot": JsonKey("text", "its name"),
        "move": JsonKey("whole number", "moves played before it; the number of one played for it"),
        "kind": JsonKey("text", "one of the six kinds (SPEC 7.1)"),
        "code": JsonKey("text", "what it was more exactly (SPEC 7.2)"),
        "text": JsonKey("text", "all of it in a sentence, for people"),
        "is_forfeit": JsonKey("true or false", "it forfeited the seat"),
    },
}


def match_as_json_value(record: Record) -> dict[str, Any]:
    """Return the match with the keys of MATCH_KEYS."""
    return {
        "name": record.match,
        "seed": record.seed,
        "ending": record.ending,
        "moves": len(record.moves),
        "seats": seats_as_json_values(record),
        "faults": [fault_as_json_value(record, fault) for fault in record.faults],
    }


def seats_as_json_values(record: Record) -> Sequence[Mapping[str, Any]]:
    times: list[list[int]] = [[] for _ in record.names]
    for move in record.moves:
        if move.time_us:  # else it was played for the bot
            times[move.seat].append(move.time_us)
    return [
        {
            "seat": seat,
            "bot": name,
            "place": record.places[seat] if record.places else None,
            "score": record.scores[seat] if record.scores else None,
            "is_forfeited": seat in record.forfeits,
            "faults": sum(fault.seat == seat for fault in record.faults),
            "decisions": len(times[seat]),
            "think_ms": in_ms(sum(times[seat]) / len(times[seat])) if times[seat] else None,
            "slowest_ms": in_ms(max(times[seat])) if times[seat] else None,
        }
        for seat, name in enumerate(record.names)
    ]


def fault_as_json_value(record: Record, fault: FaultEntry) -> Mapping[str, Any]:
    return {
        "seat": fault.seat,
        "bot": record.names[fault.seat],
        "move": fault.move,
        "kind": fault.kind,
        "code": fault.code,
        "text": fault.text,
        "is_forfeit": fault.forfeit,
    }


def in_ms(time_us: float) -> float:
    """Return milliseconds, from microseconds."""
    return round(time_us / MICROSECONDS, DIGITS)
