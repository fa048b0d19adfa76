"""Makes the `fault` that tells a bot its breach, its penalty and the remedy (SPEC 4.6)."""

from __future__ import annotations

from protocol.breach import Breach
from protocol.messages import Fault

_ORDINALS = {1: "First", 2: "Second", 3: "Third", 4: "Fourth", 5: "Fifth"}

# In the text of a further miss: the only place that tells it from a fault of its own (SPEC 6.4).
_AGAIN = (
    "You have answered nothing since you were late: this belongs to the same `late` and is no"
    " further fault."
)

# The words of a breach may have any length; in a message each part of them is cut to this one.
_MOST_CHARS = 500


def fault_message(
    breach: Breach,
    *,
    match: str | None,
    id_: int | None,
    played: str | None,
    faults: int,
    forfeit: bool,
    faults_to_forfeit: int,
    again: bool = False,
) -> Fault:
    """Make the message for a breach.

    `match`: the name of the match, None between matches.
    `id_`: the id of the request that the fault settles, None if it settles none.
    `played`: the action that was played for the bot, None if none was.
    `faults`: the bot's faults in this match, this one included.
    `forfeit`: the seat is forfeited by this fault.
    `again`: another miss of the last `late`, which is not counted (SPEC 6.4).
    """
    id_ = id_ or None  # ids start at 1; the id 0 says that no request was made yet
    return Fault(
        match=match,
        id=id_,
        kind=breach.kind,
        code=breach.code,
        came=breach.came[:_MOST_CHARS],
        expected=breach.expected[:_MOST_CHARS],
        played=played,
        faults=faults,
        forfeit=forfeit,
        text=_text(breach, id_, played, faults, forfeit, faults_to_forfeit, again=again),
    )


def is_further_miss(text: str) -> bool:
    """Tell whether the text of a fault is that of a further miss of one `late`, which is no fault
    of its own (SPEC 6.4)."""
    return _AGAIN in text


def _text(
    breach: Breach,
    id_: int | None,
    played: str | None,
    faults: int,
    forfeit: bool,
    faults_to_forfeit: int,
    *,
    again: bool,
) -> str:
    request = "" if id_ is None else f", request {id_}"
    if again:
        cost = f"{_AGAIN} We played {played} for you."
    elif forfeit:
        cost = f"{_counted(faults)} in this match: the seat is forfeited."
    elif faults:
        cost = f"{_counted(faults)} in this match"
        cost += f": we played {played} for you; " if played is not None else "; "
        cost += f"{_last(faults_to_forfeit)} forfeits it."
    else:
        cost = "It costs nothing: no match is on."
    return (
        f"{breach.kind} ({breach.code}, SPEC {breach.where}){request}: {breach.came}"[:_MOST_CHARS]
        + f"; expected {breach.expected}"[:_MOST_CHARS]
        + f". {breach.advice} {cost}"
    )


def _last(number: int) -> str:
    return f"the {_ORDINALS[number].lower()}" if number in _ORDINALS else f"fault {number}"


def _counted(number: int) -> str:
    return f"{_ORDINALS[number]} fault" if number in _ORDINALS else f"Fault {number}"
