"""A judgement as a document for other programs, and for pages that mark the moves."""

from __future__ import annotations

from typing import Any

from arena.json_formats import JUDGE
from arena.judge.bars import CHANCE_OF_A_MISS
from arena.judge.judgement import Decided, Judgement
from arena.record import Record


def document(record: Record, judgement: Judgement) -> dict[str, Any]:
    """Return the judgement of a match, with enough of the match to know it again."""
    measure = judgement.measure
    content = {
        "match": record.match,
        "game": record.game,
        "bots": list(record.names),
        "moves": len(record.moves),
        "unit": measure.unit,
        "value": measure.meaning,
        "policy": measure.policy,
        "trust": measure.trust,
        "negligible": measure.negligible,
        "confidence": 1 - CHANCE_OF_A_MISS,
        "comparisons": judgement.comparisons,
        "worlds": judgement.worlds,
        "seed": judgement.seed,
        "seats": [
            {
                "seat": seat,
                "judged": count.judged,
                "mistakes": count.mistakes,
                "undecided": count.undecided,
                "forced": count.forced,
                "not_own": count.not_own,
                "not_reached": count.unlooked,
            }
            for seat, count in judgement.seats.items()
        ],
        "decisions": [decision_as_json_value(each) for each in judgement.decided],
    }
    return JUDGE.document(content)


def decision_as_json_value(decided: Decided) -> dict[str, Any]:
    return {
        "move": decided.number,
        "seat": decided.seat,
        "played": decided.played,
        "verdict": decided.verdict,
        "better": decided.better.action if decided.verdict == "mistake" else None,
        "actions": [
            {
                "action": each.action,
                "value": round(each.value, 4),
                "more": round(each.more, 4),
                "bar": round(each.bar, 4),
                "worlds": each.worlds,
            }
            for each in decided.actions
        ],
    }
