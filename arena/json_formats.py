"""The JSON that commands print: every format by name and version, and the envelope around it.

A format has a new version when a key goes, or means something else; keys may be added without
that. docs/json.md tells the keys of each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias


@dataclass(frozen=True)
class JsonFormat:
    """One format. `printed_by`: the command line that prints it."""

    name: str
    version: int
    printed_by: str

    def document(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return the content in its envelope: the keys `format` and `version` come first."""
        return {"format": self.name, "version": self.version, **content}

    def text(self, content: Mapping[str, Any]) -> str:
        """Return the document in several lines, for a command that prints one."""
        return json.dumps(self.document(content), indent=2, allow_nan=False)

    def pieces(
        self,
        before: Mapping[str, Any],
        name: str,
        items: Iterable[Mapping[str, Any]],
        after: Callable[[], Mapping[str, Any]],
    ) -> Iterator[str]:
        """Yield what `text` returns, in pieces of whole lines, for a document with a long list.

        The list `items` is under the key `name`, between the keys of `before` and those of
        `after`, which is called when all items were yielded. Only one of them is in memory. If the
        first item raises an error, nothing was yielded before it.
        """
        head = self.text(before).removesuffix("\n}") + f",\n  {json.dumps(name)}: ["
        last = None
        for item in items:
            yield head if last is None else f"{last},"
            lines = json.dumps(item, indent=2, allow_nan=False).split("\n")
            last = "\n".join(f"    {line}" for line in lines)
        if last is None:
            yield f"{head}],"
        else:
            yield last
            yield "  ],"
        yield json.dumps(after(), indent=2, allow_nan=False).removeprefix("{\n")

    def line(self, content: Mapping[str, Any]) -> str:
        """Return the document in one line, for a command that prints many."""
        return json.dumps(self.document(content), separators=(",", ":"), allow_nan=False)


STANDINGS = JsonFormat("arena-standings", 1, "arena table --json")
MATCHES = JsonFormat("arena-matches", 1, "arena matches --json")
MATCH = JsonFormat("arena-match", 1, "arena match --json")
EVALUATION = JsonFormat("arena-evaluation", 1, "arena evaluate --json")
REPLAY = JsonFormat("arena-replay", 1, "arena replay --json")
JUDGE = JsonFormat("arena-judge", 1, "arena judge --json")
ASK = JsonFormat("arena-ask", 1, "arena ask --json")
EVIDENCE = JsonFormat("arena-evidence", 1, "arena evidence --json")
CHECK = JsonFormat("arena-check", 1, "arena check --json")
DOCTOR = JsonFormat("arena-doctor", 1, "arena doctor --json")
EVENTS = JsonFormat("arena-events", 1, "arena league --events")

# In the order of docs/json.md.
FORMATS = (
    *(STANDINGS, MATCHES, MATCH, EVALUATION, REPLAY, JUDGE, ASK, EVIDENCE, CHECK, DOCTOR),
    EVENTS,
)


class JsonKey(NamedTuple):
    """A key of a document, for docs/json.md and its test.

    `type`: "text", "number", "whole number", "true or false", "map", the name of a section, or one
    of these with "list of " before it or " or null" behind it. `is_optional`: some documents are
    without the key; the meaning says which.
    """

    type: str
    meaning: str
    is_optional: bool = False


# By section the keys of its maps; the section DOCUMENT is the whole, without its envelope.
Sections: TypeAlias = Mapping[str, Mapping[str, JsonKey]]
DOCUMENT = "document"
