"""The actions of a trick-taking rule set, in their fixed order.

| text          | meaning                                                                     |
|---------------|-----------------------------------------------------------------------------|
| `R13`         | discard, pass or play this card: colour letter and rank                     |
| `first:2`     | cover the box of seat 2 in row 1, first player                              |
| `discard:1x`  | cover this box of row 2: a number of cards; `x` spares low cards; `left1`   |
|               | and `right2` pass to a neighbour                                            |
| `trump:R`     | cover this colour in row 3; `trump:-` is the box without trump              |
| `supertrump:R`| cover this colour in row 4; `supertrump:-` is the box without supertrump    |
| `points:-2`   | cover this box of row 5                                                     |
| `team:02`     | the first player's own team, all its seats ascending                        |
| `team:013*4`  | with five seats also the holder of the bonus card: here seat 4              |

Cards come first, then the boxes row by row, then the teams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice

from arena.games.interface import Actions
from arena.games.nyet.cards import Deck
from arena.games.nyet.past import takes_of
from arena.games.nyet.rulesets import RuleSet

ROWS = ("first", "discard", "trump", "supertrump", "points")
NO_ROW = 255  # of an action that is no token


@dataclass(frozen=True)
class Team:
    """A choice of the first player: the seats of their team, and the holder of the bonus card."""

    seats: tuple[int, ...]
    bonus: int | None
    mask: int = field(init=False)  # a bit for each of `seats`
    takes: Sequence[bytes] = field(init=False, repr=False, compare=False)  # see `takes_of`

    def __post_init__(self) -> None:
        object.__setattr__(self, "mask", sum(1 << seat for seat in self.seats))
        object.__setattr__(self, "takes", takes_of(self.mask))

    @property
    def text(self) -> str:
        return "team:" + "".join(map(str, self.seats))


def boxes_of(rules: RuleSet) -> tuple[tuple[str, ...], ...]:
    """The boxes of each row, by name; row 1 as for a full table."""
    return (
        tuple(map(str, range(max(rules.seats)))),
        tuple(discard.name for discard in rules.discards),
        tuple(rules.trumps),
        tuple(rules.supertrumps),
        tuple(map(str, rules.points)),
    )


def team_choices(rules: RuleSet, seats: int, first: int) -> tuple[Team, ...]:
    """The choices of the first player at a table of `seats` (SPEC 11.3, teams)."""
    sizes = {2: (), 3: (1, 2), 4: (2,), 5: (2, 3)}[seats]
    choices = []
    for size in sizes:
        for team in combinations(range(seats), size):
            if first not in team:
                continue
            others = tuple(seat for seat in range(seats) if seat not in team)
            smaller = min(team, others, key=len)
            holders = smaller if seats in rules.bonus_seats else (None,)
            choices += [Team(team, holder) for holder in holders]
    return tuple(choices)


class TrickActions(Actions):
    """The table of actions, with the facts that the engine needs of each."""

    def __init__(self, rules: RuleSet, deck: Deck):
        boxes = boxes_of(rules)
        cards = list(deck.names)
        tokens = [f"{row}:{box}" for row, names in zip(ROWS, boxes, strict=True) for box in names]
        self.first_box = len(cards)
        self.first_team = len(cards) + len(tokens)
        # The boxes of each row, and by action the index of its row, for bytes.translate.
        codes = iter(range(self.first_box, self.first_team))
        self.rows = tuple(bytes(islice(codes, len(names))) for names in boxes)
        row_of = {box: row for row, boxes in enumerate(self.rows) for box in boxes}
        self.row_of = bytes(row_of.get(action, NO_ROW) for action in range(256))
        texts = {}
        for seats in rules.seats:
            for first in range(seats):
                for team in team_choices(rules, seats, first):
                    # With three seats the bonus holder follows from the team.
                    starred = f"{team.text}*{team.bonus}" if seats == 5 else team.text
                    texts[starred] = (len(team.seats), team.seats, seats == 5, team.bonus)
        self.team_texts = sorted(texts, key=lambda text: (texts[text][:3], texts[text][3] or 0))
        groups = {"cards": range(self.first_box)}
        groups |= {
            row: range(boxes[0], boxes[-1] + 1) for row, boxes in zip(ROWS, self.rows, strict=True)
        }
        if self.team_texts:  # two play one against the other
            groups["teams"] = range(self.first_team, self.first_team + len(self.team_texts))
        super().__init__(cards + tokens + self.team_texts, groups)
        # By table size and first player: the code of each choice, ascending, and its team.
        self.teams: Mapping[tuple[int, int], Mapping[int, Team]] = {
            (seats, first): dict(
                sorted(
                    (
                        self.code(f"{team.text}*{team.bonus}" if seats == 5 else team.text),
                        team,
                    )
                    for team in team_choices(rules, seats, first)
                )
            )
            for seats in rules.seats
            for first in range(seats)
        }

    def codes(self, names: Sequence[str]) -> bytes:
        """The ints of several actions."""
        try:
            return bytes(map(self._codes.__getitem__, names))
        except KeyError:
            return bytes(map(self.code, names))  # raises for the one that is unknown, with a hint

    def boxes_at(self, seats: int) -> bytes:
        """The boxes open before the first token: row 1 has one for each seat."""
        return b"".join((self.rows[0][:seats], *self.rows[1:]))
