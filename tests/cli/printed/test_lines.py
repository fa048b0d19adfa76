"""The output of bots as lines: whole, with the bot's name, harmless, and bounded."""

from __future__ import annotations

import pytest

from arena.cli.printed.lines import Lines


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_each_line_has_the_name_of_its_bot_and_is_told_when_it_is_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = Lines()
    lines("fox", 1, "stderr", 0, b"I hold R1\nI pl")
    assert told(capsys) == ["fox: I hold R1"]
    lines("owl", 2, "stderr", 0, b"hoo\n")
    lines("fox", 1, "stderr", 0, b"ay R1\r\n")
    assert told(capsys) == ["owl: hoo", "fox: I play R1"]


def test_standard_output_and_two_processes_of_a_bot_are_told_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = Lines()
    lines("fox", 1, "stderr", 0, b"one ")
    lines("fox", 1, "stdout", 0, b"two ")
    lines("fox", 2, "stderr", 0, b"three\n")
    lines("fox", 1, "stdout", 0, b"2\n")
    lines("fox", 1, "stderr", 0, b"1\n")
    assert told(capsys) == ["fox: three", "fox (stdout): two 2", "fox: one 1"]


def test_a_line_that_never_ended_is_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    lines("fox", 1, "stderr", 0, b"no end")
    assert told(capsys) == []
    lines.end()
    assert told(capsys) == ["fox: no end"]


def test_a_line_without_an_end_is_told_in_parts(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    lines("fox", 1, "stderr", 0, b"x" * 4_097)
    assert told(capsys) == ["fox: " + "x" * 4_096]
    lines.end()
    assert told(capsys) == ["fox: x"]


def test_output_that_was_skipped_is_counted_where_it_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = Lines()
    lines("fox", 1, "stderr", 0, b"before\nhalf a li")
    lines("fox", 1, "stderr", 1234, b"ne\nafter\n")
    assert told(capsys) == [
        "fox: before",
        "fox: half a li",
        "fox: [1,234 bytes are left out here]",
        "fox: ne",
        "fox: after",
    ]


def test_nothing_that_a_bot_prints_can_do_more_to_a_terminal_than_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Lines()("fox", 1, "stderr", 0, b"\x1b[31mred\x07 \xff\n")
    assert told(capsys) == ["fox: \ufffd[31mred\ufffd \ufffd"]


def test_matches_go_on_when_nobody_reads_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def echo(text: str, *, err: bool) -> None:
        calls.append(text)
        raise BrokenPipeError

    monkeypatch.setattr("click.echo", echo)
    lines = Lines()
    lines("fox", 1, "stderr", 0, b"one\ntwo\n")
    lines.end()
    assert calls == ["fox: one"]
