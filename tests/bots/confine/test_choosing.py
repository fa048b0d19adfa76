"""The means of each rung, and the words about those that do not work here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from arena.bots.confine import choose as chooser
from arena.bots.confine.bubblewrap import Tools
from arena.bots.confine.choose import (
    LEAST_ABI,
    Choice,
    NotConfined,
    Rejected,
    choose,
    means_of,
    namespaces_remedy,
    tried,
)
from arena.bots.confine.confinement import FIRST_UID, UIDS, Rung, Wish, free_uids
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.controllers import Controllers
from arena.bots.confine.filters import Filter, NoFilters
from arena.bots.confine.selftest import Tried
from arena.bots.confine.system import System
from arena.bots.processes import Warden

NOBODY = cast("Warden", object())
GROUPS = Controllers({"pids": Path("/groups")})
SYSTEM = System((Path("/usr"),))
GIVES_USERS = chooser.gives_users  # as it is before the fixture below
REMEDY = "Use a newer kernel, or install bubblewrap."


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with all that a rung needs; return the folder of its programs."""
    monkeypatch.setattr(chooser, "find_controllers", lambda: GROUPS)
    monkeypatch.setattr(chooser, "find_system", lambda: SYSTEM)
    monkeypatch.setattr(chooser, "gives_users", lambda: True)
    monkeypatch.setattr(chooser, "python_needs", lambda: (Path("/venv"),))
    monkeypatch.setattr(chooser, "folders_to_list", lambda: (Path("/listed"),))
    monkeypatch.setattr("arena.bots.warden.landlock.abi", lambda: LEAST_ABI)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bwrap", "prlimit", "setpriv"):
        (programs / name).touch()
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    return programs


def expected(rung: Rung, programs: Path) -> Means:
    made = Means(
        rung,
        read=(Path("/venv"), Path("/more")),
        listed=(Path("/listed"),),
        system=SYSTEM,
        controllers=GROUPS,
    )
    if rung is Rung.LANDLOCK:
        return replace(made, abi=LEAST_ABI)
    tools = Tools(*(str(programs / name) for name in ("bwrap", "prlimit", "setpriv")))
    return replace(made, tools=tools, uids=True)


@pytest.mark.parametrize("rung", [Rung.BUBBLEWRAP, Rung.LANDLOCK])
def test_a_rung_is_made_of_what_is_found_here(rung: Rung, machine: Path) -> None:
    assert means_of(rung, [Path("/more")]) == expected(rung, machine)


def test_without_the_rights_to_it_bots_are_no_users_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chooser, "gives_users", lambda: False)
    made = means_of(Rung.BUBBLEWRAP, ())
    assert isinstance(made, Means)
    assert not made.uids


