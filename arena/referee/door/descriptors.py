"""Open files of this process: the limit raised, and a part of it for unknown connections.

Each connection takes a descriptor, and so does each link of a bot. Strangers must never take the
last one, or bots, pipes and the warden would go without.
"""

from __future__ import annotations

import resource

# For all but links and strangers: standard streams, pipes, warden, doors, epoll and wake-up
# descriptors are some 30; connections that were sent away and are not closed yet are as many.
KEPT = 64
# Strangers at all doors together. When one more connects, the oldest at the fullest door is sent
# away. More would only take memory.
MOST_STRANGERS = 512
# Under a limit that leaves no room; then `accept` fails at times, and the oldest makes room.
LEAST_STRANGERS = 16


def raise_limit() -> int:
    """Raise this process's soft limit of open files to its hard limit, and return it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def too_few(files: int) -> str | None:
    """Return why a limit of open files is too low for a referee; None if it is not."""
    if files >= KEPT:
        return None
    return (
        f"each process may have {files} open files at most, and a referee needs {KEPT}: raise the"
        " limit (ulimit -n, and ulimit -Hn)"
    )


def limit() -> int:
    """Return how many files this process may have open now."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def most_strangers(limit: int, guests: int) -> int:
    """Return how many strangers there may be under a limit of open files.

    `guests`: expected bots, each of which has a link or will have one.
    """
    return max(LEAST_STRANGERS, min(MOST_STRANGERS, limit - KEPT - guests))
