"""Views of the trick games, as SPEC 11.11 prints them.

A view is built up from public things and the seat's own; nothing is copied whole and hidden
afterwards.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from arena.games.description import EVERY_PHASE, ViewField, ViewRecord
from arena.games.interface import View
from arena.games.nyet.past import leaders, tricks_and_loot
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TEAM, TOKENS, Phase
from arena.games.nyet.turns import SEVERAL

if TYPE_CHECKING:
    from arena.games.nyet.state import TrickState

UNSETTLED = (TOKENS.word,)
TEAMLESS = (TOKENS.word, TEAM.word)

PREVIOUS_FIELDS = (
    ViewField("round", "number", "its number, from 1"),
    ViewField("dealer", "number", "its dealer"),
    ViewField("first", "number", "row 1: its first player"),
    ViewField("discard", "text", "row 2: the open box"),
    ViewField("trump", "text", "row 3: a colour letter, or `-` for none"),
    ViewField("supertrump", "text", "row 4: a colour letter, or `-` for none"),
    ViewField("points", "number", "row 5: what a trick and a piece of loot were worth"),
    ViewField("team", "list of numbers", "the first player's team, ascending"),
    ViewField(
        "bonus",
        "number or nil",
        "the seat that held the bonus card; nil with 2 or 4 seats",
        nil_in=EVERY_PHASE,
    ),
    ViewField("tricks_won", "list of numbers", "by seat, the tricks taken"),
    ViewField("loot", "list of numbers", "by seat, the loot captured"),
    ViewField("scored", "list of numbers", "by seat, the points of that round alone"),
    ViewField("last_leader", "number", "the seat that led its last trick"),
    ViewField("last_trick", "list of texts", "the cards of its last trick, in order of play"),
    ViewField("last_winner", "number", "the seat that took it"),
)

FIELDS = (
    ViewField("game", "text", "the name of the rule set (11.1)"),
    ViewField("seats", "number", "how many sit at the table"),
    ViewField("seat", "number or nil", "your seat, from 0; nil: a spectator"),
    ViewField("options", "map", "every option of 11.7 with the value in force"),
    ViewField("round", "number", "the round being played, from 1"),
    ViewField("rounds", "number", "the match has at most so many rounds"),
    ViewField(
        "phase",
        "text",
        "`tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`",
        values=tuple(phase.word for phase in Phase),
    ),
    ViewField("dealer", "number", "this round's dealer"),
    ViewField(
        "turn",
        "number or nil",
        "the seat that owes a decision; nil in phase `discard`, where all do, and when over",
        nil_in=(DISCARD.word, OVER.word),
    ),
    ViewField("scores", "list of numbers", "by seat, the points of all finished rounds"),
    ViewField(
        "hand",
        "list of texts or nil",
        "your cards, in the order of 11.10, copies repeated, without those you have chosen to "
        "discard or pass; nil for a spectator",
    ),
    ViewField(
        "hand_sizes",
        "list of numbers",
        "by seat, the cards held; in phase `discard` still those dealt",
    ),
    ViewField("open", "list of texts", "the boxes not covered, in the order of 11.10"),
    ViewField("tokens", "list of texts", "the boxes covered this round, first to last"),
    ViewField(
        "first_token",
        "number",
        "the seat that placed, or will place, the first token; the others follow clockwise",
    ),
    ViewField(
        "first",
        "number or nil",
        "row 1: the first player; nil until all rows are settled",
        nil_in=UNSETTLED,
    ),
    ViewField(
        "discard",
        "text or nil",
        "row 2: the open box, such as `1x`; nil until settled",
        nil_in=UNSETTLED,
    ),
    ViewField(
        "trump",
        "text or nil",
        "row 3: a colour letter, or `-` for none; nil until settled",
        nil_in=UNSETTLED,
    ),
    ViewField(
        "supertrump",
        "text or nil",
        "row 4: a colour letter, or `-` for none; nil until settled",
        nil_in=UNSETTLED,
    ),
    ViewField(
        "points",
        "number or nil",
        "row 5: what a trick and a piece of loot are worth; nil until settled",
        nil_in=UNSETTLED,
    ),
    ViewField(
        "team",
        "list of numbers or nil",
        "the first player's team, ascending; all others are the other team; nil until chosen",
        nil_in=TEAMLESS,
    ),
    ViewField(
        "bonus",
        "number or nil",
        "the seat that holds the bonus card; nil until chosen, and with 2 or 4 seats",
        nil_in=EVERY_PHASE,
    ),
    ViewField(
        "given",
        "list of texts or nil",
        "the cards you have discarded or passed this round, as chosen; nil for a spectator",
    ),
    ViewField(
        "received",
        "list of texts or nil",
        "the cards passed to you this round, once all have chosen; nil for a spectator",
    ),
    ViewField(
        "tricks",
        "list of lists of texts",
        "every trick of the round, each its cards in order of play; no trick before phase "
        "`play`; in phase `play` the last is the open one, and may be empty",
    ),
    ViewField("leaders", "list of numbers", "for each of `tricks`, the seat that led it"),
    ViewField("tricks_won", "list of numbers", "by seat, the tricks taken this round"),
    ViewField("loot", "list of numbers", "by seat, the loot captured this round (11.6)"),
    ViewField(
        "previous",
        "map or nil",
        "the round finished last: the table below; nil in the first round",
        record=ViewRecord("PreviousRound", "The round finished last.", PREVIOUS_FIELDS),
        nil_in=(*TEAMLESS, DISCARD.word, PLAY.word),
    ),
)


def blank(game: str, seats: int) -> View:
    """The common part of every view at a table of `seats`, with nil for all else: to copy it and to
    fill it in takes half the time of making a map of all fields."""
    return {**dict.fromkeys(field.name for field in FIELDS), "game": game, "seats": seats}


def view_of(state: TrickState, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    match, phase = state.match, state.phase
    table, hands, spares = match.table, state.hands, state.spares
    seats = match.seats
    if seat is not None:
        seat = state.seat_number(seat, "11.11")
    name_of = table.name_of
    view = tricks_page(state) if phase is PLAY or phase is OVER else first_page(state)
    view["seat"] = seat
    view["turn"] = state.turn if state.turn < SEVERAL else None
    if phase is DISCARD:
        view["hand_sizes"] = [*table.full_hands]
    elif any(spares):
        view["hand_sizes"] = [*map(add, map(len, hands), map(len, spares))]
    else:
        view["hand_sizes"] = [*map(len, hands)]
    view["tricks_won"], view["loot"] = tricks_and_loot(state.takes, seats)
    if seat is not None:
        hand, spare, given = hands[seat], spares[seat], state.given[seat]
        view["hand"] = [*map(name_of, sorted(hand + spare) if spare else hand)]
        view["given"] = [*map(name_of, given)]
        # Nobody sees the cards they receive before everyone has chosen.
        shown = given and phase is not DISCARD
        view["received"] = [*map(name_of, state.received(seat))] if shown else []
    return view


def first_page(state: TrickState) -> View:
    """The part of a view before the tricks, the same for all seats."""
    match, past, terms, team = state.match, state.past, state.terms, state.team
    table = match.table
    view = table.blank.copy()
    view["options"] = match.options.copy()
    view["round"] = past.number
    view["rounds"] = match.last_round
    view["phase"] = state.phase.word
    view["dealer"] = past.dealer
    view["scores"] = [*past.scores]
    view["tokens"] = [*map(table.name_of, state.log[: table.tokens])]
    view["first_token"] = table.first_token[past.dealer]
    if terms is None:
        view["open"] = [*map(table.name_of, table.boxes.translate(None, state.log))]
    else:
        view["open"] = [*terms.open_boxes]
        view.update(terms.words)
    if team is not None:
        view["team"] = [*team.seats]
        view["bonus"] = team.bonus
    view["tricks"] = []
    view["leaders"] = []
    if past.previous is not None:
        view["previous"] = past.previous.in_words()
    return view


def tricks_page(state: TrickState) -> View:
    """The first page, which does not change any more and is kept with the round, and the tricks."""
    match, past = state.match, state.past
    table, seats = match.table, match.seats
    before, cards = state.log[: table.before_cards], state.log[table.before_cards :]
    if past.page is None or past.page[0] != before:
        past.page = before, first_page(state)
    kept = past.page[1]
    view = kept.copy()
    view["options"] = match.options.copy()
    for name in ("scores", "tokens", "open", "team"):
        view[name] = [*kept[name]]
    if past.previous is not None:
        view["previous"] = past.previous.in_words()
    names = [*map(table.name_of, cards)]
    tricks = [names[start : start + seats] for start in range(0, len(names), seats)]
    led_by = [*leaders(kept["first"], state.takes)]
    if state.phase is OVER:
        led_by.pop()  # after the last trick nobody leads
    elif len(tricks) < len(led_by):
        tricks.append([])
    view["tricks"] = tricks
    view["leaders"] = led_by
    return view
