"""SPEC.md's chapters of games and the games say the same; what SPEC works through is replayed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path

import pytest

from arena.games import GAMES, View
from arena.games.nope.cards import COPIES, KINDS
from arena.games.nyet.actions import Team
from arena.games.nyet.phases import Phase
from arena.games.nyet.rulesets import COLOUR_NAMES, RULE_SETS, RuleSet
from arena.games.nyet.scoring import score_round
from arena.games.nyet.views import PREVIOUS_FIELDS
from protocol.fields import fields_of
from protocol.messages import FROM_BOT, FROM_SERVER
from tests import spec, spec_games
from tests.games import nope_positions, trick_positions
from tests.games.example import EXAMPLE
from tests.markdown import cells
from tests.oracle.chance import shuffled
from tests.vectors import Conversation, load

TEXT = spec.SPEC.read_text()
CHAPTERS = spec.about_games(TEXT)
SOURCES = "\n".join(
    file.read_text() for file in Path(__file__).parent.parent.glob("arena/games/**/*.py")
)


def examples(name: str) -> list[dict[str, str]]:
    rows = [*spec_games.replayed(TEXT, name)]
    assert rows
    return rows


def section(number: str) -> str:
    """The text of a section, without those below it."""
    return re.split(r"^#+ ", TEXT.partition(f" {number} ")[2], maxsplit=1, flags=re.M)[0]


# Nothing stands on one side only.


def test_code_cites_only_sections_and_decisions_that_spec_has() -> None:
    assert set(re.findall(r"\b1\d(?:\.\d+)+\b", SOURCES)) <= {*spec.sections(TEXT)}
    decided = re.findall(r"^\| \*\*\[([DN]\d+)\]\*\* ", CHAPTERS, re.MULTILINE)
    assert decided == [*(f"D{n}" for n in range(1, 11)), *(f"N{n}" for n in range(1, 13))]
    cited = set(re.findall(r"\[([DN]\d+)\]", SOURCES)) | set(
        re.findall(r"\*\*\[([DN]\d+)\]\*\*", CHAPTERS)
    )
    assert cited <= {*decided}


def test_a_game_that_is_added_has_its_own_chapter_in_the_table_of_games() -> None:
    assert spec_games.row_of_game(EXAMPLE, 15) == ("`match-up`", "2, 3 or 4", "1", 15)
    of_rounds = spec_games.row_of_game(GAMES["njet-it"], 16)
    assert of_rounds == ("`njet-it`", "4", "8 (16.1)", 16)


def test_chapters_of_games_stand_between_marks_wherever_they_are() -> None:
    text = "a <!-- games:begin -->b<!-- games:end --> c <!-- games:begin -->d<!-- games:end --> e"
    assert spec.about_games(text) == "b\nd"
    assert spec.about_the_wire(text) == "a  c  e"


def known_words() -> Iterator[str]:
    """Every word that a game, or a message, has a use for."""
    yield from GAMES
    for game in GAMES.values():
        yield from game.actions.names
        yield from (field.name for field in game.fields)
        yield from (option.name for option in game.options)
        yield from game.endings
    yield from (field.name for field in PREVIOUS_FIELDS)
    yield from (phase.word for phase in Phase)
    for rules in RULE_SETS:
        yield from (box.name for box in rules.discards)
        yield from map(str, rules.points)
    yield from COLOUR_NAMES
    for message in (*FROM_BOT.values(), *FROM_SERVER.values()):
        yield from (field.name for field in fields_of(message))
    yield from (*FROM_BOT, *FROM_SERVER)


# In code type, and no name of a game's: a value of an option, what a name begins with, an entry.
OTHER_WORDS = {
    *("full", "difference", "take", "score"),
    *("T", "S", "!", "to"),
    "null",
    "-",
    "3+2",
    "forfeit",
    "void",
}


def test_the_prose_names_nothing_that_the_games_do_not_have() -> None:
    prose = re.sub(
        r"<!-- generated.*?<!-- end -->|<!-- replayed.*?\n\n", "", CHAPTERS, flags=re.DOTALL
    )
    assert set(re.findall(r"`([^`\n]+)`", prose)) - {*known_words()} - OTHER_WORDS == set()


FORMS = {
    "nyet": (
        r"[A-Z]\d+",
        r"(first|discard|trump|supertrump|points):\S+",
        r"team:\d+",
        r"team:\d+\*\d",
    ),
    "nope": (r"[A-Z]+\d|J|[TS]?[RGBYX]|S\*", r"\S+!", "draw", r"to\d:\d", r"to\d:\d[RGBY]"),
}


@pytest.mark.parametrize(("number", "games"), [("11.10", "nyet"), ("12.10", "nope")])
def test_the_forms_of_actions_are_those_that_there_are(number: str, games: str) -> None:
    rows = [cells(line) for line in section(number).splitlines() if line.startswith("|")]
    forms = [row for row in rows[: rows.index(["texts, in order", "meaning"])] if len(row) == 3][2:]
    assert len(forms) == len(FORMS[games])
    for (_, example, _), form in zip(forms, FORMS[games], strict=True):
        assert example in GAMES[games].actions
        assert re.fullmatch(form, example)
    for name, chapter in spec_games.CHAPTERS.items():
        if chapter == spec_games.CHAPTERS[games]:
            for action in GAMES[name].actions.names:
                assert sum(bool(re.fullmatch(form, action)) for form in FORMS[games]) == 1, action


class Asked:
    """A rule set that notes which of its fields are asked for, by its properties too."""

    def __init__(self, rules: RuleSet, asked: set[str]):
        self._rules, self._asked = rules, asked

    def __getattr__(self, name: str) -> object:
        self._asked.add(name)
        found = getattr(RuleSet, name, None)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        return getattr(self._rules, name)


def test_the_table_of_rule_sets_tells_every_field_in_which_they_may_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: set[str] = set()
    monkeypatch.setattr(spec_games, "RULE_SETS", [Asked(rules, asked) for rules in RULE_SETS])
    spec_games.differences()
    untold = {each.name for each in fields(RuleSet)} - asked - {"booklet"}
    assert not untold, f"give {untold} a line in `differences` of tests/spec_games.py"


@pytest.mark.parametrize("rules", [rules.name for rules in RULE_SETS])
def test_the_lists_of_actions_have_every_action_in_order(rules: str) -> None:
    mark = f"{rules}-actions"
    marked = spec.marked(TEXT)
    assert mark in marked, f"put <!-- generated: {mark} --> and <!-- end --> into SPEC.md 11.10"
    lines = marked[mark].splitlines()[2:]
    assert " ".join(cells(line)[0] for line in lines).split() == [*GAMES[rules].actions.names]


def test_the_cards_of_nope_are_all_there() -> None:
    lines = spec.marked(TEXT)["nope-cards"].splitlines()[2:]
    printed = {name: int(row[2]) for row in map(cells, lines) for name in row[1].split()}
    assert printed == dict(zip(KINDS, COPIES, strict=True))


# Whole views.


@pytest.mark.parametrize("name", ["trick", "nope"])
def test_the_example_of_a_view_has_every_field_and_ends_before_a_choice(name: str) -> None:
    block = spec.marked(TEXT)[f"{name}-view"]
    view = json.loads(block.partition("```json\n")[2].partition("```")[0])
    game = GAMES[view["game"]]
    assert [*view] == [field.name for field in game.fields]
    assert view["turn"] == view["seat"]
    if name == "nope":
        assert (view["demand"], view["drew"]) == ({"count": 2, "colours": "RB"}, 1)
        assert (view["hand"], block.split("`legal`: ")[1]) == (["RB3", "TR"], "`RB3` `TR` `TR!`\n")
    else:
        # As the sentence below it says.
        assert (view["first"], view["team"], view["tricks"][-1]) == (0, [0, 2], ["Y1"])
        assert (view["supertrump"], view["trump"]) == ("Y", "G")
        assert [*view["previous"]] == [field.name for field in PREVIOUS_FIELDS]


def views_of(name: str, seats: int, matches: int) -> Iterator[View]:
    """The spectator's view after every decision of some random matches."""
    rng = random.Random(f"views of {name}")
    for number in range(matches):
        state = GAMES[name].deal(seats, bytes([number]))
        yield state.view(None)
        while owing := state.to_act():
            state.apply(owing[0], rng.choice(list(state.legal(owing[0]))))
            yield state.view(None)


