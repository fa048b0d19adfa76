"""`arena build`: build before it is needed, list, clean; and what the other commands take of it."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
import trio

from arena.bots.builds.cache import BuildCache, users_cache
from arena.exits import INTERRUPTED
from tests.bots.programs import Family, until
from tests.cli.test_main import run
from tests.league.running import ARENA


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuildCache:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return users_cache(os.environ)


def a_bot(folder: Path, name: str = "fox", line: str = "cp bot.toml made") -> str:
    """The folder of a bot with this build, a line for a shell; it plays as the kit does."""
    own = folder / name
    own.mkdir()
    (own / "bot.py").write_text(
        "import random\nfrom protocol import run\n"
        'run(lambda request: random.choice(request["legal"]), version="1")\n'
    )
    (own / "bot.toml").write_text(
        f'name = "{name}"\ncommand = ["{{python}}", "bot.py"]\ngames = "any"\n'
        f"build = ['sh', '-c', '''{line}''']\n"
    )
    return str(own)


def test_a_bot_is_built_and_then_taken_by_every_command(tmp_path: Path, cache: BuildCache) -> None:
    fox = a_bot(tmp_path)
    code, said = run("build", fox)
    assert code == 0, said
    assert "building fox: sh -c 'cp bot.toml made'\n" in said
    assert "built fox in " in said
    assert len(cache.entries()) == 1
    for command in (("match", "nope", fox, fox), ("check", fox, "--step", "1"), ("build", fox)):
        code, said = run(*command)
        assert code == 0, said
        assert "built before: fox" in said
        assert "building" not in said


def test_a_league_that_goes_on_builds_nothing_again(tmp_path: Path, cache: BuildCache) -> None:
    fox = a_bot(tmp_path)
    file = tmp_path / "cup.toml"
    for sets, word in ((1, "building fox"), (2, "built before: fox")):
        file.write_text(
            f'game = "nope"\nseats = 2\nsets = {sets}\n[options]\nmax_turns = 20\n'
            f'[[bots]]\npath = "{fox}"\n[[bots]]\nsample = "python-random"\n'
        )
        code, said = run("league", str(file))
        assert code == 0, said
        assert word in said
    assert "building fox" not in said


def test_the_bot_of_the_current_folder_is_meant_without_a_name(
    tmp_path: Path, cache: BuildCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(a_bot(tmp_path))
    code, said = run("build")
    assert code == 0, said
    assert "built fox in " in said
    monkeypatch.chdir(tmp_path)
    code, said = run("build")
    assert code == 2
    assert "there is no bot.toml here" in said


def test_the_kept_builds_are_listed_and_removed(tmp_path: Path, cache: BuildCache) -> None:
    assert run("build", "--list") == (0, f"no builds are kept in {cache.folder}\n")
    run("build", a_bot(tmp_path), "--confine", "none")
    ((_, identity, kept),) = cache.entries()
    code, said = run("build", "--list")
    first, last = said.splitlines()
    assert code == 0
    assert first.split()[:4] == [identity[:12], "fox", "0.0", "MB"]
    assert "unconfined" in first
    assert first.endswith(" s ago")
    assert last == f"1 build, 0.0 MB, in {cache.folder}"
    assert kept.command == ("sh", "-c", "cp bot.toml made")
    assert run("build", "--clean") == (0, f"removed 1 build, 0.0 MB, from {cache.folder}\n")
    assert cache.entries() == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--list", "--clean"], "--list, --clean and the names of bots exclude each other"),
        (["--list", "python-random"], "--list, --clean and the names of bots exclude each other"),
        (["python-random"], "python-random has no build: there is no `build` in "),
        (["dial-in:fox"], "fox dials in: its author builds it"),
        (["rust-ramdom"], "Did you mean 'rust-random'?"),
    ],
)
def test_wrong_usage_is_told(words: list[str], said: str, cache: BuildCache) -> None:
    code, output = run("build", *words)
    assert code == 2
    assert said in " ".join(output.split())


def test_a_build_that_fails_is_told_with_its_name_and_output(
    tmp_path: Path, cache: BuildCache
) -> None:
    bad = a_bot(tmp_path, "bad", 'printf "\\033[31mno\\033[0m compiler\\a\\n"; exit 7')
    code, said = run("build", bad)
    assert code == 1
    assert "the build of 'bad' failed: exit code 7" in said
    # Colours are left out, and no other sign of control reaches the terminal.
    assert "--- stdout ---\nno compiler\N{REPLACEMENT CHARACTER}\n" in said
    assert cache.entries() == []


def test_a_build_without_a_network_names_the_key(tmp_path: Path, cache: BuildCache) -> None:
    bad = a_bot(tmp_path, "bad")
    (tmp_path / "bad" / "fetch.py").write_text(
        "import socket\nsocket.socket().connect(('192.0.2.1', 9))\n"
    )
    file = tmp_path / "bad" / "bot.toml"
    before = file.read_text().partition("build = ")[0]
    file.write_text(before + 'build = ["{python}", "fetch.py"]\n')
    code, said = run("build", bad, "--no-network")
    if "warning: bots run unconfined" in said:
        pytest.skip("no rung works here")
    assert code == 1
    assert "it tried to connect to 192.0.2.1:9" in said
    assert "`network = false`" in said


@pytest.mark.slow
async def test_ctrl_c_ends_all_builds(tmp_path: Path, cache: BuildCache) -> None:
    family = Family()
    marks = [tmp_path / "one", tmp_path / "two"]
    bots = [
        a_bot(tmp_path, mark.name + "-bot", f"touch {mark}; FAMILY={family.name} exec sleep 3600")
        for mark in marks
    ]
    with subprocess.Popen(
        [*ARENA, "build", *bots, "--confine", "none"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        await until(lambda: all(mark.exists() for mark in marks[: os.cpu_count()]))
        process.send_signal(signal.SIGINT)
        _, said = await trio.to_thread.run_sync(process.communicate)
    assert process.returncode == INTERRUPTED
    assert said == "stopped\n"
    assert not family.alive()
    assert cache.entries() == []
