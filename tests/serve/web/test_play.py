"""The page on which people play, and who may open its WebSocket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.serve.options import ServeOptions
from arena.serve.play import PlayBot
from tests.league.leagues import Simulated
from tests.serve.asked import HOST, Answer, Visitor, visit
from tests.serve.told import ToldLeague

BOTS = (PlayBot("fox", "/fox", {"nope": (2, 3)}),)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    league = Simulated(bots=("fox", "owl", "crow", "hare"), sets=2)
    with closing(ToldLeague(tmp_path / "cup.arena", league, 1)) as told:
        yield told.folder


def asked(
    folder: Path, path: str, *headers: tuple[str, str], kind: str = "http", **options: object
) -> Answer:
    async def ask(visitor: Visitor) -> Answer:
        return await visitor.ask(path, headers=(("host", HOST), *headers), kind=kind)

    return visit(ask, folder, **options)


def test_options_with_bots_are_the_same_after_a_way_as_json() -> None:
    options = ServeOptions(("a",), HOST, play=BOTS, tables="/tmp/tables")
    assert ServeOptions.from_json(options.to_json()) == options


def test_there_is_no_page_where_nobody_may_play(folder: Path) -> None:
    assert asked(folder, "/play").status == 404


def test_the_page_knows_the_games_and_bots_that_may_be_chosen_and_no_folder(folder: Path) -> None:
    page = asked(folder, "/play", play=BOTS).text
    assert '"bots":{"fox":[2,3]}' in page
    assert '"nyet"' not in page
    assert "/fox" not in page


def test_a_websocket_of_a_foreign_page_is_refused(folder: Path) -> None:
    for origin in ((), (("origin", "https://evil.example"),)):
        answer = asked(folder, "/play/table", *origin, kind="websocket", play=BOTS)
        assert answer.status == 1008


def test_a_websocket_is_closed_with_words_when_the_tables_are_gone(folder: Path) -> None:
    answer = asked(
        folder,
        "/play/table",
        ("origin", f"http://{HOST}"),
        kind="websocket",
        play=BOTS,
        tables=str(folder / "nothing"),
    )
    assert answer.status == 1013
