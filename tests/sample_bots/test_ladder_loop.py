"""The ladder's bots as real programs, on a real socket: start, requests, bye."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_main import run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bots"),
    [
        ("nyet", ["python-stakes", "python-monte-carlo", "python-tricks", "python-high"]),
        ("njet-it", ["python-monte-carlo", "python-tricks", "python-high", "python-random"]),
        ("nope", ["python-monte-carlo", "python-nope", "python-random"]),
    ],
)
def test_the_ladder_plays_a_match_without_a_fault(game: str, bots: list[str]) -> None:
    options = ["-o", "rounds=1"] if game != "nope" else []
    code, output = run("match", game, *bots, *options)
    # A match with a fault has an exit code of its own.
    assert code == 0, output


@pytest.mark.slow
@pytest.mark.alone
def test_monte_carlo_keeps_a_short_clock_without_a_bank() -> None:
    bots = ["python-monte-carlo", "python-random"]
    code, output = run(
        "match", "nyet", *bots, "-o", "rounds=1", "--decision-ms", "400", "--bank-ms", "0"
    )
    assert code == 0, output


@pytest.mark.slow
@pytest.mark.parametrize(
    "bot",
    ["python-high", "python-tricks", "python-nope", "python-monte-carlo", "python-stakes"],
)
def test_arena_check_finds_nothing(bot: str) -> None:
    code, output = run("check", bot, "--json")
    assert code == 0, output
    report = json.loads(output[output.index("{") :])
    assert report["findings"] == []
    assert report["measures"]["decisions"] > 300
