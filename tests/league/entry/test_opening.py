"""A league's store made ready: begun, gone on with, or begun anew where nothing was played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.botfile import read_bot
from arena.league.entry.opening import CannotGoOn, open_league
from arena.league.model.config import Entrant, League
from arena.league.model.played import PlayedSet
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.model.stopping import Stopping
from arena.league.plan.formats import NoLineUp
from arena.league.plan.planner import Planned
from arena.league.store import events
from arena.league.store.secrets import read_secrets
from arena.league.store.store import Store
from arena.league.table.live import rounds_of, standings_of
from arena.utc import now
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


def play_set(store: Store, planned: PlannedSet) -> None:
    """Enter the matches of a set with their events, as a runner does."""
    matches = tuple(played_match(PLAYED, planned, turn, b"seed") for turn in range(2))
    for played, is_last in zip(matches, (False, True), strict=True):
        told = [events.match(played)]
        if is_last:
            told.append(events.complete(PlayedSet(planned.number, 0, matches)))
        store.enter(played, completes=is_last, voids=False, events=told)


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
        play_set(store, state.planned)
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


NEWCOMER = (*CUP.entrants, Entrant("hare", BOT, "hare"))


def finish(store: Store) -> None:
    """Play all sets that are planned, round by round, as a runner does."""
    while True:
        for state in store.sets():
            if not state.is_complete:
                play_set(store, state.planned)
        answer = store.planner().next(0, ())
        if not isinstance(answer, Planned):
            return
        store.add_sets(answer.sets, [events.schedule(answer.sets[-1].number)])


def told_of_a_newcomer(league: League, folder: Path) -> list[str]:
    """Finish a league, and open it again with one more bot."""
    with open_league(league, folder) as store:
        finish(store)
    lines: list[str] = []
    open_league(replace(league, entrants=NEWCOMER), folder, lines.append).close()
    return lines


@pytest.mark.parametrize(
    ("league", "line"),
    [
        (CUP, "all 4 sets of the file are played: raise `sets` in the file, and hare will play"),
        (
            replace(CUP, format="swiss", sets=None, rounds=2),
            "all 2 sets of the file are played: raise `rounds` in the file, and hare will play",
        ),
        (
            replace(CUP, format="knockout", sets=None, most_sets_per_tie=1),
            "there is nothing to play for hare: the final is decided: {winner} has won",
        ),
    ],
    ids=lambda value: value.format if isinstance(value, League) else "",
)
def test_a_bot_that_is_new_in_a_finished_league_is_told_what_lets_it_play(
    tmp_path: Path, league: League, line: str
) -> None:
    (told,) = told_of_a_newcomer(league, tmp_path)
    with Store.read(tmp_path / "league.db") as reader:
        winner = ", ".join(standings_of(reader).facts.winners)
    assert told == line.format(winner=winner)


def test_of_a_newcomer_that_has_sets_to_play_nothing_is_told(tmp_path: Path) -> None:
    each_once = replace(CUP, sets=None, sets_per_line_up=1)
    assert told_of_a_newcomer(each_once, tmp_path / "once") == []
    lines: list[str] = []
    with open_league(CUP, tmp_path / "cup", lines.append) as store:
        play_set(store, store.sets()[0].planned)
    more = replace(CUP, sets=20, entrants=NEWCOMER)
    open_league(more, tmp_path / "cup", lines.append).close()
    assert lines == []


def test_a_league_that_was_ended_early_has_nothing_for_a_newcomer(tmp_path: Path) -> None:
    league = replace(CUP, stop=Stopping(sets=2))
    with open_league(league, tmp_path) as store:
        store.add_events([events.ended_early("2 sets are played", (1, 2, 3, 4), now())])
    lines: list[str] = []
    with Store.open(tmp_path / "league.db") as store:
        play_one(store)
    open_league(replace(league, entrants=NEWCOMER), tmp_path, lines.append).close()
    assert lines == [
        "there is nothing to play for hare: the league was ended early: 2 sets are played"
    ]


def test_a_newcomer_that_may_sit_at_no_table_is_told_why(tmp_path: Path) -> None:
    with open_league(CUP, tmp_path) as store:
        finish(store)
        store.add_events([events.benched(name, "it did not start", 4) for name in ("fox", "crow")])
    alone = (*CUP.entrants, Entrant("hare", BOT, "owl"))
    lines: list[str] = []
    open_league(replace(CUP, entrants=alone), tmp_path, lines.append).close()
    (line,) = lines
    assert line.startswith("there is nothing to play for hare: 2 seats need")


def test_while_the_last_sets_of_a_ladder_are_played_a_newcomer_is_told_nothing(
    tmp_path: Path,
) -> None:
    """They may be left out yet, and others planned in their place."""
    ladder = replace(CUP, format="ladder", sets=2)
    both = [PlannedSet(number, ("fox", "owl")) for number in (1, 2)]
    with open_league(ladder, tmp_path) as store:
        store.add_sets(both, [events.schedule(2)])
        play_set(store, both[0])
    lines: list[str] = []
    hare = replace(ladder, entrants=NEWCOMER)
    with open_league(hare, tmp_path, lines.append) as store:
        assert lines == []
        play_set(store, both[1])
    mole = replace(ladder, entrants=(*NEWCOMER, Entrant("mole", BOT, "mole")))
    open_league(mole, tmp_path, lines.append).close()
    assert lines == [
        "all 2 sets of the file are played: raise `sets` in the file, and mole will play"
    ]
