"""Positions of the trick-taking games, laid out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.games import GAMES
from arena.games.nyet.actions import ROWS, Team
from arena.games.nyet.cards import sort_hand
from arena.games.nyet.game import TrickGame
from arena.games.nyet.state import TrickState


def trick_game(name: str) -> TrickGame:
    game = GAMES[name]
    assert isinstance(game, TrickGame)
    return game


def table(
    name: str,
    hands: Sequence[str],
    *,
    first: int = 0,
    discard: str = "0",
    trump: str = "R",
    supertrump: str = "-",
    points: int = 1,
    team: Sequence[int] | None = None,
    bonus: int | None = None,
    options: Mapping[str, object] = {},
) -> TrickState:
    """A match in its first round just after the tokens, each seat with the hand given.

    A hand is card names with spaces between. With `team` the first player has chosen it;
    without, he still has to (with two seats there is nothing to choose). The hands may be
    short: the round lasts as long as the cards do.
    """
    seats = len(hands)
    game = trick_game(name)
    state = game.deal(seats, b"a table laid by hand", {"dealer": 0, **options})
    boxes = dict(
        first=first, discard=discard, trump=trump, supertrump=supertrump, points=points
    )
    open_boxes = {game.actions.code(f"{row}:{boxes[row]}") for row in ROWS}
    while len(state.log) < state.match.table.tokens:
        (seat,) = state.to_act()
        state.apply(seat, next(box for box in state.legal(seat) if box not in open_boxes))
    for seat, hand in enumerate(hands):
        state.hands[seat], state.spares[seat] = sort_hand([*map(game.actions.code, hand.split())])
    if team is not None:
        wanted = Team(tuple(team), bonus)
        choices = game.actions.teams[seats, first]
        state.apply(first, next(code for code, choice in choices.items() if choice == wanted))
    return state


def play(state: TrickState, *actions: str) -> None:
    """Each action by the seat whose turn it is; in a simultaneous choice, the lowest seat."""
    for action in actions:
        state.apply(state.to_act()[0], state.match.tables.actions.code(action))


def legal(state: TrickState, seat: int | None = None) -> list[str]:
    """What a seat may do, in words; by default the one to act."""
    acting = state.to_act()[0] if seat is None else seat
    return [state.match.tables.actions.names[code] for code in state.legal(acting)]
