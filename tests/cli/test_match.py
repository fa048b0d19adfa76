"""`arena match`, with real bots."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena import data
from arena.cli.bots import named_bots
from arena.cli.match_view import why_void
from arena.cli.tap import decoded
from arena.cli.values import game_options, seed_bytes, value
from arena.record import from_json
from arena.record.replay import replay
from arena.referee.replies import Broken, Failed, Lagged
from protocol.breaches import out_of_time
from tests.cli.test_main import run

ARENA = (sys.executable, "-c", "from arena.cli import main; main()")
TWO = ("python-random", "python-bare")
SHORT = ("-o", "rounds=1")
# Writes down every message that it gets, with the process that got it.
TELLS = Path(__file__).parents[1] / "league" / "bots" / "tells.py"


def match(*arguments: str) -> tuple[int, str]:
    return run("match", *arguments)


def test_a_match_is_told_with_its_seed_moves_and_result() -> None:
    code, output = match("nyet", *TWO, *SHORT, "--seed", "hex:0102")
    assert code == 0
    lines = output.splitlines()
    assert lines[0] == "nyet: seat 0 python-random, seat 1 python-bare"
    assert lines[1] == "seed hex:0102"
    assert lines[2].startswith("Round 1. Seat ")
    assert sum(" covers " in line for line in lines) == 16
    assert lines[-1].endswith("moves; ending: rounds")
    assert lines[-3].startswith("place 1: seat ")


def test_the_same_seed_deals_the_same_cards(tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("one", "two")]
    for file in files:
        assert match("nope", *TWO, "--seed", "again", "--record", file)[0] == 0
    first, second = (from_json(Path(file).read_text()) for file in files)
    assert first.seed == second.seed == b"again".hex()
    assert next(iter(replay(first))).state.view(0) == next(iter(replay(second))).state.view(0)


def test_a_recorded_match_can_be_replayed(tmp_path: Path) -> None:
    file = str(tmp_path / "match.json")
    assert match("njet", *TWO, *SHORT, "--record", file)[0] == 0
    code, output = run("replay", file)
    assert code == 0
    assert "place 1: seat " in output


def test_a_record_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    file = tmp_path / "nowhere" / "match.json"
    code, output = match("nope", *TWO, "--record", str(file))
    said = " ".join(output.split())
    assert (code, f"{file} cannot be written: No such file or directory" in said) == (2, True)
    assert "seed hex" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_results_are_told_though_the_record_could_not_be_written() -> None:
    code, output = match("nope", *TWO, "--sets", "2", "-o", "max_turns=3", "--record", "/dev/full")
    assert code == 1
    full = "/dev/full: No space left on device; the records are not there, or not whole"
    assert full in output.splitlines()
    assert "2 sets of 2 matches" in output


def test_a_record_of_before_stays_until_there_is_another(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("")
    broken = f"{sys.executable} {tmp_path / 'broken.py'}"
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("a record, and a longer one than that of a match of three turns" * 1000)
    before = old.read_text()
    for file in (old, new):
        assert match("nope", "python-random", broken, "--record", str(file))[0] == 4
    assert (old.read_text(), new.exists()) == (before, False)
    assert match("nope", *TWO, "-o", "max_turns=3", "--record", str(old))[0] == 0
    assert len(from_json(old.read_text()).moves) >= 3


def test_sets_are_played_in_every_seating_and_compared(tmp_path: Path) -> None:
    file = tmp_path / "sets.json"
    code, output = match("nope", *TWO, "python-random", "--sets", "2", "--record", str(file))
    assert code == 0
    assert [line[:18] for line in output.splitlines() if line.startswith("set ")] == [
        "set 1 of 2: ahead ",
        "set 2 of 2: ahead ",
    ]
    assert "2 sets of 3 matches; bars are 95 %, over sets" in output
    assert "python-random x2 over python-bare: " in output or " over python-random x2: " in output
    records = [from_json(line) for line in file.read_text().splitlines()]
    assert len({record.seed for record in records}) == 2
    assert [record.names[0] for record in records[:3]] == [*TWO, "python-random-2"]
    assert run("replay", str(file), "--match", "5")[0] == 0
    code, output = run("replay", str(file), "--match", "6")
    assert (code, "this file has 6 records, numbered from 0" in output) == (2, True)


def test_copies_of_a_bot_share_a_row() -> None:
    code, output = match("nope", *TWO, *TWO, "--sets", "1", "-o", "max_turns=3", "--json")
    assert code == 0
    document = json.loads(output)
    assert document["bots"] == [*TWO, *(f"{name}-2" for name in TWO)]
    assert {row["bot"]: row["copies"] for row in document["results"]} == dict.fromkeys(TWO, 2)
    code, output = match("nope", TWO[0], TWO[0], "--sets", "1", "-o", "max_turns=3", "--json")
    assert [row["copies"] for row in json.loads(output)["results"]] == [1, 1]


def test_two_bots_that_do_not_meet_are_compared_against_the_same_others(tmp_path: Path) -> None:
    record, kept = tmp_path / "matches.json", tmp_path / "kept"
    arguments = (
        *("nope", "python-random", "--against", "python-bare", "--field", "python-random"),
        *("python-random", "-o", "max_turns=3", "--sets", "5", "--keep", str(kept)),
    )
    code, output = match(*arguments, "--record", str(record))
    assert code == 0
    assert "5 sets of 6 matches; bars are 95 %, over sets" in output
    rows = [line.split()[0] for line in output.splitlines() if "±" in line and "over" not in line]
    assert sorted(rows[:2]) == ["python-bare", "python-random"]
    assert "in Elo, from what each won of the same others: " in output
    names = [from_json(line).names for line in record.read_text().splitlines()[:4]]
    assert names == [
        ("python-random", "python-random-2", "python-random-3"),
        ("python-bare", "python-random-2", "python-random-3"),
        ("python-random-2", "python-random-3", "python-random"),
        ("python-random-2", "python-random-3", "python-bare"),
    ]
    code, again = match(*arguments)
    assert "5 sets are kept, and not played again" in again
    assert again.endswith(output[output.index("\n5 sets of") :])
    other = ("nope", "python-random", "python-random", "python-random", "python-bare")
    code, output = match(*other, "-o", "max_turns=3", "--sets", "5", "--keep", str(kept))
    assert code == 1
    assert "the bot to compare with: before python-bare, now not set" in output


def test_folders_whose_bots_have_one_name_are_called_by_their_own(tmp_path: Path) -> None:
    """A copied folder keeps the name in its bot.toml; a number would look like another folder."""
    for name in ("fox-2", "fox", "a b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(
            'name = "fox"\ncommand = ["{python}", "bot.py"]\ngames = ["nope"]\n'
        )
        (tmp_path / name / "bot.py").write_text("from protocol import run\n")
    new, old, blank = (str(tmp_path / name) for name in ("fox-2", "fox", "a b"))

    def names(*arguments: str) -> list[str]:
        return [bot.name for bot in named_bots(arguments)]

    assert names(new, old) == ["fox-2", "fox"]
    assert names(old, new, new) == ["fox", "fox-2", "fox-2-2"]
    assert names(old, old, new) == ["fox", "fox-3", "fox-2"]
    assert names(old, old) == ["fox", "fox-2"]
    assert names(blank, old) == ["fox", "fox-2"]  # no name has blanks: which is which is told
    assert names("dial-in", "dial-in") == ["dial-in", "dial-in-2"]
    _, output = match("nope", new, old, "--start-ms", "1")
    assert f"bots of one name: fox-2 is {new}, fox is {old}" in output
    _, output = match("nope", new, new, "--start-ms", "1")
    assert "bots of one name" not in output


def test_the_game_may_be_left_out_where_the_bots_play_only_one(tmp_path: Path) -> None:
    code, output = match("python-nope", "python-nope", "-o", "max_turns=3")
    assert (code, output.splitlines()[0]) == (0, "nope: seat 0 python-nope, seat 1 python-nope-2")
    code, output = match("python-random", *TWO)
    assert code == 2
    assert "name the game before the bots, one of nyet, njet, njet-it, nope" in output
    code, output = match("python-nope", "python-tricks")
    assert (code, "there is no game that all these bots say they play" in output) == (2, True)
    code, output = match(f"{tmp_path}/missing", TWO[0])
    assert (code, "missing' is no bot" in output) == (2, True)


def test_a_stop_test_is_told_before_with_each_set_and_with_its_verdict() -> None:
    arguments = ("nope", *TWO, "-o", "max_turns=3", "--seed", "level", "--stop", "-600:600")
    code, output = match(*arguments)
    assert code == 0
    lines = output.splitlines()
    assert lines[0] == "python-random against python-bare: -600 or 600 Elo? (alpha 0.05, beta 0.05)"
    assert lines[1].startswith("it takes some 10 sets of 2 matches where -600 is true, ")
    assert lines[2].startswith("set 1: ahead python-random ")
    assert lines[2].endswith(" of -2.94 to 2.94")
    verdict, meaning, elo = lines[-3:]
    assert verdict.startswith("stop test -600 to 600 Elo: ")
    assert " rather than " in meaning or "ruled out" in meaning
    assert elo.startswith("  python-random over python-bare in ")
    assert not any("separated" in line for line in lines)


def test_a_stop_test_that_may_not_go_on_says_so_in_json_too() -> None:
    arguments = ("nope", *TWO, "-o", "max_turns=3", "--stop", "0:0.5nelo", "--sets", "2")
    code, output = match(*arguments)
    assert code == 0
    assert "stop test 0 to 0.5 normalised Elo: not yet" in output
    code, output = match(*arguments, "--json")
    stop = json.loads(output)["stop"]
    assert (stop["bounds"], stop["verdict"], stop["sets"]) == ("0:0.5nelo", "not yet", 2)
    assert stop["ratio_low"] < stop["ratio"] < stop["ratio_high"]


def test_the_same_command_goes_on_with_the_sets_that_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    fast = ("nope", *TWO, "-o", "max_turns=3", "--keep", str(file))
    code, output = match(*fast, "--stop", "0:0.5", "--sets", "2")
    assert code == 0
    code, output = match(*fast, "--stop", "0:0.5", "--sets", "3")
    assert code == 0
    assert f"{file}: 2 sets are kept, and not played again" in output
    assert [line[:6] for line in output.splitlines() if line.startswith("set ")] == ["set 3 "]
    assert "3 sets of 2 matches" in output
    kept = [json.loads(line)["records"] for line in file.read_text().splitlines()[1:]]
    records = [from_json(json.dumps(record)) for one in kept for record in one]
    code, output = match(*fast, "--stop", "0:0.5", "--sets", "3", "--json")
    document = json.loads(output[output.index("{\n") :])
    assert [played["name"] for played in document["matches"]] == [each.match for each in records]
    assert [played["match"] for played in document["matches"]] == [
        f"{number}.{turn}" for number in (1, 2, 3) for turn in (1, 2)
    ]
    assert document["stop"]["sets"] == 3


def test_a_changed_bot_and_other_bounds_do_not_go_on(tmp_path: Path) -> None:
    bot, file = tmp_path / "bot", tmp_path / "kept"
    shutil.copytree(data.sample_bots() / "python-bare", bot)
    fast = ("nope", str(bot), TWO[0], "-o", "max_turns=3", "--keep", str(file), "--sets", "1")
    assert match(*fast, "--stop", "0:10")[0] == 0
    code, output = match(*fast, "--stop", "0:20")
    assert (code, "bounds of the stop test: before 0:10, now 0:20" in output) == (1, True)
    code, output = match(*fast, "--stop", "0:10", "--seed", "other")
    assert (code, "the seed: before " in output) == (1, True)
    (bot / "idea.py").write_text("# better\n")
    code, output = match(*fast, "--stop", "0:10")
    assert code == 1
    assert "python-bare has changed since: it is another version" in output
    assert "set 1" not in output


def test_several_sets_at_once_have_the_deals_and_seatings_of_one_at_a_time(tmp_path: Path) -> None:
    fast = ("nope", *TWO, "-o", "max_turns=3", "--sets", "5", "--seed", "same", "--json")
    played = []
    for jobs in ("1", "3"):
        code, output = match(*fast, "--jobs", jobs)
        assert code == 0
        matches = json.loads(output[output.index("{\n") :])["matches"]
        seated = [[seat["bot"] for seat in each["seats"]] for each in matches]
        played.append([(each["match"], each["seed"], *seated) for each in matches])
        assert len({each["seed"] for each in matches}) == 5
    assert played[0] == played[1]


def test_two_sets_separate_nobody() -> None:
    code, output = match("nope", *TWO, "--sets", "2", "-o", "max_turns=3", "--seed", "level")
    assert code == 0
    (last,) = [line for line in output.splitlines() if " over " in line and "±" in line]
    assert "±?" in last
    assert not last.endswith(", separated")


def test_no_process_plays_two_matches_of_one_set(tmp_path: Path) -> None:
    notes = [tmp_path / name for name in ("one", "two", "three")]
    bots = [f"{sys.executable} {TELLS} {file}" for file in notes]
    # Unconfined: they write into files that the test reads, and tell of processes by number.
    unconfined = ("--confine", "none")
    code, output = match("nope", *bots, "--sets", "4", "-o", "max_turns=4", "--json", *unconfined)
    assert code == 0
    matches = json.loads(output[output.index("{\n") :])["matches"]
    set_of = {each["name"]: each["set"] for each in matches}
    assert len(set_of) == 12
    for file in notes:
        told = [json.loads(line) for line in file.read_text().splitlines()]
        played = [(pid, set_of[each["match"]]) for pid, each in told if each["type"] == "start"]
        assert len(played) == len({*played}) == 12
        assert len({pid for pid, _ in played}) == 3


def test_json_says_by_name_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    code, output = match("nyet", *TWO, *SHORT, "--json", "--record", str(file))
    assert code == 0
    document = json.loads(output)
    assert (document["game"], document["bots"]) == ("nyet", list(TWO))
    (played,) = document["matches"]
    record = from_json(file.read_text())
    assert (played["match"], played["name"], played["seed"]) == ("1.1", record.match, record.seed)
    assert (played["ending"], played["moves"]) == (record.ending, len(record.moves))
    for seat, told in enumerate(played["seats"]):
        times = [move.time_us for move in record.moves if move.seat == seat and move.time_us]
        assert told == {
            "seat": seat,
            "bot": TWO[seat],
            "place": record.places[seat],
            "score": record.scores[seat],
            "is_forfeited": False,
            "faults": 0,
            "decisions": len(times),
            "think_ms": round(sum(times) / len(times) / 1000, 3),
            "slowest_ms": max(times) / 1000,
        }
    assert (played["faults"], played["evidence"]) == ([], [])
    assert len(output.splitlines()) < 60
    _, output = match("nope", *TWO, "--json", "--sets", "2")
    document = json.loads(output)
    assert len(document["matches"]) == 4
    assert {row["bot"] for row in document["results"]} == set(TWO)


def test_the_tap_prints_every_frame_decoded_with_its_time() -> None:
    code, output = match("nope", *TWO, "--tap", "-o", "max_turns=3")
    assert code == 0
    lines = output.splitlines()
    assert sum('-> {"type":"hello"' in line for line in lines) == 2
    assert sum('<- {"type":"welcome"' in line for line in lines) == 2
    requests = [line for line in lines if '<- {"type":"request"' in line]
    answers = [line for line in lines if '-> {"type":"action"' in line]
    assert len(requests) == len(answers) >= 3
    assert all(float(line.split()[0]) >= 0 and line.split()[1] == "ms" for line in requests)


def test_the_tap_shows_what_a_hello_held_that_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(
        "import os\n"
        "os.environ['ARENA_TOKEN'] = 'guessed'\n"
        "from protocol import run\n"
        "run(lambda request: request['legal'][0])\n",
        encoding="utf-8",
    )
    wrong = f"{sys.executable} {tmp_path / 'wrong.py'}"
    code, output = match("nope", wrong, "python-random", "--tap")
    assert code == 4
    assert '(somebody) -> {"type":"hello","protocol":1,"token":"guessed"' in output
    assert '(somebody) <- {"type":"bye","reason":"bad-token"' in output


def test_what_cannot_be_read_is_tapped_as_hexadecimal() -> None:
    assert decoded(b"\xc1") == "unreadable: c1"
    assert decoded(b"\xc1" * 201).endswith(" ...")


def cheat(tmp_path: Path) -> str:
    """A bot that always answers with a card nobody has."""
    (tmp_path / "cheat.py").write_text(
        "from protocol import run\nrun(lambda request: 'Q9')\n", encoding="utf-8"
    )
    return f"{sys.executable} {tmp_path / 'cheat.py'}"


def test_faults_are_told_with_their_reasons_and_by_the_exit_code(tmp_path: Path) -> None:
    code, output = match("nyet", cheat(tmp_path), "python-random", *SHORT)
    assert code == 3
    assert (
        'illegal (not-legal, SPEC 4.5), request 1: you played "Q9", but nyet has no such' in output
    )
    assert "place 2: seat 0 cheat, forfeited" in output
    code, output = match("nyet", cheat(tmp_path), "python-random", *SHORT, "--json")
    (played,) = json.loads(output)["matches"]
    assert [fault["code"] for fault in played["faults"]] == ["not-legal"] * 3
    assert [fault["bot"] for fault in played["faults"]] == ["cheat"] * 3
    assert [seat["faults"] for seat in played["seats"]] == [3, 0]
    assert [seat["is_forfeited"] for seat in played["seats"]] == [True, False]
    assert bytes.fromhex(played["evidence"][0]["reply"])
    assert played["evidence"][0]["legal"]


def test_a_bot_that_answers_twice_is_told_although_it_costs_nothing(tmp_path: Path) -> None:
    """A second answer is forgiven for each request (SPEC 5.3), and is a fault after that."""
    (tmp_path / "echo.py").write_text(
        "import os, socket, msgpack\n"
        "link = socket.socket(socket.AF_UNIX)\n"
        "link.connect(os.environ['ARENA_CONNECT'].partition(':')[2])\n"
        "def send(message, times=1):\n"
        "    body = msgpack.packb(message)\n"
        "    link.sendall((len(body).to_bytes(4, 'big') + body) * times)\n"
        "send({'type': 'hello', 'protocol': 1, 'token': os.environ['ARENA_TOKEN']})\n"
        "with link.makefile('rb') as read:\n"
        "    while head := read.read(4):\n"
        "        got = msgpack.unpackb(read.read(int.from_bytes(head, 'big')))\n"
        "        if got['type'] == 'request':\n"
        "            answer = {key: got[key] for key in ('match', 'id')}\n"
        "            send({'type': 'action', 'action': got['legal'][0]} | answer, 2)\n",
        encoding="utf-8",
    )
    bot = f"{sys.executable} {tmp_path / 'echo.py'}"
    for more in ((), ("--quiet",)):
        code, output = match("nope", bot, "python-random", "-o", "max_turns=6", *more)
        assert code == 0, output
        (line,) = [each for each in output.splitlines() if "a second time" in each]
        assert line.startswith("echo answered ")
        assert line.endswith("from then on each is a fault (SPEC 5.3)")


@pytest.mark.parametrize(
    ("end", "how"),
    [
        ("raise RuntimeError('no such card')", "exit code 1"),
        ("sys.exit(0)", "exit code 0"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by signal 11 (SIGSEGV)"),
    ],
)
def test_of_a_bot_that_ends_in_a_match_it_is_told_how_and_what_it_printed(
    tmp_path: Path, end: str, how: str
) -> None:
    (tmp_path / "mayfly.py").write_text(
        "import os, signal, sys\n"
        "from protocol import run\n"
        "def decide(request):\n"
        "    print('I hold', len(request['legal']), flush=True)\n"
        "    print('oh dear', file=sys.stderr, flush=True)\n"
        f"    {end}\n"
        "run(decide)\n",
        encoding="utf-8",
    )
    mayfly = f"{sys.executable} {tmp_path / 'mayfly.py'}"
    code, output = match("nyet", mayfly, "python-random", *SHORT)
    assert code == 3
    lines = output.splitlines()
    at = next(number for number, line in enumerate(lines) if "gone (closed" in line)
    assert lines[at + 1] == f"  its process: {how}"
    assert lines[at + 2].startswith("  its stdout: I hold ")
    assert "  its stderr: oh dear" in lines[at + 3 :]
    _, output = match("nyet", mayfly, "python-random", *SHORT, "--json")
    (fault,) = json.loads(output)["matches"][0]["evidence"]
    assert (fault["kind"], fault["exit"]) == ("gone", how)
    assert fault["stdout"].startswith("I hold ")
    assert "oh dear" in fault["stderr"]


def test_a_bot_that_does_not_start_is_told_with_what_it_printed(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import no_such_thing\n", encoding="utf-8")
    bot = f"{sys.executable} {tmp_path / 'broken.py'}"
    for more in ((), ("--sets", "3"), ("--quiet",), ("--quiet", "--sets", "3")):
        code, output = match("nope", "python-random", bot, *more)
        assert code == 4
        assert "broken did not start: never-started (exited, SPEC 2.4)" in output
        assert "exit code 1" in output
        assert "No module named 'no_such_thing'" in output
    assert "no set is complete" in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nyte", *TWO), "Did you mean 'nyet'?"),
        (("njet-it", *TWO), "njet-it is played by 4; got 2"),
        (("nope", TWO[0]), "nope is played by 2 to 6; got 1 (SPEC 12.2). Name a bot for each seat"),
        (("nyet", *TWO, "-o", "round=2"), "Did you mean 'rounds'?"),
        (("nyet", *TWO, "-o", "rounds"), "write NAME=VALUE"),
        (("nyet", *TWO, "-o", "rounds=0"), "a whole number from 1 to"),
        (("nyet", "python-randon", "x"), "Did you mean 'python-random'?"),
        (("nyet", *TWO, "--seed", "hex:xyz"), "pairs of hexadecimal digits"),
        (("nyet", *TWO, "--sets", "0"), "--sets"),
        (("nyet", *TWO, "--stop", "10:0"), "bounds go up, and lie between -600 and 600 Elo"),
        (("nyet", *TWO, "--stop", "10"), "write two numbers of Elo as LOW:HIGH, such as 0:10"),
        (("nyet", *TWO, "--stop", "0:9", "--alpha", "2"), "alpha is the chance of an error"),
        (("nyet", *TWO, "--beta", "0.1"), "--alpha and --beta are for --stop LOW:HIGH"),
        (("nope", *TWO, "python-high", "--stop", "0:9"), "weighs two bots, and here are 3"),
        (("nope", *[TWO[0]] * 3, "--stop", "0:9"), "name each of the two"),
        (("nyet", *TWO, "--keep", "kept"), "--keep is for sets: add --stop LOW:HIGH or --sets"),
        (("nyet", *TWO, "--jobs", "2"), "--jobs is for sets: add --stop LOW:HIGH or --sets"),
        (("nyet", *TWO, "--sets", "2", "--jobs", "0"), "--jobs"),
        (("nyet", *TWO, "--field", TWO[0]), "--field is for --against: arena match nyet ./new"),
        (("nyet", *TWO, "--against", TWO[0], "--stop", "0:9"), "with --against they do not"),
        (("nope", TWO[0], "--against", TWO[1]), "--against needs the others at the table too"),
        (("nyet", *TWO, "--against", "nowhere"), "'nowhere' is no bot: no folder of this name"),
        (("nyet", "./nowhere", TWO[0]), "'./nowhere' is no bot: there is no such file or folder"),
        (("nyet",), "BOT BOT..."),
        (("nyet", "dial-in:no name", "x"), "a name is 1 to 32 letters"),
        (("nyet", *TWO, "--listen", "tcp:127.0.0.1:4000"), "name one: dial-in:NAME"),
        (("nyet", "dial-in", TWO[0], "--listen", "4000"), "'4000' is not tcp:HOST:PORT"),
    ],
)
def test_wrong_usage_is_met_with_what_would_do(arguments: tuple[str, ...], words: str) -> None:
    code, output = match(*arguments)
    assert code == 2
    assert words in " ".join(output.split())


def test_an_address_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"tcp:127.0.0.1:{taken.getsockname()[1]}"
        code, output = match("nyet", "dial-in", TWO[0], "--listen", address)
    assert code == 1
    assert f"cannot listen at {address}: Address already in use" in output


@pytest.mark.slow
def test_a_bot_that_somebody_starts_by_hand_is_waited_for_and_plays() -> None:
    command = arena("match", "nyet", "dial-in:me", TWO[0], *SHORT)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == (
            "me is yours to start, and waited for until then (Ctrl-C ends it), with\n"
        )
        word, *settings = process.stderr.readline().split()
        assert word == "export"
        env = {**os.environ, **dict(setting.split("=", 1) for setting in settings)}
        bot = data.sample_bots() / "python-random" / "bot.py"
        subprocess.run([sys.executable, str(bot)], env=env, check=True, timeout=20)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "nyet: seat 0 me, seat 1 python-random" in output
    assert "ending: rounds" in output


@pytest.mark.slow
def test_of_a_bot_that_dials_in_it_is_told_that_it_may_remember_a_set() -> None:
    command = arena("match", "nope", "dial-in:me", TWO[0], "--sets", "2", "-o", "max_turns=4")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == (
            "me may remember a set from one seating to the next, because a bot that dials in"
            " cannot be started afresh\n"
        )
        process.stderr.readline()
        word, *settings = process.stderr.readline().split()
        assert word == "export"
        env = {**os.environ, **dict(setting.split("=", 1) for setting in settings)}
        bot = data.sample_bots() / "python-random" / "bot.py"
        subprocess.run([sys.executable, str(bot)], env=env, check=True, timeout=20)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "2 sets of 2 matches" in output


def test_option_values_are_read_as_people_type_them() -> None:
    assert game_options(["rounds=2", "actions=false", "hand=7,8", "scoring=difference"]) == {
        "rounds": 2,
        "actions": False,
        "hand": [7, 8],
        "scoring": "difference",
    }
    assert value("off") is None
    assert value("[1,2]") == [1, 2]
    assert seed_bytes("seven") == b"seven"


def test_a_bot_folder_that_is_wrong_is_told_file_key_and_remedy(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "x"\ncomand = ["y"]\n', encoding="utf-8")
    code, output = match("nope", str(tmp_path), "python-random")
    assert code == 2
    assert f"{tmp_path / 'bot.toml'}: `comand` is not a key" in output.replace("\n", " ")


def test_a_bot_that_says_it_plays_other_games_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "x"\ncommand = ["./x"]\ngames = ["nope"]\n', encoding="utf-8"
    )
    code, output = match("nyet", str(tmp_path), "python-random")
    assert code == 2
    assert "x says it plays nope, not nyet" in " ".join(output.split())


def test_a_build_that_fails_is_told_with_what_it_printed(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "x"\ncommand = ["./x"]\ngames = ["nope"]\n'
        'build = ["sh", "-c", "echo no compiler; exit 7"]\n',
        encoding="utf-8",
    )
    code, output = match("nope", str(tmp_path), "python-random")
    assert code == 1
    assert "building x: sh -c" in output
    assert "exit code 7" in output
    assert "no compiler" in output


def test_a_misspelt_command_is_told_before_anything_is_played() -> None:
    code, output = match("nyet", "pyhton3 x.py", "python-random")
    assert code == 1
    assert "no program 'pyhton3' in any folder of PATH. Did you mean 'python3'?" in output
    assert "The command stands in the command line." in output
    assert "seat 0" not in output


def arena(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from arena.cli import main; main()", *arguments]


@pytest.mark.slow
def test_ctrl_c_ends_it_in_words_tells_what_there_is_and_leaves_nothing() -> None:
    command = arena("match", "nope", *TWO, "--sets", "100000")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        while "set 3 of" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "sets of 2 matches; bars are 95 %" in output
    assert errors == "stopped\n"


@pytest.mark.slow
def test_a_comparison_that_was_killed_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    command = arena("match", "nope", *TWO, "--sets", "40", "--jobs", "2", "--keep", str(file))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "set 3 of" not in process.stdout.readline():
            pass
        process.kill()
    kept = [json.loads(line) for line in file.read_bytes().splitlines(keepends=True)[1:-1]]
    code, output = match(*command[command.index("match") + 1 :], "--json")
    assert code == 0
    document = json.loads(output[output.index("{\n") :])
    by_set: dict[int, list[str]] = {}
    for played in document["matches"]:
        by_set.setdefault(played["set"], []).append(played["name"])
    assert sorted(by_set) == [*range(1, 41)]
    assert len(kept) >= 2
    for each in kept:
        names = [from_json(json.dumps(record)).match for record in each["records"]]
        assert by_set[each["set"] + 1] == names


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_ends_it_quietly() -> None:
    command = arena("match", "nope", *TWO, "--sets", "100000")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
        assert process.wait(timeout=20) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told_and_the_match_goes_on() -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [*ARENA, "match", "nyet", *TWO, *SHORT], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert ran.returncode == 1
    assert ran.stderr == "standard output: No space left on device; nothing more is printed\n"


def test_a_void_is_told_with_its_cause() -> None:
    assert why_void(Lagged(5, 60_000, Failed(out_of_time(5, 1), 5, b""))) == (
        "a decision would have been late, but this machine stood still for 60 ms of its time"
    )
    assert "a bug in it (SPEC 4.8, server-error)" in why_void(Broken(ValueError("a bug")))
