"""Observations of the trick games: what a seat may know, as numbers (docs/library.md).

They are built from the same knowledge as views (`arena.games.nyet.views`), and like those from
public things and the seat's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.nyet.layout import NEXT_BYTE, Layout
from arena.games.nyet.past import LOOT, LOOT_BITS, leaders
from arena.games.nyet.phases import DISCARD, OVER, PLAY, Phase
from arena.games.nyet.tables import TrickMatch
from arena.games.nyet.turns import SEVERAL
from arena.games.observation import Observation, Observed, Part

if TYPE_CHECKING:
    from arena.games.nyet.state import TrickState

VERSION = 1

PHASE_PLACE = {phase: place for place, phase in enumerate(Phase)}


def observation(match: TrickMatch, lowest: int, highest: int) -> Observation:
    """The layout of all observations of this match, with the bounds of its scores."""
    seats, layout, deck = match.seats, match.table.layout, match.deck
    kinds, boxes, tricks = layout.kinds, layout.boxes, layout.tricks
    copies = max(deck.copies)
    loot = len(match.table.cards.translate(None, deck.high))
    parts = (
        Part("seat", (seats,), "1 for the number of your seat; all other parts count from you"),
        Part("dealer", (seats,), "1 for the dealer of the round"),
        Part("first", (seats,), "1 for the first player, once all rows are settled"),
        Part("team", (seats,), "1 for each seat of your team, once it is chosen"),
        Part("bonus", (seats,), "1 for the holder of the bonus card, once chosen"),
        Part("open", (boxes,), "1 for each box not covered, in the order of actions"),
        Part("tokens", (seats, boxes), "by seat, 1 for each box that it covered"),
        Part("phase", (len(Phase),), "1 for the phase: tokens, team, discard, play or over"),
        Part("turn", (seats,), "1 for the seat that owes a decision; none in phase discard"),
        Part("leader", (seats,), "1 for the seat that leads the open trick"),
        Part("hand", (kinds,), "by card, the copies you hold", high=copies),
        Part("given", (kinds,), "by card, the copies you discarded or passed", high=copies),
        Part("received", (kinds,), "by card, the copies passed to you", high=copies),
        Part("trick", (seats, kinds), "by seat, 1 for its card in the open trick"),
        Part("played", (seats, kinds), "by seat and card, the copies played", high=copies),
        Part("tricks_won", (seats,), "by seat, the tricks taken this round", high=tricks),
        Part("loot", (seats,), "by seat, the loot captured this round", high=loot),
        Part(
            "cards",
            (tricks, seats),
            "by trick, its cards in the order of play: the number of the card, from 1; or 0",
            high=kinds,
        ),
        Part(
            "leaders",
            (tricks,),
            "by trick, the seat that led it, counted from you and from 1; or 0",
            high=seats,
        ),
        Part("scores", (seats,), "by seat, the points of all finished rounds", lowest, highest),
        Part("round", (1,), "the number of the round, from 1", 1, match.last_round),
        Part("rounds", (1,), "the match has at most so many rounds", 1, match.last_round),
    )
    return Observation(match.tables.rules.name, seats, VERSION, parts)


def observed(state: TrickState, me: int) -> Observed:
    """The numbers of an observation, for a seat at the table."""
    past, match = state.past, state.match
    scores = past.scores
    return (
        board_of(state, me),
        cards_of(state, me),
        (*scores[me:], *scores[:me], past.number, match.last_round),
    )


def board_of(state: TrickState, me: int) -> bytearray:
    """The parts from `seat` to `tokens`; kept with the round once the tokens are placed."""
    past, table = state.past, state.match.table
    if state.phase is not PLAY:
        return new_board(state, me)
    before = state.log[: table.before_cards]
    if past.boards is None or past.boards[0] != before:
        past.boards = before, [None] * table.seats
    boards = past.boards[1]
    board = boards[me]
    if board is None:
        board = boards[me] = new_board(state, me)
    return board


def new_board(state: TrickState, me: int) -> bytearray:
    table, past, terms, team = state.match.table, state.past, state.terms, state.team
    layout, seats = table.layout, table.seats
    relative = layout.relative[me]
    board = bytearray(layout.board)
    board[me] = 1
    board[layout.dealer + relative[past.dealer]] = 1
    board[layout.open : layout.tokens] = b"\1" * layout.boxes
    seat = table.first_token[past.dealer]
    for token in state.log[: table.tokens]:
        box = layout.box[token]
        board[layout.open + box] = 0
        board[layout.tokens + relative[seat] * layout.boxes + box] = 1
        seat = table.after[seat]
    if terms is not None:
        board[layout.first + relative[terms.first]] = 1
    if team is not None:
        is_in_team = me in team.seats
        for seat in range(seats):
            board[layout.team + relative[seat]] = (seat in team.seats) == is_in_team
        if team.bonus is not None:
            board[layout.bonus + relative[team.bonus]] = 1
    return board


def cards_of(state: TrickState, me: int) -> bytearray:
    """The parts from `phase` to `leaders`."""
    match, phase = state.match, state.phase
    layout = match.table.layout
    relative = layout.relative[me]
    numbers = bytearray(layout.changing)
    numbers[PHASE_PLACE[phase]] = 1
    if state.turn < SEVERAL:
        numbers[layout.turn + relative[state.turn]] = 1
    for kind in state.hands[me]:
        numbers[layout.hand + kind] = 1
    for kind in state.spares[me]:
        numbers[layout.hand + kind] += 1
    given = state.given[me]
    for kind in given:
        numbers[layout.given + kind] += 1
    if given and phase is not DISCARD:
        for kind in state.received(me):
            numbers[layout.received + kind] += 1
    if phase is PLAY or phase is OVER:
        write_tricks(state, me, layout, numbers)
    return numbers


def write_tricks(state: TrickState, me: int, layout: Layout, numbers: bytearray) -> None:
    """Write the parts from `trick` to `leaders`, and `leader`."""
    seats, takes = state.match.seats, state.takes
    relative, order = layout.relative[me], layout.order[me]
    cards = state.log[state.match.table.before_cards :]
    led_by = leaders(state.terms.first, takes)  # type: ignore[union-attr]  # settled
    if state.phase is OVER:
        led_by = led_by[:-1]  # after the last trick nobody leads
    else:
        leader = led_by[-1]
        numbers[layout.leader + relative[leader]] = 1
        for kind, seat in zip(cards[len(takes) * seats :], order[leader], strict=False):
            numbers[layout.trick_rows[seat] + kind] = 1
    # In the open trick there may be seats that have not played yet.
    rows = layout.played_rows
    for kind, seat in zip(cards, b"".join([order[leader] for leader in led_by]), strict=False):
        numbers[rows[seat] + kind] += 1
    for take in takes:
        winner = relative[take >> LOOT_BITS]
        numbers[layout.tricks_won + winner] += 1
        numbers[layout.loot + winner] += take & LOOT
    numbers[layout.cards : layout.cards + len(cards)] = cards.translate(NEXT_BYTE)
    numbers[layout.leaders : layout.leaders + len(led_by)] = led_by.translate(layout.from_one[me])
