"""The last sets, the upsets among them, and what has moved over them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.league.store.store import Store
from arena.league.table.live import standings_of
from arena.league.table.standings import Moment, State, Versus
from arena.outputs.pages.league.index import index_page
from arena.outputs.pages.league.movement import movement
from arena.outputs.pages.league.recent import SHOWN_SETS, EndedSet, Recent, upsets_of
from arena.outputs.pages.league.sparks import HEIGHT, MOST_POINTS, WIDTH, sparks
from tests.league.leagues import Simulated, simulate
from tests.outputs.reading import read
from tests.outputs.tables import FACTS, ROW, by_hand, rated


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with simulate(tmp_path_factory.mktemp("league"), Simulated(sets=12)) as store:
        yield store


def test_the_last_sets_are_listed_the_newest_first_in_whatever_order_they_came(
    store: Store,
) -> None:
    sets = [*store.complete_sets()]
    shuffled = [*sets, sets[3]]
    random.Random(1).shuffle(shuffled)
    recent = Recent()
    for one in shuffled:
        recent.enter(one)
    assert [one.number for one in recent.latest()] == list(range(12, 12 - SHOWN_SETS, -1))
    means = [mean for _, mean in recent.latest()[0].means]
    assert means == sorted(means)
    text = index_page(standings_of(store), 0.0, recent, bool).text("stamp")
    links = [f'href="sets/000/12.html#match={turn}"' in text for turn in range(1, 6)]
    assert links == [True] * 4 + [False]


def test_only_the_last_sets_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.outputs.pages.league.recent.KEPT_SETS", 5)
    recent = Recent()
    for one in store.complete_sets():
        recent.enter(one)
    assert [one.number for one in recent.sets] == [8, 9, 10, 11, 12]


TABLE = by_hand(
    rated(ROW, elo=1600.0),
    rated(ROW, bot="owl", rank=2, elo=1550.0),
    rated(ROW, bot="hen", rank=3, elo=1400.0),
    versus={
        ("fox", "hen"): Versus(0.8, 40, 0.999),
        ("owl", "hen"): Versus(0.7, 40, 0.98),
        ("fox", "owl"): Versus(0.5, 40, 0.7),
    },
)
ELO = {row.name: row.rating.elo for row in TABLE.rows}


def one_set(**places: tuple[int, ...]) -> EndedSet:
    return EndedSet("2026-01-31T12:00:00Z", 17, tuple(places.items()))


def test_who_finishes_ahead_of_clearly_better_bots_is_an_upset() -> None:
    (upset,) = upsets_of(one_set(hen=(1, 1), owl=(2, 3), fox=(3, 2)), TABLE, ELO)
    assert upset.name == "hen"
    assert upset.beaten == (("fox", 200.0), ("owl", 150.0))


def test_who_is_ahead_in_half_of_the_matches_only_is_no_upset() -> None:
    assert upsets_of(one_set(hen=(1, 3), fox=(2, 1), owl=(3, 2)), TABLE, ELO) == []


def test_who_is_not_clearly_rated_below_makes_no_upset() -> None:
    assert upsets_of(one_set(owl=(1, 1), fox=(2, 2), hen=(3, 3)), TABLE, ELO) == []


def test_the_greatest_upset_comes_first() -> None:
    recent = Recent()
    recent.sets = [
        one_set(hen=(1, 1), fox=(2, 2)),
        replace(one_set(hen=(1, 1), owl=(2, 2)), number=18),
        replace(one_set(hen=(1, 1), owl=(2, 2), fox=(3, 3)), number=19),
    ]
    assert [upset.set for upset in recent.upsets(TABLE)] == [19, 17, 18]
    text = " ".join(read(index_page(TABLE, 0.0, recent, bool).text("stamp")).text.split())
    assert "hen finished ahead of fox rated 200 above, owl rated 150 above." in text


HISTORY = (
    Moment(20, {"fox": (1500.0, 30.0), "owl": (1520.0, 30.0)}),
    Moment(38, {"fox": (1505.0, 30.0), "owl": (1500.0, 30.0)}),
    Moment(40, {"fox": (1512.4, 30.0), "owl": (1487.6, 30.0), "hen": (1400.0, None)}),
)


def test_ranks_and_ratings_are_compared_with_those_of_some_sets_ago() -> None:
    """Two bots at a table of four: each plays five sets in two or three."""
    table = by_hand(history=HISTORY, facts=replace(FACTS, seats=2))
    found = movement(table)
    assert found is not None
    assert found.sets == 20
    for name, ranks, elo in (("fox", 1, 12.4), ("owl", -1, -32.4)):
        assert found.shifts[name].ranks == ranks
        assert found.shifts[name].elo == pytest.approx(elo)
    page = read(index_page(table, 0.0, Recent(), bool).text("stamp"))
    assert page.row_of("fox")[0] == "1▲up 11–2"
    assert page.row_of("fox")[5] == "+12"
    assert page.row_of("owl")[5] == "\N{MINUS SIGN}32"


def test_a_bot_that_is_new_since_has_not_moved() -> None:
    table = by_hand(ROW, rated(ROW, bot="hen", rank=2), history=HISTORY)
    found = movement(table)
    assert found is not None
    assert "hen" not in found.shifts


def test_while_there_is_nothing_to_compare_with_nothing_has_moved() -> None:
    assert movement(by_hand()) is None
    assert movement(by_hand(history=HISTORY[2:])) is None


def test_a_sparkline_stays_within_its_drawing_and_has_few_points() -> None:
    rng = random.Random(1)
    history = [
        Moment(sets, {"fox": (rng.uniform(-300, 300), 10.0), "owl": (sets / 10, None)})
        for sets in range(1, 61)
    ]
    found = sparks(history, ["fox", "owl", "hen"])
    assert found.keys() == {"fox", "owl"}
    for line in found.values():
        points = [tuple(map(float, point.split(","))) for point in line.split()]
        assert len(points) == MOST_POINTS
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
        assert [x for x, _ in points] == sorted(x for x, _ in points)
    # It rises, on the scale of the other one.
    heights = [float(point.split(",")[1]) for point in found["owl"].split()]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] - heights[-1] < 1


def test_one_settled_rating_makes_no_sparkline() -> None:
    assert sparks([Moment(1, {"fox": (0.0, None)}), Moment(9, {"fox": (5.0, 9.0)})], ["fox"]) == {}
    assert sparks([], ["fox"]) == {}


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("running", "Being played now; the last match that counts ended"),
        ("stopped", "Stopped: nobody plays it at the moment, and it may go on; the last match"),
        ("finished", "Finished: all its sets are played; the last match"),
    ],
)
def test_what_has_become_of_a_league_is_said_in_words(state: State, told: str) -> None:
    facts = replace(FACTS, state=state)
    text = read(index_page(by_hand(facts=facts), 0.0, Recent(), bool).text("stamp")).text
    assert told in text
    assert "2026-01-31 13:00:00 UTC" in text
    assert ("its machine may be down" in text) == (state == "running")


def test_a_league_without_a_match_has_no_last_one() -> None:
    facts = replace(FACTS, first="", last="")
    text = read(index_page(by_hand(facts=facts), 0.0, Recent(), bool).text("stamp")).text
    assert "Being played now." in text
