"""The events of a league: the contract for other programs.

Each is a line of JSON with its number `n`, from 1 without a gap, the time `at`, and `event`, its
kind. They are kept in the store, entered together with the facts they tell; a reader who has read
up to a number can go on from there. The table can be worked out from them: `match` events of sets
that have a `set` event, in order of their numbers. No card, seed or nonce of an unfinished set
is in any.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.json_formats import EVENTS
from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.settings import Settings
from arena.record import Record
from arena.record.timing import BotClock
from arena.utc import now

Event: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class EventKind:
    """One kind of event, as docs/events.md prints it."""

    meaning: str
    fields: Mapping[str, str]


KINDS: Mapping[str, EventKind] = {
    "league": EventKind(
        "the league began, or its settings changed",
        {
            "name": "what the league is called",
            "game": "the rule set",
            "seats": "how many sit at a table",
            "sets": "how many sets are to be played in all; nil: as many as the format has",
            "options": "of the game, as the file gives them",
            "format": "the way in which the sets are planned (docs/formats.md)",
            "challengers": "of a gauntlet: the bots of which one is at every table; earlier "
            "versions had one, or nil, as `challenger`",
            "sets_per_line_up": "of round robin and gauntlet: how often each line-up plays; nil: "
            "`sets` counts; left out by earlier versions",
            "rounds": "of swiss: how many; nil: by the number of bots; left out by earlier "
            "versions",
            "sets_per_table": "of swiss and knockout: sets planned at once for each table; left "
            "out by earlier versions",
            "most_sets_per_tie": "of a knockout: after these a tie is over; left out by earlier "
            "versions",
            "pairing": "of a ladder: the number of the rules by which it finds opponents "
            "(docs/formats.md); 1 where earlier versions left it out",
            "stop": "rules that end it early: `separated`, `bars_below`, `test`, `sets`, `hours`; "
            "nil: none; left out by earlier versions",
            "duplicate": "whether each set is played in every seating",
            "are_deals_predictable": "whether the file fixes the seed",
            "decision_ms": "the clock",
            "bank_ms": "the clock",
            "hang_ms": "the clock",
            "start_ms": "the clock",
            "faults_to_forfeit": "how many faults forfeit a match",
            "owners_may_meet": "whether two bots of one owner may sit at one table",
            "show_names": "whether bots are told who sits where",
            "anchor": "bots that the scale hangs on, with their weights; none: the mean of all",
            "anchor_elo": "what their mean is given",
        },
    ),
    "entrant": EventKind(
        "a bot entered",
        {
            "name": "its name",
            "owner": "its owner",
            "content": "the hash of its sources",
            "version_of": "the bot of the file that this row is a later version of, else nil; left"
            " out by earlier versions",
            "clock": "its own: `decision_ms`, `bank_ms`, `hang_ms`; nil: that of the league; left "
            "out by earlier versions",
            "connections": "how many it may dial in with at once; 1 where it does not dial in; "
            "left out by earlier versions",
        },
    ),
    "replaced": EventKind(
        "a bot plays on in the row of another version of it; its row before takes no further part",
        {
            "name": "the row before",
            "by": "the row in which it plays from now on",
            "sets": "the numbers of sets planned with the row before that nobody plays any more",
        },
    ),
    "retired": EventKind(
        "a bot takes no further part; its sets that have begun are played to their end and count",
        {
            "name": "its row",
            "sets": "the numbers of sets planned with it that nobody plays any more",
        },
    ),
    "admitted_again": EventKind(
        "a bot that was retired takes part again, in its row", {"name": "its row"}
    ),
    "changed": EventKind(
        "a row has another owner, other connections, or, as it has played no match, other contents"
        " or another clock",
        {
            "name": "the row",
            "owner": "its owner from now on",
            "content": "the hash of its sources from now on",
            "sets": "the numbers of sets that nobody plays any more: bots of one owner would meet",
            "clock": "its own from now on, as in `entrant`; left out by earlier versions",
            "connections": "from now on, as in `entrant`; left out by earlier versions",
        },
    ),
    "schedule": EventKind(
        "the schedule grew: decided from all events before this one, its time, `absent` and the "
        "lots alone",
        {
            "sets": "how many sets are planned in all",
            "absent": "the bots that it was decided without; left out by earlier versions",
        },
    ),
    "match": EventKind(
        "a match was played; no card of it is told yet",
        {
            "set": "the number of its set, from 1",
            "turn": "which of the set's matches it is, from 0",
            "attempt": "how often the set was void before",
            "bots": "by seat, who sat there",
            "places": "by seat, from 1; those that tie share the best place of theirs",
            "scores": "by seat; empty where the match was not played out",
            "forfeits": "seats, in the order in which they were forfeited",
            "ending": "one of the game's, `forfeit`, or `not-begun` where somebody did not come",
            "stood": "whether a late ruling stood though this machine was slow",
            "confinement": "how started bots were confined: `dialled-in` where none was started, "
            "`bubblewrap`, `landlock` with its ABI, `unconfined`; left out by earlier versions",
        },
    ),
    "void": EventKind(
        "a set is void, because this machine was slow, and is played anew from another seed",
        {
            "set": "its number",
            "attempt": "which attempt is void, from 0",
            "bot": "the one that would have been late; nil where arena itself failed",
        },
    ),
    "set": EventKind(
        "a set is complete: now it counts, and its secrets are told",
        {
            "set": "its number",
            "attempt": "how often it was void before",
            "seed": "what its cards were dealt from, in hexadecimal digits (SPEC 13)",
            "matches": "by turn: `turn`, `match` and `nonce` of the commitment, `faults` (seat, "
            "move, kind, code, text), and by seat `decisions` (number, us, slowest_us)",
        },
    ),
    "benched": EventKind(
        "a bot takes no further part: its sets from now on are left out",
        {"name": "the bot", "reason": "why", "set": "the set after which"},
    ),
    "ended_early": EventKind(
        "a rule of [stop] holds: the sets that have begun are played to their end, and no others",
        {
            "reason": "the rule, in words",
            "sets": "the numbers of sets that nobody plays any more",
        },
    ),
    "set_aside": EventKind(
        "a set is not played any more, because machines of a cluster died of it, or it met bugs in "
        "arena",
        {"reason": "how often", "sets": "its number, alone in a list"},
    ),
    "worker_joined": EventKind(
        "a worker of a cluster plays sets of the league from now on; each run of the league tells "
        "all of its workers anew",
        {
            "worker": "a name of the worker in this run, drawn for it: a machine may have several",
            "machine": "its machine, by the name that `arena table --machines` shows",
            "slots": "how many sets it plays at once",
        },
    ),
    "worker_left": EventKind(
        "a worker of a cluster gets no sets for now; it may join again",
        {
            "worker": "as in `worker_joined`",
            "machine": "as in `worker_joined`",
            "reason": "`gone`: it ended, or was cut off; `silent`: it gives no sign of life; "
            "`too-long`: a set has taken longer there than any set can; `scheduler`: the "
            "connection to the scheduler ended",
            "sets": "the numbers of the sets that it had, which are played again",
        },
    ),
    "worker_left_out": EventKind(
        "a worker of a cluster gets no sets of the league, or no more",
        {
            "worker": "as in `worker_joined`",
            "machine": "as in `worker_joined`; nil: not known, as nobody has reached it; the"
            " league's line about it on screen has the name in `worker`, as in: worker"
            " north-397d92 (2f6c2a in events)",
            "reason": "`version`: it has another version of arena; `python`: another Python; "
            "`unreachable`: it registered, and its port cannot be reached; `confinement`: it "
            "cannot confine bots as the league wants; `bots`: it cannot make one of them ready; "
            "`cannot-run`: it cannot call arena; `bad-matches`: it brought matches that are not "
            "those of its set, or do not replay",
        },
    ),
    "worker_rests": EventKind(
        "a worker of a cluster did not play a set, and gets none for a while",
        {
            "worker": "as in `worker_joined`",
            "machine": "as in `worker_joined`",
            "set": "the number of the set, which is played again",
            "seconds": "how long it rests",
        },
    ),
    "here": EventKind("a bot that dials in has come", {"name": "the bot"}),
    "away": EventKind(
        "a bot that dials in has not been connected for a minute",
        {
            "name": "the bot",
            "sets": "the numbers of sets planned with it that nobody plays any more; on a ladder "
            "those that had not begun, else none",
        },
    ),
    "invited": EventKind(
        "a bot that dials in was given its first token",
        {"name": "the bot", "expires": "when the token expires, nil for never"},
    ),
    "renewed": EventKind(
        "a bot that dials in was given another token, and the one before is not valid any more",
        {"name": "the bot", "expires": "when the token expires, nil for never"},
    ),
    "revoked": EventKind(
        "the token of a bot that dials in is not valid any more", {"name": "the bot"}
    ),
    "finished": EventKind(
        "every set of the schedule is played or left out",
        {"sets": "how many count", "matches": "how many matches they have"},
    ),
}


def line(number: int, event: Event) -> str:
    """As it is written. The events `league`, of which one is the first of all, tell the version of
    the format."""
    version = {"version": EVENTS.version} if event["event"] == "league" else {}
    told = {"n": number, **version, **event}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def league(settings: Settings) -> Event:
    told = dict(settings.to_json())
    # The seed tells all deals to come, so it stays secret; that there is one must be known.
    told["are_deals_predictable"] = told.pop("seed") is not None
    del told["match_pages"]  # it is about what is published, not about what is played
    return _event("league", told)


def entrant(
    name: str,
    owner: str,
    content: str,
    version_of: str | None = None,
    *,
    clock: BotClock | None = None,
    connections: int = 1,
) -> Event:
    told = {"name": name, "owner": owner, "content": content, "version_of": version_of}
    return _event("entrant", {**told, **_terms(clock, connections)})


def replaced(name: str, by: str, sets: Sequence[int]) -> Event:
    return _event("replaced", {"name": name, "by": by, "sets": sets})


def retired(name: str, sets: Sequence[int]) -> Event:
    return _event("retired", {"name": name, "sets": sets})


def admitted_again(name: str) -> Event:
    return _event("admitted_again", {"name": name})


def changed(
    name: str,
    owner: str,
    content: str,
    sets: Sequence[int],
    *,
    clock: BotClock | None = None,
    connections: int = 1,
) -> Event:
    told = {"name": name, "owner": owner, "content": content, "sets": sets}
    return _event("changed", {**told, **_terms(clock, connections)})


def _terms(clock: BotClock | None, connections: int) -> Event:
    return {"clock": None if clock is None else clock.in_words(), "connections": connections}


def schedule(sets: int, absent: Sequence[str] = (), at: str | None = None) -> Event:
    return _event("schedule", {"sets": sets, "absent": absent}, at)


def match(played: LeagueMatch) -> Event:
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
            "confinement": record.confinement,
        },
        played.ended,
    )


def void(played: LeagueMatch) -> Event:
    told = {"set": played.set, "attempt": played.attempt, "bot": played.annulled}
    return _event("void", told, played.ended)


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


def _opened(played: LeagueMatch) -> Event:
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
        "decisions": _by_seat(record),
    }


def _by_seat(record: Record) -> Sequence[Mapping[str, int]]:
    """Return the number of decisions of each seat, their time and the longest."""
    times: list[list[int]] = [[] for _ in range(record.seats)]
    for move in record.moves:
        if move.time_us:
            times[move.seat].append(move.time_us)
    return [
        {"number": len(each), "us": sum(each), "slowest_us": max(each, default=0)} for each in times
    ]


def benched(name: str, reason: str, set_number: int) -> Event:
    return _event("benched", {"name": name, "reason": reason, "set": set_number})


def ended_early(reason: str, sets: Sequence[int], at: str) -> Event:
    return _event("ended_early", {"reason": reason, "sets": sets}, at)


def set_aside(number: int, reason: str) -> Event:
    return _event("set_aside", {"reason": reason, "sets": (number,)})


def worker_joined(worker: str, machine: str, slots: int) -> Event:
    return _event("worker_joined", {"worker": worker, "machine": machine, "slots": slots})


def worker_left(worker: str, machine: str, reason: str, sets: Sequence[int]) -> Event:
    told = {"worker": worker, "machine": machine, "reason": reason, "sets": sets}
    return _event("worker_left", told)


def worker_left_out(worker: str, machine: str | None, reason: str) -> Event:
    return _event("worker_left_out", {"worker": worker, "machine": machine, "reason": reason})


def worker_rests(worker: str, machine: str, number: int, seconds: float) -> Event:
    told = {"worker": worker, "machine": machine, "set": number, "seconds": round(seconds)}
    return _event("worker_rests", told)


def here(name: str) -> Event:
    return _event("here", {"name": name})


def away(name: str, sets: Sequence[int]) -> Event:
    return _event("away", {"name": name, "sets": sets})


def invited(name: str, expires: str | None) -> Event:
    return _event("invited", {"name": name, "expires": expires})


def renewed(name: str, expires: str | None) -> Event:
    return _event("renewed", {"name": name, "expires": expires})


def revoked(name: str) -> Event:
    return _event("revoked", {"name": name})


def finished(sets: int, matches: int) -> Event:
    return _event("finished", {"sets": sets, "matches": matches})


def _event(what: str, body: Mapping[str, Any], at: str | None = None) -> Event:
    odd = sorted(body.keys() ^ KINDS[what].fields.keys())
    assert not odd, f"event {what!r}: {odd} stand either in its body or in KINDS, not in both"
    return {"at": at or now(), "event": what, **body}
