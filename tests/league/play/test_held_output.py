"""What bots print in a league: in their logs when no card in it is of a set in play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.bots.warden.outputs import FILE_BYTES
from arena.league.play.held_output import MOST_HELD_BYTES, HeldOutput
from tests.league.rights import readable_by_others
from tests.league.running import RealLeague

# In the place of a line-up, where only fox matters.
FOX = ("fox", "owl")


class Held:
    """A league's folder with pieces written by hand."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.output = HeldOutput(folder)
        self._pieces = 0

    def writes(self, word: str, words: str, *, bot: str = "fox", stream: str = "stderr") -> None:
        self._pieces += 1
        name = f"{self._pieces * 10**9:020}~{word}~{bot}.{stream}"
        (self.output.pieces / name).write_text(words)

    def release(self, *begun: int, line_up: tuple[str, ...] = FOX) -> None:
        self.output.release(self.output.found(), dict.fromkeys(begun, line_up))

    def logs(self, bot: str = "fox", stream: str = "stderr") -> str:
        file = self.folder / "logs" / bot / f"{stream}.txt"
        return file.read_text() if file.exists() else ""

    @property
    def waiting(self) -> list[str]:
        return [piece.match for piece in self.output.found()]


@pytest.fixture
def held(tmp_path: Path) -> Held:
    return Held(tmp_path)


def test_what_a_bot_printed_is_released_when_its_set_is_complete(held: Held) -> None:
    held.writes("1.1.0", "I hold R1\n")
    held.release(1)
    assert (held.logs(), held.waiting) == ("", ["1.1.0"])
    held.release()
    assert held.logs() == "== match 1.1, 1970-01-01T00:00:01Z ==\nI hold R1\n"
    assert held.waiting == []


def test_it_waits_for_the_sets_that_its_bot_was_in_while_it_was_printed(held: Held) -> None:
    """A process plays one match after another, and may print cards of the one before."""
    held.writes("2.1.0", "in set 1 I hold R1\n")
    held.release(1)
    assert held.logs() == ""
    held.release()
    assert "in set 1 I hold R1" in held.logs()


def test_it_does_not_wait_for_sets_that_began_later_or_are_of_others(held: Held) -> None:
    held.writes("1.1.0", "one\n")
    held.release(1)
    held.release(2)
    assert "one" in held.logs()
    held.writes("2.1.0", "two\n")
    held.release(3, line_up=("owl", "hen"))
    assert "two" in held.logs()


def test_a_league_that_goes_on_holds_what_was_left_for_all_sets_that_had_begun(
    tmp_path: Path,
) -> None:
    before = Held(tmp_path)
    before.writes("1.1.0", "one\n")
    before.release(1, 2)
    after = Held(tmp_path)
    after.release(2)
    assert after.logs() == ""
    after.release()
    assert "one" in after.logs()


def test_output_of_sets_that_will_never_be_complete_is_dropped(held: Held) -> None:
    held.writes("1.1.0", "one\n")
    held.writes("12.1.0", "twelve\n")
    held.output.drop({12})
    held.release()
    assert "one" in held.logs()
    assert "twelve" not in held.logs()
    assert held.waiting == []


def test_streams_bots_and_attempts_are_told_apart(held: Held) -> None:
    held.writes("1.1.0", "no end of line", stream="stdout")
    held.writes("1.1.1", "again\n", stream="stdout")
    held.writes("1.1.1", "hoo\n", bot="owl")
    held.release()
    assert held.logs(stream="stdout") == (
        "== match 1.1, 1970-01-01T00:00:01Z ==\nno end of line\n"
        "== match 1.1, attempt 2, 1970-01-01T00:00:02Z ==\nagain\n"
    )
    assert held.logs("owl") == "== match 1.1, attempt 2, 1970-01-01T00:00:03Z ==\nhoo\n"
    assert held.logs() == ""


def test_logs_are_rotated(held: Held) -> None:
    for number in range(1, 5):
        held.writes(f"{number}.1.0", f"{number}" * (FILE_BYTES // 2))
        held.release()
    folder = held.folder / "logs" / "fox"
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    assert sizes.keys() == {"stderr.txt", "stderr.1.txt"}
    assert max(sizes.values()) <= FILE_BYTES
    assert held.logs().startswith("== match 4.1, ")
    assert (folder / "stderr.1.txt").read_text().startswith("== match 3.1, ")


def test_of_what_waits_for_very_long_the_oldest_is_dropped(held: Held) -> None:
    for number in range(1, 5):
        held.writes(f"{number}.1.0", "x" * (MOST_HELD_BYTES // 3))
    held.writes("5.1.0", "hoo\n", bot="owl")
    held.release(1)
    assert held.waiting == ["2.1.0", "3.1.0", "4.1.0", "5.1.0"]
    held.release()
    assert held.waiting == []


def test_files_that_are_no_pieces_or_not_whole_are_left_alone(held: Held) -> None:
    for name in (
        ".00000000001~1.1.0~fox.stderr",
        "README",
        "1~1.1.0~fox.txt",
        "x~1.1.0~fox.stderr",
    ):
        (held.output.pieces / name).write_text("words")
    held.release()
    assert held.logs() == ""
    assert len([*held.output.pieces.iterdir()]) == 4


def test_both_folders_are_the_owners_alone(held: Held) -> None:
    held.writes("1.1.0", "one\n")
    held.release()
    assert [*readable_by_others(held.folder)] == []


@pytest.mark.slow
def test_a_league_keeps_what_its_bots_print_match_by_match(tmp_path: Path) -> None:
    """Of each process, those that are started afresh too, and nothing is left held at the end."""
    league = RealLeague(
        tmp_path,
        {"fox": "prints.py", "owl": "steady.py"},
        sets=3,
        game="nope",
        seats=2,
        more="at_once = 2",
    )
    league.run()
    logs = league.home / "logs"
    assert [folder.name for folder in logs.iterdir()] == ["fox"]
    text = (logs / "fox" / "stderr.txt").read_text()
    told = re.findall(r"^== match (\S+), .* ==$", text, re.MULTILINE)
    assert sorted(told) == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]
    assert text.count("start of a match") == 6
    assert [*(league.home / "held-output").iterdir()] == []
    assert all(logs not in file.parents for file in readable_by_others(league.home))


@pytest.mark.slow
def test_logs_never_name_a_match_of_a_set_in_play(tmp_path: Path) -> None:
    """Its bots print in each match the names of those before, of sets still in play too."""
    bots = dict.fromkeys(("fox", "owl", "hen"), "prints.py")
    league = RealLeague(tmp_path, bots, sets=12, game="nope", seats=2, more="at_once = 3")
    looks = 0
    with league.start("--no-pages") as process:
        while process.poll() is None:
            named = names_in_logs(league.home)  # first: a set may become complete meanwhile
            if named:
                with league.store() as store:
                    complete = {
                        match.record.match for one in store.complete_sets() for match in one.matches
                    }
                assert named <= complete
                looks += 1
        process.communicate()
    assert looks
    assert len(names_in_logs(league.home)) == 12 * 2


def names_in_logs(home: Path) -> set[str]:
    files = (home / "logs").glob("*/stderr*.txt") if (home / "logs").exists() else ()
    return {name for file in files for name in re.findall(r"m-[0-9a-f]+\b", file.read_text())}
