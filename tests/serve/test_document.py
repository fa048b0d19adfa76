"""docs/serve.md tells what there is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.cli.serve import COMMAND
from arena.people.allowance import MOST_IN_A_ROW, SECONDS_EACH
from arena.serve.connections import websocket
from arena.serve.connections.http import DEFAULT_MOST, HEAD_SECONDS, STALL_SECONDS
from arena.serve.connections.places import MOST_PAGES
from arena.serve.connections.websocket import FRAMES_A_SECOND, MOST_FRAMES
from arena.serve.tv.channel import BETTER
from arena.serve.tv.pace import CARD_MS, PILE_MS
from arena.serve.web.metrics import ServeMetrics
from arena.serve.web.play import LONGEST_FROM_PAGE
from arena.serve.web.routes import routes
from arena.serve.web.site import MOST_PROGRAMS, MOST_WATCHERS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "serve.md").read_text()


def test_every_metric_of_ours_has_its_line() -> None:
    metrics = ServeMetrics()
    named = set(re.findall(r"^# TYPE (arena_\w+) (?!gauge)", metrics.text().decode(), re.MULTILINE))
    named |= {"arena_watchers", "arena_last_event", "arena_seconds_since_look"}
    assert named == set(re.findall(r"^\| `(arena_\w+)` \|", DOCUMENT, re.MULTILINE))


def test_every_address_for_visitors_is_named() -> None:
    for route in routes():
        path = getattr(route, "path").removeprefix("/{league}")  # noqa: B009  # of every kind of route
        if "{" not in path and path not in ("", "/", "/index.html"):
            assert path.removesuffix("/live") in DOCUMENT, path


def test_the_bounds_that_it_tells_are_those_of_the_code() -> None:
    for told in (
        f"{MOST_WATCHERS:,} may watch",
        f"{DEFAULT_MOST:,} connections",
        f"after {HEAD_SECONDS:g} s",
        f"for {STALL_SECONDS:g} s",
        f"{LONGEST_FROM_PAGE:,} bytes",
        f"{PILE_MS / 1000:g} s",
        f"factor of {BETTER:g}",
    ):
        assert told in DOCUMENT, told
    # "six in a row and then one every 10 s", "a hundred pages", "a hundred ... at once and 20"
    assert (MOST_IN_A_ROW, SECONDS_EACH, MOST_PAGES) == (6, 10, 100)
    assert (MOST_FRAMES, FRAMES_A_SECOND, websocket.STALL_SECONDS) == (100, 20, 20)
    assert (MOST_PROGRAMS, CARD_MS) == (10, 500)  # "ten programs", "half a second"


def test_the_service_file_starts_a_command_that_there_is() -> None:
    (line,) = re.findall(r"^ExecStart=/opt/arena/bin/arena serve (.*)$", DOCUMENT, re.MULTILINE)
    COMMAND.make_context("serve", line.split())  # raises for an option that there is not


def test_caddy_takes_the_file_as_it_is_written(tmp_path: Path) -> None:
    if (caddy := shutil.which("caddy")) is None:
        pytest.skip("no Caddy on this machine")
    (text,) = re.findall(r"```\n(cup\.example\.org \{.*?\n\})\n```", DOCUMENT, re.DOTALL)
    file = tmp_path / "Caddyfile"
    file.write_text(f"{text}\n")
    ran = subprocess.run(
        [caddy, "validate", "--config", str(file), "--adapter", "caddyfile"],
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert ran.returncode == 0, ran.stderr
