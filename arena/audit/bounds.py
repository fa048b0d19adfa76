"""Bounds of a match from another machine: the most of everything that its game and clocks allow.

They are looked at before anything else of the match is: each check after them takes time by the
number of moves, faults and notes, and whoever reads the store trusts in records that can be read.
They are wide, so that no honest match comes near: `arena.audit.match` finds what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from arena.games import GAMES
from arena.league.model.played import LeagueMatch
from arena.league.model.settings import Settings
from arena.record import BadRecord, Record
from arena.record.confinement import is_of_started
from arena.record.files import checked
from protocol.limits import MAX_ACTION_CHARS, MAX_MATCH_CHARS, MAX_NOTE_CHARS, MAX_NUMBER

# A decision takes at most a day of free time, a day of bank and a day until the bot counts as gone:
# more is not allowed in a league's file.
MOST_TIME_US = 7 * 24 * 60 * 60 * 1_000_000
# The text of a fault in a match has some 1,500 characters. That of a bot that never started quotes
# whole what came from it: a message of 4 KB, or the addresses that it was refused.
MOST_FAULT_CHARS = 65_536
MOST_WORD_CHARS = 64
# The evidence of one fault, packed, is below 250 KB: a request of 16 KB with its legal actions,
# which stand in words too; a reply of 4 KB, which does too; both ends of what the bot printed,
# 16 KB of each stream, where a byte that is no text takes three or four.
MOST_EVIDENCE_BYTES = 1_048_576


def beyond(played: LeagueMatch, settings: Settings) -> Iterator[str]:
    """Yield what is more, longer or later than a match of these settings can have, in words."""
    record = played.record
    yield from _counts(played, settings)
    yield from _times_and_texts(record)
    if any(not 0 <= number <= MAX_NUMBER for number in played.processes):
        yield "the number of a process is out of bounds"
    for each in played.evidence:
        if len(msgspec.msgpack.encode(each)) > MOST_EVIDENCE_BYTES:
            yield f"the evidence of a fault has more than {MOST_EVIDENCE_BYTES:,} bytes"
    if not is_of_started(record.confinement):
        yield f"its bots were confined by {record.confinement!r}, which is no way to do it"
    try:
        checked(record)
    except BadRecord as error:
        yield str(error)


def _counts(played: LeagueMatch, settings: Settings) -> Iterator[str]:
    record, seats = played.record, settings.seats
    moves = len(record.moves)
    most = {
        "moves": (moves, GAMES[settings.game].bound(seats, settings.options)),
        "notes": (len(record.notes), moves),  # a note comes with a move
        # Those that count, and further misses of a `late`, each of which settles a decision.
        "faults": (len(record.faults), seats * settings.timing.faults_to_forfeit + moves),
        "pieces of evidence": (len(played.evidence), len(record.faults)),
        "forfeits": (len(record.forfeits), seats),
        "names": (len(record.names), seats),
        "scores": (len(record.scores), seats),
        "places": (len(record.places), seats),
        "processes": (len(played.processes), seats),
    }
    for name, (found, bound) in most.items():
        if found > bound:
            yield f"it has {found:,} {name}, and can have {bound:,} at most"


def _times_and_texts(record: Record) -> Iterator[str]:
    times = [move.time_us for move in record.moves]
    if times and not 0 <= min(times) <= max(times) <= MOST_TIME_US:
        yield "the time of a move is out of bounds"
    texts = {
        "action": (MAX_ACTION_CHARS, {move.action for move in record.moves}),
        "note": (MAX_NOTE_CHARS, (note.text for note in record.notes)),
        "fault's text": (MOST_FAULT_CHARS, (fault.text for fault in record.faults)),
        "fault's code": (MOST_WORD_CHARS, (fault.code for fault in record.faults)),
        "fault's kind": (MOST_WORD_CHARS, (fault.kind for fault in record.faults)),
        "match's name": (MAX_MATCH_CHARS, (record.match,)),
        "ending": (MOST_WORD_CHARS, (record.ending,)),
    }
    for name, (most, found) in texts.items():
        if max(map(len, found), default=0) > most:
            yield f"the {name} has more than {most:,} characters"
