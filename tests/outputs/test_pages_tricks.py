"""Why a card took its trick, as the page of a match says it, in Node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from importlib.resources import files

import pytest

pytestmark = pytest.mark.languages

STATIC = files("arena.outputs.pages") / "static"


def reasons(asked: Sequence[tuple[str, str, str, str, str]]) -> list[str]:
    """Return the reason of each: the card, its trick, trump, supertrump, the low rank."""
    scripts = "".join((STATIC / f"{name}.js").read_text() for name in ("tables", "cards", "tricks"))
    whole = f"""{scripts}
const asked = {json.dumps(asked)};
console.log(JSON.stringify(asked.map(([card, cards, trump, supertrump, low]) =>
    Tricks.why(card, cards.split(" "), {{ trump, supertrump }}, low))));"""
    done = subprocess.run(["node", "-e", whole], capture_output=True, text=True, check=True)
    told: list[str] = json.loads(done.stdout)
    return told


def test_the_reason_names_what_made_a_card_the_highest() -> None:
    table = {
        ("G12", "G9 G12 Y3 G4", "R", "-", "1"): "the highest green",
        ("G12", "G12 G12 Y3 G4", "R", "-", "1"): "the highest green, played last",
        ("Y7", "G9 G1 G4 Y1 Y7", "Y", "-", "1"): "the highest trump",
        ("Y2", "G9 G1 G4 Y2", "Y", "-", "1"): "the only trump",
        ("Y2", "Y2 G1 G4 B2", "Y", "-", "1"): "nobody else has played trump",
        ("B3", "B3 G1 G4 R2", "Y", "-", "1"): "nobody else has played blue",
        ("Y1", "G9 G1 G4 Y1 Y7", "Y", "Y", "1"): "the supertrump",
        ("G1", "G1 B13 G1 R2", "B", "G", "1"): "the supertrump played last",
        ("K7", "Y9 Y0 Y4 K0 K7", "K", "-", "0"): "the highest trump",
        ("R0", "B9 R0 B4 K7", "-", "R", "0"): "the supertrump",
        ("B9", "B9 R7 B4 K7", "-", "-", "0"): "the highest blue",
    }
    assert reasons(list(table)) == list(table.values())


def test_a_supertrump_that_lost_is_no_card_of_its_colour() -> None:
    """The low card of the trump colour is a supertrump only where its colour is row 4's."""
    asked = [("Y7", "Y7 Y1 Y2 G4", "Y", "G", "1"), ("G5", "G5 G4 R1 R3", "B", "Y", "1")]
    assert reasons(asked) == ["the highest trump", "the highest green"]
