"""Help for authors who join: the page of a league, SPEC.md, and the sample bots as archives."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from arena import data
from arena.outputs.pages.render import render
from arena.serve.live.made import MadeFile
from arena.serve.web.answers import answer, come_again, nothing_here
from arena.serve.web.pages import league_of, site_of

# Files that are no part of a bot, where arena runs from a checkout in which samples were built.
_LEFT_OUT = frozenset({"node_modules", "target", "build", "bin", "obj", "__pycache__"})
# The time of every file in an archive, so that the same files make the same archive.
_THEN = (2026, 1, 1, 0, 0, 0)


async def join(request: Request) -> Response:
    """The page about joining a league."""
    league = league_of(request)
    if league is None:
        return nothing_here(request)
    if league.look is None:
        return come_again(league.why_unread, 2)
    text = render(
        "join.html",
        root="",
        here="join",
        served=True,
        league=league.look.name,
        running=False,
        facts=league.look.standings.facts,
        dial_in=site_of(request).options.dial_in,
        play_at=league.play_at,
        samples=samples(),
    )
    return answer(request, MadeFile.of("join.html", text.encode("utf-8", "backslashreplace")))


async def spec(request: Request) -> Response:
    """SPEC.md as it is."""
    return answer(request, MadeFile.of("SPEC.txt", data.spec().read_bytes()))


async def sample(request: Request) -> Response:
    """The folder of a sample bot."""
    name = request.path_params["name"]
    if name not in samples():
        return nothing_here(request)
    return answer(request, archive(data.sample_bots() / name))


@cache
def samples() -> tuple[str, ...]:
    """Return the names of the sample bots."""
    return tuple(sorted(path.parent.name for path in data.sample_bots().glob("*/bot.toml")))


@cache
def archive(folder: Path) -> MadeFile:
    """Return a folder as a zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if path.is_file() and not path.is_symlink() and _LEFT_OUT.isdisjoint(inside.parts):
                info = zipfile.ZipInfo(f"{folder.name}/{inside.as_posix()}", _THEN)
                info.external_attr = path.stat().st_mode << 16
                file.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return MadeFile.of(f"{folder.name}.zip", packed.getvalue())
