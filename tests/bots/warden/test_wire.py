"""Messages on the link between the referee and the warden, and rules on their way there."""

from __future__ import annotations

import pytest

from arena.bots.warden.rules import Rules
from arena.bots.warden.wire import pack, unpack

MESSAGES: list[tuple[object, ...]] = [("end", 1, 500), ("tails", 2), (), ("x", b"y" * 300)]


@pytest.mark.parametrize("size", [1, 3, 4, 5, 7, 1000])
def test_messages_come_out_whole_however_they_are_cut(size: int) -> None:
    data = b"".join(map(pack, MESSAGES))
    buffer = bytearray()
    found: list[tuple[object, ...]] = []
    for start in range(0, len(data), size):
        buffer += data[start : start + size]
        found += unpack(buffer)
    assert found == MESSAGES
    assert buffer == b""


def test_what_follows_a_message_stays_in_the_buffer() -> None:
    buffer = bytearray(pack(("a",)) + pack(("b",))[:-1])
    assert [*unpack(buffer)] == [("a",)]
    assert buffer == pack(("b",))[:-1]


def test_the_length_stands_in_front_in_four_bytes() -> None:
    data = pack(("b", 1))
    assert int.from_bytes(data[:4], "big") == len(data) - 4


ALL = Rules(
    words=("bwrap", "{a}"),
    files={"a": b"1"},
    rlimits=((1, 2),),
    folders=("/f",),
    landlock=(1, 2, 3, (("/p", 4),)),
    filters=(b"x",),
    reach=("public",),
    cgroups=(("/g", (), ()),),
    scratch="/tmp",
)


@pytest.mark.parametrize("rules", [ALL, Rules()])
def test_rules_are_the_same_after_the_link(rules: Rules) -> None:
    ((plain,),) = unpack(bytearray(pack((rules.plain(),))))
    assert isinstance(plain, dict)
    assert Rules(**plain) == rules
    assert plain.keys() == set(Rules.__slots__)


def test_empty_rules_do_nothing_and_what_is_set_is_told() -> None:
    nothing = Rules()
    assert nothing.plain() == {
        "words": (),
        "files": {},
        "rlimits": (),
        "folders": (),
        "landlock": None,
        "filters": (),
        "reach": None,
        "cgroups": (),
        "spread": None,
        "scratch": "",
    }
    assert repr(nothing) == "Rules()"
    assert repr(Rules(scratch="/tmp")) == "Rules(scratch='/tmp')"


def test_rules_with_other_groups_differ_in_them_alone() -> None:
    spread = ("/h/cpu.stat", "/h/cpus", 2)
    other = ALL.with_cgroups((("/h", (), ()),), spread)
    assert other != ALL
    assert other.with_cgroups(ALL.cgroups, None) == ALL
    assert other.plain() == ALL.plain() | {"cgroups": (("/h", (), ()),), "spread": spread}
    assert ALL != "rules"
