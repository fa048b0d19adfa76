"""The page of a bot: its row, its opponents, its faults, its matches."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from arena.league.model.entrants import KnownEntrant
from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.table.standings import Standings
from arena.outputs.pages.names import SETS, address_of_match, file_of_bot, older_file_of_bot
from arena.outputs.pages.render import render
from arena.outputs.pages.sets.faults import PublicFault
from arena.outputs.pages.words import moment, number
from arena.outputs.words import ordinal
from arena.text import plain

# Sets on a page; older ones go on pages of their own, which need not be written again.
SETS_ON_A_PAGE = 100
# Faults that a bot's page shows in full; every fault is on the page of its match.
FAULTS_ON_A_PAGE = 40

_ROW = Markup('<tr><td class="num">{}</td><td class="with">{}</td><td>{}</td><td>{}</td></tr>\n')
_BOT = Markup('<a class="bot" href="{}"><bdi>{}</bdi></a>')
_MATCH = Markup(
    '<a class="match p{}" href="../{}"><span class="which">{}</span> {}'
    '<span class="score">{}</span>{}</a> '
)
_TO_SET = re.compile(rf' href="\.\./{SETS}/[^"]*"')
_FAULTY = Markup('<span class="mark" title="{}">{}</span>')


@dataclass
class History:
    """The complete sets of one bot as its pages show them.

    A publisher keeps it in memory for as long as the league is played.
    """

    packed_rows: dict[int, bytes] = field(default_factory=dict)  # by number of set
    faults: dict[int, list[PublicFault]] = field(default_factory=dict)  # the last, by set
    all_faults: int = 0
    older: dict[int, object] = field(default_factory=dict)  # by older page, the values it shows

    def enter(self, name: str, one: PlayedSet, faults: Sequence[PublicFault]) -> None:
        # Compressed rows take a third of the memory; decompressing those of a page takes 0.3 ms.
        self.packed_rows[one.number] = zlib.compress(set_row(name, one).encode())
        if faults:
            self.faults[one.number] = [*faults]
            self.all_faults += len(faults)
            self._forget_faults()

    def rows(self, numbers: Iterable[int], has_page: Callable[[int], bool]) -> Markup:
        """Return the rows of these sets; matches of sets without a page lead nowhere."""
        rows = []
        for each in numbers:
            row = zlib.decompress(self.packed_rows[each]).decode()
            rows.append(row if has_page(each) else _TO_SET.sub("", row))
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


def set_row(name: str, one: PlayedSet) -> Markup:
    """Return the row of a set: the other bots, and the result of each match."""
    others = sorted(set(one.matches[0].record.names) - {name})
    return _ROW.format(
        one.number,
        Markup(", ").join(_BOT.format(file_of_bot(other), plain(other)) for other in others),
        Markup("").join(_match(name, played) for played in one.matches),
        moment(max(played.ended for played in one.matches)),
    )


def _match(name: str, played: LeagueMatch) -> Markup:
    record = played.record
    seat = record.names.index(name)
    marks = [_FAULTY.format(fault.kind, "!") for fault in record.faults if fault.seat == seat]
    place = record.places[seat]
    if not played.is_begun:
        result, score = "absent" if seat in record.forfeits else "not begun", ""
    else:
        result = "forfeit" if seat in record.forfeits else ordinal(place)
        score = number(record.scores[seat]) if record.scores else ""
    return _MATCH.format(
        place,
        address_of_match(played.place),
        str(played.place),
        result,
        f" {score}" if score else "",
        Markup("").join(marks[:1]),
    )


def bot_pages(
    entrant: KnownEntrant,
    history: History,
    standings: Standings,
    has_page: Callable[[int], bool],
) -> Iterator[tuple[str, str]]:
    """Yield the pages of a bot by file name: the main one, and those of its older matches.

    In a long league there are many of the latter, so each is made only if its values have changed.
    `has_page`: of a set, by its number.
    """
    name = entrant.name
    numbers = sorted(history.packed_rows)
    starts = range(0, max(1, len(numbers)), SETS_ON_A_PAGE)
    firsts = [numbers[start] for start in starts] if numbers else []
    for page, start in enumerate(starts, 1):
        shown = numbers[start : start + SETS_ON_A_PAGE]
        is_last = page == len(starts)
        if not is_last:
            made_of = (standings.facts.name, shown, firsts, [*map(has_page, shown)])
            if history.older.get(page) == made_of:
                continue
            history.older[page] = made_of
        values = {
            "root": "../",
            "here": "",
            "league": standings.facts.name,
            "running": is_last and standings.facts.state == "running",
            "name": name,
            "sets": history.rows(reversed(shown), has_page),
            "pager": pager(name, page, firsts),
        }
        if is_last:
            text = render("bot.html", **values, **about(entrant, history, standings, has_page))
            yield file_of_bot(name), text
        else:
            yield older_file_of_bot(name, page), render("older.html", **values)


def pager(name: str, here: int, firsts: Sequence[int]) -> Markup:
    """Return links to the bot's pages of sets, the newest first; `firsts`: the first set of
    each."""
    if len(firsts) < 2:
        return Markup("")
    last = len(firsts)
    links = []
    for page in range(last, 0, -1):
        file = file_of_bot(name) if page == last else older_file_of_bot(name, page)
        link = Markup('<li><a href="{}"{}>from set {}</a></li>')
        current = Markup(' aria-current="page"') if page == here else ""
        links.append(link.format(file, current, number(firsts[page - 1])))
    return Markup('<div class="turns pager"><ul>{}</ul></div>').format(Markup("").join(links))


def about(
    entrant: KnownEntrant,
    history: History,
    standings: Standings,
    has_page: Callable[[int], bool],
) -> dict[str, object]:
    """Return the values of a bot's page, all but its matches."""
    name, said = entrant.name, entrant.said
    row = next((row for row in standings.rows if row.name == name), None)
    part = [other for other in standings.rows if row is not None and other.part == row.part]
    opponents = [
        (other, standings.versus[name, other.name])
        for other in part
        if (name, other.name) in standings.versus
    ]
    return {
        "facts": standings.facts,
        "said": [
            ("version", said.get("version", "")),
            ("by", said.get("author", "")),
            ("in", said.get("language", "")),
            ("owner", entrant.owner if entrant.owner != name else ""),
        ],
        "row": row,
        "of": len(part),
        "table": row.part + 1 if row is not None and standings.parts > 1 else 0,
        "out": next((out for out in standings.benched if out.name == name), None),
        "opponents": opponents,
        "faults": [(fault, has_page(fault.place.set)) for fault in history.last_faults()],
        "all_faults": history.all_faults,
    }
