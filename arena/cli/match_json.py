"""`arena match --json`: everything that was played, as one JSON document."""

from __future__ import annotations

import math

from arena.cli.documents import departures
from arena.cli.documents.departures import repeated_as_json_value
from arena.cli.documents.one_match import MATCH_KEYS, MATCH_SECTIONS, match_as_json_value
from arena.cli.evidence import EVIDENCE_KEYS, evidence_as_json_value
from arena.cli.match_arguments import Repeats
from arena.compare.play import Comparison, SeatedResult
from arena.compare.sets import ahead_in, elo_between, mean_in_set, results
from arena.compare.stop import Trial
from arena.json_formats import DOCUMENT, MATCH, JsonKey, Sections
from arena.league.model.sets import Place
from arena.stats import mean_of

_ELO = "null: it is not known yet, or infinite"

SECTIONS: Sections = {
    DOCUMENT: {
        "game": JsonKey("text", "the rule set (SPEC 10.1)"),
        "options": JsonKey("map", "of the game, those that were given"),
        "seed": JsonKey(
            "text", "of the match, or what the seeds of all sets come from; hexadecimal"
        ),
        "bots": JsonKey(
            "list of text",
            "in the order of the command line, that of `--against` last; copies have a number",
        ),
        "matches": JsonKey("list of match", "set by set, in the order in which they were played"),
        "repeated": JsonKey("repeated", "only with `--replay-others`", is_optional=True),
        "stop": JsonKey("stop", "only with `--stop`", is_optional=True),
        "against": JsonKey("against", "only with `--against`, once a set counts", is_optional=True),
        "results": JsonKey(
            "list of result", "only with sets of which one counts: best first", is_optional=True
        ),
    },
    "match": {
        "match": JsonKey("text", "`2.1` is the first match of the second set"),
        "set": JsonKey("whole number", "from 1"),
        **MATCH_KEYS,
        "annulled": JsonKey("text or null", "of a void match: the bot that would have been late"),
        "evidence": JsonKey(
            "list of evidence", "of the faults; none of sets that `--keep` had kept"
        ),
    },
    **MATCH_SECTIONS,
    "evidence": EVIDENCE_KEYS,
    **departures.SECTIONS,
    "stop": {
        "bounds": JsonKey("text", "as they were given"),
        "alpha": JsonKey("number", "as it was given"),
        "beta": JsonKey("number", "as it was given"),
        "verdict": JsonKey("text", "`accepted`, `rejected` or `not yet`"),
        "sets": JsonKey("whole number", "that count"),
        "ratio": JsonKey("number", "the logarithm of the likelihood ratio"),
        "ratio_low": JsonKey("number", "at or below it: rejected"),
        "ratio_high": JsonKey("number", "at or above it: accepted"),
        "elo": JsonKey("number or null", f"of the first bot over the second; {_ELO}"),
        "elo_low": JsonKey("number or null", f"the lower end of its bar; {_ELO}"),
        "elo_high": JsonKey("number or null", f"the upper end; {_ELO}"),
    },
    "against": {
        "ahead": JsonKey(
            "number", "what the first bot left behind it, less what that of `--against` did"
        ),
        "ahead_bar": JsonKey("number or null", "half its 95 % bar, over sets; null: not known yet"),
        "elo": JsonKey("number or null", f"their distance against the same others; {_ELO}"),
        "elo_bar": JsonKey("number or null", f"half its 95 % bar, over sets; {_ELO}"),
    },
    "result": {
        "bot": JsonKey("text", "the name of the row"),
        "copies": JsonKey("whole number", "how many seats it had in each match"),
        "ahead": JsonKey("number", "share of opponents that finished behind, ties half"),
        "ahead_bar": JsonKey("number or null", "half its 95 % bar, over sets; null: not known yet"),
        "points": JsonKey("number", "the mean of a match"),
        "points_bar": JsonKey(
            "number or null", "half its 95 % bar, over sets; null: not known yet"
        ),
    },
}


def document(comparison: Comparison, repeats: Repeats | None = None) -> str:
    """Return the document; raw bytes in it are hexadecimal. `repeats`: of `--replay-others`."""
    plan = comparison.plan
    whole: dict[str, object] = {
        "game": plan.game,
        "options": dict(plan.options),
        "seed": plan.seed.hex(),
        "bots": list(comparison.line_up),
        "matches": [
            played_as_json_value(Place(number, turn), match)
            for number, one in enumerate(comparison.played, 1)
            for turn, match in enumerate(one)
        ],
    }
    begun = [result.record for result in comparison.results if result.is_begun]
    if repeats is not None and begun:
        whole["repeated"] = repeated_as_json_value(repeats, begun[0])
    if comparison.trial is not None:
        whole["stop"] = trial_as_json_value(comparison.trial)
    if not comparison.is_single and comparison.counted:
        rows, _ = results(comparison.rows, comparison.counted)
        whole["results"] = [
            {
                "bot": comparison.names[row.bot],
                "copies": len(comparison.rows[row.bot]),
                "ahead": row.ahead.value,
                "ahead_bar": row.ahead.bar,
                "points": row.points.value,
                "points_bar": row.points.bar,
            }
            for row in rows
        ]
    if comparison.rival is not None and comparison.counted:
        whole["against"] = against_as_json_value(comparison)
    return MATCH.text(whole)


def against_as_json_value(comparison: Comparison) -> dict[str, object]:
    """Return the paired difference of two bots that did not meet."""
    first, rival = comparison.rows
    sets = comparison.counted
    ahead = mean_of(
        [mean_in_set(one, first, ahead_in) - mean_in_set(one, rival, ahead_in) for one in sets]
    )
    elo = elo_between((first, rival), sets)
    return {
        "ahead": ahead.value,
        "ahead_bar": ahead.bar,
        "elo": None if elo is None else elo.value,
        "elo_bar": None if elo is None else elo.bar,
    }


def trial_as_json_value(trial: Trial) -> dict[str, object]:
    """Return the stop test as far as it came; null is an infinite Elo."""
    elo = (None, None, None) if trial.sets == 0 else trial.elo()
    low, high = trial.test.limits
    return {
        "bounds": str(trial.test.bounds),
        "alpha": trial.test.alpha,
        "beta": trial.test.beta,
        "verdict": trial.verdict.value,
        "sets": trial.sets,
        "ratio": trial.ratio,
        "ratio_low": low,
        "ratio_high": high,
        **{
            key: each if each is not None and math.isfinite(each) else None
            for key, each in zip(("elo", "elo_low", "elo_high"), elo, strict=True)
        },
    }


def played_as_json_value(place: Place, match: SeatedResult) -> dict[str, object]:
    """Return a match with its place among the sets, and the evidence of its faults."""
    record = match.result.record
    annulled = record.annulled
    return {
        "match": str(place),
        "set": place.set,
        **match_as_json_value(record),
        "annulled": None if annulled is None else record.names[annulled],
        "evidence": [
            evidence_as_json_value(record.names, fault) for fault in match.result.evidence
        ],
    }
