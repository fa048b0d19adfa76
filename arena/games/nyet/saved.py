"""A state of a trick game as a few plain values, for pickles and comparisons.

All that follows from the actions of the round is left out, or made from them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.games.nyet.actions import Team
from arena.games.nyet.past import EarlierRounds, RoundResult
from arena.games.nyet.phases import TOKENS, Phase
from arena.games.nyet.views import PREVIOUS_FIELDS

if TYPE_CHECKING:
    from arena.games.nyet.game import TrickGame
    from arena.games.nyet.state import TrickState


def saved(state: TrickState) -> tuple[Any, ...]:
    """See `arena.games.derived.SavedState.saved`."""
    match, past, team = state.match, state.past, state.team
    previous = None if past.previous is None else past.previous.in_words()
    # The last three say nothing while no card of a trick lies.
    trick = (state.best, state.winner, state.lows) if state.led is not None else None
    return (
        (match.seats, match.seed, tuple(match.options.values())),
        (past.number, past.dealer, past.scores),
        None if previous is None else tuple(previous[field.name] for field in PREVIOUS_FIELDS),
        state.phase.word,
        state.turn,
        state.choices,
        tuple(state.hands),
        tuple(state.spares),
        state.log,
        None if team is None else (team.seats, team.bonus),
        tuple(state.given),
        state.takes,
        state.leader,
        trick,
    )


def restore(state: TrickState, game: TrickGame, *values: Any) -> None:
    """Fill an empty state with the values of `saved`."""
    table, past, previous, phase, turn, choices, hands, spares, log, *rest = values
    team, given, takes, leader, trick = rest
    seats, seed, options = table
    names = [option.name for option in game.options]
    state.match = match = game.match(seats, seed, dict(zip(names, options, strict=True)))
    result = None
    if previous is not None:
        fields = [field.name for field in PREVIOUS_FIELDS]
        result = RoundResult(None, dict(zip(fields, previous, strict=True)))
    number, dealer, scores = past
    state.past = EarlierRounds(number, dealer, scores, result)
    state.phase = Phase(phase)
    state.turn = turn
    state.choices = choices
    state.hands = [*hands]
    state.spares = [*spares]
    state.log = log
    state.terms = None
    if state.phase is not TOKENS:
        tokens = log[: match.table.tokens]
        state.terms = match.tables.terms(match.table.boxes.translate(None, tokens))
    state.team = None if team is None else Team(*team)
    state.given = given
    state.takes = takes
    state.leader = leader
    state.led = None
    state.best = state.winner = state.lows = 0
    if trick is not None:
        led = log[match.table.before_cards + len(takes) * seats]
        state.led = state.terms.trumps.led[led]  # type: ignore[union-attr]  # settled
        state.best, state.winner, state.lows = trick
