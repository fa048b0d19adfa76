"""What is promised of every bot that is started, and which attempts of the self-test show it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from arena.bots.confine.confinement import Rung


class Promise(StrEnum):
    """One promise; the value is its word in JSON."""

    DEALS = "deals"
    IDENTITY = "identity"
    OTHERS = "others"
    FILES = "files"
    END = "end"
    MEMORY = "memory"
    LIMITS = "limits"
    NETWORK = "network"


WORDS: Mapping[Promise, str] = {
    Promise.DEALS: "learn a deal except through its views",
    Promise.IDENTITY: "be another bot",
    Promise.OTHERS: "slow or stop anybody",
    Promise.FILES: "see or change anybody's files",
    Promise.END: "outlive its match",
    Promise.MEMORY: "keep anything from one match of a set to the next",
    Promise.LIMITS: "exceed its limits",
    Promise.NETWORK: "reach the network",
}
"""Each after "a bot cannot", in the order in which they are shown."""

SELF_TEST: Mapping[str, tuple[Promise, ...]] = {
    "read a file of somebody else": (Promise.DEALS, Promise.FILES),
    "list a folder of somebody else": (Promise.FILES,),
    "write into a folder of somebody else": (Promise.FILES,),
    "change its own sources": (Promise.FILES, Promise.MEMORY),
    "read the referee's environment": (Promise.IDENTITY,),
    "read the referee's memory": (Promise.DEALS,),
    "attach to the referee": (Promise.DEALS,),
    "send the referee a signal": (Promise.OTHERS,),
    "change the referee's priority": (Promise.OTHERS,),
    "begin a session of its own": (Promise.OTHERS,),
    "make a user namespace": (Promise.LIMITS,),
    "connect to a TCP port of this machine": (Promise.NETWORK,),
    "connect to a Unix socket of somebody else": (Promise.NETWORK,),
    "connect to an abstract Unix socket": (Promise.NETWORK,),
    "open an AF_VSOCK socket": (Promise.NETWORK,),
    "use io_uring": (Promise.NETWORK,),
    "use userfaultfd": (Promise.OTHERS,),
    "add a key to a keyring": (Promise.MEMORY,),
}
"""By attempt of `arena.bots.confine.probe`: the promises that it would break."""

_EVERYWHERE = (
    "hidden signals by timing: a bot can measure how busy the machine is, and keep it busy",
    "errors in the kernel, in bubblewrap and in the programs that bots may read",
    "figures about the whole machine in /proc (memory, processor time, uptime)",
)
_BY_LANDLOCK = (
    "the command lines of all processes of this machine, and its load, in /proc",
    "whether a file exists, its size and its times, for a bot that knows the path",
)

NOT_PROMISED: Mapping[Rung, tuple[str, ...]] = {
    Rung.BUBBLEWRAP: _EVERYWHERE,
    Rung.LANDLOCK: (*_EVERYWHERE, *_BY_LANDLOCK),
    Rung.NONE: ("anything: a bot can do whatever the user who runs arena can do",),
}
"""By rung: what it does not keep from bots, and no attempt can show in full."""
