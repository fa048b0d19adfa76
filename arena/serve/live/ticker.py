"""Events of a league in a line each, for people who watch it.

No line tells a card, a seed or a nonce: they are made from names, places and numbers of sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from arena.outputs.words import ordinal
from arena.text import plain

Event: TypeAlias = Mapping[str, Any]


def in_words(events: Iterable[Event]) -> list[str]:
    """Return a line for each event that people want to hear of, in their order."""
    told = [(WORDS[kind], event) for event in events if (kind := event["event"]) in WORDS]
    return [plain(words(event)) for words, event in told]


def _match(event: Event) -> str:
    places = zip(event["places"], event["bots"], strict=True)
    results = ", ".join(f"{ordinal(place)} {name}" for place, name in sorted(places))
    return f"Match {event['set']}.{event['turn'] + 1} is over: {results}"


def _void(event: Event) -> str:
    return f"Set {event['set']} is played anew: this machine was too slow to judge it"


# By kind of event (`arena.league.store.events`); the others are no news.
WORDS: Mapping[str, Callable[[Event], str]] = {
    "entrant": lambda event: f"{event['name']} entered",
    "replaced": lambda event: f"{event['by']} plays in the place of {event['name']}",
    "retired": lambda event: f"{event['name']} takes no further part",
    "admitted_again": lambda event: f"{event['name']} takes part again",
    "match": _match,
    "void": _void,
    "set": lambda event: f"Set {event['set']} is complete: it counts, and its cards can be seen",
    "benched": lambda event: f"{event['name']} is benched: {event['reason']}",
    "ended_early": lambda event: f"The league ends early: {event['reason']}",
    "set_aside": lambda event: f"Set {event['sets'][0]} is set aside: {event['reason']}",
    "here": lambda event: f"{event['name']} is here",
    "away": lambda event: f"{event['name']} is away",
    "finished": lambda event: "The league is finished",
}
