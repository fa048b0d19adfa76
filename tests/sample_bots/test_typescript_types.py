"""The types of typescript-random and javascript-random: messages as in SPEC, views made from the
field tables, and what the compiler makes of both."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import data
from arena.games import GAMES
from protocol.fields import fields_of
from protocol.messages import FROM_BOT, FROM_SERVER
from tests.games.example import EXAMPLE
from tests.sample_bots.conftest import Built
from tests.sample_bots.languages import ROWS, Row
from tests.sample_bots.views import javascript, typescript
from tests.sample_bots.views.shapes import shapes

FOLDERS = ("typescript-random", "javascript-random")
MESSAGES = ("typescript-random/src/messages.ts", "javascript-random/messages.d.ts")

# A bot that plays is never told any: a hello with the offer `evidence` takes no seat (SPEC 2.7).
NOT_IN_A_MATCH = "evidence"

# The rows that need the compiler take it from here; the tests of one language have one worker.
(WITH_COMPILER,) = (row for row in ROWS if row.folder == "typescript-random")
compiles = pytest.mark.xdist_group(WITH_COMPILER.folder)

# With the example game of the tests, whose view has no phases.
FIVE_GAMES = shapes([*GAMES.values(), EXAMPLE])
VIEWS = {"views.ts": typescript.text(FIVE_GAMES), "views.js": javascript.text(FIVE_GAMES)}

PROBE = """
import { isMatchUp, isNope, isTrick } from "./views.js";
import type { LaterView, NopeTurn, TrickView, View } from "./views.js";

export function probe(view: View): unknown {
  if (isTrick(view) && view.phase === "play") view.trump.length + view.team.length;
  if (view.game === "njet" && view.phase === "over") view.previous.last_trick.at(-1);
  if (isNope(view) && view.phase !== "choose" && view.phase !== "over") view.demand.count;
  if (view.game === "nope") view.recent satisfies readonly (readonly NopeTurn[])[];
  if (isMatchUp(view)) view.turn satisfies number | null;
  switch (view.game) {
    case "nyet":
    case "njet":
    case "njet-it":
      return view satisfies TrickView;
    case "nope":
      return view.draw_pile + view.seat;
    case "match-up":
      return view.pile;
    default:
      return (view satisfies LaterView)["phase"] satisfies unknown;
  }
}

export const later = { game: "chess", board: [] } as unknown as View;
"""

WRONG = {
    "a field that may be null": "if (isTrick(view)) view.trump.length;",
    "a field that is null in this phase": 'if (isTrick(view) && view.phase === "team") '
    "view.team.length;",
    "a phase of an unknown game": 'if (view.phase === "play") view.trump.length;',
    "a field of another game": 'if (view.game === "nope") view.trump;',
    "a field that is not there": "if (isTrick(view)) view.trumps;",
    "a phase that is not there": 'if (isNope(view) && view.phase === "laid") view.turn;',
}


@pytest.mark.parametrize("path", MESSAGES)
def test_the_messages_have_the_fields_of_spec_in_its_order(path: str) -> None:
    assert interfaces((data.sample_bots() / path).read_text()) == {
        name.capitalize(): ["type", *(field.name for field in fields_of(message))]
        for name, message in {**FROM_BOT, **FROM_SERVER}.items()
        if name != NOT_IN_A_MATCH
    }


def interfaces(text: str) -> dict[str, list[str]]:
    """By name, the fields of every interface, in order."""
    found = re.findall(r"^export interface (\w+)[^{]* \{$(.*?)^\}$", text, re.S | re.M)
    return {name: re.findall(r"^  readonly (\w+)\??:", body, re.M) for name, body in found}


def test_a_phase_has_an_interface_with_the_fields_that_are_never_null_there() -> None:
    found = interfaces(typescript.text(shapes()))
    settled = ["first", "discard", "trump", "supertrump", "points"]
    assert found["TrickTokens"] == ["phase", "turn"]
    assert found["TrickTeam"] == ["phase", "turn", *settled]
    assert found["TrickPlay"] == ["phase", "turn", *settled, "team"]
    assert found["NopeLay"] == ["phase", "turn", "demand"]
    assert found["NopeOver"] == ["phase", "places", "ending"]


def test_both_languages_declare_the_same_types() -> None:
    types = re.findall(r"^export (?:type|interface) (\w+)", VIEWS["views.ts"], re.M)
    comments = re.findall(r"/\*\*.*?\*/", VIEWS["views.js"], re.S)
    documented = [
        name
        for comment in comments
        for name in re.findall(r"@typedef \{(?:object\} (\w+)|.*\} (\w+)\n)", comment, re.S)
    ]
    assert [first or second for first, second in documented] == types


def test_what_does_not_fit_on_a_line_is_broken_as_prettier_does() -> None:
    long = [f"a_rather_long_name_{number}" for number in range(5)]
    assert typescript.field("x", " | ".join(long)).splitlines() == [
        "  readonly x:",
        *(f"    | {name}" for name in long[:-1]),
        f"    | {long[-1]};",
    ]
    assert typescript.union("X", long).splitlines()[1] == f"  | {long[0]}"
    assert typescript.union("X", long).splitlines()[-1] == f"  | {long[-1]};"


@pytest.fixture(scope="module")
def compiler(built: Callable[[Row], Built]) -> Path:
    """The packages of typescript-random, the compiler among them."""
    return built(WITH_COMPILER).work / "node_modules"


def compiled(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node_modules/.bin/tsc", "--noEmit", *options], cwd=folder, capture_output=True, text=True
    )


@pytest.mark.languages
@compiles
@pytest.mark.parametrize("name", VIEWS)
def test_game_and_phase_tell_the_compiler_the_fields(
    name: str, compiler: Path, tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(compiler)
    (tmp_path / name).write_text(VIEWS[name])
    options = ("--strict", "--checkJs", "--module", "node20", "--target", "es2023", "probe.ts")
    probe = tmp_path / "probe.ts"
    probe.write_text(PROBE)
    done = compiled(tmp_path, *options)
    assert done.returncode == 0, done.stdout

    for what, line in WRONG.items():
        probe.write_text(PROBE.replace("{\n", "{\n  " + line + "\n", 1))
        done = compiled(tmp_path, *options)
        errors = re.findall(r"^(\S+)\((\d+),\d+\): error", done.stdout, re.M)
        assert {*errors} == {("probe.ts", "6")}, f"{what}: {done.stdout}"


@pytest.mark.languages
@compiles
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_idea_in_readme_compiles_where_it_says(
    folder: str, compiler: Path, tmp_path: Path
) -> None:
    (row,) = (row for row in ROWS if row.folder == folder)
    assert row.idea is not None
    bot = tmp_path / "bot"
    shutil.copytree(data.sample_bots() / folder, bot, ignore=shutil.ignore_patterns("node_modules"))
    (bot / "node_modules").symlink_to(compiler)
    (project,) = (file.name for file in bot.glob("[jt]sconfig.json"))
    snippet = re.findall(r"^```[jt]s\n(.*?)^```$", (bot / "README.md").read_text(), re.S | re.M)[0]
    file = bot / row.idea.file
    text = file.read_text()

    file.write_text(text.replace(row.idea.before, snippet + row.idea.before))
    done = compiled(bot, "--project", project)
    assert done.returncode == 0, done.stdout

    misspelt = snippet.replace("view.phase", "view.fase")
    assert misspelt != snippet
    file.write_text(text.replace(row.idea.before, misspelt + row.idea.before))
    assert "Property 'fase' does not exist" in compiled(bot, "--project", project).stdout
