"""league.toml: what is read, and everything that is wrong with it at once, in words."""

from __future__ import annotations

import datetime
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import data
from arena.bots.botfile import BadBotFile, bot_of_command_line, read_bot_file
from arena.games import GAMES
from arena.league.file.jobs import warnings
from arena.league.file.keys import KEYS
from arena.league.file.names import another_name
from arena.league.file.problems import BadLeague, Problems
from arena.league.file.reading import LEAST, StoredBots, bot_tables, league_of, read_league
from arena.league.model.anchor import Anchor
from arena.league.model.config import DIAL_IN_MS, League
from arena.league.model.stopping import Stopping
from arena.record.timing import Timing
from tests.league.file.document import DOCUMENT, example, written

# Enough to be a league, so that a line in front of it is all that is wrong.
REST = """
[[bots]]
sample = "python-random"

[[bots]]
sample = "python-bare"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "league.toml"
    path.write_text(text, encoding="utf-8")
    return path


def league(folder: Path, text: str) -> League:
    return read_league(write(folder, text))


def problems(folder: Path, text: str) -> list[str]:
    """What is wrong, without the file's name in front, which each line has."""
    path = write(folder, text)
    with pytest.raises(BadLeague) as caught:
        read_league(path)
    assert str(caught.value) == "\n".join(caught.value.problems)
    for problem in caught.value.problems:
        assert problem.startswith(f"{path}: ")
    return [problem.removeprefix(f"{path}: ") for problem in caught.value.problems]


def bot(folder: Path, name: str, games: str = '["nyet"]') -> Path:
    home = folder / name
    home.mkdir(parents=True)
    (home / "bot.toml").write_text(f'name = "{name}"\ncommand = ["./{name}"]\ngames = {games}\n')
    return home


# What is read.


def test_the_shortest_league_has_defaults_for_all_else(tmp_path: Path) -> None:
    folder = tmp_path / "Sunday league"
    folder.mkdir()
    found = league(folder, LEAST)
    assert (found.name, found.game, found.seats, found.sets) == ("Sunday league", "nyet", 2, 100)
    assert [(each.name, each.owner) for each in found.entrants] == [
        ("python-random", "python-random"),
        ("python-bare", "python-bare"),
    ]
    assert (found.format, found.challengers, found.duplicate) == ("round-robin", (), True)
    assert (found.seed, found.owners_may_meet, found.show_names) == (None, False, False)
    assert (found.timing, found.start_ms) == (Timing(), 10_000)
    assert (found.anchor, found.jobs, found.at_once) == (Anchor(), None, None)
    assert found.options == {}


def test_everything_that_a_file_may_say(tmp_path: Path) -> None:
    bot(tmp_path / "bots", "fox")
    (tmp_path / "crow.py").write_text("")
    found = league(
        tmp_path,
        """
        name = "Cup"
        game = "nyet"
        seats = 3
        sets = 7
        format = "gauntlet"
        challenger = "fox"
        duplicate = false
        seed = 12
        jobs = 2
        at_once = 3
        owners_may_meet = true
        show_names = true
        anchor = { bots = { fox = 2, owl = 1 }, elo = 1500 }

        [options]
        rounds = 2
        target = "nil"

        [clock]
        decision_ms = 50
        bank_ms = 0
        hang_ms = 600
        start_ms = 7000

        [faults]
        to_forfeit = 1

        [[bots]]
        path = "bots/fox"

        [[bots]]
        path = "bots/fox/bot.toml"
        name = "owl"
        owner = "fox"

        [[bots]]
        command = "python3 crow.py --fast"

        [[bots]]
        sample = "python-bare"
        """,
    )
    assert (found.name, found.game, found.seats, found.sets) == ("Cup", "nyet", 3, 7)
    assert (found.format, found.challengers, found.duplicate) == ("gauntlet", ("fox",), False)
    assert (found.seed, found.jobs, found.at_once) == ("12", 2, 3)
    assert found.owners_may_meet
    assert found.show_names
    assert found.options == {"rounds": 2, "target": None}
    assert (found.timing, found.start_ms) == (Timing(50, 0, 600, 1), 7000)
    assert found.anchor == Anchor({"fox": 2.0, "owl": 1.0}, 1500.0)
    assert [(each.name, each.owner) for each in found.entrants] == [
        ("fox", "fox"),
        ("owl", "fox"),
        ("crow", "crow"),
        ("python-bare", "python-bare"),
    ]
    assert found.bots["owl"].folder == tmp_path / "bots" / "fox"
    crow = found.bots["crow"]
    assert (crow.command, crow.folder, crow.is_bare) == (
        ("python3", "crow.py", "--fast"),
        tmp_path,
        True,
    )


