"""`arena evaluate --json`: the results of an evaluation as one JSON document."""

from __future__ import annotations

import math
from collections.abc import Sequence

from arena.compare.play import Comparison
from arena.evaluate.results import (
    POLICY,
    against,
    faults_of,
    forfeits_of,
    matches_of,
    time_of,
)
from arena.json_formats import DOCUMENT, EVALUATION, JsonKey, Sections
from arena.stats import FEWEST_FOR_A_BAR

_FEW = f"null: with fewer than {FEWEST_FOR_A_BAR} sets"

_STRENGTH = {
    "ahead": JsonKey("number", "the share of pairs with them that the policy won, ties half"),
    "ahead_low": JsonKey("number or null", f"the lower end of its 95 % bar, over sets; {_FEW}"),
    "ahead_high": JsonKey("number or null", f"the upper end; {_FEW}"),
    "elo": JsonKey("number or null", "`ahead` in Elo; null: infinite, as that of 0 and 1 is"),
    "elo_low": JsonKey(
        "number or null", "`ahead_low` in Elo; null: minus infinite if that is 0, else not known"
    ),
    "elo_high": JsonKey(
        "number or null", "`ahead_high` in Elo; null: infinite if that is 1, else not known"
    ),
    "los": JsonKey("number or null", f"the chance that the policy is better; {_FEW}"),
}

SECTIONS: Sections = {
    DOCUMENT: {
        "policy": JsonKey("text", "as it was named: `MODULE:NAME`"),
        "game": JsonKey("text", "the rule set (SPEC 10.1)"),
        "options": JsonKey("map", "of the game, those that were given"),
        "seed": JsonKey("text", "what the seeds of all sets come from; hexadecimal"),
        "bots": JsonKey("list of text", "the others at the table; copies have a number"),
        "sets": JsonKey("whole number", "that count"),
        "sets_wanted": JsonKey("whole number", "that were asked for"),
        "matches": JsonKey("whole number", "that were played, also of sets that do not count"),
        "all_bots": JsonKey("strength or null", "against all bots; null: no set counts"),
        "each_bot": JsonKey("list of strength of a bot", "by bot; empty: no set counts"),
        "clock": JsonKey("clock or null", "of the policy; null: with `--no-clock`"),
        "cpu": JsonKey("cpu or null", "processor time of the policy; null: it decided nothing"),
        "faults": JsonKey("list of fault", "of the policy first, then of bots"),
        "forfeits": JsonKey("whole number", "matches in which the policy forfeited its seat"),
    },
    "strength": _STRENGTH,
    "strength of a bot": {
        "bot": JsonKey("text", "its name"),
        "copies": JsonKey("whole number", "how many seats it had in each match"),
        **_STRENGTH,
    },
    "clock": {
        "decision_ms": JsonKey("whole number", "free, for each decision"),
        "bank_ms": JsonKey("whole number", "on top, for a match"),
    },
    "cpu": {
        "decisions": JsonKey("whole number", "that were timed"),
        "mean_us": JsonKey("number", "the mean of a decision, in microseconds"),
        "p99_us": JsonKey("whole number", "99 % of them took no longer"),
    },
    "fault": {
        "bot": JsonKey("text", "the policy, or the name of a bot"),
        "kind": JsonKey("text", "of fault (SPEC 7.1)"),
        "code": JsonKey("text", "the finer code (SPEC 7.1)"),
        "times": JsonKey("whole number", "in all matches"),
        "matches": JsonKey("whole number", "in which it had such a fault"),
    },
}


def document(comparison: Comparison, *, is_timed: bool) -> str:
    """Return the document. `is_timed`: the policy could be late."""
    plan, sets = comparison.plan, comparison.counted
    matches = matches_of(comparison)
    timing, time = plan.timing, time_of(matches)
    rows = comparison.rows[1:]
    return EVALUATION.text(
        {
            "policy": comparison.line_up[POLICY],
            "game": plan.game,
            "options": dict(plan.options),
            "seed": plan.seed.hex(),
            "bots": list(comparison.line_up[POLICY + 1 :]),
            "sets": len(sets),
            "sets_wanted": comparison.sets,
            "matches": len(matches),
            "all_bots": strength(comparison, [place for row in rows for place in row])
            if sets
            else None,
            "each_bot": [
                {
                    "bot": comparison.line_up[row[0]],
                    "copies": len(row),
                    **strength(comparison, row),
                }
                for row in rows
                if sets
            ],
            "clock": {"decision_ms": timing.decision_ms, "bank_ms": timing.bank_ms}
            if is_timed
            else None,
            "cpu": None
            if time is None
            else {"decisions": time.decisions, "mean_us": time.mean_us, "p99_us": time.high_us},
            "faults": [
                {
                    "bot": comparison.line_up[each.bot],
                    "kind": each.kind,
                    "code": each.code,
                    "times": each.times,
                    "matches": each.matches,
                }
                for each in faults_of(matches)
            ],
            "forfeits": forfeits_of(matches),
        }
    )


def strength(comparison: Comparison, places: Sequence[int]) -> dict[str, object]:
    """Return the results against the bots at these places of the line-up."""
    result = against(comparison.counted, places)
    low, high = (None, None) if result.bar is None else (result.bar.low, result.bar.high)
    elo_low, elo_high = (None, None) if result.bar is None else result.bar.elo
    return {
        "ahead": result.ahead,
        "ahead_low": low,
        "ahead_high": high,
        "elo": finite(result.elo),
        "elo_low": finite(elo_low),
        "elo_high": finite(elo_high),
        "los": result.los,
    }


def finite(elo: float | None) -> float | None:
    """Return an Elo as JSON has it, in which no number is infinite."""
    return elo if elo is not None and math.isfinite(elo) else None
