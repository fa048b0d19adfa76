"""The address that authors are told, and the doubt about one that arena chose itself."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.league.file.told_address import addresses_of, doubt, to_dial
from arena.league.model.config import League

EVERYWHERE = League(
    name="Cup", game="nyet", seats=2, entrants=(), sets=1, listen="tcp:0.0.0.0:4000"
)
NAMED = replace(EVERYWHERE, address="tcp:arena.example.org:80")


@pytest.mark.parametrize("everywhere", ["tcp:0.0.0.0:4000", "tcp:[::]:4000"])
def test_who_listens_everywhere_is_dialled_by_name(everywhere: str) -> None:
    league = replace(EVERYWHERE, listen=everywhere)
    assert to_dial(league) == f"tcp:{socket.gethostname()}:4000"


def test_who_listens_at_one_address_is_dialled_there() -> None:
    assert to_dial(replace(EVERYWHERE, listen="tcp:[::1]:4000")) == "tcp:[::1]:4000"


@pytest.mark.parametrize("listen", ["tcp:0.0.0.0:4000", "tcp:127.0.0.1:4000"])
def test_an_address_of_the_file_is_told_wherever_the_league_listens(listen: str) -> None:
    assert to_dial(replace(NAMED, listen=listen)) == "tcp:arena.example.org:80"


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ([], "has no address; "),
        (["127.0.1.1"], "is 127.0.1.1 here, which is this machine alone; "),
        (["127.0.0.1", "::1"], "is 127.0.0.1 and ::1 here, which is this machine alone; "),
    ],
)
def test_a_name_that_leads_nowhere_else_is_told_with_the_remedy(
    found: Sequence[str], why: str
) -> None:
    (line,) = doubt(EVERYWHERE, lambda host: found if host == socket.gethostname() else ["8.8.8.8"])
    assert line.startswith(f"warning: bots on other machines may not reach {to_dial(EVERYWHERE)}: ")
    assert f"the name {socket.gethostname()} {why}" in line
    assert 'write address = "tcp:HOST:4000" into the league\'s file' in line


@pytest.mark.parametrize("found", [["192.0.2.7"], ["127.0.1.1", "192.0.2.7"], ["fe80::1%eth0"]])
def test_a_name_that_leads_here_from_elsewhere_is_not_doubted(found: Sequence[str]) -> None:
    assert doubt(EVERYWHERE, lambda host: found) == ()


@pytest.mark.parametrize("league", [NAMED, replace(EVERYWHERE, listen="tcp:127.0.0.1:4000")])
def test_an_address_that_the_operator_chose_is_not_doubted(league: League) -> None:
    assert doubt(league, lambda host: []) == ()


def test_the_addresses_of_a_host_are_looked_up_and_a_host_without_any_has_none() -> None:
    found = addresses_of("localhost")
    assert {"127.0.0.1", "::1"} & {*found}
    assert len({*found}) == len(found)
    assert addresses_of("x" * 64) == []  # longer than any label of a name
