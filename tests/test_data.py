"""The files carried with the program."""

from __future__ import annotations

from arena import data


def test_spec_and_sample_bots_are_found() -> None:
    assert data.spec().read_text().startswith("# The arena protocol")
    assert (data.sample_bots() / "python-random" / "bot.toml").is_file()
