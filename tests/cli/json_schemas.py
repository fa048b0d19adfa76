"""docs/json.md from the keys of the formats, and documents held against them.

`python -m tests.cli.json_schemas --write` writes the document.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.cli import check_json, doctor_json, match_json
from arena.cli.documents import decisions, matches
from arena.cli.evaluating import json as evaluation_json
from arena.cli.fetched import told
from arena.cli.judging import ask_json
from arena.json_formats import (
    ASK,
    CHECK,
    DOCTOR,
    DOCUMENT,
    EVALUATION,
    EVENTS,
    EVIDENCE,
    FORMATS,
    JUDGE,
    MATCH,
    MATCHES,
    REPLAY,
    STANDINGS,
    JsonFormat,
    Sections,
)
from tests.markdown import code, table

FILE = Path(__file__).parents[2] / "docs" / "json.md"

SCHEMAS: Mapping[JsonFormat, Sections] = {
    MATCHES: matches.SECTIONS,
    MATCH: match_json.SECTIONS,
    EVALUATION: evaluation_json.SECTIONS,
    REPLAY: decisions.SECTIONS,
    ASK: ask_json.SECTIONS,
    EVIDENCE: told.SECTIONS,
    CHECK: check_json.SECTIONS,
    DOCTOR: doctor_json.SECTIONS,
}
# Formats that have documents of their own.
ELSEWHERE = {STANDINGS: "standings.md", JUDGE: "judging.md", EVENTS: "events.md"}

BEFORE = """\
# JSON for other programs

Every document, and every line of a command that prints lines, begins with two keys: `format`, which names it, and `version`, a number.
Keys may be added at any time; when a key goes, or means something else, `version` goes up, and CHANGELOG.md says so.
(Events have a `format` of another kind, so there only the events `league`, of which one is the first of all, have a `version`.)

- Names, notes, texts and output are what bots chose: escape them wherever you show them. In JSON they are escaped already.
- No card, move or fault of a set that is not complete is in any of them; events alone tell of its matches that they were played, with their places and scores.
- A *move* has one number everywhere, here, in records, on pages, in faults and in `arena replay`: how many moves all seats together had played before it. The first is 0.
- A *match* of a league is named by its place: `17.4` is the fourth match of set 17.
- Records, which `arena match --record`, `arena replay --record` and `arena matches --export` write, are arrays, and have a document of their own: [records.md](records.md).
"""  # noqa: E501

# What a table of keys does not tell, by format.
ABOUT: Mapping[JsonFormat, str] = {
    MATCHES: """\
One document: the matches of complete sets, by the order in which their sets were completed.
What is completed later comes later, so a program that asks again with `--after` and the `next` of its last answer sees each match once and misses none.
To read a long list in parts, say `--limit 100`, and ask for more while `has_more` is true.

```text
arena matches cup --json --limit 100
arena matches cup --json --limit 100 --after 25.4
```
""",  # noqa: E501
    MATCH: """\
One document for all matches that were played; also after Ctrl-C.
It has no moves: `--record FILE` writes the records, and `arena replay FILE --match N --json` lists the decisions of one.
""",  # noqa: E501
    EVALUATION: """\
One document, also after a mistake of the policy, and after Ctrl-C once its module is imported and the bots are found, for what was played until then ([library.md](library.md#a-policy-evaluated-and-entered)).
""",  # noqa: E501
    REPLAY: """\
A line for each decision, as its seat was asked for it, in the order of play.
With `--seat` there are only the decisions of this seat; `--from` and `--to` are numbers of moves.
Faults after the last move have no line; `arena matches --json` has them.
""",
    ASK: """\
One document: the requests that the bot got, in the order of play, and its answers.
It is printed after Ctrl-C too; a request to which no answer came is not in it.
""",
    EVIDENCE: """\
One document: the faults in complete sets of a bot that dials in, fetched with its token (SPEC 2.7).
The operator of a league has the same, and more, from `arena matches --evidence --json`.
""",
    CHECK: "One document: everything that was found.\n",
    DOCTOR: "One document: what can be promised of bots on this machine ([confinement.md](confinement.md)).\n",  # noqa: E501
}


def written() -> str:
    return "\n".join([BEFORE, *formats(), *parts()])


def formats() -> Iterator[str]:
    rows = [
        (
            code(each.printed_by),
            code(each.name),
            str(each.version),
            f"[{ELSEWHERE[each]}]({ELSEWHERE[each]})" if each in ELSEWHERE else "below",
        )
        for each in FORMATS
    ]
    yield from table(("command", "`format`", "`version`", "keys"), rows)
    yield ""


def parts() -> Iterator[str]:
    for each, sections in SCHEMAS.items():
        yield f"## {code(each.printed_by)}"
        yield ""
        yield ABOUT[each]
        for section, keys in sections.items():
            if section != DOCUMENT:
                yield f"### {code(section)} of {code(each.name)}"
                yield ""
            rows = ((code(key), typed(of.type), of.meaning) for key, of in keys.items())
            yield from table(("key", "type", "what"), rows)
            yield ""


PLAIN = {"text", "number", "whole number", "true or false", "map"}


def typed(words: str) -> str:
    """Return a type with the name of a section, if it has one, as code."""
    bare = words.removesuffix(" or null")
    while bare.startswith("list of "):
        bare = bare.removeprefix("list of ")
    return words if bare in PLAIN else words.replace(bare, code(bare))


def misfits(format_: JsonFormat, document: Mapping[str, Any]) -> list[str]:
    """Return all that a document has or lacks, against its keys."""
    head = {"format": document.get("format"), "version": document.get("version")}
    if [*document][:2] != [*head] or head != {"format": format_.name, "version": format_.version}:
        return [f"its envelope is {head}"]
    rest = {key: value for key, value in document.items() if key not in head}
    return [*misfits_of(SCHEMAS[format_], DOCUMENT, rest, format_.name)]


def misfits_of(sections: Sections, type_: str, value: Any, where: str) -> Iterator[str]:
    bare = type_.removesuffix(" or null")
    if value is None:
        if bare == type_:
            yield f"{where} is null"
    elif bare.startswith("list of "):
        if isinstance(value, list):
            for each in value:
                yield from misfits_of(sections, bare.removeprefix("list of "), each, f"{where}[]")
        else:
            yield f"{where} is no list"
    elif bare in PLAIN:
        if not is_plain(bare, value):
            yield f"{where} is {value!r}, not {bare}"
    elif not isinstance(value, dict):
        yield f"{where} is {value!r}, not {bare}"
    else:
        keys = sections[bare]
        yield from (f"{where}.{key} is not documented" for key in value.keys() - keys.keys())
        for key, of in keys.items():
            if key in value:
                yield from misfits_of(sections, of.type, value[key], f"{where}.{key}")
            elif not of.is_optional:
                yield f"{where}.{key} is missing"


def is_plain(type_: str, value: object) -> bool:
    match type_:
        case "text":
            return isinstance(value, str)
        case "true or false":
            return isinstance(value, bool)
        case "map":
            return isinstance(value, dict)
        case "whole number":
            return isinstance(value, int) and not isinstance(value, bool)
        case _:
            return isinstance(value, int | float) and not isinstance(value, bool)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(written())
    else:
        print(written())
