"""The ways in which a call at a worker comes to nothing."""

from __future__ import annotations

from arena.text import shortened

# The text is shown to people, and quotes what another machine wrote.
MOST_WHY_CHARS = 500


class SchedulerGone(Exception):
    """The scheduler cannot be reached; the text says why."""


class NotScheduler(SchedulerGone):
    """A server answers, but it is not a scheduler; the text says what."""


class TaskLost(Exception):
    """A task has no result, because its worker or the scheduler is gone; the text says why."""


class TaskFailed(Exception):
    """A worker could not call a task at all; the text says why."""

    def __init__(self, why: str) -> None:
        super().__init__(shortened(why, MOST_WHY_CHARS))
