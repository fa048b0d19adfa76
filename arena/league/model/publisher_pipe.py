"""The lines between a runner and its publisher (`arena.outputs.publish`).

A request is one of the first two; answers are lines that begin with one of the others. Values
only, so that the publisher loads nothing that runs a league.
"""

from __future__ import annotations

RUNNING = "running"  # publish: the league goes on
STOPPED = "stopped"  # publish: nothing more is played in this run

AT = "at "  # before the answer, any number of times: how far the publisher is
DONE = "done "
FAILED = "failed: "  # with the reason
