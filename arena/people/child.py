"""The process of the tables, as the server that starts it holds it. It loads no Trio."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from arena.people.options import READY, SOCKET, TablesOptions

# From the end of its input until it is killed; its bots get a `bye` meanwhile.
END_SECONDS = 1.5
# Between its end and its next start; after so many ends in a row it is given up.
AGAIN_SECONDS = 1.0
MOST_ENDS = 3


class TablesChild:
    """Started at once; ended by `end`, which removes its private folder as well."""

    def __init__(self, options: TablesOptions, tell: Callable[[str], object]):
        """`tell` gets its lines for people, in another thread."""
        self._options = options
        self._tell = tell
        self._folder = Path(tempfile.mkdtemp(prefix="arena-play-"))
        self._ends = 0  # in a row, without being ready in between
        self._again = 0.0  # when it may be started anew
        self._listener: threading.Thread
        self._process = self._start()

    def __repr__(self) -> str:
        return f"<TablesChild {self._process.pid}>"

    @property
    def socket(self) -> str:
        """The path at which it listens."""
        return str(self._folder / SOCKET)

    def look(self, now: float) -> None:
        """Start it anew if it has ended by itself, after a pause; its matches are lost.

        `now`: seconds of a steady clock.
        """
        if self._ends >= MOST_ENDS or self._process.poll() is None:
            return
        if not self._again:
            self._ends += 1
            goes_on = self._ends < MOST_ENDS
            then = "is started again" if goes_on else "is not started any more: nobody can play"
            self._tell(f"play: the process of the tables has ended, and {then}")
            self._again = now + AGAIN_SECONDS
        elif now >= self._again:
            self._again = 0.0
            self.ask_to_end()  # its end of the pipe is gone, ours is closed here
            Path(self.socket).unlink(missing_ok=True)
            self._process = self._start()

    def ask_to_end(self) -> None:
        """Have it end, and its bots with it, while the caller does something else."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def end(self) -> None:
        """End it, and remove its private folder."""
        self.ask_to_end()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()  # its warden ends the bots
            self._process.wait()
        self._listener.join(END_SECONDS)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "arena.people.process", str(os.getpid())]
        process = subprocess.Popen(
            [*command, str(self._folder), self._options.to_json()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        self._listener = threading.Thread(target=self._listen, args=(process,), daemon=True)
        self._listener.start()
        return process

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                if line.strip() == READY:
                    self._ends = 0
                else:
                    self._tell(f"play: {line.rstrip()}")
