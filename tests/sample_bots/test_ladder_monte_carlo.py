"""python-monte-carlo: keeps its time, plays by the rules, and sees what is plain."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from arena.games import GAMES, View
from tests.sample_bots.ladder import decisions, games_of, load

BOT = load("python-monte-carlo")
PLAYER = load("python-monte-carlo", "player")
SEARCH = load("python-monte-carlo", "search")
NO_TIME = 0.0  # one world for each decision


def choose(view: View, legal: list[str], budget: float = NO_TIME) -> str:
    player = PLAYER.Player(BOT.cover, BOT.THINK_MS, BOT.FREE_PART, random.Random(1))
    chosen = player.think(view, legal, budget)
    assert isinstance(chosen, str)
    return chosen


class Worlds:
    """Worlds that cost a second each on a clock of their own."""

    def __init__(self, value: Callable[[str], float]):
        self.value = value
        self.now = 0.0
        self.asked: dict[str, int] = {}

    def clock(self) -> float:
        return self.now

    def sample(self) -> Callable[[str], float]:
        self.now += 1

        def value_of(candidate: str) -> float:
            self.asked[candidate] = self.asked.get(candidate, 0) + 1
            return self.value(candidate)

        return value_of

    def best_of(self, candidates: str, budget: float, thought: float = 0.0) -> str:
        prior = dict.fromkeys(candidates, 0.0)
        prior[candidates[0]] = thought
        best = SEARCH.best_of(prior, self.sample, budget, self.clock)
        assert isinstance(best, str)
        return best


def test_the_search_ends_with_its_budget() -> None:
    worlds = Worlds({"a": 1, "b": 2}.__getitem__)
    assert worlds.best_of("ab", 10) == "b"
    assert worlds.now == 10


def test_the_search_looks_at_one_world_whatever_it_takes() -> None:
    worlds = Worlds({"a": 1, "b": 2}.__getitem__)
    assert worlds.best_of("ab", 0.001) == "b"
    assert worlds.now == 1


def test_the_search_spends_no_time_on_a_single_candidate() -> None:
    worlds = Worlds(lambda _: 0)
    assert worlds.best_of("a", 10) == "a"
    assert worlds.now == 0


def test_the_search_gives_more_worlds_to_the_better_candidates() -> None:
    worlds = Worlds("abcdefgh".index)
    assert worlds.best_of("abcdefgh", 30) == "h"
    assert worlds.asked["h"] == 30
    assert worlds.asked["g"] == 30
    assert worlds.asked["f"] == 20
    assert worlds.asked["a"] == 10


def test_what_is_thought_beforehand_counts_as_some_worlds_do() -> None:
    few, many = SEARCH.PRIOR_WORLDS - 1, SEARCH.PRIOR_WORLDS + 1
    assert Worlds({"a": 0, "b": 1}.__getitem__).best_of("ab", few, thought=1.0) == "a"
    assert Worlds({"a": 0, "b": 1}.__getitem__).best_of("ab", many, thought=1.0) == "b"


@pytest.mark.parametrize(
    ("think_ms", "decision_ms", "time_us", "expected_ms"),
    [
        (40, 100, 10_100_000, 40),
        (40, 50, 10_050_000, 20),
        (500, 100, 10_100_000, 40),
        (5, 100, 10_100_000, 5),
        (40, 100, 100_000, 10),
        (40, 2000, 2_000_000, 40),
    ],
    ids=[
        "as asked",
        "0.4 of the free time",
        "asked for too much",
        "asked for little",
        "a tenth of what is left",
        "much time",
    ],
)
def test_it_thinks_no_longer_than_its_clock_allows(
    think_ms: float, decision_ms: int, time_us: int, expected_ms: float
) -> None:
    player = PLAYER.Player(BOT.cover, think_ms, BOT.FREE_PART, random.Random(1))
    player.start({"clock": {"decision_ms": decision_ms}})
    assert player.budget(time_us) == pytest.approx(expected_ms / 1000)


def test_a_match_of_decisions_never_takes_more_worlds_than_the_clock_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each look at the clock costs a millisecond here, and there is one look for each world."""
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return looks / 1000

    player_module = load("python-monte-carlo", "player")
    search = player_module.rounds.best_of
    monkeypatch.setattr(search, "__defaults__", (clock,))
    player = player_module.Player(BOT.cover, 2.5, BOT.FREE_PART, random.Random(1))

    def counted(view: View, legal: list[str]) -> str:
        nonlocal looks
        before = looks
        request = {"view": view, "legal": legal, "time_us": 10_100_000}
        chosen = player.decide(request)
        # One look at the start, then one for each of three worlds.
        assert looks - before <= 4
        assert isinstance(chosen, str)
        return chosen

    for game in ("nyet", "nope"):
        for _ in decisions(game, 2, 1, counted, GAMES[game].trials.sweep[0]):
            pass
    assert looks > 20


@pytest.mark.parametrize("game", games_of("python-monte-carlo"))
def test_it_never_plays_what_is_not_legal(game: str) -> None:
    for seats in GAMES[game].seats:
        for view, legal, chosen in decisions(
            game, seats, seats, choose, GAMES[game].trials.sweep[0]
        ):
            assert chosen in legal, view


@pytest.mark.slow
@pytest.mark.parametrize("game", games_of("python-monte-carlo"))
def test_it_never_plays_what_is_not_legal_in_many_matches(game: str) -> None:
    for seats in GAMES[game].seats:
        for seed in range(20):
            for view, legal, chosen in decisions(
                game, seats, seed, choose, GAMES[game].trials.sweep[0]
            ):
                assert chosen in legal, view


def test_it_copes_with_a_hand_of_half_the_deck() -> None:
    options = {"hand": [51, 51], "max_turns": 4}
    for view, legal, chosen in decisions("nope", 2, 1, choose, options):
        assert chosen in legal, view


def two_trumps(seed: int) -> Iterator[tuple[View, list[str]]]:
    """Where two trumps are all that is left, each of which takes the trick that lies there."""
    for view, legal, _ in decisions("nyet", 2, seed, lambda _, legal: legal[0], {"rounds": 1}):
        if (
            view["phase"] == "play"
            and len(view["hand"]) == len(legal) == 2
            and [card[0] for card in legal] == [view["trump"]] * 2
            and not any(card[1:] == "1" for card in legal)
            and len(view["tricks"][-1]) == 1
            and view["tricks"][-1][0][0] not in (view["trump"], view["supertrump"])
            and view["points"] > 0
        ):
            yield view, legal


def test_it_ruffs_with_the_lower_trump_and_keeps_the_higher() -> None:
    seen = 0
    for seed in range(400):
        for view, legal in two_trumps(seed):
            assert choose(view, legal, 0.002) == legal[0]
            seen += 1
    assert seen >= 3
