"""Questions about cards, answered from a view: the trick games, then NOPE!."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    from views import TrickDiscardView, TrickOverView, TrickPlayView, TrickTeamView

    # A view with its board settled, so that trump is known; and one that knows the teams too.
    Settled: TypeAlias = TrickTeamView | TrickDiscardView | TrickPlayView | TrickOverView
    InTeams: TypeAlias = TrickDiscardView | TrickPlayView | TrickOverView

# ---- the trick games (SPEC 11.4, 11.5) -------------------------------------------------------

TRICK_GAMES = ("nyet", "njet", "njet-it")

# What `strength` adds to the rank of a card. The highest rank is 13.
SUIT_LED, TRUMP, SUPERTRUMP = 100, 200, 300


def rank(card: str) -> int:
    """Return the number of a card: 13 for "R13"."""
    return int(card[1:])


def is_supertrump(card: str, view: Settled) -> bool:
    """Return True for the cards of the low rank in the supertrump's colour."""
    low = 0 if view["game"] == "njet" else 1
    return card[0] == view["supertrump"] and rank(card) == low


def suit(card: str, view: Settled) -> str:
    """Return the suit of a card in this round: its colour, but in `nyet` trump for a supertrump."""
    if view["game"] == "nyet" and is_supertrump(card, view):
        return view["trump"]
    return card[0]


def strength(card: str, led: str, view: Settled) -> int:
    """Return how strong a card is in a trick that began with the card `led`, or in one that it
    begins.

    The highest takes the trick, and of equals the one played last. Cards below SUIT_LED take
    nothing.
    """
    if is_supertrump(card, view):
        return SUPERTRUMP
    if card[0] == view["trump"]:
        return TRUMP + rank(card)
    return rank(card) + (SUIT_LED if suit(card, view) == suit(led, view) else 0)


def taker(view: TrickPlayView | TrickOverView) -> int:
    """Return the seat that takes the last trick as it lies. The trick must hold a card."""
    trick, leader = view["tricks"][-1], view["leaders"][-1]
    place = max(range(len(trick)), key=lambda at: (strength(trick[at], trick[0], view), at))
    return (leader + place) % view["seats"]


def is_with_me(seat: int, view: InTeams) -> bool:
    """Return True for the seats of your team, your own included."""
    return (seat in view["team"]) == (view["seat"] in view["team"])


def teammates(view: InTeams) -> list[int]:
    """Return the other seats of your team."""
    seats = range(view["seats"])
    return [seat for seat in seats if seat != view["seat"] and is_with_me(seat, view)]


# ---- NOPE! (SPEC 12.1) -----------------------------------------------------------------------
#
# In `legal`, "X!" is the card X laid alone (SPEC 12.10). Ask about action.rstrip("!"): a card's
# name is without it.

ALL_COLOURS = "RGBY"


def colours(card: str) -> str:
    """Return the letters of the colours that a card shows: "RG" for "RG2", "R" for "TR"."""
    if card in ("J", "X", "S*"):
        return ALL_COLOURS
    return "".join(letter for letter in card if letter in ALL_COLOURS)


def shows(card: str, colour: str) -> bool:
    """Return True if a card shows a colour, "R" for instance."""
    return colour in colours(card)


def number(card: str) -> int | None:
    """Return the number of a card, 1 to 3; None for an action card, which has none."""
    if card == "J":
        return 1
    return int(card[-1]) if card[-1].isdecimal() else None
