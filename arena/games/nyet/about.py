"""A trick-taking rule set about itself: options, endings, kinds of decisions, trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from arena.games.description import DecisionKind, Drawing, Trials
from arena.games.interface import View
from arena.games.nyet.rulesets import RuleSet
from arena.games.options import OneOf, Option, SeatOrLot, WholeNumber

if TYPE_CHECKING:
    from arena.games.nyet.state import TrickState

TARGET_CAP = 100  # rounds, when a match goes to a target and no cap is given [D7]

OPTIONS = (
    Option(
        "rounds",
        WholeNumber(off=True),
        None,
        f"the table's; {TARGET_CAP} with a `target`",
        "how many rounds a match has; with a `target`, at most so many",
    ),
    Option(
        "target",
        WholeNumber(off=True),
        None,
        "off",
        "the match ends after the first whole round in which anyone's total reaches this; "
        "then, too, most points win",
    ),
    Option(
        "scoring",
        OneOf(("full", "difference")),
        "full",
        "`full`",
        "`difference`: each member of the team with the higher round score gets the difference "
        "of the two, all others nothing",
    ),
    Option(
        "bonus",
        OneOf(("take", "score")),
        "take",
        "`take`",
        "what the bonus card doubles: its holder's own take inside the team's sum, or its "
        "holder's round score and nobody else's",
    ),
    Option("dealer", SeatOrLot(), None, "by lot", "who deals the first round"),
)

ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "rounds": "the last round was played",
        "target": "somebody's total reached the target",
    }
)

TRIALS = Trials(
    short={"rounds": 1},
    unusual={"rounds": 3, "target": 1, "scoring": "difference", "bonus": "score", "dealer": 1},
    long={"rounds": 2},
    sweep=(
        {"rounds": 2},
        {"rounds": 3, "scoring": "difference", "bonus": "score", "dealer": 1},
        {"rounds": 3, "target": 12, "scoring": "difference"},
        {"rounds": 2, "bonus": "score"},
    ),
)


def drawing(rules: RuleSet) -> Drawing:
    """Tricks on a table; cards of the low rank are loot, or marked where they are supertrumps, and
    hands are in the order of the colours."""
    details = {"low": str(rules.low), "colours": rules.colours}
    return Drawing("tricks", details, stage, in_short(rules))


def in_short(rules: RuleSet) -> tuple[str, ...]:
    suit = (
        "They count as trumps and no longer as cards of their colour"
        if rules.supertrump_joins_trump
        else "They still belong to their own colour"
    )
    bonus = (
        " With three and five players one holds the bonus card, and counts its own tricks and loot"
        " twice."
        if rules.bonus_seats
        else ""
    )
    negative = (
        f" With {min(rules.points)} all of this is negative, and nobody wants tricks."
        if min(rules.points) < 0
        else ""
    )
    return (
        "Before each round everybody in turn covers a box of a board, to say which rules the round "
        "shall not have. The box left open in each row is a rule of the round: who is the first "
        "player, how many cards everybody discards or passes, which colour is trump, which is the "
        "supertrump colour, and how many points a trick is worth.",
        "The first player says who play together in this round; all others are the other team. "
        "With two players it is one against the other.",
        "The first player leads. Everybody must follow the suit that was led, if they can; who "
        "cannot may play any card. A trick goes to the supertrump that was played last, else to "
        "the highest trump, else to the highest card of the suit that was led; among equal cards "
        "the one played last is the higher. Who takes the trick leads the next.",
        f"The supertrumps are the cards of rank {rules.low} in the supertrump colour. {suit}. All "
        f"other cards of rank {rules.low} are the weakest of their colour.",
        f"Loot is a card of rank {rules.low} in a trick that the other team takes, supertrumps "
        "too: it counts for whoever took the trick.",
        "At the end of a round the tricks and the loot of a team are counted together, times the "
        f"points of the round, and each member of the team gets that whole sum.{bonus}{negative} "
        "After the last round most points win.",
    )


def stage(state: TrickState) -> tuple[int, str]:
    return state.past.number, state.phase.word


def kinds(rules: RuleSet) -> tuple[DecisionKind, ...]:
    """The kinds of decisions, in the order of a round.

    A box of row 2 that is to stay open is left alone by the others, and so is the box that makes
    the seat the first player: that one chooses the teams.
    """
    passing = tuple(f"discard:{box.name}" for box in rules.discards if box.passes)
    discarding = tuple(
        f"discard:{box.name}" for box in rules.discards if box.cards and not box.passes
    )
    return (
        DecisionKind("tokens"),
        # Two play one against the other, and have no team to choose (SPEC 11.3.3).
        *([DecisionKind("team", left_alone=("first:{seat}",))] if max(rules.seats) > 2 else []),
        *([DecisionKind("discard", discarding, together=True)] if discarding else []),
        *([DecisionKind("pass", passing, together=True)] if passing else []),
        DecisionKind("lead"),
        DecisionKind("follow"),
    )


def kind_of(rules: RuleSet, view: View, legal: Sequence[str]) -> str:
    """The kind of a decision: its phase, divided further where bots must tell cases apart."""
    match view["phase"]:
        case "discard":
            passes = {box.name for box in rules.discards if box.passes}
            return "pass" if view["discard"] in passes else "discard"
        case "play":
            return "follow" if 0 < len(view["tricks"][-1]) < view["seats"] else "lead"
        case phase:
            return str(phase)