def test_paths_and_programs_are_seen_from_the_file_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot(tmp_path, "fox")
    (tmp_path / "crow.py").write_text("")
    write(
        tmp_path,
        'game = "nyet"\n[[bots]]\npath = "fox"\n[[bots]]\ncommand = "python3 crow.py"\n',
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    here = read_league(Path("../league.toml"))
    assert [each.name for each in here.entrants] == ["fox", "crow"]
    assert here.bots["fox"].folder.resolve() == tmp_path / "fox"
    assert here.bots["crow"].folder.resolve() == tmp_path


@pytest.mark.parametrize(
    ("line", "anchor"),
    [
        ('anchor = "python-bare"', Anchor({"python-bare": 1.0})),
        ("anchor = { elo = 1500 }", Anchor({}, 1500.0)),
        ('anchor = { bots = "python-bare", elo = -3.5 }', Anchor({"python-bare": 1.0}, -3.5)),
        (
            'anchor = { bots = ["python-bare", "python-random"] }',
            Anchor({"python-bare": 1.0, "python-random": 1.0}),
        ),
        ("anchor = { bots = { python-bare = 0.5 } }", Anchor({"python-bare": 0.5})),
    ],
)
def test_the_anchor_is_a_bot_or_several_with_weights_and_an_elo(
    tmp_path: Path, line: str, anchor: Anchor
) -> None:
    assert league(tmp_path, f'game = "nyet"\n{line}\n{REST}').anchor == anchor


@pytest.mark.parametrize("game", [*GAMES])
def test_seats_left_out_are_the_smallest_table_however_many_bots_there_are(
    tmp_path: Path, game: str
) -> None:
    text = f'game = "{game}"\n' + "".join(
        f'[[bots]]\nsample = "python-random"\nname = "bot{number}"\n' for number in range(9)
    )
    assert league(tmp_path, text).seats == GAMES[game].seats[0]


def test_the_demo_league_can_be_read() -> None:
    assert len(read_league(data.sample_bots() / "demo.toml").entrants) >= 4


@pytest.mark.parametrize("name", ["\x1b\n", "  "])
def test_a_folder_whose_name_shows_nothing_still_gives_a_title(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    assert league(folder, LEAST).name == "league"


# What is refused.


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    bot(tmp_path, "owl", '["nope"]')
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "bot.toml").write_text('name = "bad"\ngames = ["nyet"]\n')
    found = problems(
        tmp_path,
        """
        game = "nyet"
        seats = 6
        sets = 0
        formt = "gauntlet"
        duplicate = "no"
        jobs = 0
        anchor = "foxy"
        [options]
        rounds = 0
        tarot = 1
        [clock]
        decision = 100
        [faults]
        jobs = 2
        [[bots]]
        path = "owl"
        [[bots]]
        path = "bad"
        [[bots]]
        path = "foxx"
        owner = "the fox"
        """,
    )
    assert found == [
        "`formt` is not a key here; did you mean `format`?",
        "`sets` is 0; it must be a whole number from 1 to 1000000. For instance: sets = 100",
        "`duplicate` is 'no'; it must be true or false. For instance: duplicate = true",
        "`jobs` is 0; it must be a whole number from 1 to 10000. For instance: jobs = 1",
        "`decision` of [clock] is not a key here; did you mean `decision_ms`?",
        "`jobs` of [faults] is not a key here; it belongs at the top of the file, above the first"
        " [table]",
        "`path` of [[bots]] number 2 is 'bad': "
        f"{tmp_path}/bad/bot.toml: `command` is missing: a list of strings, the program first; no"
        ' shell reads it. For instance: command = ["{python}", "bot.py"]',
        "`owner` of [[bots]] number 3 is 'the fox'; it must be 1 to 32 letters, digits, '.', '_',"
        " '+' or '-', a letter or digit first. For instance: owner = \"fox\"",
        f"`path` of [[bots]] number 3 is 'foxx': there is no {tmp_path}/foxx. A bot's folder is"
        " one with a bot.toml, as seen from the folder of this file",
        "`seats` is 6, and nyet is played by 2, 3, 4, 5. For instance: seats = 5",
        "[options]: option 'rounds' of nyet with 5 seats is a whole number from 1 to 2147483647"
        " or nil; got 0 (SPEC 11.7)",
        "[options]: nyet has no option 'tarot'; its options are: rounds, target, scoring, bonus,"
        " dealer. Did you mean 'target'? (SPEC 11.7)",
        "[[bots]] number 1 (owl) does not play nyet: `games` of its bot.toml has nope; leave it"
        " out, or choose a game that all play",
    ]


def test_a_bot_that_does_not_play_at_such_tables_is_told(tmp_path: Path) -> None:
    for name in ("owl", "fox"):
        bot(tmp_path, name, '["nyet"]')
    with (tmp_path / "owl" / "bot.toml").open("a") as file:
        file.write("seats = [2, 4]\n")
    text = 'game = "nyet"\nseats = 3\nsets = 1\n[[bots]]\npath = "owl"\n[[bots]]\npath = "fox"\n'
    assert problems(tmp_path, text + '[[bots]]\npath = "fox"\nname = "hen"\n') == [
        "[[bots]] number 1 (owl) does not play at tables of 3: `seats` of its bot.toml allows 2 and"
        " 4 in nyet; leave it out, or choose `seats` that all play"
    ]


def test_every_option_that_is_wrong_is_told_by_the_game(tmp_path: Path) -> None:
    options = "[options]\nrounds = 0\nscoring = 2024-01-01\ntarot = 1\n"
    found = problems(tmp_path, f'game = "nyet"\nseats = 2\n{options}{REST}')
    assert len(found) == 3
    assert found[0] == (
        "[options]: option 'rounds' of nyet with 2 seats is a whole number from 1 to 2147483647"
        " or nil; got 0 (SPEC 11.7)"
    )
    assert found[1].startswith("[options]: option 'scoring' of nyet with 2 seats is ")
    assert found[2].startswith("[options]: nyet has no option 'tarot'; ")


def test_an_option_that_one_table_would_take_is_not_blamed_for_wrong_seats(tmp_path: Path) -> None:
    text = 'game = "nyet"\nseats = 6\n[options]\ndealer = {}\n' + REST
    assert len(problems(tmp_path, text.format(4))) == 1
    assert len(problems(tmp_path, text.format(5))) == 2


@pytest.mark.parametrize(
    "code", ["", " ", "cup\\n", "\\u001b[31m", "\\u202Ecup", "c\\u200Bup", "a\\u2028b", 65 * "x"]
)
def test_a_title_that_does_not_print_or_shows_nothing_is_refused(tmp_path: Path, code: str) -> None:
    (found,) = problems(tmp_path, f'name = "{code}"\ngame = "nyet"\n{REST}')
    assert found.endswith(
        "; it must be a line of 1 to 64 characters that print, not all of them blanks. For"
        ' instance: name = "Sunday league"'
    )
    assert found.isprintable()


def test_a_title_may_be_of_any_language(tmp_path: Path) -> None:
    for name in ("Näget, žolíky", "花札 2026", "x" * 64):
        assert league(tmp_path, f'name = "{name}"\ngame = "nyet"\n{REST}').name == name


@pytest.mark.parametrize(
    "value",
    ["true", "false", "1.5", "'two'", "[true, [1]]", "{ a = true, b = {} }", "2026-11-18"],
)
def test_a_value_that_came_is_told_in_the_words_of_the_file(tmp_path: Path, value: str) -> None:
    (found,) = problems(tmp_path, f'game = "nyet"\nat_once = {value}\n{REST}')
    assert found.startswith(f"`at_once` is {value}; it must be a whole number")


def test_an_option_that_came_is_told_in_the_words_of_the_file(tmp_path: Path) -> None:
    options = '[options]\nrounds = true\nscoring = "nil"\n'
    rounds, scoring = problems(tmp_path, f'game = "nyet"\n{options}{REST}')
    assert rounds.endswith("or nil; got true (SPEC 11.7)")
    assert scoring.endswith("; got nil (SPEC 11.7)")


CASES: Mapping[str, tuple[str, str]] = {
    "no game": ("", "`game` is missing: the name of a rule set. For instance: "),
    "a game that is none": (
        'game = "nyte"',
        f"`game`: there is no rule set 'nyte'; there are: {', '.join(GAMES)}."
        " Did you mean 'nyet'? (SPEC 10.1)",
    ),
    "too few bots": (
        'game = "nyet"\nseats = 4',
        "`bots`: 4 seats need 4 bots, and there are 2; enter more, or choose fewer seats",
    ),
    "a gauntlet without a challenger": (
        'game = "nyet"\nformat = "gauntlet"',
        "`challenger` is missing, and a gauntlet needs one. For instance: challenger = ",
    ),
    "a challenger in a round robin": (
        'game = "nyet"\nchallenger = "python-bare"',
        "`challenger` is 'python-bare', and only gauntlet has it; leave it out, or write"
        ' format = "gauntlet"',
    ),
    "a number of sets in a swiss": (
        'game = "nyet"\nformat = "swiss"\nsets = 5',
        "`sets` is 5, and only round-robin, gauntlet and ladder have it; leave it out, or write"
        ' format = "round-robin"',
    ),
    "a challenger twice": (
        'game = "nyet"\nformat = "gauntlet"\nchallenger = ["python-bare", "python-bare"]',
        "`challenger` names a bot twice: name each once",
    ),
    "challengers and nobody else": (
        'game = "nyet"\nformat = "gauntlet"\nchallenger = ["python-bare", "python-random"]',
        "`bots`: besides the other challengers: 2 seats need 2 bots, and there are 1; enter more,"
        " or choose fewer seats",
    ),
    "two lengths of a round robin": (
        'game = "nyet"\nsets = 5\nsets_per_line_up = 1',
        "`sets` and `sets_per_line_up` both say how long it is: leave one out",
    ),
    "a stop test whose bounds are level": (
        'game = "nyet"\nstop = { test = [20, 20] }',
        "`test` of [stop] is [20.0, 20.0]; it must be two numbers, the lower first."
        " For instance: test = [0, 20]",
    ),
    "an unknown challenger": (
        'game = "nyet"\nformat = "gauntlet"\nchallenger = "python-bear"',
        "`challenger`: no bot here is called 'python-bear'; there are python-random, python-bare."
        " Did you mean 'python-bare'?",
    ),
    "an unknown anchor": (
        'game = "nyet"\nanchor = "fox"',
        "`anchor`: no bot here is called 'fox'; there are python-random, python-bare.",
    ),
    "an anchor of weight 0": (
        'game = "nyet"\nanchor = { bots = { python-bare = 0 } }',
        "`bots` of [anchor] is { python-bare = 0 }; it must be the name of a bot, a list of names,"
        " or a table of names with weights above 0. For instance: bots = { fox = 2, owl = 1 }",
    ),
    "an anchor of no bots": (
        'game = "nyet"\nanchor = { bots = [] }',
        "`bots` of [anchor] is []; it must be ",
    ),
    "an Elo that is no number": (
        'game = "nyet"\nanchor = { elo = nan }',
        "`elo` of [anchor] is nan; it must be a number from -1000000 to 1000000.",
    ),
    "an Elo in the wrong place": (
        'game = "nyet"\nelo = 1500',
        "`elo` is not a key here; it belongs below [anchor]",
    ),
    "a path in the wrong place": (
        'game = "nyet"\npath = "fox"',
        "`path` is not a key here; it belongs below [[bots]]",
    ),
    "a key like no other": (
        'game = "nyet"\nzebra = 1',
        f"`zebra` is not a key here; the keys are {', '.join(KEYS[''])}",
    ),
}


@pytest.mark.parametrize("case", [*CASES])
def test_what_is_wrong_is_named_with_the_remedy(tmp_path: Path, case: str) -> None:
    text, expected = CASES[case]
    (found,) = problems(tmp_path, text + REST)
    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            "",
            '[[bots]] number 3 does not say where its bot is. For instance: path = "bots/fox", or'
            ' command = "python3 fox.py", or sample = "python-random"',
        ),
        (
            'path = "fox"\nsample = "python-bare"',
            "[[bots]] number 3 has `path` and `sample`; write only one. For instance: ",
        ),
        (
            'sample = "python-bear"',
            "`sample` of [[bots]] number 3 is 'python-bear': there is no such sample bot; there",
        ),
        (
            'path = "fax"',
            "`path` of [[bots]] number 3 is 'fax': there is no {here}/fax. Did you mean 'fox'?",
        ),
        (
            'path = "none/fox"',
            "`path` of [[bots]] number 3 is 'none/fox': there is no {here}/none/fox. There is no"
            " {here}/none either; paths are as seen from the folder of this file",
        ),
        (
            'path = "bot.py"',
            "`path` of [[bots]] number 3 is 'bot.py': is a file; name the folder with its"
            ' bot.toml, or write a command line. For instance: command = "python3 fox.py"',
        ),
        (
            f'path = "{"x" * 300}"',
            f"`path` of [[bots]] number 3 is '{'x' * 79}...: File name too long",
        ),
        (
            'command = "python3 \'bot.py"',
            '`command` of [[bots]] number 3 is "python3 \'bot.py": command line ',
        ),
        (
            'sample = "python-bare"\nname = "Python-Bare"',
            "`name` of [[bots]] number 3 is 'Python-Bare', and that of [[bots]] number 2 is"
            " 'python-bare'; names become names of files, and must differ in more than capitals."
            ' For instance: name = "Python-Bare-2"',
        ),
        (
            'path = "."',
            "[[bots]] number 3 (here) is the folder that this file is in; a bot is all its files,"
            " and the league is kept beside its file, so it would change with every match: move"
            " this file out of the bot's folder",
        ),
    ],
)
def test_a_bot_that_will_not_do_is_named_by_its_number(
    tmp_path: Path, table: str, expected: str
) -> None:
    bot(tmp_path, "fox")
    (tmp_path / "bot.py").write_text("")
    (tmp_path / "bot.toml").write_text('name = "here"\ncommand = ["./x"]\ngames = ["nyet"]\n')
    (found,) = problems(tmp_path, f'game = "nyet"\n{REST}\n[[bots]]\n{table}\n')
    assert found.startswith(expected.format(here=tmp_path))


