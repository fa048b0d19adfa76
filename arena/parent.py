"""A child process that does not outlive its parent for long, whatever it is doing.

Its input ends with the parent too, but a child that is busy, or says goodbye to others, does not
look there for seconds. A thread of its own waits for the parent's end, and sets a timer of the
kernel, which no code of the child can hold up.

The kernel's parent-death signal would not do: it comes at the end of the *thread* that started the
child, and Trio ends a thread that has had nothing to do for ten seconds.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable

# From the end of the parent to that of the child: enough for last words, and for what they start
# to be gone as well within a second.
ORPHAN_SECONDS = 0.25


def end_after(parent: int, hurry: Callable[[], None] = lambda: None) -> None:
    """Have SIGALRM end this process soon after its parent, if it has not ended by then.

    `parent`: the number of the parent's process, told by the parent itself. If it has ended already
    this process has another parent, and `os.getppid` would name that one. `hurry` is called in a
    thread when the parent has ended.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])

    def watch() -> None:
        _wait_for_end(parent)
        signal.setitimer(signal.ITIMER_REAL, ORPHAN_SECONDS)
        hurry()

    threading.Thread(target=watch, daemon=True).start()


def _wait_for_end(parent: int) -> None:
    try:
        watched = os.pidfd_open(parent)
    except ProcessLookupError:
        return
    # If it has ended before, its number may be that of another process now.
    if os.getppid() == parent:
        poll = select.poll()
        poll.register(watched, select.POLLIN)
        poll.poll()
    os.close(watched)
