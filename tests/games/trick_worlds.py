"""Every world that agrees with a view of a trick-taking game, enumerated from the view alone.

Slow and simple: it deals the unseen cards kind by kind to the places that hold some, and leaves
out what breaks a rule. It shares nothing with `imagine`, which it is compared with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, factorial, prod
from typing import Any, TypeAlias

from arena.games.nyet.rulesets import RuleSet
from arena.games.nyet.state import TrickState

Cards: TypeAlias = tuple[str, ...]  # sorted
World: TypeAlias = tuple[tuple[Cards, Cards], ...]
"""By seat, its hand, and the cards that it has discarded or passed on."""

PASSES = {"left1": 1, "right2": -1}
PASSED = {"left1": 1, "right2": 2}
GIVES = {"0": 0, "1": 1, "2": 2, "1x": 1, "2x": 2, **dict.fromkeys(PASSES, 0)}


def low_cards(rules: RuleSet) -> set[str]:
    return {f"{colour}{rules.low}" for colour in rules.colours}


def suit(rules: RuleSet, card: str, view: Mapping[str, Any]) -> str:
    """By the rules alone: its colour, but in nyet a supertrump's is the trump colour."""
    is_supertrump = card[0] == view["supertrump"] and card in low_cards(rules)
    return str(view["trump"]) if is_supertrump and rules.supertrump_joins_trump else card[0]


def voids(rules: RuleSet, view: Mapping[str, Any]) -> list[set[str]]:
    """By seat, the suits it has shown to lack, by not following."""
    shown: list[set[str]] = [set() for _ in range(view["seats"])]
    for trick, leader in zip(view["tricks"], view["leaders"], strict=True):
        suits = [suit(rules, card, view) for card in trick]
        for place, played in enumerate(suits):
            if played != suits[0]:
                shown[(leader + place) % view["seats"]].add(suits[0])
    return shown


def played_by(view: Mapping[str, Any], seat: int) -> Counter[str]:
    seats = view["seats"]
    return Counter(
        card
        for trick, leader in zip(view["tricks"], view["leaders"], strict=True)
        for place, card in enumerate(trick)
        if (leader + place) % seats == seat
    )


