"""A league's store made ready: begun, gone on with, or begun anew where nothing was played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.botfile import read_bot
from arena.league.entry.opening import CannotGoOn, open_league
from arena.league.model.config import Entrant, League
from arena.league.model.settings import Settings
from arena.league.plan.formats import NoLineUp
from arena.league.store.secrets import read_secrets
from arena.league.store.store import Store
from arena.league.table.rounds import rounds_of
from tests.league.leagues import Simulated, played_match

BOT = read_bot("python3 -c pass")
CUP = League(
    "Cup",
    "nyet",
    2,
    tuple(Entrant(name, BOT, name) for name in ("fox", "owl", "crow")),
    sets=4,
    options={"rounds": 1},
    seed="7",
)
SHORT = replace(CUP, options={"rounds": 2})
PLAYED = Simulated(seats=2, bots=("fox", "owl", "crow"))


def told(store: Store) -> list[str]:
    return [event["event"] for _, event in store.events()]


def rounds(store: Store) -> int | None:
    return rounds_of(Settings.from_json(store.settings))


def play_one(store: Store) -> None:
    one = store.sets()[0].planned
    store.enter(played_match(PLAYED, one, 0, b"seed"), completes=False, voids=False)


def test_a_league_is_begun_once_and_then_gone_on_with(tmp_path: Path) -> None:
    with open_league(CUP, tmp_path) as store:
        assert told(store) == ["league", "entrant", "entrant", "entrant", "schedule"]
        assert len(store.sets()) == 4
        secrets, sets = read_secrets(store.path), store.sets()
    with open_league(CUP, tmp_path) as store:
        assert told(store) == ["league", "entrant", "entrant", "entrant", "schedule"]
        assert (read_secrets(store.path), store.sets()) == (secrets, sets)


def test_more_sets_another_title_and_more_bots_are_told_and_planned(tmp_path: Path) -> None:
    open_league(CUP, tmp_path).close()
    more = (*CUP.entrants, Entrant("hare", BOT, "hare"))
    with open_league(replace(CUP, name="Bowl", sets=6, entrants=more), tmp_path) as store:
        assert told(store)[5:] == ["league", "entrant", "schedule"]
        grown = [event["sets"] for _, event in store.events() if event["event"] == "schedule"]
        assert grown == [4, 6]
        assert len(store.sets()) == 6
        assert [entrant.name for entrant in store.entrants()] == ["fox", "owl", "crow", "hare"]


def test_what_may_not_change_is_changed_while_nothing_is_played(tmp_path: Path) -> None:
    """And then as if it had never begun otherwise."""
    open_league(CUP, tmp_path).close()
    with open_league(SHORT, tmp_path) as store:
        assert rounds(store) == 2
        assert told(store) == ["league", "entrant", "entrant", "entrant", "schedule"]
        assert len(store.sets()) == 4


def test_what_may_not_change_is_refused_once_a_match_was_played(tmp_path: Path) -> None:
    with open_league(CUP, tmp_path) as store:
        play_one(store)
        last = store.last_event()
    with pytest.raises(CannotGoOn) as caught:
        open_league(SHORT, tmp_path)
    assert str(caught.value) == "\n".join(caught.value.problems)
    assert any("rounds" in problem for problem in caught.value.problems)
    with open_league(CUP, tmp_path) as store:
        assert (rounds(store), store.last_event()) == (1, last)


def test_the_rounds_of_a_swiss_may_be_left_out_where_they_are_the_usual_ones(
    tmp_path: Path,
) -> None:
    """Two for three bots, also once there are five: those of the first round are counted."""
    swiss = replace(CUP, format="swiss", sets=None, rounds=2)
    with open_league(swiss, tmp_path / "two") as store:
        play_one(store)
    more = (*swiss.entrants, Entrant("hare", BOT, "hare"), Entrant("mole", BOT, "mole"))
    with open_league(replace(swiss, rounds=None, entrants=more), tmp_path / "two") as store:
        assert Settings.from_json(store.settings).rounds is None
    with open_league(replace(swiss, rounds=3), tmp_path / "three") as store:
        play_one(store)
    with pytest.raises(CannotGoOn, match="write rounds = 3 or more"):
        open_league(replace(swiss, rounds=None, entrants=more), tmp_path / "three")


def test_fewer_bots_than_seats_are_an_error_where_none_is_benched(tmp_path: Path) -> None:
    with pytest.raises(NoLineUp):
        open_league(replace(CUP, seats=4), tmp_path)


@pytest.mark.parametrize("seed", ["7", None])
def test_the_key_comes_from_the_seed_if_there_is_one(tmp_path: Path, seed: str | None) -> None:
    keys = []
    for folder in ("one", "other"):
        with open_league(replace(CUP, seed=seed), tmp_path / folder) as store:
            secrets = read_secrets(store.path)
            assert secrets.key != secrets.lots
            assert {len(secrets.key), len(secrets.lots)} == {32}
            keys.append((secrets.key, secrets.lots))
    assert (keys[0] == keys[1]) == (seed is not None)


def test_where_nothing_is_left_to_play_it_is_told_what_lets_a_new_version_play(
    tmp_path: Path,
) -> None:
    cup = replace(CUP, sets=1, versions="new-row")
    with open_league(cup, tmp_path) as store:
        (state,) = store.sets()
        for turn in range(2):
            played = played_match(PLAYED, state.planned, turn, b"seed")
            store.enter(played, completes=turn == 1, voids=False)
        name = state.planned.line_up[0]
    other = read_bot("python3 -c 'print(1)'")
    entrants = tuple(
        replace(each, bot=other) if each.name == name else each for each in cup.entrants
    )
    lines: list[str] = []
    with open_league(replace(cup, entrants=entrants), tmp_path, lines.append):
        assert lines == [
            f"{name} has changed: it plays on as {name}+2, a new row",
            f"all 1 sets of the file are played: raise `sets` in the file, and {name}+2 will play",
        ]
    lines.clear()
    with open_league(replace(cup, entrants=entrants, sets=2), tmp_path, lines.append) as store:
        assert lines == []
        assert len(store.sets()) == 2
