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
from itertools import combinations
from operator import mul
from typing import TYPE_CHECKING, Any

from arena.games.errors import BadView
from arena.games.interface import View
from arena.games.nyet.actions import Team
from arena.games.nyet.cards import BYTE, Deck
from arena.games.nyet.past import Past, RoundResult
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
        state, shown = public_part(game, view, rng.randbytes(32))
        deal_hidden(state, shown, view, rng)
        ask(state, view)
        # What contradicts itself, or is of another kind, does not come back as it was; but for
        # what a view says once and no rule ties to anything else.
        agrees = state.view(view["seat"]) == view and is_sound(state, view)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError) as error:
        raise no_view(game, view, str(error)) from error
    if not agrees:
        raise no_view(game, view, "its fields contradict each other")
    return state


def is_sound(state: TrickState, view: View) -> bool:
    """The numbers are whole numbers, one for each seat; rounds and passed cards are as many as
    there can be."""
    seats, number, previous = view["seats"], view["round"], view["previous"]
    numbers = (seats, number, view["seat"] or 0, *view["scores"])
    finished = number if state.phase is OVER else number - 1
    passed = 0
    if state.phase in PASSED and state.terms is not None and view["seat"] is not None:
        passed = state.terms.discard.cards if state.terms.discard.passes else 0
    return (
        all(type(each) is int for each in numbers)
        and len(view["scores"]) == seats
        and 1 <= number <= view["rounds"]
        and (previous["round"] if previous is not None else 0) == finished
        and len(view["received"] or ()) == passed
    )


PASSED = (PLAY, OVER)  # the phases in which all cards passed on are with their receivers


def no_view(game: TrickGame, came: object, why: str) -> BadView:
    return BadView(f"this is no view of {game.name}: {why}", came=came, allowed=(), where="11.11")


def public_part(game: TrickGame, view: View, seed: bytes) -> tuple[TrickState, Shown]:
    """The state as everyone sees it, without hands; and what the tricks have shown of them."""
    seats = view["seats"]
    state = TrickState()
    state.match = match = game.match(seats, seed, view["options"])
    tables = match.tables
    codes = tables.actions.codes
    state.past = Past(
        view["round"], view["dealer"], tuple(view["scores"]), result_of(view["previous"])
    )
    state.phase = phase = Phase(view["phase"])
    tokens = codes(view["tokens"])
    state.given = match.table.none_given
    state.takes = b""
    state.terms = state.team = None
    state.leader = view["first_token"]
    state.log = tokens
    if phase is not TOKENS:
        state.terms = tables.terms(match.table.boxes.translate(None, tokens))
        state.leader = state.terms.first
    if view["team"] is not None:
        state.team = team_of(view)
        state.log += team_action(state)
    played = phase is PLAY or phase is OVER
    shown = replay_tricks(state, [*map(match.deck.kinds_of, view["tricks"])] if played else ())
    return state, shown


class Shown:
    """What the tricks of a round have shown of each seat."""

    def __init__(self, seats: int):
        self.played: list[list[int]] = [[] for _ in range(seats)]  # its cards, as kinds
        self.void: list[set[bytes]] = [set() for _ in range(seats)]  # what it could not serve

    def barred(self, deck: Deck, seat: int) -> frozenset[int]:
        """The kinds that it has shown not to hold (SPEC 11.4)."""
        suits = [deck.all_kinds.translate(None, others) for others in self.void[seat]]
        return frozenset(b"".join(suits))


def replay_tricks(state: TrickState, tricks: Sequence[bytes]) -> Shown:
    """Whom the tricks of the round went to, how the open one stands, and what they showed."""
    seats, is_low = state.match.seats, state.match.deck.is_low
    shown = Shown(seats)
    state.led = None
    state.best = state.winner = state.lows = 0
    for kinds in tricks:
        if not kinds:
            break  # nobody has led yet
        state.log += kinds
        state.led = others, power = state.terms.trumps.led[kinds[0]]  # type: ignore[union-attr]  # settled
        best = lows = 0
        seat = state.leader
        for kind in kinds:
            shown.played[seat].append(kind)
            if kind in others:
                shown.void[seat].add(others)
            if power[kind] >= best:
                best = power[kind]
                state.winner = seat
            if is_low[kind]:
                lows |= 1 << seat
            seat = state.match.after[seat]
        state.best, state.lows = best, lows
        if len(kinds) == seats:
            state.take_trick()
    return shown


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


class Unseen:
    """The cards that are not seen anywhere, counted by kind."""

    def __init__(self, deck: Deck, cards: bytes):
        self._left = [0] * deck.size
        for kind in cards:
            self._left[kind] += 1

    def take_out(self, seen: Iterable[int]) -> None:
        for kind in seen:
            self._left[kind] -= 1

    def cards(self) -> bytes:
        if min(self._left) < 0:
            raise ValueError("it has more copies of a card than there are")
        return b"".join(map(mul, BYTE, self._left))


def deal_hidden(state: TrickState, shown: Shown, view: View, rng: random.Random) -> None:
    """Fill in what the view does not tell."""
    match = state.match
    seats, me = match.seats, view["seat"]
    hand, given_by_me, received = (
        match.deck.kinds_of(view[field] or ()) for field in ("hand", "given", "received")
    )
    played = shown.played
    unseen = Unseen(match.deck, match.table.cards)
    unseen.take_out(hand)
    for kinds in played:
        unseen.take_out(kinds)
    hands: list[list[int]] = [[] for _ in range(seats)]
    given = [given_by_me if seat == me else b"" for seat in range(seats)]
    all_have_given = state.phase is PLAY or state.phase is OVER
    passes = state.terms.discard.passes if all_have_given and state.terms else 0
    if passes and me is not None:
        # What we passed on is with its receiver, unless it was played.
        receiver = (me + passes) % seats
        hands[receiver] += (Counter(given_by_me) - Counter(played[receiver])).elements()
        unseen.take_out(hands[receiver])
    else:
        unseen.take_out(given_by_me)
    cards = unseen.cards()
    others = [seat for seat in range(seats) if seat != me]
    places = [
        Place(view["hand_sizes"][seat] - len(hands[seat]), shown.barred(match.deck, seat))
        for seat in others
    ]
    each = cards_given(state) if all_have_given and not passes else 0
    piles = [Place(each) for _ in others] if each else []
    aside = Place(len(cards) - sum(place.room for place in (*places, *piles)))
    spread(state, places, piles, aside, [played[seat] for seat in others], cards, rng)
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


def spread(
    state: TrickState,
    hands: Sequence[Place],
    piles: Sequence[Place],
    aside: Place,
    played: Sequence[Sequence[int]],
    cards: bytes,
    rng: random.Random,
) -> None:
    """Deal the unseen cards to the places. `piles` are what each of the others discarded."""
    deck = state.match.deck
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
