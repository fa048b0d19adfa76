"""Matches in which a bot meets every kind of decision: real ones, from the deal on.

Nothing is made up: a bot that follows the match from its start sees nothing that could not
be. The others play at random, but for what they may be asked to leave alone, so that what is
wanted comes soon.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from arena.games import GAMES, Outcome, State, View

# How many deals are tried for one that begins with what is wanted: a four-coloured select is
# opened in one of some fifty, and the first seat is asked then.
MOST_DEALS = 2_000


@dataclass(frozen=True)
class Decision:
    """What the bot is asked."""

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
    options: Mapping[str, object] = field(default_factory=dict)
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
                return Decision(view, legal, kind_of(view, legal))
            liked = [each for each in legal if each not in self.setting.left_alone]
            self.play(self.rng.choice(liked or legal), seat)
        return None

    def play(self, action: str, seat: int | None = None) -> None:
        """The bot's action, or another seat's."""
        seat = self.setting.seat if seat is None else seat
        self.state.apply(seat, self.game.actions.code(action))

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome()


def kind_of(view: View, legal: tuple[str, ...]) -> str:
    """What kind of decision it is: the phase, told finer where a bot must."""
    match view["phase"]:
        case "discard" if not view["discard"][0].isdigit():
            return "pass"
        case "play":
            return "follow" if view["tricks"] and is_begun(view) else "lead"
        case "lay" if "draw" in legal:
            return "draw"
        case "lay" if any(action.endswith("!") for action in legal):
            return "action card alone"
        case "choose" if legal[0][-1].isalpha():
            return "choose, with a colour"
        case phase:
            return str(phase)


def is_begun(view: View) -> bool:
    """A card lies in the present trick."""
    return 0 < len(view["tricks"][-1]) < int(view["seats"])


_TRICKS = ("tokens", "team", "discard", "lead", "follow")
_PASSING = (*_TRICKS, "pass")
KINDS: Mapping[str, tuple[str, ...]] = {
    "nyet": _PASSING,
    "njet": _PASSING,
    "njet-it": _TRICKS,
    "nope": ("lay", "draw", "action card alone", "set", "choose", "choose, with a colour"),
}
# What the others leave alone, so that a kind comes up: boxes of the board, here, stay open.
_LEFT_OPEN: Mapping[str, tuple[str, ...]] = {
    "pass": ("discard:left1", "discard:right2"),
    "discard": ("discard:1", "discard:2", "discard:1x", "discard:2x"),
}
_SHORT: Mapping[str, Mapping[str, object]] = {"nope": {"max_turns": 60}}
_OTHERWISE: Mapping[str, Mapping[str, object]] = {"nope": {"actions": False, "hand": 3}}
_LONG: Mapping[str, Mapping[str, object]] = {"nope": {"hand": 16, "max_turns": 150}}
_ONE_ROUND: Mapping[str, object] = {"rounds": 1}
_OTHER_SCORING: Mapping[str, object] = {
    "rounds": 3,
    "target": 1,
    "scoring": "difference",
    "bonus": "score",
    "dealer": 1,
}


def every_size(game: str) -> Iterator[Setting]:
    """A short match at each size of table."""
    for seats in GAMES[game].seats:
        options = _SHORT.get(game, _ONE_ROUND)
        yield Setting(game, seats, seats // 2, _seed(game, "size", seats), options)


def short(game: str, seats: int = 0, number: int = 0) -> Setting:
    """A short match, the smallest table unless asked otherwise."""
    seats = seats or GAMES[game].seats[0]
    options = _SHORT.get(game, _ONE_ROUND)
    return Setting(game, seats, number % seats, _seed(game, "short", number), options)


def other_options(game: str) -> Setting:
    """A short match with options that are not the defaults."""
    seats = GAMES[game].seats[-1]
    options = _OTHERWISE.get(game, _OTHER_SCORING)
    return Setting(game, seats, 0, _seed(game, "options", seats), options)


def largest(game: str) -> Setting:
    """The largest table and a long match: the views of its end are the largest there are."""
    seats = GAMES[game].seats[-1]
    options = _LONG.get(game, {"rounds": 2})
    return Setting(game, seats, seats - 1, _seed(game, "largest", seats), options)


def reaching(kind: str, game: str, attempt: int) -> Setting:
    """A match in which the bot is likely to meet this kind of decision soon."""
    if kind.startswith("choose"):
        return beginning_with(lambda first: first.kind == kind, game, attempt)
    seats = GAMES[game].seats[-1]
    seat = attempt % seats
    # Only the first player is asked for a team: the bot's box is to be the one that stays open.
    wanted = (f"first:{seat}",) if kind == "team" else _LEFT_OPEN.get(kind, ())
    seed = _seed(game, kind, attempt)
    return Setting(game, seats, seat, seed, _SHORT.get(game, _ONE_ROUND), frozenset(wanted))


def longest_list(game: str) -> Setting:
    """A match that begins with as long a list of legal actions as a first decision may have."""
    most = 20 if game != "nope" else 60
    return beginning_with(lambda first: len(first.legal) >= most, game, 0)


def beginning_with(is_it: Callable[[Decision], bool], game: str, attempt: int) -> Setting:
    """A deal at the largest table that begins with such a decision of the bot's."""
    seats = GAMES[game].seats[-1]
    setting = None
    for number in itertools.islice(itertools.count(attempt * MOST_DEALS), MOST_DEALS):
        seed = _seed(game, "beginning", number)
        setting = Setting(game, seats, number % seats, seed, _SHORT.get(game, _ONE_ROUND))
        first = Table(setting).next()
        if first is not None and is_it(first):
            return setting
    assert setting is not None
    return setting


def _seed(*words: object) -> bytes:
    """The same matches in every check, so that a finding can be found again."""
    return " ".join(map(str, ("check", *words))).encode()
