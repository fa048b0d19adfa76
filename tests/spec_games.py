"""The generated parts of SPEC.md's chapters of games: tables, and whole views.

What SPEC works through by hand stands in tables marked `<!-- replayed: NAME -->`; the tests
read them with `replayed` and play them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TypeAlias

from arena.games import GAMES, Game, State, View, ViewField
from arena.games.nope import NOPE
from arena.games.nope.cards import COLOUR_WORDS, COPIES, KINDS, NUMBERS, SHOWS, colour_letters
from arena.games.nope.setup import HandSizes
from arena.games.nyet import TRICK_GAMES
from arena.games.nyet.actions import ROWS
from arena.games.nyet.rulesets import COLOUR_NAMES, NONE, RULE_SETS, Discard, RuleSet
from arena.games.nyet.views import PREVIOUS_FIELDS
from arena.games.options import Option, OptionKind, SeatOrLot
from tests.games.trick_positions import trick_game
from tests.markdown import cells, code, table

TRICKS, NOPES = 11, 12
CHAPTERS: Mapping[str, int] = {**{game.name: TRICKS for game in TRICK_GAMES}, NOPE.name: NOPES}
"""By game, its chapter in SPEC. A game that is added has one after the last, so that no section
that is cited elsewhere gets another number."""

LAST_CHAPTER = 14  # of those that are not about one game

SEED = bytes(range(32))
"""The seed of SPEC 13's examples."""


def words(names: Iterable[object]) -> str:
    return " ".join(map(code, names))


def listed(numbers: Iterable[object]) -> str:
    """ "2, 3, 4 or 5"."""
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


# Chapter 10.


def row_of_game(game: Game, chapter: int) -> tuple[str, str, str, int]:
    numbers = sorted({game.rounds(seats) or 1 for seats in game.seats})
    where = "" if game.rounds(game.seats[0]) is None else f" ({chapter}.1)"
    return code(game.name), listed(game.seats), listed(numbers) + where, chapter


def games() -> list[str]:
    rows = [row_of_game(GAMES[name], chapter) for name, chapter in CHAPTERS.items()]
    return table(("game", "seats", "rounds in a match", "chapter"), rows)


def endings() -> list[str]:
    meanings: dict[tuple[str, str], list[str]] = {}
    for name in CHAPTERS:
        for ending, meaning in GAMES[name].endings.items():
            meanings.setdefault((ending, meaning), []).append(name)
    rows = [(code(ending), words(names), said) for (ending, said), names in meanings.items()]
    return table(("ending", "games", "meaning"), rows)


# Chapter 11.


def discard_in_words(box: Discard) -> str:
    if not box.cards:
        return "nothing is discarded"
    cards = "1 card" if box.cards == 1 else f"{box.cards} cards"
    if box.passes:
        return f"pass {cards} to the {'next' if box.passes > 0 else 'previous'} seat"
    return f"discard {cards}" + (", none of the low rank" if box.spares_low else "")


def by_seats(numbers: Mapping[int, int]) -> str:
    return ", ".join(f"{number} with {seats}" for seats, number in numbers.items())


def colour_names(letters: str) -> str:
    return ", ".join(f"{COLOUR_NAMES[letter]} `{letter}`" for letter in letters)


def differences() -> list[str]:
    def deck(rules: RuleSet) -> str:
        cards = len(rules.ranks)
        return f"{' '.join(map(str, rules.ranks))} ({cards * len(rules.colours)} cards in all)"

    def out(rules: RuleSet) -> str:
        return " ".join(map(str, rules.taken_out_with_three)) or "-"

    lines: Sequence[tuple[str, Callable[[RuleSet], object]]] = (
        ("seats", lambda rules: listed(rules.seats)),
        ("colours", lambda rules: colour_names(rules.colours)),
        ("ranks in each colour", deck),
        ("the low rank", lambda rules: rules.low),
        ("taken out of each colour with 3 seats", out),
        ("cards dealt to each", lambda rules: by_seats(rules.cards_each)),
        ("row 1, `first`", lambda rules: "a box for each seat"),
        ("row 2, `discard`", lambda rules: words(box.name for box in rules.discards)),
        ("row 3, `trump`", lambda rules: words(rules.trumps)),
        ("row 4, `supertrump`", lambda rules: words(rules.supertrumps)),
        ("row 5, `points`", lambda rules: words(rules.points)),
        (
            "first token",
            lambda rules: (
                "the seat after the dealer" if rules.first_token_left_of_dealer else "the dealer"
            ),
        ),
        (
            "the suit of a supertrump",
            lambda rules: (
                "the trump colour" if rules.supertrump_joins_trump else "its printed colour"
            ),
        ),
        (
            "bonus card",
            lambda rules: (
                f"with {' and '.join(map(str, rules.bonus_seats))} seats"
                if rules.bonus_seats
                else "none"
            ),
        ),
        ("rounds", lambda rules: by_seats(rules.rounds)),
    )
    return table(
        ("", *(code(rules.name) for rules in RULE_SETS)),
        [(name, *(cell(rules) for rules in RULE_SETS)) for name, cell in lines],
    )


