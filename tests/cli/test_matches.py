"""`arena matches`, and the matches of a league in `arena replay` and `arena match --like`."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.bots.contents import content_hash
from arena.cli.bots import find
from arena.cli.judging.situation import table
from arena.json_formats import MATCH
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from arena.record import Record, from_json, to_json
from arena.record.decisions import decision
from arena.record.replay import replay
from arena.record.transcript import Audience, transcript
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest
from tests.cli.json_schemas import misfits
from tests.cli.test_main import run
from tests.league.leagues import NASTY

LEAGUE = Honest(bots=("fox", "owl", "crow", "hare", NASTY), sets=6, illegal=("hare",), unfinished=3)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return honest(tmp_path_factory.mktemp("leagues"), LEAGUE)


@pytest.fixture(scope="module")
def matches(league: Path) -> list[LeagueMatch]:
    with Reader.read(league / DATABASE) as store:
        return [played for one in store.complete_sets() for played in one.matches]


ORDINALS = ("", "1st", "2nd", "3rd", "4th")


def lines(*arguments: str) -> list[str]:
    code, output = run("matches", *arguments)
    assert code == 0, output
    return output.splitlines()


def refused(*arguments: str) -> tuple[int, str]:
    code, output = run(*arguments)
    return code, " ".join(output.split())


def test_every_match_of_a_complete_set_has_a_line(league: Path, matches: list[LeagueMatch]) -> None:
    *told, last = lines(str(league))
    assert [line.split()[0] for line in told] == [str(played.place) for played in matches]
    assert last == f"{len(matches)} matches; 3 matches of unfinished sets are not shown"
    played = next(played for played in matches if not played.record.faults)
    record = played.record
    by_seat = ", ".join(
        f"{name} {ORDINALS[place]} {score}"
        for name, place, score in zip(record.names, record.places, record.scores, strict=True)
    ).replace("\x1b", "\N{REPLACEMENT CHARACTER}")
    assert f"{played.place!s:<7} {played.ended}  {by_seat}" in told


def test_faults_are_on_the_line_with_who_forfeited(
    league: Path, matches: list[LeagueMatch]
) -> None:
    told = lines(str(league))
    at = next(at for at, played in enumerate(matches) if played.record.faults)
    assert told[at].endswith("; faults: hare illegal, hare illegal, hare illegal (forfeits)")


def test_a_match_that_was_not_begun_says_so(tmp_path: Path) -> None:
    home = honest(tmp_path, Honest(absent=("mole",), sets=4))
    told = next(line for line in lines(str(home)) if "mole" in line)
    assert told.endswith("; not begun; faults: mole never-started (forfeits)")
    place = told.split()[0]
    code, output = refused("replay", f"{home}:{place}")
    assert (code, f"match {place} was not begun, so there is nothing to tell" in output) == (
        1,
        True,
    )
    assert "never-started, said the referee" in output


def test_matches_are_chosen_by_bot_and_by_fault(league: Path, matches: list[LeagueMatch]) -> None:
    def places(*arguments: str) -> list[str]:
        return [line.split()[0] for line in lines(str(league), *arguments)[:-1]]

    def expected(bot: str | None, *, faulty: bool) -> list[str]:
        return [
            str(played.place)
            for played in matches
            if (bot is None or bot in played.record.names)
            and (not faulty or bool(played.record.faults))
        ]

    assert places("--bot", "crow") == expected("crow", faulty=False) != expected(None, faulty=False)
    assert places("--fault") == expected(None, faulty=True) != []
    assert places("--fault", "illegal") == expected(None, faulty=True)
    assert places("--fault", "late") == []
    assert places("--bot", "hare", "--fault") == expected("hare", faulty=True)
    assert places("--bot", "crow", "--fault") == [], "others' faults are not crow's"


def test_what_is_asked_of_one_match_is_asked_of_it_too(
    league: Path, matches: list[LeagueMatch]
) -> None:
    played = next(played for played in matches if not played.record.faults)
    (name, *_) = played.record.names
    (stranger,) = {*LEAGUE.bots} - {*played.record.names}
    match = f"{league}:{played.place}"
    assert len(lines(match, "--bot", name)) == 2
    assert lines(match, "--bot", stranger) == lines(match, "--fault")
    assert lines(match, "--fault")[0].startswith("0 matches")


def test_what_there_is_not_is_met_with_what_there_is(league: Path) -> None:
    code, output = refused("matches", str(league), "--bot", "crwo")
    assert (code, "there are: fox, owl, crow, hare" in output, "mean 'crow'?" in output) == (
        2,
        True,
        True,
    )
    code, output = refused("matches", str(league), "--fault", "lste")
    assert (code, "there is no kind 'lste'; there are: late, unreadable" in output) == (2, True)
    assert "Did you mean 'late'? Name the league before --fault" in output


def test_evidence_is_all_that_the_author_needs(league: Path, matches: list[LeagueMatch]) -> None:
    played = next(played for played in matches if played.record.faults)
    with Reader.read(league / DATABASE) as store:
        kept = store.evidence(played.place)[0]
    told = lines(f"{league}:{played.place}", "--evidence")
    assert told[1:15] == [
        f"    seat {kept.seat} hare, move {kept.move}: illegal (not-legal)",
        "      illegal, said the referee",
        '      request:  {"legal":["R1"]}',
        '      reply:    {"action":"Q9"}',
        "      as hex:   81 a6 61 63 74 69 6f 6e a2 51 39",
        "      legal:    R1",
        "      clock:    1.234 of 100.000 ms",
        f"      played:   {kept.played}, in its place",
        "      process:  exit code 1",
        "      its stdout:",
        "        | thinking",
        "      its stderr:",
        "        | Traceback",
        "        |         somewhere",
    ]
    assert told[15] == f"      again:    arena match --like {league.with_suffix('')}:{played.place}"
    assert len(told) == 1 + 3 * 15 + 1


def documented(*arguments: str) -> dict[str, Any]:
    code, output = run("matches", *arguments, "--json")
    assert code == 0, output
    found: dict[str, Any] = json.loads(output)
    return found


def test_json_is_one_document(league: Path, matches: list[LeagueMatch]) -> None:
    document = documented(str(league), "--evidence")
    assert (document["league"], document["game"]) == ("Sunday league", "nyet")
    assert (document["unfinished"], document["has_more"]) == (3, False)
    assert document["next"] == str(matches[-1].place)
    assert places_in(document) == [str(played.place) for played in matches]
    for each, played in zip(document["matches"], matches, strict=True):
        record = played.record
        seats = each["seats"]
        assert [seat["bot"] for seat in seats] == [*record.names]
        assert [seat["place"] for seat in seats] == [*record.places]
        assert [seat["score"] for seat in seats] == [*record.scores]
        assert [seat["seat"] for seat in seats if seat["is_forfeited"]] == [*record.forfeits]
        assert (each["name"], each["moves"]) == (record.match, len(record.moves))
        assert len(each["faults"]) == len(each["evidence"]) == len(record.faults)
    evidence = next(each for each in document["matches"] if each["faults"])["evidence"][0]
    assert evidence["bot"] == "hare"
    assert bytes.fromhex(evidence["reply"]) == b"\x81\xa6action\xa2Q9"
    assert json.loads(evidence["reply_decoded"]) == {"action": "Q9"}
    assert json.loads(evidence["request_decoded"]) == {"legal": ["R1"]}
    assert documented(str(league))["matches"][0].get("evidence") is None


def places_in(document: dict[str, Any]) -> list[str]:
    return [each["match"] for each in document["matches"]]


def test_a_list_in_parts_has_every_match_once(league: Path, matches: list[LeagueMatch]) -> None:
    for chosen in ((), ("--bot", "crow"), ("--fault",)):
        whole = places_in(documented(str(league), *chosen))
        found: list[str] = []
        after: tuple[str, ...] = ()
        for _ in range(len(whole) + 1):
            part = documented(str(league), *chosen, "--limit", "3", *after)
            found += places_in(part)
            assert part["has_more"] == (len(found) < len(whole))
            after = ("--after", part["next"])
            if not part["has_more"]:
                break
        assert found == whole != []
        rest = documented(str(league), *chosen, *after)
        assert (places_in(rest), rest["next"], rest["has_more"]) == ([], after[1], False)


def test_what_is_completed_later_comes_later_whatever_its_number(tmp_path: Path) -> None:
    """So a program that goes on after the last match it saw misses none."""
    home = honest(tmp_path, Honest(game="nope", seats=2, options={"max_turns": 5}, sets=5))
    before = places_in(documented(str(home)))
    for file in (DATABASE, COMPLETE_SETS):
        with closing(sqlite3.connect(home / file)) as db, db:
            events = db.execute(
                "SELECT number, body FROM events WHERE json_extract(body, '$.event') = 'set'"
            ).fetchall()
            (second, body_of_second), (last, body_of_last) = events[1], events[4]
            db.execute("UPDATE events SET body = ? WHERE number = ?", (body_of_last, second))
            db.execute("UPDATE events SET body = ? WHERE number = ?", (body_of_second, last))
    assert places_in(documented(str(home))) == [
        *before[:2],
        *before[8:],
        *before[4:8],
        *before[2:4],
    ]
    assert places_in(documented(str(home), "--after", "4.2")) == ["2.1", "2.2"]
    assert places_in(documented(str(home), "--after", "2.1")) == ["2.2"]
    assert [line.split()[0] for line in lines(str(home), "--after", "4.1")][:3] == [
        "4.2",
        "2.1",
        "2.2",
    ]


def test_a_list_in_words_says_how_it_goes_on(league: Path, matches: list[LeagueMatch]) -> None:
    last = lines(str(league), "--limit", "5")[-1]
    assert last == (
        f"5 matches; there are more: --after {matches[4].place}; 3 matches of unfinished sets are"
        " not shown"
    )
    assert lines(str(league), "--after", str(matches[4].place))[0].split()[0] == str(
        matches[5].place
    )


def test_a_single_match_that_is_not_shown_is_told_as_one(tmp_path: Path) -> None:
    one_left = honest(tmp_path, Honest(bots=LEAGUE.bots, sets=1, unfinished=1))
    assert lines(str(one_left))[-1].endswith("; 1 match of unfinished sets is not shown")


def test_a_place_to_go_on_from_must_be_one_that_was_listed(league: Path) -> None:
    code, output = refused("matches", str(league), "--after", "seven")
    assert (code, "name a match by its place, such as 17.4; got 'seven'" in output) == (2, True)
    code, output = refused("matches", str(league), "--after", "99.1")
    assert (code, "there is no match 99.1" in output) == (2, True)
    code, output = refused("matches", str(league), "--after", "7.1", "--json")
    assert (code, "match 7.1 is shown when set 7 is complete" in output) == (1, True)
    for more in (("--limit", "1"), ("--after", "1.1")):
        code, output = refused("matches", f"{league}:1.2", *more)
        assert (code, "--after and --limit are for lists;" in output) == (2, True)
    assert refused("matches", str(league), "--limit", "0")[0] == 2


def test_records_are_exported_in_the_order_of_the_list(
    league: Path, matches: list[LeagueMatch], tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl"
    code, output = run("matches", str(league), "--export", str(file))
    assert code == 0
    assert output == f"{len(matches)} records; 3 matches of unfinished sets are not shown\n"
    assert [from_json(line) for line in file.read_text().splitlines()] == [
        played.record for played in matches
    ]
    for at in (0, len(matches) - 1):
        told = run("replay", str(file), "--match", str(at))
        assert told == run("replay", f"{league}:{matches[at].place}")
    code, output = run("matches", f"{league}:{matches[3].place}", "--export", "-")
    assert output.splitlines()[0] == to_json(matches[3].record)
    code, output = run("matches", str(league), "--bot", "crow", "--limit", "2", "--export", "-")
    crows = [played for played in matches if "crow" in played.record.names][:2]
    assert output.splitlines()[:-1] == [to_json(played.record) for played in crows]
    assert output.splitlines()[-1].startswith(
        f"2 records; there are more: --after {crows[1].place}"
    )


def test_matches_that_were_not_begun_have_no_record_to_export(tmp_path: Path) -> None:
    home = honest(tmp_path, Honest(absent=("mole",), sets=4))
    endings = [match["ending"] for match in documented(str(home))["matches"]]
    absent = endings.count("not-begun")
    begun = len(endings) - absent
    code, output = run("matches", str(home), "--export", str(tmp_path / "all"))
    assert code == 0
    assert output == f"{begun} records; {absent} matches not begun\n"
    assert begun > 1 < absent
    assert len((tmp_path / "all").read_text().splitlines()) == begun


def test_an_export_is_refused_where_it_cannot_be(league: Path, tmp_path: Path) -> None:
    for more in ("--json", "--evidence"):
        code, output = refused("matches", str(league), "--export", "-", more)
        assert (code, "--export writes records alone" in output) == (2, True)
    code, output = refused("matches", str(league), "--export", str(tmp_path / "no" / "x"))
    assert (code, "for --export:" in output, "No such file" in output) == (2, True, True)


def test_a_match_of_a_league_is_written_as_a_record(
    league: Path, matches: list[LeagueMatch], tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    assert run("replay", f"{league}:{matches[2].place}", "--record", str(file)) == (0, "")
    assert from_json(file.read_text()) == matches[2].record


def test_nothing_a_bot_chose_touches_the_terminal(league: Path) -> None:
    for more in ((), ("--evidence",), ("--json",), ("--export", "-")):
        _, output = run("matches", str(league), *more)
        assert "\x1b" not in output


def test_nothing_of_an_unfinished_set_is_shown(league: Path) -> None:
    with Store.open(league / DATABASE) as store:
        number = next(state.planned.number for state in store.sets() if state.turns == (0, 1, 2))
        hidden = store.matches_of(number, 0)
    for *command, more in (
        ("matches", "--json"),
        ("matches", "--evidence"),
        ("matches", "--export=-"),
        ("replay", "--json"),
        ("replay", "--record=-"),
        ("match", "--like"),
    ):
        code, output = refused(*command, more, f"{league}:{number}.2")
        assert code == 1
        assert (
            f"match {number}.2 is shown when set {number} is complete: its cards are still to be"
            " played by others (3 of its 4 matches are played)" in output
        )
        code, output = refused(*command, more, f"{league}:{number}.4")
        assert (code, f"match {number}.4 was not played (yet)" in output) == (1, True)
    for flags in ("--json", "--json --evidence", "--export -"):
        _, output = run("matches", str(league), *flags.split())
        for played in hidden:
            assert played.record.seed not in output
            assert played.record.match not in output
        assert f'"{number}.' not in output


def test_a_league_or_a_set_without_a_match_is_asked_which(league: Path) -> None:
    for named, number in ((str(league), 1), (f"{league}:3", 3)):
        for command in (("replay",), ("ask",), ("match", "--like")):
            more = ("python-bare",) if command == ("ask",) else ()
            code, output = refused(*command, named, *more)
            assert code == 2
            assert f"which match of {league}? Set {number} has {number}.1 to {number}.4:" in output
            assert f"`arena matches {league}` lists them" in output
    code, output = refused("matches", f"{league}:3")
    assert (code, "which match of" in output) == (2, True)
    code, output = refused("replay", f"{league}:99")
    assert (code, "there is no set 99: this league has 7 sets" in output) == (2, True)


def test_a_match_that_is_not_in_the_schedule_is_refused(league: Path) -> None:
    for command in ("matches", "replay"):
        code, output = refused(command, f"{league}:99.1")
        assert (code, "there is no match 99.1: this league has 7 sets" in output) == (2, True)
        code, output = refused(command, f"{league}:1.5")
        assert (code, "4 matches, numbered 1.1 to 1.4" in output) == (2, True)


def test_a_match_of_a_league_is_told_again(league: Path, matches: list[LeagueMatch]) -> None:
    played = matches[5]
    name = f"{league}:{played.place}"
    assert run("replay", name) == (0, "\n".join(transcript(played.record)) + "\n")
    as_seat = "\n".join(transcript(played.record, Audience(2), 3, 9, table)) + "\n"
    assert run("replay", name, "--seat", "2", "--from", "3", "--to", "9") == (0, as_seat)
    code, output = run("replay", name, "--json", "--open")
    assert (code, len(output.splitlines())) == (0, len(played.record.moves))


def test_a_file_that_is_there_comes_before_a_match_of_that_name(
    league: Path, matches: list[LeagueMatch], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup:1.1").write_text(to_json(matches[3].record))
    assert run("replay", "cup:1.1")[1] == "\n".join(transcript(matches[3].record)) + "\n"
    code, output = refused("replay", "cup:1.2")
    assert (code, "'cup' is no league" in output) == (2, True)
    code, output = refused("replay", "nowhere.json")
    assert (code, "'nowhere.json' is no file, and no match of a league" in output) == (2, True)


TOML = """
game = "nope"
seats = 2
[options]
max_turns = 20
[[bots]]
name = "fox"
sample = "python-random"
[[bots]]
name = "owl"
{owl}
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A league of two, with its file."""
    home = honest(
        tmp_path,
        Honest(game="nope", seats=2, bots=("fox", "owl"), options={"max_turns": 20}, sets=2),
    )
    home.with_suffix(".toml").write_text(TOML.format(owl='sample = "python-bare"'))
    return home


def record_of(home: Path, place: Place) -> LeagueMatch:
    with Reader.read(home / DATABASE) as store:
        one = store.complete_set(place.set)
    assert one is not None
    return one.matches[place.turn]


def test_a_match_is_played_again_by_the_bots_of_the_leagues_file(small: Path) -> None:
    file = small.parent / "again.json"
    code, output = run("match", "--like", f"{small}:2.2", "--record", str(file))
    assert code == 0, output
    assert "fox has changed since this match" in output
    again, before = from_json(file.read_text()), record_of(small, Place(2, 1)).record
    assert (again.game, again.options, again.seed) == (before.game, before.options, before.seed)
    assert again.names == before.names
    first, second = (next(iter(replay(record))).state.view(0) for record in (again, before))
    assert first == second


def test_a_match_is_played_again_by_a_bot_that_was_admitted_by_command(small: Path) -> None:
    file = small.with_suffix(".toml")
    file.write_text(file.read_text().split('[[bots]]\nname = "owl"')[0])
    code, output = refused("match", "--like", f"{small}:2.2")
    assert (code, "owl is not in it any more" in output) == (1, True), output
    with Store.open(small / DATABASE) as store:
        store.admit("owl", {"sample": "python-bare"})
    assert run("match", "--like", f"{small}:2.2")[0] == 0


def test_other_bots_take_the_seats_in_order(small: Path) -> None:
    names = record_of(small, Place(1, 0)).record.names
    code, output = run("match", "--like", f"{small}:1.1", "python-bare", names[1])
    assert code == 0, output
    assert f"nope: seat 0 python-bare, seat 1 {names[1]}" in output
    code, output = refused("match", "--like", f"{small}:1.1", "python-bare")
    assert code == 2
    assert f"this match had 2 seats, so name 2 bots by seat, or none: {', '.join(names)}" in output


def test_one_bot_may_have_several_seats_of_a_match_that_is_played_again(small: Path) -> None:
    """Each seat has a process of its own; it used to wait for itself for ever."""
    code, output = run("match", "--like", f"{small}:1.1", "python-bare", "python-bare")
    assert (code, "seat 0 python-bare, seat 1 python-bare-2" in output) == (0, True)


def test_no_copy_takes_the_name_that_another_bot_has(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "bot.toml").write_text(
        'name = "python-bare-2"\ncommand = ["{python}", "bot.py"]\ngames = "any"\n'
    )
    (other / "bot.py").write_text(
        "from protocol import run\n\nrun(lambda asked: asked['legal'][0])\n"
    )
    of_three = Honest(game="nope", seats=3, options={"max_turns": 20}, sets=1)
    home = honest(tmp_path / "three", of_three)
    code, output = run("match", "--like", f"{home}:1.1", "python-bare", "python-bare", str(other))
    assert (code, "seat 0 python-bare, seat 1 python-bare-3, seat 2 python-bare-2" in output) == (
        0,
        True,
    ), output


@pytest.fixture
def versioned(tmp_path: Path) -> Path:
    """A league in which the fox of the file plays in the row fox+2, a later version."""
    nope = Honest(game="nope", seats=2, bots=("fox+2", "owl"), options={"max_turns": 20}, sets=1)
    home = honest(tmp_path, nope)
    for file in (DATABASE, COMPLETE_SETS):
        Damaged(home, file).event("entrant", {"version_of": "fox"}, name="fox+2")
    home.with_suffix(".toml").write_text(TOML.format(owl='sample = "python-bare"'))
    return home


def test_the_row_of_a_later_version_is_played_again_by_the_bot_of_the_file(versioned: Path) -> None:
    names = record_of(versioned, Place(1, 0)).record.names
    seats = f"nope: seat 0 {names[0]}, seat 1 {names[1]}"
    fox = str(names.index("fox+2"))
    for arguments in ((), names, ("--replay-others", fox), ("--replay-others", fox, "fox+2")):
        code, output = run("match", "--like", f"{versioned}:1.1", *arguments)
        assert (code, seats in output) == (0, True), output
        assert "fox+2 has changed since this match" in output
    code, output = run("match", "--like", f"{versioned}:1.1", "fox", "owl")
    assert (code, "nope: seat 0 fox, seat 1 owl" in output) == (0, True), output


REPEATS = (
    "import sys\nfrom protocol import run\nactions = sys.argv[1:]\n"
    "run(lambda request: actions.pop(0) if actions else request['legal'][0])\n"
)


def repeating(folder: Path, home: Path, *, but: str | None = None) -> str:
    """A bot that plays what seat 1 played in match 1.1, its first action perhaps replaced."""
    record = record_of(home, Place(1, 0)).record
    own = [move.action for move in record.moves if move.seat == 1]
    (folder / "bot.py").write_text(REPEATS)
    return " ".join([sys.executable, str(folder / "bot.py"), *([but, *own[1:]] if but else own)])


def test_the_other_seats_repeat_what_they_played(small: Path, tmp_path: Path) -> None:
    file = tmp_path / "again.json"
    bot = repeating(tmp_path, small)
    arguments = ("match", "--like", f"{small}:1.1", "--replay-others", "1", bot)
    code, output = run(*arguments, "--record", str(file))
    assert code == 0, output
    assert output.splitlines()[-1] == "every move is the recorded one"
    again, before = from_json(file.read_text()), record_of(small, Place(1, 0)).record
    assert [(each.seat, each.action) for each in again.moves] == [
        (each.seat, each.action) for each in before.moves
    ]
    assert (again.scores, again.names) == (before.scores, (before.names[0], "bot"))
    repeated = json.loads(run(*arguments, "--json")[1])["repeated"]
    assert repeated == {"seat": 1, "departed": None, "forced": None}


def test_it_is_told_where_the_match_left_its_record(small: Path, tmp_path: Path) -> None:
    record = record_of(small, Place(1, 0)).record
    number, move = next((n, each) for n, each in enumerate(record.moves) if each.seat == 1)
    other = next(name for name in legal_at(record, number) if name != move.action)
    bot = repeating(tmp_path, small, but=other)
    arguments = ("match", "--like", f"{small}:1.1", "--replay-others", "1", bot)
    _, output = run(*arguments)
    assert (
        f"first departure from the record: move {number}, seat 1 (bot) plays {other}; recorded:"
        f" {move.action}" in output
    )
    _, output = run(*arguments, "--json")
    document = json.loads(output)
    assert misfits(MATCH, document) == []
    assert document["repeated"]["departed"] == {
        "move": number,
        "seat": 1,
        "bot": "bot",
        "played": other,
        "recorded": move.action,
    }
    forced = document["repeated"]["forced"]
    assert forced is None or (forced["move"], forced["bot"]) > (number, record.names[1])


def legal_at(record: Record, number: int) -> tuple[str, ...]:
    return decision(record, number).legal


def test_the_seat_to_be_played_is_named_and_has_one_bot(small: Path) -> None:
    names = record_of(small, Place(1, 0)).record.names
    code, output = run("match", "--like", f"{small}:1.1", "--replay-others", "0")
    assert code == 0
    assert f"nope: seat 0 {names[0]}, seat 1 {names[1]}" in output
    code, output = run("match", "--like", f"{small}:1.1", "--replay-others", "0", names[1])
    assert (code, f"seat 0 {names[1]}-2, seat 1 {names[1]}" in output) == (0, True)
    for arguments, words in (
        (("--like", f"{small}:1.1", "--replay-others", "2"), "had seats 0 to 1; got 2"),
        (
            ("--like", f"{small}:1.1", "--replay-others", "0", "a", "b"),
            f"name one bot for it, or none for {names[0]}; got 2",
        ),
        (("nope", "python-bare", "python-bare", "--replay-others", "0"), "is for --like"),
    ):
        code, output = refused("match", *arguments)
        assert (code, words in output) == (2, True)


def test_a_match_that_was_not_begun_cannot_be_repeated(tmp_path: Path) -> None:
    home = honest(tmp_path, Honest(absent=("mole",), sets=4))
    place = next(line for line in lines(str(home)) if "mole" in line).split()[0]
    code, output = refused(
        "match", "--like", f"{home}:{place}", "--replay-others", "0", "python-random"
    )
    assert (code, f"match {place} was not begun: there is nothing to repeat" in output) == (1, True)


def test_the_clock_is_the_leagues_unless_another_is_given(small: Path) -> None:
    with Reader.read(small / DATABASE) as store:
        settings = dict(store.settings)
    with Store.open(small / DATABASE) as store:
        store.change_settings({**settings, "decision_ms": 1234, "faults_to_forfeit": 7}, ())
    _, output = run("match", "--like", f"{small}:1.1", "--tap", "--bank-ms", "77")
    start = next(line for line in output.splitlines() if '"type":"start"' in line)
    clock = json.loads(start.split(" <- ")[1])["clock"]
    assert clock["decision_ms"] == 1234
    assert clock["bank_ms"] == 77
    assert clock["faults_to_forfeit"] == 7


def test_like_without_a_match_or_with_a_deal_of_its_own_is_refused(small: Path) -> None:
    code, output = refused("match", "--like", "cup")
    assert (code, "name a league and a match of it, such as league:17.4; got 'cup'" in output) == (
        2,
        True,
    )
    for more in (("--seed", "1"), ("--sets", "2"), ("-o", "rounds=1")):
        code, output = refused("match", "--like", f"{small}:1.1", *more)
        assert (code, "--like takes deal and options from the match" in output) == (2, True)
    code, output = refused("match", "nope")
    assert (code, "name a game and its bots, such as" in output) == (2, True)


def test_a_league_file_that_is_gone_or_has_other_bots_says_what_to_do(small: Path) -> None:
    file = small.with_suffix(".toml")
    text = file.read_text()
    file.write_text(text.replace('name = "owl"', 'name = "eagle"'))
    code, output = refused("match", "--like", f"{small}:1.1")
    assert (code, "owl is not in it any more; name the bots of this match by seat" in output) == (
        1,
        True,
    )
    file.write_text("game = 7")
    code, output = refused("match", "--like", f"{small}:1.1")
    assert (code, "Mend it, or name the bots by seat, in the place of" in output) == (1, True)
    file.unlink()
    code, output = refused("match", "--like", f"{small}:1.1")
    assert (code, "to take the bots from; name the bots by seat" in output) == (1, True)
    assert run("match", "--like", f"{small}:1.1", "python-bare", "python-random")[0] == 0


def test_a_bot_that_is_as_it_was_is_not_remarked_on(small: Path) -> None:
    for name, sample in (("fox", "python-random"), ("owl", "python-bare")):
        content = content_hash(find(sample))
        for file in (DATABASE, COMPLETE_SETS):
            Damaged(small, file).execute(
                "UPDATE entrants SET content = ? WHERE name = ?", content, name
            )
    code, output = run("match", "--like", f"{small}:1.1")
    assert (code, "has changed since" in output) == (0, False)
