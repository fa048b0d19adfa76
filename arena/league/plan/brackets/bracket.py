"""The bracket as it stands: each round and tie, worked out from the sets and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.brackets.shape import RoundShape, TieShape, shape
from arena.league.plan.brackets.tie import Tie
from arena.league.plan.format import Basis, Past, Results


@dataclass(frozen=True)
class BracketBot:
    """A bot of a tie; while its tie before is not decided, `name` and `seed` are None."""

    place: int  # in its round, from 1
    name: str | None
    seed: int | None
    points: float = 0.0  # over the sets of the tie
    sets_won: int = 0
    is_out: bool = False  # benched, retired or replaced
    goes_on: bool | None = None  # None: not decided


@dataclass(frozen=True)
class BracketTie:
    """A tie: its bots, best first once it is decided, before by points."""

    bots: tuple[BracketBot, ...]
    goes_on: int  # how many
    next_places: tuple[int, ...]  # in the next round, of those that go on
    sets: tuple[int, ...]  # the numbers of those that count
    played: int  # how many of these are complete
    why: str | None  # the reason why it is decided; None if it is not

    @property
    def names(self) -> list[str]:
        """The bots that are known and can play."""
        return [bot.name for bot in self.bots if bot.name is not None and not bot.is_out]


@dataclass(frozen=True)
class BracketRound:
    """A round. `byes`: names of those that go on without playing; empty while unknown."""

    byes: tuple[str, ...]
    ties: tuple[BracketTie, ...]

    @property
    def is_decided(self) -> bool:
        return all(tie.why is not None for tie in self.ties)


@dataclass(frozen=True)
class Bracket:
    """All rounds, the final last."""

    rounds: tuple[BracketRound, ...]
    champion: str | None

    @property
    def current(self) -> tuple[int, BracketRound] | None:
        """The number and the round that is played; None if all are decided."""
        return next(
            ((at, each) for at, each in enumerate(self.rounds, 1) if not each.is_decided), None
        )


def bracket_of(past: Past, results: Results, terms: LeagueTerms) -> Bracket:
    """Return the bracket of the bots that took part when the first set was planned; before that, of
    those that take part now. Needs as many bots as seats."""
    bots = past.decisions[0].bots if past.decisions else past.bots
    seeds = {name: seed for seed, (name, _) in enumerate(bots, 1)}
    places: dict[int, str] | None = {seed: name for name, seed in seeds.items()}
    decisions = list(past.by_decision())
    left_out = past.left_out
    rounds = []
    for each in shape(len(bots), terms.seats):
        if places is None:
            rounds.append(_unknown(each))
            continue
        tables = [{places[place] for place in tie.places if place in places} for tie in each.ties]
        own = _take(decisions, tables)
        # A bot that left after the next round was drawn has not lost its place in this one.
        then = decisions[0][0].bots if decisions else past.bots
        active = {name for name, _ in then}
        ties = []
        following = {place: places[place] for place in range(1, each.byes + 1) if place in places}
        for tie, table in zip(each.ties, tables, strict=True):
            sets = [one for one in own if set(one.line_up) == table and one.number not in left_out]
            state = Tie(
                {name: seeds[name] for name in places.values() if name in table},
                active,
                tuple(results[one.number] for one in sets if one.number in results),
                terms.seats,
                len(tie.next_places),
                terms.most_sets_per_tie,
            )
            is_over = all(one.number in results for one in sets)
            ties.append(_tie(tie, state, places, sets, state.decided if is_over else None))
            following.update(
                (place, bot.name)
                for place, bot in zip(tie.next_places, state.order, strict=False)
                if not bot.is_out
            )
        byes = tuple(places[place] for place in range(1, each.byes + 1) if place in places)
        rounds.append(BracketRound(byes, tuple(ties)))
        places = following if rounds[-1].is_decided else None
    return Bracket(tuple(rounds), None if places is None else places.get(1))


def _take(
    decisions: list[tuple[Basis, Sequence[PlannedSet]]], tables: Sequence[set[str]]
) -> list[PlannedSet]:
    """Remove the decisions of a round from the front, and return their sets.

    No table of one round meets again as a whole: one of its bots at least has not gone on.
    """
    taken: list[PlannedSet] = []
    while decisions and any(set(one.line_up) in tables for one in decisions[0][1]):
        taken += decisions.pop(0)[1]
    return taken


def _tie(
    tie: TieShape,
    state: Tie,
    places: Mapping[int, str],
    sets: Sequence[PlannedSet],
    why: str | None,
) -> BracketTie:
    place_of = {name: place for place, name in places.items()}
    through = [bot.name for bot in state.order if not bot.is_out][: state.goes_on]
    bots = tuple(
        BracketBot(
            place_of[bot.name],
            bot.name,
            bot.seed,
            bot.points,
            bot.sets_won,
            bot.is_out,
            None if why is None else bot.name in through,
        )
        for bot in state.order
    )
    numbers = tuple(one.number for one in sets)
    return BracketTie(bots, state.goes_on, tie.next_places, numbers, len(state.results), why)


def _unknown(each: RoundShape) -> BracketRound:
    return BracketRound(
        (),
        tuple(
            BracketTie(
                tuple(BracketBot(place, None, None) for place in tie.places),
                len(tie.next_places),
                tie.next_places,
                (),
                0,
                None,
            )
            for tie in each.ties
        ),
    )