def test_two_bots_of_one_name_are_not_allowed_and_a_free_one_is_proposed(tmp_path: Path) -> None:
    text = 'game = "nyet"\n' + 3 * '[[bots]]\nsample = "python-bare"\n'
    found = problems(tmp_path, text + '[[bots]]\nsample = "python-random"\nname = "python-bare-2"')
    assert len(found) == 2
    assert all(problem.endswith('For instance: name = "python-bare-3"') for problem in found)


def test_another_name_is_short_enough_however_long_the_first_is() -> None:
    assert another_name("fox", ["fox", "FOX-2"]) == "fox-3"
    assert another_name("x" * 32, ["x" * 32]) == "x" * 28 + "-2"


def test_bots_of_one_owner_do_not_fill_a_table(tmp_path: Path) -> None:
    text = 'game = "nyet"\nseats = 3\n' + REST + 'owner = "python-random"\n'
    (found,) = problems(tmp_path, text + '[[bots]]\nsample = "python-bare"\nname = "third"\n')
    assert found == (
        "`bots`: 3 seats need bots of 3 owners, as two of one owner never sit together, and there"
        " are 2 (python-random has python-random, python-bare); enter bots of others, choose fewer"
        " seats, or set owners_may_meet = true"
    )


def test_who_has_the_owner_of_the_challenger_could_never_play(tmp_path: Path) -> None:
    head = 'game = "nyet"\nformat = "gauntlet"\nchallenger = "python-bare"\n'
    bots = REST + '[[bots]]\nsample = "python-bare"\nname = "old"\nowner = "python-bare"\n'
    (found,) = problems(tmp_path, head + bots)
    assert found == (
        "`bots`: 'old' can never play: it has the owner of the challenger 'python-bare',"
        " 'python-bare'; leave it out, or write owners_may_meet = true"
    )
    may_meet = league(tmp_path, "owners_may_meet = true\n" + head + bots)
    assert may_meet.challengers == ("python-bare",)


