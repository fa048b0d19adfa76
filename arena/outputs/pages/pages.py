"""The web pages of a league: each file that has changed is replaced in one step.

They are made from the standings and from complete sets alone, so they can show nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import Path

from arena.games import GAMES
from arena.league.model.match_pages import MatchPages
from arena.league.model.played import StoredSet
from arena.league.model.settings import Settings
from arena.league.store.reader import Reader
from arena.league.table.standings import Standings
from arena.outputs.files import replace
from arena.outputs.pages.known import KnownSets
from arena.outputs.pages.league.bots import bot_pages
from arena.outputs.pages.league.history import history_page
from arena.outputs.pages.league.index import index_page
from arena.outputs.pages.league.matrix import matrix_page
from arena.outputs.pages.league.page import HasPage, Page
from arena.outputs.pages.league.recent import Recent
from arena.outputs.pages.league.versus import versus_page
from arena.outputs.pages.names import BOTS, SETS, file_of_set
from arena.outputs.pages.render import STATIC
from arena.outputs.pages.sets.marks import saved
from arena.outputs.pages.sets.moved import OlderPages
from arena.outputs.pages.sets.page import HEAD_BYTES, set_page, stamp
from arena.outputs.progress import Progress, untold

ASSETS, VERSUS = "assets", "versus"
# The most matches kept in memory until their pages are written, some 70 KB each. The further sets
# of a long backlog are read from the store a second time.
MOST_WAITING = 256


class Pages:
    """The pages of one league in one folder; it remembers the sets between two writes."""

    def __init__(self, folder: Path, league: Path):
        """Write into `folder`; judgements of matches are looked for in the folder `league`."""
        self.folder = folder
        self._league = league
        self._stamps: dict[str, str] = {}  # by file, of the page as it was last written
        self._known = KnownSets()
        self._made: set[int] = set()  # sets whose page is as it should be
        self._stale: set[int] = set()  # sets that have another page
        self._kept: dict[int, StoredSet] = {}  # sets that may need pages; others are read again
        self._waiting = 0  # matches of the sets in `_kept`
        self._moved = OlderPages(folder)

    def __repr__(self) -> str:
        return f"<Pages in {str(self.folder)!r}, {len(self._made)} sets have theirs>"

    def take(self, league: str, one: StoredSet) -> None:
        """Take a new complete set; `write` then makes its page, if it is to have one.

        `league`: its name. If this raises nothing has been taken, and it can be tried again.
        """
        begins = head(self._path_of(one.number))
        is_made = stamp(league, one, self._judged(one)) in begins
        self._known.enter(one)
        if is_made:
            self._made.add(one.number)
            return
        if begins:
            self._stale.add(one.number)
        if self._waiting + len(one.matches) <= MOST_WAITING:
            self._kept[one.number] = one
            self._waiting += len(one.matches)

    def write(
        self,
        standings: Standings,
        reader: Reader,
        choice: MatchPages,
        progress: Progress = untold,
    ) -> None:
        """Write all pages that are new or have changed, and remove those of sets not chosen.

        The table comes first: after a long pause there may be many matches to make pages of, and
        nobody should wait for these to see the leader.
        """
        if not self._stamps:
            self._prepare()
        chosen = {*self._known.chosen(choice)} | (self._moved.sets & self._known.matches.keys())
        has_page = chosen.__contains__
        anchor_elo = Settings.from_json(reader.settings).anchor.elo
        for page in league_pages(standings, anchor_elo, self._known.recent, has_page):
            self._put(page)
        self._write_sets(standings.facts.name, reader, chosen, progress)
        for entrant in reader.entrants():
            history = self._known.history(entrant.name)
            former = self._moved.of_bot(entrant.name)
            for page in bot_pages(entrant, history, standings, has_page, former):
                self._put(page)
        gone = (self._made | self._stale) - chosen
        self._known.pairs.touch(gone)
        self._write_pairs(standings.facts.name, has_page)
        for number in gone:
            self._path_of(number).unlink(missing_ok=True)
        self._made &= chosen
        self._stale.clear()

    def _write_sets(
        self, league: str, reader: Reader, chosen: Set[int], progress: Progress
    ) -> None:
        due = sorted(chosen - self._made, reverse=True)  # the newest are waited for
        for done, number in enumerate(due, 1):
            one = self._kept.get(number) or reader.complete_set(number)
            if one is not None:
                self._write_set(league, one)
                self._made.add(number)
            progress("sets with new pages", done, len(due))
        self._kept.clear()
        self._waiting = 0

    def _write_set(self, league: str, one: StoredSet) -> None:
        path = self._path_of(one.number)
        path.parent.mkdir(parents=True, exist_ok=True)
        judged = self._judged(one)
        replace(path, set_page(league, one, judged, stamp(league, one, judged)))
        for file, text in self._moved.pages(league, one.number):
            replace(self.folder / file, text)

    def _write_pairs(self, league: str, has_page: HasPage) -> None:
        """Write the pages about two bots that have met since the last time."""
        for names in self._known.pairs.changed():
            page = versus_page(league, names, self._known.pairs.of[names], has_page)
            path = self.folder / page.file
            stamp = page.stamp()
            if stamp not in head(path):
                path.parent.mkdir(exist_ok=True)
                replace(path, page.text(stamp))
        self._known.pairs.forget_changed()

    def _judged(self, one: StoredSet) -> list[bytes]:
        return [saved(self._league, played.place) for played in one.matches]

    def _path_of(self, number: int) -> Path:
        return self.folder / file_of_set(number)

    def _prepare(self) -> None:
        for name in (ASSETS, BOTS, SETS, VERSUS):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        for path in filter(Path.is_file, STATIC.rglob("*")):
            to = self.folder / ASSETS / path.relative_to(STATIC)
            to.parent.mkdir(exist_ok=True)
            replace(to, path.read_text("utf-8"))

    def _put(self, page: Page) -> None:
        """Write the page, unless it shows the same as the last time, or as the one in the folder.

        One that was removed is made again.
        """
        path, stamp = self.folder / page.file, page.stamp()
        if self._stamps.get(page.file) == stamp and path.exists():
            return
        if stamp not in head(path):
            path.parent.mkdir(exist_ok=True)
            replace(path, page.text(stamp))
        self._stamps[page.file] = stamp


def head(path: Path) -> str:
    """Return the beginning of a page; "" if there is none."""
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def league_pages(
    standings: Standings, anchor_elo: float, recent: Recent, has_page: HasPage
) -> Iterator[Page]:
    """Yield the pages about all bots."""
    yield index_page(standings, anchor_elo, recent, has_page)
    yield matrix_page(standings)
    yield history_page(standings)
    facts = standings.facts
    shared = {"root": "", "here": "", "league": facts.name, "running": False}
    yield Page("deals.html", "deals.html", shared)
    if in_short := GAMES[facts.game].drawing.in_short:
        values = {**shared, "game": facts.game, "in_short": in_short}
        yield Page("game.html", "game.html", values)
