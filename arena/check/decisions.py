"""Matches in which a bot meets every kind of decision: real matches, from the deal on.

No position is made up: a bot that follows the match from its start sees only views that follow
from each other. The other seats play at random; they can be told to avoid some actions, so that
the wanted decision comes soon.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.games import GAMES, DecisionKind, Options, Outcome, State, View

# Deals to try for one that begins with a rare kind of decision: in NOPE! about one deal in fifty
# opens with a four-coloured select, and then one seat of six is asked.
MOST_DEALS = 2_000
# Deals to try for the one with the longest first list of actions; each takes 0.1 ms.
DEALS_FOR_LISTS = 500


@dataclass(frozen=True)
class Decision:
    """A decision that the bot is asked for."""

    view: View
    legal: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Setting:
    """A match to be played with a bot at one seat."""

    game: str
    seats: int
    seat: int
    seed: bytes
    options: Options
    left_alone: frozenset[str] = frozenset()  # actions the others avoid while they can

    def __str__(self) -> str:
        return f"{self.game} with {self.seats} seats, seat {self.seat}"


class Table:
    """A match in progress; everything but the bot's seat plays by itself."""

    def __init__(self, setting: Setting):
        self.setting = setting
        self.game = GAMES[setting.game]
        self.state: State = self.game.deal(setting.seats, setting.seed, setting.options)
        self.rng = random.Random(setting.seed)

    def __repr__(self) -> str:
        return f"<Table {self.setting}: {self.state!r}>"

    def next(self) -> Decision | None:
        """Play the others until the bot owes a decision; None: the match is over."""
        names = self.game.actions.names
        while to_act := self.state.to_act():
            seat = to_act[0]
            legal = tuple(names[code] for code in self.state.legal(seat))
            if seat == self.setting.seat:
                view = self.state.view(seat)
                return Decision(view, legal, self.game.kind_of(view, legal))
            liked = [each for each in legal if each not in self.setting.left_alone]
            self.play(self.rng.choice(liked or legal), seat)
        return None

    def play(self, action: str, seat: int | None = None) -> None:
        """Play an action of the bot, or of another seat."""
        seat = self.setting.seat if seat is None else seat
        self.state.apply(seat, self.game.actions.code(action))

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome()


def every_size(game: str, sizes: Sequence[int] = ()) -> Iterator[Setting]:
    """Yield a short match for each size of table. `sizes`: only these, here and below."""
    for seats in sizes or GAMES[game].seats:
        yield Setting(game, seats, seats // 2, _seed(game, "size", seats), _short(game))


def short(game: str, seats: int = 0, number: int = 0) -> Setting:
    """Return a short match. `seats`: 0 is the smallest table. `number`: picks seed and seat."""
    seats = seats or GAMES[game].seats[0]
    return Setting(game, seats, number % seats, _seed(game, "short", number), _short(game))


def other_options(game: str, sizes: Sequence[int] = ()) -> Setting:
    """Return a short match with options that are not the defaults."""
    seats = (sizes or GAMES[game].seats)[-1]
    return Setting(game, seats, 0, _seed(game, "options", seats), GAMES[game].trials.unusual)


def largest(game: str, sizes: Sequence[int] = ()) -> Setting:
    """Return a long match at the largest table: the views at its end are the largest there are."""
    seats = (sizes or GAMES[game].seats)[-1]
    seed = _seed(game, "largest", seats)
    return Setting(game, seats, seats - 1, seed, GAMES[game].trials.long)


def reaching(kind: DecisionKind, game: str, attempt: int, sizes: Sequence[int] = ()) -> Setting:
    """Return a match in which the bot is likely to meet this kind of decision soon."""
    seats = (sizes or GAMES[game].seats)[-1]
    if kind.is_rare:
        deals = deals_of(game, attempt * MOST_DEALS, MOST_DEALS, seats)
        return next((deal for deal in deals if begins_with(deal, kind)), short(game, seats))
    seat = attempt % seats
    left_alone = frozenset(action.format(seat=seat) for action in kind.left_alone)
    return Setting(game, seats, seat, _seed(game, kind.name, attempt), _short(game), left_alone)


def longest_list(game: str, sizes: Sequence[int] = ()) -> Setting:
    """Return a match that begins with a list of legal actions as long as can be found."""
    seats = (sizes or GAMES[game].seats)[-1]
    return max(deals_of(game, 0, DEALS_FOR_LISTS, seats), key=first_length)


def deals_of(game: str, first: int, count: int, seats: int) -> Iterator[Setting]:
    """Yield `count` deals at a table of this size, numbered from `first`."""
    for number in range(first, first + count):
        seed = _seed(game, "beginning", number)
        yield Setting(game, seats, number % seats, seed, _short(game))


def begins_with(deal: Setting, kind: DecisionKind) -> bool:
    """Return True if the first decision of the bot is of this kind."""
    first = Table(deal).next()
    return first is not None and first.kind == kind.name


def first_length(deal: Setting) -> int:
    """Return the number of legal actions at the bot's first decision; 0 if it has none."""
    first = Table(deal).next()
    return len(first.legal) if first is not None else 0


def _short(game: str) -> Options:
    return GAMES[game].trials.short


def _seed(*words: object) -> bytes:
    """Return a seed that is the same in every check, so that a finding can be repeated."""
    return " ".join(map(str, ("check", *words))).encode()
