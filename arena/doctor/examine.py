"""Try rungs on this machine: the self-test, then every probe, and what to do about what failed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.confine.choose import Rejected, tried
from arena.bots.confine.confinement import Rung, Wish
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.controllers import Controllers, find_controllers
from arena.bots.confine.selftest import Tried, try_out
from arena.bots.processes import Warden
from arena.bots.refused import CannotStart, HostFull
from arena.doctor.cgroups import how_to_get, missing
from arena.doctor.probes import PROBES, Probe
from arena.doctor.promises import SELF_TEST, Promise
from arena.doctor.stage import NotTried, Stage, open_stage


@dataclass(frozen=True)
class Proof:
    """What one attempt has shown about the promises that it would break."""

    attempt: str
    """In words, after "a bot can"."""
    promises: tuple[Promise, ...]
    was_refused: bool
    trouble: str = ""
    """Why it could not be tried; then it was not refused either."""
    remedy: str = ""
    """What to do about it."""


@dataclass(frozen=True)
class Examined:
    """What one rung does on this machine."""

    rung: Rung
    word: str
    """The rung as records have it."""
    rejected: Rejected | None
    """Why no bot is confined by it."""
    proofs: tuple[Proof, ...]

    @property
    def works(self) -> bool:
        """Bots can be confined by it."""
        return self.rejected is None and self.rung is not Rung.NONE

    def of(self, promise: Promise) -> tuple[Proof, ...]:
        return tuple(proof for proof in self.proofs if promise in proof.promises)

    def keeps(self, promise: Promise) -> bool:
        """Every attempt to break this promise was made and refused."""
        return bool(self.of(promise)) and all(proof.was_refused for proof in self.of(promise))


async def examine(
    warden: Warden, place: Path, read: Sequence[Path], *, every: bool
) -> list[Examined]:
    """Examine the rungs, the strongest first, until one works; with `every` all of them.

    `place`: a private folder. `read`: what the operator lets all bots read. The first that works
    is the one that bots are confined by; where none does, the last is Rung.NONE.
    """
    found: list[Examined] = []
    for rung in Wish.AUTO.rungs:
        found.append(await _examined(warden, rung, place, read, found))
        if found[-1].works and not every:
            return found
    means = Means(controllers=find_controllers())
    result = await try_out(warden, Confiner(means, place))
    proofs = await _proofs(warden, means, place, result, found)
    found.append(Examined(Rung.NONE, str(Rung.NONE), None, proofs))
    return found


def used(examined: Sequence[Examined]) -> Examined:
    """Return the rung that `--confine auto` uses."""
    return next((each for each in examined if each.works), examined[-1])


async def _examined(
    warden: Warden,
    rung: Rung,
    place: Path,
    read: Sequence[Path],
    stronger: Sequence[Examined],
) -> Examined:
    means = await tried(warden, rung, place, read)
    if isinstance(means, Rejected):
        proofs = () if means.result is None else _of_self_test(means.result, means.remedy)
        return Examined(rung, str(rung), means, proofs)
    proofs = await _proofs(warden, means, place, Tried(), stronger)
    return Examined(rung, Confiner(means, place).word, None, proofs)


def _of_self_test(result: Tried, remedy: str = "") -> tuple[Proof, ...]:
    """Return a proof of each attempt of the self-test, if it ran."""
    return tuple(
        Proof(
            attempt,
            promises,
            was_refused=not result.trouble and attempt not in result.succeeded,
            trouble=result.trouble,
            remedy=remedy if result.trouble or attempt in result.succeeded else "",
        )
        for attempt, promises in SELF_TEST.items()
    )


async def _proofs(
    warden: Warden, means: Means, place: Path, result: Tried, stronger: Sequence[Examined]
) -> tuple[Proof, ...]:
    """Run every probe on one rung. `stronger`: the rungs above it, as they were found."""
    proofs = [*_of_self_test(result)]
    try:
        async with open_stage(warden, Confiner(means, place), place) as stage:
            for probe in PROBES:
                proofs.append(await _proof(stage, probe))
    except (NotTried, CannotStart, HostFull) as error:
        proofs += [_untried(probe, str(error)) for probe in PROBES[len(proofs) - len(SELF_TEST) :]]
    return tuple(
        proof
        if proof.was_refused
        else replace(proof, remedy=_remedy(proof.attempt, means.controllers, stronger))
        for proof in proofs
    )


async def _proof(stage: Stage, probe: Probe) -> Proof:
    try:
        succeeded = await probe.judge(stage, probe)
    except (NotTried, CannotStart, HostFull) as error:
        return _untried(probe, str(error))
    return Proof(probe.words, probe.promises, was_refused=not succeeded)


def _untried(probe: Probe, why: str) -> Proof:
    return Proof(probe.words, probe.promises, was_refused=False, trouble=why)


def _remedy(attempt: str, controllers: Controllers, stronger: Sequence[Examined]) -> str:
    """Return what keeps an attempt from succeeding: a stronger rung, or a cgroup."""
    for each in stronger:
        if each.works and any(
            proof.was_refused for proof in each.proofs if proof.attempt == attempt
        ):
            return f"Confinement by {each.rung} keeps it, and works here."
    cgroup = next((probe.cgroup for probe in PROBES if probe.words == attempt), "")
    if cgroup and cgroup not in controllers.names:
        return how_to_get(missing(controllers), os.geteuid())
    return next((each.rejected.remedy for each in stronger if each.rejected is not None), "")