def test_what_was_drawn_and_whose_turns_are_numbered_in_nope_is_as_told() -> None:
    """The fields `drew` and `recent` of 12.11."""
    seen = set()
    for view in views_of("nope", 3, 40):
        turns = sorted(turn[0] for of_seat in view["recent"] for turn in of_seat)
        assert len({*turns}) == len(turns)
        assert not turns or turns[-1] == view["turns"]
        if view["phase"] == "choose":
            laid = view["recent"][view["turn"]][-1] if turns else [0, 0, "", 0]
            assert view["drew"] == laid[3]
            seen.add((bool(turns), view["drew"]))
        assert view["phase"] != "over" or view["drew"] == 0
    assert seen == {(True, 0), (True, 1), (False, 0)}


def test_there_is_no_trick_before_the_phase_of_play() -> None:
    """The field `tricks` of 11.11."""
    for view in views_of("nyet", 3, 2):
        assert (view["tricks"] == []) == (view["phase"] in ("tokens", "team", "discard"))


def test_the_first_page_is_a_match_dealt_from_the_seed_of_the_commitment() -> None:
    """Its view, what is legal, and how it ends."""
    said = {
        step.message["type"]: step.message
        for step in load(Conversation)[0].steps[2:-1]
        if step.message
    }
    start, request = said["start"], said["request"]
    game = GAMES[start["game"]]
    state = game.deal(start["seats"], spec_games.SEED, start["options"])
    seat = start["seat"]
    state.apply(0, game.actions.code("BY1"))
    assert state.view(seat) == request["view"]
    assert [game.actions.name(code) for code in state.legal(seat)] == request["legal"]
    state.apply(seat, game.actions.code(said["action"]["action"]))
    state.apply(0, game.actions.code("RY3"))
    outcome = state.outcome()
    assert outcome is not None
    assert [*outcome.scores] == said["end"]["scores"]
    assert [*outcome.places] == said["end"]["places"]
    assert outcome.ending == said["end"]["ending"]
    assert state.view(seat) == said["end"]["view"]


