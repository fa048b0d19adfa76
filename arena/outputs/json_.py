"""The standings as JSON, for other programs: everything in them, under stable keys.

`KEYS` is the whole schema; docs/standings.md is made from it. Keys may be added at any time. To
remove one, or to change its meaning, takes a new version of STANDINGS.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import msgspec

from arena.json_formats import STANDINGS
from arena.league.model.course import CourseTable
from arena.league.table.standings import Standing, Standings

DIGITS = 6

BAR = "half the 95 % bar, over sets; null: it cannot be told yet"
MEAN = "{value, bar}; null: nothing tells it"

KEYS: Mapping[str, Mapping[str, str]] = {
    "document": {
        "format": f'"{STANDINGS.name}"',
        "version": f"of this schema: {STANDINGS.version}",
        "facts": "what stands above the table",
        "rows": "an array, part by part, best first: every bot with a rating",
        "benched": "an array: bots that take no further part and have no rating",
        "waiting": "an array of names: bots without a counted set yet",
        "versus": "an array: each ordered pair of bots that met",
        "history": "an array: where ratings stood after so many sets",
        "seat_edges": "an array: what a seat is worth; empty where seats turn",
        "course": "an array: the tables of a swiss or a knockout, beside the ratings",
        "retired": "an array of names: bots that take no further part, and whose results count",
        "presence": "an array, while the league is running: each bot that dials in and came, but "
        "for retired ones; else empty",
    },
    "facts": {
        "name": "of the league",
        "game": "the rule set",
        "seats": "at a table",
        "options": "of the game, those that were set",
        "format": "as in league.toml",
        "duplicate": "each set is played in every seating",
        "clock": "{decision_ms, bank_ms, hang_ms, faults_to_forfeit, start_ms}",
        "are_deals_predictable": "the league's file fixes the seed",
        "confinement": "how bots were confined, in the match where that was weakest: "
        '"dialled-in" where none was started, "bubblewrap", "landlock" with its ABI, or '
        '"unconfined"; empty before the first set',
        "anchor": "where the scale has its zero, in words",
        "points_of": '"round" or "match": what points are counted by',
        "sets": "counted: complete, from the first on without a gap",
        "sets_planned": "in the schedule",
        "matches": "of the counted sets",
        "voids": "sets that were void, because this machine was slow, and played anew",
        "annulled": "by bot: in how many of the voids it would have been late, else",
        "stood": "matches whose late rulings stood all the same, after three voids",
        "is_finished": "nothing is left to play",
        "ended": 'the rule of [stop] that ended it early, in words; "": none',
        "first": 'when the first counted match ended, UTC: "2026-01-31T12:00:00Z"; or ""',
        "last": 'when the last counted match ended; or ""',
        "state": '"running", "stopped" or "finished"',
        "sets_in_all": "that are to count when the league is finished, and equals `sets` then; nil "
        "while nobody can know",
        "sets_left_out": "of `sets_planned`: a bot in them is benched or retired, and they count "
        "for nobody",
        "winners": "an array of names: who has won a finished swiss or knockout, several if they "
        "are level; else empty, also where it was ended early",
    },
    "rows": {
        "name": "chosen by the bot's host: escape it, like all text here",
        "owner": "two of one owner do not meet",
        "version": "as the bot said; the next two likewise",
        "author": 'or ""',
        "language": 'or ""',
        "part": "from 0; bots that never met, not even through others, stand in separate parts",
        "rank": "in its part, from 1",
        "rank_interval": "[low, high]: where it may stand, 95 %; null: nothing limits it",
        "elo": "on the scale of `anchor`, in its part",
        "half_width": BAR,
        "los_to_next": "likelihood of being better than the next row; null: none, or unknown",
        "is_separated": "from the next row, at 97.5 %; null: there is none",
        "sets": "it played, counted",
        "matches": "it played, counted",
        "ahead": f"share of opponents that finished behind, ties half: {MEAN}",
        "ties": f"share of opponents level with it: {MEAN}",
        "wins": f"share of matches won, a shared first place divided: {MEAN}",
        "place": f"mean place: {MEAN}",
        "places": "an array: how often it was first, second ...",
        "points": f"by round or by match, see `points_of`: {MEAN}",
        "think_ms": "mean time of a decision it made itself; null: it made none",
        "slowest_ms": "its longest; null: it made none",
        "faults": "a map: number by kind, all kinds",
        "forfeits": "matches it forfeited",
        "gain": f"of share ahead, in later matches of a set over earlier ones: {MEAN}",
        "clock": "its own, {decision_ms, bank_ms, hang_ms}; null: that of the league",
        "lacks": 'why it is provisional, an array of "sets", "bar", "connection"; empty: it is not',
    },
    "benched": {
        "name": "of the bot",
        "owner": "of the bot",
        "reason": "in words, with what the bot last did",
        "after_set": "the number of the set in which it was benched",
        "sets": "it played, counted",
        "matches": "it played, counted",
        "faults": "a map: number by kind, all kinds",
        "forfeits": "matches it forfeited",
    },
    "versus": {
        "bot": "the one",
        "other": "the other",
        "ahead": "share of meetings in which the one finished ahead, ties half",
        "meetings": "at how many tables they met",
        "superiority": "likelihood that the one is the better; null: nothing tells it",
    },
    "history": {
        "sets": "after so many",
        "elo": "a map: by bot [Elo, half the bar or null]",
    },
    "course": {
        "title": "of the table, in words",
        "columns": "an array of their names",
        "rows": "an array of rows; a row has a value for each column, null where there is none",
        "note": "how to read it, in words",
    },
    "seat_edges": {
        "seat": "from 0",
        "elo": "what it is worth",
        "half_width": BAR,
    },
    "presence": {
        "name": "of the bot",
        "is_here": "true: it is connected; false: it has not been for a minute",
        "since": "when that was entered, UTC; a stop of the league in between changes nothing",
    },
}

# Keys of `facts` that documents of earlier versions lack.
LATER_FACTS = frozenset(
    {"ended", "state", "sets_in_all", "sets_left_out", "confinement", "winners"}
)

# Keys of a row that they lack.
LATER_ROWS = frozenset({"clock"})

# Keys of the whole that they lack.
LATER_PARTS = frozenset({"course", "retired", "presence"})


def document(standings: Standings) -> Mapping[str, Any]:
    """Return the whole as plain values, keys in the order of KEYS."""
    facts = standings.facts
    versus = [
        {"bot": bot, "other": other, **msgspec.to_builtins(one)}
        for (bot, other), one in standings.versus.items()
    ]
    whole = {
        "facts": in_order(
            "facts", {**msgspec.to_builtins(facts), "is_finished": facts.is_finished}
        ),
        "rows": [row_of(one) for one in standings.rows],
        "benched": msgspec.to_builtins(standings.benched),
        "waiting": list(standings.waiting),
        "versus": versus,
        "history": msgspec.to_builtins(standings.history),
        "seat_edges": msgspec.to_builtins(standings.seat_edges),
        "course": [course_of(one) for one in standings.course],
        "retired": list(standings.retired),
        "presence": msgspec.to_builtins(standings.presence),
    }
    found: Mapping[str, Any] = rounded(whole)
    return STANDINGS.document(found)


def course_of(one: CourseTable) -> Mapping[str, Any]:
    return in_order("course", msgspec.to_builtins(one))


def row_of(one: Standing) -> Mapping[str, Any]:
    """Return a row: the rating's values, and all others of the bot."""
    rating = msgspec.to_builtins(one.rating)
    others = {**msgspec.to_builtins(one), "name": one.name, "matches": one.rating.games}
    return in_order("rows", rating | others)


def in_order(section: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values that the schema names, in its order."""
    return {key: values[key] for key in KEYS[section]}


def json_text(standings: Standings) -> str:
    """Return the whole file, in ASCII: so no character of a name can harm a terminal or a page."""
    return json.dumps(document(standings), indent=1, allow_nan=False) + "\n"


def rounded(value: Any) -> Any:
    """Return the value with its numbers rounded to DIGITS, and null for those JSON has not.

    Further digits differ from machine to machine.
    """
    match value:
        case float():
            return (round(value, DIGITS) or 0.0) if math.isfinite(value) else None
        case dict():
            return {name: rounded(each) for name, each in value.items()}
        case list() | tuple():
            return [rounded(each) for each in value]
        case _:
            return value
