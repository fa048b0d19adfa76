"""Standard output has what was asked for, so a program can read it; people are told beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from arena.cli import main
from arena.cli.check_text import tell_frame
from arena.cli.confining import confine
from arena.cli.match_sets import warn_of_cores
from arena.cli.match_view import MatchLines, ResultView, SilentView
from arena.cli.printer import Printer
from arena.record import to_json
from arena.record.evidence import Evidence
from arena.referee.house import House
from tests.audit.honest import Honest, honest
from tests.helpers import packed
from tests.play import random_record

ABSENT = Evidence(
    0,
    0,
    "never-started",
    "no-connection",
    "nothing came",
    came="nothing",
    expected="a connection",
    request=b"",
    reply=b"",
    legal=(),
    played="",
    allowed_us=0,
    took_us=0,
    stdout="out",
    stderr="err 1\nerr 2",
)


def streams(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """What a command prints on standard output and on standard error."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code in (0, None)
    return capsys.readouterr()


def test_a_judgement_is_kept_beside_its_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_text(to_json(random_record("nope", 2, options={"max_turns": 4})))
    out, err = streams(capsys, "judge", str(file), "--worlds", "8", "--json", "--save")
    assert out.startswith('{\n  "format": "arena-judge",\n  "version": 1,\n')
    assert err == f"kept in {tmp_path / 'match.judged.json'}\n"
    assert json.loads((tmp_path / "match.judged.json").read_text()) == json.loads(out)


def test_records_are_counted_beside_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = honest(tmp_path, Honest(sets=1))
    out, err = streams(capsys, "matches", str(league), "--export", "-")
    assert len([json.loads(line) for line in out.splitlines()]) == 4
    assert err == "4 records\n"


def test_frames_are_shown_beside_the_findings(capsys: pytest.CaptureFixture[str]) -> None:
    frame = packed({"type": "bye"})
    tell_frame("token", b"a token\x1b")
    tell_frame("sent", frame)
    tell_frame("came", frame)
    tell_frame("came", b"\0\0\0\1\xc1")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "    started with ARENA_TOKEN='a token\ufffd'",
        '    <- {"type":"bye"}',
        '    -> {"type":"bye"}',
        "    -> 00 00 00 01 c1",
    ]


@pytest.mark.parametrize(
    ("view", "more"),
    [
        (SilentView(), []),
        (
            ResultView(Printer()),
            ["  its stdout: out", "  its stderr: err 1", "  its stderr: err 2"],
        ),
        (
            MatchLines(Printer(), moves=False),
            ["  its stdout: out", "  its stderr: err 1", "  its stderr: err 2"],
        ),
    ],
)
def test_a_bot_that_did_not_come_is_told_beside_the_result(
    view: SilentView, more: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    view.absent("fox\x1b", ABSENT)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == ["fox\ufffd did not start: nothing came", *more]


async def test_a_weaker_confinement_is_warned_of_beside_the_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[object] = []

    async def chosen(*wishes: object) -> SimpleNamespace:
        asked.extend(wishes)
        return SimpleNamespace(warning="bots run unconfined")

    house = cast("House", SimpleNamespace(confine=chosen))
    await confine(house, None, [Path("here")])
    await confine(house, "strict", [])
    assert asked == ["auto", [Path("here").absolute()], "strict", []]
    out, err = capsys.readouterr()
    assert (out, err) == ("", "warning: bots run unconfined\n" * 2)


@pytest.mark.parametrize(
    ("cores", "jobs", "told"),
    [
        (2, 2, ""),
        (1, 2, "--jobs 2: this machine has 1 core, so bots wait for each other, and may be late\n"),
        (
            2,
            3,
            "--jobs 3: this machine has 2 cores, so bots wait for each other, and may be late\n",
        ),
    ],
)
def test_more_jobs_than_cores_are_warned_of(
    cores: int,
    jobs: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {*range(cores)})
    warn_of_cores(jobs)
    assert capsys.readouterr() == ("", told)
