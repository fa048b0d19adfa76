"""Child processes of a runner: started with pipes and out of Ctrl-C's reach, ended in order."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from typing import IO

import trio

# A child ends when its standard input does. It has this long to finish: a publisher its page, a
# job the farewells to its bots. Then it is killed.
END_SECONDS = 5.0


async def start_child(
    command: Sequence[str],
    stderr: IO[bytes] | None = None,
    inherits: Sequence[int] = (),
    env: Mapping[str, str] | None = None,
) -> trio.Process:
    """Start a program with pipes for standard input and output. `stderr`: ours unless given.

    `inherits`: further descriptors that it gets, under the same numbers. `env`: ours unless given.
    """
    return await trio.lowlevel.open_process(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        pass_fds=tuple(inherits),
        env=env,
        # A session of its own: the terminal's Ctrl-C reaches the runner alone, which then ends
        # its children in order.
        start_new_session=True,
    )


async def end_child(child: trio.Process) -> None:
    """Close a child's standard input, wait for its end, and kill it after END_SECONDS."""
    assert child.stdin is not None
    assert child.stdout is not None
    with trio.CancelScope(shield=True):
        await child.stdin.aclose()
        with trio.move_on_after(END_SECONDS):
            await child.wait()
        if child.returncode is None:
            child.kill()
            await child.wait()
        await child.stdout.aclose()
