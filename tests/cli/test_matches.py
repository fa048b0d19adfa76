"""`arena matches`, and the matches of a league in `arena replay` and `arena match --like`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli.bots import find
from arena.league.database import FILE_NAME
from arena.league.played import Played
from arena.league.sets import Place
from arena.league.store import Store
from arena.record import Audience, from_json, replay, to_json, transcript
from arena.referee.contents import content_hash
from tests.cli.damage import Damaged
from tests.cli.honest import Honest, honest
from tests.cli.test_main import run
from tests.league.leagues import NASTY

LEAGUE = Honest(bots=("fox", "owl", "crow", "hare", NASTY), sets=6, illegal=("hare",), unfinished=3)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return honest(tmp_path_factory.mktemp("leagues"), LEAGUE)


@pytest.fixture(scope="module")
def matches(league: Path) -> list[Played]:
    with Store.read(league / FILE_NAME) as store:
        return [played for one in store.complete_sets() for played in one.matches]


ORDINALS = ("", "1st", "2nd", "3rd", "4th")


def lines(*arguments: str) -> list[str]:
    code, output = run("matches", *arguments)
    assert code == 0, output
    return output.splitlines()


def refused(*arguments: str) -> tuple[int, str]:
    code, output = run(*arguments)
    return code, " ".join(output.split())


def test_every_match_of_a_complete_set_has_a_line(league: Path, matches: list[Played]) -> None:
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


def test_faults_are_on_the_line_with_who_forfeited(league: Path, matches: list[Played]) -> None:
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


def test_matches_are_chosen_by_bot_and_by_fault(league: Path, matches: list[Played]) -> None:
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


def test_what_is_asked_of_one_match_is_asked_of_it_too(league: Path, matches: list[Played]) -> None:
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


def test_evidence_is_all_that_the_author_needs(league: Path, matches: list[Played]) -> None:
    played = next(played for played in matches if played.record.faults)
    with Store.read(league / FILE_NAME) as store:
        kept = store.evidence(played.place)[0]
    told = lines(f"{league}:{played.place}", "--evidence")
    assert told[1:17] == [
        f"    seat {kept.seat} hare, move {kept.move}: illegal (not-legal)",
        "      illegal, said the referee",
        "      came:     Q9",
        "      expected: a legal action",
        '      request:  {"legal":["R1"]}',
        '      reply:    {"action":"Q9"}',
        "      as hex:   81 a6 61 63 74 69 6f 6e a2 51 39",
        "      legal:    R1",
        "      clock:    1.234 of 100.000 ms",
        f"      played:   {kept.played}, in its place",
        "      process:  exit code 1",
        "      its stdout ended:",
        "        | thinking",
        "      its stderr ended:",
        "        | Traceback",
        "        |   somewhere",
    ]
    assert told[17] == f"      again:    arena match --like {league.with_suffix('')}:{played.place}"
    assert len(told) == 1 + 3 * 17 + 1


def test_json_is_one_document(league: Path, matches: list[Played]) -> None:
    _, output = run("matches", str(league), "--json", "--evidence")
    document = json.loads(output)
    assert document["league"] == "Sunday league"
    assert document["unfinished"] == 3
    assert [each["match"] for each in document["matches"]] == [
        str(played.place) for played in matches
    ]
    for each, played in zip(document["matches"], matches, strict=True):
        record = played.record
        assert each["bots"] == [*record.names]
        assert each["places"] == [*record.places]
        assert each["scores"] == [*record.scores]
        assert each["moves"] == len(record.moves)
        assert len(each["faults"]) == len(each["evidence"]) == len(record.faults)
    evidence = next(each for each in document["matches"] if each["faults"])["evidence"][0]
    assert bytes.fromhex(evidence["reply"]) == b"\x81\xa6action\xa2Q9"
    assert json.loads(evidence["reply_decoded"]) == {"action": "Q9"}
    assert json.loads(evidence["request_decoded"]) == {"legal": ["R1"]}
    assert (
        json.loads(run("matches", str(league), "--json")[1])["matches"][0].get("evidence") is None
    )


def test_nothing_a_bot_chose_touches_the_terminal(league: Path) -> None:
    for more in ((), ("--evidence",), ("--json",)):
        _, output = run("matches", str(league), *more)
        assert "\x1b" not in output


def test_nothing_of_an_unfinished_set_is_shown(league: Path) -> None:
    with Store.read(league / FILE_NAME) as store:
        number = next(state.planned.number for state in store.sets() if state.turns == (0, 1, 2))
        hidden = store.matches_of(number, 0)
    for command in (("matches",), ("replay",), ("match", "--like")):
        code, output = refused(*command, f"{league}:{number}.2")
        assert code == 1
        assert (
            f"match {number}.2 is shown when set {number} is complete: its cards are still to be"
            " played by others (3 of its 4 matches are played)" in output
        )
        code, output = refused(*command, f"{league}:{number}.4")
        assert (code, f"match {number}.4 was not played (yet)" in output) == (1, True)
    _, output = run("matches", str(league), "--json", "--evidence")
    assert hidden[0].record.seed not in output
    assert f'"{number}.' not in output


def test_a_match_that_is_not_in_the_schedule_is_refused(league: Path) -> None:
    for command in ("matches", "replay"):
        code, output = refused(command, f"{league}:99.1")
        assert (code, "there is no match 99.1: this league has 7 sets" in output) == (2, True)
        code, output = refused(command, f"{league}:1.5")
        assert (code, "4 matches, numbered 1.1 to 1.4" in output) == (2, True)


def test_a_match_of_a_league_is_told_again(league: Path, matches: list[Played]) -> None:
    played = matches[5]
    name = f"{league}:{played.place}"
    assert run("replay", name) == (0, "\n".join(transcript(played.record)) + "\n")
    as_seat = "\n".join(transcript(played.record, Audience(2), 3, 9)) + "\n"
    assert run("replay", name, "--seat", "2", "--from", "3", "--to", "9") == (0, as_seat)
    code, output = run("replay", name, "--json", "--open")
    assert (code, len(output.splitlines())) == (0, len(played.record.moves))


def test_a_file_that_is_there_comes_before_a_match_of_that_name(
    league: Path, matches: list[Played], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
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


def record_of(home: Path, place: Place) -> Played:
    with Store.read(home / FILE_NAME) as store:
        one = store.complete_set(place.set)
    assert one is not None
    return one.matches[place.turn]


def test_a_match_is_played_again_by_the_bots_of_the_leagues_file(small: Path) -> None:
    file = small.parent / "again.json"
    code, output = run("match", "--like", f"{small}:2.2", "--record", str(file))
    assert code == 0, output
    assert "fox is not what it was in this match" in output
    again, before = from_json(file.read_text()), record_of(small, Place(2, 1)).record
    assert (again.game, again.options, again.seed) == (before.game, before.options, before.seed)
    assert again.names == before.names
    first, second = (next(iter(replay(record))).state.view(0) for record in (again, before))
    assert first == second


def test_other_bots_take_the_seats_in_order(small: Path) -> None:
    names = record_of(small, Place(1, 0)).record.names
    code, output = run("match", "--like", f"{small}:1.1", "python-bare", names[1])
    assert code == 0, output
    assert f"nope: seat 0 python-bare, seat 1 {names[1]}" in output
    code, output = refused("match", "--like", f"{small}:1.1", "python-bare")
    assert code == 2
    assert f"this match had 2 seats, so name 2 bots by seat, or none: {', '.join(names)}" in output


def test_the_clock_is_the_leagues_unless_another_is_given(small: Path) -> None:
    with Store.read(small / FILE_NAME) as store:
        settings = dict(store.settings)
    with Store.open(small / FILE_NAME) as store:
        store.change_settings({**settings, "decision_ms": 1234, "faults_to_forfeit": 7})
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
        Damaged(small).execute("UPDATE entrants SET content = ? WHERE name = ?", content, name)
    code, output = run("match", "--like", f"{small}:1.1")
    assert (code, "is not what it was" in output) == (0, False)