def test_one_bracket_where_there_must_be_two(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, 'game = "nyet"\n[bots]\npath = "fox"\n')
    assert found == (
        "`bots` is { path = 'fox' }; it must be tables that each begin with [[bots]]."
        ' For instance: [[bots]]\npath = "bots/fox"'
    )


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "league.toml"
    with pytest.raises(BadLeague, match="there is no such file; `arena init` makes one"):
        read_league(path)
    with pytest.raises(BadLeague, match="cannot be read: Is a directory"):
        read_league(tmp_path)
    assert problems(tmp_path, "name = fox")[0].startswith("is not TOML: Invalid value (at line 1")
    path.write_bytes(b'name = "f\xf6x"')
    with pytest.raises(BadLeague, match="is not UTF-8 at byte 9; save it as UTF-8"):
        read_league(path)


anything = st.recursive(
    st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.just(datetime.date(2026, 1, 1)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
PLACES = [(table, name) for table, keys in KEYS.items() for name in keys]


@given(st.sampled_from(PLACES), anything)
def test_any_value_of_any_key_is_read_or_refused_in_words(
    place: tuple[str, str], value: object
) -> None:
    table, name = place
    values: dict[str, Any] = {
        "game": "nyet",
        "bots": [{"sample": "python-random"}, {"sample": "python-bare"}],
    }
    match table:
        case "":
            values[name] = value
        case "bots":
            values["bots"].append({"sample": "python-random", "name": "third"} | {name: value})
        case _:
            values[table] = {name: value}
    found_wrong = Problems()
    found = league_of(values, Path("/nowhere"), found_wrong)
    assert (found is None) == bool(found_wrong)
    for problem in found_wrong.all:
        assert "`" in problem or "[" in problem


# The table of keys.


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(filter(None, place)))
def test_the_example_of_every_key_is_one(place: tuple[str, str]) -> None:
    table, name = place
    key = KEYS[table][name]
    assert msgspec.convert(tomllib.loads(key.example)[name], key.type) is not None
    assert key.why.endswith(".")


@pytest.mark.parametrize(
    ("name", "may_be"),
    [
        ("fox", True),
        ("Fox_2.0+x-y", True),
        ("x" * 32, True),
        ("x" * 33, False),
        ("", False),
        ("-fox", False),
        ("the fox", False),
        ("f\u00f6x", False),
        ("fox/..", False),
        ("fox\n", False),
    ],
)
def test_names_are_those_that_a_bot_may_give_itself(
    tmp_path: Path, name: str, may_be: bool
) -> None:
    quoted = json.dumps(name)
    (tmp_path / "bot.toml").write_text(f'name = {quoted}\ncommand = ["x"]\ngames = ["nyet"]\n')
    text = f'game = "nyet"\n{REST}name = {quoted}\n'
    if may_be:
        assert read_bot_file(tmp_path / "bot.toml").name == name
        assert league(tmp_path, text).entrants[1].name == name
        return
    with pytest.raises(BadBotFile, match="`name` is "):
        read_bot_file(tmp_path / "bot.toml")
    with pytest.raises(BadLeague, match=r"`name` of .* is "):
        league(tmp_path, text)


# Warnings.


@pytest.mark.parametrize(
    ("jobs", "at_once", "cores", "begins"),
    [
        (1, None, 1, None),
        (2, 2, 4, None),
        (1, 3, 2, "jobs = 1 with at_once = 3 lets 3 bots think at once, and there are 2 cores:"),
        (4, None, 2, "jobs = 4 lets 4 bots think at once, and there are 2 cores:"),
        (2, 2, 3, "jobs = 2 with at_once = 2 lets 4 bots think at once, and there are 3 cores:"),
    ],
)
def test_more_at_once_than_there_are_cores_is_warned_of(
    tmp_path: Path, jobs: int, at_once: int | None, cores: int, begins: str | None
) -> None:
    lines = f"jobs = {jobs}\n" + (f"at_once = {at_once}\n" if at_once else "")
    found = warnings(league(tmp_path, lines + LEAST), cores)
    assert len(found) == (begins is not None)
    for warning in found:
        assert begins is not None
        assert warning.startswith(begins)


# The document.


def test_the_documents_tables_are_those_of_the_code() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == written(text), "run: python -m tests.league.file.document --write"


def test_the_documents_example_can_be_read(tmp_path: Path) -> None:
    bot(tmp_path / "bots", "fox")
    bot(tmp_path / "bots", "fox-old")
    bot(tmp_path / "bots", "owl")
    (tmp_path / "crow.py").write_text("")
    found = league(tmp_path, example())
    assert (found.game, found.seats, len(found.entrants)) == ("nyet", 4, 5)
    assert [(each.name, each.owner) for each in found.entrants][:2] == [
        ("fox", "ann"),
        ("fox-old", "ann"),
    ]


def test_every_program_that_is_only_a_command_is_called_after_it(tmp_path: Path) -> None:
    assert bot_of_command_line("./crow").name == "crow"
    text = 'game = "nyet"\n[[bots]]\ncommand = "./crow"\n[[bots]]\ncommand = "node owl.js"\n'
    assert [each.name for each in league(tmp_path, text).entrants] == ["crow", "node"]


CALLERS = """
listen = "tcp:127.0.0.1:4000"
game = "nyet"
[[bots]]
sample = "python-random"
[[bots]]
dials_in = true
name = "fox"
[[bots]]
dials_in = true
name = "owl"
owner = "fox"
"""


def test_who_dials_in_has_a_name_and_we_know_no_more_of_it(tmp_path: Path) -> None:
    found = league(tmp_path, CALLERS)
    assert found.listen == "tcp:127.0.0.1:4000"
    assert found.callers == ("fox", "owl")
    assert [*found.bots] == ["python-random"]
    assert [each.owner for each in found.entrants] == ["python-random", "fox", "fox"]
    assert found.dial_in_ms == DIAL_IN_MS
    changed = league(tmp_path, CALLERS + "[clock]\ndial_in_ms = 5")
    assert changed.dial_in_ms == 5


def test_where_a_bot_dials_in_each_deal_is_played_once_unless_it_is_said_otherwise(
    tmp_path: Path,
) -> None:
    assert not league(tmp_path, CALLERS).duplicate
    found = league(tmp_path, "duplicate = true" + CALLERS)
    assert found.duplicate
    assert warnings(found, 64) == [
        "fox and owl may remember a set from one seating to the next, because a bot that dials in"
        " cannot be started afresh; without `duplicate` each deal is played once"
    ]


def test_to_dial_in_takes_a_name_and_an_address_to_listen_at(tmp_path: Path) -> None:
    text = CALLERS.replace('listen = "tcp:127.0.0.1:4000"', "").replace('name = "fox"', "")
    assert problems(tmp_path, text) == [
        "`name` of [[bots]] number 2 is missing: a bot that dials in brings no bot.toml to take it"
        ' from. For instance: name = "fox-2"',
        "`listen` is missing, and [[bots]] number 2 and owl must be able to dial in. For instance:"
        ' listen = "tcp:127.0.0.1:4000"',
    ]


def test_all_who_dial_in_are_named(tmp_path: Path) -> None:
    text = CALLERS.replace('listen = "tcp:127.0.0.1:4000"', "")
    text += '[[bots]]\ndials_in = true\nname = "crow"\n'
    (problem,) = problems(tmp_path, text)
    assert problem.startswith("`listen` is missing, and fox, owl and crow must be able to dial in.")


def test_not_to_dial_in_is_left_out_and_not_said(tmp_path: Path) -> None:
    text = CALLERS.replace("dials_in = true", "dials_in = false", 1)
    assert problems(tmp_path, text) == [
        "`dials_in` of [[bots]] number 2 is false; it must be true. For instance: dials_in = true"
    ]


def test_bots_that_dial_in_may_play_with_several_jobs(tmp_path: Path) -> None:
    assert league(tmp_path, "jobs = 2" + CALLERS).jobs == 2


def test_authors_may_be_told_another_address(tmp_path: Path) -> None:
    assert league(tmp_path, CALLERS).address is None
    found = league(tmp_path, 'address = "tcp:arena.example:80"' + CALLERS)
    assert (found.listen, found.address) == ("tcp:127.0.0.1:4000", "tcp:arena.example:80")


@pytest.mark.parametrize(
    "address", ["wss://arena.example/bots", "wss://[2001:db8::1]:8443", "tls:arena.example:4001"]
)
def test_authors_may_be_told_an_address_of_a_door(tmp_path: Path, address: str) -> None:
    assert league(tmp_path, f'address = "{address}"{CALLERS}').address == address


@pytest.mark.parametrize("address", ["wss:host", "wss://host/$(id)", "wss://host/a b", "tls:host"])
def test_an_address_that_a_shell_would_change_or_nobody_knows_is_refused(
    tmp_path: Path, address: str
) -> None:
    (problem,) = problems(tmp_path, f'address = "{address}"{CALLERS}')
    assert "it must be tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH" in problem


@pytest.mark.parametrize(
    "address",
    ["tcp:0.0.0.0:4000", "tcp:[::]:4000", "tls:0.0.0.0:443", "wss://[::]/", "wss://0.0.0.0:1/"],
)
def test_authors_are_told_no_address_that_nobody_can_dial(tmp_path: Path, address: str) -> None:
    assert problems(tmp_path, f'address = "{address}"{CALLERS}') == [
        f"`address` is {address!r}, and nobody can dial that: write the name or the address by"
        " which bots reach this machine. For instance: address ="
        ' "tcp:arena.example.org:4000"'
    ]


def test_authors_are_told_no_address_where_the_league_does_not_listen(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, f'address = "tcp:arena.example:80"\n{LEAST}')
    assert "`listen` is missing, so nobody could dial in there: leave it out, or add" in problem


@pytest.mark.parametrize(
    "address",
    ["tcp:0.0.0.0:1", "tcp:arena.example:65535", "tcp:[::1]:4000", "tcp:[fe80::1]:10000"],
)
def test_addresses_to_listen_at(tmp_path: Path, address: str) -> None:
    assert league(tmp_path, CALLERS.replace("tcp:127.0.0.1:4000", address)).listen == address


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:4000", "tcp:4000", "tcp::4000", "tcp:here:0", "tcp:here:65536", "tcp:::1:4000"],
)
def test_what_is_no_address_to_listen_at_is_refused(tmp_path: Path, address: str) -> None:
    (problem,) = problems(tmp_path, CALLERS.replace("tcp:127.0.0.1:4000", address))
    assert problem == (
        f"`listen` is {address!r}; it must be tcp:HOST:PORT, an IPv6 host in square brackets."
        ' For instance: listen = "tcp:127.0.0.1:4000"'
    )


