"""The reference of docs/library.md is that of the code."""

from __future__ import annotations

from arena.games.interface import Game, State
from tests.games.library_reference import CLASSES, DOCUMENT, reference, with_reference

# What only programs need that know no rule set by name: pages, checks, tests.
LEFT_OUT = {"kinds", "trials", "drawing", "kind_of", "narrate", "cards", "redeal"}


def test_the_reference_of_the_document_is_that_of_the_code() -> None:
    """`python -m tests.games.library_reference` writes it."""
    text = DOCUMENT.read_text()
    assert with_reference(text) == text


def test_every_method_of_games_and_states_is_in_it_or_left_out_on_purpose() -> None:
    for owner in (Game, State):
        public = {name for name in vars(owner) if not name.startswith("_")}
        assert public - LEFT_OUT == {*CLASSES[owner][1].split()}


def test_signatures_are_told_with_defaults_and_what_comes_back() -> None:
    lines = reference().splitlines()
    assert (
        "- `playout(state: State, rng: random.Random, until: Until = 'match') -> None`: Random"
        " legal play, in place, to the end of the round or of the match."
    ) in lines
    assert any(
        line.startswith("- `deal(seats: int, seed: bytes, options: Options = {})") for line in lines
    )
