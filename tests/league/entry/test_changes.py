"""What of a league may change once it has begun, and what is said of the rest."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.botfile import Bot
from arena.bots.contents import content_hash
from arena.league.entry.changes import BOUNDED, FIXED, refusals
from arena.league.model.anchor import Anchor
from arena.league.model.config import Entrant, League
from arena.league.model.entrants import UNKNOWN_CONTENT, KnownEntrant
from arena.league.model.settings import Settings
from arena.league.model.stopping import Stopping
from arena.record.timing import Timing
from tests.league.file import document

MAY_CHANGE = {
    *("name", "sets", "sets_per_line_up", "rounds", "anchor", "anchor_elo", "match_pages"),
    "pairing",
}


def entrant(name: str, owner: str | None = None, folder: str = "/bots") -> Entrant:
    return Entrant(name, Bot(name, (f"./{name}",), Path(folder) / name), owner or name)


LEAGUE = League(
    name="Cup",
    game="nyet",
    seats=2,
    entrants=(entrant("fox"), entrant("owl"), entrant("crow", "owl")),
    sets=100,
    options={"rounds": 4},
)
KNOWN = (
    KnownEntrant("fox", "fox", "hash of fox", {}),
    KnownEntrant("owl", "owl", "hash of owl", {}),
    KnownEntrant("crow", "owl", "hash of crow", {}),
)


def told(new: League, contents: Mapping[str, str] | None = None) -> list[str]:
    hashes = {each.name: f"hash of {each.name}" for each in new.entrants}
    return refusals(Settings.of(LEAGUE), KNOWN, new, hashes | dict(contents or {}))


def with_bots(bots: Sequence[Entrant]) -> League:
    return replace(LEAGUE, entrants=tuple(bots))


@pytest.mark.parametrize(
    "new",
    [
        LEAGUE,
        replace(LEAGUE, sets=101),
        replace(LEAGUE, name="Sunday league"),
        replace(LEAGUE, jobs=4, at_once=2),
        replace(LEAGUE, listen="tcp:127.0.0.1:4000", dial_in_ms=1),
        replace(LEAGUE, anchor=Anchor({"fox": 1.0}, 1500.0)),
        with_bots([*LEAGUE.entrants, entrant("hare")]),
        with_bots(LEAGUE.entrants[::-1]),
        with_bots([entrant("fox", folder="/elsewhere"), *LEAGUE.entrants[1:]]),
        replace(LEAGUE, options={"rounds": 4, "scoring": "full", "dealer": None}),
    ],
    ids=[
        "nothing",
        "more sets",
        "another title",
        "jobs",
        "where bots dial in",
        "the anchor",
        "one more bot",
        "their order",
        "a bot's folder",
        "defaults written out",
    ],
)
def test_what_makes_no_other_league_may_change(new: League) -> None:
    assert told(new) == []


def test_every_setting_either_may_change_or_has_its_reason() -> None:
    undecided = {*Settings.of(LEAGUE).to_json()} - {*FIXED} - MAY_CHANGE
    assert not undecided, f"give {undecided} a reason in FIXED, or name it in MAY_CHANGE here"
    assert {*Settings.of(LEAGUE).to_json()} == {*FIXED} | MAY_CHANGE
    assert not {*FIXED} & MAY_CHANGE


def test_every_rule_is_about_a_key_of_the_file() -> None:
    """Else the document would leave it out, and call a key of another name changeable."""
    rules = [*(each.key for each in FIXED.values()), *(each.key for each in BOUNDED)]
    assert len(rules) == len({*rules})
    assert {*rules} < {*document.names()}


OTHERS: Mapping[str, League] = {
    "game": replace(LEAGUE, game="njet"),
    "seats": replace(LEAGUE, seats=3),
    "options": replace(LEAGUE, options={"rounds": 5}),
    "format": replace(LEAGUE, format="gauntlet"),
    "challengers": replace(LEAGUE, challengers=("fox",)),
    "sets_per_table": replace(LEAGUE, sets_per_table=2),
    "most_sets_per_tie": replace(LEAGUE, most_sets_per_tie=2),
    "stop": replace(LEAGUE, stop=Stopping(separated=True)),
    "duplicate": replace(LEAGUE, duplicate=False),
    "seed": replace(LEAGUE, seed="7"),
    "decision_ms": replace(LEAGUE, timing=Timing(decision_ms=50)),
    "bank_ms": replace(LEAGUE, timing=Timing(bank_ms=0)),
    "hang_ms": replace(LEAGUE, timing=Timing(hang_ms=1000)),
    "faults_to_forfeit": replace(LEAGUE, timing=Timing(faults_to_forfeit=1)),
    "start_ms": replace(LEAGUE, start_ms=1),
    "owners_may_meet": replace(LEAGUE, owners_may_meet=True),
    "show_names": replace(LEAGUE, show_names=True),
}


@pytest.mark.parametrize("name", [*FIXED])
def test_what_makes_another_league_is_refused_with_the_reason_and_the_remedy(name: str) -> None:
    (problem,) = told(OTHERS[name])
    assert problem.startswith(f"`{FIXED[name].key}` was ")
    assert FIXED[name].why in problem
    assert problem.endswith(": put it back, or begin a new league, with a file of another name")


def test_a_refusal_shows_both_values_as_the_file_has_them() -> None:
    (problem,) = told(OTHERS["seed"])
    assert problem == (
        '`seed` was not set and is now "7", but deals of another seed make another league:'
        " put it back, or begin a new league, with a file of another name"
    )
    (problem,) = told(OTHERS["duplicate"])
    assert problem.startswith("`duplicate` was true and is now false, but ")


def test_fewer_sets_are_refused() -> None:
    assert told(replace(LEAGUE, sets=99)) == [
        "`sets` was 100 and is now 99, but a schedule only grows, or one could stop where the"
        " table looks best: write sets = 100 or more, or begin a new league, with a file of"
        " another name"
    ]


def test_a_refusal_of_rules_that_end_it_shows_them_as_the_file_has_them() -> None:
    stop = Stopping(separated=True, bars_below=25.0, test=(0.0, 20.5), hours=0.5)
    (problem,) = told(replace(LEAGUE, stop=stop))
    assert problem.startswith(
        "`[stop]` was not set and is now { separated = true, bars_below = 25, test = [0, 20.5],"
        " hours = 0.5 }, but "
    )


def test_a_refusal_of_options_shows_nil_as_the_file_has_it() -> None:
    (problem,) = told(replace(LEAGUE, options={"rounds": 5, "dealer": None}))
    assert 'dealer = "nil"' in problem
    assert "rounds = 5" in problem


SWISS = replace(LEAGUE, format="swiss", sets=None, rounds=3)


def rounds_told(was: int | None, now: int | None, usual: int | None) -> list[str]:
    """The refusals where `rounds` changes."""
    old, new = replace(SWISS, rounds=was), replace(SWISS, rounds=now)
    hashes = {each.name: f"hash of {each.name}" for each in new.entrants}
    return refusals(Settings.of(old), KNOWN, new, hashes, usual)


@pytest.mark.parametrize(("was", "now"), [(3, None), (None, 3), (2, None), (None, 4), (3, 4)])
def test_rounds_may_be_left_out_and_written_where_they_become_no_fewer(
    was: int | None, now: int | None
) -> None:
    assert rounds_told(was, now, usual=3) == []


def test_rounds_that_are_fewer_than_those_that_hold_are_refused() -> None:
    (problem,) = rounds_told(4, None, usual=3)
    assert problem.startswith("`rounds` was 4 and is now not set, but a schedule only grows")
    (problem,) = rounds_told(None, 2, usual=3)
    assert "write rounds = 3 or more, or begin" in problem
    (problem,) = rounds_told(3, None, usual=None)
    assert "write rounds = 3 or more" in problem


def test_a_bot_whose_files_changed_is_restored_or_enters_as_a_new_version() -> None:
    assert told(LEAGUE, {"crow": "another"}) == [
        "'crow' is not the bot that it was: its files in /bots/crow have changed, and its row"
        " would mix two bots. Restore them, there or in a folder of theirs; or let the changed bot"
        " play on as a new version, in a row of its own: `arena league --new-versions`, or versions"
        ' = "new-row" in the file'
    ]
    (problem,) = told(replace(LEAGUE, challengers=("crow",)), {"crow": "another"})[-1:]
    assert problem.endswith(
        "of theirs; or begin a new league, with a file of another name, as the sets of a gauntlet"
        " are planned with its challengers"
    )


def test_of_the_files_that_changed_the_last_is_named(tmp_path: Path) -> None:
    for at, name in enumerate(("bot.py", "notes.txt", "bot.py~")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (at, at))
    bot = Bot("crow", ("./bot.py",), tmp_path)
    crow = Entrant("crow", bot, "owl")
    new = with_bots([crow if each.name == "crow" else each for each in LEAGUE.entrants])
    (problem,) = told(new, {"crow": "another"})
    assert f"in {tmp_path} have changed (the last that was written is notes.txt), and" in problem


def test_a_file_whose_mode_alone_changed_is_named_and_how_to_put_it_back(tmp_path: Path) -> None:
    """Not the file that was written last: nothing was written."""
    for at, name in enumerate(("my bot.py", "bot.toml")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (at, at))
    bot = Bot("crow", ("./my bot.py",), tmp_path)
    was = content_hash(bot)
    (tmp_path / "my bot.py").chmod(0o755)
    known = (KnownEntrant("crow", "owl", was, {}),)
    new = with_bots([Entrant("crow", bot, "owl")])
    (problem,) = refusals(Settings.of(LEAGUE), known, new, {"crow": content_hash(bot)})
    assert problem.startswith(
        f"'crow' is not the bot that it was: its file {tmp_path}/my bot.py may now be executed,"
        " which is part of what a bot is, and its row would mix two bots. To restore it:"
        f" chmod -x '{tmp_path}/my bot.py'; or let the changed bot play on as a new version"
    )
    known = (KnownEntrant("crow", "owl", content_hash(bot), {}),)
    (tmp_path / "my bot.py").chmod(0o644)
    (problem,) = refusals(Settings.of(LEAGUE), known, new, {"crow": was})
    assert "my bot.py may not be executed any more" in problem
    assert "chmod +x" in problem


def test_who_dialled_in_goes_on_dialling_in() -> None:
    known = (KnownEntrant("fox", "fox", UNKNOWN_CONTENT, {}),)
    new = with_bots([entrant("fox"), entrant("owl")])
    (problem,) = refusals(Settings.of(LEAGUE), known, new, {"fox": "hash", "owl": "hash of owl"})
    assert problem.startswith(
        "'fox' is not the bot that it was: it dialled in, and is now to be started here. Write"
        " dials_in = true for it again; or let the changed bot play on as a new version"
    )


def test_who_was_started_here_does_not_dial_in_later() -> None:
    new = with_bots([Entrant("fox", None, "fox"), *LEAGUE.entrants[1:]])
    (problem,) = told(new, {"fox": UNKNOWN_CONTENT})
    assert problem.startswith(
        "'fox' is not the bot that it was: it was started here, and is now to dial in. Put back"
        " the bot that it was; or let the changed bot play on as a new version"
    )


def test_two_that_dial_in_are_not_taken_for_one_another() -> None:
    known = (KnownEntrant("fox", "fox", UNKNOWN_CONTENT, {}),)
    new = with_bots([Entrant("owl", None, "owl"), entrant("crow")])
    (problem,) = refusals(
        Settings.of(LEAGUE), known, new, {"owl": UNKNOWN_CONTENT, "crow": "hash of crow"}
    )
    assert problem.startswith("'fox' is gone from the file, but sets are planned")


def test_a_bot_that_was_left_out_is_asked_back() -> None:
    assert told(with_bots(LEAGUE.entrants[1:])) == [
        "'fox' is gone from the file, but sets are planned and played with it: put it back,"
        " retire it (`arena retire`), or begin a new league, with a file of another name"
    ]


def test_a_bot_that_was_renamed_is_asked_to_keep_its_name() -> None:
    new = with_bots([entrant("fuchs"), *LEAGUE.entrants[1:]])
    assert told(new, {"fuchs": "hash of fox"}) == [
        "'fox' is gone from the file, and 'fuchs' has the same files: a row keeps its name, so"
        ' write name = "fox" for it'
    ]


def test_who_was_there_before_with_the_same_files_is_not_taken_for_who_is_gone() -> None:
    known = (*KNOWN, KnownEntrant("twin", "twin", "hash of fox", {}))
    new = with_bots([*LEAGUE.entrants[1:], entrant("twin")])
    contents = {"owl": "hash of owl", "crow": "hash of crow", "twin": "hash of fox"}
    (problem,) = refusals(Settings.of(LEAGUE), known, new, contents)
    assert problem.startswith("'fox' is gone from the file, but sets are planned")


def test_an_owner_of_bots_that_have_met_stays() -> None:
    new = with_bots([entrant("fox", "ann"), *LEAGUE.entrants[1:]])
    assert told(new) == [
        "the owner of 'fox' was 'fox' and is now 'ann', but bots of one owner do not meet,"
        ' and these have: write owner = "fox" for it, or begin a new league, with a file of'
        " another name"
    ]


def test_all_that_is_refused_is_said_at_once() -> None:
    new = replace(with_bots(LEAGUE.entrants[1:]), seats=3, seed="7", sets=1)
    assert len(told(new, {"owl": "another"})) == 5


def test_of_another_format_only_the_format_is_refused() -> None:
    """Not each key that only one of the two has."""
    new = replace(LEAGUE, format="swiss", sets=None, rounds=3, sets_per_table=2)
    (problem,) = told(new)
    assert problem.startswith('`format` was "round-robin" and is now "swiss", but ')


def test_of_another_format_what_both_have_is_refused_too() -> None:
    new = replace(LEAGUE, format="swiss", sets=None, rounds=3, sets_per_table=2, seed="7")
    of_format, of_seed = told(new)
    assert of_format.startswith("`format` was ")
    assert of_seed.startswith("`seed` was ")