def test_the_zero_of_the_scale_is_a_million_at_most(tmp_path: Path) -> None:
    for elo in (1_000_000, -1_000_000):
        assert (
            league(tmp_path, f'game = "nyet"\nanchor = {{ elo = {elo} }}{REST}').anchor.elo == elo
        )
    for elo in (1_000_001, -1_000_001):
        (problem,) = problems(tmp_path, f'game = "nyet"\nanchor = {{ elo = {elo} }}{REST}')
        assert problem.startswith(f"`elo` of [anchor] is {elo}; it must be a number from -1000000")


def test_the_stop_test_is_for_two_bots(tmp_path: Path) -> None:
    head = 'game = "nyet"\nformat = "ladder"\n[stop]\ntest = [0, 20]\nhours = 1.5\n'
    bots = "".join(f'[[bots]]\nsample = "python-random"\nname = "{name}"\n' for name in "abc")
    assert problems(tmp_path, head + bots) == [
        "`test` of [stop] is about two bots, and there are 3; leave it out, or write"
        " separated = true"
    ]
    two = league(tmp_path, head + bots.rpartition("[[bots]]")[0])
    assert two.stop == Stopping(test=(0.0, 20.0), hours=1.5)
    assert (two.format, two.sets) == ("ladder", None)


def test_each_format_takes_its_own_keys(tmp_path: Path) -> None:
    bots = "".join(f'[[bots]]\nsample = "python-random"\nname = "{name}"\n' for name in "abcd")
    swiss = league(tmp_path, f'game = "nyet"\nformat = "swiss"\nrounds = 2\n{bots}')
    assert (swiss.format, swiss.rounds, swiss.sets_per_table, swiss.sets) == ("swiss", 2, 1, None)
    tie = 'game = "nyet"\nformat = "knockout"\nsets_per_table = 2\nmost_sets_per_tie = 5\n'
    knockout = league(tmp_path, tie + bots)
    assert (knockout.sets_per_table, knockout.most_sets_per_tie) == (2, 5)
    twice = league(tmp_path, f'game = "nyet"\nsets_per_line_up = 2\n{bots}')
    assert (twice.sets, twice.sets_per_line_up) == (None, 2)
    several = 'game = "nyet"\nformat = "gauntlet"\nchallenger = ["a", "b"]\n'
    assert league(tmp_path, several + bots).challengers == ("a", "b")


