"""Information states of the library."""

from __future__ import annotations

import random

from arena.games import GAMES, Game, Options, Recall
from tests.games.test_contract import every_size, line_of_play


@every_size
def test_a_key_changes_exactly_when_the_view_of_its_seat_does(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} recall")
    recall: Recall | None = None
    views: dict[int, object] = {}
    keys: dict[int, str] = {}
    for state in line_of_play(game, seats, options, b"recall", rng):
        recall = Recall(state) if recall is None else recall.then(state)
        for seat in range(seats):
            view, key = state.view(seat), recall.key(seat)
            assert (key == keys.get(seat)) == (view == views.get(seat))
            views[seat], keys[seat] = view, key
    assert len({*keys.values()}) == seats


@every_size
def test_a_key_asked_for_at_the_end_alone_is_the_same(
    game: Game, seats: int, options: Options
) -> None:
    def keys(asked: bool) -> list[str]:
        rng = random.Random(f"{game.name} {seats} recall late")
        recall: Recall | None = None
        for state in line_of_play(game, seats, options, b"recall", rng):
            recall = Recall(state) if recall is None else recall.then(state)
            if asked:
                recall.key(rng.randrange(1))
            else:
                rng.randrange(1)
        assert recall is not None
        return [recall.key(seat) for seat in range(seats)]

    assert keys(asked=True) == keys(asked=False)


@every_size
def test_a_hidden_deal_changes_no_key_and_an_earlier_difference_is_never_forgotten(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} recall hidden")
    state = game.deal(seats, b"recall", options)
    for seat in range(seats):
        anew = game.redeal(state, seat, rng)
        assert Recall(anew).key(seat) == Recall(state).key(seat)
    later = state.copy()
    seat = later.to_act()[0]
    later.apply(seat, later.legal_actions(seat)[0])
    other = game.redeal(state, seat, rng)
    for watcher in range(seats):
        if watcher != seat and other.view(watcher) != state.view(watcher):
            assert Recall(other).then(later).key(watcher) != Recall(state).then(later).key(watcher)


def test_a_world_that_a_seat_imagines_has_the_past_of_that_seat_alone() -> None:
    game = GAMES["nyet"]
    state = game.deal(4, b"imagined")
    recall = Recall(state)
    for _ in range(8):
        state.apply(state.to_act()[0], state.legal(state.to_act()[0])[0])
        recall = recall.then(state)
    world = game.imagine(state.view(1), random.Random(3))
    imagined = recall.imagined(world, 1)
    assert imagined.key(1) == recall.key(1)
    assert imagined.key(0) == Recall(world).key(0)
