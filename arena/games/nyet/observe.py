"""Observations of the trick games: what a seat may know, as numbers (docs/library.md).

One layout writes them from either of two sources, which have the same attributes: a state, which is
fastest, or a view, read by `SeenRound`. It reads public things and the seat's own cards, as views
have them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, TypeAlias

from arena.games.interface import View
from arena.games.nyet.actions import Team
from arena.games.nyet.layout import NEXT_BYTE, Layout
from arena.games.nyet.past import EarlierRounds
from arena.games.nyet.phases import DISCARD, OVER, PLAY, Phase
from arena.games.nyet.tables import TrickMatch
from arena.games.nyet.turns import NOBODY, SEVERAL
from arena.games.observation import Observation, Observed, Part
from arena.games.options import whole

if TYPE_CHECKING:
    from arena.games.nyet.state import TrickState

Source: TypeAlias = "TrickState | SeenRound"

VERSION = 1


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


def observed(source: Source, me: int, board: bytearray) -> Observed:
    """The numbers of an observation, for a seat at the table; `board` is that of `new_board`."""
    past = source.past
    scores = past.scores
    # Of two pieces, because writing a piece to an array takes longer than joining two.
    return (
        board + cards_of(source, me),
        (*scores[me:], *scores[:me], past.number, source.match.last_round),
    )


def kept_board(state: TrickState, me: int) -> bytearray:
    """The board, kept with the round once the tokens are placed."""
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


def new_board(source: Source, me: int) -> bytearray:
    """The parts from `seat` to `tokens`."""
    table, past, team = source.match.table, source.past, source.team
    layout, seats = table.layout, table.seats
    relative = layout.relative[me]
    board = bytearray(layout.board)
    board[me] = 1
    board[layout.dealer + relative[past.dealer]] = 1
    board[layout.open : layout.tokens] = b"\1" * layout.boxes
    seat = table.first_token[past.dealer]
    for token in source.tokens:
        box = layout.box[token]
        board[layout.open + box] = 0
        board[layout.tokens + relative[seat] * layout.boxes + box] = 1
        seat = table.after[seat]
    if source.first is not None:
        board[layout.first + relative[source.first]] = 1
    if team is not None:
        is_in_team = me in team.seats
        for seat in range(seats):
            board[layout.team + relative[seat]] = (seat in team.seats) == is_in_team
        if team.bonus is not None:
            board[layout.bonus + relative[team.bonus]] = 1
    return board


def cards_of(source: Source, me: int) -> bytearray:
    """The parts from `phase` to `leaders`."""
    phase, turn = source.phase, source.turn
    layout = source.match.table.layout
    numbers = bytearray(layout.changing)
    numbers[phase.place] = 1
    if turn < SEVERAL:
        numbers[layout.turn + layout.relative[me][turn]] = 1
    hand = layout.hand
    for kind in source.hands[me]:
        numbers[hand + kind] = 1
    for kind in source.spares[me]:
        numbers[hand + kind] += 1
    given = source.given[me]
    for kind in given:
        numbers[layout.given + kind] += 1
    if given and phase is not DISCARD:
        for kind in source.received(me):
            numbers[layout.received + kind] += 1
    if phase is PLAY or phase is OVER:
        write_tricks(source, me, layout, numbers)
    return numbers


def write_tricks(source: Source, me: int, layout: Layout, numbers: bytearray) -> None:
    """Write the parts from `trick` to `leaders`, and `leader`."""
    cards, led_by, tricks_won, loot = source.tricks()
    if source.phase is PLAY:
        leader = led_by[-1]
        numbers[layout.leader + layout.relative[me][leader]] = 1
        open_trick = cards[(len(led_by) - 1) * source.match.seats :]
        for place in map(add, open_trick, layout.trick_rows[me][leader]):
            numbers[place] = 1
    # In the open trick there may be seats that have not played yet.
    rows = layout.played_rows[me]
    for place in map(add, cards, chain.from_iterable([rows[leader] for leader in led_by])):
        numbers[place] += 1
    taken = tricks_won[me:] + tricks_won[:me] + loot[me:] + loot[:me]
    numbers[layout.tricks_won : layout.cards] = bytes(taken)
    numbers[layout.cards : layout.cards + len(cards)] = cards.translate(NEXT_BYTE)
    numbers[layout.leaders : layout.leaders + len(led_by)] = led_by.translate(layout.from_one[me])


class SeenRound:
    """A view, with the attributes of `TrickState` that the layout reads; nothing is dealt for it.

    `hands`, `spares` and `given` have the cards of this seat and no others: a layout that read
    those of another seat would fail here.
    """

    __slots__ = (
        "_received",
        "_tricks",
        "first",
        "given",
        "hands",
        "match",
        "past",
        "phase",
        "spares",
        "team",
        "tokens",
        "turn",
    )

    def __init__(self, match: TrickMatch, view: View):
        """Raise any of BAD_VALUES (`arena.games.derived`) where this is no view."""
        deck, seats, seat = match.deck, match.seats, view["seat"]
        self.match = match
        self.past = EarlierRounds(
            whole(view["round"]), view["dealer"], tuple(_by_seat(view["scores"], seats)), None
        )
        self.phase = Phase(view["phase"])
        turn = view["turn"]
        self.turn: int = NOBODY if turn is None else turn
        self.tokens = match.tables.actions.codes(view["tokens"])
        self.first: int | None = view["first"]
        team = view["team"]
        self.team = None if team is None else Team(tuple(team), view["bonus"])
        hand, spare = deck.sort_hand(deck.kinds_of(view["hand"]))
        self.hands: Mapping[int, bytes] = {seat: hand}
        self.spares: Mapping[int, bytes] = {seat: spare}
        self.given: Mapping[int, bytes] = {seat: deck.kinds_of(view["given"])}
        self._received = {seat: deck.kinds_of(view["received"])}
        self._tricks = (
            deck.kinds_of([*chain.from_iterable(view["tricks"])]),
            bytes(view["leaders"]),
            _by_seat(view["tricks_won"], seats),
            _by_seat(view["loot"], seats),
        )

    def received(self, seat: int) -> bytes:
        """The cards passed to a seat, which is this one."""
        return self._received[seat]

    def tricks(self) -> tuple[bytes, bytes, list[int], list[int]]:
        """The cards played and the seats that led, first to last; by seat, the tricks taken and the
        loot captured."""
        return self._tricks


def _by_seat(numbers: Sequence[object], seats: int) -> list[int]:
    return [whole(numbers[seat]) for seat in range(seats)]
