"""The pages of a served league, made when somebody asks for them, and kept while they are true."""

from __future__ import annotations

import gzip
import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from arena.outputs.pages.league.bots import bot_pages
from arena.outputs.pages.league.page import Page
from arena.outputs.pages.league.pairs import PairNames, file_of_pair
from arena.outputs.pages.league.versus import versus_page
from arena.outputs.pages.names import BOTS, SETS, file_of_bot, file_of_set
from arena.outputs.pages.pages import VERSUS, league_pages
from arena.outputs.pages.sets.marks import saved
from arena.outputs.pages.sets.page import set_page, stamp
from arena.outputs.registry import OUTPUTS
from arena.serve.files import JUDGED
from arena.serve.live.moment import at_one_moment
from arena.serve.live.watched import LeagueLook, WatchedLeague

INDEX = "index.html"
# Pages that are kept, with their compressed forms.
MOST_KEPT_BYTES = 16_000_000
# Shorter ones gain nothing by compression.
LEAST_TO_COMPRESS = 500

_SET = re.compile(rf"{SETS}/[0-9]{{3,6}}/([0-9]{{1,9}})\.html")
_TABLE = re.compile(r"standings\.([a-z]+)")
_MAIN = re.compile(r"^<main .*^</main>$", re.DOTALL | re.MULTILINE)

TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "zip": "application/zip",
}


@dataclass(frozen=True)
class MadeFile:
    """A file as it is sent."""

    type: str
    body: bytes
    packed: bytes  # compressed by gzip; empty where that gains nothing
    tag: str  # its ETag

    @classmethod
    def of(cls, name: str, body: bytes) -> MadeFile:
        """Make the file of this name. Its ending tells its kind."""
        kind = name.rpartition(".")[2]
        is_worth = len(body) >= LEAST_TO_COMPRESS and kind != "zip"
        packed = gzip.compress(body, 6, mtime=0) if is_worth else b""
        tag = f'"{sha256(body).hexdigest()[:20]}"'
        return cls(TYPES.get(kind, "text/plain; charset=utf-8"), body, packed, tag)

    @property
    def size(self) -> int:
        return len(self.body) + len(self.packed)


@dataclass(frozen=True)
class KeptPage:
    """A page that was made."""

    stamp: str  # of what it shows
    state: int  # of its league when it was made: while that is the same the page is
    file: MadeFile


class MadePages:
    """The pages of one league. Calls come from the thread that looks at the league, but for
    `ready`."""

    def __init__(self, league: WatchedLeague, *, play_at: str = ""):
        """`play_at`: the address where visitors play, to which pages lead; "" for none."""
        self._league = league
        self._play_at = play_at
        self._kept: OrderedDict[str, KeptPage] = OrderedDict()  # by file
        self._bytes = 0
        self._pairs: dict[str, PairNames] = {}

    def __repr__(self) -> str:
        return f"<MadePages of {self._league!r}, {len(self._kept)} kept>"

    def find(self, file: str) -> MadeFile | None:
        """Return a page by its name in the published folder; None if there is none."""
        look = self._league.look
        if look is None:
            return None
        if (made := self.ready(file)) is not None:
            self._kept.move_to_end(file)
            return made
        kept = self._kept.get(file)
        if found := _SET.fullmatch(file):
            return self._set(file, int(found[1]), look)
        if found := _TABLE.fullmatch(file):
            return self._table(file, found[1], look)
        page = next((page for page in self._pages(file, look) if page.file == file), None)
        if page is None:
            return None
        made_with = page.stamp()
        if kept is not None and kept.stamp == made_with:
            return self._keep(file, made_with, look, kept.file)
        body = page.text(made_with, served=True, play_at=self._play_at).encode(
            "utf-8", "backslashreplace"
        )
        return self._keep(file, made_with, look, MadeFile.of(file, body))

    def ready(self, file: str) -> MadeFile | None:
        """Return a page that need not be made, from any thread; None if it has to be."""
        look, kept = self._league.look, self._kept.get(file)
        if look is None or kept is None or kept.state != self._state(file, look):
            return None
        return kept.file

    def main(self) -> Sequence[str]:
        """Return the main element of the table's page, line by line."""
        index = self.find(INDEX)
        found = _MAIN.search(index.body.decode("utf-8")) if index is not None else None
        assert found is not None
        return found[0].split("\n")

    def _pages(self, file: str, look: LeagueLook) -> Iterator[Page]:
        """Yield the pages among which one of this name is, if there is one."""
        known, has_page = self._league.known, self._league.known.matches.__contains__
        folder, _, rest = file.partition("/")
        if not rest:
            elo = look.settings.anchor.elo
            yield from league_pages(look.standings, elo, known.recent, has_page)
        elif folder == BOTS:
            wanted = f"{rest.partition('/')[0].removesuffix('.html')}.html"
            for entrant in look.entrants:
                if file_of_bot(entrant.name) == wanted:
                    history = known.history(entrant.name)
                    yield from bot_pages(entrant, history, look.standings, has_page)
        elif folder == VERSUS and (names := self._pair(rest)) is not None:
            yield versus_page(look.name, names, known.pairs.of[names], has_page)

    def _pair(self, file: str) -> PairNames | None:
        pairs = self._league.known.pairs.of
        if len(self._pairs) != len(pairs):
            self._pairs = {file_of_pair(*names): names for names in pairs}
        return self._pairs.get(file)

    def _set(self, file: str, number: int, look: LeagueLook) -> MadeFile | None:
        if number not in self._league.known.matches or file_of_set(number) != file:
            return None
        with at_one_moment(self._league.folder) as reader:
            one = reader.complete_set(number)
        if one is None:
            return None
        judged = [saved(self._league.folder, played.place) for played in one.matches]
        made_with = stamp(look.name, one, judged)
        kept = self._kept.get(file)
        if kept is not None and kept.stamp == made_with:
            return self._keep(file, made_with, look, kept.file)
        text = set_page(look.name, one, judged, made_with, served=True, play_at=self._play_at)
        made = MadeFile.of(file, text.encode("utf-8", "backslashreplace"))
        return self._keep(file, made_with, look, made)

    def _table(self, file: str, ending: str, look: LeagueLook) -> MadeFile | None:
        if ending not in OUTPUTS:
            return None
        text = OUTPUTS[ending].text(look.standings)
        return self._keep(file, "", look, MadeFile.of(file, text.encode()))

    def _keep(self, file: str, made_with: str, look: LeagueLook, made: MadeFile) -> MadeFile:
        """Keep a file for the next time, and forget those that nobody asked for the longest."""
        before = self._kept.pop(file, None)
        self._bytes += made.size - (before.file.size if before is not None else 0)
        self._kept[file] = KeptPage(made_with, self._state(file, look), made)
        while self._bytes > MOST_KEPT_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.file.size
        return made

    def _state(self, file: str, look: LeagueLook) -> int:
        """Return a number that is another whenever the page may be: of a set, which stays the same,
        when a judgement was saved; of the others, when there is another table."""
        if _SET.fullmatch(file) is None:
            return look.tables
        try:
            return os.stat(self._league.folder / JUDGED).st_mtime_ns
        except OSError:
            return 0
