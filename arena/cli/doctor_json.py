"""`arena doctor --json`: a report as one JSON document."""

from __future__ import annotations

from arena import __version__
from arena.doctor.examine import Examined
from arena.doctor.promises import NOT_PROMISED, WORDS
from arena.doctor.report import Report
from arena.doctor.toolchains import packages, to_read
from arena.json_formats import DOCTOR, DOCUMENT, JsonKey, Sections

SECTIONS: Sections = {
    DOCUMENT: {
        "arena": JsonKey("text", "the version of arena"),
        "strict": JsonKey("true or false", "`--confine strict` works"),
        "used": JsonKey("text", "the rung in use, as in records"),
        "promises": JsonKey("list of promise", "each promise about bots, for the rung in use"),
        "rungs": JsonKey("list of rung", "each that was tried, the strongest first; `--all`: all"),
        "machine": JsonKey("list of fact", "properties of the machine"),
        "sample_bots": JsonKey("list of sample", "those that need more than Python"),
        "packages": JsonKey("list of text", "the missing Debian packages of them all"),
        "hidden": JsonKey("list of program", "programs that bots cannot see"),
        "read": JsonKey("list of text", "the folders of those, for `read` under `[confine]`"),
    },
    "promise": {
        "promise": JsonKey("text", f"one of {', '.join(f'`{each}`' for each in WORDS)}"),
        "words": JsonKey("text", "the same in a clause"),
        "kept": JsonKey("true or false", "all attempts against it were refused"),
        "attempts": JsonKey("list of attempt", "what was tried against it"),
    },
    "attempt": {
        "attempt": JsonKey("text", "in words"),
        "refused": JsonKey("true or false", "it came to nothing"),
        "trouble": JsonKey("text", "why it could not be tried; empty: it was"),
        "remedy": JsonKey("text", "what would help; of two lines, the second is a command"),
    },
    "rung": {
        "rung": JsonKey("text", "its name, as in records"),
        "works": JsonKey("true or false", "bots can be confined by it"),
        "why_not": JsonKey("text or null", "null: it works"),
        "remedy": JsonKey("text or null", "what would help; null: it works"),
        "promises": JsonKey("list of promise", "the promises about bots, for this rung"),
        "not_promised": JsonKey("list of text", "what it leaves open"),
    },
    "fact": {
        "name": JsonKey("text", "of the property"),
        "value": JsonKey("text", "as it is here"),
        "advice": JsonKey("text", "empty: nothing needs doing"),
    },
    "sample": {
        "name": JsonKey("text", "of the sample bot"),
        "missing": JsonKey("map", "from programs or files to Debian packages"),
    },
    "program": {
        "program": JsonKey("text", "its name"),
        "found": JsonKey("text", "where it is"),
        "read": JsonKey("list of text", "the folders that bots would have to see"),
    },
}


def document(report: Report) -> str:
    """Return the document (docs/json.md has its keys)."""
    return DOCTOR.text(
        {
            "arena": __version__,
            "strict": report.is_strict,
            "used": report.used.word,
            "promises": _promises(report.used),
            "rungs": [
                {
                    "rung": each.word,
                    "works": each.works,
                    "why_not": None if each.rejected is None else each.rejected.why,
                    "remedy": None if each.rejected is None else each.rejected.remedy,
                    "promises": _promises(each),
                    "not_promised": list(NOT_PROMISED[each.rung]),
                }
                for each in report.rungs
            ],
            "machine": [
                {"name": fact.name, "value": fact.value, "advice": fact.advice}
                for fact in report.facts
            ],
            "sample_bots": [
                {"name": bot.name, "missing": dict(bot.lacks)} for bot in report.samples
            ],
            "packages": packages(report.samples),
            "hidden": [
                {"program": tool.program, "found": str(tool.found), "read": [*map(str, tool.read)]}
                for tool in report.hidden
            ],
            "read": [*map(str, to_read(report.hidden))],
        }
    )


def _promises(examined: Examined) -> list[dict[str, object]]:
    return [
        {
            "promise": promise.value,
            "words": f"a bot cannot {words}",
            "kept": examined.keeps(promise),
            "attempts": [
                {
                    "attempt": proof.attempt,
                    "refused": proof.was_refused,
                    "trouble": proof.trouble,
                    "remedy": proof.remedy,
                }
                for proof in examined.of(promise)
            ],
        }
        for promise, words in WORDS.items()
    ]
