"""`arena league`: what it says. What it does when it is interrupted is tested in tests/league."""

from __future__ import annotations

import fcntl
import io
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from rich.console import Console

from arena.bots.botfile import read_bot
from arena.cli.league import tell_end
from arena.cli.league_view import LiveView, Pace, ProgressLines, view_on
from arena.league.model.config import Entrant, League
from arena.league.play.orders import PlaySet
from arena.league.play.run import LeagueRun, RunEnd
from arena.league.play.runner import Runner
from arena.league.store.store import Store
from arena.league.table.live import standings_of
from arena.record.timing import Timing
from tests.audit.damage import Damaged
from tests.cli.test_main import run
from tests.league.leagues import NASTY, Simulated, played_match, schedule, simulate
from tests.league.running import ARENA, RealLeague

SMALL = (
    'game = "nyet"\nseats = 2\nsets = 2\n[options]\nrounds = 1\n'
    '[[bots]]\nsample = "python-random"\n[[bots]]\nsample = "python-bare"\n'
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(SMALL)
    return path


def test_a_league_is_played_to_its_end_and_published(file: Path) -> None:
    code, said = run("league", str(file))
    assert code == 0, said
    assert "finished: 2 of 2 sets, 4 matches" in said
    home = file.with_suffix(".arena")
    public = home / "public"
    assert json.loads((public / "standings.json").read_text())
    assert (public / "index.html").exists()
    assert str(public / "index.html") in said
    # Beside the store there is nothing but the secrets, the mark of the clean end, the lock, logs
    # and what is published.
    assert {path.name for path in home.iterdir()} == {
        "league.db",
        "secrets.toml",
        "complete.closed",
        "complete.db",
        "held-output",
        "lock",
        "logs",
        "public",
        "referee.log",
    }


def test_the_last_line_tells_the_winner_if_the_format_has_one(file: Path) -> None:
    file.write_text(SMALL.replace("sets = 2", 'format = "knockout"\nmost_sets_per_tie = 1'))
    code, said = run("league", str(file))
    assert code == 0, said
    with Store.read(file.with_suffix(".arena") / "league.db") as reader:
        (winner,) = standings_of(reader).facts.winners
    assert said.endswith(f"\nwinner: {winner}\n")


def test_all_that_is_wrong_with_a_file_is_said_at_once(file: Path) -> None:
    file.write_text(SMALL.replace("nyet", "nyett").replace("seats = 2", "seats = 17"))
    code, said = run("league", str(file))
    assert code == 2
    assert "Did you mean 'nyet'?" in said
    file.write_text(SMALL.replace("sets = 2", "stes = 2").replace("rounds = 1", "rounds = -1"))
    code, said = run("league", str(file))
    assert code == 2
    assert "`stes` is not a key here; did you mean `sets`?" in said.replace("Did", "did")
    assert "rounds" in said
    assert not file.with_suffix(".arena").exists()


def test_a_change_that_will_not_do_is_refused_with_the_reason(file: Path) -> None:
    assert run("league", str(file))[0] == 0
    file.write_text(SMALL.replace("rounds = 1", "rounds = 2"))
    code, said = run("league", str(file))
    assert code == 2
    assert "options" in said


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a league that was played."""
    path = tmp_path_factory.mktemp("finished") / "cup.toml"
    path.write_text(f'name = "Cup"\n{SMALL}')  # else a copy has the name of its folder
    assert run("league", str(path))[0] == 0
    return path


@pytest.fixture
def played(finished: Path, tmp_path: Path) -> Path:
    """A copy to do damage to."""
    shutil.copytree(finished.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / finished.name


@pytest.mark.parametrize(("many", "is_told"), [(2, True), (3, False)])
def test_that_many_sets_are_read_is_told_before_the_wait(
    played: Path, monkeypatch: pytest.MonkeyPatch, many: int, is_told: bool
) -> None:
    monkeypatch.setattr("arena.cli.league.MANY_SETS", many)
    code, said = run("league", str(played))
    assert code == 0
    assert said.startswith("reading 2 sets\n") == is_told


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE sets SET line_up = 'fox' WHERE number = 2", "Expecting value"),
        (
            "UPDATE sets SET line_up = '[\"fox\"]' WHERE number = 2",
            "'fox' in set 2 is no bot that plays there",
        ),
        ("UPDATE matches SET record = x'9101' WHERE number = 2", "this is no record"),
        ("UPDATE matches SET processes = '[' WHERE number = 2", "Expecting value"),
        ("UPDATE facts SET value = '{}' WHERE name = 'settings'", "Object missing required field"),
        ("UPDATE facts SET value = '{' WHERE name = 'settings'", "Expecting property name"),
        ("UPDATE entrants SET said = ''", "Expecting value"),
        ("UPDATE events SET body = '{}' WHERE number > 1", "event 2 does not say what happened"),
    ],
)
def test_a_damaged_league_is_told_in_words_and_left_as_it_is(
    played: Path, statement: str, words: str
) -> None:
    home = played.with_suffix(".arena")
    Damaged(home).execute(statement)
    before = (home / "league.db").read_bytes()
    code, said = run("league", str(played))
    assert (code, f"{home / 'league.db'} is damaged: {words}" in said) == (1, True), said
    assert f"`arena verify {played.with_suffix('')}` names every place" in said
    assert (home / "league.db").read_bytes() == before


def test_a_league_is_named_as_for_the_commands_that_read_it(played: Path) -> None:
    for name in (played.parent, played.with_suffix("")):
        code, said = run("league", str(name))
        assert (code, "finished: 2 of 2 sets" in said) == (0, True)
    (played.parent / "empty").mkdir()
    code, said = run("league", str(played.parent / "empty"))
    assert (code, "there is no league.toml in" in said) == (2, True)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_league_whose_file_was_lost_is_not_begun_anew_over_its_pages(
    played: Path, is_there: bool
) -> None:
    home = played.with_suffix(".arena")
    (home / "league.db").unlink()
    if is_there:
        (home / "league.db").touch()
    index = home / "public" / "index.html"
    before = index.read_text()
    code, said = run("league", str(played))
    state = "empty" if is_there else "gone"
    assert (code, f"{home / 'league.db'} is {state}, and in {index.parent} there" in said) == (
        1,
        True,
    )
    assert f"move {home} away" in said
    assert index.read_text() == before
    home.rename(home.with_name("away"))
    assert run("league", str(played))[0] == 0


def test_a_league_whose_file_was_lost_is_not_begun_anew_over_its_secrets(played: Path) -> None:
    home = played.with_suffix(".arena")
    (home / "league.db").unlink()
    (home / "public" / "index.html").unlink()
    before = (home / "secrets.toml").read_text()
    code, said = run("league", str(played))
    assert (code, f"gone, and {home / 'secrets.toml'} holds the secrets of a" in said) == (1, True)
    assert (home / "secrets.toml").read_text() == before


def test_events_on_standard_output_are_all_there_is_on_it(file: Path) -> None:
    ran = subprocess.run(
        [*ARENA, "league", str(file), "--events", "-"], capture_output=True, text=True, check=True
    )
    events = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["event"] == "finished"
    assert "finished: 2 of 2 sets" in ran.stderr


def test_a_pipe_gets_plain_lines(file: Path) -> None:
    """No escape, no carriage return: nothing that only a terminal understands."""
    env = {**os.environ, "TERM": "xterm-256color"}
    ran = subprocess.run([*ARENA, "league", str(file)], capture_output=True, check=True, env=env)
    assert b"\x1b" not in ran.stdout + ran.stderr
    assert b"\r" not in ran.stdout + ran.stderr


def test_a_bot_that_cannot_be_built_is_told_before_anything_is_played(tmp_path: Path) -> None:
    league = RealLeague(tmp_path, {name: f"steady.py {name}" for name in ("fox", "owl")}, seats=2)
    (tmp_path / "bots" / "fox" / "bot.toml").write_text(
        'name = "fox"\ncommand = ["{python}", "bot.py"]\ngames = ["nyet"]\nbuild = ["false"]\n'
    )
    said = league.run(expect=1)
    assert "the build of 'fox' failed: exit code 1" in said
    with league.store() as store:
        assert not list(store.complete_sets())


def test_a_misspelt_command_is_told_before_anything_is_played(file: Path) -> None:
    """With the file that it stands in, which is no bot.toml."""
    (file.parent / "x.py").touch()
    file.write_text(SMALL + '[[bots]]\ncommand = "pyhton3 x.py"\n')
    code, said = run("league", str(file))
    assert code == 1
    assert (
        "Error: 'x' was not started: no program 'pyhton3' in any folder of PATH. Did you mean"
        f" 'python3'? The command stands in {file}, `command` of [[bots]] number 3.\n"
    ) in said
    assert "bot.toml" not in said
    with Store.read(file.with_suffix(".arena") / "league.db") as reader:
        assert not any(state.turns for state in reader.sets())
    # Nothing was played, so it may be put right.
    file.write_text(SMALL)
    assert run("league", str(file))[0] == 0


def test_before_the_first_match_anything_may_change(tmp_path: Path) -> None:
    """A build that fails is mended by another bot of the same name; nothing is mixed up."""
    bots = {name: f"steady.py {name}" for name in ("fox", "owl")}
    league = RealLeague(tmp_path, bots, seats=2, sets=2)
    bot = tmp_path / "bots" / "fox" / "bot.toml"
    built = bot.read_text()
    bot.write_text(f'{built}build = ["false"]\n'.replace("env =", "# env ="))
    assert "the build of 'fox' failed" in league.run(expect=1)
    bot.write_text(built)
    assert "finished: 2 of 2 sets" in league.run("--events", str(tmp_path / "events"))
    told = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    assert [event["n"] for event in told] == list(range(1, len(told) + 1))
    assert sum(event["event"] == "entrant" for event in told) == 2
    assert run("verify", str(tmp_path))[0] == 0
    bot.write_text(f"{built}# improved\n")
    assert "'fox' is not the bot that it was" in league.run(expect=2)


def test_a_demo_of_another_version_is_to_be_moved_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file is ours, so nobody can put back what is gone from it."""
    monkeypatch.chdir(tmp_path)
    simulate(tmp_path / "demo.arena", Simulated(sets=1)).close()
    code, said = run("league")
    assert code == 1
    assert "demo.arena: the demo league of another version of arena" in said
    assert "move it away" in said


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """Of a league that is half played."""
    simulated = Simulated(sets=4)
    store: Store = simulate(tmp_path, simulated, 2)
    bot = read_bot("python3 -c pass")
    league = League(
        "Test",
        "nyet",
        4,
        tuple(Entrant(name, bot, name) for name in simulated.bots),
        4,
        options={"rounds": 1},
    )
    return Runner(league, store, tmp_path / "log")


def test_going_on_is_said(runner: Runner) -> None:
    lines: list[str] = []
    ProgressLines(lines.append).begun(runner)
    assert lines == ["going on after 2 of 4 sets"]


def test_a_fault_is_told_at_once_without_what_the_bot_said(runner: Runner) -> None:
    """Its text may hold a card of a set that is not complete, or anything."""
    lines: list[str] = []
    view = ProgressLines(lines.append)
    view.begun(runner)
    lines.clear()
    league = Simulated(sets=4, illegal=("mole",))
    one = next(one for one in schedule(league) if "mole" in one.line_up)
    view.match_over(played_match(league, one, 0, b""))
    named = runner.store.path.parent
    assert lines == [
        f"why: `arena matches {named} --fault --evidence`, once a set is complete",
        f"match {one.number}.1: mole: illegal (not-legal), forfeits",
    ]
    assert NASTY not in lines[1]


def test_a_bot_that_is_always_wrong_is_soon_only_counted(runner: Runner) -> None:
    lines: list[str] = []
    view = ProgressLines(lines.append)
    league = Simulated(sets=4, illegal=("mole",))
    one = next(one for one in schedule(league) if "mole" in one.line_up)
    for _ in range(20):
        view.match_over(played_match(league, one, 0, b""))
    assert sum("mole" in line for line in lines) == 5
    assert lines[-1].endswith("more of these are only counted")


def test_names_cannot_play_tricks_on_a_terminal() -> None:
    lines: list[str] = []
    ProgressLines(lines.append).benched(NASTY, NASTY)
    assert "\x1b" not in lines[0]


def test_whoever_reads_the_events_may_leave(file: Path) -> None:
    """As `| head -1` does; the league goes on."""
    with subprocess.Popen(
        [*ARENA, "league", str(file), "--events", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert '"event":"league"' in process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 0, said
    assert "finished: 2 of 2 sets" in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_ctrl_c_ends_a_league_whose_events_nobody_takes(file: Path) -> None:
    file.write_text(SMALL.replace("sets = 2", "sets = 1000"))
    with subprocess.Popen(
        [*ARENA, "league", str(file), "--events", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
        # Many times as much as the pipe holds, as soon as it says how far it is.
        assert "matches in this run" in next(
            line for line in process.stderr if "matches in this run" in line
        )
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(30) == 130, said
    assert "the same command goes on" in said


def test_what_is_wrong_with_a_folder_is_said_in_words(file: Path) -> None:
    file.with_suffix(".arena").write_text("in the way")
    code, said = run("league", str(file))
    assert code == 1
    assert said.endswith(f"Error: {file.with_suffix('.arena')}: File exists\n")


def screen(width: int, height: int) -> Console:
    return Console(
        file=io.StringIO(), force_terminal=True, width=width, height=height, color_system=None
    )


def shown_on(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_terminal_that_cannot_go_back_gets_lines(runner: Runner) -> None:
    for term, kind in (("dumb", ProgressLines), ("xterm", LiveView)):
        console = Console(force_terminal=True, _environ={"TERM": term})
        assert isinstance(view_on(console, lambda: standings_of(runner.store), print), kind)


def test_what_happens_before_the_first_match_is_shown_at_once(runner: Runner) -> None:
    """Such as builds, which may take minutes."""
    console = screen(80, 24)
    with LiveView(console, lambda: standings_of(runner.store)) as view:
        view.says("building fox: make")
        view.tick()
        assert "building fox: make" in shown_on(console)


def test_a_table_too_long_for_the_screen_leaves_the_progress_to_be_seen(runner: Runner) -> None:
    console = screen(80, 12)
    with LiveView(console, lambda: standings_of(runner.store)) as view:
        view.begun(runner)
        view.says("fox is benched")
        view.tick()
        shown = shown_on(console)
    assert "2 of 4 sets" in shown
    assert "fox is benched" in shown
    assert "rank  ranks" in shown
    assert "gain: what repetition" not in shown  # there is no room for it


@pytest.mark.parametrize(
    ("rate", "words"), [(12.34, "12.3 matches/s"), (1, "1.0 matches/s"), (0.02, "1.2 matches/min")]
)
def test_a_slow_pace_is_told_by_the_minute(rate: float, words: str) -> None:
    assert str(Pace(rate, None)) == words


def test_orders_survive_the_pipe() -> None:
    import msgspec

    order = PlaySet(
        1, 7, 0, ("a", "b"), (0, 1), b"s", "nope", {"hand": [3, 4]}, Timing(1, 2, 3, 4), False, True
    )
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(order), type=PlaySet) == order


@pytest.mark.parametrize(
    ("end", "dropped", "told"),
    [
        (RunEnd(is_stopped=False, is_published=True), 0, ["fox was slow", "{made}"]),
        (
            RunEnd(is_stopped=True, is_published=False),
            2,
            [
                "stopped after 3 of 9 sets; the same command goes on",
                "left out because they came too late for their orders: 2 matches; referee.log names"
                " them",
                "fox was slow",
                "not up to date: public/index.html; the same command makes it anew",
            ],
        ),
    ],
)
def test_at_the_end_it_says_how_far_it_is_and_where_the_pages_are(
    end: RunEnd, dropped: int, told: list[str]
) -> None:
    entered = SimpleNamespace(dropped=dropped)
    runner = SimpleNamespace(progress="3 of 9 sets", entered=entered)
    one = SimpleNamespace(runner=runner, waited_for=lambda: ["fox was slow"])
    said: list[str] = []
    tell_end(cast("LeagueRun", one), end, Path("public/index.html"), said.append)
    made = "the table, the pages and every match: public/index.html"
    assert said == [line.format(made=made) for line in told]
