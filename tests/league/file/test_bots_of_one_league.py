"""Clocks, connections and limits of entrants, as league.toml has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.botfile import read_bot
from arena.league.file.cross_checks import over_limits
from arena.league.file.jobs import warnings
from arena.league.model.config import Entrant, EntryLimits
from arena.record.timing import BotClock
from tests.league.file.test_reading import REST, league, problems

LISTEN = 'listen = "tcp:127.0.0.1:4000"\n'
BOT = read_bot("python3 -c pass")


def bots(*lines: str) -> str:
    """Bots that dial in, named a, b and so on, each with these lines."""
    return "".join(
        f'[[bots]]\nname = "{name}"\ndials_in = true\n{line}\n'
        for name, line in zip("abcdefgh", lines, strict=False)
    )


def clock_of(folder: Path, line: str, more: str = "") -> BotClock | None:
    found = league(folder, f'game = "nyet"\n{more}{REST}{line}\n')
    assert found.entrants[0].clock is None
    return found.entrants[1].clock


def test_a_clock_of_a_bot_has_what_it_leaves_out_from_the_league(tmp_path: Path) -> None:
    of_all = "[clock]\nbank_ms = 7\nhang_ms = 8\n"
    assert clock_of(tmp_path, "clock = { decision_ms = 5000 }") == BotClock(5000, 10_000, 5000)
    assert clock_of(tmp_path, "clock = { decision_ms = 5000 }", of_all) == BotClock(5000, 7, 8)
    assert clock_of(tmp_path, "clock = { bank_ms = 0, hang_ms = 1 }") == BotClock(100, 0, 1)


def test_a_clock_that_is_the_leagues_is_none_of_its_own(tmp_path: Path) -> None:
    assert clock_of(tmp_path, "clock = { decision_ms = 100 }") is None
    assert clock_of(tmp_path, "clock = {}") is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "clock = { start_ms = 5 }",
            "`start_ms` of `clock` of [[bots]] number 2 is not a key here; it is for all bots,"
            " below [clock]",
        ),
        (
            "clock = { decision = 5 }",
            "`decision` of `clock` of [[bots]] number 2 is not a key here; did you mean"
            " `decision_ms`?",
        ),
        (
            "clock = { decision_ms = 0 }",
            "`decision_ms` of `clock` of [[bots]] number 2 is 0; it must be a whole number from 1"
            " to 86400000. For instance: decision_ms = 100",
        ),
        (
            "connections = 2",
            "`connections` of [[bots]] number 2 is 2, and it does not dial in: it has as many"
            " processes as it needs; leave it out",
        ),
    ],
)
def test_a_wrong_key_of_one_bot_is_told(tmp_path: Path, line: str, words: str) -> None:
    assert problems(tmp_path, f'game = "nyet"\n{REST}{line}\n') == [words]


def test_a_bot_that_dials_in_has_one_connection_or_as_many_as_its_table_says(
    tmp_path: Path,
) -> None:
    found = league(tmp_path, f'game = "nyet"\n{LISTEN}{bots("", "connections = 64")}')
    assert [each.connections for each in found.entrants] == [1, 64]
    (told,) = problems(tmp_path, f'game = "nyet"\n{LISTEN}{bots("", "connections = 65")}')
    assert "`connections` of [[bots]] number 2 is 65; it must be a whole number from 1 to" in told


def test_several_connections_are_warned_of_where_deals_come_again(tmp_path: Path) -> None:
    several = f'game = "nyet"\n{LISTEN}duplicate = true\n{bots("connections = 4", "")}'
    first, second = warnings(league(tmp_path, several), 8)
    assert first.startswith("a and b may remember a set from one seating to the next")
    assert second == (
        "`connections` of a does not change that: no connection plays two matches of a set, but"
        " the program behind them may play them all"
    )
    assert warnings(league(tmp_path, several.replace("duplicate = true\n", "")), 8) == []


# Limits of entrants.


def dialling(name: str, owner: str, connections: int = 1) -> Entrant:
    return Entrant(name, None, owner, connections=connections)


FIELD = (
    dialling("fox", "ann", 4),
    dialling("fox-2", "ann", 2),
    Entrant("fox-3", BOT, "ann"),
    dialling("owl", "bob"),
)


@pytest.mark.parametrize(
    "limits",
    [
        EntryLimits(),
        EntryLimits(most_bots=4, most_bots_per_owner=3, most_connections_per_owner=6),
    ],
)
def test_bots_within_the_limits_are_welcome(limits: EntryLimits) -> None:
    """A bot that is started here has no connections."""
    assert [*over_limits(FIELD, limits)] == []


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (
            EntryLimits(most_bots=3),
            "`most_bots` is 3, and there would be 4: leave 1 out, or write most_bots = 4",
        ),
        (
            EntryLimits(most_bots_per_owner=1),
            "`most_bots_per_owner` is 1, and the owner 'ann' would have 3: fox, fox-2 and fox-3;"
            " leave 2 out, or write most_bots_per_owner = 3",
        ),
        (
            EntryLimits(most_connections_per_owner=5),
            "`most_connections_per_owner` is 5, and the owner 'ann' would have 6: fox with 4 and"
            " fox-2 with 2; give them fewer `connections`, or write most_connections_per_owner = 6",
        ),
    ],
)
def test_too_many_are_refused_with_the_remedy(limits: EntryLimits, words: str) -> None:
    assert [*over_limits(FIELD, limits)] == [words]


def test_the_limits_of_a_file_are_read_and_kept_to(tmp_path: Path) -> None:
    keys = "most_bots = 2\nmost_bots_per_owner = 1\nmost_connections_per_owner = 3\n"
    found = league(tmp_path, f'game = "nyet"\n{keys}{REST}')
    assert found.entry_limits == EntryLimits(2, 1, 3)
    (told,) = problems(tmp_path, f'game = "nyet"\nmost_bots = 1\n{REST}')
    assert told == "`most_bots` is 1, and there would be 2: leave 1 out, or write most_bots = 2"
