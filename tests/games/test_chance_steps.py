"""Deals from given cards, deals as chance steps, and the small decks."""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections import Counter
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.games import GAMES, BadDeal, BadSeats, Game, Options, State
from arena.games.open_deal import OpenDeal, next_cards
from arena.games.research import RESEARCH
from tests.games.test_contract import every_game, every_size, everything, line_of_play


def pickled(deal: OpenDeal) -> OpenDeal:
    again: OpenDeal = pickle.loads(pickle.dumps(deal))
    return again


MOST_STATES = 60_000  # of a small game, so that it is solved in seconds


@every_size
def test_a_match_is_dealt_from_given_cards_hand_by_hand(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} given")
    deck = [*game.deck(seats, options)]
    rng.shuffle(deck)
    sizes = game.chances(seats, options).groups[:seats]
    state = game.deal_cards(seats, deck[: sum(sizes)], b"given", options)
    start = 0
    for seat, size in enumerate(sizes):
        assert Counter(state.view(seat)["hand"]) == Counter(deck[start : start + size])
        start += size
    again = game.deal_cards(seats, deck[: sum(sizes)], b"given", options)
    assert everything(game, state, seats) == everything(game, again, seats)
    assert Counter(game.cards(state)) <= Counter(deck)
    game.playout(state, rng)
    assert state.outcome() is not None


@every_size
def test_all_cards_given_make_a_deal_that_owes_nothing_to_the_seed_but_its_dealer(
    game: Game, seats: int, options: Options
) -> None:
    deck = game.deck(seats, options)
    dealer = game.chances(seats, options).dealers[-1]
    one, two = (game.deal_cards(seats, deck, seed, options, dealer) for seed in (b"a", b"b"))
    assert everything(game, one, seats) == everything(game, two, seats)


@every_game
def test_cards_that_the_deck_does_not_have_are_refused_in_words(game: Game) -> None:
    seats = game.seats[0]
    card = game.deck(seats)[0]
    there = [*game.deck(seats)].count(card)
    words = f"'{card}' is dealt {there + 1} times, but the deck has {there}"
    with pytest.raises(BadDeal, match=words):
        game.deal_cards(seats, [card] * (there + 1))
    with pytest.raises(BadDeal, match="'Q7' is dealt 1 times, but the deck has 0"):
        game.deal_cards(seats, ["Q7"])


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("R1", "such as ['R1', 'G2']; got 'R1'"),
        (["R1", 12], "such as ['R1', 'G2']; game.actions.name gives them; got 12"),
        ([["R1"], ["R1"]], "such as ['R1', 'G2']; hands follow one another in it; got ['R1']"),
        (5, "such as ['R1', 'G2']; got 5"),
    ],
)
def test_cards_that_are_no_list_of_texts_are_refused_with_the_form(cards: Any, said: str) -> None:
    for game in (GAMES["nyet"], GAMES["nope"]):
        with pytest.raises(
            BadDeal, match=re.escape(f"cards are given as one list of their texts, {said}")
        ):
            game.deal_cards(2, cards)


@pytest.mark.parametrize("game", [*GAMES.values(), *RESEARCH.values()], ids=lambda game: game.name)
def test_a_dealer_is_a_seat_at_the_table(game: Game) -> None:
    seats = game.seats[-1]
    dealt = game.deal_cards(seats, [], dealer=np.int64(1))  # type: ignore[arg-type]  # tested
    assert dealt == game.deal_cards(seats, [], dealer=1)
    assert OpenDeal(game, seats, dealer=1).outcomes()[0][1] < 1
    nobodies: list[Any] = [seats, -1, True, "0", 1.0]
    for nobody in nobodies:
        said = re.escape(
            f"the dealer is a seat from 0 to {seats - 1}, or None for a lot; got {nobody!r}"
        )
        with pytest.raises(BadSeats, match=said):
            game.deal_cards(seats, [], dealer=nobody)
        with pytest.raises(BadSeats, match=said):
            OpenDeal(game, seats, dealer=nobody)


