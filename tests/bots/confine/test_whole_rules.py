"""Whole argument lists and rules, of a bot and of a build, on both rungs."""

from __future__ import annotations

import resource
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.confine import bubblewrap, kernel
from arena.bots.confine.confinement import Confinement
from arena.bots.confine.filters import Filter, program
from arena.bots.warden import landlock
from arena.bots.warden.rules import Rules
from tests.bots.confine.bots import BOT, SYSTEM, TOOLS

MIB = 1_048_576
BUILD = replace(
    BOT,
    files=(),
    door="",
    write=(Path("/var/build"),),
    folder=Path("/var/build"),
    servers=("public", "udp:1.1.1.1:53"),
    env=(("O", "2"), ("LD_DEBUG", "x"), ("MALLOC_CHECK_", "3"), ("TZDIR", "z"), ("OLD_", "o")),
)
OPEN_TMP = "--perms 1777 --size 268435456 --tmpfs /tmp --symlink usr/bin /bin"
SEEN = "--ro-bind /usr /usr --ro-bind /etc/ssl /etc/ssl --ro-bind /home/ada/venv /home/ada/venv"


def test_the_whole_list_of_a_bot() -> None:
    assert in_order(bubblewrap.options(BOT, SYSTEM)) == (
        "--unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try --unshare-net"
        " --hostname bot --die-with-parent --cap-drop ALL --unshare-user"
        f" --proc /proc --dev /dev --remount-ro /dev {OPEN_TMP}"
        " --dir /etc --dir /home --dir /var --dir /home/ada --dir /var/arena --dir /var/arena/bots"
        f" {SEEN} --ro-bind /var/arena/bots/fox /var/arena/bots/fox"
        " --ro-bind /var/arena/door /var/arena/door --chdir /var/arena/bots/fox"
    )


def test_the_whole_list_of_a_build_by_a_user_of_its_own() -> None:
    build = replace(BUILD, uid=60_600)
    assert in_order(bubblewrap.options(build, SYSTEM)) == (
        "--unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try"
        " --hostname bot --die-with-parent --cap-drop ALL --cap-add CAP_DAC_READ_SEARCH"
        " --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP"
        f" --proc /proc --dev /dev --remount-ro /dev {OPEN_TMP}"
        f" --dir /etc --dir /home --dir /var --dir /home/ada {SEEN} --bind /var/build /var/build"
        " --setenv O 2 --setenv OLD_ o --chdir /var/build"
    )


def in_order(words: list[str]) -> str:
    """Join the words, with folders of one depth in the order of names: they may come in any."""
    made = [word for at, word in enumerate(words) if words[at - 1] == "--dir"]
    depths = [word.count("/") for word in made]
    assert depths == sorted(depths)
    first = words.index("--dir")
    assert words[first : first + 2 * len(made) : 2] == ["--dir"] * len(made)
    words[first + 1 : first + 2 * len(made) : 2] = sorted(
        made, key=lambda name: (name.count("/"), name)
    )
    return " ".join(words)


def test_the_folder_of_a_bot_is_made_where_it_sees_only_some_of_it() -> None:
    """It is its current folder even where nothing of it is bound."""
    words = bubblewrap.options(replace(BOT, files=()), SYSTEM)
    assert "--dir /var/arena/bots/fox" in " ".join(words)


HEAD = (
    "/usr/bin/bwrap --args {options} --add-seccomp-fd {refuse} --add-seccomp-fd {allow}"
    " --perms 0444 --ro-bind-data {loadavg} /proc/loadavg --remount-ro / -- "
)


