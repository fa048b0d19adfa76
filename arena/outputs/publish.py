"""A league published from its folder into another: files of the standings, and pages.

`python -m arena.outputs.publish FOLDER TO RUNNER` is the child of the process RUNNER for it: it
publishes at each line of its input, answers with lines about its progress and one about the result
(`arena.league.model.publisher_pipe`), and ends with its input, or soon after RUNNER if that was
killed. It runs at a low priority and opens `complete.db` alone, so that bots have the processors, a
failure costs them nothing, and no page can show what is not in that file.
"""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from arena.league.model.match_pages import MatchPages
from arena.league.model.publisher_pipe import DONE, FAILED, STOPPED
from arena.league.model.settings import Settings
from arena.league.store.complete_reader import complete_sets_of
from arena.league.store.database import StoreError
from arena.league.store.lock import is_held
from arena.league.store.reader import Reader
from arena.league.table.live import LiveTable
from arena.league.table.standings import State
from arena.outputs.files import replace
from arena.outputs.pages import Pages
from arena.outputs.priority import lower_priority, nice_session
from arena.outputs.progress import Progress, as_lines, untold
from arena.outputs.registry import OUTPUTS
from arena.parent import end_after
from arena.record import RecordError
from arena.text import plain

NICE = 10


class Publisher:
    """Publishes one league, again and again, and reads each of its sets once."""

    def __init__(
        self,
        folder: Path,
        to: Path,
        read: Callable[[Path], Reader] = complete_sets_of,
        matches: MatchPages | None = None,
    ):
        """Publish the league in `folder` into `to`; nothing is read or written yet.

        `read` opens the league in a folder. `matches`: which of them get pages; None: those that
        the league's file says.
        """
        self.folder = folder
        self.to = to
        self._read = read
        self._matches = matches
        self._table = LiveTable(from_checkpoint=True, yields_counted=True)
        self._pages = Pages(to, folder)
        self._state: State | None = None  # of the league, as last published

    def __repr__(self) -> str:
        return f"<Publisher of {str(self.folder)!r}, {self._table!r}>"

    def publish(self, progress: Progress = untold, *, is_running: bool | None = None) -> int:
        """Write everything as it is now; return the number of sets that count.

        `is_running`: a runner plays the league; None: work it out from the league's lock.
        """
        if is_running is None:
            is_running = is_held(self.folder)
        with self._read(self.folder) as reader:
            self.to.mkdir(parents=True, exist_ok=True)
            settings = Settings.from_json(reader.settings)
            for one in self._table.new_sets(reader, partial(progress, "sets read")):
                self._pages.take(settings.name, one)
            standings = self._table.standings(reader, is_running=is_running, with_history=True)
            for ending, output in OUTPUTS.items():
                replace(self.to / f"standings.{ending}", output.text(standings))
            choice = self._matches or MatchPages.read(settings.match_pages)
            self._pages.write(standings, reader, choice, progress)
        self._state = standings.facts.state
        give_memory_back()
        return standings.facts.sets

    def is_out_of_date(self) -> bool:
        """Tell whether the pages say "running" of a league that no runner plays any more."""
        return self._state == "running" and not is_held(self.folder)


def give_memory_back() -> None:
    """Have the C library return the memory that it holds for nothing, where it is glibc.

    What a publishing needs for a moment lies between what is kept for good, so that freed memory
    is seldom at an end of the heap, where it would go back by itself.
    """
    import ctypes  # not at the top: a table alone does not need it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def serve(publisher: Publisher, asked: Iterable[str], answer: Callable[[str], object]) -> None:
    """Publish at each line of `asked`, and answer each.

    If the runner was killed the lines end without a last word, and the pages would say "running"
    until the league goes on: then they are made once more, as far as time is left for that.
    """
    for request in asked:
        try:
            answer(answer_to(publisher, request.strip(), as_lines(answer)))
        except BrokenPipeError:
            break
    if publisher.is_out_of_date():
        answer_to(publisher, STOPPED, untold)


def answer_to(publisher: Publisher, request: str, progress: Progress) -> str:
    """Publish, and return the line that answers the request; raises BrokenPipeError."""
    try:
        return f"{DONE}{publisher.publish(progress, is_running=request != STOPPED)} sets"
    except BrokenPipeError:
        raise
    except (StoreError, RecordError) as error:
        reason = str(error)
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        reason = f"{where}{error.strerror}"
    # The league goes on after any error, and the next time may go well.
    except Exception as error:
        reason = bug_in_words(error)
    return f"{FAILED}{plain(reason)}"


def bug_in_words(error: Exception) -> str:
    """Return a line about an error that only a bug can raise."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"{type(error).__name__}: {error} ({where}); this is a bug in arena"


def main(folder: str, to: str, runner: str) -> None:
    # An orphan has little time, so it is in no need of being slow.
    end_after(int(runner), hurry=partial(nice_session, 0))
    lower_priority(NICE)
    # Ctrl-C goes to the whole terminal; the runner decides whether to publish once more.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(Publisher(Path(folder), Path(to)), _in_time(sys.stdin), _say)


def _in_time(asked: Iterable[str]) -> Iterator[str]:
    """Pass requests on. For the last one people wait, and no bot plays: it has full priority."""
    for request in asked:
        if request.strip() == STOPPED:
            nice_session(0)
        yield request


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
