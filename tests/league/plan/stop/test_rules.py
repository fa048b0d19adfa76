"""[stop]: when each rule holds, what it says, and which results count."""

from __future__ import annotations

import random
from collections.abc import Sequence, Set
from itertools import combinations, takewhile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.compare.stop import Bounds, StopTest, Trial, Verdict
from arena.league.model.anchor import Anchor
from arena.league.model.sets import PlannedSet
from arena.league.model.stopping import Stopping
from arena.league.plan.format import MatchResult, Past, Results, SetResult
from arena.league.plan.stop.looks import are_narrow, are_separated, looks, rated
from arena.league.plan.stop.rules import StopRules, why_stop
from arena.league.table.ratings.pairs import pairs_of
from arena.league.table.ratings.results import tables_of
from tests.league.table.ratings.leagues import KINDS, Kind, league

NOON = 1_700_000_000


def played(number: int, *matches: Sequence[str]) -> SetResult:
    """A set by the finishing orders of its matches, the best first."""
    return SetResult(
        number,
        tuple(
            MatchResult(tuple(order), tuple(range(1, len(order) + 1)), (0,) * len(order))
            for order in matches
        ),
    )


class LeagueOfSets:
    """Sets of two bots each, in the order of the schedule; the bot earlier in the alphabet wins.

    In every so many sets of a pair (`upsets`) the other wins one of the two matches; 0: never.
    """

    def __init__(self, bots: str, sets: int, upsets: int = 4):
        self.bots = [(name, name) for name in bots]
        pairs = [*combinations(bots, 2)]
        self.line_ups = [pairs[number % len(pairs)] for number in range(sets)]

        def is_upset(number: int) -> bool:
            return bool(upsets) and (number - 1) // len(pairs) % upsets == 0

        self.results: Results = {
            number: played(
                number,
                [better, worse],
                [worse, better] if is_upset(number) else [better, worse],
            )
            for number, (better, worse) in enumerate(self.line_ups, 1)
        }

    def past(self, left_out: Set[int] = frozenset(), bots: Sequence[str] = ()) -> Past:
        sets = [PlannedSet(number, line) for number, line in enumerate(self.line_ups, 1)]
        kept = [(name, owner) for name, owner in self.bots if not bots or name in bots]
        return Past(kept, sets, left_out)

    def first(self, sets: int) -> Results:
        return {number: self.results[number] for number in range(1, sets + 1)}

    def why(self, stopping: Stopping, sets: int | None = None) -> str | None:
        return asked(stopping, self.past(), self.results if sets is None else self.first(sets))


def asked(stopping: Stopping, past: Past, results: Results, hours: float = 1.0) -> str | None:
    return why_stop(stopping, past, results, began=NOON, now=NOON + round(3600 * hours))


def swap(result: SetResult) -> SetResult:
    """The set, each match lost by the bot that won it."""
    return played(result.number, *(match.bots[::-1] for match in result.matches))


THREE = LeagueOfSets("abc", 400)
SEPARATED = Stopping(separated=True)


def test_a_league_without_rules_is_not_ended() -> None:
    assert THREE.why(Stopping()) is None


def test_a_number_of_sets_ends_a_league_when_so_many_count() -> None:
    assert THREE.why(Stopping(sets=24), 23) is None
    assert THREE.why(Stopping(sets=24), 24) == "24 sets counted"
    assert THREE.why(Stopping(sets=24), 60) == "24 sets counted"
    assert THREE.why(Stopping(sets=1), 1) == "1 set counted"


def test_hours_are_counted_from_the_first_match_to_now() -> None:
    rule = Stopping(hours=1.5)
    assert why_stop(rule, THREE.past(), {}, began=NOON, now=NOON + 5399) is None
    assert why_stop(rule, THREE.past(), {}, began=NOON, now=NOON + 5400) == (
        "1.5 hours went by since the first match began"
    )
    assert why_stop(rule, THREE.past(), {}, began=None, now=NOON) is None


