"""`arena worker`: plays sets of leagues that run on other machines."""

from __future__ import annotations

import importlib.metadata
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import click
import trio

from arena.bots.confine.choose import NotConfined, choose
from arena.bots.confine.confinement import Wish
from arena.bots.confine.confiner import Confiner
from arena.bots.processes import open_warden
from arena.cli.confining import confine_option, read_option
from arena.cli.printer import Printer
from arena.cli.running import run, stopped_by
from arena.doctor.machine import facts
from arena.doctor.toolchains import packages, sample_bots
from arena.exits import INTERRUPTED, TERMINATED
from arena.league.cluster.connection import asked_for_versions
from arena.league.cluster.engine import DaskMissing, check_installed
from arena.league.cluster.lost import NotScheduler, SchedulerGone
from arena.league.cluster.security import security_of
from arena.league.model.config import Tls
from arena.league.play.lanes.cores import matches_at_once
from arena.league.worker.facts import machine_name, python_version, version
from arena.league.worker.folder import FolderInUse, clean, own_place, used, usual_folder
from arena.league.worker.joining import CannotJoin, Joining
from arena.league.worker.keeper import keep
from arena.league.worker.messages import MOST_MACHINE_CHARS
from arena.league.worker.plan import MOST_SLOTS, WorkerPlan
from arena.league.worker.probe import Unreached, try_scheduler
from arena.outputs.words import count
from arena.tcp_address import SCHEDULER_IN_WORDS, is_scheduler
from arena.text import listed
from arena.utc import now

TOLD = (NotConfined, FolderInUse, CannotJoin)

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("worker", context_settings={"ignore_unknown_options": False})
@click.argument("address", required=False)
@click.option(
    "--slots", type=click.IntRange(1, MOST_SLOTS), help="Sets at once.  [default: cores - 1]"
)
@click.option("--name", "machine", help="The machine's name in records.  [default: the host's]")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where it keeps bots and logs.  [default: ~/.cache/arena/worker]",
)
@click.option("--tls-ca", "ca", type=_FILE, help="The certificate of the cluster's authority.")
@click.option("--tls-cert", "cert", type=_FILE, help="The certificate of this machine.")
@click.option("--tls-key", "key", type=_FILE, help="Its key.")
@confine_option
@read_option
@click.option("--check", "checks", is_flag=True, help="Only tell what there is; start nothing.")
@click.option("--clean", "cleans", is_flag=True, help="Only remove what workers have left here.")
@click.argument("more", nargs=-1, type=click.UNPROCESSED)
def COMMAND(  # noqa: N802  # the name that every command module exports
    address: str | None,
    slots: int | None,
    machine: str | None,
    folder: Path | None,
    ca: Path | None,
    cert: Path | None,
    key: Path | None,
    confine: str | None,
    read: tuple[Path, ...],
    checks: bool,
    cleans: bool,
    more: tuple[str, ...],
) -> None:
    """Play sets of leagues for the Dask scheduler at ADDRESS, until stopped.

    Tells first what this machine has: its program, how bots are confined here, cores, toolchains,
    clock. Then it tries the connection, and says in a line what is wrong with it: it waits for a
    scheduler that is not there yet. The process of the worker is started again whenever it ends,
    and --check with an ADDRESS tries the connection too. MORE goes to `dask worker`,
    after --. docs/cluster.md explains how machines come together, and who must not run a worker.

    \b
    Exit codes:
      0  --check or --clean did what it should
      1  this machine cannot play; the reason is told
      130  stopped by Ctrl-C, 143 by SIGTERM

    \b
    Examples:
      arena worker --check
      arena worker tls://10.0.0.1:8786 --tls-ca ca.pem --tls-cert worker.pem --tls-key worker.key
      arena worker tcp://10.0.0.1:8786 --slots 4 -- --interface eth1
      arena worker --clean
    """
    place = (folder or usual_folder(os.environ)).absolute()
    if cleans:
        raise SystemExit(_clean(place))
    tls = _tls(ca, cert, key)
    if not checks or address is not None:
        _check_address(address, tls)
    name = _checked_name(machine or machine_name())
    try:
        check_installed()
    except DaskMissing as missing:
        raise click.ClickException(str(missing)) from None
    wish = Wish(confine) if confine is not None else None
    reads = tuple(path.absolute() for path in read)
    number = slots or min(matches_at_once(1), MOST_SLOTS)
    plan = WorkerPlan(address or "", name, number, place, tls, wish, reads, more)
    try:
        code = run(partial(_main, plan, checks=checks), told=TOLD)
    except TOLD as error:
        raise click.ClickException(str(error)) from None
    raise SystemExit(code)


def _tls(ca: Path | None, cert: Path | None, key: Path | None) -> Tls | None:
    files = [each.absolute() for each in (ca, cert, key) if each is not None]
    if len(files) not in (0, 3):
        raise click.UsageError("--tls-ca, --tls-cert and --tls-key belong together")
    return Tls(*files) if files else None