def discards() -> list[str]:
    boxes = {box: None for rules in RULE_SETS for box in rules.discards}
    rows = [
        (
            code(box.name),
            discard_in_words(box),
            words(rules.name for rules in RULE_SETS if box in rules.discards),
        )
        for box in boxes
    ]
    return table(("box", "what each player does", "in"), rows)


def values_in_words(kind: OptionKind) -> str:
    """`OptionKind.allowed`, for no table size in particular."""
    if isinstance(kind, SeatOrLot):
        return "a seat, or nil for a lot"
    if isinstance(kind, HandSizes):
        return (
            "a whole number, a list with one for each seat, or nil for the default; each at "
            "least 1, in all at most one less than the deck"
        )
    return kind.allowed(0).replace('"', "`")


def options(given: Sequence[Option]) -> list[str]:
    rows = [
        (code(each.name), values_in_words(each.kind), each.default_in_words, each.meaning)
        for each in given
    ]
    return table(("option", "values", "default", "meaning"), rows)


def trick_options() -> list[str]:
    (given,) = {id(trick_game(rules.name).options): rules for rules in RULE_SETS}.values()
    return options(trick_game(given.name).options)


ROW_MEANINGS = {
    "first": "cover the box of this seat in row 1",
    "discard": "cover this box of row 2",
    "trump": "cover this colour of row 3",
    "supertrump": "cover this colour of row 4",
    "points": "cover this number of row 5",
}


def trick_actions(rules: RuleSet) -> list[str]:
    """Every action in its order, group by group."""
    names = [*trick_game(rules.name).actions.names]
    rows: list[tuple[str, str]] = []
    while names[0][0] in rules.colours:
        colour = names[0][0]
        cards = [name for name in names if name[0] == colour and name[1:].isdigit()]
        rows.append((words(cards), f"discard, pass or play this {COLOUR_NAMES[colour]} card"))
        del names[: len(cards)]
    for row in ROWS:
        boxes = [name for name in names if name.startswith(f"{row}:")]
        meaning = ROW_MEANINGS[row]
        if row == "first" and len(rules.seats) > 1:
            meaning += "; a smaller table has only those of its seats"
        if f"{row}:{NONE}" in boxes:
            meaning += f"; `{row}:{NONE}` is the box without {row}"
        rows.append((words(boxes), meaning))
        del names[: len(boxes)]
    for size, group in groupby(names, key=team_size):
        who = {1: "alone", 2: "a team of two", 3: "a team of three"}[size]
        texts = [*group]
        starred = [text for text in texts if "*" in text]
        seats = [each for each in rules.seats if each in (3, 4) and (size, each) != (1, 4)]
        where = [f"at a table of {listed(seats)}"] * (starred != texts)
        where += ["with a star at a table of 5, the bonus card's holder after it"] * bool(starred)
        rows.append((words(texts), f"{who}, {'; '.join(where)}"))
    return table(("texts, in order", "meaning"), rows)


def team_size(name: str) -> int:
    return len(re.sub(r"\*.*", "", name.removeprefix("team:")))


def field_table(fields: Sequence[ViewField]) -> list[str]:
    return table(
        ("field", "type", "meaning"),
        [(code(each.name), each.type, each.meaning) for each in fields],
    )


# Whole views.


def by_turns(state: State, decisions: int) -> State:
    """The state after so many decisions, by the rule of SPEC's examples: whoever is asked for
    the time k, from 0, chooses the text at place k modulo the length of `legal`."""
    for asked in range(decisions):
        seat = state.to_act()[0]
        legal = state.legal(seat)
        state.apply(seat, legal[asked % len(legal)])
    return state


def json_lines(view: View) -> list[str]:
    """A view as JSON, a field a line."""
    fields = [
        f"  {json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}"
        for name, value in view.items()
    ]
    return ["```json", "{", *(f"{line}," for line in fields[:-1]), fields[-1], "}", "```"]


Example: TypeAlias = tuple[str, int, Mapping[str, object], int]

TRICK_EXAMPLE: Example = ("nyet", 3, {"rounds": 2}, 97)
NOPE_EXAMPLE: Example = ("nope", 3, {}, 13)


def example(name: str, seats: int, given: Mapping[str, object], decisions: int) -> list[str]:
    game = GAMES[name]
    state = by_turns(game.deal(seats, SEED, given), decisions)
    seat = state.to_act()[0]
    legal = [game.actions.name(action) for action in state.legal(seat)]
    said = json.dumps(given) if given else "no options given"
    return [
        f"`{name}`, {seats} seats, {said}, the seed of 13.1, after {decisions} decisions.",
        "",
        *json_lines(state.view(seat)),
        "",
        f"`legal`: {words(legal)}",
    ]


