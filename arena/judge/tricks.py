"""The value of an action in a trick-taking game: the seat's lead in points of the round.

Cards are discarded, passed and played by rules (worst cards first; `arena.judge.rollout`); the
tokens and the team that are still to come are drawn by lot.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from operator import sub

from arena.games import State
from arena.games.nyet.cards import Deck
from arena.games.nyet.past import leaders
from arena.games.nyet.phases import DISCARD, PLAY, TEAM, TOKENS
from arena.games.nyet.playout import place_tokens
from arena.games.nyet.scoring import score_round, take_by_seat
from arena.games.nyet.state import TrickState
from arena.games.nyet.terms import Ladder, may_play
from arena.judge.measure import Measure
from arena.judge.rollout import Held, OpenRound, play_out

MEASURE = Measure(
    unit="points",
    negligible=0.25,
    meaning=(
        "points of the round for the seat, less the average of the other seats' points;"
        " more is better"
    ),
    policy=(
        "cards are discarded and played by simple rules, by which no seat looks into another's"
        " hand; tokens and teams that are still to come are drawn by lot"
    ),
    trust=(
        "The rules that play on are no strong player's, so what pays only with a plan for several"
        " tricks is worth less than it should be. What others covered, threw or led is no evidence"
        " about their hands, beyond what the rules prove. The other rounds and the places at the"
        " end do not count."
    ),
)

# The worth of a card for its holder's team, in tricks and loot: the figures of the sample bot
# python-tricks, fitted there on rounds that it played against itself.
SUPERTRUMP = 1.4
LOW = -1.15
LOW_TRUMP = -0.05


class TrickValues:
    """See `arena.judge.measure.Values`."""

    measure = MEASURE

    def value(self, world: State, seat: int, action: int, seed: int) -> float:
        assert isinstance(world, TrickState)
        state = world.copy()
        number, before = state.past.number, state.past.scores
        state.apply(seat, action)
        if state.phase is not PLAY and state.past.number == number:
            begin_tricks(state, seed)
        if state.phase is PLAY and state.past.number == number:
            return lead(round_played_out(state), seat)
        return lead([*map(sub, state.past.scores, before)], seat)


def lead(points: Sequence[int], seat: int) -> float:
    """Return the points of a seat less the average of the others'."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def begin_tricks(state: TrickState, seed: int) -> None:
    """Play on to the first trick of the round. `seed`: for the lots, the same for all actions."""
    if state.phase is TOKENS:
        place_tokens(state, random.Random(seed))
    if state.phase is TEAM:
        legal = state.choices
        state.apply(state.turn, legal[random.Random(seed).randrange(len(legal))])
    while state.phase is DISCARD:
        seat = state.to_act()[0]
        state.apply(seat, worst_card(state, seat))


def worst_card(state: TrickState, seat: int) -> int:
    """Return the card to discard or pass on: of the least worth, or of the most at -2."""
    terms = state.terms
    assert terms is not None
    match = state.match
    worth = worth_by_kind(match.deck, match.seats, terms.trumps.trump, terms.trumps.supertrump)
    sign = 1 if terms.points > 0 else -1
    hand = state.hands[seat]
    legal = may_play(hand, match.low) if terms.discard.spares_low else hand
    return min(legal, key=lambda kind: sign * worth[kind])


@cache
def worth_by_kind(
    deck: Deck, seats: int, trump: int | None, supertrump: int | None
) -> Sequence[float]:
    """Return the worth of each card, by kind. `trump`, `supertrump`: indices of colours."""
    in_play = deck.in_play(seats)
    worth = []
    for kind in deck.all_kinds:
        is_trump = deck.colours[kind] == trump
        if kind in deck.low and deck.colours[kind] == supertrump:
            worth.append(SUPERTRUMP)
        elif kind in deck.low:
            worth.append(LOW_TRUMP if is_trump else LOW)
        else:
            same = [each for each in in_play if deck.colours[each] == deck.colours[kind]]
            below = sum(deck.ranks[each] < deck.ranks[kind] for each in same)
            height = below / (len(same) - 1)  # 1 for the highest of its colour
            worth.append(0.55 + 1.1 * height**4 if is_trump else -0.55 + 1.6 * height**6)
    return tuple(worth)


def round_played_out(state: TrickState) -> tuple[int, ...]:
    """Return by seat the points of the round, played to its end from a state in the tricks."""
    match, terms, team = state.match, state.terms, state.team
    assert terms is not None
    assert team is not None
    ladder = terms.trumps.ladder
    seats = match.seats
    suits: list[Held] = [[[] for _ in range(seats)] for _ in ladder.others]
    for seat, (hand, spare) in enumerate(zip(state.hands, state.spares, strict=True)):
        for rung in sorted((hand + spare).translate(ladder.rung)):
            suits[ladder.suit[rung]][seat].append(rung)
    played = state.log[match.table.before_cards :]
    trick = played[len(state.takes) * seats :].translate(ladder.rung)
    is_first_team = [bool(team.mask >> seat & 1) for seat in range(seats)]
    this = OpenRound(ladder, is_first_team, suits, shown_void(state, ladder, played))
    takes = state.takes + play_out(this, state.leader, trick, is_positive=terms.points > 0)
    options = match.options
    return score_round(
        take_by_seat(takes, seats),
        team,
        terms.points,
        bonus=options["bonus"],
        scoring=options["scoring"],
    )


def shown_void(state: TrickState, ladder: Ladder, played: bytes) -> list[int]:
    """Return by seat a bit for each suit that it has shown to lack, by not following.

    `played`: the cards of the round, as kinds, in order of play.
    """
    assert state.terms is not None
    seats = state.match.seats
    suits = [ladder.suit[rung] for rung in played.translate(ladder.rung)]
    void = [0] * seats
    for trick, leader in enumerate(leaders(state.terms.first, state.takes)):
        its = suits[trick * seats : (trick + 1) * seats]
        for place, suit in enumerate(its):
            if suit != its[0]:
                void[(leader + place) % seats] |= 1 << its[0]
    return void
