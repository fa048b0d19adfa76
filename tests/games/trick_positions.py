"""Positions of the trick-taking games, laid out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from arena.games import GAMES
from arena.games.nyet import rulesets
from arena.games.nyet.actions import Team
from arena.games.nyet.game import TrickGame
from arena.games.nyet.phases import PLAY
from arena.games.nyet.position import start_tricks
from arena.games.nyet.rulesets import RuleSet
from arena.games.nyet.state import TrickState

RULE_SETS = tuple(rules.name for rules in rulesets.RULE_SETS)
"""Every rule set by name, for tests of rules that all of them share."""


def rules_of(name: str) -> RuleSet:
    (found,) = (rules for rules in rulesets.RULE_SETS if rules.name == name)
    return found


def low_of(name: str) -> str:
    """The low rank, as it stands in the name of a card."""
    return str(rules_of(name).low)


def trick_game(name: str) -> TrickGame:
    game = GAMES[name]
    assert isinstance(game, TrickGame)
    return game


@cache
def game_at(name: str, seats: int) -> TrickGame:
    """The rule set at a table of this size; where it has none, one is made up for it.

    The rules of boxes, leading, following, taking and loot are those of all tables, so their
    tests lay four hands also for a rule set that four do not play.
    """
    rules = rules_of(name)
    if seats in rules.seats:
        return trick_game(name)
    each = len(rules.ranks) * len(rules.colours) // seats
    made_up = {seats: min(each, max(rules.cards_each.values()))}
    return TrickGame(replace(rules, cards_each=made_up, rounds={seats: seats}))


def settle(
    state: TrickState,
    *,
    first: int = 0,
    discard: str = "0",
    trump: str = "R",
    supertrump: str = "-",
    points: int = 1,
) -> None:
    """Cover all boxes of the round but these."""
    code = state.match.tables.actions.code
    open_boxes = {
        code(f"first:{first}"),
        code(f"discard:{discard}"),
        code(f"trump:{trump}"),
        code(f"supertrump:{supertrump}"),
        code(f"points:{points}"),
    }
    while state.view(None)["phase"] == "tokens":
        (seat,) = state.to_act()
        state.apply(seat, next(box for box in state.legal(seat) if box not in open_boxes))


def give(state: TrickState, hands: Sequence[str]) -> None:
    """Each seat gets this hand instead of its own.

    Seats may hold more of a card together than the deck has, but no seat alone: the engine
    relies on that.
    """
    code = state.match.tables.actions.code
    for seat, hand in enumerate(hands):
        cards = [*map(code, hand.split())]
        assert all(cards.count(card) <= state.match.deck.copies[card] for card in cards), hand
        state.hands[seat], state.spares[seat] = state.match.deck.sort_hand(bytes(cards))
    if state.phase is PLAY:
        start_tricks(state)


def choose_team(state: TrickState, seats: Sequence[int], bonus: int | None = None) -> None:
    """The first player chooses these seats, himself among them, and the bonus card's holder."""
    (first,) = state.to_act()
    choices = state.match.tables.actions.teams[state.match.seats, first]
    wanted = Team(tuple(seats), bonus)
    state.apply(first, next(code for code, choice in choices.items() if choice == wanted))


def lay(
    state: TrickState,
    hands: Sequence[str],
    *,
    team: Sequence[int] | None = None,
    bonus: int | None = None,
    **boxes: Any,  # Any: they are checked by `settle`
) -> TrickState:
    """Take a match that is at its tokens to just after them, each seat with the hand given."""
    settle(state, **boxes)
    give(state, hands)
    if team is not None:
        choose_team(state, team, bonus)
    return state


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
    game = game_at(name, len(hands))
    state = game.deal(len(hands), b"a table laid by hand", {"dealer": 0, **options})
    return lay(
        state,
        hands,
        team=team,
        bonus=bonus,
        first=first,
        discard=discard,
        trump=trump,
        supertrump=supertrump,
        points=points,
    )


def act(state: TrickState, seat: int, *actions: str) -> None:
    """Each action by this seat."""
    for action in actions:
        state.apply(seat, state.match.tables.actions.code(action))


def play(state: TrickState, *actions: str) -> None:
    """Each action by the seat whose turn it is; in a simultaneous choice, the lowest seat."""
    for action in actions:
        act(state, state.to_act()[0], action)


def legal(state: TrickState, seat: int | None = None) -> list[str]:
    """What a seat may do, in words; by default the one to act."""
    acting = state.to_act()[0] if seat is None else seat
    return [state.match.tables.actions.names[code] for code in state.legal(acting)]
