"""The matrix of a hundred bots: small, and whole without its script."""

from __future__ import annotations

import random

from arena.league.table.standings import Standings, Versus
from arena.outputs.pages.league.matrix import NO_LIKELIHOOD, base_36, matrix_page, pairs
from tests.outputs.reading import read
from tests.outputs.tables import ROW, by_hand, rated


def table_of(bots: int) -> Standings:
    """All have met all, hundreds of times."""
    rng = random.Random(1)
    names = [f"bot-{number:03}" for number in range(bots)]
    versus = {}
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            share, likely, meetings = rng.random(), rng.random(), 4 * rng.randrange(1, 900)
            versus[one, other] = Versus(share, meetings, likely)
            versus[other, one] = Versus(1 - share, meetings, 1 - likely)
    rows = [rated(ROW, bot=name, rank=rank) for rank, name in enumerate(names, 1)]
    return by_hand(*rows, versus=versus)


def test_the_matrix_of_a_hundred_bots_is_below_a_hundred_kilobytes() -> None:
    page = matrix_page(table_of(100))
    text = page.text(page.stamp())
    assert len(text.encode()) < 100_000
    rows = [row for row in read(text).rows if len(row) == 101][1:]
    assert len(rows) == 100
    assert all(cell.isdigit() for at, row in enumerate(rows) for cell in row[1:] if cell)
    assert [row[1 + at] for at, row in enumerate(rows)] == [""] * 100


def test_meetings_and_likelihoods_of_the_pairs_are_those_of_the_standings() -> None:
    table = table_of(9)
    names = [row.name for row in table.rows]
    found = pairs(names, table.versus)
    width, at = found["width"], 0
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            versus = table.versus[one, other]
            meetings = found["meetings"][at * width : (at + 1) * width]
            assert int(meetings, 36) * found["unit"] == versus.meetings
            assert versus.superiority is not None
            assert int(found["better"][2 * at : 2 * at + 2], 36) == round(100 * versus.superiority)
            at += 1
    assert len(found["better"]) == 2 * at


def test_who_never_met_has_no_meetings_and_no_likelihood() -> None:
    found = pairs(["fox", "owl"], {})
    assert found == {"unit": 1, "width": 1, "meetings": "0", "better": base_36(NO_LIKELIHOOD)}


def test_numbers_are_written_to_the_base_36() -> None:
    assert [*map(base_36, (0, 9, 35, 36, 1295, 1296))] == ["0", "9", "z", "10", "zz", "100"]
    assert all(int(base_36(number), 36) == number for number in range(3000))
