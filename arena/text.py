"""Words for people: texts that bots chose made harmless, lists in words, hints for misspellings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def plain(text: str) -> str:
    """Replace each character that a terminal could take for more than text.

    For every text that a bot chose: names, notes, versions, output. A tab becomes spaces up to
    the next column of eight, so that tracebacks and tables stay as their program laid them out.
    """
    if text.isprintable():  # as nearly all are; a look at each character takes many times longer
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text.expandtabs())


def shortened(text: str, first: int, last: int = 0) -> str:
    """Shorten a text to its `first` and its `last` characters; a mark between counts the rest."""
    if (left_out := len(text) - first - last) <= 0:
        return text
    mark = f"[{left_out:,} characters are left out here]"
    return " ".join(part for part in (text[:first], mark, text[first + left_out :]) if part)


def both_ends(lines: Sequence[str], first: int, last: int) -> list[str]:
    """Shorten output to `first` lines of its beginning and `last` of its end; a line between counts
    the rest."""
    left_out = len(lines) - first - last
    if left_out <= 1:  # the line that counts it would take as much room
        return list(lines)
    return [*lines[:first], f"[{left_out} lines are left out here]", *lines[len(lines) - last :]]


def listed(words: Iterable[object]) -> str:
    """Join words for a sentence: "1, 2 and 4". At least one word."""
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last


def did_you_mean(came: object, known: Iterable[str]) -> str:
    """Return a hint to append to a message: the nearest known name, or nothing."""
    # Imported here: hardly a process meets a misspelling.
    import difflib

    near = difflib.get_close_matches(str(came), list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def duration(seconds: float) -> str:
    """Return a time in words that can be read at a glance: "2 h 1 min"."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"
