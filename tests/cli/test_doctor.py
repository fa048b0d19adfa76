"""`arena doctor`: its words, its document and its exit code."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.confine.choose import Rejected
from arena.bots.confine.confinement import Rung
from arena.bots.processes import Warden
from arena.cli import doctor
from arena.cli.doctor_json import document
from arena.cli.doctor_text import lines
from arena.doctor.examine import Examined, Proof
from arena.doctor.machine import Fact
from arena.doctor.promises import WORDS, Promise
from arena.doctor.report import Report
from arena.doctor.toolchains import Hidden, SampleBot
from tests.cli.test_main import run
from tests.test_documents import ROOT

REMEDY = "Try: apt install bubblewrap."
CONFINED = tuple(Proof(f"break {each}", (each,), was_refused=True) for each in Promise)
REPORT = Report(
    (
        Examined(
            Rung.BUBBLEWRAP,
            "bubblewrap",
            Rejected(Rung.BUBBLEWRAP, "bwrap is not installed", REMEDY),
            (),
        ),
        Examined(
            Rung.LANDLOCK,
            "landlock 7",
            None,
            (
                *CONFINED,
                Proof("fill the disk", (Promise.LIMITS,), was_refused=False, remedy=REMEDY),
                Proof(
                    "ask for a file",
                    (Promise.FILES,),
                    was_refused=False,
                    trouble="it was too late",
                    remedy=f"{REMEDY}\na command " + "that is long " * 10,
                ),
                Proof("spin", (Promise.OTHERS,), was_refused=False, remedy=REMEDY),
            ),
        ),
    ),
    (Fact("cores", "1", "Get another one."), Fact("user", "fox\x1b[2J")),
    (SampleBot("c-random", {"gcc": "gcc"}), SampleBot("go-random", {})),
    (Hidden("cargo", Path("/home/ada/.cargo/bin/cargo"), (Path("/home/ada/.cargo"),)),),
)
NONE = replace(
    REPORT,
    rungs=(REPORT.rungs[0], Examined(Rung.NONE, "unconfined", None, CONFINED)),
)


def told(report: Report) -> str:
    return "\n".join(lines(report))


def test_it_begins_with_what_strict_would_say() -> None:
    assert told(REPORT).startswith(
        "Bots are confined by landlock 7 on this machine: `--confine strict` works.\n"
        "Not kept in full, as shown below: a bot cannot slow or stop anybody, see or change"
    )
    assert told(NONE).startswith(
        "Bots cannot be confined on this machine: `--confine strict` does not work, and\n"
    )


def test_a_promise_is_kept_or_not_and_shown_by_its_attempts() -> None:
    text = told(REPORT)
    assert "  kept      reach the network\n            refused: break network\n" in text
    assert (
        "  NOT KEPT  exceed its limits\n"
        "            it could: fill the disk\n"
        "            What to do: see above.\n"
        "            refused: break limits\n"
    ) in text
    assert "it could: ask for a file (it could not be tried: it was too late)" in text


def test_a_remedy_is_told_once_and_its_command_stays_on_one_line() -> None:
    text = told(REPORT)
    assert text.count(f"What to do: {REMEDY}\n") == 2  # the second has a command
    assert f"\n              a command {'that is long ' * 10}\n" in text


def test_a_rung_that_does_not_work_says_why_and_what_to_do() -> None:
    assert (
        "bubblewrap: does not work here\n    bwrap is not installed. Try: apt install bubblewrap.\n"
    ) in told(REPORT)


def test_the_line_for_toolchains_can_be_pasted_into_the_file() -> None:
    text = told(REPORT)
    assert tomllib.loads(text.splitlines()[-1]) == {"read": ["/home/ada/.cargo"]}
    assert "  c-random   missing: gcc\n  go-random  present\n  Try: apt install gcc\n" in told(
        REPORT
    )


def test_nothing_in_it_is_taken_for_a_command_of_the_terminal() -> None:
    assert "\x1b" not in told(REPORT)


def test_the_document_has_all_of_it_and_its_keys_are_documented() -> None:
    found = json.loads(document(REPORT))
    assert (found["format"], found["version"]) == ("arena-doctor", 1)
    assert (found["strict"], found["used"]) == (True, "landlock 7")
    assert json.loads(document(NONE))["strict"] is False
    assert [each["promise"] for each in found["promises"]] == [*Promise]
    assert [each["kept"] for each in found["promises"]].count(False) == 3
    assert found["rungs"][0]["why_not"] == "bwrap is not installed"
    assert found["rungs"][1]["why_not"] is None
    manual = (ROOT / "docs" / "json.md").read_text()
    for key in keys_of(found):
        assert f"`{key}`" in manual, key


def keys_of(value: object) -> set[str]:
    match value:
        case dict():
            inner = set() if "gcc" in value else {*value}
            return inner.union(*map(keys_of, value.values()))
        case list():
            return set().union(*map(keys_of, value))
        case _:
            return set()


@pytest.mark.parametrize(("report", "code"), [(REPORT, 0), (NONE, 1)])
def test_the_exit_code_says_if_strict_would_work(
    report: Report, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(warden: Warden, read: object, *, every: bool) -> Report:
        return report

    monkeypatch.setattr(doctor, "report", found)
    assert run("doctor")[0] == code


def test_it_tells_of_this_machine() -> None:
    code, output = run("doctor", "--json")
    found = json.loads(output)
    assert code == (0 if found["strict"] else 1)
    assert found["used"] == found["rungs"][-1]["rung"]
    for each in found["promises"]:
        assert [attempt["trouble"] for attempt in each["attempts"] if attempt["trouble"]] == []
        assert each["words"] == f"a bot cannot {WORDS[Promise(each['promise'])]}"