def with_stored(folder: Path, text: str, stored: StoredBots, *, may_be_few: bool = False) -> League:
    return read_league(write(folder, text), stored, may_be_few=may_be_few)


def test_bots_of_the_store_come_behind_those_of_the_file(tmp_path: Path) -> None:
    stored = StoredBots({"hen": {"sample": "python-high", "owner": "ann"}})
    found = with_stored(tmp_path, f'game = "nyet"\n{REST}', stored)
    assert [(each.name, each.owner) for each in found.entrants] == [
        ("python-random", "python-random"),
        ("python-bare", "python-bare"),
        ("hen", "ann"),
    ]


def test_a_file_without_bots_will_do_where_the_store_has_some(tmp_path: Path) -> None:
    stored = StoredBots({name: {"sample": "python-high"} for name in ("hen", "pig")})
    assert len(with_stored(tmp_path, 'game = "nyet"', stored).entrants) == 2


def test_a_bot_of_the_file_counts_where_the_store_has_one_of_its_name(tmp_path: Path) -> None:
    stored = StoredBots({"python-bare": {"sample": "python-high"}})
    found = with_stored(tmp_path, f'game = "nyet"\n{REST}', stored)
    assert [bot.folder.name for bot in found.bots.values()] == ["python-random", "python-bare"]


