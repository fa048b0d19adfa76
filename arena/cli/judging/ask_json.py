"""`arena ask --json`: the answers of a bot, beside the recorded actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from arena.asking.answers import Compared
from arena.asking.asking import Asking
from arena.json_formats import ASK, DOCUMENT, JsonKey, Sections

SECTIONS: Sections = {
    DOCUMENT: {
        "match": JsonKey("text", "the match's name, as its bots were told it"),
        "game": JsonKey("text", "the rule set"),
        "seat": JsonKey("whole number", "whose requests the bot got"),
        "played_by": JsonKey("text", "who sat there in the match"),
        "bot": JsonKey("text", "who was asked"),
        "times": JsonKey("whole number", "how often it was asked, each time by a new process"),
        "requests": JsonKey("whole number", "how many requests there were each time"),
        "absent": JsonKey("text or null", "why the bot did not start"),
        "decisions": JsonKey("list of decision", "those that were answered, in order"),
    },
    "decision": {
        "move": JsonKey("whole number", "its number"),
        "played": JsonKey("text", "the action in the record"),
        "own": JsonKey("true or false", "a bot chose it; else the referee, in its place"),
        "legal": JsonKey("list of text", "the actions to choose from"),
        "view": JsonKey("map", "what the seat saw (SPEC 10.4)"),
        "same": JsonKey("true or false", "each answer was the action in the record, and no fault"),
        "counts": JsonKey("map", "how often each action was answered, and `fault` for none"),
        "answers": JsonKey("list of answer", "one for each time"),
    },
    "answer": {
        "action": JsonKey("text or null", "what was chosen; null: the answer was a fault"),
        "note": JsonKey("text", "the bot's remark, or empty"),
        "took_us": JsonKey("whole number", "its time, in microseconds"),
        "faults": JsonKey("list of fault", "that came with it"),
    },
    "fault": {
        "kind": JsonKey("text", "one of the kinds of SPEC 7.1"),
        "code": JsonKey("text", "what it was more exactly (SPEC 7.2)"),
        "text": JsonKey("text", "what came, what was expected, and what to do"),
    },
}


def document(asking: Asking, bot: str) -> str:
    """Return the document. `bot`: the name of the bot that was asked."""
    asked = asking.asked
    record = asked.record
    views = {each.number: each.view() for each in asked.decisions()}
    content = {
        "match": record.match,
        "game": record.game,
        "seat": asked.seat,
        "played_by": record.names[asked.seat],
        "bot": bot,
        "times": asking.times,
        "requests": len(views),
        "absent": None if asking.absent is None else asking.absent.text,
        "decisions": [as_json_value(each, views[each.number]) for each in asking.compared()],
    }
    return ASK.text(content)


def as_json_value(each: Compared, view: Mapping[str, object]) -> dict[str, object]:
    return {
        "move": each.number,
        "played": each.played,
        "own": each.is_own,
        "legal": list(each.legal),
        "view": view,
        "same": each.is_same,
        "counts": dict(each.counts),
        "answers": [
            {
                "action": answer.action,
                "note": answer.note,
                "took_us": answer.took_us,
                "faults": [asdict(fault) for fault in answer.faults],
            }
            for answer in each.answers
        ],
    }