# Chapter 12.


def nope_cards() -> list[str]:
    kinds = {"J": "joker", "X": "reset", "T": "see-through", "S": "select"}
    rows = []
    for name, copies, number, shown in zip(KINDS, COPIES, NUMBERS, SHOWS, strict=True):
        letters = colour_letters(shown)
        what = kinds.get(name[0]) or ("one-coloured" if len(letters) == 1 else "two-coloured")
        rows.append((what, copies, number, letters, name))
    lines = []
    for (what, copies, number, shows), group in groupby(
        rows, key=lambda row: (row[0], row[1], row[2], len(row[3]))
    ):
        names = [row[4] for row in group]
        lines.append((what, names, copies, number, shows))
    # One-coloured 1s and 2s of every colour come in between each other in the fixed order.
    merged: dict[tuple[str, int, int, int], list[str]] = {}
    for what, names, copies, number, shows in lines:
        merged.setdefault((what, copies, number, shows), []).extend(names)
    return table(
        ("kind", "cards", "copies of each", "number", "colours each shows"),
        [
            (what, words(names), copies, number or "-", {1: "one", 2: "two", 4: "all four"}[shows])
            for (what, copies, number, shows), names in merged.items()
        ],
    )


def nope_actions() -> list[str]:
    """Every action in its order, group by group; the choices as a pattern that is checked."""
    names = [*GAMES["nope"].actions.names]
    cards = names[: len(KINDS)]
    assert cards == [*KINDS]
    alone = [name for name in names if name.endswith("!")]
    plain = [f"to{seat}:{count}" for seat in range(6) for count in (1, 2, 3)]
    coloured = [f"{choice}{colour}" for choice in plain for colour in COLOUR_WORDS]
    assert names == [*cards, *alone, "draw", *plain, *coloured]
    return table(
        ("texts, in order", "meaning"),
        [
            (words(cards), "lay this card, as a set of one or as the next card of a set"),
            (
                words(alone),
                "lay this action card alone, where the count is 2 or 3; with a count of 1 the "
                "text is the one without `!`",
            ),
            ("`draw`", "draw"),
            (
                f"{words(plain[:4])} ... `{plain[-1]}`",
                "a one-coloured select: the seat named and the count; first by seat, then by count",
            ),
            (
                f"{words(coloured[:5])} ... `{coloured[-1]}`",
                "a four-coloured select: the colour too; by seat, count, then colour in the order "
                + words(COLOUR_WORDS),
            ),
        ],
    )


def deals() -> list[str]:
    """What the seed of SPEC 13 deals."""
    trick = GAMES["njet-it"].deal(4, SEED)
    nope = GAMES["nope"].deal(2, SEED)
    rows = []
    for name, state in (("njet-it", trick), ("nope", nope)):
        view = state.view(None)
        hands = [state.view(seat)["hand"] for seat in range(view["seats"])]
        what = [f"`dealer` is {view['dealer']}"]
        what += [f"seat {seat} holds {words(hand)}" for seat, hand in enumerate(hands)]
        if name == "nope":
            what.append(f"first open card {words(view['discard'])}")
        rows.append(f"- `{name}` with {view['seats']} seats: {'; '.join(what)}.")
    return rows


# Games with a chapter of their own; SPEC has tables of options and of fields in each.
ALONE = [GAMES[name] for name, chapter in CHAPTERS.items() if chapter != TRICKS]

TABLES: Mapping[str, Callable[[], list[str]]] = {
    "games": games,
    "endings": endings,
    "differences": differences,
    "discards": discards,
    "trick-options": trick_options,
    **{f"{rules.name}-actions": partial(trick_actions, rules) for rules in RULE_SETS},
    "trick-fields": partial(field_table, GAMES["nyet"].fields),
    "previous-fields": partial(field_table, PREVIOUS_FIELDS),
    "trick-view": partial(example, *TRICK_EXAMPLE),
    "nope-cards": nope_cards,
    "nope-actions": nope_actions,
    "nope-view": partial(example, *NOPE_EXAMPLE),
    "deals": deals,
    **{f"{game.name}-options": partial(options, game.options) for game in ALONE},
    **{f"{game.name}-fields": partial(field_table, game.fields) for game in ALONE},
}


def replayed(text: str, name: str) -> Iterator[dict[str, str]]:
    """The rows of a table that is worked out by hand, by its heads."""
    lines = text.partition(f"<!-- replayed: {name} -->\n")[2].partition("\n\n")[0].splitlines()
    heads = cells(lines[0])
    for line in lines[2:]:
        yield dict(zip(heads, cells(line), strict=True))
