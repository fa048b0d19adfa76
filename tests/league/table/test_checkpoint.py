"""The checkpoint of a league: behind its matches, never ahead, and no truth of its own."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.play.orders import PlaySet
from arena.league.store.complete_reader import complete_sets_of
from arena.league.store.derived.checkpoint import Checkpoint
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.league.table import checkpoint
from arena.league.table.checkpoint import (
    CannotUse,
    OtherVersion,
    packed,
    take_up,
    unpacked,
    unread_sets,
)
from arena.league.table.ledger import Ledger
from arena.league.table.live import LiveTable, ledger_of, standings_of
from arena.league.table.standings import Standings
from tests.league.leagues import BOTS, Simulated, schedule, simulate
from tests.league.play.test_interrupted_league import told
from tests.league.play.test_runner import InMemory, Seen, begun, runner_of
from tests.outputs.leagues import play

LEAGUE = Simulated(sets=12, illegal=("mole",), absent=("owl",))


def anew(reader: Reader) -> Standings:
    """The table without a checkpoint."""
    live = LiveTable()
    for _ in live.new_sets(reader):
        pass
    return live.standings(reader, is_running=False, with_history=True)


def kept(ledger: Ledger) -> Checkpoint:
    return Checkpoint(packed(ledger), (ledger.fresh,))


def keep(store: Store) -> None:
    """Keep a checkpoint of all that counts by now."""
    ledger = ledger_of(store)
    store.keep_checkpoint(packed(ledger), ledger.fresh, is_anew=ledger.is_all_fresh)


def sets_of(folder: Path, league: Simulated) -> list[PlayedSet]:
    with simulate(folder, league) as store:
        return [*store.complete_sets()]


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("by", range(13))
def test_counting_goes_on_from_a_checkpoint_as_if_it_had_not_been_interrupted(
    tmp_path: Path, by: int, at_once: bool
) -> None:
    """In whatever order the sets come: those that it has not counted are entered again."""
    sets = sets_of(tmp_path, LEAGUE)
    order = random.Random(by).sample(sets, len(sets))
    whole = Ledger(BOTS, schedule(LEAGUE), (3,), at_once=at_once)
    for one in order:
        whole.enter(one)
    first = Ledger(BOTS, schedule(LEAGUE), (3,), at_once=at_once)
    for one in order[:by]:
        first.enter(one)
    again = Ledger(BOTS, at_once=at_once)
    assert take_up(again, kept(first))
    again.grow((), schedule(LEAGUE), (3,))
    for one in order:
        if again.is_to_enter(one.number):
            again.enter(one)
    assert again.matches == whole.matches
    assert again.tallies == whole.tallies
    assert again.left_out == whole.left_out
    assert replace_crc(again) == replace_crc(whole)


def replace_crc(ledger: Ledger) -> tuple[object, ...]:
    """The state without what depends on the order in which sets came."""
    state = ledger.state()
    names = [name for name in state.__struct_fields__ if name != "crc"]
    return tuple(getattr(state, name) for name in names)


def test_the_table_from_a_checkpoint_is_the_one_worked_out_anew(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 0) as store:
        for number, one in enumerate(schedule(LEAGUE)):
            play(store, LEAGUE, [one])
            if number % 3 == 1:
                keep(store)
            with Reader.read(store.path) as reader, complete_sets_of(tmp_path) as copy:
                expected = anew(reader)
                assert standings_of(reader) == standings_of(copy) == expected


def test_only_sets_after_the_checkpoint_are_read(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=6), 4) as store:
        assert unread_sets(store) == 4
        keep(store)
        assert unread_sets(store) == 0
        play(store, Simulated(sets=6), schedule(Simulated(sets=6))[4:])
        assert unread_sets(store) == 2
        live = LiveTable(from_checkpoint=True)
        assert [one.number for one in live.new_sets(store)] == [5, 6]


def test_who_shows_the_sets_gets_all_and_counts_only_those_after_the_checkpoint(
    tmp_path: Path,
) -> None:
    """This checkpoint has one figure of its own, which shows that it was used."""
    six = Simulated(sets=6)
    with simulate(tmp_path, six, 4) as store:
        ledger = ledger_of(store)
        ledger.stood = 1_000
        store.keep_checkpoint(packed(ledger), ledger.fresh, is_anew=True)
        live = LiveTable(from_checkpoint=True, yields_counted=True)
        assert [one.number for one in live.new_sets(store)] == [1, 2, 3, 4]
        play(store, six, schedule(six)[4:])
        assert [one.number for one in live.new_sets(store)] == [5, 6]
        found = live.standings(store, is_running=False, with_history=True)
        assert found.facts.stood == 1_000
        honest = replace(found, facts=replace(found.facts, stood=0))
        assert honest == anew(store)
        assert [*live.new_sets(store)] == []


def test_a_checkpoint_of_another_version_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with simulate(tmp_path, LEAGUE, 4) as store:
        with monkeypatch.context() as newer:
            newer.setattr(checkpoint, "VERSION", checkpoint.VERSION + 1)
            keep(store)
        found = store.checkpoint()
        assert found is not None
        with pytest.raises(OtherVersion, match="it is of version 2, and this arena writes 1"):
            unpacked(found)
        assert not take_up(Ledger(BOTS), found)
        assert unread_sets(store) == 4
        assert standings_of(store) == anew(store)
        ledger = ledger_of(store)
        assert ledger.is_all_fresh
        keep(store)
        assert unread_sets(store) == 0


@pytest.mark.parametrize("at", [0, 3, 6, 40, -1])
def test_a_damaged_checkpoint_is_not_used(tmp_path: Path, at: int) -> None:
    ledger = Ledger(BOTS, schedule(LEAGUE))
    for one in sets_of(tmp_path, LEAGUE):
        ledger.enter(one)
    good = kept(ledger)
    state, rows = bytearray(good.state), bytearray(good.results[0])
    state[at] ^= 0x41
    rows[at] ^= 0x41
    for bad in (
        Checkpoint(bytes(state), good.results),
        Checkpoint(good.state, (bytes(rows),)),
        Checkpoint(good.state, (good.results[0][:at],)),
        Checkpoint(good.state, ()),
        Checkpoint(good.state[:at], good.results),
    ):
        again = Ledger(BOTS, schedule(LEAGUE))
        assert not take_up(again, bad)
        assert (again.sets, len(again.matches), again.tallies["fox"].matches) == (0, 0, 0)
    with pytest.raises(CannotUse, match="it is too short"):
        unpacked(Checkpoint(b"", ()))


def test_a_checkpoint_of_other_bots_is_not_used(tmp_path: Path) -> None:
    ledger = Ledger(BOTS, schedule(LEAGUE))
    assert not take_up(Ledger(BOTS[1:]), kept(ledger))
    assert not take_up(Ledger(()), kept(ledger))
    assert take_up(Ledger((*BOTS, "newt")), kept(ledger))


async def test_a_run_keeps_checkpoints_and_one_that_is_stopped_anywhere_goes_on_from_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY_MATCHES", 8)
    league = replace(LEAGUE, absent=())
    with begun(tmp_path / "whole", league) as store:
        await runner_of(store, InMemory(league)).run((), Seen())
        expected = told(standings_of(store))
        assert unread_sets(store) <= 2
    left = 0

    def stop(_order: PlaySet, played: LeagueMatch) -> LeagueMatch:
        nonlocal left
        left -= 1
        if not left:
            raise _Stopped
        return played

    with begun(tmp_path / "stopped", league) as store:
        stops = 0
        for matches in range(5, 30):
            left = matches
            try:
                await runner_of(store, InMemory(league, change=stop), at_once=2).run((), Seen())
            except* _Stopped:
                stops += 1
            complete = {one.number for one in store.complete_sets()}
            state = store.checkpoint()
            if state is not None:
                assert unpacked(state).sets <= len(complete)  # never ahead
            assert replace_crc(ledger_of(store)) == replace_crc(counted_anew(store))
        assert stops > 2
        assert told(standings_of(store)) == told(anew(store)) == expected


class _Stopped(Exception):
    pass


def counted_anew(store: Store) -> Ledger:
    ledger = Ledger(
        [each.name for each in store.entrants()], store.planned(), store.roster().dropped
    )
    for one in store.complete_sets():
        ledger.enter(one)
    return ledger


def test_a_copy_for_readers_has_the_checkpoint_of_the_league_and_no_other(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 0) as store:
        for one in schedule(LEAGUE)[:6]:
            play(store, LEAGUE, [one])
            keep(store)
            with complete_sets_of(tmp_path) as copy:
                assert copy.checkpoint() == store.checkpoint()
        ledger = counted_anew(store)
        store.keep_checkpoint(packed(ledger), ledger.fresh, is_anew=True)
        found = store.checkpoint()
        assert found is not None
        assert found.results == (ledger.fresh,)
        with complete_sets_of(tmp_path) as copy:
            assert copy.checkpoint() == found
    (tmp_path / "complete.db").unlink()
    with Store.open(tmp_path / "league.db"), complete_sets_of(tmp_path) as copy:
        assert copy.checkpoint() == found


def test_a_league_that_begins_anew_has_no_checkpoint(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 0) as store:
        ledger = Ledger(BOTS, schedule(LEAGUE))
        store.keep_checkpoint(packed(ledger), b"", is_anew=True)
        store.clear()
        assert store.checkpoint() is None