def shares(copies: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to put so many copies of a card into places with these rooms."""
    if len(rooms) == 1:
        if copies <= rooms[0]:
            yield (copies,)
        return
    for here in range(min(copies, rooms[0]) + 1):
        for rest in shares(copies - here, rooms[1:]):
            yield (here, *rest)


def deals(
    cards: Counter[str], rooms: Sequence[int], barred: Sequence[set[str]]
) -> Iterator[tuple[list[Cards], int]]:
    """Every deal of the cards, none to a place that bars it; and its number of single cards'
    choices: copies are different cards here, as they are when a deck is shuffled."""
    if not cards:
        yield [()] * len(rooms), 1
        return
    card, copies = min(cards.items())
    others = Counter({other: count for other, count in cards.items() if other != card})
    free = [0 if card in bar else room for room, bar in zip(rooms, barred, strict=True)]
    for share in shares(copies, free):
        left, choices = copies, 1
        for here in share:
            choices *= comb(left, here)
            left -= here
        rest = [room - here for room, here in zip(rooms, share, strict=True)]
        for dealt, count in deals(others, rest, barred):
            hands = [(card,) * here + hand for here, hand in zip(share, dealt, strict=True)]
            yield hands, count * choices


def passed_on(had: Counter[str], cards: int) -> list[tuple[Cards, int]]:
    """Every choice of so many of these cards, and its number of single cards' choices."""
    kinds = sorted(had)
    chosen = []
    for share in shares(cards, [had[kind] for kind in kinds]):
        names = tuple(kind for kind, here in zip(kinds, share, strict=True) for _ in range(here))
        chosen.append((names, prod(map(comb, [had[kind] for kind in kinds], share))))
    return chosen


@dataclass
class Hidden:
    """What a view of the tricks leaves open, and where it can be."""

    unseen: Counter[str]
    known: list[Counter[str]]  # by seat, the cards that are known to be in its hand
    played: list[Counter[str]]  # by seat
    others: list[int]  # the seats whose hands are hidden
    rooms: list[int]  # of the hands of the others, their discards, aside
    gifts: int  # choices of the cards that others passed on, for each deal

    def deals(self) -> int:
        """The deals of single cards, if nothing were barred."""
        return factorial(sum(self.rooms)) // prod(map(factorial, self.rooms)) * self.gifts


def hidden(deck: Sequence[str], view: Mapping[str, Any]) -> Hidden:
    seats, me, box = view["seats"], view["seat"], view["discard"]
    step = PASSES.get(box)
    played = [played_by(view, seat) for seat in range(seats)]
    others = [seat for seat in range(seats) if seat != me]
    known = [Counter[str]() for _ in range(seats)]
    unseen = Counter(deck)
    if me is not None:
        known[me] = Counter(view["hand"])
        if step is None:
            unseen.subtract(view["given"])
        else:
            receiver = (me + step) % seats
            known[receiver] = Counter(view["given"]) - played[receiver]
    for seat in range(seats):
        unseen.subtract(played[seat])
        unseen.subtract(known[seat])
    unseen = Counter({card: count for card, count in unseen.items() if count})
    rooms = [view["hand_sizes"][seat] - known[seat].total() for seat in others]
    rooms += [GIVES[box]] * len(others)
    rooms.append(unseen.total() - sum(rooms))
    gifts = 1
    if step is not None:
        each = view["hand_sizes"][0] + played[0].total()
        unknown = seats if me is None else max(seats - 2, 0)
        gifts = comb(each, PASSED[box]) ** unknown
    return Hidden(unseen, known, played, others, rooms, gifts)


def worlds(rules: RuleSet, deck: Sequence[str], view: Mapping[str, Any]) -> Counter[World]:
    """Every world that agrees with a view of the tricks, and its number of single cards' deals."""
    seats, me, box = view["seats"], view["seat"], view["discard"]
    low = low_cards(rules)
    step = PASSES.get(box)
    at = hidden(deck, view)
    unseen, known, played, others, rooms = at.unseen, at.known, at.played, at.others, at.rooms
    lacking = voids(rules, view)
    barred = [
        {card for card in unseen if suit(rules, card, view) in lacking[seat]} for seat in others
    ]
    found = Counter[World]()
    for dealt, count in deals(unseen, rooms, [*barred, *[set()] * (len(rooms) - len(others))]):
        hands = [*known]
        given: list[list[tuple[Cards, int]]] = [[((), 1)]] * seats
        if me is not None:
            given[me] = [(tuple(sorted(view["given"])), 1)]
        is_legal = True
        for seat, hand, pile in zip(others, dealt, dealt[len(others) :], strict=False):
            hands[seat] = known[seat] + Counter(hand)
            given[seat] = [(pile, 1)]
            if box.endswith("x") and low & {*pile}:  # then it held nothing else
                is_legal = is_legal and low >= {*hands[seat], *played[seat]}
        if not is_legal:
            continue
        if step is not None:
            for giver in others:
                receiver = (giver + step) % seats
                if receiver == me:
                    given[giver] = [(tuple(sorted(view["received"])), 1)]
                else:
                    given[giver] = passed_on(hands[receiver] + played[receiver], PASSED[box])
        for choice in product(*given):
            world = tuple(
                (tuple(sorted(hand.elements())), gift)
                for hand, (gift, _) in zip(hands, choice, strict=True)
            )
            found[world] += count * prod(times for _, times in choice)
    return found


def world_of(state: TrickState) -> World:
    """The same of a state that was imagined."""
    names = state.match.deck.names
    return tuple(
        (
            tuple(sorted(names[kind] for kind in hand + spare)),
            tuple(sorted(names[kind] for kind in gift)),
        )
        for hand, spare, gift in zip(state.hands, state.spares, state.given, strict=True)
    )
