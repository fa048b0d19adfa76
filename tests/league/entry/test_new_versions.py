"""A league whose bots change on the way: fixed, versioned, benched, brought back, given away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.league.plan.roster import Roster
from arena.league.table.live import standings_of
from tests.cli.test_main import run
from tests.league.running import RealLeague

SHORT = "[options]\nmax_turns = 4\n[clock]\nstart_ms = 2000\n"


def notes(version: str) -> str:
    return f"notes.py {version}"


def make(folder: Path, sets: int, **more: str) -> RealLeague:
    bots = {"fox": notes("fox-1"), "owl": notes("owl-1"), "hare": notes("hare-1"), **more}
    return RealLeague(folder, bots, sets=sets, game="nope", seats=2, tables=SHORT)


def change(league: RealLeague, sets: int, **bots: str) -> None:
    """Write other files for some of the bots, or more bots, and ask for more sets."""
    league.bots = {**league.bots, **bots}
    league.sets = sets
    league.write()


def roster(league: RealLeague) -> Roster:
    with league.store() as store:
        return store.roster()


def contents_by_row(league: RealLeague) -> dict[str, set[str]]:
    """By row of the table, what its bot noted in all matches of complete sets."""
    found: dict[str, set[str]] = {}
    with league.store() as store:
        for one in store.complete_sets():
            for played in one.matches:
                record = played.record
                for note in record.notes:
                    row = record.names[record.moves[note.move].seat]
                    found.setdefault(row, set()).add(note.text)
    return found


def killed_in_a_set_of(league: RealLeague, row: str) -> str:
    """Kill the league after the first match of a set in which this row sits; what it had said."""
    with league.start("--events", "-") as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if line.startswith('{"n"'):
                event = json.loads(line)
                if event["event"] == "match" and event["turn"] == 0 and row in event["bots"]:
                    break
        process.kill()
    return said


@pytest.mark.slow
def test_no_row_mixes_two_contents_and_nothing_is_refused_that_could_be_done(
    tmp_path: Path,
) -> None:
    league = make(tmp_path, 30, mole="crashes_at_start.py")
    assert "mole is benched" in league.run()

    # A bot that has played is refused without the option, and gets a row of its own with it.
    change(league, 60, fox=notes("fox-2"))
    assert "or let the changed bot play on as a new version" in " ".join(
        league.run(expect=2).split()
    )
    assert "fox has changed: it plays on as fox+2, a new row" in league.run("--new-versions")

    # A benched bot that was mended comes back, here because the file says so.
    league.more = 'versions = "new-row"'
    change(league, 100, mole=notes("mole-1"))
    assert "mole has changed: it plays on as mole+2, a new row" in league.run()

    # Files of before bring the row of before back, and a third version is the next number.
    change(league, 130, fox=notes("fox-1"))
    assert "fox+2 has changed: it plays on as fox, its row of before" in league.run()
    change(league, 160, fox=notes("fox-3"))
    assert "fox has changed: it plays on as fox+3, a new row" in killed_in_a_set_of(league, "fox+3")

    # Changed again in the middle of a set: what it played of that set counts for nobody.
    change(league, 160, fox=notes("fox-4"))
    assert "fox+3 has changed: it plays on as fox+4, a new row; others come in" in league.run()

    # A bot that enters with a mistake has played nothing, so it is mended in its row, and its
    # owner may change too.
    change(league, 200, newt=notes("newt-0"))
    file = tmp_path / "bots" / "newt" / "bot.toml"
    good = file.read_text()
    file.write_text(good.replace("{python}", "pyhton"))
    assert "pyhton" in league.run(expect=1)
    file.write_text(good)
    league.bots = {**league.bots, "newt": notes("newt-1")}
    league.write()
    league.file.write_text(
        league.file.read_text().replace('path = "bots/newt"', 'path = "bots/newt"\nowner = "owl"')
    )
    said = league.run()
    assert "newt is changed in its row, and its owner is owl" in said

    contents = contents_by_row(league)
    assert {row: len(found) for row, found in contents.items()} == dict.fromkeys(contents, 1)
    assert contents["fox"] == {"fox-1"}
    assert contents["fox+2"] == {"fox-2"}
    assert contents.get("fox+3", {"fox-3"}) == {"fox-3"}
    assert contents["fox+4"] == {"fox-4"}
    assert contents["mole+2"] == {"mole-1"}
    assert contents["newt"] == {"newt-1"}
    with league.store() as store:
        table = standings_of(store)
        met = {frozenset(state.planned.line_up) for state in store.sets() if state.is_complete}
    assert table.facts.sets == 200
    assert frozenset(("owl", "newt")) not in met
    assert {*roster(league).benched} == {"mole"}
    code, said = run("verify", str(league.file))
    assert (code, "fits" in said) == (0, True), said