def test_neighbours_that_are_separated_end_a_league_at_the_look_that_finds_it() -> None:
    """A bot needs 30 sets that are not level. It plays in two sets of three, a quarter of them
    level, so that is after 60 sets, and there is a look."""
    assert THREE.why(SEPARATED, 59) is None
    assert THREE.why(SEPARATED, 60) == "every two neighbours are separated after 60 sets"
    assert THREE.why(SEPARATED, 400) == "every two neighbours are separated after 60 sets"


def test_bots_that_win_as_often_as_they_lose_are_never_separated() -> None:
    even = LeagueOfSets("abc", 400, upsets=1)
    assert even.why(SEPARATED) is None


def test_one_pair_that_is_level_keeps_a_league_going() -> None:
    """The best is ahead of both others, who share everything."""
    level = {
        number: played(number, "bc", "cb") if line_up == ("b", "c") else THREE.results[number]
        for number, line_up in enumerate(THREE.line_ups, 1)
    }
    even_against_the_best = {
        number: played(number, ("a", line_up[1]), ("a", line_up[1])[:: -1 if number % 4 else 1])
        if line_up[0] == "a"
        else level[number]
        for number, line_up in enumerate(THREE.line_ups, 1)
    }
    assert asked(SEPARATED, THREE.past(), even_against_the_best) is None
    assert asked(SEPARATED, THREE.past(bots="ab"), even_against_the_best) is not None


def test_a_bot_that_won_everything_keeps_a_league_going() -> None:
    perfect = LeagueOfSets("abc", 400, upsets=0)
    assert perfect.why(SEPARATED) is None
    assert perfect.why(Stopping(bars_below=1000)) is None


def test_narrow_bars_end_a_league() -> None:
    assert THREE.why(Stopping(bars_below=10)) is None
    words = THREE.why(Stopping(bars_below=45))
    assert words is not None
    assert words.startswith("every bar is below ±45 Elo after ")
    sets = int(words.split()[-2])
    assert 60 < sets <= 400
    assert THREE.why(Stopping(bars_below=45), sets - 1) is None
    assert THREE.why(Stopping(bars_below=45), sets) == words


def test_bars_are_those_of_the_table_with_its_anchor() -> None:
    """Around a pinned bot the others' bars are wider than around the mean."""

    def sets_with(anchor: Anchor) -> int:
        words = why_stop(
            Stopping(bars_below=80), THREE.past(), THREE.results, began=None, now=0, anchor=anchor
        )
        assert words is not None
        return int(words.split()[-2])

    assert sets_with(Anchor({"a": 1.0})) > sets_with(Anchor())
    # One that takes no part pins nothing.
    assert sets_with(Anchor({"gone": 1.0})) == sets_with(Anchor())


TWO = LeagueOfSets("ab", 400)


def test_the_stop_test_of_two_bots_ends_a_league_where_that_of_arena_match_does() -> None:
    trial = Trial(StopTest(Bounds(0, 20)), 1, 1)
    while trial.verdict is Verdict.NOT_YET:
        trial.add(TWO.results[trial.sets + 1].points["a"])
    assert TWO.why(Stopping(test=(0, 20)), trial.sets - 1) is None
    assert TWO.why(Stopping(test=(0, 20))) == (
        f"a is 20 Elo above b, or more, rather than 0: the stop test, after {trial.sets} sets"
    )


def test_the_stop_test_is_about_the_bot_that_entered_first() -> None:
    lost = {number: swap(result) for number, result in TWO.results.items()}
    words = asked(Stopping(test=(0, 20)), TWO.past(), lost)
    assert words is not None
    assert words.startswith("a is 0 Elo above b, or less, rather than 20: the stop test, after ")


def test_the_stop_test_says_nothing_about_more_than_two_bots() -> None:
    assert THREE.why(Stopping(test=(0, 20))) is None
    together = {number: played(number, "abc", "abc", "acb") for number in range(1, 101)}
    past = Past(THREE.bots, [PlannedSet(number, tuple("abc")) for number in together])
    assert asked(Stopping(test=(0, 20)), past, together) is None


