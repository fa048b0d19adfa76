"""Leagues of every format from the first set to the last, killed on the way and verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from arena.audit.league import audit
from arena.bots.botfile import read_bot
from arena.groups import leaves
from arena.league.entry.opening import open_league
from arena.league.model.config import Entrant, League
from arena.league.model.played import LeagueMatch
from arena.league.model.stopping import Stopping
from arena.league.plan.formats import FORMATS
from arena.league.play.orders import PlaySet
from arena.league.play.runner import Runner
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.league.table.live import standings_of
from arena.league.table.standings import Standings
from tests.league.leagues import Simulated
from tests.league.play.test_runner import InMemory, Seen

NAMES = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu")
BOT = read_bot("python3 -c pass")
CUP = League(
    "Cup",
    "nyet",
    2,
    tuple(Entrant(name, BOT, name) for name in NAMES),
    sets=None,
    options={"rounds": 1},
    seed="7",
)

LEAGUES: Mapping[str, League] = {
    "round-robin": replace(CUP, sets=12),
    "round-robin, each line-up once": replace(CUP, sets_per_line_up=1),
    "round-robin, ended early": replace(CUP, sets=100, stop=Stopping(sets=11)),
    "gauntlet": replace(CUP, format="gauntlet", challengers=("ant", "bee"), sets=12),
    "swiss": replace(CUP, format="swiss", sets_per_table=2),
    "swiss at tables of three": replace(CUP, format="swiss", seats=3, rounds=4),
    "knockout": replace(CUP, format="knockout", most_sets_per_tie=3),
    "knockout at tables of three": replace(CUP, format="knockout", seats=3, most_sets_per_tie=2),
    "ladder": replace(CUP, format="ladder", stop=Stopping(sets=15)),
    "ladder at tables of four": replace(CUP, format="ladder", seats=4, stop=Stopping(sets=8)),
}


class Killed(Exception):
    """The runner is gone, as after a kill."""


def killed_after(matches: int) -> InMemory:
    left = matches

    def change(order: PlaySet, played: LeagueMatch) -> LeagueMatch:
        nonlocal left
        if left == 0:
            raise Killed
        left -= 1
        return played

    return InMemory(change=change)


async def play(league: League, folder: Path, jobs: InMemory) -> Standings:
    jobs.simulated = Simulated(
        game=league.game, seats=league.seats, bots=NAMES, options=league.options, seed="7"
    )
    with open_league(league, folder) as store:
        await Runner(league, store, folder / "log", jobs).run((), Seen())
        return standings_of(store)


def test_every_format_is_played_here() -> None:
    assert {league.format for league in LEAGUES.values()} == {*FORMATS}


@pytest.mark.parametrize("name", LEAGUES)
async def test_a_league_of_every_format_ends_and_fits_when_it_is_verified(
    tmp_path: Path, name: str
) -> None:
    league = replace(LEAGUES[name], at_once=3)
    table = await play(league, tmp_path, InMemory())
    assert table.facts.is_finished
    assert 0 < table.facts.sets == table.facts.sets_in_all
    assert bool(table.facts.winners) == (league.format in ("swiss", "knockout"))
    assert {*table.facts.winners} <= {*NAMES}
    assert [*map(str, audit(tmp_path, lambda done, of: None).findings.all)] == []


async def test_a_swiss_that_was_ended_early_has_no_winner(tmp_path: Path) -> None:
    """Some bots may have played more of a round than others."""
    league = replace(LEAGUES["swiss"], stop=Stopping(sets=3))
    facts = (await play(league, tmp_path, InMemory())).facts
    assert (facts.is_finished, facts.winners) == (True, ())
    assert facts.ended


@pytest.mark.parametrize("name", LEAGUES)
async def test_a_league_of_every_format_goes_on_after_kills_and_ends_as_it_would_have(
    tmp_path: Path, name: str
) -> None:
    """With one match at a time where the order of results matters: for an early end. A ladder may
    end otherwise."""
    undisturbed = await play(replace(LEAGUES[name], at_once=1), tmp_path / "whole", InMemory())
    is_same = FORMATS[LEAGUES[name].format].ignores_order and LEAGUES[name].stop is None
    league = replace(LEAGUES[name], at_once=3 if is_same else 1)
    folder = tmp_path / "killed"
    for matches in (0, 1, 2, 3, 5, 8):
        with pytest.raises(ExceptionGroup) as caught:
            await play(league, folder, killed_after(matches))
        assert {type(each) for each in leaves(caught.value)} == {Killed}
    resumed = await play(league, folder, InMemory())
    assert resumed.facts.is_finished
    if FORMATS[league.format].ignores_order:
        assert [(row.name, row.rating) for row in resumed.rows] == [
            (row.name, row.rating) for row in undisturbed.rows
        ]
    assert [*map(str, audit(folder, lambda done, of: None).findings.all)] == []


async def test_a_ladder_of_earlier_pairing_rules_goes_on_by_those_of_today(tmp_path: Path) -> None:
    ladder = replace(LEAGUES["ladder at tables of four"], at_once=1)
    with pytest.raises(ExceptionGroup):
        await play(replace(ladder, pairing=1), tmp_path, killed_after(14))
    assert (await play(replace(ladder, pairing=2), tmp_path, InMemory())).facts.is_finished
    with Reader.read(tmp_path / DATABASE) as reader:
        told = [event for _, event in reader.events() if event["event"] in ("league", "set")]
    rules = [event["pairing"] if event["event"] == "league" else "set" for event in told]
    assert rules == [1, *["set"] * 3, 2, *["set"] * 5]
    assert [*map(str, audit(tmp_path, lambda done, of: None).findings.all)] == []
