"""Which system calls a bot may make, as tables.

Everything that is not named here is answered with ENOSYS, so that what a later kernel adds is
refused until somebody has thought about it. Refusals are errors and never a killed process:
runtimes try io_uring, keyrings and clone3, and go on without.

Names that the installed libseccomp does not know are left out, so a list may run ahead of it.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass

FILES = """
access chdir close close_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate fchdir
fdatasync fgetxattr flistxattr fstat fstatfs fsync ftruncate getcwd getdents getdents64 getxattr
lgetxattr link linkat listxattr llistxattr lseek lstat mkdir mkdirat newfstatat open openat
openat2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv
rename renameat renameat2 rmdir stat statfs statx symlink symlinkat sync_file_range syncfs
truncate umask unlink unlinkat write writev copy_file_range sendfile splice tee vmsplice ioctl
"""

# Changes of what no rule of Landlock covers: modes, owners, attributes of files of one's user.
METADATA = """
chmod fchmod fchmodat fchmodat2 chown fchown fchownat lchown
setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr mknod mknodat
"""

# Changes of times, for builds alone. Everybody may set those of /dev/null to now, and every bot of
# the machine can read them there, in bubblewrap too.
TIMES = "futimesat utime utimensat utimes"

MEMORY = """
brk madvise map_shadow_stack membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect
mremap mseal msync munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect
"""

PROCESSES = """
arch_prctl capget capset execve execveat exit exit_group fork futex futex_requeue futex_wait
futex_waitv futex_wake get_robust_list get_thread_area getegid geteuid getgid getgroups getpgid
getpgrp getpid getppid getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid
pidfd_open restart_syscall riscv_flush_icache rseq rt_sigreturn sched_get_priority_max
sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
sched_rr_get_interval sched_yield set_robust_list set_thread_area set_tid_address setfsgid
setfsuid setgid setgroups setpgid setregid setresgid setresuid setreuid setrlimit setuid
sigaltstack sysinfo times uname vfork wait4 waitid waitpid getcpu
"""

SIGNALS = """
kill pause pidfd_send_signal rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo tgkill tkill
"""

TIME = """
alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep setitimer time
timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
timerfd_gettime timerfd_settime
"""

WAITING = """
epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait
epoll_wait_old eventfd eventfd2 pipe pipe2 poll ppoll pselect6 select signalfd signalfd4 getrandom
"""

# Of an open socket; making one is below.
SOCKETS = """
accept accept4 getpeername getsockname getsockopt recvfrom recvmmsg recvmsg setsockopt shutdown
"""

# Where the network is an empty one, servers and datagrams reach nobody.
ALONE = "bind listen sendto sendmsg sendmmsg"


# All of a register. A kernel that takes an int looks at half of it, so what is allowed is
# compared whole, and what is refused by its lower half: neither can be got round by the upper.
WHOLE = (1 << 64) - 1
LOWER_HALF = (1 << 32) - 1


@dataclass(frozen=True)
class Compare:
    """One condition: argument `index`, under `mask`, is `value`."""

    index: int
    value: int
    mask: int = WHOLE


@dataclass(frozen=True)
class Rule:
    """A system call that is allowed only if all conditions hold, by any of several such rules."""

    name: str
    conditions: tuple[Compare, ...]


@dataclass(frozen=True)
class Refusal:
    """A system call that is answered with this error, always or where all conditions hold."""

    name: str
    error: int
    conditions: tuple[Compare, ...] = ()


# Flags of clone(2) that make namespaces.
_NAMESPACES = 0x7E020000
_SECOND_ARGUMENT_ZERO = Compare(1, 0)
_ITSELF = Compare(0, 0)  # 0 stands for the caller

CONDITIONAL = (
    Rule("clone", (Compare(0, 0, _NAMESPACES),)),
    # Calls that take a process number: the kernel allows them on any process of the same user, so
    # only 0, the caller, is let through.
    Rule("prlimit64", (_ITSELF,)),
    Rule("sched_setaffinity", (_ITSELF,)),
    Rule("sched_setattr", (_ITSELF,)),
    Rule("sched_setparam", (_ITSELF,)),
    Rule("sched_setscheduler", (_ITSELF,)),
    Rule("setpriority", (_ITSELF, _SECOND_ARGUMENT_ZERO)),
)

_F_SETLK, _F_SETLKW, _F_OFD_SETLK, _F_OFD_SETLKW = 6, 7, 37, 38
_F_SETLEASE, _F_NOTIFY = 1024, 1026
_F_SET_RW_HINT, _F_SET_FILE_RW_HINT, _F_SETDELEG = 1036, 1038, 1040
_PR_SET_PDEATHSIG = 1
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C

FCNTL_REFUSED = (
    *(_F_SETLK, _F_SETLKW, _F_OFD_SETLK, _F_OFD_SETLKW, _F_SETLEASE, _F_SETDELEG, _F_NOTIFY),
    # Hints stay with a file while anybody uses it, and its owner can set them without writing.
    *(_F_SET_RW_HINT, _F_SET_FILE_RW_HINT),
)

# Commands of file systems, by the letter that is their second byte. Some change a file that is
# open for reading only (its flags, its generation), and no rule of Landlock covers that.
_FILE_SYSTEMS = (ord("f"), ord("X"), ord("v"), ord("r"), 0x94)
_SECOND_BYTE = 0xFF00

# Of bots and of builds.
REFUSED = (
    # The C library falls back to clone, whose flags can be looked at.
    Refusal("clone3", errno.ENOSYS),
    # It is set so that the kernel ends the bot with its warden.
    Refusal("prctl", errno.EPERM, (Compare(0, _PR_SET_PDEATHSIG, LOWER_HALF),)),
    # What is typed into somebody's terminal.
    Refusal("ioctl", errno.EPERM, (Compare(1, _TIOCSTI, LOWER_HALF),)),
    Refusal("ioctl", errno.EPERM, (Compare(1, _TIOCLINUX, LOWER_HALF),)),
    # ENOTTY is what other file systems say, and `cp` then copies without it.
    *(
        Refusal("ioctl", errno.ENOTTY, (Compare(1, letter << 8, _SECOND_BYTE),))
        for letter in _FILE_SYSTEMS
    ),
)

# Of bots alone: package managers need them.
REFUSED_TO_BOTS = (
    # A session of its own gets a share of the processor of its own.
    Refusal("setsid", errno.EPERM),
    # Locks on files that every bot can read are messages between bots. ENOLCK is what file
    # systems without locks say.
    Refusal("flock", errno.ENOLCK),
    *(
        Refusal("fcntl", errno.ENOLCK, (Compare(1, command, LOWER_HALF),))
        for command in FCNTL_REFUSED
    ),
)

REFUSALS = (*REFUSED, *REFUSED_TO_BOTS)

# Allowed but for the refusals above, which are a program of their own: of two programs the
# kernel takes the stricter answer.
ALLOWED_BUT = "fcntl prctl flock setsid clone3"

AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET = 1, 2, 5
_TYPE_MASK = 0xF  # above are SOCK_NONBLOCK and SOCK_CLOEXEC
_TCP, _UDP = 6, 17
MSG_FASTOPEN = 0x20000000

# Sockets where the network is an empty one: any kind of these three families. AF_VSOCK reaches
# the machine's host from every namespace, AF_NETLINK and AF_ALG are doors into the kernel.
SOCKETS_ALONE = (
    *(Rule("socket", (Compare(0, family),)) for family in (AF_UNIX, AF_INET, AF_INET6)),
    Rule("socketpair", (Compare(0, AF_UNIX),)),
)

# Sockets where the network is everybody's. `connect` goes to the warden (`warden/relay.py`),
# so all that must be kept out here are ways to reach an address without it: datagrams, also
# those of a socketpair, whose sender names a receiver; protocols that connect by an option
# (SCTP) or differ in ways nobody has thought about (MPTCP); and the open that sends (TFO).
SOCKETS_SHARED = (
    Rule("socket", (Compare(0, AF_UNIX), Compare(1, SOCK_STREAM, _TYPE_MASK))),
    *(
        Rule(
            "socket",
            (Compare(0, family), Compare(1, SOCK_STREAM, _TYPE_MASK), Compare(2, protocol)),
        )
        for family in (AF_INET, AF_INET6)
        for protocol in (0, _TCP)
    ),
    *(
        Rule("socketpair", (Compare(0, AF_UNIX), Compare(1, kind, _TYPE_MASK)))
        for kind in (SOCK_STREAM, SOCK_SEQPACKET)
    ),
    Rule("sendto", (Compare(3, 0, MSG_FASTOPEN),)),
    Rule("sendmsg", (Compare(2, 0, MSG_FASTOPEN),)),
    Rule("sendmmsg", (Compare(3, 0, MSG_FASTOPEN),)),
)

# Sockets of a build, in the network of the machine. `connect` goes to the warden, which knows the
# name servers and public addresses. A datagram may only be sent on a connected socket: its
# address is argument 4, and 0 for none; the address of `sendmsg` lies in memory, where a filter
# cannot look, so it is left out.
SOCKETS_OF_BUILDS = (
    Rule("socket", (Compare(0, AF_UNIX), Compare(1, SOCK_STREAM, _TYPE_MASK))),
    *(
        Rule("socket", (Compare(0, family), Compare(1, kind, _TYPE_MASK), Compare(2, protocol)))
        for family in (AF_INET, AF_INET6)
        for kind, protocol in (
            (SOCK_STREAM, 0),
            (SOCK_STREAM, _TCP),
            (SOCK_DGRAM, 0),
            (SOCK_DGRAM, _UDP),
        )
    ),
    *(
        Rule("socketpair", (Compare(0, AF_UNIX), Compare(1, kind, _TYPE_MASK)))
        for kind in (SOCK_STREAM, SOCK_SEQPACKET)
    ),
    Rule("sendto", (Compare(3, 0, MSG_FASTOPEN), Compare(4, 0))),
)


def names(*tables: str) -> tuple[str, ...]:
    """Return the names in these tables, in order."""
    return tuple(name for table in tables for name in table.split())


ALWAYS = names(FILES, MEMORY, PROCESSES, SIGNALS, TIME, WAITING, SOCKETS, ALLOWED_BUT)
