"""Which rung is taken, by what the kernel says of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.confine.choose import gives_users, namespaces_remedy

ALL_USERS = "         0          0 4294967295\n"
ALL_RIGHTS = "000001ffffffffff"


@pytest.mark.parametrize(
    ("uids", "rights", "expected"),
    [
        (ALL_USERS, ALL_RIGHTS, True),
        ("         0       1000          1\n", ALL_RIGHTS, False),
        ("         0       1000          1\n         1     100000      65536\n", ALL_RIGHTS, False),
        ("         0          0 1600000001\n", ALL_RIGHTS, False),
        ("1600000001          0  200000000\n", ALL_RIGHTS, False),
        (ALL_USERS, "000001ffffdfffff", False),  # without CAP_SYS_ADMIN, as in most containers
        (ALL_USERS, "0000000000000000", False),  # an ordinary user
    ],
)
def test_each_bot_gets_a_user_only_where_there_are_so_many_and_the_rights_to_change_to_them(
    tmp_path: Path, uids: str, rights: str, expected: bool
) -> None:
    (tmp_path / "uid_map").write_text(uids)
    (tmp_path / "status").write_text(f"Name:\tarena\nCapEff:\t{rights}\n")
    assert gives_users(tmp_path) is expected


def test_switches_that_are_off_are_named_with_their_commands(tmp_path: Path) -> None:
    for name, value in (
        ("kernel/unprivileged_userns_clone", "0"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
        ("user/max_user_namespaces", "15000"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{value}\n")
    remedy = namespaces_remedy(tmp_path)
    assert "`sudo sysctl -w kernel.unprivileged_userns_clone=1`" in remedy
    assert "`sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`" in remedy
    assert "max_user_namespaces" not in remedy


def test_where_no_switch_is_off_a_container_is_named(tmp_path: Path) -> None:
    assert "container" in namespaces_remedy(tmp_path)
