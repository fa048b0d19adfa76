"""The web pages of a league: what has changed is written, in one step for each file.

Nothing of a set that is not complete is asked of the store, so none of it can be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.league.played import PlayedSet
from arena.league.reader import Reader
from arena.league.settings import Settings
from arena.league.standings import Standings
from arena.outputs.files import replace
from arena.outputs.pages.bars import Scale
from arena.outputs.pages.bots import History, bot_pages
from arena.outputs.pages.chart import Chart, chart
from arena.outputs.pages.matches import HEAD_BYTES, match_page, public_faults, stamp
from arena.outputs.pages.matrix import cells
from arena.outputs.pages.names import file_of_match
from arena.outputs.pages.render import STATIC, render
from arena.outputs.progress import Progress, untold
from arena.outputs.words import parts_of

ASSETS, BOTS, MATCHES = "assets", "bots", "matches"


class Pages:
    """The pages of one league in one folder. What is known of it is kept between writes."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._written: dict[str, bytes] = {}  # by file, a digest of what stands in it
        self._sets: set[int] = set()  # whose matches have their pages
        self._histories: dict[str, History] = {}

    def __repr__(self) -> str:
        return f"<Pages in {str(self.folder)!r}, {len(self._sets)} sets>"

    def write(self, standings: Standings, store: Reader, progress: Progress = untold) -> None:
        """Write whatever is new. The table comes first: after a long pause there may be many
        matches to make pages of, and nobody should wait for these to see who leads."""
        if not self._written:
            self._prepare()
        anchor_elo = Settings.from_json(store.settings).anchor_elo
        for file, text in league_pages(standings, anchor_elo):
            self._put(file, text)
        self._write_matches(standings.facts.name, store, progress)
        for entrant in store.entrants():
            history = self._histories.setdefault(entrant.name, History())
            for file, text in bot_pages(entrant, history, standings):
                self._put(f"{BOTS}/{file}", text)

    def _write_matches(self, league: str, store: Reader, progress: Progress) -> None:
        new = [
            state
            for state in store.sets()
            if state.is_complete and state.planned.number not in self._sets
        ]
        done, of = 0, sum(len(state.turns) for state in new)
        for state in new:
            one = store.complete_set(state.planned.number)
            if one is not None:
                self._enter(league, one)
                done += len(one.matches)
                progress("pages of matches", done, of)

    def _prepare(self) -> None:
        for name in (ASSETS, BOTS, MATCHES):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        for path in STATIC.iterdir():
            self._put(f"{ASSETS}/{path.name}", path.read_text("utf-8"))

    def _put(self, file: str, text: str) -> None:
        """The file, unless it says so already; one that somebody took away is made again."""
        path = self.folder / file
        digest = sha256(text.encode("utf-8", "backslashreplace")).digest()
        if self._written.get(file) != digest or not path.exists():
            replace(path, text)
            self._written[file] = digest

    def _enter(self, league: str, one: PlayedSet) -> None:
        """A complete set: the pages of its matches, and what bots' pages will say of it."""
        for played in one.matches:
            path = self.folder / MATCHES / file_of_match(played.place)
            if stamp(league, one, played) not in head(path):
                replace(path, match_page(league, one, played))
        faults = [fault for played in one.matches for fault in public_faults(played)]
        for name in one.matches[0].record.names:
            own = [
                fault
                for fault in faults
                if one.matches[fault.place.turn].record.names[fault.entry.seat] == name
            ]
            self._histories.setdefault(name, History()).enter(name, one, own)
        self._sets.add(one.number)


def head(path: Path) -> str:
    """The beginning of a page, or nothing where there is none."""
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def league_pages(standings: Standings, anchor_elo: float) -> Iterator[tuple[str, str]]:
    """The pages about all bots, by file name."""
    facts = standings.facts
    values: dict[str, Any] = {
        "root": "",
        "league": facts.name,
        "running": not facts.is_finished,
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
    """A chart for each table. Bots keep their looks by their names, whoever leads."""
    if not standings.history:
        return []
    kinds = {name: kind for kind, name in enumerate(sorted(_names(standings)))}
    return [
        chart(standings.history, [row.name for row in rows], [kinds[row.name] for row in rows])
        for rows in parts_of(standings)
    ]


def _names(standings: Standings) -> Sequence[str]:
    return [row.name for row in standings.rows]
