"""Knockout: full tables from the first round to the final, ties ended early but rarely wrongly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.model.terms import LeagueTerms
from arena.league.plan.brackets.bracket import Bracket, bracket_of
from arena.league.plan.brackets.shape import shape
from arena.league.plan.brackets.tie import Tie, evidence
from arena.league.plan.format import Done, MatchResult, Past, Play, SetResult, Wait
from arena.league.plan.knockout import Knockout
from tests.league.plan.driven import Driven, alone


def knockout(bots: int, seats: int, most: int = 3, at_first: int = 1) -> Driven:
    terms = LeagueTerms("knockout", seats, None, most_sets_per_tie=most, sets_per_table=at_first)
    return Driven(Knockout(terms), terms, alone(bots))


def bracket(league: Driven) -> Bracket:
    league.ask()
    return bracket_of(league.past, league.results, league.terms)


def written(league: Driven) -> str:
    """Write a bracket: by tie the bots with seed and points, those that go on marked, and why."""
    lines = []
    for number, each in enumerate(bracket(league).rounds, 1):
        lines.append(f"round {number}; byes: {' '.join(each.byes) or 'none'}")
        for tie in each.ties:
            bots = ", ".join(
                f"{bot.name}({bot.seed}) {bot.points:g}{' *' if bot.goes_on else ''}"
                for bot in tie.bots
            )
            lines.append(f"  {bots}: {tie.why}")
    return "\n".join(lines)


def test_eight_bots_at_tables_of_two_worked_by_hand() -> None:
    """Seeds 1 to 8 are A to H. At most three sets a tie: two wins cannot be caught up with.

    F beats C in both of their sets (3 and 7) and takes over its place, so it meets B. In all other
    sets the better seed wins.
    """
    league = knockout(8, 2)
    league.rank = lambda table, number: sorted(table, reverse=number in (3, 7))
    assert league.play() == Done("the final is decided: A has won")
    caught = "nobody can catch up any more"
    assert (
        written(league)
        == f"""\
round 1; byes: none
  A(1) 2 *, H(8) 0: {caught}
  B(2) 2 *, G(7) 0: {caught}
  F(6) 2 *, C(3) 0: {caught}
  D(4) 2 *, E(5) 0: {caught}
round 2; byes: none
  A(1) 2 *, D(4) 0: {caught}
  B(2) 2 *, F(6) 0: {caught}
round 3; byes: none
  A(1) 2 *, B(2) 0: {caught}"""
    )
    assert [sorted(one.line_up) for one in league.past.sets[:6]] == [
        ["A", "H"],
        ["B", "G"],
        ["C", "F"],
        ["D", "E"],
        ["A", "H"],
        ["B", "G"],
    ]


def test_twelve_bots_at_tables_of_four_worked_by_hand() -> None:
    """The round before the final has 8 places: 4 of 12 must go, so two tables play, and the four
    best seeds do not. One set a tie: 1, 2/3, 1/3 and 0 points; two go on, in the final one."""
    league = knockout(12, 4, most=1)
    league.rank = lambda table, number: sorted(table, reverse=number == 1)
    assert league.play() == Done("the final is decided: A has won")
    all_played = "all 1 sets are played, by points"
    assert (
        written(league)
        == f"""\
round 1; byes: A B C D
  L(12) 1 *, I(9) 0.666667 *, H(8) 0.333333, E(5) 0: {all_played}
  F(6) 1 *, G(7) 0.666667 *, J(10) 0.333333, K(11) 0: {all_played}
round 2; byes: none
  A(1) 1 *, D(4) 0.666667 *, I(9) 0.333333, L(12) 0: {all_played}
  B(2) 1 *, C(3) 0.666667 *, F(6) 0.333333, G(7) 0: {all_played}