def test_what_is_wrong_with_a_bot_of_the_store_names_it(tmp_path: Path) -> None:
    stored = StoredBots({"hen": {"path": "bots/hen"}})
    with pytest.raises(BadLeague) as caught:
        with_stored(tmp_path, f'game = "nyet"\n{REST}', stored)
    assert "`path` of hen, admitted by command, is 'bots/hen': there is no " in str(caught.value)
    stored = StoredBots({"Python-Bare": {"sample": "python-high"}})
    with pytest.raises(BadLeague, match="`name` of Python-Bare, admitted by command, is"):
        with_stored(tmp_path, f'game = "nyet"\n{REST}', stored)


def test_a_bot_that_is_out_plays_no_part_and_its_name_stays_known(tmp_path: Path) -> None:
    three = f'game = "nyet"\nanchor = "hen"\n{REST}\n[[bots]]\nname = "hen"\npath = "gone"\n'
    out = StoredBots({"pig": {"path": "gone"}}, frozenset({"hen", "pig"}))
    for text in (three, f'game = "nyet"\nanchor = "hen"\n{REST}'):
        found = with_stored(tmp_path, text, out)
        assert [each.name for each in found.entrants] == ["python-random", "python-bare"]
    with pytest.raises(BadLeague, match="must differ in more than capitals"):
        with_stored(tmp_path, f'game = "nyet"\n{REST}\nname = "Hen"', out)


def test_sets_stay_single_matches_when_the_last_bot_that_dialled_in_is_out(tmp_path: Path) -> None:
    for has_callers_out in (True, False):
        stored = StoredBots({}, frozenset({"hen"}), has_callers_out)
        found = with_stored(tmp_path, f'game = "nyet"\n{REST}', stored)
        assert found.duplicate is not has_callers_out


def test_too_few_bots_are_no_problem_where_more_are_to_come(tmp_path: Path) -> None:
    one = StoredBots({"hen": {"sample": "python-high"}})
    assert len(with_stored(tmp_path, 'game = "nyet"', one, may_be_few=True).entrants) == 1
    with pytest.raises(BadLeague, match="2 seats need 2 bots, and there are 1"):
        with_stored(tmp_path, 'game = "nyet"', one)


def test_tables_of_the_file_are_found_by_the_names_of_their_bots(tmp_path: Path) -> None:
    path = write(tmp_path, f'game = "nyet"\n{REST}\nname = "hen"\n[[bots]]\npath = "gone"\n')
    assert bot_tables(path) == {
        "python-random": {"sample": "python-random", "name": "python-random"},
        "hen": {"sample": "python-bare", "name": "hen"},
    }
