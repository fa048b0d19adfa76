"""`arena check --json`: everything that was found, as one JSON document."""

from __future__ import annotations

from arena.bots.botfile import Bot
from arena.check.findings import Severity
from arena.check.measure import middle, nearly_most
from arena.check.run import CheckReport
from arena.json_formats import CHECK, DOCUMENT, JsonKey, Sections

SECTIONS: Sections = {
    DOCUMENT: {
        "bot": JsonKey("text", "its name"),
        "conforms": JsonKey("true or false", "it started and breaks no MUST of SPEC.md"),
        "started": JsonKey("true or false", "a `hello` of it was accepted"),
        "hello": JsonKey("hello or null", "what it said of itself; null: nothing was accepted"),
        "steps": JsonKey("list of step", "those that were tried, in their order"),
        "left_out": JsonKey("list of whole number", "steps that were not tried, by number"),
        "errors": JsonKey("whole number", "findings of this severity"),
        "warnings": JsonKey("whole number", "findings of this severity"),
        "findings": JsonKey("list of finding", "step by step"),
        "measures": JsonKey("measures", "its times and its memory"),
    },
    "hello": {
        "version": JsonKey("text", "escape it, like all text here; empty: not said"),
        "author": JsonKey("text", "empty: not said"),
        "language": JsonKey("text", "empty: not said"),
    },
    "step": {
        "number": JsonKey("whole number", "as `--step` names it"),
        "title": JsonKey("text", "what is tried"),
        "section": JsonKey("text", "of SPEC.md"),
        "about": JsonKey("text", "more about it"),
        "game": JsonKey(
            "text or null", "the rule set of its matches; null: it has none of its own"
        ),
        "verdict": JsonKey("text", "in a word"),
    },
    "finding": {
        "severity": JsonKey("text", "`error`, `warning` or `note`"),
        "step": JsonKey("whole number", "where it was met"),
        "section": JsonKey("text", "of SPEC.md"),
        "what": JsonKey("text", "the finding in a sentence"),
        "sent": JsonKey("text", "our last message, in words; empty: it does not matter"),
        "came": JsonKey("text", "the answer to it; empty likewise"),
        "do": JsonKey("text", "how to mend it; empty: nothing to do"),
        "stdout": JsonKey("text", "the end of its standard output, where it never connected"),
        "stderr": JsonKey("text", "the end of its standard error, where it ended or never came"),
        "times": JsonKey("whole number", "how often it was met in this step"),
    },
    "measures": {
        "starts": JsonKey("whole number", "how often it was started"),
        "start_median_us": JsonKey("number", "from start to hello; 0: never"),
        "decisions": JsonKey("whole number", "that it answered"),
        "decision_median_us": JsonKey("number", "the middle one; 0: there were none"),
        "decision_99_us": JsonKey("number", "99 of 100 were quicker"),
        "decision_longest_us": JsonKey("number", "the longest"),
        "memory_kib": JsonKey("whole number", "the most it had; 0: it was not measured"),
        "processes": JsonKey("whole number", "the most at a time"),
    },
}


def document(bot: Bot, report: CheckReport, *, conforms: bool) -> str:
    """Return the document. `conforms`: no MUST of SPEC.md is broken, and the bot started."""
    measures = report.measures
    hello = report.hello
    return CHECK.text(
        {
            "bot": bot.name,
            "conforms": conforms,
            "started": report.started,
            "hello": None
            if hello is None
            else {"version": hello.version, "author": hello.author, "language": hello.language},
            "steps": [
                {
                    "number": result.step.number,
                    "title": result.step.title,
                    "section": result.step.section,
                    "about": result.step.about,
                    "game": result.step.game,
                    "verdict": result.verdict,
                }
                for result in report.results
            ],
            "left_out": [step.number for step in report.left_out],
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "findings": [
                {
                    "severity": finding.severity,
                    "step": result.step.number,
                    "section": finding.section,
                    "what": finding.what,
                    "sent": finding.sent,
                    "came": finding.came,
                    "do": finding.advice,
                    "stdout": finding.stdout,
                    "stderr": finding.output,
                    "times": finding.times,
                }
                for result in report.results
                for finding in result.findings
            ],
            "measures": {
                "starts": len(measures.starts_us),
                "start_median_us": middle(measures.starts_us),
                "decisions": len(measures.decisions_us),
                "decision_median_us": middle(measures.decisions_us),
                "decision_99_us": nearly_most(measures.decisions_us),
                "decision_longest_us": max(measures.decisions_us, default=0),
                "memory_kib": measures.most_memory_kb,
                "processes": measures.processes,
            },
        }
    )