def test_the_stop_test_counts_only_sets_of_its_two_bots() -> None:
    """A third bot that has left took part in two sets of three."""
    words = asked(Stopping(test=(0, 20)), THREE.past(bots="ab"), THREE.results)
    assert words is not None
    assert words.removesuffix(" sets").split()[-1] == str(
        next(n for n in range(1, 400) if _trial_ends(THREE, ("a", "b"), n))
    )


def _trial_ends(league: LeagueOfSets, bots: tuple[str, str], sets: int) -> bool:
    trial = Trial(StopTest(Bounds(0, 20)), 1, 1)
    mine = [each for each in league.results.values() if {*each.points} == {*bots}]
    for each in mine[:sets]:
        trial.add(each.points[bots[0]])
    return trial.verdict is not Verdict.NOT_YET


ALL_RULES = {
    "separated": SEPARATED,
    "bars": Stopping(bars_below=60),
    "sets": Stopping(sets=31),
    "test": Stopping(test=(0, 20)),
}
by_rule = pytest.mark.parametrize("rule", ALL_RULES.values(), ids=ALL_RULES)


def test_of_several_rules_the_first_that_holds_ends_the_league() -> None:
    for sets, words in ((59, "59 sets"), (61, "every two neighbours")):
        found = THREE.why(Stopping(separated=True, sets=sets))
        assert found is not None
        assert found.startswith(words)
    assert asked(Stopping(sets=400, hours=1), THREE.past(), THREE.first(399)) is not None


def test_at_the_same_set_the_finding_is_told_before_the_number() -> None:
    found = THREE.why(Stopping(separated=True, sets=60))
    assert found == "every two neighbours are separated after 60 sets"


@by_rule
def test_sets_behind_one_that_is_not_complete_do_not_count(rule: Stopping) -> None:
    gap = {number: result for number, result in TWO.results.items() if number != 5}
    assert asked(rule, TWO.past(), TWO.results) is not None
    assert asked(rule, TWO.past(), gap) is None


@by_rule
def test_a_set_that_is_left_out_is_no_gap(rule: Stopping) -> None:
    gap = {number: result for number, result in TWO.results.items() if number != 5}
    assert asked(rule, TWO.past(left_out={5}), gap) is not None


def test_a_set_that_is_left_out_does_not_count_even_if_it_is_complete() -> None:
    assert asked(Stopping(sets=400), TWO.past(left_out={5}), TWO.results) is None


def test_a_bot_without_enough_sets_keeps_a_league_going() -> None:
    newcomer = Past([*THREE.bots, ("d", "d")], THREE.past().sets)
    assert asked(SEPARATED, newcomer, THREE.results) is None
    assert asked(Stopping(bars_below=1000), newcomer, THREE.results) is None


def test_bots_that_met_only_those_that_left_are_not_compared() -> None:
    line_ups = [("a", "x"), ("b", "x")] * 50
    results = {n: played(n, line[:: 1 if n // 2 % 2 else -1]) for n, line in enumerate(line_ups, 1)}
    sets = [PlannedSet(number, line) for number, line in enumerate(line_ups, 1)]
    together = [(name, name) for name in "abx"]
    wide = Stopping(bars_below=1000)
    assert asked(wide, Past(together, sets), results) is not None
    assert asked(wide, Past(together[:2], sets), results) is None


def test_a_league_goes_on_when_a_bot_enters_after_its_end_and_ends_again_when_it_leaves() -> None:
    rules = StopRules(SEPARATED)
    before = THREE.past()
    after = Past([*before.bots, ("d", "d")], before.sets)
    found = [rules.why(past, THREE.results, began=None, now=0) for past in (before, after, before)]
    assert found[0] == found[2] == "every two neighbours are separated after 60 sets"
    assert found[1] is None


def test_only_the_looks_are_judged() -> None:
    """Results that change after the look at 48 sets are found at a later look, not before."""
    even = LeagueOfSets("abc", 400, upsets=1)
    turned = {**even.first(48), **{n: THREE.results[n] for n in range(49, 401)}}
    found = asked(SEPARATED, even.past(), turned)
    assert found is not None
    sets = int(found.split()[-2])
    assert sets in (60, 75, 94, 118, 148, 185, 232, 290, 363)
    until = {number: turned[number] for number in range(1, sets)}
    assert asked(SEPARATED, even.past(), until) is None


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), rule=st.sampled_from([*ALL_RULES.values()]))
def test_the_order_in_which_results_arrive_changes_nothing(seed: int, rule: Stopping) -> None:
    """Nor how often the rules were asked: one that was asked after each result says the same as one
    that sees all at once."""
    made = LeagueOfSets("ab", 80)
    lots = random.Random(seed)
    arrivals = sorted(made.results, key=lambda number: number + lots.uniform(0, 30))
    rules, here = StopRules(rule), dict[int, SetResult]()
    for number in arrivals:
        here[number] = made.results[number]
        if lots.random() < 0.1:
            told = rules.why(made.past(), here, began=None, now=0)
            assert told == why_stop(rule, made.past(), here, began=None, now=0)
    told = rules.why(made.past(), here, began=None, now=0)
    assert told == made.why(rule)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), rule=st.sampled_from([*ALL_RULES.values()]))
