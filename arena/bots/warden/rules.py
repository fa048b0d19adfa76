"""What the warden does to a child between fork and exec, so that it becomes a confined bot.

Made by `arena.bots.confine`, carried over the link as plain values, applied by `enter.py`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not from `typing`, which would cost the warden a third of its start
if TYPE_CHECKING:
    from typing import TypeAlias


Cgroup: TypeAlias = tuple[str, tuple[tuple[str, str], ...], tuple[tuple[str, str, str], ...]]


class Rules:
    """One bot's rules; every part may be empty.

    words       put in front of the bot's command; "{NAME}" stands for the number of a
                descriptor from which the file NAME of `files` can be read
    files       contents by name, each handed over as a memory file
    rlimits     pairs of a resource number and a limit, soft and hard alike
    folders     folders made for this bot alone and removed after its end
    landlock    (handled files, handled TCP, scopes, ((path, access), ...)), or None
    filters     seccomp programs for the child itself, as bytes
    reach       the addresses to which `connect` may lead (`relay.py`), where the last filter hands
                `connect` to the warden; None: the filters do not
    cgroups     (folder, ((file, value), ...), ((file, key, word), ...)) for each cgroup made for
                this bot, joined before exec and removed after its end: what is written into it,
                and where the kernel counts how often the limit called `word` was reached
    spread      (counter, file, cores) of its cgroups: where the kernel counts for how long it
                wanted more than its cores, the processors it may run on, and how many of them it
                is kept on for a while then (`cgroups/spread.py`); None: it is not watched
    scratch     path of the scratch folder as the bot sees it, where that is a file system of a
                fixed size, so that a full one can be noticed; ""
    """

    __slots__ = (
        "cgroups",
        "files",
        "filters",
        "folders",
        "landlock",
        "reach",
        "rlimits",
        "scratch",
        "spread",
        "words",
    )

    def __init__(
        self,
        *,
        words: tuple[str, ...] = (),
        files: dict[str, bytes] | None = None,
        rlimits: tuple[tuple[int, int], ...] = (),
        folders: tuple[str, ...] = (),
        landlock: tuple[int, int, int, tuple[tuple[str, int], ...]] | None = None,
        filters: tuple[bytes, ...] = (),
        reach: tuple[str, ...] | None = None,
        cgroups: tuple[Cgroup, ...] = (),
        spread: tuple[str, str, int] | None = None,
        scratch: str = "",
    ) -> None:
        self.words = words
        self.files = files or {}
        self.rlimits = rlimits
        self.folders = folders
        self.landlock = landlock
        self.filters = filters
        self.reach = reach
        self.cgroups = cgroups
        self.spread = spread
        self.scratch = scratch

    def with_cgroups(
        self, cgroups: tuple[Cgroup, ...], spread: tuple[str, str, int] | None
    ) -> Rules:
        """Return the same rules with these cgroups."""
        changed = {**self.plain(), "cgroups": cgroups, "spread": spread}
        return Rules(**changed)  # type: ignore[arg-type]  # as they came

    def plain(self) -> dict[str, object]:
        """As values that marshal knows; `Rules(**plain)` is the same again."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.plain() == other.plain()

    __hash__ = None  # type: ignore[assignment]  # it holds a dict

    def __repr__(self) -> str:
        parts = [f"{name}={value!r}" for name, value in self.plain().items() if value]
        return f"Rules({', '.join(parts)})"
