"""`arena match`, with real bots."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena import data
from arena.cli.show import why_void
from arena.cli.tap import decoded
from arena.cli.values import game_options, seed_bytes, value
from arena.record import from_json, replay
from arena.referee.replies import Broken, Failed, Lagged
from protocol.breaches import out_of_time
from tests.cli.test_main import run

ARENA = (sys.executable, "-c", "from arena.cli import main; main()")
TWO = ("python-random", "python-bare")
SHORT = ("-o", "rounds=1")


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
    assert "python-random-2" in output
    records = [from_json(line) for line in file.read_text().splitlines()]
    assert len({record.seed for record in records}) == 2
    assert [record.names[0] for record in records[:3]] == [*TWO, "python-random-2"]
    assert run("replay", str(file), "--match", "5")[0] == 0
    code, output = run("replay", str(file), "--match", "6")
    assert (code, "there are 6 in this file, from 0" in output) == (2, True)


def test_json_is_one_document() -> None:
    code, output = match("nyet", *TWO, *SHORT, "--json")
    assert code == 0
    document = json.loads(output)
    assert document["bots"] == list(TWO)
    (played,) = document["matches"]
    record = from_json(json.dumps(played["record"]))
    assert len([*replay(record)]) == len(record.moves) + 1
    assert played["faults"] == []
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
    assert 'illegal (not-legal, SPEC 4.5), request 1: you played "Q9"' in output
    assert "place 2: seat 0 cheat, forfeited" in output
    code, output = match("nyet", cheat(tmp_path), "python-random", *SHORT, "--json")
    (played,) = json.loads(output)["matches"]
    assert [fault["code"] for fault in played["faults"]] == ["not-legal"] * 3
    assert bytes.fromhex(played["faults"][0]["reply"])
    assert played["faults"][0]["legal"]


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
    (fault,) = json.loads(output)["matches"][0]["faults"]
    assert (fault["kind"], fault["exit"]) == ("gone", how)
    assert fault["stdout"].startswith("I hold ")
    assert "oh dear" in fault["stderr"]


def test_a_bot_that_does_not_start_is_told_with_what_it_printed(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import no_such_thing\n", encoding="utf-8")
    bot = f"{sys.executable} {tmp_path / 'broken.py'}"
    for more in ((), ("--sets", "3")):
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
        assert process.stderr.readline() == "me is yours to start, with\n"
        word, *settings = process.stderr.readline().split()
        assert word == "export"
        env = {**os.environ, **dict(setting.split("=", 1) for setting in settings)}
        bot = data.sample_bots() / "python-random" / "bot.py"
        subprocess.run([sys.executable, str(bot), "7"], env=env, check=True, timeout=20)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "nyet: seat 0 me, seat 1 python-random" in output
    assert "ending: rounds" in output


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
        "a decision would have been late, but this machine stood still for 60 ms of it"
    )
    assert "a bug in it (SPEC 4.8, server-error)" in why_void(Broken(ValueError("a bug")))
