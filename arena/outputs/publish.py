"""What a league's folder tells, published into another: files of the standings, and pages.

`python -m arena.outputs.publish FOLDER TO` is the runner's child for it: it publishes at each
line that comes, says how far it is in lines and how it went in a last one, and ends with its
input. It runs at a low priority and only reads the league, so that bots have the processors and a
failure costs them nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from arena.league.database import FILE_NAME, StoreError
from arena.league.ledger import Ledger
from arena.league.reader import Reader
from arena.league.settings import Settings
from arena.league.standings import Standings
from arena.league.table import Table
from arena.outputs.files import replace
from arena.outputs.pages import Pages
from arena.outputs.progress import Progress, as_lines, untold
from arena.outputs.registry import OUTPUTS
from arena.record import RecordError
from arena.record.transcript import plain

NICE = 10


class Publisher:
    """Publishes one league, again and again; of its sets it reads each once."""

    def __init__(self, folder: Path, to: Path):
        self.folder = folder
        self.to = to
        self._ledger = Ledger(())
        self._read: set[int] = set()
        self._settings: Settings | None = None
        self._table: Table | None = None
        self._pages = Pages(to)

    def __repr__(self) -> str:
        return f"<Publisher of {str(self.folder)!r}, {len(self._read)} sets read>"

    def publish(self, progress: Progress = untold) -> int:
        """Write what there is now; how many sets count."""
        with Reader.read(self.folder / FILE_NAME) as store:
            standings = self.standings(store, progress)
            self.to.mkdir(parents=True, exist_ok=True)
            for name, output in OUTPUTS.items():
                replace(self.to / f"standings.{name}", output(standings))
            self._pages.write(standings, store, progress)
        return standings.facts.sets

    def standings(self, store: Reader, progress: Progress = untold) -> Standings:
        """The table as it now is. What is read first is what later reads may only add to."""
        states = store.sets()
        entrants = store.entrants()
        self._ledger.grow((known.name for known in entrants), (state.planned for state in states))
        new = [
            state.planned.number
            for state in states
            if state.is_complete and state.planned.number not in self._read
        ]
        for done, number in enumerate(new, 1):
            one = store.complete_set(number)
            if one is not None:
                self._ledger.enter(one)
                self._read.add(number)
            progress("sets read", done, len(new))
        settings = Settings.from_json(store.settings)
        if self._table is None or settings != self._settings:
            self._settings, self._table = settings, Table(settings, self._ledger)
        return self._table.standings(
            entrants, planned=len(states), voids=store.voids(), with_history=True
        )


def serve(publisher: Publisher, asked: Iterable[str], answer: Callable[[str], object]) -> None:
    """Publish at each line of `asked`, and answer each."""
    for _ in asked:
        try:
            answer(f"done {publisher.publish(as_lines(answer))} sets")
        except BrokenPipeError:
            return
        except (StoreError, RecordError) as error:
            answer(f"failed: {plain(str(error))}")
        except OSError as error:
            where = "" if error.filename is None else f"{error.filename}: "
            answer(f"failed: {plain(f'{where}{error.strerror}')}")
        # Whatever it is, the league goes on, and the next time may go well.
        except Exception as error:
            answer(f"failed: {plain(why_it_broke(error))}")


def why_it_broke(error: Exception) -> str:
    """An error that nobody expects, in a line."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"{type(error).__name__}: {error} ({where}); this is a bug in arena"


def main(folder: str, to: str) -> None:
    os.nice(NICE)
    # Ctrl-C goes to the whole terminal; the runner decides what is still published.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(Publisher(Path(folder), Path(to)), sys.stdin, _say)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