def test_bots_and_sets_that_come_and_go_change_no_answer_but_by_what_is_true_now(
    seed: int, rule: Stopping
) -> None:
    """Rules asked all along, with bots that leave and enter and sets left out that have not begun,
    say the same as rules that see only the present."""
    made = LeagueOfSets("abcd", 150)
    lots = random.Random(seed)
    left_out = {number for number in made.results if lots.random() < 0.1}
    rules = StopRules(rule)
    for sets in range(0, 151, 10):
        past = made.past(left_out, lots.sample("abcd", lots.randint(2, 4)))
        here = made.first(sets)
        told = rules.why(past, here, began=None, now=0)
        assert told == why_stop(rule, past, here, began=None, now=0)


def test_larger_tables_are_judged_too() -> None:
    """Four bots at one table: in every second set one match of four ends the other way round. The
    middle ones are ahead or behind in each."""
    results = {
        number: played(number, "abcd", "abcd", "abcd", "dcba" if number % 2 else "abcd")
        for number in range(1, 31)
    }
    past = Past(
        [(name, name) for name in "abcd"], [PlannedSet(number, tuple("abcd")) for number in results]
    )
    assert asked(SEPARATED, past, results) == "every two neighbours are separated after 30 sets"
    del results[1]
    assert asked(SEPARATED, past, results) is None


NARROW = "every bar is below ±45 Elo"
APART = "every two neighbours are separated"


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_league_ends_at_the_first_look_whose_whole_table_says_so(kind: Kind) -> None:
    """Sets are read bit by bit; here all are read at once, at each look."""
    matches = league(kind, seed=1)
    names = [f"bot {number}" for number in range(8)]
    results = {
        number: SetResult(
            number,
            tuple(
                MatchResult(tuple(names[bot] for bot in each.bots), each.places, ())
                for each in matches
                if each.set == number - 1
            ),
        )
        for number in range(1, 251)
    }
    sets = [PlannedSet(number, each.matches[0].bots) for number, each in results.items()]
    past = Past([(name, name) for name in names], sets)
    ends = dict[str, int]()
    for look, chance in takewhile(lambda each: each[0] <= 250, looks()):
        tables = tables_of(8, [each for each in matches if each.set < look])
        group = rated(pairs_of(8, tables), lambda bots: np.zeros(len(bots)))
        if group is None:
            continue
        if are_narrow(group, 45):
            ends.setdefault(NARROW, look)
        if are_separated(group, chance):
            ends.setdefault(APART, look)
    for said, rule in ((NARROW, Stopping(bars_below=45)), (APART, SEPARATED)):
        words = StopRules(rule).why(past, results, began=None, now=0)
        assert words == (f"{said} after {ends[said]} sets" if said in ends else None)
    assert NARROW in ends
