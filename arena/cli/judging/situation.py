"""The situation of a decision in a few words: what its seat held, and what lay on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

View: TypeAlias = Mapping[str, Any]


def hand(view: View) -> str:
    return " ".join(view["hand"] or ())


def trick(view: View) -> str:
    """The cards of the open trick, in order of play."""
    tricks = view.get("tricks")
    return " ".join(tricks[-1]) if tricks else ""


def board(view: View) -> str:
    """The board of a round, once it is settled: `trump R, supertrump -, points 4, teams
    0+2 against 1+3`."""
    if view.get("trump") is None or view.get("team") is None:
        return ""
    sides: list[list[int]] = [[], []]
    for seat in range(view["seats"]):
        sides[seat not in view["team"]].append(seat)
    teams = " against ".join("+".join(map(str, side)) for side in sides)
    return (
        f"trump {view['trump']}, supertrump {view['supertrump']}, points {view['points']},"
        f" teams {teams}"
    )


def demand(view: View) -> str:
    """The demand in force, in a game that has one."""
    asked = view.get("demand")
    return f"{asked['count']} {asked['colours']}" if asked else ""


def chosen(view: View) -> str:
    """The cards chosen so far of a set that is laid card by card."""
    return " ".join(view.get("chosen") or ())


def asked(view: View) -> str:
    """The kind of the decision, unless it is the usual one of playing cards."""
    if view.get("phase") == "discard" and str(view["discard"]).startswith("left"):
        return "a card to pass"
    return KINDS.get(view.get("phase", ""), "")


def open_boxes(view: View) -> str:
    """The boxes that nobody has covered yet, while the board is made."""
    return " ".join(view["open"]) if view.get("phase") == "tokens" else ""


# By phase of a view.
KINDS: Mapping[str, str] = {
    "tokens": "a box to cover",
    "team": "a partner",
    "discard": "a card to discard",
}

# By word: what it says of a view. Empty texts are left out.
FACTS: Mapping[str, Callable[[View], str]] = {
    "asked": asked,
    "hand": hand,
    "trick": trick,
    "board": board,
    "open": open_boxes,
    "demand": demand,
    "chosen": chosen,
}


def scores(view: View) -> str:
    return " ".join(map(str, view.get("scores") or ()))


def round_(view: View) -> str:
    """The number of the round, in a game of several."""
    return str(view.get("round") or "")


# What stood on the table before a move; the hands are told by themselves.
TABLE: Mapping[str, Callable[[View], str]] = {
    "round": round_,
    "scores": scores,
    **{word: fact for word, fact in FACTS.items() if word not in ("asked", "hand")},
}


def table(view: View) -> str:
    """Return a line such as `round: 2; scores: 4 0 -2; trick: B9 Y2`."""
    told = {word: fact(view) for word, fact in TABLE.items()}
    return "; ".join(f"{word}: {text}" for word, text in told.items() if text)


def situation(view: View) -> str:
    """Return a line such as `hand: B1 G6; trick: B9 Y2`."""
    told = {word: fact(view) for word, fact in FACTS.items()}
    return "; ".join(f"{word}: {text}" for word, text in told.items() if text)
