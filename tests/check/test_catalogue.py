"""The table of steps."""

from __future__ import annotations

import re

from arena import data
from arena.check.catalogue import STEPS
from arena.games import GAMES

GAMES_ALL = tuple(GAMES)


def test_steps_are_numbered_from_one_without_a_gap() -> None:
    assert [step.number for step in STEPS] == [*range(1, len(STEPS) + 1)]


def test_no_two_steps_are_called_the_same() -> None:
    assert len({step.title for step in STEPS}) == len(STEPS)


def test_every_step_names_a_section_that_spec_has() -> None:
    text = data.spec().read_text()
    sections = set(re.findall(r"^#+ (\d+(?:\.\d+)*) ", text, re.MULTILINE))
    assert {step.section for step in STEPS} <= sections


def test_what_a_bot_does_not_play_or_use_is_left_out() -> None:
    kept = [step for step in STEPS if step.applies_to(("nope",), ("unix",))]
    assert {step.game for step in kept} == {None, "nope"}
    assert not any("TCP" in step.title for step in kept)
    assert not any(step.several for step in kept)
    assert [*STEPS] == [step for step in STEPS if step.applies_to(GAMES_ALL, ("unix", "tcp"))]


def test_going_from_game_to_game_is_for_bots_of_several_games_alone() -> None:
    title = "from one game to the next, and back"
    for games, is_there in ((("nope",), False), (("nope", "nyet"), True)):
        titles = [step.title for step in STEPS if step.applies_to(games, ("unix",))]
        assert (title in titles) == is_there


def test_each_game_and_each_kind_of_address_has_its_steps() -> None:
    by_game = [(step.game, step.title.partition(": ")[2]) for step in STEPS if step.game]
    assert by_game == [
        (game, title)
        for game in GAMES
        for title in (
            "a match at every size of table",
            "every kind of decision",
            "the longest lists and the largest views",
            "other options than the defaults",
        )
    ]
    assert [step.kind for step in STEPS if step.kind] == ["unix", "tcp", "tcp"]