def _checked_name(name: str) -> str:
    if len(name) > MOST_MACHINE_CHARS:
        raise click.UsageError(
            f"the name of this machine has {len(name)} characters, and in records"
            f" {MOST_MACHINE_CHARS} are the most: --name gives it a shorter one"
        )
    return name


def _check_address(address: str | None, tls: Tls | None) -> None:
    if address is None:
        raise click.UsageError("write the address of the scheduler: tls://HOST:8786")
    if not is_scheduler(address):
        raise click.UsageError(f"{address!r} is no address: it must be {SCHEDULER_IN_WORDS}")
    if address.startswith("tls:") and tls is None:
        raise click.UsageError(
            f"{address} lets nobody in without a certificate: --tls-ca, --tls-cert and --tls-key"
            " name the files (docs/cluster.md)"
        )
    if address.startswith("tcp:") and tls is not None:
        raise click.UsageError(f"{address} is not encrypted: write tls://, or no --tls- options")


def _clean(folder: Path) -> int:
    try:
        found = clean(folder)
    except FolderInUse as error:
        raise click.ClickException(str(error)) from None
    printer = Printer()
    printer(f"removed {listed(found)} from {folder}" if found else f"nothing is left in {folder}")
    printer.end()
    return 0


async def _main(plan: WorkerPlan, *, checks: bool) -> int:
    """Tell what this machine has, then keep a worker until a signal comes."""
    printer = Printer()
    with used(plan.folder):
        with own_place(plan.folder) as place:
            word = await _rung(plan.wish or Wish.AUTO, plan.read, place)
        for line in told(plan, word):
            printer(line)
        if checks:
            if plan.scheduler:
                printer(await _scheduler_line(plan))
            printer.end()
            return 0
        tell = partial(click.echo, err=True)
        async with stopped_by(lambda: scope.cancel(), signal.SIGINT, signal.SIGTERM) as signals:
            with trio.CancelScope() as scope:
                attempt = partial(_tried, plan, lambda warning: tell(f"warning: {warning}"))
                await keep(plan, tell, ready=Joining(attempt, tell).until_let_in)
    return INTERRUPTED if signals[-1] == signal.SIGINT else TERMINATED


async def _tried(plan: WorkerPlan, warn: Callable[[str], None]) -> Unreached | None:
    """Try the scheduler once; return what is wrong, None if it lets this machine in.

    `warn`: takes a warning about its versions.
    """
    if (found := await try_scheduler(plan.scheduler, plan.tls)) is not None:
        return found
    try:
        versions = await asked_for_versions(plan.scheduler, security_of(plan.tls))
    except NotScheduler as other:
        return Unreached(f"what answers at {plan.scheduler} is no scheduler of Dask's: {other}")
    except SchedulerGone as gone:
        why = f"{plan.scheduler} lets this machine in, and does not answer as a scheduler: {gone}"
        return Unreached(why, may_heal=True)
    if (warning := different(versions)) is not None:
        warn(warning)
    return None


async def _scheduler_line(plan: WorkerPlan) -> str:
    """Return a line about the scheduler. Raises CannotJoin if it does not let this machine in."""
    warnings: list[str] = []
    if (found := await _tried(plan, warnings.append)) is not None:
        raise CannotJoin(found.why)
    return "; ".join([f"scheduler   {plan.scheduler} lets this machine in", *warnings])


def different(versions: Mapping[str, str]) -> str | None:
    """Return a warning about versions of the scheduler that are not those of this machine."""
    ours = {"Dask": importlib.metadata.version("distributed"), "Python": python_version()}
    python = ".".join(versions.get("python", "").split(".")[:2])
    theirs = {"Dask": versions.get("distributed", ""), "Python": python}
    odd = [
        f"{name} {theirs[name]}, here {ours[name]}" for name in ours if ours[name] != theirs[name]
    ]
    if not odd:
        return None
    return f"the scheduler has {listed(odd)}: messages may not be understood; install the same"


async def _rung(wish: Wish, read: Sequence[Path], place: Path) -> str:
    """Return how bots are confined here, tried in a private folder. Raises NotConfined."""
    async with open_warden() as warden:
        choice = await choose(warden, wish, place, read)
        if choice.warning is not None:
            click.echo(f"warning: {choice.warning}", err=True)
        return Confiner(choice.means, place).word


def told(plan: WorkerPlan, word: str) -> Iterator[str]:
    """Yield lines that tell what a worker here has. `word`: how its bots are confined."""
    dask = importlib.metadata.version("distributed")
    cores = len(os.sched_getaffinity(0))
    confined = "unconfined" if word == "unconfined" else f"confined by {word}"
    yield f"machine     {plan.machine}: {count(plan.slots, 'slot')}, {count(cores, 'core')}"
    yield f"program     arena {version()}, Python {python_version()}, Dask {dask}"
    yield f"bots        {confined}"
    lacking = packages(sample_bots())
    if lacking:
        yield f"toolchains  missing for some sample bots: {', '.join(lacking)}"
    for fact in facts():
        if fact.advice:
            yield f"{fact.name:10}  {fact.value}: {fact.advice}"
    yield f"clock       {now()}"
    yield f"folder      {plan.folder}"
