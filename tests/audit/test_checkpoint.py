"""`arena verify` and the checkpoint: counted anew, and each difference is named."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
import pytest

from arena.audit.findings import Misfits
from arena.audit.league import audit
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.league.store.store import Store
from arena.league.table.checkpoint import VERSION, packed, unpacked
from arena.league.table.ledger import LedgerState
from arena.league.table.live import ledger_of
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest

LEAGUE = Honest(illegal=("hare",), void=(2,), unfinished=2, sets=5)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league with a checkpoint after all its sets."""
    folder = honest(tmp_path, LEAGUE)
    with Store.open(folder / DATABASE) as store:
        ledger = ledger_of(store)
        store.keep_checkpoint(packed(ledger), ledger.fresh, is_anew=True)
    return folder


def findings(league: Path) -> Misfits:
    return audit(league, lambda done, of: None).findings


def test_a_checkpoint_that_fits_is_no_finding(league: Path) -> None:
    assert findings(league).all == []


def change(file: str, league: Path, **values: Any) -> None:
    """Change the state of a checkpoint; its sum of its bytes is right."""
    damaged = Damaged(league, file)
    ((body,),) = damaged.execute("SELECT body FROM checkpoint WHERE part = 0")
    state = msgspec.msgpack.decode(body[6:], type=LedgerState)
    body = msgspec.msgpack.encode(msgspec.structs.replace(state, **values))
    body = struct.pack("<HI", VERSION, crc32(body)) + body
    damaged.execute("UPDATE checkpoint SET body = ? WHERE part = 0", body)


@pytest.mark.parametrize("file", [DATABASE, COMPLETE_SETS])
@pytest.mark.parametrize(
    "name", ["sets", "stood", "first", "confinement", "tallies", "last_number"]
)
def test_each_sum_that_differs_is_named(league: Path, name: str, file: str) -> None:
    with Store.open(league / DATABASE) as store:
        found = store.checkpoint()
        assert found is not None
        was = getattr(unpacked(found), name)
    other = was[::-1] if isinstance(was, list) else f"{was}x" if isinstance(was, str) else was + 1
    change(file, league, **{name: other})
    assert [str(one).split(";")[0] for one in findings(league).all] == [
        f"{file}, checkpoint: its {name} are not what its sets give"
    ]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (
            lambda league: league.flip("checkpoint", "body", at=-1, part=0),
            "cannot be used: its sums are damaged",
        ),
        (
            lambda league: league.flip("checkpoint", "body", at=-1, part=1),
            "cannot be used: its results are not those that it counted",
        ),
        (
            lambda league: league.execute("UPDATE checkpoint SET body = x'00' WHERE part = 1"),
            "cannot be used: these rows are of other columns",
        ),
        (
            lambda league: league.execute("UPDATE checkpoint SET body = 'text' WHERE part = 0"),
            "cannot be used: it is too short",
        ),
    ],
)
def test_damage_is_named_with_the_remedy(
    league: Path, damage: Callable[[Damaged], object], words: str
) -> None:
    damage(Damaged(league))
    told = [str(one) for one in findings(league).all]
    assert told[0] == (
        f"{DATABASE}, checkpoint: {words}; remove it while no runner plays the league, and it is"
        f" made anew: sqlite3 {DATABASE} 'DROP TABLE checkpoint'"
    )
    Damaged(league).execute("DROP TABLE checkpoint")
    Store.open(league / DATABASE).close()
    assert findings(league).all == []


def test_results_that_no_match_gave_are_found(league: Path) -> None:
    damaged = Damaged(league)
    ((rows,),) = damaged.execute("SELECT body FROM checkpoint WHERE part = 1")
    rows = rows[:-1] + bytes([rows[-1] ^ 1])
    damaged.execute("UPDATE checkpoint SET body = ? WHERE part = 1", rows)
    change(DATABASE, league, crc=crc32(rows))
    assert str(findings(league).all[0]).startswith(
        f"{DATABASE}, checkpoint: its results are not those of the matches"
    )


def test_a_checkpoint_of_another_version_is_passed_over(league: Path) -> None:
    for file in (DATABASE, COMPLETE_SETS):
        Damaged(league, file).execute("UPDATE checkpoint SET body = x'ffff00000000' WHERE part = 0")
    assert findings(league).all == []


def test_what_is_behind_the_matches_fits(league: Path) -> None:
    """A kill leaves a checkpoint of some sets before the last."""
    with Store.open(league / DATABASE) as store:
        ledger = ledger_of(store)
        assert ledger.sets > 1
        fewer = type(ledger)(ledger.names, store.planned())
        fewer.enter(next(store.complete_sets()))
        store.keep_checkpoint(packed(fewer), fewer.fresh, is_anew=True)
    assert findings(league).all == []
