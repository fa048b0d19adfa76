"""When the draw pile is empty (SPEC 12.7)."""

from __future__ import annotations

from arena.games.chance import shuffle
from arena.games.nope.cards import named
from tests.games.nope_positions import cards, demand_of, hand_of, legal, play, position

SEED = b"empty"


def reshuffled(names: str, counter: int = 0) -> list[str]:
    """The new draw pile, by the documented chance."""
    return named(shuffle(cards(names), SEED, "reshuffle", counter))


def test_the_top_card_stays_and_the_rest_is_shuffled_into_a_new_draw_pile() -> None:
    """[12.7-1]"""
    under = "B1 G1 G2 G3 Y1"
    state = position(["B2", "B3", "B1"], f"{under} R2", draw_pile="", seed=SEED)
    play(state, "draw")
    view = state.view(0)
    assert view["discard"] == ["R2"]
    assert view["draw_pile"] == 4
    assert sorted(view["hand"]) == sorted(["B2", reshuffled(under)[0]])
    assert named(state.draw_pile) == reshuffled(under)[1:]


def test_the_second_reshuffle_has_a_chance_of_its_own() -> None:
    state = position(["B2", "B3", "B1"], "B1 R2", draw_pile="", seed=SEED)
    play(state, "draw")
    assert state.reshuffles == 1
    state.discard = cards("G1 G2 G3 Y1 R2")
    play(state, "draw")
    assert named(state.draw_pile) == reshuffled("G1 G2 G3 Y1", 1)[1:]


def test_it_happens_only_when_a_card_must_be_drawn_not_when_the_last_one_leaves() -> None:
    """[N11]"""
    state = position(["B2", "B3", "B1"], "G1 G2 R2", draw_pile="B1", seed=SEED)
    play(state, "draw")
    assert state.view(None)["draw_pile"] == 0
    assert state.view(None)["discard"] == ["G1", "G2", "R2"]


def test_the_demand_in_force_stays_also_under_a_see_through() -> None:
    """[N4]: the card that set it is shuffled away, its demand is not."""
    state = position(["TR B1", "B2", "B3", "TG"], "G1 G3 RG3", draw_pile="", seed=SEED)
    play(state, "TR! draw")
    assert state.view(None)["discard"] == ["TR"]
    assert demand_of(state) == "3 RG"


def test_a_see_through_laid_on_the_card_that_stayed_looks_through_to_that_demand() -> None:
    """[N4]"""
    state = position(["TR B1", "B2", "TG B3", "B1"], "B1 RG3", draw_pile="", seed=SEED)
    play(state, "TR! draw")
    assert state.view(None)["discard"] == ["TR"]
    play(state, "TG!")
    assert demand_of(state) == "3 RG"


def test_the_choice_of_a_select_stays_when_the_select_is_shuffled_away() -> None:
    state = position(["SR B1", "TR B2", "B3", "B1"], "R1", draw_pile="", seed=SEED)
    play(state, "SR to1:2 TR! draw")
    assert state.view(None)["discard"] == ["TR"]
    assert demand_of(state) == "2 R"
    assert state.view(None)["choice"] == {"by": 0, "to": 1}


def test_a_draw_of_two_reshuffles_between_the_cards_if_need_be() -> None:
    state = position(["B2", "B3"], "B1 G1 R3", draw_pile="Y1", seed=SEED)
    play(state, "draw")
    assert sorted(hand_of(state, 0).split()) == sorted(["B2", "Y1", reshuffled("B1 G1")[0]])
    assert state.view(None)["draw_pile"] == 1


def test_if_there_is_still_none_the_player_draws_what_there_is() -> None:
    """[N5]: one card of two."""
    state = position(["B2", "B3"], "R3", draw_pile="Y1")
    play(state, "draw")
    assert hand_of(state, 0) == "B2 Y1"
    assert state.view(None)["recent"][0] == [[1, 3, "R", 1]]
    assert state.to_act() == (1,)


def test_with_nothing_at_all_to_draw_the_turn_goes_on_as_after_a_draw() -> None:
    """[N5]: no set, so Nope."""
    state = position(["B2 TR", "B3", "B1"], "R3", draw_pile="")
    assert legal(state) == "TR! draw"
    play(state, "draw")
    assert hand_of(state, 0) == "B2 TR"
    assert state.view(None)["recent"][0] == [[1, 3, "R", 0]]
    assert state.to_act() == (1,)


def test_a_match_in_which_nothing_can_be_drawn_ends_at_the_turn_limit() -> None:
    state = position(["B2", "B3", "B1"], "R3", draw_pile="", options={"max_turns": 40})
    play(state, "draw " * 40)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.places == (1, 1, 1)
    assert len(state.written) < 10
