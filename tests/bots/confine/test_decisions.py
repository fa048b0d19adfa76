"""The answer of every filter to calls that matter, those at the edges of each condition too.

`decisions.txt` has the answers of all filters, and below them the calls, with their arguments.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.confine import syscalls
from arena.bots.confine.filters import Filter, numbers, program
from tests.bots.confine.seccomp_machine import ANOTHER_ARCHITECTURE, decided

TABLE = Path(__file__).parent / "decisions.txt"


def rows() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each call, with the answers in the order of `Filter`."""
    answers: tuple[str, ...] = ()
    for line in TABLE.read_text().splitlines()[1:]:
        if line.startswith(" "):
            yield line.strip(), answers
        else:
            answers = tuple(line.split())


def test_the_table_has_a_column_for_each_filter() -> None:
    assert TABLE.read_text().splitlines()[0] == "# " + " ".join(
        kind.name.lower() for kind in Filter
    )


@pytest.mark.parametrize("kind", Filter)
def test_each_call_is_answered_as_the_table_says(kind: Filter) -> None:
    column = [*Filter].index(kind)
    made = program(kind)
    for call, answers in rows():
        name, *arguments = call.split()
        found = decided(made, name, [int(each, 0) for each in arguments])
        assert found == answers[column], call


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (Filter.ALONE, (syscalls.METADATA, syscalls.ALONE, "connect")),
        (Filter.SHARED, ()),
        (Filter.BUILD, (syscalls.METADATA, syscalls.TIMES, "connect")),
        (Filter.BUILD_SHARED, (syscalls.METADATA, syscalls.TIMES)),
    ],
)
def test_what_is_in_the_tables_is_allowed_and_nothing_else_without_a_condition(
    kind: Filter, more: tuple[str, ...]
) -> None:
    named = {*syscalls.ALWAYS, *syscalls.names(*more)}
    conditional = {
        rule.name
        for table in (
            syscalls.CONDITIONAL,
            syscalls.SOCKETS_ALONE,
            syscalls.SOCKETS_SHARED,
            syscalls.SOCKETS_OF_BUILDS,
        )
        for rule in table
    }
    every = named | {*syscalls.names(syscalls.METADATA, syscalls.TIMES, syscalls.ALONE)}
    for name in numbers(every - (conditional - named)):
        assert decided(program(kind), name) == ("allow" if name in named else "ENOSYS"), name


@pytest.mark.parametrize("kind", Filter)
def test_programs_of_another_architecture_are_refused_everything(kind: Filter) -> None:
    for name in ("read", "connect", "ptrace"):
        assert decided(program(kind), name, (), ANOTHER_ARCHITECTURE) == "ENOSYS"


def test_refusals_say_what_other_systems_say() -> None:
    errors = {refusal.name: refusal.error for refusal in syscalls.REFUSALS}
    assert errors == {
        "clone3": errno.ENOSYS,
        "prctl": errno.EPERM,
        "ioctl": errno.ENOTTY,
        "setsid": errno.EPERM,
        "flock": errno.ENOLCK,
        "fcntl": errno.ENOLCK,
    }
