"""The findings of a check: values, with the words that the author of a bot needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

_VALUE = re.compile(r"""'[^']*'|"[^"]*"|\[[^\]]*\]|\([^)]*\)|\w*\d\w*""")


class Severity(StrEnum):
    """The weight of a finding."""

    ERROR = "error"  # a MUST of SPEC.md is broken: it costs faults, matches or the start
    WARNING = "warning"  # the bot works, but loses time, or works only by luck
    NOTE = "note"  # worth knowing; nothing is wrong


@dataclass(frozen=True)
class Finding:
    """One thing found, in one step."""

    severity: Severity
    section: str  # of SPEC.md
    what: str  # in a sentence
    sent: str = ""  # the last message of ours, in words
    came: str = ""  # the answer to it
    advice: str = ""  # the way to mend it
    output: str = ""  # the end of the bot's standard error, when it ended or never came
    stdout: str = ""  # the end of its standard output, when it never connected
    times: int = 1
    kind: str = ""  # findings of one kind probably have one cause; not shown to people


class StepOver(Exception):
    """The rest of a step makes no sense; the reason is among its findings."""


class NotStarted(StepOver):
    """The bot did not come as far as an accepted hello; the reason is among the findings."""


@dataclass
class Log:
    """The findings of one step. A finding that is met again is counted, not added again."""

    findings: list[Finding] = field(default_factory=list)
    _places: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """Note a finding. Of each kind the first is kept, with the number of times it was met."""
        key = (finding.section, finding.kind or finding.what)
        place = self._places.setdefault(key, len(self.findings))
        if place < len(self.findings):
            known = self.findings[place]
            self.findings[place] = replace(known, times=known.times + 1)
        else:
            self.findings.append(finding)

    def fail(self, finding: Finding) -> StepOver:
        """Note a finding, and return the exception to raise, because the step cannot go on."""
        self.add(finding)
        return StepOver(finding.what)


def count(findings: Sequence[Finding], severity: Severity) -> int:
    """Count the findings of a severity."""
    return sum(finding.severity is severity for finding in findings)


def shape(words: str) -> str:
    """Replace the values in words by stars: the same mistake with another card has the same
    shape."""
    return _VALUE.sub("*", words)


def last_line(output: str) -> str:
    """Return the last line with text: for instance an exception, by which two ends differ."""
    lines = output.split("\n")
    return next((line for line in reversed(lines) if line.strip()), "")
