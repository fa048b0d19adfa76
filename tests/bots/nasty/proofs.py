"""Whether a hostile program has done what it tried: seen from outside, where that can be."""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arena.bots.launch import Tails
from tests.bots.nasty.world import World, is_locked

# Of both beginning and end of a stream, far more than the warden keeps.
MOST_KEPT_BYTES = 1_048_576


@dataclass(frozen=True)
class Outcome:
    """One run of a program, while it still stays, or after its end."""

    said: dict[str, Any]
    """What it printed: under "did" what it managed, under "refused" why it did not."""
    tails: Tails
    warden: int
    """The warden's process."""
    died: bool = False
    """The warden was killed."""

    @property
    def did(self) -> Any:
        return self.said.get("did")


Proof = Callable[[World, Outcome], bool]


def says_so(world: World, outcome: Outcome) -> bool:
    return bool(outcome.did)


def says(word: str) -> Proof:
    """It knows a secret: one of `World.words`."""

    def shown(world: World, outcome: Outcome) -> bool:
        return world.words[word] in str(outcome.did)

    return shown


def the_referee_is_stopped(world: World, outcome: Outcome) -> bool:
    return world.state() == "T"


def another_bot_is_stopped(world: World, outcome: Outcome) -> bool:
    return world.state(world.told["bot"]) == "T"


def the_warden_is_stopped(world: World, outcome: Outcome) -> bool:
    return bool(world.before.get("stopped"))


def the_referee_got_it(world: World, outcome: Outcome) -> bool:
    """It keeps SIGURG pending, as /proc tells."""
    with open(f"/proc/{world.victim.pid}/status") as file:
        pending = next(line.split()[1] for line in file if line.startswith("ShdPnd:"))
    return bool(int(pending, 16) >> (signal.SIGURG - 1) & 1)


def the_warden_is_dead(world: World, outcome: Outcome) -> bool:
    return outcome.died


def the_referee_has_ended(world: World, outcome: Outcome) -> bool:
    """Soon after: the kernel takes a moment."""
    return bool(outcome.did) and world.victim.wait(timeout=5) != 0


def the_referee_is_slower(world: World, outcome: Outcome) -> bool:
    # These tests may themselves run with a lower priority, which their processes inherit.
    own = os.getpriority(os.PRIO_PROCESS, 0)
    return os.getpriority(os.PRIO_PROCESS, world.victim.pid) > own


def the_referee_is_tied(world: World, outcome: Outcome) -> bool:
    return len(os.sched_getaffinity(world.victim.pid)) == 1


def the_referee_is_limited(world: World, outcome: Outcome) -> bool:
    return resource.prlimit(world.victim.pid, resource.RLIMIT_NOFILE)[0] == 7


def a_file_is_planted(world: World, outcome: Outcome) -> bool:
    return any((folder / "planted").exists() for folder in (world.operator, world.other, world.own))


def the_door_is_closed(world: World, outcome: Outcome) -> bool:
    return (world.top / "door").stat().st_mode & 0o777 == 0


def a_device_was_touched(world: World, outcome: Outcome) -> bool:
    return bool(os.stat("/dev/null").st_mtime_ns != world.before["device"])


def the_store_is_locked(world: World, outcome: Outcome) -> bool:
    return is_locked(world.operator / "league.arena")


def something_is_left(world: World, outcome: Outcome) -> bool:
    """In the place of all scratch folders, after the end of the warden, or in that of this bot."""
    return outcome.died or world.place.exists() or bool(os.listdir(world.scratch))


def a_daemon_is_alive(world: World, outcome: Outcome) -> bool:
    return bool(daemons(world))


def daemons(world: World) -> set[int]:
    """Processes whose command line ends with the mark of this world."""
    found = set()
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().rstrip(b"\0").split(b"\0")
        except OSError:
            continue
        if words[-1:] == [world.told["mark"].encode()]:
            found.add(int(name))
    return found


def a_datagram_came(world: World, outcome: Outcome) -> bool:
    for sock in (world.udp, world.datagrams):
        try:
            if world.told["word"].encode() in sock.recv(1_024, socket.MSG_DONTWAIT):
                return True
        except BlockingIOError:
            continue
    return False


def somebody_connected(world: World, outcome: Outcome) -> bool:
    for sock in (world.tcp, *world.servers):
        sock.setblocking(False)
        try:
            sock.accept()[0].close()
        except BlockingIOError:
            continue
        return True
    return False


def it_can_be_called(world: World, outcome: Outcome) -> bool:
    try:
        socket.create_connection(("127.0.0.1", world.told["free_port"]), timeout=5).close()
    except OSError:
        return False
    return True


def the_warden_keeps_it_all(world: World, outcome: Outcome) -> bool:
    streams = (outcome.tails.stdout, outcome.tails.stderr)
    return any(len(each.first) + len(each.last) > MOST_KEPT_BYTES for each in streams)


def it_kept_hopping(world: World, outcome: Outcome) -> bool:
    """Its end could not be brought about."""
    return bool(world.before.get("left"))
