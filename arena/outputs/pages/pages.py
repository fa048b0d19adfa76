"""The web pages of a league: each file that has changed is replaced in one step.

They are made from the standings and from complete sets alone, so they can show nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.league.model.played import LeagueMatch, StoredSet
from arena.league.model.settings import Settings
from arena.league.store.reader import Reader
from arena.league.table.standings import Standings
from arena.outputs.files import replace
from arena.outputs.pages.bars import Scale
from arena.outputs.pages.bots import History, bot_pages
from arena.outputs.pages.chart import Chart, chart
from arena.outputs.pages.matches import HEAD_BYTES, match_page, public_faults, stamps
from arena.outputs.pages.matrix import cells
from arena.outputs.pages.names import file_of_match
from arena.outputs.pages.render import STATIC, render
from arena.outputs.progress import Progress, untold
from arena.outputs.words import parts_of

ASSETS, BOTS, MATCHES = "assets", "bots", "matches"
# The most matches kept in memory until their pages are written, some 70 KB each. The further sets
# of a long backlog are read from the store a second time.
MOST_WAITING = 256


class Pages:
    """The pages of one league in one folder; it remembers the sets between two writes."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._written: dict[str, bytes] = {}  # by file, a digest of its content
        self._histories: dict[str, History] = {}
        self._due: dict[int, StoredSet | None] = {}  # sets that need pages; None: to be read again
        self._waiting = 0  # matches of the sets in `_due`

    def __repr__(self) -> str:
        return f"<Pages in {str(self.folder)!r}, {len(self._due)} sets due>"

    def take(self, league: str, one: StoredSet) -> None:
        """Take a new complete set; `write` then makes the pages of its matches.

        `league`: its name. If this raises nothing has been taken, and it can be tried again.
        """
        is_due = any(
            stamp not in head(self._path_of(played))
            for played, stamp in zip(one.matches, stamps(league, one), strict=True)
        )
        faults = [fault for played in one.matches for fault in public_faults(played)]
        for name in one.matches[0].record.names:
            own = [
                fault
                for fault in faults
                if one.matches[fault.place.turn].record.names[fault.entry.seat] == name
            ]
            self._histories.setdefault(name, History()).enter(name, one, own)
        if is_due and self._waiting + len(one.matches) <= MOST_WAITING:
            self._due[one.number] = one
            self._waiting += len(one.matches)
        elif is_due:
            self._due[one.number] = None

    def write(self, standings: Standings, reader: Reader, progress: Progress = untold) -> None:
        """Write all pages that are new or have changed.

        The table comes first: after a long pause there may be many matches to make pages of, and
        nobody should wait for these to see the leader.
        """
        if not self._written:
            self._prepare()
        anchor_elo = Settings.from_json(reader.settings).anchor.elo
        for file, text in league_pages(standings, anchor_elo):
            self._put(file, text)
        self._write_matches(standings.facts.name, reader, progress)
        for entrant in reader.entrants():
            history = self._histories.setdefault(entrant.name, History())
            for file, text in bot_pages(entrant, history, standings):
                self._put(f"{BOTS}/{file}", text)

    def _write_matches(self, league: str, reader: Reader, progress: Progress) -> None:
        of = len(self._due)
        for done, number in enumerate(sorted(self._due), 1):
            one = self._due[number] or reader.complete_set(number)
            if one is not None:
                self._write_set(league, one)
            if self._due.pop(number) is not None and one is not None:
                self._waiting -= len(one.matches)
            progress("sets with new pages", done, of)

    def _write_set(self, league: str, one: StoredSet) -> None:
        for played, stamp in zip(one.matches, stamps(league, one), strict=True):
            path = self._path_of(played)
            if stamp not in head(path):
                replace(path, match_page(league, one, played, stamp))

    def _path_of(self, played: LeagueMatch) -> Path:
        return self.folder / MATCHES / file_of_match(played.place)

    def _prepare(self) -> None:
        for name in (ASSETS, BOTS, MATCHES):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        for path in STATIC.iterdir():
            self._put(f"{ASSETS}/{path.name}", path.read_text("utf-8"))

    def _put(self, file: str, text: str) -> None:
        """Write the file, unless it has this text; one that was removed is made again."""
        path = self.folder / file
        digest = sha256(text.encode("utf-8", "backslashreplace")).digest()
        if self._written.get(file) != digest or not path.exists():
            replace(path, text)
            self._written[file] = digest


def head(path: Path) -> str:
    """Return the beginning of a page; "" if there is none."""
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def league_pages(standings: Standings, anchor_elo: float) -> Iterator[tuple[str, str]]:
    """Yield the pages about all bots, by file name."""
    facts = standings.facts
    values: dict[str, Any] = {
        "root": "",
        "league": facts.name,
        "running": facts.state == "running",
        "facts": facts,
        "rows": standings.rows,
    }
    yield "index.html", index_page(standings, anchor_elo, values)
    yield "matrix.html", render("matrix.html", here="matrix.html", cells=cells(standings), **values)
    yield (
        "history.html",
        render(
            "history.html",
            here="history.html",
            charts=charts(standings),
            history=standings.history,
            **values,
        ),
    )


def index_page(standings: Standings, anchor_elo: float, values: dict[str, Any]) -> str:
    parts = parts_of(standings)
    return render(
        "index.html",
        here="index.html",
        parts=parts or [()],
        scales=[Scale.over(rows) for rows in parts] or [None],
        zero=anchor_elo,
        benched=standings.benched,
        waiting=standings.waiting,
        seat_edges=standings.seat_edges,
        **values,
    )


def charts(standings: Standings) -> list[Chart]:
    """Return a chart for each table. A bot keeps its colour by its name, at any rank."""
    if not standings.history:
        return []
    kinds = {name: kind for kind, name in enumerate(sorted(_names(standings)))}
    return [
        chart(standings.history, [row.name for row in rows], [kinds[row.name] for row in rows])
        for rows in parts_of(standings)
    ]


def _names(standings: Standings) -> Sequence[str]:
    return [row.name for row in standings.rows]