def test_a_dealer_that_an_option_names_is_not_changed_and_the_other_is_still_checked() -> None:
    game = GAMES["nyet"]
    state = game.deal_cards(4, [], options={"dealer": 3}, dealer=1)
    assert state.view(None)["dealer"] == 3
    with pytest.raises(BadSeats):
        game.deal_cards(4, [], options={"dealer": 3}, dealer=9)
    with pytest.raises(BadSeats):
        OpenDeal(game, 4, {"dealer": 3}, dealer=9)


@every_size
def test_a_deal_in_chance_steps_gives_the_hands_that_its_outcomes_say(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} steps")
    deal = OpenDeal(game, seats, options)
    chances = game.chances(seats, options)
    dealt = []
    while outcomes := deal.outcomes():
        assert sum(probability for _, probability in outcomes) == 1
        assert all(probability > 0 for _, probability in outcomes)
        codes = [outcome for outcome, _ in outcomes]
        assert codes == sorted({*codes})
        outcome = rng.choice(codes)
        twin = rng.choice((OpenDeal.copy, copy.copy, copy.deepcopy, pickled))(deal)
        deal.apply(outcome)
        assert twin.outcomes() == outcomes
        dealt.append(outcome)
    if len(chances.dealers) > 1:
        assert dealt.pop(0) in chances.dealers
    state = deal.state()
    assert deal.state() == state
    assert len(dealt) == sum(chances.groups)
    for seat, size in enumerate(chances.groups[:seats]):
        hand = [game.actions.code(card) for card in state.view(seat)["hand"]]
        assert hand == dealt[:size]
        del dealt[:size]


def test_a_step_that_cannot_come_and_a_deal_cut_short_are_refused_in_words() -> None:
    deal = OpenDeal(GAMES["nyet"], 4)
    with pytest.raises(BadDeal, match="still to be dealt"):
        deal.state()
    with pytest.raises(BadDeal, match=r"7 is no outcome of this step; there are: \[0, 1, 2, 3\]"):
        deal.apply(7)


def test_a_deal_is_of_a_game_and_its_outcomes_are_whole_numbers() -> None:
    with pytest.raises(
        TypeError, match=r"a deal is of a game, such as GAMES\['nyet'\]; got 'nyet'"
    ):
        OpenDeal("nyet", 4)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError, match="a seed is bytes, got str"):
        OpenDeal(GAMES["nyet"], 4, seed="seed")  # type: ignore[arg-type]  # on purpose
    deal = OpenDeal(GAMES["nyet"], 4)
    assert repr(deal) == "<OpenDeal of nyet, dealer by lot, 0 cards dealt>"
    for outcome in (True, 1.0, "1"):
        with pytest.raises(BadDeal, match="is no outcome of this step"):
            deal.apply(outcome)  # type: ignore[arg-type]  # on purpose
    deal.apply(np.int64(1))  # type: ignore[arg-type]  # tested
    assert repr(deal) == "<OpenDeal of nyet, dealer 1, 0 cards dealt>"


def hands_by_steps(
    left: tuple[tuple[int, int], ...], size: int, begun: tuple[int, ...] = ()
) -> dict[tuple[int, ...], Fraction]:
    """By hand, the product of the probabilities of its steps."""
    if len(begun) == size:
        return {begun: Fraction(1)}
    found: dict[tuple[int, ...], Fraction] = {}
    for card, probability in next_cards(left, size, begun):
        for hand, rest in hands_by_steps(left, size, (*begun, card)).items():
            found[hand] = probability * rest
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "left",
    [((0, 3), (1, 1), (4, 2)), ((2, 1), (3, 1), (5, 4)), ((0, 5),), ((0, 2), (1, 2), (2, 2))],
)
def test_each_hand_is_as_likely_as_a_shuffled_deck_makes_it(
    left: tuple[tuple[int, int], ...], size: int
) -> None:
    """Counted over all orders of the single cards."""
    cards = [card for card, copies in left for _ in range(copies)]
    orders = Counter(tuple(sorted(order)) for order in permutations(cards, size))
    total = sum(orders.values())
    assert hands_by_steps(left, size) == {
        hand: Fraction(count, total) for hand, count in orders.items()
    }


