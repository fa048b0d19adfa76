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


def test_a_websocket_of_a_foreign_page_or_of_none_is_refused(folder: Path) -> None:
    for origin, status in (((), 404), ((("origin", "https://evil.example"),), 403)):
        answer = asked(folder, "/play/table", *origin, kind="websocket", play=BOTS)
        assert answer.status == status


def test_there_is_no_websocket_where_nobody_may_play(folder: Path) -> None:
    answer = asked(folder, "/play/table", ("origin", f"http://{HOST}"), kind="websocket")
    assert (answer.status, "There is no WebSocket here" in answer.text) == (404, True)


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


def test_a_websocket_is_logged_with_what_became_of_it(folder: Path) -> None:
    async def ask(visitor: Visitor) -> int:
        headers = [("host", HOST), ("origin", f"http://{HOST}")]
        await visitor.ask("/play/table", kind="websocket", headers=headers)
        (line,) = visitor.log.lines
        status: int = line["status"]
        return status

    nothing = str(folder / "nothing")
    assert visit(ask, folder, play=BOTS, tables=nothing) == 101


def test_every_page_of_a_league_leads_there_where_visitors_may_play_and_nowhere_else(
    folder: Path,
) -> None:
    link = 'href="/play"'
    tables = ("", "matrix.html", "history.html", "bots/fox.html", "sets/000/1.html")
    for path in (*tables, "join", "tv"):
        assert link in asked(folder, f"/cup/{path}", play=BOTS).text, path
        assert link not in asked(folder, f"/cup/{path}").text, path


def test_the_index_of_several_leagues_leads_there(folder: Path, tmp_path: Path) -> None:
    with closing(ToldLeague(tmp_path / "spring.arena", Simulated(sets=2), 1)) as other:

        async def ask(visitor: Visitor) -> Answer:
            return await visitor.ask("/")

        assert 'href="/play"' in visit(ask, folder, other.folder, play=BOTS).text
        assert 'href="/play"' not in visit(ask, folder, other.folder).text
