"""How long a bot may say nothing, or only the beginning of a frame (SPEC 6.4).

Pure: whoever waits hands in whole microseconds.
"""

from __future__ import annotations


class Patience:
    """With one bot, through one match after another."""

    __slots__ = (
        "_ruled_us",
        "frame_begun_us",
        "is_tried",
        "silent_since_us",
        "was_late_before",
    )

    def __init__(self) -> None:
        self.is_tried = False  # one of the next two is set
        # Since when a frame is begun and not finished.
        self.frame_begun_us: int | None = None
        # Since when the bot has been late without answering anything. While nothing is asked it
        # has nothing to say, so that time is taken out again.
        self.silent_since_us: int | None = None
        # When it was last asked, it had not answered anything since it was ruled late, nor did
        # it while it was asked: then another miss is the same `late`.
        self.was_late_before = False
        self._ruled_us = 0  # when it was last ruled late

    def __repr__(self) -> str:
        return f"<Patience silent since {self.silent_since_us}, begun {self.frame_begun_us}>"

    def asks(self, now: int) -> None:
        """A request goes out."""
        self.was_late_before = self.silent_since_us is not None
        if self.silent_since_us is not None:
            self.silent_since_us += now - self._ruled_us

    def deadline(self, deadline_us: int, hang_us: int) -> int:
        """When a decision is over whatever comes: out of time, silent or unfinished too long."""
        for since in (self.silent_since_us, self.frame_begun_us):
            if since is not None:
                deadline_us = min(deadline_us, since + hang_us)
        return deadline_us

    def hears(self) -> None:
        """It has answered, be it wrongly or something else."""
        self.silent_since_us = None
        self.is_tried = self.frame_begun_us is not None

    def hears_stale(self) -> None:
        """It has answered what was ruled on before: the next miss is another `late`."""
        self.hears()
        self.was_late_before = False

    def sees_whole_frame(self) -> None:
        """Nothing is begun and not finished."""
        self.frame_begun_us = None
        self.is_tried = self.silent_since_us is not None

    def sees_beginning(self, now: int) -> None:
        """There is some of a frame."""
        if self.frame_begun_us is None:
            self.frame_begun_us = now
        self.is_tried = True

    def is_over_frame(self, now: int, hang_us: int) -> bool:
        """It has begun a frame too long ago."""
        return self.frame_begun_us is not None and now - self.frame_begun_us >= hang_us

    def rules_late(self, now: int, hang_us: int) -> int | None:
        """It is late. For how long it has been silent, if that is too long."""
        self._ruled_us = now
        self.is_tried = True
        if self.silent_since_us is None:
            self.silent_since_us = now
            return None
        silent_us = now - self.silent_since_us
        return silent_us if silent_us >= hang_us else None
