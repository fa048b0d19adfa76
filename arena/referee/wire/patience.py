"""Limits on a bot's silence, and on the time for an unfinished frame (SPEC 6.4).

Pure: the link passes the time in, in whole microseconds of the referee's clock.
"""

from __future__ import annotations


class Patience:
    """The silence of one bot, from one match to the next."""

    __slots__ = (
        "_ruled_us",
        "frame_begun_us",
        "is_tried",
        "silent_since_us",
        "was_late_before",
    )

    def __init__(self) -> None:
        self.is_tried = False  # True while one of the next two is not None
        # The time at which an unfinished frame began, None without one.
        self.frame_begun_us: int | None = None
        # The time of the first of the `late` rulings since the bot last answered anything, None if
        # it has answered since. Time in which nothing is asked does not count as silence: `asks`
        # moves this forward by it.
        self.silent_since_us: int | None = None
        # Silent since a `late` ruling when the open request went out, with no stale answer since
        # then: another miss now is part of that same `late`.
        self.was_late_before = False
        self._ruled_us = 0  # the time of the last `late` ruling

    def __repr__(self) -> str:
        return f"<Patience silent since {self.silent_since_us}, begun {self.frame_begun_us}>"

    def asks(self, now: int) -> None:
        """Note that a request goes out."""
        self.was_late_before = self.silent_since_us is not None
        if self.silent_since_us is not None:
            self.silent_since_us += now - self._ruled_us

    def deadline(self, deadline_us: int, hang_us: int) -> int:
        """Return the time at which the open request is over at the latest.

        That is its own deadline, or the end of `hang_us` microseconds of silence or of an
        unfinished frame, if that comes first.
        """
        for since in (self.silent_since_us, self.frame_begun_us):
            if since is not None:
                deadline_us = min(deadline_us, since + hang_us)
        return deadline_us

    def hears(self) -> None:
        """Note an answer of any kind, a wrong one too."""
        self.silent_since_us = None
        self.is_tried = self.frame_begun_us is not None

    def hears_stale(self) -> None:
        """Note an answer to a request already ruled on: the next miss is another `late`."""
        self.hears()
        self.was_late_before = False

    def sees_whole_frame(self) -> None:
        """Note that no frame is unfinished."""
        self.frame_begun_us = None
        self.is_tried = self.silent_since_us is not None

    def sees_beginning(self, now: int) -> None:
        """Note that a part of a frame has come."""
        if self.frame_begun_us is None:
            self.frame_begun_us = now
        self.is_tried = True

    def is_over_frame(self, now: int, hang_us: int) -> bool:
        """Tell if a frame has been unfinished for `hang_us` microseconds."""
        return self.frame_begun_us is not None and now - self.frame_begun_us >= hang_us

    def rules_late(self, now: int, hang_us: int) -> int | None:
        """Note a `late` ruling. Return the silence in microseconds if it has reached `hang_us`."""
        self._ruled_us = now
        self.is_tried = True
        if self.silent_since_us is None:
            self.silent_since_us = now
            return None
        silent_us = now - self.silent_since_us
        return silent_us if silent_us >= hang_us else None