# Chapter 11.


@pytest.mark.parametrize("row", examples("following"))
def test_following(row: Mapping[str, str]) -> None:
    """[11.4-1]"""
    state = trick_positions.table(
        row["game"],
        [row["led"], row["hand"]],
        trump=row["trump"],
        supertrump=row["supertrump"],
    )
    trick_positions.play(state, row["led"])
    assert {*trick_positions.legal(state)} == {*row["may be played"].split()}


@pytest.mark.parametrize("row", examples("taking"))
def test_taking(row: Mapping[str, str]) -> None:
    """[11.5-1]"""
    cards = row["cards in order"].split()
    state = trick_positions.table(
        row["game"],
        cards,
        trump=row["trump"],
        supertrump=row["supertrump"],
        team=(0, 1, 4) if len(cards) == 5 else (0, 1),
        bonus=3 if len(cards) == 5 else None,
    )
    trick_positions.play(state, *cards)
    previous = state.view(None)["previous"]
    assert previous["last_trick"] == cards
    assert previous["last_winner"] == int(row["taken by seat"])
    assert sum(previous["loot"]) == previous["loot"][previous["last_winner"]] == int(row["loot"])


@pytest.mark.parametrize("row", examples("scoring"))
def test_scoring(row: Mapping[str, str]) -> None:
    """[11.6-1]"""
    takes = [sum(map(int, take.split("+"))) for take in row["takes by seat"].split()]
    scores = score_round(
        takes,
        Team((0, 1, 2), int(row["bonus card"].removeprefix("seat "))),
        int(row["points"]),
        bonus=row["bonus"],
        scoring=row["scoring"],
    )
    assert [*scores] == [*map(int, row["scores"].split())]


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.name)
def test_everyone_is_dealt_the_number_of_cards_in_the_table(rules: object) -> None:
    """[11.3.1-1]"""
    (row,) = (
        cells(line)
        for line in spec.marked(TEXT)["differences"].splitlines()
        if line.startswith("| cards dealt")
    )
    name = rules.name  # type: ignore[attr-defined]  # a RuleSet
    column = 1 + [each.name for each in RULE_SETS].index(name)
    printed = {int(seats): int(each) for each, seats in re.findall(r"(\d+) with (\d)", row[column])}
    assert sorted(printed) == sorted(GAMES[name].seats)
    for seats, each in printed.items():
        view = GAMES[name].deal(seats, b"").view(None)
        assert view["hand_sizes"] == [each] * seats