round 3; byes: none
  A(1) 1 *, B(2) 0.666667, C(3) 0.333333, D(4) 0: {all_played}"""
    )


def test_sixteen_at_tables_of_four_are_seeded_1_8_9_16_and_so_on() -> None:
    rounds = [[tie.places for tie in each.ties] for each in shape(16, 4)]
    assert rounds == [
        [(1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13)],
        [(1, 4, 5, 8), (2, 3, 6, 7)],
        [(1, 2, 3, 4)],
    ]


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_table_of_every_bracket_is_full_and_every_place_is_filled_once(seats: int) -> None:
    for bots in range(seats, 101):
        rounds = shape(bots, seats)
        assert rounds[0].bots == bots
        assert [len(rounds[-1].ties), rounds[-1].bots] == [1, seats]
        assert not any(each.byes for each in rounds[1:])
        for each, following in pairwise(rounds):
            byes = list(range(1, each.byes + 1))
            playing = [place for tie in each.ties for place in tie.places]
            assert sorted(byes + playing) == list(range(1, each.bots + 1))
            through = [place for tie in each.ties for place in tie.next_places]
            assert sorted(byes + through) == list(range(1, following.bots + 1))
            assert all(len(tie.places) == seats for tie in each.ties)
            sizes = [len(tie.next_places) for tie in each.ties]
            assert sizes == sorted(sizes, reverse=True)
            assert max(sizes) - min(sizes) <= 1
            assert 0 < max(sizes) < seats


@given(
    st.integers(2, 6),
    st.integers(0, 25),
    st.integers(1, 4),
    st.integers(1, 3),
    st.data(),
)
@settings(deadline=None, max_examples=40)
def test_brackets_end_with_a_champion_whoever_is_away_or_leaves(
    seats: int, more: int, most: int, at_first: int, data: st.DataObject
) -> None:
    league = knockout(seats + more, seats, most, at_first)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    league.rank = lambda table, number: list(rng.permutation(sorted(table)).tolist())
    for _ in range(200):
        names = [name for name, _ in league.bots]
        answer = league.plan()
        if isinstance(answer, Done):
            break
        if isinstance(answer, Wait):
            assert league.away
            league.away = set()
            continue
        for table in set(answer.tables):
            assert len(set(table)) == seats
            assert not set(table) & league.away
        waves = Counter(answer.tables)
        assert max(waves.values()) <= min(at_first, most)
        sat = Counter(name for table in waves for name in table)
        assert set(sat.values()) == {1}
        if len(names) > 1 and data.draw(st.integers(0, 3), "leaves") == 0:
            league.leave(data.draw(st.sampled_from(names)))
        league.finish_sets()
        names = [name for name, _ in league.bots]
        league.away = set(data.draw(st.lists(st.sampled_from(names), max_size=2)))
    assert league.is_done()
    assert bracket(league).champion in dict(league.bots)
    played = [tie.played for each in bracket(league).rounds for tie in each.ties]
    assert max(played) <= most
    assert league.format.sets_in_all(league.past, league.results) == len(league.past.counting())


def test_the_next_wave_waits_for_all_sets_of_this_one() -> None:
    league = knockout(4, 2)
    league.plan()
    league.finish_sets()
    del league.results[2]
    assert league.ask() == Wait("round 1 of 2 is being played")


def test_a_tie_waits_for_who_is_away_and_the_others_play_on() -> None:
    league = knockout(4, 2)
    league.away = {"D"}
    assert league.plan() == Play((("B", "C"),))
    league.finish_sets()
    league.play()
    assert league.ask() == Wait("round 1 waits for bots that are away: D")
    league.away = set()
    assert league.play() == Done("the final is decided: A has won")


def test_the_place_of_a_bot_that_leaves_before_the_next_round_goes_to_the_next_of_its_tie() -> None:
    league = knockout(4, 2, most=1)
    league.plan()
    league.finish_sets()
    league.leave("A")
    assert league.plan() == Play((("B", "D"),))
    league.leave("D")
    assert league.ask() == Done("the final is decided: B has won")
    assert bracket(league).rounds[1].ties[0].why == "too few bots are left for a table"


def test_who_leaves_after_the_next_round_was_drawn_is_not_replaced() -> None:
    league = knockout(4, 2, most=1)
    league.plan()
    league.finish_sets()
    league.plan()
    league.leave("A")
    assert league.ask() == Done("the final is decided: B has won")


def test_newcomers_do_not_enter_a_bracket_that_is_drawn() -> None:
    league = knockout(4, 2, most=1)
    league.plan()
    league.bots.append(("0 better than all", "newcomer"))
    league.finish_sets()
    assert league.play() == Done("the final is decided: A has won")


def test_a_set_that_was_withdrawn_is_played_in_a_later_wave() -> None:
    league = knockout(2, 2, most=1)
    league.plan()
    league.left_out = {1}
    assert league.plan() == Play((("A", "B"),))


def test_owners_with_several_bots_are_refused_unless_they_may_meet() -> None:
    bots = [("A", "anna"), ("B", "ben"), ("C", "anna")]
    terms = LeagueTerms("knockout", 2, None)
    assert Knockout(terms).why_not(bots) == (
        "a knockout cannot keep the bots of one owner apart up to the final, and anna has several;"
        " enter one bot of each owner, or set owners_may_meet = true"
    )
    assert Knockout(replace(terms, owners_may_meet=True)).why_not(bots) is None
    league = Driven(Knockout(terms), terms, bots)
    assert isinstance(league.ask(), Done)
    assert league.format.sets_in_all(Past(bots), {}) == 0


def test_nobody_knows_the_number_of_sets_before_the_end() -> None:
    league = knockout(4, 2)
    assert league.format.sets_in_all(Past(league.bots), {}) is None


def test_its_course_names_the_winner_when_the_final_is_decided() -> None:
    def winners(league: Driven) -> list[list[str]]:
        return [[*each.winners] for each in league.format.course(league.past, league.results)]

    league = knockout(4, 2, most=1)
    for _ in range(2):
        league.plan()
        assert winners(league) == [[], []]
        league.finish_sets()
    assert winners(league) == [[], ["A"]]


def sets(*places: tuple[int, ...]) -> tuple[SetResult, ...]:
    """Sets of one match of A, B and so on, with these places."""
    return tuple(
        SetResult(number, (MatchResult(tuple("ABCDEF"[: len(each)]), each, ()),))
        for number, each in enumerate(places, 1)
    )


def tie(results: tuple[SetResult, ...], seats: int = 2, most: int = 16) -> Tie:
    names = "ABCDEF"[:seats]
    seeds = {name: seed for seed, name in enumerate(names, 1)}
    return Tie(seeds, names, results, seats, max(1, seats // 2), most)


def test_a_tie_of_two_that_one_wins_again_and_again_is_decided_after_six_sets() -> None:
    assert tie(sets(*[(1, 2)] * 5)).decided is None
    assert tie(sets(*[(1, 2)] * 6)).decided == "better with 95% confidence"


def test_a_lead_as_large_as_the_sets_left_can_still_be_caught_up_with() -> None:
    assert tie(sets((1, 2)), most=2).decided is None
    assert tie(sets((1, 2), (1, 2)), most=3).decided == "nobody can catch up any more"


def test_level_ties_go_by_sets_won_then_by_the_better_seed() -> None:
    level = tie(sets((1, 1), (1, 1)), most=2)
    assert level.decided == "all 2 sets are played, by the better seed"
    assert [bot.name for bot in level.order] == ["A", "B"]
    # C and D: 1 and 0, A and B: 1/2 and 1/2.
    four = tie(sets((2, 2, 1, 4), (2, 2, 4, 1)), seats=4, most=2)
    assert [(bot.name, bot.points, bot.sets_won) for bot in four.order] == [
        ("C", 1.0, 1),
        ("D", 1.0, 1),
        ("A", 1.0, 0),
        ("B", 1.0, 0),
    ]
    assert four.decided == "all 2 sets are played, by sets won"


def test_evidence_is_the_capital_of_the_mean_gambler() -> None:
    """Stakes of 1/4, 1/2, 3/4 and 1 of the capital."""
    assert evidence([]) == 1
    assert evidence([1]) == pytest.approx((1.25 + 1.5 + 1.75 + 2) / 4)
    assert evidence([1, -1]) == pytest.approx((15 / 16 + 3 / 4 + 7 / 16 + 0) / 4)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_test_ends_a_tie_for_a_bot_that_is_no_better_in_at_most_one_of_twenty(
    seats: int,
) -> None:
    """Bots of equal strength, where it errs most often; looked at after every set of 16. An error:
    others go on than A, and A and B, by the test."""
    rng = np.random.default_rng(seats)
    ties, wrong = 200, 0
    for _ in range(ties):
        results: tuple[SetResult, ...] = ()
        while (state := tie(results, seats)).decided is None:
            places = tuple((1 + rng.permutation(seats)).tolist())
            results = sets(*[one.matches[0].places for one in results], places)
        through = {bot.name for bot in state.order[: seats // 2]}
        wrong += "confidence" in state.decided and through != set("AB"[: seats // 2])
    assert wrong <= 0.05 * ties


def test_the_test_does_find_a_bot_that_is_much_better() -> None:
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(50):
        results = sets(*[(1, 2) if rng.random() < 0.95 else (2, 1) for _ in range(9)])
        found += tie(results).decided is not None
    assert found >= 25
