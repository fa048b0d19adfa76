"""A random full state that agrees with a view, for search bots.

A view leaves open the places of the unseen cards: in the other hands, among the cards others
discarded, aside. Each of these is a *place* with room for a number of cards, and with kinds it
cannot hold: a seat that did not follow is void in that suit, and cards discarded while low cards
are spared are not low. Cards we passed on and have not seen since are where we passed them.

Every deal of the unseen single cards to these places that breaks none of this is as likely as
every other. Copies of a card are different cards here, as they are to a shuffle, so a world counts
as many times as there are deals that look like it. What others chose is no evidence but for the
rules: any cards that they may have discarded or passed on are as likely as any others.
docs/library.md says it in full.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from operator import mul
from typing import TYPE_CHECKING, Any

from arena.games.derived import BAD_VALUES
from arena.games.errors import BadView
from arena.games.interface import View
from arena.games.nyet.actions import Team
from arena.games.nyet.cards import BYTE, Deck
from arena.games.nyet.past import EarlierRounds, RoundResult
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TEAM, TOKENS, Phase
from arena.games.nyet.places import CardPlace, Dealing, NoRoom, deal_one, settle
from arena.games.nyet.position import ask_lead, take_trick
from arena.games.nyet.state import TrickState
from arena.games.nyet.tables import TrickTable
from arena.games.nyet.terms import may_play
from arena.games.nyet.turns import NOBODY, TO_ACT

if TYPE_CHECKING:
    from arena.games.nyet.game import TrickGame


def imagine(game: TrickGame, view: View, rng: random.Random) -> TrickState:
    """See `arena.games.interface.Game.imagine`."""
    try:
        state, shown = public_part(game, view, rng.randbytes(32))
        deal_hidden(state, shown, view, rng)
        ask(state, view)
        # The state must give the same view again, else the view contradicts itself. `is_sound`
        # checks the facts that stand in a view once and do not follow from other facts.
        agrees = state.view(view["seat"]) == view and is_sound(state, view)
    except BAD_VALUES as error:
        raise no_view(game, view, str(error)) from error
    if not agrees:
        raise no_view(game, view, "its fields contradict each other")
    return state


def is_sound(state: TrickState, view: View) -> bool:
    """True if all numbers are whole, scores are one a seat, and rounds and passed cards add up."""
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
    """The state as everyone sees it, without hands; and the facts that its tricks have shown."""
    seats = view["seats"]
    state = TrickState()
    state.match = match = game.match(seats, seed, view["options"])
    tables = match.tables
    codes = tables.actions.codes
    state.past = EarlierRounds(
        view["round"], view["dealer"], tuple(view["scores"]), result_of(view["previous"])
    )
    state.phase = phase = Phase(view["phase"])
    tokens = codes(view["tokens"])
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
    """The facts that the tricks of a round have shown of each seat."""

    def __init__(self, seats: int):
        self.played: list[list[int]] = [[] for _ in range(seats)]  # its cards, as kinds
        # Kinds that were barred when the seat played one of them: it held no others then.
        self.void: list[set[bytes]] = [set() for _ in range(seats)]

    def barred(self, deck: Deck, seat: int) -> bytes:
        """The kinds, ascending, that this seat has shown not to hold (SPEC 11.4)."""
        if not self.void[seat]:
            return b""
        kinds = deck.all_kinds
        suits = b"".join([kinds.translate(None, others) for others in self.void[seat]])
        return kinds.translate(None, kinds.translate(None, suits))


def replay_tricks(state: TrickState, tricks: Sequence[bytes]) -> Shown:
    """Replay the tricks of the round into the state, and collect the facts they show."""
    seats, is_low = state.match.seats, state.match.deck.is_low
    shown = Shown(seats)
    state.led = None
    state.best = state.winner = state.lows = 0
    if not tricks:
        return shown
    trumps = state.terms.trumps  # type: ignore[union-attr]  # settled
    not_led = trumps.not_led
    for kinds in tricks:
        if not kinds:
            break  # nobody has led yet
        state.log += kinds
        state.led = others, power = trumps.led[kinds[0]]
        best = lows = 0
        seat = state.leader
        barred = not_led
        for kind in kinds:
            shown.played[seat].append(kind)
            if kind in barred:
                shown.void[seat].add(barred)
            barred = others
            if power[kind] >= best:
                best = power[kind]
                state.winner = seat
            if is_low[kind]:
                lows |= 1 << seat
            seat = state.match.after[seat]
        state.best, state.lows = best, lows
        if len(kinds) == seats:
            take_trick(state)
    return shown


def coverable(table: TrickTable, tokens: bytes) -> bytes:
    """The boxes that may be covered after these tokens."""
    open_boxes = table.boxes.translate(None, tokens)
    return bytes(
        box for box in open_boxes if len(open_boxes.translate(None, table.other_rows[box])) > 1
    )


def ask(state: TrickState, view: View) -> None:
    """Set the turn, and its legal actions, once the hands are dealt. In a simultaneous choice every
    other seat may still owe a decision."""
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
        elif state.led is None:
            ask_lead(state)
        else:
            state.choices = may_play(state.hands[turn], state.led[0])


def cards_given(state: TrickState) -> int:
    return state.terms.discard.cards  # type: ignore[union-attr]  # settled


def team_of(words: dict[str, Any]) -> Team:
    return Team(tuple(words["team"]), words["bonus"])


def team_action(state: TrickState) -> bytes:
    """The action that chose this team, as one byte; empty where none was asked for."""
    match = state.match
    choices = match.tables.actions.teams[match.seats, state.leader]
    return bytes(action for action, team in choices.items() if team == state.team)


def result_of(words: dict[str, Any] | None) -> RoundResult | None:
    """The previous round, read from a view."""
    if words is None:
        return None
    result = RoundResult(None, words)
    return RoundResult(None, result.in_words())  # a copy, which shares nothing with the view


def unseen_cards(state: TrickState, seen: bytes) -> bytes:
    """The cards of the deck without those seen, as kinds in order."""
    left = [*state.match.table.copies]
    for kind in seen:
        left[kind] -= 1
    if min(left) < 0:
        raise ValueError("it has more copies of a card than there are")
    return b"".join(map(mul, BYTE, left))


def deal_hidden(state: TrickState, shown: Shown, view: View, rng: random.Random) -> None:
    """Deal the cards that the view does not show."""
    match = state.match
    deck = match.deck
    seats, me, sizes = match.seats, view["seat"], view["hand_sizes"]
    hand, given_by_me, received = (
        deck.kinds_of(view[field] or ()) for field in ("hand", "given", "received")
    )
    played = [*map(bytes, shown.played)]
    hands = [b""] * seats
    given = [given_by_me if seat == me else b"" for seat in range(seats)]
    all_have_given = state.phase is PLAY or state.phase is OVER
    passes = state.terms.discard.passes if all_have_given and state.terms else 0
    kept = given_by_me
    if passes and me is not None:
        # A card we passed on is with its receiver until a card of its kind is played there.
        receiver = (me + passes) % seats
        for kind in played[receiver]:
            kept = kept.replace(BYTE[kind], b"", 1)
        hands[receiver] = kept
    cards = unseen_cards(state, b"".join((hand, kept, *played)))
    others = [seat for seat in range(seats) if seat != me]
    places = [
        CardPlace(sizes[seat] - len(hands[seat]), shown.barred(deck, seat)) for seat in others
    ]
    each = cards_given(state) if all_have_given and not passes else 0
    # The discards of each of the others: those that may be low, and those that are not, where low
    # cards are spared; else all in the second place.
    piles = [CardPlace(0), CardPlace(each)] * len(others) if each else []
    aside = CardPlace(len(cards) - sum(place.room for place in (*places, *piles)))
    places += [*piles, aside]
    if min([place.room for place in places]) < 0:
        raise NoRoom
    if each and state.terms.discard.spares_low:  # type: ignore[union-attr]  # settled
        all_low = tuple([not played[seat].translate(None, deck.low) for seat in others])
        dealt = deal_one(sparing_low(deck, tuple(places), all_low, cards), rng)
    else:
        dealt = settle(places, cards, rng)
    for i, seat in enumerate(others):
        hands[seat] += dealt[i]
        if each:
            given[seat] = b"".join(dealt[len(others) + 2 * i :][:2])
    if me is not None:
        hands[me] = hand
    sorted_hands = [*map(deck.sort_hand, hands)]
    state.hands = [held for held, spare in sorted_hands]
    state.spares = [spare for held, spare in sorted_hands]
    if passes:
        imagine_passes(state, hands, played, given, received, me, rng)
    state.given = tuple(given)


@lru_cache(maxsize=16)
def sparing_low(
    deck: Deck, places: tuple[CardPlace, ...], all_low: tuple[bool, ...], cards: bytes
) -> list[Dealing]:
    """All deals where low cards were spared: a dealing for each choice of the low discards.

    Low cards are discarded only by a seat that holds too few others [D5]: then it discards all of
    those, and its hand, and all that it has played, is low. `places` are the hands of the others,
    then two of each pile, then aside; `all_low` says for each of them if all that it played is low.
    """
    count = len(all_low)
    high = deck.high
    lows = len(cards.translate(None, high))
    most = [places[count + 2 * i + 1].room if low else 0 for i, low in enumerate(all_low)]
    dealings = []
    for numbers in product(*(range(each + 1) for each in most)):
        row = [*places]
        needed = 0
        for i, low in enumerate(numbers):
            pile = count + 2 * i
            row[pile] = CardPlace(low, high)
            row[pile + 1] = CardPlace(places[pile + 1].room - low, deck.low)
            if low:
                room, barred = places[i]
                may_hold = deck.low.translate(None, barred)
                row[i] = CardPlace(room, deck.all_kinds.translate(None, may_hold))
                needed += room + low
        if needed <= lows:
            dealings.append(Dealing(row, cards))
    return dealings


def imagine_passes(
    state: TrickState,
    hands: Sequence[bytes],
    played: Sequence[bytes],
    given: list[bytes],
    received: bytes,
    me: int | None,
    rng: random.Random,
) -> None:
    """Choose the cards that the others passed on: any that their receivers have had."""
    seats = state.match.seats
    discard = state.terms.discard  # type: ignore[union-attr]  # settled
    for giver in range(seats):
        receiver = (giver + discard.passes) % seats
        if giver == me:
            continue
        had = hands[receiver] + played[receiver]
        given[giver] = received if receiver == me else bytes(rng.sample(had, discard.cards))
