"""The page of a bot: its row, its faults, its course, its opponents, its matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from arena.league.model.entrants import KnownEntrant
from arena.league.model.played import PlayedSet
from arena.league.table.standings import Moment, Standing, Standings
from arena.outputs.pages.league.chart import SMALL, chart, regular
from arena.outputs.pages.league.page import HasPage, Page
from arena.outputs.pages.league.pairs import file_of_pair
from arena.outputs.pages.league.set_rows import SetRows, in_html, without_links
from arena.outputs.pages.names import (
    file_of_bot,
    former_file_of_bot,
    older_file_of_bot,
)
from arena.outputs.pages.sets.faults import PublicFault
from arena.outputs.pages.words import (
    elo,
    half,
    interval,
    lacking,
    likelihood,
    mean,
    milliseconds,
    number,
    percent,
    share,
)
from arena.outputs.words import count, own_clock

# Sets on a page; older ones go on pages of their own, which need not be written again.
SETS_ON_A_PAGE = 100
# The main page keeps this many besides: sets end in any order, and one that comes this much later
# than its number still finds its page open, so that a page that is full stays as it is.
SETS_KEPT_BACK = 20
# Faults that a bot's page shows in full; every fault is on the page of its match.
FAULTS_ON_A_PAGE = 40
# Faults that stand open; the others are folded away.
FAULTS_OPEN = 3
# The best and the worst opponents named above their table, where it is longer than both together.
EXTREMES = 3
# Added to the meetings with each, half of them won, so that four lucky ones make no best opponent.
EVEN_MEETINGS = 20
# More opponents are folded away: nobody should have to pass them all to see the matches.
OPPONENTS_OPEN = 12


@dataclass
class History:
    """The complete sets of one bot as its pages show them.

    A publisher keeps it in memory for as long as the league is played.
    """

    sets: SetRows = field(default_factory=SetRows)
    faults: dict[int, list[PublicFault]] = field(default_factory=dict)  # the last, by set
    all_faults: int = 0

    def enter(self, name: str, one: PlayedSet, faults: Sequence[PublicFault]) -> None:
        self.sets.enter(name, one)
        if faults:
            self.faults[one.number] = [*faults]
            self.all_faults += len(faults)
            self._forget_faults()

    def rows(self, numbers: Iterable[int], has_page: HasPage) -> Markup:
        """Return the rows of these sets. Where `has_page` is false matches have no links."""
        rows = []
        for each in self.sets.of([*numbers]):
            row = in_html(each)
            rows.append(row if has_page(each.number) else without_links(row))
        return Markup("".join(rows))

    def last_faults(self) -> list[PublicFault]:
        """Return the faults that the page shows, the last first."""
        last_first = sorted(self.faults, reverse=True)
        found = [fault for each in last_first for fault in reversed(self.faults[each])]
        return found[:FAULTS_ON_A_PAGE]

    def _forget_faults(self) -> None:
        """Forget the faults that are too old for any page from now on."""
        kept = sum(map(len, self.faults.values()))
        while kept - len(self.faults[oldest := min(self.faults)]) >= FAULTS_ON_A_PAGE:
            kept -= len(self.faults.pop(oldest))


def one_deeper(rows: Markup) -> Markup:
    """Return the rows for a page that lies one folder deeper; no text of a bot has a quote."""
    return Markup(str(rows).replace(' href="', ' href="../'))


def bot_pages(
    entrant: KnownEntrant,
    history: History,
    standings: Standings,
    has_page: HasPage,
    former: Iterable[int] = (),
) -> Iterator[Page]:
    """Yield the pages of a bot: the main one, and those of its older matches.

    `former`: pages of older matches that were published under the names they had before.
    """
    name, numbers = entrant.name, history.sets.numbers
    full = max(0, len(numbers) - SETS_KEPT_BACK) // SETS_ON_A_PAGE
    shared = {"here": "", "league": standings.facts.name, "name": name}
    yield from older_pages({**shared, "running": False}, history, numbers, full, has_page)
    for page in former:
        to = older_file_of_bot(name, page) if page <= full else file_of_bot(name)
        leads_on = {**shared, "root": "../", "running": False, "to": to}
        yield Page(f"bots/{former_file_of_bot(name, page)}", "newest.html", leads_on)
    shown = numbers[full * SETS_ON_A_PAGE :]
    course = regular(standings.history, name)
    yield Page(
        f"bots/{file_of_bot(name)}",
        "bot.html",
        {
            **shared,
            "root": "../",
            "running": standings.facts.state == "running",
            "numbers": shown,
            "have_pages": [has_page(each) for each in shown],
            "older": older_file_of_bot(name, full) if full else "",
            "course": course,
            **about(entrant, history, standings, has_page),
        },
        _rows(history, shown, has_page, course),
    )


def older_pages(
    shared: Mapping[str, Any],
    history: History,
    numbers: Sequence[int],
    full: int,
    has_page: HasPage,
) -> Iterator[Page]:
    """Yield the pages of a bot's older matches, of which so many are full.

    A full page says the same for ever: it links to the next older and the next newer one by their
    numbers. The newer one of the last leads on to the main page.
    """
    name = shared["name"]
    deeper = {**shared, "root": "../../"}
    for page in range(1, full + 1):
        shown = numbers[(page - 1) * SETS_ON_A_PAGE : page * SETS_ON_A_PAGE]
        yield Page(
            f"bots/{older_file_of_bot(name, page)}",
            "older.html",
            {
                **deeper,
                "older": f"{page - 1}.html" if page > 1 else "",
                "newer": f"{page + 1}.html",
                "numbers": shown,
                "have_pages": [has_page(each) for each in shown],
            },
            _rows(history, shown, has_page, is_deeper=True),
        )
    if full:
        leads_on = {**deeper, "to": f"../{file_of_bot(name)}"}
        yield Page(f"bots/{older_file_of_bot(name, full + 1)}", "newest.html", leads_on)


def _rows(
    history: History,
    numbers: Sequence[int],
    has_page: HasPage,
    course: Sequence[Moment] = (),
    *,
    is_deeper: bool = False,
) -> Callable[[], Mapping[str, Any]]:
    def rows() -> Mapping[str, Any]:
        sets = history.rows(reversed(numbers), has_page)
        return {
            "sets": one_deeper(sets) if is_deeper else sets,
            "charts": [chart(course, [*course[-1].elo], [0], SMALL)] if course else [],
        }

    return rows


def about(
    entrant: KnownEntrant, history: History, standings: Standings, has_page: HasPage
) -> dict[str, object]:
    """Return what a bot's page shows of its row, its opponents and its faults.

    Texts and rounded numbers: as long as none of them changes, the page is not made anew.
    """
    name, said = entrant.name, entrant.said
    row = next((row for row in standings.rows if row.name == name), None)
    opponents = opponents_of(name, standings)
    best = sorted(opponents, key=lambda each: (-each.weighed, each.name))
    faults = history.last_faults()
    return {
        "said": [
            ("version", said.get("version", "")),
            ("by", said.get("author", "")),
            ("in", said.get("language", "")),
            ("owner", entrant.owner if entrant.owner != name else ""),
        ],
        "is_rated": row is not None,
        "lacking": lacking(row) if row else "",
        "is_finished": standings.facts.state == "finished",
        "facts": facts_of(row, standings) if row else [],
        "places_of": row.places if row else (),
        "kinds": dict(row.faults) if row else {},
        "is_retired": name in standings.retired,
        "presence": next((each for each in standings.presence if each.name == name), None),
        "out": next((out for out in standings.benched if out.name == name), None),
        "opponents": opponents,
        "most_opponents": OPPONENTS_OPEN,
        "best": best[:EXTREMES] if len(best) > 2 * EXTREMES else [],
        "worst": best[: -1 - EXTREMES : -1] if len(best) > 2 * EXTREMES else [],
        "linked": sorted({each.place.set for each in faults if has_page(each.place.set)}),
        "faults": faults[:FAULTS_OPEN],
        "more_faults": faults[FAULTS_OPEN:],
        "all_faults": history.all_faults,
    }


@dataclass(frozen=True)
class MetBot:
    """Another bot of the same table, as the page of a bot shows it."""

    name: str
    ahead: int  # in per cent, how often this page's bot finished ahead of it
    meetings: int
    pair: str  # the file of the page about the two

    @property
    def weighed(self) -> float:
        """The share ahead drawn towards one half, the more the fewer meetings there are."""
        return (self.ahead * self.meetings + 50 * EVEN_MEETINGS) / (self.meetings + EVEN_MEETINGS)


def opponents_of(name: str, standings: Standings) -> list[MetBot]:
    """Return the bots that it met, those first that it finished ahead of most often."""
    found = [
        (versus.ahead, other.name, versus.meetings)
        for other in standings.rows
        if (versus := standings.versus.get((name, other.name))) is not None
    ]
    found.sort(key=lambda each: (-each[0], each[1]))
    return [
        MetBot(other, round(100 * ahead), meetings, file_of_pair(name, other))
        for ahead, other, meetings in found
    ]


def facts_of(row: Standing, standings: Standings) -> list[tuple[str, Markup, bool]]:
    """Return the terms of a row, their texts, and whether each is written large."""
    rating, facts = row.rating, standings.facts
    of = sum(other.part == row.part for other in standings.rows)
    table = f" in table {row.part + 1}" if standings.parts > 1 else ""
    beside = Markup('{} <span class="pm">{}</span>').format
    gain = percent(rating.gain, signed=True)
    clock = own_clock(row.clock, facts.clock) if row.clock is not None else ""
    return [
        ("Elo", beside(elo(rating.elo), half(rating.half_width)), True),
        (
            "rank",
            beside(rating.rank, f"of {of}{table}; the results leave open {interval(row)}"),
            True,
        ),
        ("above the next", _plain(_above_next(row)), False),
        ("played", _plain(f"{count(rating.sets, 'set')}, {count(rating.games, 'match')}"), False),
        ("finished ahead", share(rating.ahead) + " %", False),
        ("ties", share(rating.ties) + " %", False),
        ("wins, shared ones in part", share(rating.wins) + " %", False),
        ("mean place", mean(rating.place), False),
        (f"points a {facts.points_of}", mean(row.points), False),
        ("thinks", _plain(_thinks(row)), False),
        ("forfeits", _plain(number(row.forfeits)), False),
        ("gain from repetition", gain + " %" if rating.gain else gain, False),
        *([("clock of its own", _plain(clock), False)] if clock else []),
    ]


def _above_next(row: Standing) -> str:
    if row.rating.is_separated is None:
        return "nobody below"
    not_separated = "" if row.rating.is_separated else ", not separated"
    return f"{likelihood(row.rating.los_to_next)} %{not_separated}"


def _thinks(row: Standing) -> str:
    return f"{milliseconds(row.think_ms)} ms, at most {milliseconds(row.slowest_ms)} ms"


_plain = Markup.escape
