"""What a seat may know, as SPEC 11.11 prints it.

A view is built up from public things and the seat's own; nothing is copied whole and hidden
afterwards.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from arena.games.errors import no_such_seat
from arena.games.interface import Field, View
from arena.games.nyet.past import tricks_and_loot, winners
from arena.games.nyet.phases import DISCARD, OVER, PLAY
from arena.games.nyet.turns import SEVERAL

if TYPE_CHECKING:
    from arena.games.nyet.state import TrickState

FIELDS = (
    Field("game", "text", "`nyet`, `njet` or `njet-it`"),
    Field("seats", "number", "how many sit at the table"),
    Field("seat", "number or nil", "your seat, from 0; nil: a spectator"),
    Field("options", "map", "every option of 11.7 with the value in force"),
    Field("round", "number", "the round being played, from 1"),
    Field("rounds", "number", "the match has at most so many rounds"),
    Field(
        "phase",
        "text",
        "`tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`",
    ),
    Field("dealer", "number", "this round's dealer"),
    Field(
        "turn",
        "number or nil",
        "the seat that owes a decision; nil in phase `discard`, where all do, and when over",
    ),
    Field("scores", "list of numbers", "by seat, the points of all finished rounds"),
    Field(
        "hand",
        "list of texts or nil",
        "your cards, in the order of 11.10, copies repeated, without those you have chosen to "
        "discard or pass; nil for a spectator",
    ),
    Field(
        "hand_sizes",
        "list of numbers",
        "by seat, the cards held; in phase `discard` still those dealt",
    ),
    Field("open", "list of texts", "the boxes not covered, in the order of 11.10"),
    Field("tokens", "list of texts", "the boxes covered this round, first to last"),
    Field(
        "first_token",
        "number",
        "the seat that placed, or will place, the first token; the others follow clockwise",
    ),
    Field("first", "number or nil", "row 1: the first player; nil until all rows are settled"),
    Field("discard", "text or nil", "row 2: the open box, such as `1x`; nil until settled"),
    Field("trump", "text or nil", "row 3: a colour letter, or `-` for none; nil until settled"),
    Field(
        "supertrump", "text or nil", "row 4: a colour letter, or `-` for none; nil until settled"
    ),
    Field(
        "points",
        "number or nil",
        "row 5: what a trick and a piece of loot are worth; nil until settled",
    ),
    Field(
        "team",
        "list of numbers or nil",
        "the first player's team, ascending; all others are the other team; nil until chosen",
    ),
    Field(
        "bonus",
        "number or nil",
        "the seat that holds the bonus card; nil until chosen, and with 2 or 4 seats",
    ),
    Field(
        "given",
        "list of texts or nil",
        "the cards you have discarded or passed this round, as chosen; nil for a spectator",
    ),
    Field(
        "received",
        "list of texts or nil",
        "the cards passed to you this round, once all have chosen; nil for a spectator",
    ),
    Field(
        "tricks",
        "list of lists of texts",
        "every trick of the round, each its cards in order of play; in phase `play` the last is "
        "the open one, and may be empty",
    ),
    Field("leaders", "list of numbers", "for each of `tricks`, the seat that led it"),
    Field("tricks_won", "list of numbers", "by seat, the tricks taken this round"),
    Field("loot", "list of numbers", "by seat, the loot captured this round (11.6)"),
    Field(
        "previous",
        "map or nil",
        "the round finished last: the table below; nil in the first round",
    ),
)

PREVIOUS_FIELDS = (
    Field("round", "number", "its number, from 1"),
    Field("dealer", "number", "its dealer"),
    Field("first", "number", "row 1: its first player"),
    Field("discard", "text", "row 2: the open box"),
    Field("trump", "text", "row 3: a colour letter, or `-` for none"),
    Field("supertrump", "text", "row 4: a colour letter, or `-` for none"),
    Field("points", "number", "row 5: what a trick and a piece of loot were worth"),
    Field("team", "list of numbers", "the first player's team, ascending"),
    Field("bonus", "number or nil", "the seat that held the bonus card; nil with 2 or 4 seats"),
    Field("tricks_won", "list of numbers", "by seat, the tricks taken"),
    Field("loot", "list of numbers", "by seat, the loot captured"),
    Field("scored", "list of numbers", "by seat, the points of that round alone"),
    Field("last_leader", "number", "the seat that led its last trick"),
    Field("last_trick", "list of texts", "the cards of its last trick, in order of play"),
    Field("last_winner", "number", "the seat that took it"),
)


def blank(game: str, seats: int) -> View:
    """What every view at a table of so many has, and the names of all else in their order: to
    copy it and to fill it in takes half the time of making a map of so many fields."""
    return {**dict.fromkeys(field.name for field in FIELDS), "game": game, "seats": seats}


def view_of(state: TrickState, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    match, phase = state.match, state.phase
    table, hands, spares = match.table, state.hands, state.spares
    seats = match.seats
    if seat is not None and not (type(seat) is int and 0 <= seat < seats):
        raise no_such_seat(seat, seats, "11.11")
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
        # Nobody sees what they receive before everyone has chosen.
        shown = given and phase is not DISCARD
        view["received"] = [*map(name_of, state.received(seat))] if shown else []
    return view


def first_page(state: TrickState) -> View:
    """What a view says of everything before the tricks, and of no seat in particular."""
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
    """The same and the tricks. The first page changes no more, and is kept with the round."""
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
    leaders = [kept["first"], *winners(state.takes)]
    if state.phase is OVER:
        leaders.pop()  # the winner of the last trick leads no other
    elif len(tricks) < len(leaders):
        tricks.append([])
    view["tricks"] = tricks
    view["leaders"] = leaders
    return view
