"""A league as its file and its store give it: admitted bots are in, retired ones are out."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league.entry.opening import CannotGoOn, bring_up_to_date, make_ready
from arena.league.entry.stored import league_of_store, retired_bots, unfinished_sets
from arena.league.entry.versions import in_rows
from arena.league.file.problems import BadLeague
from arena.league.file.reading import bot_tables
from arena.league.model.config import League
from arena.league.store import events
from arena.league.store.folder import DATABASE
from arena.league.store.store import Store
from tests.league.leagues import Simulated, played_match

HEAD = 'game = "nyet"\nseats = 2\nsets = 6\nduplicate = false\n'
BOTS = ("fox", "owl", "crow")
ANYONE = Simulated(seats=2, bots=BOTS, options={}, duplicate=False)


def write(folder: Path, *names: str, head: str = HEAD) -> Path:
    file = folder / "cup.toml"
    tables = (f'[[bots]]\nname = "{name}"\nsample = "python-bare"\n' for name in names)
    file.write_text("\n".join([head, *tables]))
    return file


def opened(file: Path) -> Store:
    store = Store.open(file.parent / "cup.arena" / DATABASE)
    make_ready(store, league_of_store(file, store))
    return store


def names(league: League) -> list[str]:
    return [each.name for each in league.entrants]


def sets_with(store: Store, name: str) -> list[int]:
    return [one.planned.number for one in store.sets() if name in one.planned.line_up]


def number_with(store: Store, name: str) -> int:
    return next(one.planned.number for one in store.sets() if name in one.planned.line_up)


def play(store: Store, number: int) -> None:
    planned = store.sets()[number - 1].planned
    store.lease(number)
    store.enter(
        played_match(ANYONE, planned, 0, bytes(32)),
        completes=True,
        voids=False,
        events=[{"event": "set", "set": number, "attempt": 0}],
    )


def test_a_bot_that_was_admitted_is_a_bot_like_those_of_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, "fox", "owl")
    with opened(file) as store:
        store.admit("hen", {"sample": "python-high"})
        make_ready(store, league_of_store(file, store))
        assert [each.name for each in store.entrants()] == ["fox", "owl", "hen"]
    with opened(file) as store:
        assert names(league_of_store(file, store)) == ["fox", "owl", "hen"]


def test_where_file_and_store_differ_that_of_the_file_counts_and_it_is_told(
    tmp_path: Path,
) -> None:
    file = write(tmp_path, "fox", "owl")
    told: list[str] = []
    with opened(file) as store:
        store.admit("fox", {"sample": "python-bare"})
        league_of_store(file, store, told.append)
        assert told == []
        store.admit("fox", {"sample": "python-high"})
        league = league_of_store(file, store, told.append)
        assert league.bots["fox"].folder.name == "python-bare"
    assert told == [
        "fox was admitted by command, and cup.toml has it otherwise: that of the file counts"
    ]


@pytest.mark.parametrize("left", [BOTS, ("owl", "crow")])
def test_a_retired_bot_is_out_whether_the_file_has_it_or_not(
    tmp_path: Path, left: tuple[str, ...]
) -> None:
    file = write(tmp_path, *BOTS)
    told: list[str] = []
    with opened(file) as store:
        play(store, number_with(store, "fox"))
        unplayed = [
            *(one.planned.number for one in store.sets() if "fox" in one.planned.line_up),
        ][1:]
        store.add_events([events.retired("fox", unplayed)])
        write(tmp_path, *left)
        league = league_of_store(file, store, told.append)
        assert names(league) == ["owl", "crow"]
        make_ready(store, league)
        assert retired_bots(store) == {"fox"}
    assert told == (
        [
            "fox is retired and plays no part, though cup.toml has it:"
            f" `arena admit {tmp_path / 'cup'} fox` takes it up again"
        ]
        if "fox" in left
        else []
    )


def test_a_retired_bot_plays_a_set_that_has_begun_to_its_end(tmp_path: Path) -> None:
    file = write(tmp_path, *BOTS)
    with opened(file) as store:
        begun, *others = (
            one.planned.number for one in store.sets() if "fox" in one.planned.line_up
        )
        store.lease(begun)
        store.add_events([events.retired("fox", others)])
        assert names(league_of_store(file, store)) == [*BOTS]
        write(tmp_path, "owl", "crow")
        with pytest.raises(BadLeague, match="fox is retired, and sets that have begun are played"):
            league_of_store(file, store)
        store.admit("fox", bot_tables(write(tmp_path, *BOTS))["fox"])
        write(tmp_path, "owl", "crow")
        assert names(league_of_store(file, store)) == ["owl", "crow", "fox"]
        play(store, begun)
        assert names(league_of_store(file, store)) == ["owl", "crow"]


def test_a_league_goes_on_when_the_only_bot_that_dialled_in_is_retired(tmp_path: Path) -> None:
    """Its sets were single matches by default, and stay so."""
    head = HEAD.replace("duplicate = false", 'listen = "tcp:127.0.0.1:4000"')
    file = write(tmp_path, *BOTS, head=head)
    file.write_text(f'{file.read_text()}[[bots]]\nname = "hen"\ndials_in = true\n')
    with opened(file) as store:
        play(store, next(n for n in range(1, 7) if n not in sets_with(store, "hen")))
        store.add_events([events.retired("hen", sets_with(store, "hen"))])
        write(tmp_path, *BOTS, head=head)
        league = league_of_store(file, store)
        assert (names(league), league.duplicate) == ([*BOTS], False)
        make_ready(store, league)


def test_a_bot_stays_retired_when_a_league_without_matches_is_begun_anew(tmp_path: Path) -> None:
    file = write(tmp_path, *BOTS)
    with opened(file) as store:
        store.add_events([events.retired("fox", [one.planned.number for one in store.sets()])])
        write(tmp_path, *BOTS, head=HEAD.replace("duplicate = false", 'seed = "7"'))
        make_ready(store, league_of_store(file, store))
        assert retired_bots(store) == {"fox"}
        assert [each.name for each in store.entrants()] == ["owl", "crow"]


def test_a_league_whose_last_bots_are_retired_can_be_opened(tmp_path: Path) -> None:
    file = write(tmp_path, "fox", "owl")
    with opened(file) as store:
        store.add_events([events.retired("fox", [one.planned.number for one in store.sets()])])
    opened(file).close()


def test_an_open_league_is_brought_up_to_date_and_never_begun_anew(tmp_path: Path) -> None:
    file = write(tmp_path, *BOTS)
    with opened(file) as store:
        last = store.last_event()
        write(tmp_path, *BOTS, "hen", head=HEAD.replace("sets = 6", "sets = 9"))
        league = bring_up_to_date(store, league_of_store(file, store), ())
        assert names(league) == [*BOTS, "hen"]
        told = [event["event"] for _, event in store.events(last)]
        assert told == ["league", "entrant"]
        write(tmp_path, "owl", "crow", "hen")
        last = store.last_event()
        with pytest.raises(CannotGoOn, match="'fox' is gone from the file"):
            bring_up_to_date(store, league_of_store(file, store), ())
        assert store.last_event() == last


def test_a_set_left_in_play_by_a_row_that_was_replaced_is_given_up(tmp_path: Path) -> None:
    file = write(tmp_path, *BOTS, head=f'{HEAD}versions = "new-row"\n')
    with opened(file) as store:
        number = number_with(store, "fox")
        play(store, next(n for n in range(1, 7) if n != number))
        store.lease(number)
        write(tmp_path, *BOTS, head=f'{HEAD}versions = "new-row"\n')
        text = file.read_text()
        file.write_text(text.replace("python-bare", "python-high", 1))
        league = bring_up_to_date(store, league_of_store(file, store), {number})
        assert number not in store.roster().dropped
        assert names(in_rows(league_of_store(file, store), store.roster())) == names(league)
        assert names(league)[0] == "fox+2"
    with opened(file) as store:
        assert number in store.roster().dropped
        now = store.roster().current("fox")
        assert now is not None
        assert now.name == "fox+2"


def test_sets_to_come_are_those_of_the_planner(tmp_path: Path) -> None:
    """Without complete ones, those that were given up, and those with a benched bot."""
    file = write(tmp_path, *BOTS)
    with opened(file) as store:
        assert len(unfinished_sets(store, store.roster())) == 6
        first, last = store.sets()[0].planned.line_up[0], store.sets()[5].planned.line_up[0]
        play(store, 1)
        store.add_events([events.retired(last, (6,)), events.benched(first, "it ended", 3)])
        so_far = store.planner().so_far
        expected = so_far.past().unfinished(so_far.results)
        assert unfinished_sets(store, store.roster()) == expected
        assert {1, 6}.isdisjoint(one.number for one in expected)
        assert 0 < len(expected) < 4
