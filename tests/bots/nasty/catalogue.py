"""What hostile programs try, and what comes of it on each rung: one table.

A deed must succeed unconfined, wherever a program of this user can do it at all: else its failure
on a rung would prove nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from arena.bots.confine.confinement import Rung
from arena.bots.confine.limits import Limits
from tests.bots.nasty import proofs
from tests.bots.nasty.proofs import Proof, says, says_so


@dataclass(frozen=True)
class Kept:
    """A bot cannot do it."""


@dataclass(frozen=True)
class KeptBy:
    """A bot cannot do it where this cgroup controller is writable; `else_`: why not elsewhere."""

    controller: str
    else_: str


@dataclass(frozen=True)
class NotPromised:
    """A bot can do it. `why`: as the documents say it."""

    why: str


Verdict = Kept | KeptBy | NotPromised
KEPT = Kept()


class Alone(Enum):
    """Whether an unconfined program can do it."""

    YES = "always"
    ROOT = "as root"
    MAYBE = "where the kernel or the machine's settings let it"
    NO = "never: arena itself is in the way of every bot"


SHARED_MEMORY = KeptBy(
    "memory",
    "without a memory cgroup the kernel bounds the private memory of each process alone",
)
TABLE_OF_PROCESSES = NotPromised(
    "on the second rung a bot sees which processes run, with their command lines"
)
LOAD_IS_SEEN = NotPromised("on the second rung a bot sees how busy the machine is")
SUM_OF_FILES = NotPromised(
    "on the second rung the size of each file is bounded, and not that of all together"
)
MODES_IN_BUILDS = NotPromised(
    "on the second rung a build can change the mode, owner and times of any file of the user who"
    " runs arena: linkers need these calls, and Landlock has no rule for them"
)
ITS_OWN = NotPromised("what a bot does to its own processes is its own business")

SMALL = Limits(memory_mb=100, processes=40, scratch_mb=8)


@dataclass(frozen=True)
class Deed:
    """One thing that a hostile program tries.

    `program`: the file in programs/ that has the function `name`. `tries`: in words, after "it".
    """

    name: str
    program: str
    tries: str
    proof: Proof = says_so
    alone: Alone = Alone.YES
    bubblewrap: Verdict = KEPT
    landlock: Verdict = KEPT
    evidence: Mapping[Rung, str] = field(default_factory=lambda: MappingProxyType({}))
    """The beginning of what its end must name, by rung."""
    evidence_by: str = ""
    """That is known where this cgroup controller is writable only."""
    stays: bool = True
    """It stays after its deed, so that the effect can be seen; else it is looked at afterwards."""
    after: bool = False
    """The effect is looked at when the warden has ended too."""
    other: bool = False
    """Another bot runs beside it."""
    in_builds: bool = True
    """A build tries it too: it may have more than a bot, but not this."""
    build_landlock: Verdict | None = None
    """Of a build on the second rung, where that differs."""

    def verdict(self, rung: Rung, *, is_build: bool = False) -> Verdict:
        if is_build and rung is Rung.LANDLOCK and self.build_landlock is not None:
            return self.build_landlock
        match rung:
            case Rung.BUBBLEWRAP:
                return self.bubblewrap
            case Rung.LANDLOCK:
                return self.landlock
            case Rung.NONE:
                return KEPT if self.alone is Alone.NO else ITS_OWN


@dataclass(frozen=True)
class Way:
    """A way to send a word from one bot to another, of the same user and the same folder.

    `leaves`, `finds`: functions of programs/messages.py.
    """

    leaves: str
    finds: str
    tries: str
    alone: Alone = Alone.YES
    at_once: bool = True
    """The first bot still runs when the second begins; else it has ended."""


def on_both(words: str) -> Mapping[Rung, str]:
    return MappingProxyType({Rung.BUBBLEWRAP: words, Rung.LANDLOCK: words})


def on(rung: Rung, words: str) -> Mapping[Rung, str]:
    return MappingProxyType({rung: words})


FILES = (
    Deed("reads_the_key", "files", "reads the league's key", says("key")),
    Deed("lists_the_operators_folder", "files", "lists the operator's folder"),
    Deed("reads_another_bots_sources", "files", "reads another bot's sources", says("sources")),
    Deed(
        "reads_another_bots_scratch",
        "files",
        "reads another bot's scratch folder",
        says("notes"),
        other=True,
    ),
    Deed(
        "reads_by_the_referees_folder",
        "files",
        "reads the key by the referee's root and folder in /proc",
        says("key"),
        Alone.MAYBE,
    ),
    Deed(
        "follows_a_link_out_of_its_scratch",
        "files",
        "reads the key by a symbolic link in its scratch folder",
        says("key"),
    ),
    Deed(
        "links_a_file_into_its_scratch",
        "files",
        "reads the key by a hard link in its scratch folder",
        says("key"),
    ),
    Deed(
        "opens_by_a_handle",
        "files",
        "opens the key by the number of its inode",
        says("key"),
        Alone.MAYBE,
    ),
    Deed(
        "writes_into_the_folders_of_others",
        "files",
        "writes into the folders of the operator and of another bot",
        proofs.a_file_is_planted,
    ),
    Deed(
        "moves_a_file_out",
        "files",
        "moves a file from its scratch folder into the operator's folder",
        proofs.a_file_is_planted,
    ),
    Deed(
        "changes_its_own_sources",
        "files",
        "writes into its own folder, for the next match",
        proofs.a_file_is_planted,
        in_builds=False,
    ),
    Deed(
        "changes_what_others_read",
        "files",
        "changes the library that other bots run",
        alone=Alone.ROOT,
    ),
    Deed(
        "changes_the_mode_of_the_door",
        "files",
        "closes the door to all other bots",
        proofs.the_door_is_closed,
        build_landlock=MODES_IN_BUILDS,
    ),
    Deed(
        "touches_a_device",
        "files",
        "sets the times of /dev/null, which all bots see",
        proofs.a_device_was_touched,
        in_builds=False,
    ),
    Deed("locks_the_store", "files", "locks the store of the league", proofs.the_store_is_locked),
    Deed(
        "opens_the_kernels_settings",
        "files",
        "opens settings of the kernel for writing",
        alone=Alone.ROOT,
    ),
    Deed("mounts_a_file_system", "files", "mounts a file system", alone=Alone.ROOT),
    Deed("makes_a_device", "files", "makes a device file of a disk", alone=Alone.ROOT),
    Deed(
        "watches_the_operators_folder",
        "files",
        "has the kernel tell when a file is made in the operator's folder",
    ),
    Deed(
        "nests_folders_deeper_than_calls_can_be",
        "files",
        "leaves folders nested so deep, or closed, that they cannot be removed",
        proofs.something_is_left,
        stays=False,
        after=True,
        in_builds=False,
    ),
    Deed(
        "fills_its_scratch",
        "files",
        "writes a hundred files of a megabyte",
        landlock=SUM_OF_FILES,
        evidence=on(Rung.BUBBLEWRAP, "scratch is full: 8 MB"),
        in_builds=False,
    ),
    Deed("fills_one_file", "files", "writes a file of 64 megabytes", in_builds=False),
    Deed("fills_other_places", "files", "writes where the disk or the memory is everybody's"),
)

PROCESSES = (
    Deed("stops_the_referee", "processes", "stops the referee", proofs.the_referee_is_stopped),
    Deed(
        "stops_another_bot",
        "processes",
        "stops another bot",
        proofs.another_bot_is_stopped,
        other=True,
    ),
    Deed(
        "stops_its_parent",
        "processes",
        "stops its parent, the warden",
        proofs.the_warden_is_stopped,
        in_builds=False,
    ),
    Deed("kills_the_runner", "processes", "kills the runner", proofs.the_referee_has_ended),
    Deed(
        "kills_the_warden",
        "processes",
        "kills the warden",
        proofs.the_warden_is_dead,
        stays=False,
        after=True,
        in_builds=False,
    ),
    Deed(
        "signals_all_at_once",
        "processes",
        "signals all processes of its user at once",
        proofs.the_referee_got_it,
    ),
    Deed(
        "signals_by_an_alarm_of_a_pipe",
        "processes",
        "stops the referee by a pipe that alarms it",
        proofs.the_referee_is_stopped,
    ),
    Deed(
        "signals_by_a_descriptor",
        "processes",
        "stops the referee by a descriptor of its process",
        proofs.the_referee_is_stopped,
    ),
    Deed("attaches_to_the_referee", "processes", "attaches as a debugger", alone=Alone.MAYBE),
    Deed(
        "reads_the_referees_memory",
        "processes",
        "reads another's hand in /proc/PID/mem of the referee",
        says("hand"),
        Alone.MAYBE,
    ),
    Deed(
        "copies_the_referees_memory",
        "processes",
        "copies another's hand out of the referee",
        says("hand"),
        Alone.MAYBE,
    ),
    Deed(
        "takes_an_open_file_of_the_referee",
        "processes",
        "takes the open file of the key from the referee",
        says("key"),
        Alone.MAYBE,
    ),
    Deed(
        "takes_tokens",
        "processes",
        "takes the tokens of other bots from /proc",
        says("token"),
        other=True,
    ),
    Deed(
        "reads_command_lines",
        "processes",
        "reads the command lines of other processes",
        says("called"),
        landlock=TABLE_OF_PROCESSES,
    ),
    Deed("slows_the_referee", "processes", "takes priority away", proofs.the_referee_is_slower),
    Deed(
        "ties_the_referee_to_one_processor",
        "processes",
        "ties the referee to one processor",
        proofs.the_referee_is_tied,
        Alone.MAYBE,
    ),
    Deed(
        "limits_the_referee",
        "processes",
        "leaves the referee seven open files",
        proofs.the_referee_is_limited,
    ),
    Deed(
        "goes_before_all_others",
        "processes",
        "becomes a real-time process",
        alone=Alone.MAYBE,
    ),
    Deed(
        "spins_in_many_sessions",
        "processes",
        "spins in 24 sessions, each with a share of the processor of its own",
        in_builds=False,
    ),
    Deed(
        "forks_and_forks",
        "processes",
        "is a fork bomb of 200 processes",
        landlock=KeptBy(
            "pids", "the kernel counts all processes of a user, and the operator is the same one"
        ),
        evidence=on_both("more than 40 processes and threads"),
        evidence_by="pids",
        in_builds=False,
    ),
    Deed(
        "leaves_a_daemon",
        "processes",
        "leaves a daemon with an empty environment that outlives the match",
        proofs.a_daemon_is_alive,
        Alone.NO,
        stays=False,
        after=True,
    ),
    Deed(
        "leaves_a_daemon_and_kills_the_warden",
        "processes",
        "leaves a daemon that outlives the league, after killing the warden",
        proofs.a_daemon_is_alive,
        Alone.MAYBE,
        stays=False,
        after=True,
        in_builds=False,
    ),
    Deed(
        "hops_from_process_to_process",
        "processes",
        "hops from process to process, too fast to be killed",
        proofs.it_kept_hopping,
        Alone.NO,
        stays=False,
        in_builds=False,
    ),
    Deed("becomes_another_user", "processes", "becomes another user", alone=Alone.ROOT),
    Deed(
        "runs_a_program_of_another_user",
        "processes",
        "becomes another user by a set-user-ID program",
        alone=Alone.MAYBE,
    ),
    Deed(
        "makes_a_user_namespace",
        "processes",
        "makes a user namespace",
        alone=Alone.MAYBE,
    ),
    Deed(
        "enters_the_referees_namespace",
        "processes",
        "enters the referee's namespace",
        alone=Alone.MAYBE,
    ),
    Deed("sets_the_clock", "processes", "sets the clock", alone=Alone.MAYBE),
    Deed("dumps_its_memory_to_disk", "processes", "leaves a core dump", alone=Alone.MAYBE),
    Deed(
        "writes_its_own_memory",
        "processes",
        "writes into its own memory by /proc",
        bubblewrap=ITS_OWN,
    ),
    Deed("reads_the_load", "processes", "reads the load", landlock=LOAD_IS_SEEN),
    Deed(
        "has_descriptors_of_others",
        "processes",
        "uses descriptors that it has inherited",
        alone=Alone.NO,
    ),
    Deed("opens_many_files", "processes", "opens 2,000 files", alone=Alone.NO, in_builds=False),
    Deed("uses_io_uring", "processes", "uses io_uring", alone=Alone.MAYBE),
    Deed("uses_userfaultfd", "processes", "uses userfaultfd", alone=Alone.MAYBE),
    Deed("uses_bpf", "processes", "uses bpf", alone=Alone.MAYBE),
)

MEMORY = (
    Deed(
        "takes_memory",
        "memory",
        "takes three times the memory of its limit",
        evidence=on_both("memory over 100 MB"),
        evidence_by="memory",
        in_builds=False,
    ),
    Deed(
        "takes_memory_that_is_shared",
        "memory",
        "takes three times its limit of memory that processes share",
        bubblewrap=SHARED_MEMORY,
        landlock=SHARED_MEMORY,
        evidence=on_both("memory over 100 MB"),
        evidence_by="memory",
        in_builds=False,
    ),
    Deed(
        "floods_both_outputs",
        "memory",
        "floods both outputs",
        proofs.the_warden_keeps_it_all,
        Alone.NO,
        in_builds=False,
    ),
)

NETWORK = (
    Deed("sends_a_datagram", "network", "sends a datagram", proofs.a_datagram_came),
    Deed(
        "sends_a_datagram_as_a_message",
        "network",
        "sends a datagram by sendmsg",
        proofs.a_datagram_came,
    ),
    Deed(
        "sends_a_datagram_on_a_connection",
        "network",
        "sends a datagram on a connected socket",
        proofs.a_datagram_came,
    ),
    Deed(
        "sends_a_datagram_from_a_pair",
        "network",
        "sends a datagram to a path from a socketpair",
        proofs.a_datagram_came,
    ),
    Deed(
        "asks_a_name_server",
        "network",
        "asks a name server, with a secret in its question",
        proofs.a_datagram_came,
    ),
    Deed(
        "listens_to_everybody",
        "network",
        "listens at all addresses of the machine",
        proofs.it_can_be_called,
    ),
    Deed(
        "connects_to_a_port",
        "network",
        "connects to a server of this machine",
        proofs.somebody_connected,
        evidence=on(Rung.LANDLOCK, "it tried to connect to 127.0.0.1:"),
    ),
    Deed(
        "connects_by_its_first_bytes",
        "network",
        "connects by TCP Fast Open",
        proofs.somebody_connected,
        Alone.MAYBE,
    ),
    Deed(
        "connects_to_the_operators_sockets",
        "network",
        "connects to the operator's D-Bus, tmux and Docker",
        proofs.somebody_connected,
        evidence=on(Rung.LANDLOCK, "it tried to connect to unix:"),
    ),
    Deed(
        "connects_to_an_abstract_socket",
        "network",
        "connects to an abstract socket of the operator",
        proofs.somebody_connected,
        evidence=on(Rung.LANDLOCK, "it tried to connect to an address that is no path"),
    ),
    Deed(
        "reaches_the_machines_host",
        "network",
        "opens a socket to the machine's host",
        alone=Alone.MAYBE,
    ),
    Deed(
        "opens_doors_into_the_kernel",
        "network",
        "opens sockets of the kernel itself",
        alone=Alone.MAYBE,
    ),
)

DEEDS = (*FILES, *PROCESSES, *MEMORY, *NETWORK)

WAYS = (
    Way("writes_a_diary", "reads_a_diary", "a file, wherever one can be written", at_once=False),
    Way("writes_shared_memory", "reads_shared_memory", "a file in /dev/shm"),
    Way("writes_a_memory_segment", "reads_a_memory_segment", "System V shared memory"),
    Way("writes_to_a_message_queue", "reads_from_a_message_queue", "a System V message queue"),
    Way("sets_a_semaphore", "sees_a_semaphore", "a System V semaphore"),
    Way(
        "writes_to_a_posix_queue",
        "reads_from_a_posix_queue",
        "a POSIX message queue",
        Alone.MAYBE,
    ),
    Way("serves_at_an_abstract_socket", "asks_an_abstract_socket", "an abstract socket"),
    Way("serves_at_a_socket_in_its_scratch", "asks_a_socket_in_a_scratch", "a socket in a scratch"),
    Way("serves_at_a_port", "asks_a_port", "a port of 127.0.0.1"),
    Way("locks_a_common_file", "sees_a_lock_of_a_common_file", "a lock (flock)"),
    Way("locks_a_part_of_a_common_file", "sees_a_lock_of_a_part", "a lock of a part (fcntl)"),
    Way("leaves_a_key", "finds_a_key", "a keyring", Alone.MAYBE),
    Way("hints_at_its_sources", "sees_a_hint", "a hint that is kept with a file", Alone.MAYBE),
    Way("flags_its_sources", "sees_a_flag", "a flag of a file", Alone.MAYBE, at_once=False),
)
