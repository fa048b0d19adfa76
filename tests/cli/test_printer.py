"""Standard output that does not take what commands print."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import TextIOWrapper
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.cli import main
from arena.cli.printer import Printer
from arena.record import to_json
from tests.audit.honest import Honest, honest
from tests.play import random_record

FULL = Path("/dev/full")
TOLD = "standard output: No space left on device; nothing more is printed\n"
PRINTING = (
    "table LEAGUE",
    "table LEAGUE --json",
    "matches LEAGUE",
    "matches LEAGUE --json",
    "verify LEAGUE",
    "replay LEAGUE:1.2",
    "replay LEAGUE:1.2 --json",
    "publish LEAGUE --to PUBLIC",
    "games",
    "games nyet",
    "spec",
    "spec --path",
    "new-bot",
    "init NEW",
    "check python-random --steps",
    "match nope python-random python-bare --json -o max_turns=3",
)

needs_full = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return honest(tmp_path_factory.mktemp("leagues"), Honest(sets=1))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `arena init` finds no bots."""
    monkeypatch.chdir(tmp_path)


@contextmanager
def full() -> Iterator[TextIOWrapper]:
    with FULL.open("w") as file:
        yield file


@contextmanager
def unread() -> Iterator[TextIOWrapper]:
    """A pipe whose reader has gone away."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as file:
        yield file


def code_of(command: str, league: Path, folder: Path) -> object:
    places = {"LEAGUE": str(league), "PUBLIC": str(folder / "public"), "NEW": str(folder)}
    words = command.split()
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    with pytest.raises(SystemExit) as ended:
        main(words)
    return ended.value.code


@needs_full
@pytest.mark.parametrize("command", PRINTING)
def test_a_command_of_which_not_all_could_be_written_has_failed(
    command: str, league: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else a script would go on with a file that is cut off."""
    with full() as file, redirect_stdout(file):
        assert code_of(command, league, tmp_path / "new") == 1
    assert capsys.readouterr().err == TOLD


@pytest.mark.parametrize("command", PRINTING)
def test_a_reader_that_has_gone_away_had_enough(
    command: str, league: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with unread() as file, redirect_stdout(file):
        assert code_of(command, league, tmp_path / "new") == 0
    assert capsys.readouterr().err == ""


def test_nothing_behind_what_was_read_is_an_error(
    league: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The end of this record does not fit its moves, and nobody reads that far."""
    record = random_record("nyet", 4)
    file = tmp_path / "match.json"
    file.write_text(to_json(replace(record, scores=tuple(score + 1 for score in record.scores))))
    assert code_of(f"replay {file}", league, tmp_path) == 1
    assert "the record tells the end" in capsys.readouterr().err
    with unread() as out, redirect_stdout(out):
        assert code_of(f"replay {file}", league, tmp_path) == 0
    assert capsys.readouterr().err == ""


def test_a_printer_that_nobody_reads_is_closed() -> None:
    with unread() as file, redirect_stdout(file):
        printer = Printer()
        printer("a line that nobody reads")
        printer("another")
    assert repr(printer) == "<Printer closed>"
    printer.end()


@needs_full
def test_a_printer_never_raises_even_if_nothing_can_be_told() -> None:
    """It is called from within matches."""
    with full() as out, full() as errors, redirect_stdout(out), redirect_stderr(errors):
        printer = Printer()
        printer("a line")
        os.dup2(out.fileno(), errors.fileno())  # else closing it would fail
    assert repr(printer) == "<Printer failed>"
