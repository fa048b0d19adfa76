"""The page on which people play, and who may open its WebSocket."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.games import GAMES
from arena.serve.options import ServeOptions
from arena.serve.play import PlayBot
from tests.league.leagues import Simulated
from tests.serve.asked import HOST, Answer, Visitor, visit
from tests.serve.told import ToldLeague

BOTS = (PlayBot("fox", "/fox", {"nope": (2, 3)}),)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    league = Simulated(game="nope", options={}, bots=("fox", "owl", "crow", "hare"), sets=2)
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


EVERY_GAME = (PlayBot("fox", "/fox", dict.fromkeys(GAMES, (2, 3, 4))),)


def facts(answer: Answer) -> dict[str, Any]:
    """What a page on which people play knows."""
    (text,) = re.findall(
        r'<script type="application/json" id="play-data">(.*?)</script>', answer.text
    )
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def test_the_page_opens_with_the_game_of_the_league(folder: Path) -> None:
    assert next(iter(GAMES)) != "nope"  # which is chosen without a league
    found = facts(asked(folder, "/play", play=EVERY_GAME))
    assert (found["game"], [*found["games"]]) == ("nope", [*GAMES])


def test_a_game_that_no_bot_plays_with_visitors_is_not_chosen(folder: Path) -> None:
    only_njet = (PlayBot("fox", "/fox", {"njet": (2, 3)}),)
    assert facts(asked(folder, "/play", play=only_njet))["game"] == ""


def test_a_league_that_was_not_read_yet_does_not_decide_the_game_for_good(folder: Path) -> None:
    async def ask(visitor: Visitor) -> list[str]:
        (league,) = visitor.site.leagues.values()
        look, league.watched.look = league.watched.look, None
        early = await visitor.ask("/play")
        league.watched.look = look
        return [facts(each)["game"] for each in (early, await visitor.ask("/play"))]

    assert visit(ask, folder, play=EVERY_GAME) == ["", "nope"]


def test_of_several_leagues_each_leads_to_its_game_and_the_index_to_none(
    folder: Path, tmp_path: Path
) -> None:
    with closing(ToldLeague(tmp_path / "spring.arena", Simulated(game="njet", sets=2), 1)) as other:

        async def ask(visitor: Visitor) -> dict[str, str]:
            found = {}
            for page in ("/", "/cup/", "/spring/", "/spring/sets/000/1.html", "/spring/join"):
                (link,) = {*re.findall(r'href="(/play[^"]*)"', (await visitor.ask(page)).text)}
                shown = await visitor.ask(link)
                (root,) = re.findall(r'class="brand"><a href="(.*?)index.html"', shown.text)
                found[page] = f"{facts(shown)['game']} {root}"
            odd = await visitor.ask("/play?league=../secrets")
            assert (odd.status, facts(odd)["game"]) == (200, "")
            return found

        assert visit(ask, folder, other.folder, play=EVERY_GAME) == {
            "/": " /",
            "/cup/": "nope /cup/",
            **dict.fromkeys(
                ("/spring/", "/spring/sets/000/1.html", "/spring/join"), "njet /spring/"
            ),
        }


def test_the_index_of_several_leagues_leads_there(folder: Path, tmp_path: Path) -> None:
    with closing(ToldLeague(tmp_path / "spring.arena", Simulated(sets=2), 1)) as other:

        async def ask(visitor: Visitor) -> Answer:
            return await visitor.ask("/")

        assert 'href="/play"' in visit(ask, folder, other.folder, play=BOTS).text
        assert 'href="/play"' not in visit(ask, folder, other.folder).text
