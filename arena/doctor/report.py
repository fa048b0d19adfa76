"""Everything that was found out about this machine, as one value."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bots.confine.choose import Rejected
from arena.bots.processes import Warden
from arena.doctor.examine import Examined, examine, used
from arena.doctor.machine import Fact, facts
from arena.doctor.promises import Promise
from arena.doctor.toolchains import Hidden, SampleBot, hidden, sample_bots


@dataclass(frozen=True)
class Report:
    """What this machine can promise, and what it lacks."""

    rungs: tuple[Examined, ...]
    """The strongest first; those below the one that is used only if they were asked for."""
    facts: tuple[Fact, ...]
    samples: tuple[SampleBot, ...]
    hidden: tuple[Hidden, ...]

    @property
    def used(self) -> Examined:
        """The rung that bots are confined by, unless the operator names another."""
        return used(self.rungs)

    @property
    def is_strict(self) -> bool:
        """`--confine strict` works here."""
        return self.used.works

    @property
    def rejected(self) -> tuple[Rejected, ...]:
        """The rungs that do not work here."""
        return tuple(each.rejected for each in self.rungs if each.rejected is not None)

    @property
    def broken(self) -> tuple[Promise, ...]:
        """The promises that the rung in use does not keep."""
        return tuple(promise for promise in Promise if not self.used.keeps(promise))


async def report(warden: Warden, read: Sequence[Path], *, every: bool) -> Report:
    """Find everything out. `read`: what bots may read; `every`: try all rungs."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        warden.sweep(Path(folder))  # only if we are killed: else it is removed here
        rungs = await examine(warden, Path(folder), read, every=every)
    return Report(tuple(rungs), tuple(facts()), tuple(sample_bots()), tuple(hidden(read)))
