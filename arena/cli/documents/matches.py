"""`arena matches --json`: matches of complete sets as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.cli.documents.chosen import Chosen, Wanted
from arena.cli.documents.one_match import MATCH_KEYS, MATCH_SECTIONS, match_as_json_value
from arena.cli.evidence import EVIDENCE_KEYS, evidence_as_json_value
from arena.json_formats import DOCUMENT, MATCHES, JsonKey, Sections
from arena.league.model.played import LeagueMatch
from arena.league.store.reader import Reader

SECTIONS: Sections = {
    DOCUMENT: {
        "league": JsonKey("text", "what it is called"),
        "game": JsonKey("text", "the rule set (SPEC 10.1)"),
        "matches": JsonKey("list of match", "by the order in which their sets were completed"),
        "next": JsonKey(
            "text or null",
            "for `--after`: the last match listed, else the one that `--after` named; null: none",
        ),
        "has_more": JsonKey("true or false", "`--limit` left out matches after `next`"),
        "unfinished": JsonKey("whole number", "matches played that may not be shown yet"),
    },
    "match": {
        "match": JsonKey("text", "its place in the league: `17.4` is the fourth match of set 17"),
        "set": JsonKey("whole number", "the number of its set, from 1"),
        "turn": JsonKey("whole number", "which of the set's matches it is, from 0"),
        "attempt": JsonKey("whole number", "how often the set was void before"),
        "ended": JsonKey("text", "when it ended, UTC: `2026-01-31T12:00:00Z`"),
        "stood": JsonKey("true or false", "a late ruling stood though this machine was slow"),
        **MATCH_KEYS,
        "evidence": JsonKey("list of evidence", "only with `--evidence`", is_optional=True),
    },
    **MATCH_SECTIONS,
    "evidence": EVIDENCE_KEYS,
}


def document(store: Reader, wanted: Wanted, unfinished: int, *, evidence: bool) -> Iterator[str]:
    """Yield one document with everything, in pieces of whole lines; raw bytes are hexadecimal.

    A match is read when its piece is asked for: a long league has more of them than fit in memory.
    """
    chosen = Chosen(store, wanted)
    matches = (
        with_evidence(store, wanted, played) if evidence else league_match_as_json_value(played)
        for played in chosen
    )
    return MATCHES.pieces(
        {"league": store.settings["name"], "game": store.settings["game"]},
        "matches",
        matches,
        lambda: {
            "next": None if chosen.last is None else str(chosen.last),
            "has_more": chosen.has_more,
            "unfinished": unfinished,
        },
    )


def with_evidence(store: Reader, wanted: Wanted, played: LeagueMatch) -> Mapping[str, Any]:
    names = played.record.names
    return {
        **league_match_as_json_value(played),
        "evidence": [
            evidence_as_json_value(names, one)
            for one in store.evidence(played.place)
            if wanted.names(names, one)
        ],
    }


def league_match_as_json_value(played: LeagueMatch) -> Mapping[str, Any]:
    return {
        "match": str(played.place),
        "set": played.set,
        "turn": played.turn,
        "attempt": played.attempt,
        "ended": played.ended,
        "stood": played.stood,
        **match_as_json_value(played.record),
    }
