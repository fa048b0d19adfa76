"""Words for programs that cannot be started: what authors read."""

from __future__ import annotations

import errno
from pathlib import Path

from arena.bots.launch import Launch
from arena.bots.refused import CODES, CannotStart, NotStartable, why_refused


def test_each_reason_has_its_words() -> None:
    assert CODES == {
        "folder-missing": "the folder it should run in is not there",
        "folder-closed": "the folder it should run in may not be entered",
        "command-not-found": "no such program",
        "interpreter-not-found": "the program is there, but its interpreter or loader is not",
        "out-of-sight": "the program or what it needs is not visible to a confined bot",
        "not-executable": "the program may not be executed",
        "not-a-program": "the file is not a program for this machine",
        "command-too-long": "arguments and environment are longer than the system takes",
        "command-unusable": "the system refuses the command for another reason",
    }


def test_an_error_says_what_it_was_made_with() -> None:
    error = CannotStart("not-executable", "fox may not be executed")
    assert (error.code, str(error)) == ("not-executable", "fox may not be executed")
    several = NotStartable(["fox: no such program", "owl: no such folder"])
    assert str(several) == "fox: no such program\nowl: no such folder"
    assert several.problems == ("fox: no such program", "owl: no such folder")


def test_the_advice_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    launch = Launch("fox", ("./a b\x1b;id",), {}, tmp_path)
    error = why_refused(launch, "command", errno.EACCES)
    assert str(error).endswith("Try: `chmod +x './a b\ufffd;id'`.")
