"""The table of sample bots is complete, and says of each what is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from arena import data
from arena.cli.new_bot import STARTERS

README = data.sample_bots() / "README.md"
ROW = re.compile(r"^\| \[([\w-]+)\]\(([\w-]+)/README\.md\) \| (\S+) \| [^|]+ \| ([^|]+) \|$", re.M)

rows = {
    folder: (link, language, needs)
    for folder, link, language, needs in ROW.findall(README.read_text())
}


def test_every_sample_bot_has_its_row() -> None:
    folders = [file.parent.name for file in data.sample_bots().glob("*/bot.toml")]
    assert sorted(found[0] for found in ROW.findall(README.read_text())) == sorted(folders)


def test_each_row_leads_to_the_page_of_its_bot_and_names_its_language() -> None:
    for folder, (link, language, _) in rows.items():
        assert link == folder
        assert (Path(README.parent) / link / "README.md").is_file(), folder
        bot = tomllib.loads((README.parent / folder / "bot.toml").read_text())
        assert bot.get("language", "Python") == language


def test_what_a_starter_needs_is_said_as_new_bot_says_it() -> None:
    for starter in STARTERS.values():
        assert rows[starter.folder][2] == starter.needs
