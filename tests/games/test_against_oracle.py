"""Every engine beside the oracle: the same match on both, compared at every decision.

A difference is reported with all that is needed to see it again: rule set, seats, seed,
options and the moves so far.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import pytest

from arena.games import GAMES
from arena.games.errors import RefusedAction
from arena.games.interface import State, View
from arena.games.nyet.rulesets import RULE_SETS
from tests.oracle import NopeMatch, TrickMatch, actions, deal
from tests.oracle.nope import is_action, is_see_through, is_select
from tests.oracle.trick import BOOKLETS, Booklet, in_order, is_legal_discard, number_to_give

Oracle: TypeAlias = TrickMatch | NopeMatch
Taste: TypeAlias = Callable[[str], float]  # how much a player likes an action

# The trick-taking rule sets, each of which needs an oracle here, and NOPE!.
NAMES = (*(rules.name for rules in RULE_SETS), "nope")
TABLES = [(name, seats) for name in NAMES for seats in GAMES[name].seats]

QUICK = {"nyet": 10, "njet": 10, "njet-it": 15, "nope": 40}  # matches at each table
LARGE = {"nyet": 200, "njet": 200, "njet-it": 500, "nope": 600}


@dataclass(frozen=True)
class Case:
    """One match: everything that settles it."""

    name: str
    seats: int
    options: dict[str, Any]  # Any: values of an option are of many types
    number: int  # of the case; the match's seed, the players and their moves follow from it

    @property
    def seed(self) -> bytes:
        return f"{self.name} {self.seats} {self.number}".encode()


# ---- what is compared -----------------------------------------------------------------------


def compare_views(view: View, oracle: Oracle, seat: int | None) -> None:
    """Every field of a view, worked out from the oracle."""
    if isinstance(oracle, TrickMatch):
        facts = trick_facts(oracle, seat)
    else:
        facts = nope_facts(oracle, seat)
    for name, fact in facts.items():
        assert view[name] == fact, f"view({seat})[{name!r}]"
    assert set(view) == set(facts), "fields the oracle does not know"


def trick_facts(oracle: TrickMatch, seat: int | None) -> dict[str, object]:
    """What a view of a trick game says."""
    in_play = oracle.phase in ("tricks", "over")
    is_settled = oracle.phase != "tokens"
    settled = oracle.settled() if is_settled else {}
    teams = oracle.teams()
    tricks = list(oracle.finished_tricks)
    if oracle.phase == "tricks":
        tricks.append(oracle.trick)
    facts: dict[str, object] = {
        "game": oracle.booklet.name,
        "options": oracle.options(),
        "seats": oracle.seats,
        "seat": seat,
        "round": oracle.round + 1,
        "rounds": oracle.rounds,
        "phase": "play" if oracle.phase == "tricks" else oracle.phase,
        "dealer": oracle.dealer,
        "turn": oracle.turn if oracle.phase in ("tokens", "team", "tricks") else None,
        "scores": oracle.scores,
        "hand": None,
        "given": None,
        "received": None,
        "hand_sizes": [len(hand) for hand in oracle.hands],
        "open": [box for boxes in oracle.open_boxes.values() for box in boxes],
        "tokens": oracle.covered(),
        "first_token": oracle.first_to_place(),
        "first": int(settled["first"]) if is_settled else None,
        "discard": settled.get("discard"),
        "trump": settled.get("trump"),
        "supertrump": settled.get("supertrump"),
        "points": int(settled["points"]) if is_settled else None,
        "team": teams[0] if teams else None,
        "bonus": oracle.bonus,
        "tricks": [[card for _, card in trick] for trick in tricks] if in_play else [],
        "leaders": [trick[0][0] if trick else oracle.turn for trick in tricks] if in_play else [],
        "tricks_won": oracle.tricks,
        "loot": oracle.loot,
        "previous": previous_round(oracle),
    }
    if seat is not None:
        facts["hand"] = oracle.hand(seat)
        if oracle.phase == "discard":
            facts["hand"] = oracle.kept(seat)
        facts["given"] = oracle.given[seat]
        facts["received"] = oracle.received[seat]
    return facts


def previous_round(oracle: TrickMatch) -> dict[str, object] | None:
    if not oracle.finished_rounds:
        return None
    finished = oracle.finished_rounds[-1]
    return {
        "round": len(oracle.finished_rounds),
        "dealer": finished.dealer,
        "first": int(finished.settled["first"]),
        "discard": finished.settled["discard"],
        "trump": finished.settled["trump"],
        "supertrump": finished.settled["supertrump"],
        "points": int(finished.settled["points"]),
        "team": finished.team,
        "bonus": finished.bonus,
        "tricks_won": finished.tricks,
        "loot": finished.loot,
        "scored": finished.scores,
        "last_leader": finished.last_trick[0][0],
        "last_trick": [card for _, card in finished.last_trick],
        "last_winner": finished.last_winner,
    }


def nope_facts(oracle: NopeMatch, seat: int | None) -> dict[str, object]:
    """What a view of NOPE! says."""
    demand = None if oracle.is_over else oracle.demand()
    begun = oracle.begun if seat == oracle.turn else []
    phase = "over" if oracle.is_over else "choose" if oracle.choosing else "lay"
    outcome = oracle.outcome()
    facts: dict[str, object] = {
        "game": "nope",
        "options": oracle.options(),
        "seats": oracle.seats,
        "seat": seat,
        "phase": "set" if begun else phase,
        "dealer": oracle.dealer,
        "turn": None if oracle.is_over else oracle.turn,
        "turns": oracle.turns_taken,
        "hand": None if seat is None else oracle.hand(seat),
        "chosen": begun,
        "hand_sizes": [len(hand) for hand in oracle.hands],
        "demand": None,
        "choice": None,
        "discard": oracle.discard(),
        "draw_pile": oracle.draw_pile_size(),
        "out": oracle.out,
        "drew": 0 if oracle.is_over else oracle.drawn,
        "recent": [turns[-4:] for turns in oracle.history],
        "places": outcome[1] if outcome else None,
        "ending": oracle.ending(),
    }
    if seat is not None and begun:
        facts["hand"] = oracle.kept(seat)
    if demand is not None:
        facts["demand"] = {"count": demand.count, "colours": "".join(demand.colours)}
        if demand.by is not None:
            facts["choice"] = {"by": demand.by, "to": demand.to}
    return facts


def compare(engine: State, oracle: Oracle, name: str, lookers: Sequence[int | None]) -> None:
    """Who acts, what everyone may do, what the lookers see, and whether it is over."""
    assert list(engine.to_act()) == oracle.to_act(), "to_act"
    for seat in range(oracle.seats):
        legal = [GAMES[name].actions.name(code) for code in engine.legal(seat)]
        assert legal == oracle.legal(seat), f"legal({seat})"
    for looker in lookers:
        compare_views(engine.view(looker), oracle, looker)
    ours, theirs = engine.outcome(), oracle.outcome()
    if theirs is None:
        assert ours is None, "outcome before the end"
    else:
        assert ours is not None, "no outcome at the end"
        assert (list(ours.scores), list(ours.places)) == theirs, "outcome"
        assert ours.ending == oracle.ending(), "ending"


# ---- players --------------------------------------------------------------------------------


def boxes_to_keep(oracle: TrickMatch, rng: random.Random) -> list[str]:
    """One box of each row; a table of players who leave these open reaches rare boards."""
    rare = {"discard": ["1x", "2x", "left1", "right2"], "trump": ["-"], "points": ["-2"]}
    kept = []
    for row, boxes in oracle.open_boxes.items():
        wanted = [box for box in boxes if box.split(":")[1] in rare.get(row, [])]
        kept.append(rng.choice(wanted if wanted and rng.random() < 0.5 else boxes))
    return kept


def trick_taste(oracle: TrickMatch, rng: random.Random) -> Taste:
    """Keeps its boxes open; likes low cards, or dislikes them, or neither."""
    kept = boxes_to_keep(oracle, rng)
    low = str(oracle.booklet.low)
    fondness = rng.choice([0.05, 1.0, 20.0])

    def taste(action: str) -> float:
        if ":" in action:
            return 0.001 if action in kept else 1.0
        return fondness if action[1:] == low else 1.0

    return taste


def nope_taste(oracle: NopeMatch, rng: random.Random) -> Taste:
    """Likes one thing and takes it where it can."""
    loves: Callable[[str], bool] = rng.choice(
        [
            lambda action: False,
            lambda action: action == "draw",
            lambda action: action.endswith("!"),
            lambda action: is_action(action) and not action.endswith("!"),
            lambda action: is_select(action),
            lambda action: is_see_through(action),
            lambda action: action.startswith("S*"),
            lambda action: action == "draw" or (action.startswith("to") and ":3" in action),
            lambda action: action.startswith("to") and ":1" in action,
            lambda action: action != "draw" and not is_action(action),
        ]
    )
    return lambda action: 30.0 if loves(action) else 1.0


def pick(oracle: Oracle, seat: int, taste: Taste, rng: random.Random) -> str:
    legal = oracle.legal(seat)
    return rng.choices(legal, weights=[taste(action) for action in legal])[0]


# ---- cases ----------------------------------------------------------------------------------


def trick_options(seats: int, rng: random.Random) -> dict[str, Any]:
    """Any mix of them; long matches seldom, because rounds differ little."""
    options: dict[str, Any] = {}
    if rng.random() < 0.9:
        options["rounds"] = rng.choice([1, 1, 2, 3])
    if rng.random() < 0.3:
        options["target"] = rng.randint(1, 40)
        options["rounds"] = rng.choice([2, 4, 6])
    if rng.random() < 0.6:
        options["scoring"] = rng.choice(["full", "difference"])
    if rng.random() < 0.6:
        options["bonus"] = rng.choice(["take", "score"])
    if rng.random() < 0.5:
        options["dealer"] = rng.choice([None, *range(seats)])
    return options


def nope_options(seats: int, rng: random.Random) -> dict[str, Any]:
    """Small hands let players go out, huge ones empty the draw pile, a cap stops matches."""
    options: dict[str, Any] = {}
    if rng.random() < 0.25:
        options["actions"] = rng.random() < 0.5
    most = (104 if options.get("actions", True) else 90) - 1
    size = rng.random()
    if size < 0.3:
        options["hand"] = rng.choice([1, 2, 3, 4])
    elif size < 0.45:
        options["hand"] = [rng.randint(1, 9) for _ in range(seats)]
    elif size < 0.55:
        options["hand"] = most // seats - rng.choice([0, 0, 1, 2])
    elif size < 0.65:
        # Nothing is left to draw: one hand has whatever the others leave.
        others = [rng.randint(1, most // seats) for _ in range(seats - 1)]
        options["hand"] = [most - sum(others), *others]
    options["max_turns"] = rng.choice([1, 2, 5, 20, 60, 120, 250])
    if rng.random() < 0.05:
        del options["max_turns"]
    return options


def cases(name: str, seats: int, numbers: range) -> Iterator[Case]:
    some_options = nope_options if name == "nope" else trick_options
    for number in numbers:
        rng = random.Random(f"{name} {seats} {number} options")
        yield Case(name, seats, some_options(seats, rng) if number else {}, number)


# ---- matches --------------------------------------------------------------------------------


def play_both(case: Case, reached: Counter[str]) -> None:
    """The whole match on engine and oracle; AssertionError at the first difference."""
    rng = random.Random(f"{case} moves")
    code_of = GAMES[case.name].actions.code
    engine = GAMES[case.name].deal(case.seats, case.seed, case.options)
    oracle = deal(case.name, case.seats, case.seed, case.options)
    everyone = [*range(case.seats), None]
    # A view must not depend on whether anybody looked before, so some matches are watched less.
    attention = rng.choice([1.0, 0.5, 0.1])
    tastes = some_tastes(oracle, rng)
    moves: list[str] = []
    try:
        compare(engine, oracle, case.name, everyone)
        while oracle.to_act():
            if rng.random() < 0.05:
                refuse(engine, oracle, case.name, rng)
            if rng.random() < 0.05:
                engine = stray(engine, rng)
            seat = rng.choice(oracle.to_act())
            action = pick(oracle, seat, tastes[seat], rng)
            moves.append(f"{seat} {action}")
            reached.update(noteworthy(oracle, seat, action))
            rounds_before = finished_rounds(oracle)
            engine.apply(seat, code_of(action))
            oracle.apply(seat, action)
            if finished_rounds(oracle) != rounds_before:
                tastes = some_tastes(oracle, rng)
            lookers = [looker for looker in everyone if rng.random() < attention]
            compare(engine, oracle, case.name, lookers)
        compare(engine, oracle, case.name, everyone)
        reached.update(noteworthy_at_the_end(oracle))
    except Exception as error:
        tail = ", ".join(moves[-12:])
        error.add_note(f"{case}, after {len(moves)} moves, the last: {tail}\n{oracle!r}")
        raise


def finished_rounds(oracle: Oracle) -> int:
    return len(oracle.finished_rounds) if isinstance(oracle, TrickMatch) else 0


def some_tastes(oracle: Oracle, rng: random.Random) -> list[Taste]:
    """One for the whole table, or one for each seat."""
    if isinstance(oracle, TrickMatch):
        return [trick_taste(oracle, rng)] * oracle.seats
    if rng.random() < 0.4:
        return [nope_taste(oracle, rng)] * oracle.seats
    return [nope_taste(oracle, rng) for _ in range(oracle.seats)]


def refuse(engine: State, oracle: Oracle, name: str, rng: random.Random) -> None:
    """What the oracle forbids, the engine refuses, and is as it was before."""
    seat = rng.randrange(oracle.seats)
    code = rng.randrange(len(GAMES[name].actions))
    if GAMES[name].actions.name(code) in oracle.legal(seat):
        return
    with pytest.raises(RefusedAction):
        engine.apply(seat, code)
    compare(engine, oracle, name, range(oracle.seats))


def stray(engine: State, rng: random.Random) -> State:
    """Play a little on one of two copies, and go on with the other."""
    strayed, kept = engine.copy(), engine
    if rng.random() < 0.5:
        strayed, kept = kept, strayed
    for _ in range(8):
        if strayed.to_act():
            seat = rng.choice(strayed.to_act())
            strayed.apply(seat, rng.choice(strayed.legal(seat)))
            strayed.view(seat)
    return kept


# ---- rare positions -------------------------------------------------------------------------


def noteworthy(oracle: Oracle, seat: int, action: str) -> Iterator[str]:
    """What is rare about this decision, so that a sweep can show that it got there."""
    if isinstance(oracle, TrickMatch):
        yield from noteworthy_in_tricks(oracle, seat, action)
    else:
        yield from noteworthy_in_nope(oracle, seat, action)


def noteworthy_in_tricks(oracle: TrickMatch, seat: int, action: str) -> Iterator[str]:
    if oracle.phase == "team":
        for row, word in oracle.settled().items():
            if row != "first":
                yield f"{oracle.booklet.name} {row}:{word}"
    if oracle.phase == "tricks" and oracle.trick:
        settled = oracle.settled()
        led = oracle.trick[0][1]
        low = str(oracle.booklet.low)
        if led == settled["supertrump"] + low:
            yield f"{oracle.booklet.name} supertrump led"
            if settled["trump"] == settled["supertrump"]:
                yield f"{oracle.booklet.name} supertrump led in the colour of trump"


def noteworthy_at_the_end(oracle: Oracle) -> Iterator[str]:
    if isinstance(oracle, TrickMatch):
        name = oracle.booklet.name
        yield f"{name} ended by {oracle.ending()}"
        if oracle.target == max(oracle.scores):
            yield f"{name} target reached exactly"
    else:
        yield f"ended by {oracle.ending()}"
        held = [len(oracle.hands[seat]) for seat in oracle.in_game()]
        if len(set(held)) < len(held):
            yield "stopped with a tie"


def noteworthy_in_nope(oracle: NopeMatch, seat: int, action: str) -> Iterator[str]:
    top = oracle.pile[-1]
    if oracle.choosing is not None:
        if oracle.turns_taken == 0:
            yield "first card a select"
        if oracle.choosing is not top:
            yield "choice for a select under a see-through of the same set"
        if seat in oracle.out:
            yield "choice by a player who went out"
        return
    if oracle.turns_taken == 0:
        yield f"first card {oracle.discard()[0][0]}"
    if is_see_through(top.card):
        yield "demand through a see-through"
        if len(oracle.pile) > 1 and is_see_through(oracle.pile[-2].card):
            yield "demand through two see-throughs"
        if top.carried is not None:
            yield "demand of a see-through that stayed at a reshuffle"
        if len(oracle.pile) > 1 and oracle.pile[-2].carried is not None:
            yield "see-through on a card that stayed at a reshuffle"
    if is_select(top.card) and top.carried is not None:
        yield "demand of a select that stayed at a reshuffle"
    if action == "draw":
        drawn = 2 if oracle.seats == 2 else 1
        if len(oracle.draw_pile) < drawn:
            yield "draw pile empty" if len(oracle.pile) > 1 else "nothing to draw"
        if 0 < len(oracle.draw_pile) < drawn:
            yield "reshuffle between two cards"
    if oracle.has_drawn and action.endswith("!"):
        yield "action card after a draw"
    if len(oracle.out) > 1:
        yield "several out"


def rare_in_tricks(booklet: Booklet) -> set[str]:
    """Every box of rows 2 to 5 left open, each supertrump led, each ending."""
    name = booklet.name
    rows = {
        "discard": booklet.discard,
        "trump": booklet.trump,
        "supertrump": booklet.supertrump,
        "points": booklet.points,
    }
    return {
        *(f"{name} {row}:{box}" for row, boxes in rows.items() for box in boxes),
        *(f"{name} supertrump led", f"{name} supertrump led in the colour of trump"),
        *(f"{name} ended by rounds", f"{name} ended by target", f"{name} target reached exactly"),
    }


RARE: dict[str, set[str]] = {
    **{name: rare_in_tricks(booklet) for name, booklet in BOOKLETS.items()},
    "nope": {
        "first card a select",
        "first card T",
        "first card X",
        "first card J",
        "choice for a select under a see-through of the same set",
        "choice by a player who went out",
        "demand through a see-through",
        "demand through two see-throughs",
        "demand of a see-through that stayed at a reshuffle",
        "see-through on a card that stayed at a reshuffle",
        "demand of a select that stayed at a reshuffle",
        "draw pile empty",
        "nothing to draw",
        "reshuffle between two cards",
        "action card after a draw",
        "several out",
        "ended by last",
        "ended by turns",
        "stopped with a tie",
    },
}


# ---- hands that chance never deals ------------------------------------------------------------


def first_view_of(name: str, discard: str) -> View:
    """What somebody of five sees who is about to discard like this."""
    state = GAMES[name].deal(5, b"discards", {})
    rng = random.Random(1)
    view = state.view(state.to_act()[0])
    while view["phase"] != "discard":
        seat = state.to_act()[0]
        legal = [GAMES[name].actions.name(code) for code in state.legal(seat)]
        kept = [action for action in legal if action != f"discard:{discard}"]
        state.apply(seat, GAMES[name].actions.code(rng.choice(kept or legal)))
        view = state.view(state.to_act()[0])
    assert view["discard"] == discard
    return view


def whole_discards(state: State, seat: int, name: str) -> set[tuple[str, ...]]:
    """Every set of cards that can be chosen, whatever the order."""
    found = set()
    for code in state.legal(seat):
        then = state.copy()
        then.apply(seat, code)
        card = GAMES[name].actions.name(code)
        if seat in then.to_act():
            found |= {tuple(sorted([card, *more])) for more in whole_discards(then, seat, name)}
        else:
            found.add((card,))
    return found


# ---- the tests ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_set_is_left_out_of_the_comparison(name: str) -> None:
    """Without an entry the tests below would have nothing to play, and pass."""
    for table, words in (
        (RARE, "give it a Booklet in tests/oracle/trick.py, from which RARE is made"),
        (QUICK, "say in QUICK how many matches of it are compared at each table"),
        (LARGE, "say in LARGE how many more are compared by the slow test"),
    ):
        assert name in table, f"{name} has no entry: {words}"
    assert RARE[name]
    assert QUICK[name] > 0
    assert LARGE[name] > 0


@pytest.mark.parametrize("name", NAMES)
def test_engine_and_oracle_know_the_same_actions_in_the_same_order(name: str) -> None:
    assert list(GAMES[name].actions.names) == actions(name)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_engine_and_oracle_agree(name: str, seats: int) -> None:
    reached: Counter[str] = Counter()
    for case in cases(name, seats, range(QUICK[name])):
        play_both(case, reached)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_engine_and_oracle_agree_in_rare_positions(name: str) -> None:
    """Many more matches; and they do get to all that is rare."""
    reached: Counter[str] = Counter()
    for table, seats in TABLES:
        if table == name:
            for case in cases(name, seats, range(QUICK[name], QUICK[name] + LARGE[name])):
                play_both(case, reached)
    assert RARE[name] - set(reached) == set()


@pytest.mark.parametrize("others", [[], ["B9"], ["R5", "B9"], ["R5", "B3", "B9"]])
@pytest.mark.parametrize(("name", "discard", "low"), [("nyet", "1x", 1), ("njet", "2x", 0)])
def test_engine_and_oracle_agree_where_low_cards_must_go(
    name: str, discard: str, low: int, others: list[str]
) -> None:
    """[D5] A hand of nothing but low cards and these, which no seed is likely to deal."""
    booklet = BOOKLETS[name]
    lows = [f"{letter}{low}" for letter in booklet.colours for _ in range(3)]
    hand = in_order(booklet, [*lows[: 12 - len(others)], *others])
    view = {**first_view_of(name, discard), "hand": hand}
    state = GAMES[name].imagine(view, random.Random(1))
    given = combinations(hand, number_to_give(discard))
    expected = {
        tuple(sorted(cards))
        for cards in given
        if is_legal_discard(booklet, discard, hand, list(cards))
    }
    assert whole_discards(state, view["seat"], name) == expected
