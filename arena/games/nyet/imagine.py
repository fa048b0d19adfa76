"""A random full state that agrees with a view, for search bots.

What a view leaves open is where the unseen cards are: in the other hands, among the cards
others discarded, aside. Each of these is a *place* with room for so many cards and kinds it
cannot hold: a seat that did not follow is void in that suit, and what was discarded while
low cards are spared is not low. Cards we passed on and have not seen since are where we
passed them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from arena.games.errors import BadView
from arena.games.interface import View
from arena.games.nyet.actions import Team
from arena.games.nyet.past import LOOT_BITS, Past, RoundResult
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TEAM, TOKENS, Phase
from arena.games.nyet.places import NoRoom, Place, settle
from arena.games.nyet.state import TrickState
from arena.games.nyet.tables import Table
from arena.games.nyet.turns import NOBODY, TO_ACT

if TYPE_CHECKING:
    from arena.games.nyet.game import TrickGame


def imagine(game: TrickGame, view: View, rng: random.Random) -> TrickState:
    """See `arena.games.interface.Game.imagine`."""
    try:
        state = public_part(game, view, rng.randbytes(32))
        deal_hidden(state, view, rng)
        ask(state, view)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadView(
            f"this is no view of {game.name}: {error}", came=view, allowed=(), where="11.11"
        ) from error
    return state


def public_part(game: TrickGame, view: View, seed: bytes) -> TrickState:
    """The state as everyone sees it, with empty hands."""
    seats = view["seats"]
    state = TrickState()
    state.match = match = game.match(seats, seed, view["options"])
    tables = match.tables
    code = tables.actions.code
    state.past = Past(
        view["round"], view["dealer"], tuple(view["scores"]), result_of(view["previous"])
    )
    state.phase = phase = Phase(view["phase"])
    tokens = bytes(map(code, view["tokens"]))
    state.given = match.table.none_given
    state.takes = b""
    state.terms = state.team = state.led = None
    state.best = state.winner = state.lows = 0
    state.leader = view["first_token"]
    state.log = tokens
    if phase is not TOKENS:
        state.terms = tables.terms(match.table.boxes.translate(None, tokens))
        state.leader = state.terms.first
    if view["team"] is not None:
        state.team = team_of(view)
        state.log += team_action(state)
    if phase is PLAY or phase is OVER:
        replay_tricks(state, [bytes(map(code, trick)) for trick in view["tricks"]])
    return state


def replay_tricks(state: TrickState, tricks: Sequence[bytes]) -> None:
    """Whom the tricks of the round went to, and how the open one stands."""
    seats, low = state.match.seats, state.match.low
    assert state.terms is not None
    for kinds in tricks:
        if not kinds:
            break  # nobody has led yet
        state.log += kinds
        state.led = state.terms.trumps.led[kinds[0]]
        state.best = 0
        _, power = state.led
        for i, kind in enumerate(kinds):
            seat = (state.leader + i) % seats
            if power[kind] >= state.best:
                state.best = power[kind]
                state.winner = seat
            if kind in low:
                state.lows |= 1 << seat
        if len(kinds) == seats:
            state.take_trick()


def coverable(table: Table, tokens: bytes) -> bytes:
    """The boxes that may be covered after these tokens."""
    open_boxes = table.boxes.translate(None, tokens)
    return bytes(
        box for box in open_boxes if len(open_boxes.translate(None, table.other_rows[box])) > 1
    )


def ask(state: TrickState, view: View) -> None:
    """Who owes a decision, and what they may do once the hands are dealt. In a simultaneous
    choice every other seat may still owe one."""
    match, phase = state.match, state.phase
    state.choices = b""
    if phase is OVER:
        state.turn = NOBODY
    elif phase is DISCARD:
        done = view["given"] is not None and len(view["given"]) == cards_given(state)
        state.turn = match.table.everyone - (1 << view["seat"] if done else 0)
    else:
        state.turn = turn = TO_ACT.index((view["turn"],))
        if phase is TOKENS:
            state.choices = coverable(match.table, state.log)
        elif phase is TEAM:
            state.choices = match.table.team_choices[turn]
        else:
            hand = state.hands[turn]
            others = state.led[0] if state.led is not None else b""
            state.choices = hand.translate(None, others) or hand


def cards_given(state: TrickState) -> int:
    return state.terms.discard.cards  # type: ignore[union-attr]  # settled


def team_of(words: dict[str, Any]) -> Team:
    return Team(tuple(words["team"]), words["bonus"])


def team_action(state: TrickState) -> bytes:
    """The choice that made this team; nothing where there was none."""
    match = state.match
    choices = match.tables.actions.teams[match.seats, state.leader]
    return bytes(action for action, team in choices.items() if team == state.team)


def result_of(words: dict[str, Any] | None) -> RoundResult | None:
    """The previous round, from how a view has it."""
    if words is None:
        return None
    result = RoundResult(None, words)
    return RoundResult(None, result.in_words())  # sharing nothing with the view


def deal_hidden(state: TrickState, view: View, rng: random.Random) -> None:
    """Fill in what the view does not tell."""
    match = state.match
    seats, me = match.seats, view["seat"]
    hand, given_by_me, received = (
        bytes(map(match.tables.actions.code, view[field] or ()))
        for field in ("hand", "given", "received")
    )
    played = played_by_seat(state)
    unseen = Counter(match.table.cards)
    unseen.subtract(chain(hand, *played))
    hands: list[list[int]] = [[] for _ in range(seats)]
    given = [given_by_me if seat == me else b"" for seat in range(seats)]
    all_have_given = state.phase is PLAY or state.phase is OVER
    passes = state.terms.discard.passes if all_have_given and state.terms else 0
    if passes and me is not None:
        # What we passed on is with its receiver, unless it was played.
        receiver = (me + passes) % seats
        hands[receiver] += (Counter(given_by_me) - Counter(played[receiver])).elements()
        unseen.subtract(hands[receiver])
    else:
        unseen.subtract(given_by_me)
    if min(unseen.values()) < 0:
        raise ValueError("it has more copies of a card than there are")
    others = [seat for seat in range(seats) if seat != me]
    void = voids(state)
    places = [Place(view["hand_sizes"][seat] - len(hands[seat]), void[seat]) for seat in others]
    each = cards_given(state) if all_have_given and not passes else 0
    piles = [Place(each) for _ in others] if each else []
    aside = Place(unseen.total() - sum(place.room for place in (*places, *piles)))
    spread(state, places, piles, aside, [played[seat] for seat in others], unseen, rng)
    for seat, place in zip(others, places, strict=True):
        hands[seat] += place.cards
    for seat, pile in zip(others, piles, strict=False):
        given[seat] = bytes(pile.cards)
    if me is not None:
        hands[me] = [*hand]
    sorted_hands = [*map(match.deck.sort_hand, map(bytes, hands))]
    state.hands = [held for held, spare in sorted_hands]
    state.spares = [spare for held, spare in sorted_hands]
    if passes:
        imagine_passes(state, hands, played, given, received, me, rng)
    state.given = tuple(given)


def tricks_played(state: TrickState) -> Iterable[tuple[int, bytes]]:
    """Every trick of the round, the open one too: who led it, and its cards."""
    seats = state.match.seats
    cards = state.log[state.match.table.before_cards :]
    leader = state.terms.first if state.terms is not None else 0
    for number, start in enumerate(range(0, len(cards), seats)):
        yield leader, cards[start : start + seats]
        if number < len(state.takes):
            leader = state.takes[number] >> LOOT_BITS


def played_by_seat(state: TrickState) -> list[list[int]]:
    """By seat, the kinds it has played this round."""
    seats = state.match.seats
    played: list[list[int]] = [[] for _ in range(seats)]
    for leader, cards in tricks_played(state):
        for i, kind in enumerate(cards):
            played[(leader + i) % seats].append(kind)
    return played


def voids(state: TrickState) -> list[frozenset[int]]:
    """By seat, the kinds it has shown not to hold (SPEC 11.4)."""
    seats, deck = state.match.seats, state.match.deck
    void: list[frozenset[int]] = [frozenset()] * seats
    for leader, cards in tricks_played(state):
        unfit, _ = state.terms.trumps.led[cards[0]]  # type: ignore[union-attr]  # settled
        for i, kind in enumerate(cards):
            if kind in unfit:
                void[(leader + i) % seats] |= {*deck.all_kinds.translate(None, unfit)}
    return void


def spread(
    state: TrickState,
    hands: Sequence[Place],
    piles: Sequence[Place],
    aside: Place,
    played: Sequence[Sequence[int]],
    unseen: Counter[int],
    rng: random.Random,
) -> None:
    """Deal the unseen cards to the places. `piles` are what each of the others discarded."""
    deck = state.match.deck
    cards = [*unseen.elements()]
    places = [*hands, *piles, aside]
    if not (piles and state.terms.discard.spares_low):  # type: ignore[union-attr]  # settled
        settle(places, cards, rng)
        return
    # Low cards were discarded only by those who then held nothing else [D5]: by as few of
    # the others as the unseen cards leave possible.
    low_kinds = frozenset(deck.low)
    may_be_low = [i for i, kinds in enumerate(played) if low_kinds.issuperset(kinds)]
    void = [hand.barred for hand in hands]
    for count in range(len(may_be_low) + 1):
        for low in combinations(may_be_low, count):
            for i, pile in enumerate(piles):
                pile.barred = frozenset() if i in low else low_kinds
            for i in low:
                hands[i].barred |= {*deck.all_kinds} - low_kinds
            try:
                settle(places, cards, rng)
            except NoRoom:
                for hand, barred in zip(hands, void, strict=True):
                    hand.barred = barred
            else:
                return
    raise NoRoom


def imagine_passes(
    state: TrickState,
    hands: Sequence[Sequence[int]],
    played: Sequence[Sequence[int]],
    given: list[bytes],
    received: bytes,
    me: int | None,
    rng: random.Random,
) -> None:
    """What the others passed on: any cards that their receivers have had."""
    seats = state.match.seats
    discard = state.terms.discard  # type: ignore[union-attr]  # settled
    for giver in range(seats):
        receiver = (giver + discard.passes) % seats
        if giver == me:
            continue
        had = [*hands[receiver], *played[receiver]]
        given[giver] = received if receiver == me else bytes(rng.sample(had, discard.cards))