@pytest.mark.parametrize(("name", "seats"), [("nyet", 2), ("njet", 5), ("njet-it", 4)])
def test_a_token_goes_on_an_open_box_of_a_row_with_two_or_more(name: str, seats: int) -> None:
    """[11.3.2-1]"""
    game = GAMES[name]
    state = game.deal(seats, b"tokens")
    while (view := state.view(None))["phase"] == "tokens":
        rows: dict[str, list[str]] = {}
        for box in view["open"]:
            rows.setdefault(box.partition(":")[0], []).append(box)
        may = [box for boxes in rows.values() if len(boxes) > 1 for box in boxes]
        (seat,) = state.to_act()
        assert [game.actions.name(code) for code in state.legal(seat)] == may
        assert seat == (view["first_token"] + len(view["tokens"])) % seats
        state.apply(seat, state.legal(seat)[len(view["tokens"]) % len(may)])
    assert len(view["open"]) == 5


@pytest.mark.parametrize(("seats", "choices"), [(3, 3), (4, 3), (5, 20)])
def test_the_first_player_chooses_a_team(seats: int, choices: int) -> None:
    """[11.3.3-1]"""
    for first in range(seats):
        state = trick_positions.table("nyet", ["R2"] * seats, first=first)
        assert state.to_act() == (first,)
        texts = trick_positions.legal(state)
        assert len(texts) == choices
        for text in texts:
            team, _, holder = text.removeprefix("team:").partition("*")
            assert str(first) in team
            assert not holder or (holder in team) == (len(team) == 2)


def test_everyone_gives_away_exactly_the_number_of_cards_one_by_one() -> None:
    """[11.3.4-1] [10.2-2]: and nobody sees how far the others are."""
    state = trick_positions.table("nyet", ["R2 R3 R4", "B2 B3 B4"], discard="2")
    before = state.view(1)
    trick_positions.play(state, "R2")
    assert state.view(0)["given"] == ["R2"]
    assert state.to_act() == (0, 1)
    trick_positions.play(state, "R3")
    assert state.to_act() == (1,)
    assert state.view(1) == before
    trick_positions.play(state, "B2", "B3")
    assert state.view(0)["phase"] == "play"
    assert state.view(0)["hand_sizes"] == [1, 1]


def test_low_cards_may_be_discarded_only_for_what_is_missing() -> None:
    """[11.3.4-2]"""
    state = trick_positions.table("njet", ["R0 B0 K3", "B2 B3 B4"], discard="2x")
    assert trick_positions.legal(state, 0) == ["K3"]
    trick_positions.act(state, 0, "K3")
    assert trick_positions.legal(state, 0) == ["R0", "B0"]


def test_passed_cards_change_hands_when_all_have_chosen() -> None:
    """[11.3.4-3]"""
    hands = ["R2 R3", "B2 B3", "Y2 Y3"]
    state = trick_positions.table("nyet", hands, discard="left1", team=[0], bonus=0)
    trick_positions.play(state, "R2", "B2")
    assert state.view(1)["hand"] == ["B3"]
    assert state.view(1)["received"] == []
    trick_positions.play(state, "Y2")
    assert [state.view(seat)["received"] for seat in range(3)] == [["Y2"], ["R2"], ["B2"]]