@pytest.mark.parametrize(
    ("abi", "why"),
    [
        (LEAST_ABI, None),
        (5, "this kernel has Landlock ABI 5, and 6 is needed (Linux 6.12)"),
        (0, "this kernel has Landlock ABI 0, and 6 is needed (Linux 6.12)"),
    ],
)
def test_a_landlock_that_promises_too_little_is_rejected(
    abi: int, why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.warden.landlock.abi", lambda: abi)
    made = means_of(Rung.LANDLOCK, ())
    if why is None:
        assert isinstance(made, Means)
    else:
        assert made == Rejected(Rung.LANDLOCK, why, REMEDY)


@pytest.mark.parametrize(
    ("missing", "why", "package"),
    [
        (["bwrap"], "bwrap is not installed", "bubblewrap"),
        (["setpriv"], "setpriv is not installed", "util-linux"),
        (["prlimit", "setpriv"], "prlimit, setpriv is not installed", "util-linux"),
        (
            ["bwrap", "prlimit", "setpriv"],
            "bwrap, prlimit, setpriv is not installed",
            "bubblewrap",
        ),
    ],
)
def test_programs_that_are_missing_are_named_with_their_package(
    missing: list[str], why: str, package: str, machine: Path
) -> None:
    for name in missing:
        (machine / name).unlink()
    remedy = f"Try: apt install {package}."
    assert means_of(Rung.BUBBLEWRAP, ()) == Rejected(Rung.BUBBLEWRAP, why, remedy)


async def test_without_libseccomp_no_rung_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(kind: Filter) -> bytes:
        raise NoFilters("there is no libseccomp")

    monkeypatch.setattr(chooser, "program", none)
    assert await tried(NOBODY, Rung.LANDLOCK, Path("/"), ()) == Rejected(
        Rung.LANDLOCK,
        "there is no libseccomp",
        "Install libseccomp: `apt install libseccomp2`.",
    )


@pytest.mark.parametrize(
    ("rung", "result", "has_bwrap", "remedy"),
    [
        (
            Rung.LANDLOCK,
            Tried(("read a file",)),
            True,
            "Bubblewrap is installed: see what keeps it from working.",
        ),
        (
            Rung.LANDLOCK,
            Tried(("read a file",)),
            False,
            "Install bubblewrap: `apt install bubblewrap`.",
        ),
        (Rung.BUBBLEWRAP, Tried(lacking=("x",)), True, "Bubblewrap does not hold here."),
        (
            Rung.BUBBLEWRAP,
            Tried(trouble="bwrap: No permissions to create new namespace"),
            True,
            namespaces_remedy(),
        ),
        (
            Rung.BUBBLEWRAP,
            Tried(trouble="bwrap: setting up uid map: Permission denied"),
            True,
            namespaces_remedy(),
        ),
    ],
)
async def test_a_rung_that_does_not_hold_is_told_with_its_remedy(
    rung: Rung,
    result: Tried,
    remedy: str,
    machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    has_bwrap: bool,
) -> None:
    tries: list[tuple[Means, int | None]] = []

    async def try_out(warden: Warden, confiner: Confiner, uid: int | None) -> Tried:
        tries.append((confiner.means, uid))
        return result

    monkeypatch.setattr(chooser, "try_out", try_out)
    if not has_bwrap:
        (machine / "bwrap").unlink()
    assert await tried(NOBODY, rung, Path("/"), [Path("/more")]) == Rejected(
        rung, str(result), remedy, result
    )
    ((means, uid),) = tries
    assert means == expected(rung, machine)
    assert (uid is not None) == means.uids
    assert uid is None or FIRST_UID <= uid < FIRST_UID + UIDS


async def test_a_rung_that_holds_is_its_means(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def try_out(warden: Warden, confiner: Confiner, uid: int | None) -> Tried:
        return Tried()

    monkeypatch.setattr(chooser, "try_out", try_out)
    means = await tried(NOBODY, Rung.BUBBLEWRAP, Path("/"), [Path("/more")])
    assert means == expected(Rung.BUBBLEWRAP, machine)


NO_BWRAP = Rejected(Rung.BUBBLEWRAP, "it is not there", "Get it.")
NO_LANDLOCK = Rejected(Rung.LANDLOCK, "it is too old", "Renew it.")
LANDLOCK = Means(Rung.LANDLOCK, abi=7)
BUBBLEWRAP = Means(Rung.BUBBLEWRAP)
NONE = Means(controllers=GROUPS)


@pytest.mark.parametrize(
    ("wish", "works", "choice"),
    [
        (Wish.AUTO, (BUBBLEWRAP, LANDLOCK), Choice(BUBBLEWRAP)),
        (Wish.AUTO, (LANDLOCK,), Choice(LANDLOCK, (NO_BWRAP,))),
        (Wish.AUTO, (), Choice(NONE, (NO_BWRAP, NO_LANDLOCK))),
        (Wish.STRICT, (LANDLOCK,), Choice(LANDLOCK, (NO_BWRAP,))),
        (Wish.STRICT, (), (NO_BWRAP, NO_LANDLOCK)),
        (Wish.BUBBLEWRAP, (LANDLOCK,), (NO_BWRAP,)),
        (Wish.LANDLOCK, (BUBBLEWRAP,), (NO_LANDLOCK,)),
        (Wish.LANDLOCK, (LANDLOCK,), Choice(LANDLOCK)),
        (Wish.NONE, (BUBBLEWRAP, LANDLOCK), Choice(NONE)),
    ],
)
async def test_the_strongest_rung_that_works_is_taken_if_the_wish_allows_it(
    wish: Wish,
    works: tuple[Means, ...],
    choice: Choice | tuple[Rejected, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def tried(*arguments: object) -> Means | Rejected:
        rejected = {each.rung: each for each in (NO_BWRAP, NO_LANDLOCK)}
        rung = cast("Rung", arguments[1])
        assert arguments == (NOBODY, rung, Path("/place"), (Path("/more"),))
        return next((means for means in works if means.rung is rung), rejected[rung])

    monkeypatch.setattr(chooser, "tried", tried)
    if isinstance(choice, Choice):
        assert await choose(NOBODY, wish, Path("/place"), (Path("/more"),)) == choice
        return
    with pytest.raises(NotConfined) as caught:
        await choose(NOBODY, wish, Path("/place"), (Path("/more"),))
    assert str(caught.value).splitlines() == [
        "bots cannot be confined here as you want it:",
        *(f"  {each.rung}: {each.why}. {each.remedy}" for each in choice),
        "`arena doctor` tells more.",
    ]


def test_only_bots_that_should_be_confined_and_are_not_are_warned_of() -> None:
    assert Choice(LANDLOCK, (NO_BWRAP,)).warning is None
    assert Choice(NONE).warning is None
    assert Choice(NONE, (NO_BWRAP, NO_LANDLOCK)).warning == (
        "bots run unconfined: they can read and change whatever this user can. Get it."
        " `arena doctor` tells more; --confine none says that you trust them."
    )


@pytest.mark.parametrize(
    ("switches", "remedy"),
    [
        (
            {"user/max_user_namespaces": "0"},
            "User namespaces are switched off here. Try: `sudo sysctl -w"
            " user.max_user_namespaces=10000`.",
        ),
        (
            {
                "kernel/unprivileged_userns_clone": "0",
                "kernel/apparmor_restrict_unprivileged_userns": "1",
            },
            "User namespaces are switched off here. Try: `sudo sysctl -w"
            " kernel.unprivileged_userns_clone=1` and `sudo sysctl -w"
            " kernel.apparmor_restrict_unprivileged_userns=0`.",
        ),
        (
            {"kernel/apparmor_restrict_unprivileged_userns": "0"},
            "User namespaces are refused here, as most container engines do: see"
            ' docs/confinement.md, "How to get bubblewrap".',
        ),
    ],
)
def test_the_remedy_names_each_switch_that_is_off(
    tmp_path: Path, switches: dict[str, str], remedy: str
) -> None:
    for name, value in switches.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{value}\n")
    assert namespaces_remedy(tmp_path) == remedy


@pytest.mark.parametrize("bit", [0, 1, 2, 3, 5, 6, 7, 8, 12, 19, 21])
def test_each_right_that_another_user_needs_is_looked_for(tmp_path: Path, bit: int) -> None:
    """These bits and no others: capabilities(7) numbers them so in linux/capability.h."""
    (tmp_path / "uid_map").write_text("0 0 4294967295\n")
    needed = sum(1 << each for each in (0, 1, 2, 3, 5, 6, 7, 8, 12, 19, 21))
    for rights, gives in ((needed, True), (needed & ~(1 << bit), False)):
        (tmp_path / "status").write_text(f"CapEff:\t{rights:016x}\n")
        assert GIVES_USERS(tmp_path) is gives


@pytest.mark.parametrize(
    ("uid_map", "gives"),
    [
        ("1600000000 0 100000000\n", False),
        ("1600000000 0 100000001\n", True),
        ("1600000001 0 200000000\n", False),
        ("0 0 5\n1000 0 2000000000\n", True),
    ],
)
def test_a_range_must_hold_the_first_user_and_the_last(
    tmp_path: Path, uid_map: str, gives: bool
) -> None:
    (tmp_path / "uid_map").write_text(uid_map)
    (tmp_path / "status").write_text("Name: x\nCapEff:\tffffffffffffffff\n")
    assert GIVES_USERS(tmp_path) is gives


def test_users_are_drawn_where_nobody_has_any() -> None:
    assert {FIRST_UID <= free_uids() < FIRST_UID + UIDS for _ in range(20)} == {True}
    assert len({free_uids() for _ in range(5)}) > 1
    assert (FIRST_UID, UIDS) == (1_600_000_000, 100_000_000)
