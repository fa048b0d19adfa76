"""The page about joining, and what it leads to."""

from __future__ import annotations

import io
import re
import zipfile
from contextlib import closing
from pathlib import Path

from arena import data
from arena.serve.web.join import archive
from tests.league.leagues import Simulated, simulate
from tests.serve.asked import Visitor, visit


def test_every_address_on_the_page_leads_somewhere(tmp_path: Path) -> None:
    with closing(simulate(tmp_path / "cup.arena", Simulated(sets=1))):

        async def ask(visitor: Visitor) -> None:
            text = (await visitor.ask("/cup/join")).text
            found = re.findall(r'href="(/[^"]+)"', text)
            assert len(found) > 5
            for address in found:
                assert (await visitor.ask(address)).status == 200, address

        visit(ask, tmp_path / "cup.arena")


def test_the_page_says_where_bots_dial_in_or_that_they_do_not(tmp_path: Path) -> None:
    with closing(simulate(tmp_path / "cup.arena", Simulated(sets=1))):

        async def text(visitor: Visitor) -> str:
            return (await visitor.ask("/cup/join")).text

        dialled = visit(text, tmp_path / "cup.arena", dial_in="tcp:cup.example.org:4000")
        assert "ARENA_CONNECT=tcp:cup.example.org:4000" in dialled
        assert "needs arena where it runs" in dialled
        assert "Ask the operator" in visit(text, tmp_path / "cup.arena")


def test_an_archive_has_the_files_of_the_bot_and_nothing_else() -> None:
    async def ask(visitor: Visitor) -> None:
        answer = await visitor.ask("/samples/python-random.zip")
        with zipfile.ZipFile(io.BytesIO(answer.body)) as packed:
            for name in packed.namelist():
                assert packed.read(name) == (data.sample_bots() / name).read_bytes()
            assert "python-random/bot.toml" in packed.namelist()
        for name in ("nothing", "..", "../arena", "python-random/../python-random", "demo.toml"):
            assert (await visitor.ask(f"/samples/{name}.zip")).status == 404

    visit(ask)


def test_a_file_in_an_archive_may_be_executed_if_it_may_be_here(tmp_path: Path) -> None:
    folder = tmp_path / "fox"
    folder.mkdir()
    for name, mode in (("bot.py", 0o644), ("run.sh", 0o755)):
        (folder / name).touch()
        (folder / name).chmod(mode)
    with zipfile.ZipFile(io.BytesIO(archive(folder).body)) as packed:
        modes = {each.filename: each.external_attr >> 16 & 0o777 for each in packed.infolist()}
    assert modes == {"fox/bot.py": 0o644, "fox/run.sh": 0o755}


def test_the_specification_is_served_as_text() -> None:
    async def ask(visitor: Visitor) -> None:
        answer = await visitor.ask("/spec")
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.body == data.spec().read_bytes()

    visit(ask)
