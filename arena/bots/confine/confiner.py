"""From a program to its launch, confined on one rung: the shell around the two sets of rules."""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.bots.builds.variables import below_home, certificates
from arena.bots.confine import bubblewrap, kernel
from arena.bots.confine.confinement import Confinement, Rung
from arena.bots.confine.controllers import Controllers
from arena.bots.confine.limits import Limits
from arena.bots.confine.needs import folders_to_read, out_of_sight
from arena.bots.confine.system import System, build_files
from arena.bots.launch import Launch
from arena.bots.program import Program, inherited_env
from arena.bots.refused import CannotStart
from arena.bots.warden.relay import PUBLIC
from arena.bots.warden.rules import Rules

# What a program reads to find a server by its name.
NETWORK_FILES = tuple(
    path for path in (Path("/etc/resolv.conf"), Path("/etc/hosts")) if path.exists()
)


def name_servers(file: Path = Path("/etc/resolv.conf")) -> tuple[str, ...]:
    """Return the addresses of the name servers, as `Rules.reach` has them."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return ()
    hosts = [words[1] for line in lines if (words := line.split())[:1] == ["nameserver"]]
    shown = [f"[{host}]" if ":" in host else host for host in hosts]
    return tuple(f"{kind}:{host}:53" for host in shown for kind in ("udp", "tcp"))


@dataclass(frozen=True)
class Means:
    """What a rung is made of on this machine; plain, because jobs are told it."""

    rung: Rung = Rung.NONE
    read: tuple[Path, ...] = ()
    """Further files and folders that every bot may read."""
    listed: tuple[Path, ...] = ()
    """Folders of which every bot may see the names."""
    tools: bubblewrap.Tools | None = None
    abi: int = 0
    """Of Landlock, as far as this program knows it."""
    system: System = field(default_factory=System)
    controllers: Controllers = field(default_factory=Controllers)
    build_network: bool = True
    """Builds may reach public addresses."""
    uids: bool = False
    """Each bot is a user of its own, because arena is root."""


class Confiner:
    """Makes launches of confined programs. `place`: a private folder for their scratches."""

    def __init__(self, means: Means, place: Path) -> None:
        self.means = means
        self._place = place
        self._tag = secrets.token_hex(4)
        self._numbers = itertools.count(1)

    def __repr__(self) -> str:
        return f"<Confiner {self.means.rung}>"

    @property
    def word(self) -> str:
        """The rung as records and tables have it, with the ABI of Landlock."""
        means = self.means
        return f"{means.rung} {means.abi}" if means.rung is Rung.LANDLOCK else str(means.rung)

    def launch(self, program: Program, own: Mapping[str, str], door: str) -> Launch:
        """Return the start of a bot. Raises CannotStart where it could not see its program.

        `own`: the variables that arena sets for it. `door`: the address it connects to.
        """
        env = {**inherited_env(), **own}
        chosen = {name: value for name, value in program.env.items() if name not in own}
        confinement = replace(self._confinement(program, door), env=tuple(chosen.items()))
        return self._launch(program.name, program.command, env, confinement, logs=program.logs)

    def check(self, program: Program) -> None:
        """Raise CannotStart where a bot could not see its program."""
        env = {**inherited_env(), **program.env}
        self._check_sight(program.name, program.command, env, self._confinement(program, "none"))

    def _confinement(self, program: Program, door: str) -> Confinement:
        files: tuple[Path, ...] = (program.folder,)
        if program.is_bare:
            shown = (path for path in program.folder.iterdir() if _is_shown(path))
            # Whoever wrote the command line means the bot to have what it names.
            named = (Path(word) for word in program.command[1:] if word.startswith("/"))
            files = (*sorted(shown), *(path for path in named if path.is_file()))
        return Confinement(
            folder=program.folder,
            files=files,
            scratch=self._scratch(),
            door=door,
            read=self.means.read,
            listed=self.means.listed,
            limits=program.limits,
            uid=program.uid if self.means.uids else None,
        )

    def build(
        self,
        name: str,
        command: tuple[str, ...],
        env: Mapping[str, str],
        folder: Path,
        *,
        chosen: Mapping[str, str],
        limits: Limits,
        uid: int | None,
    ) -> Launch:
        """Return the start of a build, which may write to its folder.

        `env`: the variables that arena sets for it. `chosen`: those that its author chose. `uid`:
        the user it becomes, where means have users. Raises CannotStart as `launch` does.
        """
        network = self.means.build_network
        confinement = Confinement(
            folder=folder,
            files=(),
            scratch=self._scratch(),
            door="",
            servers=(PUBLIC, *name_servers()) if network else (),
            write=(folder,),
            read=(
                *self.means.read,
                *build_files(),
                *certificates(env),
                *(NETWORK_FILES if network else ()),
            ),
            listed=self.means.listed,
            limits=limits,
            uid=uid if self.means.uids else None,
            env=tuple(chosen.items()),
        )
        # Of two questions at once the second would go by `sendmsg`, which the filter refuses.
        resolver = {"RES_OPTIONS": "single-request"} if network else {}
        return self._launch(name, command, {**resolver, **env}, confinement)

    def _launch(
        self,
        name: str,
        command: tuple[str, ...],
        env: dict[str, str],
        bot: Confinement,
        logs: Path | None = None,
    ) -> Launch:
        means = self.means
        whole = {**env, **dict(bot.env)}
        if means.rung is Rung.NONE:
            # Its processes are held together, so that all are found at its end.
            rules = Rules(cgroups=means.controllers.of(self._group(), None))
            return Launch(name, command, whole, bot.folder, bot.limits.open_files, logs, rules)
        self._check_sight(name, command, whole, bot)
        scratch = bubblewrap.SCRATCH if means.rung is Rung.BUBBLEWRAP else bot.scratch
        places = {"HOME": str(scratch), "TMPDIR": str(scratch)}
        if bot.is_build:
            env = {**below_home(scratch), **env}
            whole = {**below_home(scratch), **whole}
        in_memory_group = "memory" in means.controllers.names
        if means.rung is Rung.BUBBLEWRAP:
            assert means.tools is not None
            # Not what the author chose: bubblewrap itself runs outside.
            whole = env
            bot = replace(bot, env=tuple(pair for pair in bot.env if pair[0] not in places))
            rules = bubblewrap.rules(bot, means.system, means.tools, memory_cgroup=in_memory_group)
        else:
            rules = kernel.rules(bot, means.system, means.abi, memory_cgroup=in_memory_group)
        group, groups = self._group(), means.controllers
        rules = rules.with_cgroups(groups.of(group, bot.limits), groups.spread(group, bot.limits))
        most = bot.limits.open_files
        return Launch(name, command, whole | places, bot.folder, most, logs, rules, bot.limits)

    def _check_sight(
        self, name: str, command: tuple[str, ...], env: Mapping[str, str], bot: Confinement
    ) -> None:
        system = self.means.system
        if self.means.rung is Rung.NONE:
            return
        links = (path for path, _ in system.links)
        visible = (*bubblewrap.visible(bot, system), *bot.write, *links)
        missing = out_of_sight(command, env, bot.folder, visible)
        if missing is not None:
            raise _unseen(name, command, missing)

    def _scratch(self) -> Path:
        return self._place / f"scratch-{next(self._numbers)}"

    def _group(self) -> str:
        return f"arena-{self._tag}/{next(self._numbers)}"


def _is_shown(path: Path) -> bool:
    """Tell if a bare command line sees this entry of its folder: no league, no dot file."""
    return not (path.name.startswith(".") or path.suffix == ".arena")


def _unseen(name: str, command: tuple[str, ...], missing: Path) -> CannotStart:
    folders = folders_to_read(missing)
    listed = ", ".join(f'"{folder}"' for folder in folders)
    options = " ".join(f"--read {folder}" for folder in folders)
    variable = os.pathsep.join(map(str, folders))
    return CannotStart(
        "out-of-sight",
        f"{name!r} was not started: {command[0]!r} needs {str(missing)!r}, which is not found"
        " inside the sandbox: a bot sees its own folder and the system's programs only. Let bots"
        f" read where it is installed: `read = [{listed}]` under [confine] in league.toml,"
        f" `{options}`, or for all commands `export ARENA_READ={variable}`.",
    )
