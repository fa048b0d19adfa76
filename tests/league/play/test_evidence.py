"""Evidence that a bot asks for, as the league gives it to the door."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.league.model.evidence import BEFORE_ALL, EvidencePlace
from arena.league.play.evidence import evidence_for, read_evidence
from arena.league.store.database import StoreError
from arena.league.store.folder import DATABASE
from arena.league.store.reader import Reader
from arena.record.evidence import Evidence
from arena.referee.door.evidence import MOST_TOLD, EvidencePage, KeptFault
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest

LEAGUE = Honest(sets=12, illegal=("hare", "mole"), unfinished=2)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return honest(tmp_path_factory.mktemp("leagues"), LEAGUE) / DATABASE


def all_of(league: Path, name: str) -> list[tuple[str, Evidence]]:
    """The evidence of a bot with the places of its matches, found by their records."""
    with Reader.read(league) as store:
        return [
            (str(played.place), one)
            for number in store.completed()
            for played in getattr(store.complete_set(number), "matches", ())
            for one in store.evidence(played.place)
            if played.record.names[one.seat] == name
        ]


def page_of(league: Path, name: str, after: str = "") -> EvidencePage:
    return read_evidence(league, name, after)


@pytest.mark.parametrize("name", ["hare", "mole", "fox"])
def test_page_by_page_a_bot_gets_its_own_faults_in_complete_sets_and_no_others(
    league: Path, name: str
) -> None:
    found: list[KeptFault] = []
    for _ in range(99):
        page = page_of(league, name, found[-1].at if found else "")
        assert len(page.kept) <= MOST_TOLD
        found += page.kept
        if not page.more:
            break
        assert len(page.kept) == MOST_TOLD
    assert [(each.match, each.evidence) for each in found] == all_of(league, name)
    assert (len(found) > MOST_TOLD) == (name != "fox")
    places = [EvidencePlace.parse(each.at) for each in found]
    assert places == sorted({each for each in places if each is not None})


def test_after_the_last_place_and_for_a_stranger_there_is_nothing(league: Path) -> None:
    assert page_of(league, "hare", "999999.0.0") == EvidencePage(())
    assert page_of(league, "nobody") == EvidencePage(())


@pytest.mark.parametrize(
    "after", ["1.2", "a.b.c", "-1.0.0", "1.2.3.4", "1..3", "²33.0.0", "9" * 40, f"{2**63}.0.0"]
)
def test_a_place_that_is_none_is_known(league: Path, after: str) -> None:
    with pytest.raises(ValueError, match=f"^No evidence stands at {re.escape(repr(after))}$"):
        read_evidence(league, "hare", after)


async def test_a_league_is_read_for_the_door_in_a_thread_of_its_own(league: Path) -> None:
    assert await evidence_for(league, "hare", "") == page_of(league, "hare")


def test_a_league_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"league\.db"):
        read_evidence(tmp_path / DATABASE, "hare", "")


def test_places_of_evidence_are_written_and_read_again() -> None:
    for place in (EvidencePlace(5231, 3, 0), BEFORE_ALL):
        assert EvidencePlace.parse(str(place)) == place
    assert EvidencePlace(5, 0, 0) < EvidencePlace(5, 0, 1) < EvidencePlace(5, 1, 0)


def test_a_set_that_is_not_complete_is_not_told_whatever_its_events_say(tmp_path: Path) -> None:
    home = honest(tmp_path, Honest(sets=4, illegal=("hare",)))
    path = home / DATABASE
    places = {each.match for each in page_of(path, "hare").kept}
    hidden = next(iter(sorted(places))).partition(".")[0]
    Damaged(home, DATABASE).execute("UPDATE sets SET is_complete = 0 WHERE number = ?", int(hidden))
    rest = {each.match.partition(".")[0] for each in page_of(path, "hare").kept}
    assert rest
    assert hidden not in rest
