"""The rows of the sets of a bot, on its pages; kept as few bytes until a page shows them."""

from __future__ import annotations

import re
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import msgspec
from markupsafe import Markup
from msgspec import Struct

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.sets import Place
from arena.outputs.pages.names import SETS, address_of_match, file_of_bot, file_of_set
from arena.outputs.pages.words import moment, number
from arena.outputs.words import ordinal
from arena.text import plain

_ROW = Markup(
    '<tr><td class="num"><a{}>{}</a></td><td class="with">{}</td><td>{}</td><td>{}</td></tr>\n'
)
_BOT = Markup('<a class="bot" href="{}"><bdi>{}</bdi></a>')
_MATCH = Markup(
    '<a class="match p{}"{}><span class="which">{}</span> {}<span class="score">{}</span>{}</a> '
)
_ADDRESS = Markup(' href="../{}"')
_ADDRESSES = re.compile(rf' href="\.\./{SETS}/[^"]*"')
_FAULTY = Markup('<span class="mark" title="{}">{}</span>')


class MatchCell(Struct, frozen=True, array_like=True):
    """One match of a set, as a bot finished it."""

    turn: int
    place: int
    result: str  # "" for its place in words
    score: int | None
    fault: str  # the kind of its first fault; "": none


class SetOfBot(Struct, frozen=True, array_like=True):
    """One set of a bot: the other bots, and its matches."""

    number: int
    others: tuple[str, ...]
    matches: tuple[MatchCell, ...]
    ended: str  # UTC


ROWS_OF_A_BLOCK = 50
"""Rows that are packed together: 26 bytes each then, and with twice as many hardly less."""

OPEN_ROWS = 120
"""Of the newest rows at least so many are not packed: those that the main page of a bot shows,
which is made again and again, and with which sets end that come late."""


class SetRows:
    """The sets of one bot, by number, in whatever order they come.

    A publisher has a row for each bot of each set in memory: some 120 bytes while it is new, and
    some 26 when the pages that show it are full.
    """

    def __init__(self) -> None:
        self._numbers = array("I")
        self._blocks: list[bytes] = []  # of the first rows, each of ROWS_OF_A_BLOCK, compressed
        self._open: list[bytes] = []  # the rows after these
        self._decode = msgspec.msgpack.Decoder(SetOfBot).decode

    def __repr__(self) -> str:
        return f"<SetRows {len(self._numbers)}>"

    @property
    def numbers(self) -> list[int]:
        """The numbers of the sets, in ascending order."""
        return self._numbers.tolist()

    def enter(self, name: str, one: PlayedSet) -> None:
        """Take a set of this bot; a second time it changes nothing."""
        at = bisect_left(self._numbers, one.number)
        if at < len(self._numbers) and self._numbers[at] == one.number:
            return
        while at < (packed := len(self._blocks) * ROWS_OF_A_BLOCK):
            self._open[:0] = unpacked(self._blocks.pop())
        self._numbers.insert(at, one.number)
        self._open.insert(at - packed, msgspec.msgpack.encode(set_row(name, one)))
        while len(self._open) >= OPEN_ROWS + ROWS_OF_A_BLOCK:
            self._blocks.append(packed_rows(self._open[:ROWS_OF_A_BLOCK]))
            del self._open[:ROWS_OF_A_BLOCK]

    def of(self, numbers: Sequence[int]) -> Iterator[SetOfBot]:
        """Yield the rows of these sets."""
        last, rows = -1, self._open
        for each in numbers:
            block, at = divmod(bisect_left(self._numbers, each), ROWS_OF_A_BLOCK)
            if block >= len(self._blocks):
                block, at = len(self._blocks), at + (block - len(self._blocks)) * ROWS_OF_A_BLOCK
            if block != last:
                is_packed = block < len(self._blocks)
                last, rows = block, unpacked(self._blocks[block]) if is_packed else self._open
            yield self._decode(rows[at])


def packed_rows(rows: Sequence[bytes]) -> bytes:
    """Return rows compressed as one."""
    return zlib.compress(msgspec.msgpack.encode(rows))


def unpacked(block: bytes) -> list[bytes]:
    """Return the rows in a block."""
    return msgspec.msgpack.decode(zlib.decompress(block), type=list[bytes])


def set_row(name: str, one: PlayedSet) -> SetOfBot:
    """Return the row of a set: the other bots, and the result of each match."""
    return SetOfBot(
        one.number,
        tuple(sorted(set(one.matches[0].record.names) - {name})),
        tuple(_cell(name, played) for played in one.matches),
        max(played.ended for played in one.matches),
    )


def _cell(name: str, played: LeagueMatch) -> MatchCell:
    record = played.record
    seat = record.names.index(name)
    result = "forfeit" if seat in record.forfeits else ""
    score = record.scores[seat] if record.scores else None
    if not played.is_begun:
        result, score = "absent" if seat in record.forfeits else "not begun", None
    fault = next((fault.kind for fault in record.faults if fault.seat == seat), "")
    return MatchCell(played.turn, record.places[seat], result, score, fault)


def in_html(row: SetOfBot) -> Markup:
    """Return the row with links to all its matches."""
    return _ROW.format(
        _ADDRESS.format(file_of_set(row.number)),
        row.number,
        Markup(", ").join(_BOT.format(file_of_bot(other), plain(other)) for other in row.others),
        Markup("").join(_match(Place(row.number, cell.turn), cell) for cell in row.matches),
        moment(row.ended),
    )


def _match(place: Place, cell: MatchCell) -> Markup:
    return _MATCH.format(
        cell.place,
        _ADDRESS.format(address_of_match(place)),
        str(place),
        cell.result or ordinal(cell.place),
        "" if cell.score is None else f" {number(cell.score)}",
        _FAULTY.format(cell.fault, "!") if cell.fault else "",
    )


def without_links(row: str) -> str:
    """Return the row of a set without the addresses of its matches.

    No text of a bot can look like one: in it every quote is escaped.
    """
    return _ADDRESSES.sub("", row)
