"""A confinement as bubblewrap's arguments: what is in them, and that nothing else is."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from arena.bots.confine.bubblewrap import options, rules
from arena.bots.confine.filters import Filter, program
from arena.bots.confine.limits import Limits
from tests.bots.confine.bots import BOT, SYSTEM, TOOLS


def pairs(words: list[str], option: str) -> Iterator[tuple[str, str]]:
    for place, word in enumerate(words):
        if word == option:
            yield words[place + 1], words[place + 2]


def test_a_bot_sees_its_folder_the_system_and_its_interpreter_and_can_change_none() -> None:
    words = options(BOT, SYSTEM)
    bound = dict(pairs(words, "--ro-bind"))
    door = "/var/arena/door"
    assert set(bound) == {"/usr", "/etc/ssl", "/home/ada/venv", "/var/arena/bots/fox", door}
    assert all(source == inside for source, inside in bound.items())


def test_all_that_can_be_written_to_is_the_scratch() -> None:
    """Not the door: its owner, who may be the bot, could change its mode and keep others out."""
    words = options(BOT, SYSTEM)
    assert list(pairs(words, "--bind")) == []
    assert ("/var/arena/door", "/var/arena/door") in set(pairs(words, "--ro-bind"))
    assert "--dev-bind" not in words
    assert words[words.index("--tmpfs") + 1] == "/tmp"
    assert words[words.index("--size") + 1] == str(256 * 1_048_576)


def test_every_namespace_is_its_own_and_no_capability_is_left() -> None:
    words = options(BOT, SYSTEM)
    for name in ("user", "ipc", "pid", "net", "uts", "cgroup-try"):
        assert f"--unshare-{name}" in words
    assert words[words.index("--cap-drop") + 1] == "ALL"
    assert "--cap-add" not in words
    assert "--die-with-parent" in words


def test_folders_above_what_is_bound_are_made_open_whatever_they_are_outside() -> None:
    words = options(BOT, SYSTEM)
    made = [words[place + 1] for place, word in enumerate(words) if word == "--dir"]
    assert {"/home", "/home/ada", "/var", "/var/arena"} <= set(made)
    assert "/home/ada/venv" not in made


def test_what_lies_in_another_folder_is_bound_after_it() -> None:
    bot = replace(BOT, read=(Path("/usr/local/x"),))
    bound = [source for source, _ in pairs(options(bot, SYSTEM), "--ro-bind")]
    assert bound.index("/usr") < bound.index("/usr/local/x")


def test_an_ordinary_user_counts_processes_inside() -> None:
    made = rules(BOT, SYSTEM, TOOLS, memory_cgroup=False)
    assert made.words[-3:] == ("/usr/bin/prlimit", "--nproc=128:128", "--")
    assert resource.RLIMIT_NPROC not in dict(made.rlimits)


def test_root_becomes_the_bots_user_inside_and_keeps_nothing() -> None:
    made = rules(replace(BOT, uid=60_600), SYSTEM, TOOLS, memory_cgroup=False)
    inner = made.words[made.words.index("/usr/bin/setpriv") :]
    assert inner[1:6] == ("--reuid", "60600", "--regid", "60600", "--clear-groups")
    assert {"--inh-caps=-all", "--bounding-set=-all"} <= set(inner)
    assert b"--unshare-user" not in made.files["options"]
    assert dict(made.rlimits)[resource.RLIMIT_NPROC] == 128


def test_memory_is_bounded_by_data_and_never_by_address_space() -> None:
    limits = Limits(memory_mb=64, scratch_mb=8)
    made = dict(rules(replace(BOT, limits=limits), SYSTEM, TOOLS, memory_cgroup=False).rlimits)
    assert made[resource.RLIMIT_DATA] == 64 * 1_048_576
    assert made[resource.RLIMIT_FSIZE] == 8 * 1_048_576
    assert resource.RLIMIT_AS not in made


def test_a_memory_cgroup_bounds_memory_alone() -> None:
    made = dict(rules(BOT, SYSTEM, TOOLS, memory_cgroup=True).rlimits)
    assert resource.RLIMIT_DATA not in made


def test_both_filters_are_handed_over_and_connect_is_the_bots_own() -> None:
    made = rules(BOT, SYSTEM, TOOLS, memory_cgroup=False)
    assert made.files["allow"] == program(Filter.ALONE)
    assert made.files["refuse"] == program(Filter.REFUSE)
    assert made.words.count("--add-seccomp-fd") == 2
    assert (made.filters, made.reach) == ((), None)


def test_a_bot_that_speaks_tcp_only_is_connected_by_the_warden() -> None:
    made = rules(replace(BOT, door="tcp:127.0.0.1:7"), SYSTEM, TOOLS, memory_cgroup=False)
    assert made.reach == ("tcp:127.0.0.1:7",)
    assert made.filters == (program(Filter.CONNECT),)
    assert b"tcp:" not in made.files["options"]


def test_no_program_but_the_bots_own_gets_a_variable_that_a_loader_reads() -> None:
    """Bubblewrap itself runs outside, and setpriv inside may become any user."""
    chosen = (("LEVEL", "3"), ("LD_PRELOAD", "./evil.so"), ("GCONV_PATH", "."))
    for uid in (None, 60_600):
        bot = replace(BOT, env=chosen, uid=uid)
        words = options(bot, SYSTEM)
        assert list(pairs(words, "--setenv")) == [("LEVEL", "3")]
        made = rules(bot, SYSTEM, TOOLS, memory_cgroup=False)
        assert made.words[-5:] == (
            "--",
            "/usr/bin/env",
            "--",
            "LD_PRELOAD=./evil.so",
            "GCONV_PATH=.",
        )


def test_a_folder_whose_name_is_not_utf_8_is_bound_all_the_same() -> None:
    bot = replace(BOT, folder=Path("/var/\udcff"))
    made = rules(bot, SYSTEM, TOOLS, memory_cgroup=False)
    assert b"/var/\xff" in made.files["options"]
