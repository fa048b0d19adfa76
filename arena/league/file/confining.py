"""The parts of a league's file about what started bots may see and use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from arena.bots.confine.limits import Limits
from arena.league.file.problems import Problems
from arena.league.file.values import values_of
from arena.league.model.config import Confine


def limits_of(
    table: Mapping[str, object], of: str, problems: Problems, default: Limits | None = None
) -> Limits:
    """Return the limits of a table; what it leaves out is as in `default`.

    `of`: where the table stands, in words.
    """
    return replace(default or Limits(), **values_of(table, "limits", of, problems))


def confine_of(
    given: str | Mapping[str, object],
    build: Mapping[str, object],
    folder: Path,
    problems: Problems,
) -> Confine:
    """Return what the keys `confine` and `build` say. `folder`: paths are as seen from it."""
    table = {"by": given} if isinstance(given, str) else given
    found = values_of(table, "confine", " of [confine]", problems)
    default = Confine()
    of_builds = values_of(build, "build", " of [build]", problems)
    read = [folder / Path(path).expanduser() for path in found.get("read", ())]
    for path in read:
        if not path.exists():
            problems.say(f"`read` of [confine] has {str(path)!r}, and there is no such file")
    network = of_builds.get("network", default.build_network)
    return Confine(found.get("by", default.by), tuple(read), network)