@pytest.mark.parametrize(
    ("bot", "inner", "kinds", "reach", "limits"),
    [
        (BOT, "/usr/bin/prlimit --nproc=128:128 --", (Filter.REFUSE, Filter.ALONE), None, ()),
        (
            replace(BOT, door="tcp:[::1]:7", uid=5),
            "/usr/bin/setpriv --reuid 5 --regid 5 --clear-groups --inh-caps=-all"
            " --bounding-set=-all --",
            (Filter.REFUSE, Filter.ALONE),
            ("tcp:[::1]:7",),
            ((resource.RLIMIT_NPROC, 128),),
        ),
        (
            BUILD,
            "/usr/bin/prlimit --nproc=128:128 -- /usr/bin/env -- LD_DEBUG=x MALLOC_CHECK_=3"
            " TZDIR=z",
            (Filter.REFUSE_BUILD, Filter.BUILD),
            ("public", "udp:1.1.1.1:53"),
            (),
        ),
    ],
)
@pytest.mark.parametrize("memory_cgroup", [True, False])
def test_the_whole_rules_of_bubblewrap(
    bot: Confinement,
    inner: str,
    kinds: tuple[Filter, Filter],
    reach: tuple[str, ...] | None,
    limits: tuple[tuple[int, int], ...],
    *,
    memory_cgroup: bool,
) -> None:
    data = () if memory_cgroup else ((resource.RLIMIT_DATA, 512 * MIB),)
    options = "\0".join(bubblewrap.options(bot, SYSTEM)).encode()  # the order of one run
    assert bubblewrap.rules(bot, SYSTEM, TOOLS, memory_cgroup=memory_cgroup) == Rules(
        words=tuple((HEAD + inner).split()),
        files={
            "refuse": program(kinds[0]),
            "allow": program(kinds[1]),
            "loadavg": b"0.00 0.00 0.00 1/1 1\n",
            "options": options,
        },
        rlimits=(
            (resource.RLIMIT_FSIZE, 256 * MIB),
            (resource.RLIMIT_MSGQUEUE, 0),
            *data,
            *limits,
        ),
        filters=(program(Filter.CONNECT),) if reach else (),
        reach=reach,
        scratch="/tmp",
    )


READ = landlock.READ_FILE | landlock.READ_DIR
RUN = READ | landlock.EXECUTE
USE = landlock.READ_FILE | landlock.WRITE_FILE | landlock.IOCTL_DEV
MAKE = landlock.MAKE_DIR | landlock.MAKE_REG | landlock.MAKE_FIFO | landlock.MAKE_SYM
REMOVE = landlock.REMOVE_DIR | landlock.REMOVE_FILE
WRITE = RUN | landlock.WRITE_FILE | landlock.TRUNCATE | REMOVE | MAKE | landlock.REFER


@pytest.mark.parametrize("memory_cgroup", [True, False])
@pytest.mark.parametrize("bot", [replace(BOT, listed=(Path("/lib"),)), BUILD])
def test_the_whole_rules_of_landlock(bot: Confinement, *, memory_cgroup: bool) -> None:
    data = () if memory_cgroup else ((resource.RLIMIT_DATA, 512 * MIB),)
    kinds = (Filter.REFUSE, Filter.SHARED)
    own = (("/var/arena/bots/fox", RUN), ("/var/arena/bots/fox", landlock.READ_DIR))
    last: tuple[tuple[str, int], ...] = (("/lib", landlock.READ_DIR), ("/var/arena/scratch", WRITE))
    reach: tuple[str, ...] = ("unix:/var/arena/door",)
    if bot.is_build:
        kinds = (Filter.REFUSE_BUILD, Filter.BUILD_SHARED)
        own = (("/var/build", landlock.READ_DIR),)  # type: ignore[assignment]
        last = (("/var/arena/scratch", WRITE), ("/var/build", WRITE))
        reach = ("public", "udp:1.1.1.1:53")
    paths = (
        ("/usr", RUN),
        ("/etc/ssl", RUN),
        *((f"/dev/{name}", USE) for name in ("null", "zero", "full", "random", "urandom")),
        ("/proc", READ),
        ("/home/ada/venv", RUN),
        *own,
        *last,
    )
    assert kernel.rules(bot, SYSTEM, 5, memory_cgroup=memory_cgroup) == Rules(
        rlimits=((resource.RLIMIT_FSIZE, 256 * MIB), (resource.RLIMIT_MSGQUEUE, 0), *data),
        folders=("/var/arena/scratch",),
        landlock=(*landlock.rights_of(5), paths),
        filters=tuple(map(program, kinds)),
        reach=reach,
    )


def test_rights_are_the_bits_of_the_kernel() -> None:
    """linux/landlock.h numbers them so."""
    rights = (
        landlock.EXECUTE,
        landlock.WRITE_FILE,
        landlock.READ_FILE,
        landlock.READ_DIR,
        landlock.REMOVE_DIR,
        landlock.REMOVE_FILE,
        landlock.MAKE_CHAR,
        landlock.MAKE_DIR,
        landlock.MAKE_REG,
        landlock.MAKE_SOCK,
        landlock.MAKE_FIFO,
        landlock.MAKE_BLOCK,
        landlock.MAKE_SYM,
        landlock.REFER,
        landlock.TRUNCATE,
        landlock.IOCTL_DEV,
    )
    assert rights == tuple(1 << bit for bit in range(16))