def test_the_small_games_are_in_no_list_of_rule_sets() -> None:
    assert not {*RESEARCH} & {*GAMES}
    assert {game.split("-")[0] for game in RESEARCH} == {"nyet", "nope"}


def states_below(state: State) -> int:
    """The states of the tree from here on, this one too."""
    if not state.to_act():
        return 1
    seat = state.to_act()[0]
    found = 1
    for action in state.legal_actions(seat):
        after = state.copy()
        after.apply(seat, action)
        found += states_below(after)
    return found


def states_of(deal: OpenDeal) -> int:
    """The states of the tree, chance steps too."""
    outcomes = deal.outcomes()
    if not outcomes:
        return states_below(deal.state())
    found = 1
    for outcome, _ in outcomes:
        after = deal.copy()
        after.apply(outcome)
        found += states_of(after)
    return found


@pytest.mark.parametrize("name", [*RESEARCH])
def test_a_small_game_is_small_enough_to_be_counted_out(name: str) -> None:
    game = RESEARCH[name]
    for dealer in range(2):
        assert 1000 < states_of(OpenDeal(game, 2, dealer=dealer)) < MOST_STATES


@pytest.mark.parametrize("name", [*RESEARCH])
def test_the_deal_is_all_the_chance_of_a_small_game(name: str) -> None:
    """The same cards and actions make the same match, whatever the seed."""
    game = RESEARCH[name]
    for number in range(200):
        rng = random.Random(number)
        cards = [*game.deck(2)]
        rng.shuffle(cards)
        one, two = (game.deal_cards(2, cards, seed, dealer=0) for seed in (b"a", b"b"))
        while one.to_act():
            seat = one.to_act()[0]
            action = rng.choice(one.legal_actions(seat))
            one.apply(seat, action)
            two.apply(seat, action)
            assert everything(game, one, 2) == everything(game, two, 2)


@pytest.mark.parametrize("name", [*RESEARCH])
def test_a_small_game_keeps_the_contract(name: str) -> None:
    """Views, observations and refusals tell nothing hidden; imagined worlds fit; it ends."""
    game = RESEARCH[name]
    rng = random.Random(name)
    size = game.observation(2).size

    def seen(state: State, seat: int) -> tuple[object, ...]:
        out = [0] * size
        state.observe(seat, out)
        refusals = [state.refusal(seat, action) for action in range(len(game.actions))]
        return state.view(seat), out, refusals

    deck = Counter(game.deck(2))
    for number in range(60):
        decisions = -1
        for state in line_of_play(game, 2, {}, bytes([number]), rng):
            decisions += 1
            assert Counter(game.cards(state)) <= deck
            for seat in range(2):
                assert seen(game.redeal(state, seat, rng), seat) == seen(state, seat)
                imagined = game.imagine(state.view(seat), rng)
                assert seen(imagined, seat) == seen(state, seat)
        assert decisions <= game.bound(2)
        outcome = state.outcome()
        assert outcome is not None
        lowest, highest = game.score_bounds(2)
        assert lowest <= min(outcome.scores) <= max(outcome.scores) <= highest


def test_the_example_of_the_document_runs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "library.md").read_text()
    section = text.partition("## Chance\n")[2].partition("\n## ")[0]
    names: dict[str, Any] = {}
    given, stepped = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    exec(given, names)
    assert names["state"].view(0)["hand"] == names["hand"]
    assert all(card.startswith("R") for card in names["hand"])
    exec(stepped, names)
    assert names["state"].to_act()
    first = OpenDeal(GAMES["nyet"], 4, dealer=0).outcomes()[0]
    assert f"R1, {first[1]} with four hands of `nyet`, is that of R1 being" in section
    assert f"of {GAMES['nyet'].chances(4).groups[0]}." in section
    for name, game in RESEARCH.items():
        assert f"{states_of(OpenDeal(game, 2, dealer=0)):,} states" in section, name
