"""Pages of a league, made when somebody asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.store.store import Store
from arena.outputs.pages.names import file_of_bot
from tests.league.leagues import NASTY, Simulated, simulate
from tests.outputs.leagues import publish
from tests.serve.asked import HOST, Visitor, visit

LEAGUE = Simulated(bots=("fox", "owl", "crow", "hare", NASTY), sets=6)
PLAYED = 5


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A league of which a set is missing."""
    with closing(simulate(tmp_path / "cup.arena", LEAGUE, PLAYED)) as store:
        yield store


def served_pages(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))


def test_every_published_page_is_served_and_shows_the_same(store: Store, tmp_path: Path) -> None:
    folder = publish(store, tmp_path / "pages")

    async def ask(visitor: Visitor) -> None:
        for file in served_pages(folder):
            answer = await visitor.ask(f"/cup/{file}")
            assert answer.status == 200, file
            published = (folder / file).read_text()
            found = re.search(r"<main.*</main>", published, re.DOTALL)
            assert found
            shown = found[0].replace(" data-running", "").replace("running", "stopped")
            assert len(answer.text) > 1000
            if file not in ("index.html",):  # it says that nobody plays the league
                assert shown.replace("stopped", "running") in answer.text.replace(
                    "stopped", "running"
                ), file

    visit(ask, store.path.parent)


def test_the_page_of_a_set_that_is_not_complete_is_not_there(store: Store) -> None:
    async def ask(visitor: Visitor) -> None:
        assert (await visitor.ask("/cup/sets/000/5.html")).status == 200
        for number in (6, 7, 0, 99999):
            assert (await visitor.ask(f"/cup/sets/000/{number}.html")).status == 404

    visit(ask, store.path.parent)


@pytest.mark.parametrize(
    "path",
    [
        "/cup/../cup.arena/league.db",
        "/cup/league.db",
        "/cup/secrets.toml",
        "/cup/../../etc/passwd",
        "/cup/assets/../../../pyproject.toml",
        "/cup//etc/passwd",
        "/cup/sets/000/../000/1.html",
        "/cup/sets/001/1.html",
        "/cup/sets/000/01.html",
        "/cup/bots/",
        "/cup/bots/fox.html/1.html/..",
        "/cup/standings.toml",
        "/cup/index.html\x00",
        "/nowhere/index.html",
        "/CUP/",
        "/cup/index.html/",
    ],
)
def test_a_path_names_a_page_or_nothing(store: Store, path: str) -> None:
    async def ask(visitor: Visitor) -> None:
        assert (await visitor.ask(path)).status == 404

    visit(ask, store.path.parent)


def test_a_page_that_a_visitor_has_is_not_sent_again(store: Store) -> None:
    async def ask(visitor: Visitor) -> None:
        tag = (await visitor.ask("/cup/")).headers["etag"]
        for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            answer = await visitor.ask("/cup/", headers=[("host", HOST), ("if-none-match", known)])
            assert (answer.status, answer.body) == (304, b"")
        answer = await visitor.ask("/cup/", headers=[("host", HOST), ("if-none-match", '"x"')])
        assert answer.status == 200

    visit(ask, store.path.parent)


def test_a_page_is_compressed_for_those_who_can_read_that(store: Store) -> None:
    async def ask(visitor: Visitor) -> None:
        whole = await visitor.ask("/cup/")
        packed = await visitor.ask(
            "/cup/", headers=[("host", HOST), ("accept-encoding", "br, gzip;q=0.5")]
        )
        assert packed.text == whole.text
        assert len(packed.body) < len(whole.body) / 3
        assert packed.headers["vary"] == "accept-encoding"

    visit(ask, store.path.parent)


def test_no_name_of_a_bot_is_markup_anywhere(store: Store) -> None:
    async def ask(visitor: Visitor) -> None:
        for file in (
            "",
            "matrix.html",
            f"bots/{file_of_bot(NASTY)}",
            "sets/000/1.html",
            "history.html",
        ):
            answer = await visitor.ask(f"/cup/{file}")
            assert answer.status == 200
            assert "<script>alert" not in answer.text

    visit(ask, store.path.parent)


def test_several_leagues_have_an_index_and_one_is_led_to(store: Store, tmp_path: Path) -> None:
    other = simulate(tmp_path / "spring.arena", Simulated(name=NASTY, sets=2))

    async def index(visitor: Visitor) -> None:
        text = (await visitor.ask("/")).text
        assert 'href="cup/"' in text
        assert (await visitor.ask("/index.html")).text == text  # where the head of the page leads
        assert 'href="spring/"' in text
        assert "<script>alert" not in text

    async def one(visitor: Visitor) -> None:
        answer = await visitor.ask("/")
        assert (answer.status, answer.headers["location"]) == (307, "/cup/")

    visit(index, store.path.parent, other.path.parent)
    visit(one, store.path.parent)
    other.close()
