"""No mistake of a beginner is met with silence: each text names the cause and the remedy."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.beginners.mistakes import (
    AWAY,
    BAD_TOKEN,
    NOTHING,
    OF_LEAGUES,
    PLAYED,
    REFUSED,
    Mistake,
    Told,
)
from tests.beginners.programs import ROOT, SCRIPT, write_bot, write_league
from tests.cli.test_main import run

ENTRY = (sys.executable, "-c", "from arena.cli import main; main()")
CLOCK = (
    *("-o", "rounds=1", "--start-ms", "3000"),
    *("--decision-ms", "200", "--bank-ms", "300", "--hang-ms", "1500"),
)
MOST_SECONDS = 120
EVERY = [*PLAYED, *REFUSED]

every_mistake = pytest.mark.parametrize("mistake", EVERY, ids=lambda mistake: mistake.name)
every_refusal = pytest.mark.parametrize("mistake", REFUSED, ids=lambda mistake: mistake.name)


def tells(said: str, told: Told) -> None:
    assert told.cause in said, said
    assert told.remedy in said, said


def test_there_are_thirty_of_them_and_each_is_told_somewhere() -> None:
    assert len({mistake.name for mistake in EVERY} | {*OF_LEAGUES}) == 30
    for mistake in EVERY:
        assert mistake.check.cause, mistake.name
        assert mistake.check.remedy, mistake.name
        assert bool(mistake.harmless) == (mistake.match == NOTHING == mistake.in_league)


@pytest.mark.slow
@every_mistake
def test_a_match_names_cause_and_remedy(tmp_path: Path, mistake: Mistake) -> None:
    bot = write_bot(tmp_path, mistake.program)
    code, said = run("match", "nyet", str(bot), "python-random", *CLOCK)
    assert code == (0 if mistake.harmless else mistake.exit), said
    tells(said, mistake.match)


@pytest.mark.slow
@every_mistake
def test_a_check_names_cause_and_remedy(tmp_path: Path, mistake: Mistake) -> None:
    bot = write_bot(tmp_path, mistake.program)
    _, said = run("check", str(bot), "--step", str(mistake.step), "--start-ms", "3000")
    tells(said, mistake.check)


@pytest.mark.slow
def test_a_league_and_its_evidence_name_cause_and_remedy(tmp_path: Path) -> None:
    for mistake in PLAYED:
        write_bot(tmp_path, mistake.program)
    file = write_league(tmp_path, [mistake.name for mistake in PLAYED])
    said = league(file)
    assert " --fault --evidence`, once a set is complete" in said
    for mistake in PLAYED:
        _, evidence = run("matches", str(file), "--bot", mistake.name, "--fault", "--evidence")
        assert (f": {mistake.name}: " in said) == (not mistake.harmless), said
        tells(evidence, mistake.in_league)


@pytest.mark.slow
@every_refusal
def test_a_league_is_not_begun_with_a_bot_that_cannot_start(
    tmp_path: Path, mistake: Mistake
) -> None:
    write_bot(tmp_path, mistake.program)
    tells(league(write_league(tmp_path, [mistake.name]), expect=1), mistake.in_league)


@pytest.mark.slow
def test_a_bot_whose_exec_bit_was_set_is_started(tmp_path: Path) -> None:
    """What `arena match` advises is what mends it."""
    bot = write_bot(tmp_path, "no_exec_bit")
    (bot / "bot").write_text(SCRIPT.replace("python3", sys.executable))
    (bot / "bot.py").write_text(
        "from tests.bots.misbehaving.wire import greeted\ngreeted().play_on()\n"
    )
    command = ("match", "nyet", str(bot), "python-random", "--quiet", *CLOCK)
    code, said = run(*command)
    assert (code, "`chmod +x ./bot`" in said) == (1, True)
    subprocess.run(["chmod", "+x", "./bot"], cwd=bot, check=True)
    code, said = run(*command, "--decision-ms", "2000")
    assert code == 0, said


def test_a_misspelt_command_in_a_league_is_told_with_what_was_meant(tmp_path: Path) -> None:
    write_bot(tmp_path, "quits")
    file = write_league(tmp_path, ["quits"])
    file.write_text(file.read_text() + '[[bots]]\nname = "fox"\ncommand = "pythn3 fox.py"\n')
    said = league(file, expect=1)
    tells(said, Told("no program 'pythn3' in any folder of PATH.", "python3"))


@pytest.mark.slow
def test_a_changed_file_is_told_with_what_may_be_done(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "stale_id")
    file = write_league(tmp_path, ["stale_id"])
    league(file)
    (bot / "bot.py").write_text((bot / "bot.py").read_text() + "# changed\n")
    file.write_text(file.read_text().replace("sets = 1\n", "sets = 2\n"))
    said = league(file, expect=2)
    tells(said, Told("stale_id", "--new-versions"))


@pytest.mark.slow
def test_a_wrong_token_when_dialling_in_is_told_to_the_bot_and_its_absence_to_the_league(
    tmp_path: Path,
) -> None:
    file = write_league(tmp_path, ["fox"])
    door = f"tcp:127.0.0.1:{free_port()}"
    text = file.read_text().replace('path = "fox"', 'name = "fox"\ndials_in = true')
    text = text.replace("start_ms = 3000", "start_ms = 3000\ndial_in_ms = 8000")
    file.write_text(f'listen = "{door}"\n{text}')
    with started(file) as playing:
        assert playing.stdout is not None
        assert any("waiting for fox to dial in" in line for line in playing.stdout)
        dialled = subprocess.run(
            [sys.executable, str(ROOT / "sample_bots" / "python-random" / "bot.py")],
            env={**os.environ, "ARENA_CONNECT": door, "ARENA_TOKEN": "mistyped"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
        said, _ = playing.communicate(timeout=MOST_SECONDS)
    assert dialled.returncode == 1
    tells(dialled.stdout, BAD_TOKEN)
    assert "fox: never-started (" in said, said
    _, evidence = run("matches", str(file), "--bot", "fox", "--fault", "--evidence")
    tells(evidence, AWAY)


def free_port() -> int:
    """A port of this machine that nobody listens at now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def started(file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*ENTRY, "league", str(file), "--no-pages"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def league(file: Path, expect: int = 0) -> str:
    """`arena league` to its end; what it printed."""
    with started(file) as process:
        said, _ = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode == expect, said
    return said
