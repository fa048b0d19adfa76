"""`arena replay --json`: a line for each decision, as its seat was asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.cli.documents.one_match import MATCH_SECTIONS, fault_as_json_value
from arena.json_formats import DOCUMENT, REPLAY, JsonKey, Sections
from arena.record import Record
from arena.record.decisions import RecordedDecision, decisions
from arena.record.transcript import Audience

BOT, REFEREE = "bot", "referee"

SECTIONS: Sections = {
    DOCUMENT: {
        "move": JsonKey("whole number", "moves played before it by all seats: the first is 0"),
        "seat": JsonKey("whole number", "that owed the decision"),
        "bot": JsonKey("text", "who sat there: escape it, like all text here"),
        "view": JsonKey(
            "map", "all that the seat knew before the move (SPEC 10.3), as in its request"
        ),
        "legal": JsonKey("list of text", "the actions it might choose, in the game's order"),
        "action": JsonKey("text", "the one that was played"),
        "played_by": JsonKey("text", f"`{BOT}`, or `{REFEREE}` in its place (SPEC 7.1, 7.4)"),
        "time_us": JsonKey("whole number", "what the decision was charged; 0: nobody was asked"),
        "note": JsonKey("text or null", "the bot's remark; null: it made none"),
        "faults": JsonKey("list of fault", "of any bot, after the move before and up to this one"),
        "hands": JsonKey(
            "list of list of text",
            "only with `--open`: by seat, its cards before the move",
            is_optional=True,
        ),
    },
    "fault": MATCH_SECTIONS["fault"],
}


def json_lines(
    record: Record, audience: Audience, first: int | None, last: int | None
) -> Iterator[str]:
    """Yield a line for each decision from the first to the last, of one seat if it is a seat's
    audience."""
    for each in decisions(record):
        is_asked = (first is None or each.number >= first) and (last is None or each.number <= last)
        if is_asked and audience.seat in (None, each.seat):
            yield REPLAY.line(decision_as_json_value(record, each, audience))


def decision_as_json_value(
    record: Record, each: RecordedDecision, audience: Audience
) -> Mapping[str, Any]:
    found: dict[str, Any] = {
        "move": each.number,
        "seat": each.seat,
        "bot": record.names[each.seat],
        "view": each.view(),
        "legal": list(each.legal),
        "action": each.move.action,
        "played_by": BOT if each.is_own else REFEREE,
        "time_us": each.move.time_us,
        "note": each.note or None,
        "faults": [fault_as_json_value(record, fault) for fault in each.faults],
    }
    if audience.all_open:
        found["hands"] = [*audience.hands(each.state, record.seats).values()]
    return found
