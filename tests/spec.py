"""The parts of SPEC.md that are generated from the code, and the tools its tests read it with.

    python -m tests.spec --write

writes the text between each `<!-- generated: NAME -->` and the `<!-- end -->` after it anew.
A new table is a function that gives lines and an entry in `TABLES`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from arena.record.timing import DEFAULTS
from protocol.codes import CODES, FAREWELLS, KINDS
from protocol.fields import fields_of
from protocol.limits import LIMITS
from protocol.messages import FROM_BOT, FROM_SERVER
from protocol.order import FROM_BOT as EVENTS_FROM_BOT
from protocol.order import TRANSITIONS
from tests import spec_games
from tests.markdown import code, table
from tests.vectors import ChanceVector, CommitmentVector, Conversation, load

SPEC = Path(__file__).parent.parent / "SPEC.md"

_MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

_ABOUT_GAMES = re.compile("<!-- games:begin -->(.*?)<!-- games:end -->", re.DOTALL)

# How a MUST is numbered: section, dash, number.
MUST_ID = re.compile(r"\[(\d+(?:\.\d+)*-\d+)\]")

_HEX_COLUMNS = 32


def fields(name: str) -> list[str]:
    """One message's table of fields."""
    message = {**FROM_BOT, **FROM_SERVER}[name]
    rows = [(code("type"), "text", f"`{name}`")]
    for field in fields_of(message):
        words = field.type
        if name in FROM_BOT:
            if field.type == "number":
                words += f", 0 to {field.most}"
            elif field.each is not None:
                words += f", at most {field.most} of at most {field.each} characters"
            else:
                words += f", at most {field.most} characters"
        if not field.required:
            words += "; may be left out"
        rows.append((code(field.name), words, field.meaning))
    return [str(message.__doc__), "", *table(("field", "type", "meaning"), rows)]


def codes() -> list[str]:
    rows = [
        (code(each.kind), code(each.name), each.meaning, each.where, each.advice)
        for each in CODES.values()
    ]
    return table(("kind", "code", "what came", "section", "what to do"), rows)


def kinds() -> list[str]:
    rows = [(code(each.name), each.meaning, each.penalty) for each in KINDS.values()]
    return table(("kind", "meaning", "penalty"), rows)


def farewells() -> list[str]:
    return table(("reason", "meaning"), [(code(r), words) for r, words in FAREWELLS.items()])


def limits() -> list[str]:
    return table(("name", "at most", "of"), [(code(n), most, of) for n, most, of in LIMITS])


def clocks() -> list[str]:
    rows = [(code(name), value, words) for name, value, words in DEFAULTS]
    return table(("name", "default", "meaning"), rows)


def order() -> list[str]:
    rows = []
    for state, moves in TRANSITIONS.items():
        for event, after in moves.items():
            sender = "bot" if event in EVENTS_FROM_BOT else "server"
            rows.append((code(state.value), sender, code(event.value), code(after.value)))
    return table(("state", "who sends", "what", "then"), rows)


def session() -> list[str]:
    """The first page's conversation: who, what, and the bytes."""
    lines = ["```text"]
    for step in load(Conversation)[0].steps:
        lines.append(f"{step.sender}: {step.means}")
        lines.append("  " + msgspec.json.encode(step.message).decode())
        for at in range(0, len(step.hex), 2 * _HEX_COLUMNS):
            lines.append("  " + bytes.fromhex(step.hex[at : at + 2 * _HEX_COLUMNS]).hex(" "))
        lines.append("")
    lines[-1] = "```"
    return lines


def chances() -> list[str]:
    lines = []
    seed = bytes(range(32)).hex()
    for vector in load(ChanceVector):
        if vector.seed != seed or len(vector.shuffled) > 60:
            continue
        what = f"label `{vector.label}`, counter {vector.counter}"
        if vector.stream:
            lines.append(f"- {what}: the stream begins `{vector.stream}`.")
        if vector.below:
            draws = ", ".join(map(str, vector.below))
            drawn = ", ".join(map(str, vector.numbers))
            lines.append(f"- {what}: numbers below {draws} are {drawn}.")
        if len(vector.shuffled) > 1:
            shuffled = " ".join(map(str, vector.shuffled))
            lines.append(f"- {what}: 0 to {len(vector.shuffled) - 1} shuffled are {shuffled}.")
    return lines


def commitment() -> list[str]:
    vector = load(CommitmentVector)[0]
    return [
        "For the match in 1.1:",
        "",
        *table(
            ("what", "value"),
            [
                ("`match`", code(vector.match)),
                ("nonce", code(vector.nonce)),
                ("seed", code(vector.seed)),
                ("`commitment`", code(vector.commitment)),
            ],
        ),
    ]


TABLES: Mapping[str, Callable[[], list[str]]] = {
    "session": session,
    **{name: partial(fields, name) for name in (*FROM_BOT, *FROM_SERVER)},
    "farewells": farewells,
    "order": order,
    "clocks": clocks,
    "kinds": kinds,
    "codes": codes,
    "limits": limits,
    "chance": chances,
    "commitment": commitment,
    **spec_games.TABLES,
}


def marked(text: str) -> dict[str, str]:
    """What stands between the markers, by name."""
    return {match[2]: match[3] for match in _MARKED.finditer(text)}


def written(text: str) -> str:
    """The text with every generated part as the code has it now."""

    def fill(match: re.Match[str]) -> str:
        lines = "\n".join(TABLES[match[2]]())
        return f"{match[1]}{lines}\n{match[4]}"

    return _MARKED.sub(fill, text)


def about_games(text: str) -> str:
    """The chapters of games, which stand between marks."""
    return "\n".join(_ABOUT_GAMES.findall(text))


def about_the_wire(text: str) -> str:
    """The other chapters."""
    return _ABOUT_GAMES.sub("", text)


def sections(text: str) -> list[str]:
    """The numbers of all headings."""
    return re.findall(r"^#+ (\d+(?:\.\d+)*) ", text, re.MULTILINE)


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    SPEC.write_text(written(SPEC.read_text()))