# Chapter 12.


@pytest.mark.parametrize("row", examples("laying"))
def test_laying(row: Mapping[str, str]) -> None:
    """[12.3-1] [12.4-1]"""
    count, colours = row["demand"].split()
    state = nope_positions.position([row["hand"], "Y3"], "J", demand=(int(count), colours))
    assert nope_positions.legal(state) == row["legal"]


def test_a_set_that_is_begun_goes_on_in_a_colour_that_completes_it() -> None:
    """[10.2-2]: and the others see nothing of it."""
    state = nope_positions.position(["R1 G1 J", "Y3"], "J", demand=(2, "RG"))
    before = state.view(1)
    nope_positions.play(state, "R1")
    assert nope_positions.legal(state) == "J"
    assert state.view(1) == before


@pytest.mark.parametrize("row", examples("actions"))
def test_actions(row: Mapping[str, str]) -> None:
    """[12.5-1]"""
    hands = [hand.strip() for hand in row["hands by seat"].split(",")]
    state = nope_positions.position(hands, row["discard pile"])
    nope_positions.play(state, row["actions"])
    view = state.view(None)
    if view["phase"] == "over":
        then = "over"
    elif view["phase"] == "choose":
        then = f"seat {view['turn']} chooses"
        named = {int(name[2]) for name in nope_positions.legal(state).split()}
        assert named == {*range(len(hands))} - {view["turn"], *view["out"]}
    else:
        then = f"seat {view['turn']} on {nope_positions.demand_of(state)}"
    assert then == row["then"]


def test_after_drawing_a_set_or_an_action_card_alone_must_be_laid() -> None:
    """[12.4-2]"""
    state = nope_positions.position(["R1 TR B1", "Y3", "Y3"], "RG3", draw_pile="R2 G1")
    nope_positions.play(state, "draw")
    assert nope_positions.legal(state) == "R1 R2 TR TR!"


# Chance.


def deck_of(name: str, seats: int) -> list[str]:
    """The deck in the order of the actions, copies side by side, as 13.1 says."""
    if name == "nope":
        return [kind for kind, copies in zip(KINDS, COPIES, strict=True) for _ in range(copies)]
    (rules,) = (rules for rules in RULE_SETS if rules.name == name)
    ranks = [*rules.ranks]
    for rank in rules.taken_out_with_three if seats == 3 else ():
        ranks.remove(rank)
    return [f"{colour}{rank}" for colour in rules.colours for rank in ranks]


@pytest.mark.parametrize(
    ("name", "seats"),
    [(name, seats) for name in ("nyet", "njet", "njet-it", "nope") for seats in GAMES[name].seats],
)
def test_a_deal_is_the_deck_in_order_shuffled_and_cut_seat_by_seat(name: str, seats: int) -> None:
    """[13.1-2]: a game that is added has an oracle of its own, which deals from its rules."""
    state = GAMES[name].deal(seats, spec_games.SEED)
    cards = shuffled(spec_games.SEED, "deal", 0, deck_of(name, seats))
    order = GAMES[name].actions.code
    for seat, size in enumerate(state.view(None)["hand_sizes"]):
        hand, cards = cards[:size], cards[size:]
        assert state.view(seat)["hand"] == sorted(hand, key=order)
    if name == "nope":
        assert state.view(None)["discard"] == cards[:1]


def test_a_new_draw_pile_is_the_discard_pile_without_its_top_card_shuffled() -> None:
    """[13.1-2] [12.7-1]"""
    seed = spec_games.SEED
    pile = "G1 G2 B3 RY3 B2 R3"
    state = nope_positions.position(["G3", "Y3", "Y3"], pile, draw_pile="", seed=seed)
    (first, *_) = shuffled(seed, "reshuffle", 0, pile.split()[:-1])
    nope_positions.play(state, "draw")
    view: View = state.view(0)
    assert view["discard"] == ["R3"]
    assert view["draw_pile"] == 4
    assert sorted(view["hand"]) == sorted(["G3", first])
