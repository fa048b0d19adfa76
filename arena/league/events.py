"""What happens in a league, as events: the contract for other programs.

Each is a line of JSON with its number `n`, from 1 without a gap, the time `at`, and `event`,
what it is. They are kept in the store, entered together with what they tell; whoever has read up
to a number can go on from there. The table can be worked out from them: `match` events of sets
that have a `set` event, in order of their numbers. No card, seed or nonce of an unfinished set
is in any.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from arena.league.played import Played, PlayedSet
from arena.league.settings import Settings

Event: TypeAlias = Mapping[str, Any]

MEANINGS = {
    "league": "the league began, or its settings changed: all of them, but the secret key",
    "entrant": "a bot entered: its name, its owner, the hash of its sources",
    "schedule": "how many sets are planned in all",
    "match": "a match was played: who sat where, places, scores, who forfeited; no card of it",
    "void": "a set is void, because this machine was too slow, and is played anew",
    "set": "a set is complete: its seed, and by match its name, nonce and faults",
    "benched": "a bot takes no further part, and why",
    "finished": "every set of the schedule is played or left out",
}


def now() -> str:
    """The time of an event."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def line(number: int, event: Event) -> str:
    """As it is written."""
    return json.dumps({"n": number, **event}, ensure_ascii=False, separators=(",", ":"))


def league(settings: Settings) -> Event:
    told = dict(settings.to_json())
    # Whoever has the seed has all deals to come; that there is one must be known.
    told["are_deals_predictable"] = told.pop("seed") is not None
    return _event("league", told)


def entrant(name: str, owner: str, content: str) -> Event:
    return _event("entrant", {"name": name, "owner": owner, "content": content})


def schedule(sets: int) -> Event:
    return _event("schedule", {"sets": sets})


def match(played: Played) -> Event:
    record = played.record
    return _event(
        "match",
        {
            "set": played.set,
            "turn": played.turn,
            "attempt": played.attempt,
            "bots": record.names,
            "places": record.places,
            "scores": record.scores,
            "forfeits": record.forfeits,
            "ending": record.ending,
            "stood": played.stood,
        },
        played.ended,
    )


def void(played: Played) -> Event:
    return _event("void", {"set": played.set, "attempt": played.attempt}, played.ended)


def complete(one: PlayedSet) -> Event:
    return _event(
        "set",
        {
            "set": one.number,
            "attempt": one.attempt,
            "seed": one.matches[0].record.seed,
            "matches": [_opened(played) for played in one.matches],
        },
        one.matches[-1].ended,
    )


def _opened(played: Played) -> Event:
    record = played.record
    return {
        "turn": played.turn,
        "match": record.match,
        "nonce": record.nonce,
        "faults": [
            {
                "seat": fault.seat,
                "move": fault.move,
                "kind": fault.kind,
                "code": fault.code,
                "text": fault.text,
            }
            for fault in record.faults
        ],
        "decisions": [_of_seat(record.moves, seat) for seat in range(record.seats)],
    }


def _of_seat(moves: Sequence[Any], seat: int) -> Mapping[str, int]:
    times = [move.time_us for move in moves if move.seat == seat and move.time_us]
    return {"number": len(times), "us": sum(times), "slowest_us": max(times, default=0)}


def benched(name: str, reason: str, set_number: int) -> Event:
    return _event("benched", {"name": name, "reason": reason, "set": set_number})


def finished(sets: int, matches: int) -> Event:
    return _event("finished", {"sets": sets, "matches": matches})


def _event(what: str, body: Mapping[str, Any], at: str | None = None) -> Event:
    assert what in MEANINGS
    return {"at": at or now(), "event": what, **body}
