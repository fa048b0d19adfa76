"""What two bots did in the sets that they share, and the page about them."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.league.model.played import PlayedSet
from arena.outputs.pages.league.pairs import MetPairs, Pair, SharedSet, file_of_pair, in_order
from arena.outputs.pages.league.versus import told, versus_page
from arena.stats import mean_of
from tests.league.leagues import NASTY, Simulated, schedule, simulate
from tests.outputs.leagues import KeptPages, play
from tests.outputs.reading import Read, read

LEAGUE = Simulated(bots=("fox", "owl", "crow"), seats=3, sets=30)


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> list[PlayedSet]:
    with simulate(tmp_path_factory.mktemp("league"), LEAGUE) as store:
        return [*store.complete_sets()]


def met(sets: Sequence[PlayedSet]) -> MetPairs:
    pairs = MetPairs()
    for one in sets:
        pairs.enter(one)
    return pairs


def page_of(pairs: MetPairs, one: str, other: str) -> Read:
    names = in_order(one, other)
    return read(versus_page("Sunday league", names, pairs.of[names], bool).text("stamp"))


def test_the_means_are_those_over_sets(sets: list[PlayedSet]) -> None:
    shares, points = [], []
    for one in sets:
        share = by = 0.0
        for played in one.matches:
            fox, owl = (played.record.names.index(name) for name in ("fox", "owl"))
            places, scores = played.record.places, played.record.scores
            share += 0.5 + 0.5 * ((places[fox] < places[owl]) - (places[fox] > places[owl]))
            by += scores[fox] - scores[owl]
        shares.append(share / 3)
        points.append(by / 3)
    pair = met(sets).of["fox", "owl"]
    for found, expected in ((pair.ahead(), mean_of(shares)), (pair.points(), mean_of(points))):
        assert found is not None
        assert found.bar is not None
        assert found.value == pytest.approx(expected.value)
        assert found.bar == pytest.approx(expected.bar)
    assert statistics.fmean(points) != 0


@pytest.mark.parametrize("seed", range(3))
def test_in_whatever_order_sets_come_and_however_often_the_page_is_the_same(
    sets: list[PlayedSet], seed: int
) -> None:
    mixed = [*sets, *sets[:5]]
    random.Random(seed).shuffle(mixed)
    in_turn, other = met(sets), met(mixed)
    for names, pair in in_turn.of.items():
        page = versus_page("Sunday league", names, pair, bool)
        assert page == versus_page("Sunday league", names, other.of[names], bool)


def test_the_page_has_the_last_sets_the_best_and_the_worst(sets: list[PlayedSet]) -> None:
    page = page_of(met(sets), "owl", "fox")
    assert " ".join(page.text.split()).count("fox against owl") == 2
    rows = [row for row in page.rows if row[0].isdigit()]
    assert [int(row[0]) for row in rows[:20]] == list(range(30, 10, -1))
    points = [int(row[2].replace("\N{MINUS SIGN}", "-")) for row in rows]
    best, worst = points[20:23], points[23:26]
    assert best == sorted(best, reverse=True)
    assert worst == sorted(worst)
    assert min(best) >= max(points[:20][:1] + worst)
    for _, ahead, _ in rows:
        assert sum(map(float, ahead.split(":"))) == 3


@pytest.mark.parametrize(("shared", "tables"), [(6, 1), (7, 3)])
def test_the_best_and_the_worst_sets_are_told_as_soon_as_they_are_others(
    sets: list[PlayedSet], shared: int, tables: int
) -> None:
    page = page_of(met(sets[:shared]), "fox", "owl")
    assert len([row for row in page.rows if row[0] == "set"]) == tables


def test_a_set_is_tinted_by_how_far_it_is_from_even() -> None:
    halves = (0, 3, 4, 5, 8)
    told_of = [told(SharedSet(1, each, 4, 0), bool) for each in halves]
    assert [ahead for _, _, ahead, _, _ in told_of] == ["0:4", "1.5:2.5", "2:2", "2.5:1.5", "4:0"]
    assert [tint for *_, tint, _ in told_of] == ["d5", "d1", "", "u1", "u5"]


def test_without_sets_enough_there_is_no_bar_and_no_verdict(sets: list[PlayedSet]) -> None:
    text = " ".join(page_of(met(sets[:2]), "fox", "owl").text.split())
    assert "±?" in text
    assert "Too few sets to tell." in text


def test_a_set_that_was_cut_short_counts_for_places_and_not_for_points() -> None:
    pair = Pair()
    pair.enter(SharedSet(1, 8, 4, None))
    assert pair.points() is None
    assert pair.ahead().value == 1
    pair.enter(SharedSet(2, 0, 4, -8))
    points = pair.points()
    assert points is not None
    assert points.value == -2
    assert pair.ahead().value == 0.5
    assert [each.points for each in pair.last(9)] == [-8, None]
    assert [each.number for each in pair.extremes(3)[0]] == [2]


def test_a_page_is_small_even_if_two_bots_have_long_names(sets: list[PlayedSet]) -> None:
    names = ("f" * 32, "o" * 32)
    pair = met(sets).of["fox", "owl"]
    page = versus_page("Sunday league", names, pair, bool)
    assert len(page.text("0" * 29).encode()) < 5_000


def test_two_bots_have_one_file_in_a_folder_of_the_first() -> None:
    assert file_of_pair("owl", "fox") == file_of_pair("fox", "owl") == "fox/owl.html"
    assert file_of_pair(NASTY, "Fox").count("/") == 1
    names = [f"bot-{number}" for number in range(100)]
    files = {file_of_pair(one, other) for one in names for other in names if one != other}
    assert len(files) == 4950


def test_a_page_is_written_again_only_if_its_two_bots_met_again(tmp_path: Path) -> None:
    league = Simulated(bots=("fox", "owl", "crow", "hare"), seats=2, sets=40)
    planned = schedule(league)
    with simulate(tmp_path, league, 39) as store:
        pages = KeptPages(tmp_path / "pages")
        pages.write(store)
        folder = tmp_path / "pages" / "versus"
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.html")}
        assert len(before) == 6
        play(store, league, planned[39:])
        pages.write(store)
        changed = [path for path, at in before.items() if path.stat().st_mtime_ns != at]
    assert [str(path.relative_to(folder)) for path in changed] == [
        file_of_pair(*planned[39].line_up)
    ]
