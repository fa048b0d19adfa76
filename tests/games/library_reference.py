"""The reference in docs/library.md, made from the signatures and docstrings of the code.

`python -m tests.games.library_reference` writes it there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.dataset import Decisions, read_decisions
from arena.games import Recall, RecallLayout
from arena.games.interface import Actions, Game, State
from arena.games.open_deal import OpenDeal
from arena.policy import as_bot

DOCUMENT = Path(__file__).parents[2] / "docs" / "library.md"
HEADING = "### Reference\n"

# By class the title of its list, and the members that programs use.
CLASSES: dict[type, tuple[str, str]] = {
    Game: (
        '`game = GAMES["nyet"]`, of `arena.games`; a rule set:',
        "name seats options actions fields endings rounds deal deal_cards chances imagine playout"
        " observation observe score_bounds bound deck",
    ),
    State: (
        "`state = game.deal(4, seed)`; a match in progress:",
        "game seats to_act legal legal_actions mask observe apply refusal stage copy view outcome",
    ),
    Actions: ("`game.actions`; texts outside, small numbers inside:", "name code"),
    OpenDeal: (
        "`OpenDeal`, of `arena.games.open_deal`; a deal as chance steps:",
        "__init__ outcomes apply state copy",
    ),
    Recall: (
        "`Recall`, of `arena.games`; all that each seat has seen:",
        "__init__ then imagined key observations",
    ),
    RecallLayout: (
        "`RecallLayout`, of `arena.games`; the same as an array:",
        "of shape size write",
    ),
    Decisions: ("`decisions = read_decisions(path)`, of `arena.dataset`:", "columns"),
}
FUNCTIONS: dict[Callable[..., Any], str] = {
    read_decisions: "arena.dataset",
    as_bot: "arena.policy",
}


def reference() -> str:
    """Return the whole section, from its heading."""
    return "\n".join([HEADING, *_lines()]) + "\n"


def _lines() -> Iterator[str]:
    yield "A test keeps these lines as the code has them: the first paragraph of each docstring."
    yield "`Options` is a map of names and values, `Until` is `'round'` or `'match'`."
    yield "`Writable` is an array of numpy, or anything else that takes numbers by place."
    for owner, (title, members) in CLASSES.items():
        yield ""
        yield title
        yield ""
        for name in members.split():
            yield _member(owner, name)
    yield ""
    yield "Functions:"
    yield ""
    for function, module in FUNCTIONS.items():
        yield f"- `{module}.{_call(function.__name__, function)}`: {_promise(function)}"


def _member(owner: type, name: str) -> str:
    found = inspect.getattr_static(owner, name)
    if isinstance(found, property):
        assert found.fget is not None
        told = inspect.signature(found.fget).return_annotation
        return f"- `{name}: {told}`: {_promise(found)}"
    if name == "__init__":
        return f"- `{_call(owner.__name__, found)}`: {_promise(owner)}"
    function = found.__func__ if isinstance(found, classmethod) else found
    return f"- `{_call(name, function)}`: {_promise(function)}"


def _call(name: str, function: Callable[..., Any]) -> str:
    signature = inspect.signature(function)
    told = ", ".join(
        _parameter(each) for each in signature.parameters.values() if each.name not in HIDDEN
    )
    is_class = name[0].isupper()
    end = "" if is_class else f" -> {signature.return_annotation}"
    return f"{name}({told}){end}"


HIDDEN = ("self", "cls")


def _parameter(parameter: inspect.Parameter) -> str:
    stars = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else ""
    told = f"{stars}{parameter.name}: {parameter.annotation}"
    if parameter.default is inspect.Parameter.empty:
        return told
    is_map = isinstance(parameter.default, Mapping)
    return f"{told} = {dict(parameter.default) if is_map else repr(parameter.default)}"


def _promise(of: object) -> str:
    """Return the first paragraph of a docstring, in one line."""
    text = inspect.getdoc(of)
    assert text, f"{of} has no docstring"
    return " ".join(text.partition("\n\n")[0].split())


def with_reference(text: str) -> str:
    """Return a document with the section as it is made now."""
    before, heading, rest = text.partition(HEADING)
    assert heading, f"{DOCUMENT} has no {HEADING}"
    _, following, after = rest.partition("\n## ")
    return f"{before}{reference()}{following}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(with_reference(DOCUMENT.read_text()))
