"""What faults cost: counted by kind, answered from the seed, and who is where afterwards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.chance import draw
from arena.record.penalties import PENALTIES, places_with_forfeits
from arena.record.substitute import Substitute
from arena.referee.fault_count import FaultCount
from protocol.breach import Breach
from protocol.codes import CODES, KINDS


def breach(code: str) -> Breach:
    return Breach(code, "something", "something else")


def test_every_kind_has_its_penalty() -> None:
    assert {*PENALTIES} == {*KINDS}


def test_the_third_fault_forfeits() -> None:
    ledger = FaultCount(3)
    for code, forfeited in (("malformed", False), ("not-legal", False), ("nothing-asked", True)):
        ledger.enter(breach(code))
        assert ledger.is_forfeited == forfeited
    assert ledger.count == 3
    assert ledger.codes == ["malformed", "not-legal", "nothing-asked"]


@pytest.mark.parametrize("code", [code for code, known in CODES.items() if known.kind == "gone"])
def test_gone_forfeits_at_once(code: str) -> None:
    ledger = FaultCount(3)
    ledger.enter(breach(code))
    assert ledger.is_forfeited


def test_a_further_miss_of_the_same_late_is_not_counted() -> None:
    ledger = FaultCount(2)
    ledger.enter(breach("out-of-time"))
    for _ in range(10):
        ledger.enter(breach("out-of-time"), again=True)
    assert (ledger.count, ledger.codes) == (1, ["out-of-time"])
    assert not ledger.is_forfeited


def test_what_is_played_for_a_bot_is_fixed_by_the_seed_and_goes_on_in_it() -> None:
    legal = [f"R{number}" for number in range(100)]
    first, second = Substitute(b"seed"), Substitute(b"seed")
    picks = [first.pick(legal) for _ in range(20)]
    assert picks == [second.pick(legal) for _ in range(20)]
    assert picks == [legal[draw(100, b"seed", "penalty", number)] for number in range(20)]
    assert len({*picks}) > 10
    assert picks != [Substitute(b"another").pick(legal) for _ in range(20)]
    assert {Substitute(b"seed").pick(["only"]) for _ in range(3)} == {"only"}


@pytest.mark.parametrize(
    ("places", "forfeits", "expected"),
    [
        ((1, 2, 3), (), (1, 2, 3)),
        ((1, 2, 3), (0,), (3, 1, 2)),
        ((1, 2, 3), (2,), (1, 2, 3)),
        ((1, 2, 3), (0, 1), (2, 2, 1)),
        ((1, 1, 3, 4), (0,), (4, 1, 2, 3)),
        ((1, 2, 2, 4), (3,), (1, 2, 2, 4)),
        ((1, 2, 2, 4), (0, 3), (3, 1, 1, 3)),
        ((1, 1), (1,), (1, 2)),
        ((1, 1, 1), (1,), (1, 3, 1)),
    ],
)
def test_who_forfeits_shares_the_last_place_and_the_others_keep_their_order(
    places: tuple[int, ...], forfeits: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert places_with_forfeits(places, forfeits) == expected


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6), st.data())
def test_pairs_between_the_others_count_as_the_match_was_played_out(
    ranks: list[int], data: st.DataObject
) -> None:
    played_out = [1 + sum(other < rank for other in ranks) for rank in ranks]
    seats = range(len(ranks))
    forfeits = data.draw(st.lists(st.sampled_from(seats), unique=True, max_size=len(ranks) - 1))
    places = places_with_forfeits(played_out, forfeits)
    others = [seat for seat in seats if seat not in forfeits]
    for one in others:
        assert all(places[one] < places[seat] for seat in forfeits)
        for other in others:
            assert (places[one] < places[other]) == (played_out[one] < played_out[other])
    assert len({places[seat] for seat in forfeits}) <= 1
    assert min(places) == 1
