"""A rule set worked out into tables, once; and the constants of a table and of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.nyet.actions import TrickActions
from arena.games.nyet.cards import Deck
from arena.games.nyet.layout import Layout
from arena.games.nyet.rulesets import RuleSet
from arena.games.nyet.terms import Terms, trumps_of
from arena.games.nyet.turns import together
from arena.games.nyet.views import blank
from arena.games.options import Value

if TYPE_CHECKING:
    from arena.games.nyet.game import TrickGame


class RuleTables:
    """The tables behind every match of a rule set."""

    def __init__(self, rules: RuleSet):
        self.rules = rules
        self.deck = Deck(rules)
        self.actions = TrickActions(rules, self.deck)
        self._terms: dict[bytes, Terms] = {}  # by open boxes: at most 5**5

    def terms(self, open_boxes: bytes) -> Terms:
        """The rules of a round, from the box left open in each row."""
        if open_boxes not in self._terms:
            self._terms[open_boxes] = self._settle(open_boxes)
        return self._terms[open_boxes]

    def _settle(self, open_boxes: bytes) -> Terms:
        rules, rows = self.rules, self.actions.rows
        first, discard, trump, supertrump, points = [
            row.index(box) for row, box in zip(rows, open_boxes, strict=True)
        ]
        colours = range(len(rules.colours))
        trumps = (
            trump if trump in colours else None,
            supertrump if supertrump in colours else None,
        )
        return Terms(
            tuple([self.actions.names[box] for box in open_boxes]),
            first,
            rules.discards[discard],
            trumps_of(self.deck, *trumps),
            rules.points[points],
        )


class TrickTable:
    """The constants of every match at tables of one size."""

    def __init__(self, tables: RuleTables, seats: int):
        rules = tables.rules
        self.tables = tables
        # The name of an action. Of a list: that of a tuple takes three times as long to call.
        self.name_of = [*tables.actions.names].__getitem__
        self.seats = seats
        self.blank = blank(rules.name, seats)
        self.after = (*range(1, seats), 0)  # by seat: the next to play
        # By leader: the other seats in the order in which they play.
        self.followers = tuple(
            tuple((leader + i) % seats for i in range(1, seats)) for leader in range(seats)
        )
        # By dealer: the seat that places the first token (SPEC 11.3.2).
        self.first_token = self.after if rules.first_token_left_of_dealer else tuple(range(seats))
        self.boxes = tables.actions.boxes_at(seats)
        # Those that the first token may cover: a row keeps one box open.
        self.coverable = b"".join(
            row for row in map(self._here, tables.actions.rows) if len(row) > 1
        )
        # By box: all boxes of its row; and all boxes that are not.
        self.row = {box: row for row in tables.actions.rows for box in row}
        self.other_rows = {
            box: bytes(other for other in self.boxes if other not in row)
            for row in tables.actions.rows
            for box in row
        }
        self.tokens = len(self.boxes) - len(tables.actions.rows)  # placed in a round
        self.before_cards = self.tokens + (seats > 2)  # public actions before the first card
        self.cards = tables.deck.in_play(seats)
        self.copies = [*map(self.cards.count, tables.deck.all_kinds)]  # by kind
        # By seat, the index of its first card in a deal.
        self.cards_each = each = rules.cards_each[seats]
        self.hand_starts = range(0, each * seats, each)
        self.full_hands = (each,) * seats
        self.everyone = together(range(seats))
        self.none_given = (b"",) * seats
        self.layout = Layout(tables.deck.size, self.boxes, seats, each)
        # By first player, the actions that choose a team.
        self.team_choices = tuple(
            bytes(tables.actions.teams[seats, first]) for first in range(seats)
        )

    def _here(self, row: bytes) -> bytes:
        """The boxes of a row that are at this table."""
        return bytes(box for box in row if box in self.boxes)


class TrickMatch:
    """The constants of one match. Those of its table that it uses most are copied here."""

    __slots__ = (
        "after",
        "deck",
        "first_box",
        "game",
        "last_round",
        "low",
        "options",
        "row_of",
        "seats",
        "seed",
        "several",
        "table",
        "tables",
    )

    def __init__(self, game: TrickGame, table: TrickTable, seed: bytes, options: dict[str, Value]):
        self.game = game
        self.table = table
        self.seed = seed
        self.options = options
        last_round = options["rounds"]
        assert isinstance(last_round, int)
        self.last_round = last_round
        self.seats = table.seats
        self.after = table.after
        self.tables = table.tables
        self.deck = table.tables.deck
        self.row_of = table.tables.actions.row_of
        self.first_box = table.tables.actions.first_box
        self.several = table.tables.deck.several
        self.low = table.tables.deck.low
