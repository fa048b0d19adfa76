"""What a check finds: values, with the words that the author of a bot needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

_VALUE = re.compile(r"""'[^']*'|"[^"]*"|\[[^\]]*\]|\([^)]*\)|\w*\d\w*""")


class Severity(StrEnum):
    """How bad it is."""

    ERROR = "error"  # a MUST of SPEC.md is broken: it costs faults, matches or the start
    WARNING = "warning"  # it works, and will hurt: time, or luck
    NOTE = "note"  # worth knowing; nothing is wrong


@dataclass(frozen=True)
class Finding:
    """One thing found, in one step."""

    severity: Severity
    section: str  # of SPEC.md
    what: str  # in a sentence
    sent: str = ""  # what we had sent, in words
    came: str = ""  # what came back
    advice: str = ""  # what to do
    output: str = ""  # the end of the bot's standard error, when it ended or never came
    stdout: str = ""  # and of its standard output, when it never connected
    times: int = 1
    kind: str = ""  # findings of one kind have one cause, most likely; no words for people


class StepOver(Exception):
    """The rest of a step makes no sense; why is among its findings."""


class NotStarted(StepOver):
    """The bot did not come as far as an accepted hello; why is among the findings."""


@dataclass
class Log:
    """The findings of one step. What is found again in it is counted, not told again."""

    findings: list[Finding] = field(default_factory=list)
    _places: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """Note it; findings of one kind are one, told as the first of them was."""
        key = (finding.section, finding.kind or finding.what)
        place = self._places.setdefault(key, len(self.findings))
        if place < len(self.findings):
            known = self.findings[place]
            self.findings[place] = replace(known, times=known.times + 1)
        else:
            self.findings.append(finding)

    def fail(self, finding: Finding) -> StepOver:
        """Note it; to be raised, for the step cannot go on."""
        self.add(finding)
        return StepOver(finding.what)


def count(findings: Sequence[Finding], severity: Severity) -> int:
    """How many there are of a severity."""
    return sum(finding.severity is severity for finding in findings)


def shape(words: str) -> str:
    """Words without the values in them: the same mistake met with another card, say."""
    return _VALUE.sub("*", words)


def last_line(output: str) -> str:
    """Of a standard error, what tells one end from another: the exception, say."""
    lines = output.split("\n")
    return next((line for line in reversed(lines) if line.strip()), "")
