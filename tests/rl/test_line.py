"""Lines of play: copied, pickled and imagined."""

from __future__ import annotations

import copy
import pickle
import random

from arena.games import Game, Options, Recall
from arena.rl.line import PlayLine
from tests.games.test_contract import every_size


def played(game: Game, seats: int, options: Options, rng: random.Random) -> list[PlayLine]:
    """Copies of a line of random play, one after each action."""
    line = PlayLine(game.deal(seats, b"line", options))
    lines = [line.copy()]
    while owing := line.state.to_act():
        line.apply(owing[0], rng.choice(list(line.state.legal(owing[0]))))
        lines.append(line.copy())
    return lines


def keys(line: PlayLine) -> list[str]:
    return [line.recall.key(seat) for seat in range(line.state.seats)]


@every_size
def test_a_line_recalls_what_a_recall_beside_the_match_does(
    game: Game, seats: int, options: Options
) -> None:
    recall: Recall | None = None
    for line in played(game, seats, options, random.Random(1)):
        recall = Recall(line.state) if recall is None else recall.then(line.state)
        assert keys(line) == [recall.key(seat) for seat in range(seats)]


@every_size
def test_a_copy_and_a_pickle_are_the_same_line_and_go_their_own_way(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(2)
    lines = played(game, seats, options, rng)
    for line in rng.sample(lines[:-1], 5):
        for twin in (copy.deepcopy(line), pickle.loads(pickle.dumps(line))):
            before = keys(line)
            assert keys(twin) == before
            seat = twin.state.to_act()[0]
            twin.apply(seat, twin.state.legal(seat)[0])
            assert keys(line) == before
            assert keys(twin) != before or len(line.state.to_act()) > 1


@every_size
def test_a_seat_cannot_tell_an_imagined_line_from_its_own(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(3)
    lines = played(game, seats, options, rng)
    secret = [line for line in lines if len(line.state.to_act()) not in (0, 1, seats)]
    for line in [*rng.sample(lines, 10), *secret[:5]]:
        for seat in range(seats):
            imagined = line.imagined(seat, rng)
            assert imagined.recall.key(seat) == line.recall.key(seat)
            assert imagined.state.view(seat) == line.state.view(seat)
            assert imagined.state.to_act() == line.state.to_act()
            twin = pickle.loads(pickle.dumps(imagined))
            assert keys(twin) == keys(imagined)
            assert twin.imagined(seat, rng).state.to_act() == line.state.to_act()
