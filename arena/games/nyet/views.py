"""What a seat may know, as SPEC 11.11 prints it.

A view is built up from public things and the seat's own; nothing is copied whole and hidden
afterwards.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from arena.games.errors import no_such_seat
from arena.games.interface import Field, View
from arena.games.nyet.past import LOOT, LOOT_BITS
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


def view_of(state: TrickState, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    match, past, terms, team, phase = state.match, state.past, state.terms, state.team, state.phase
    table = match.table
    if seat is not None and not (type(seat) is int and 0 <= seat < table.seats):
        raise no_such_seat(seat, table.seats, "11.11")
    tables = table.tables
    names = tables.actions.names
    tricks, leaders, won, loot = tricks_of(state)
    view: View = {
        "game": tables.rules.name,
        "seats": table.seats,
        "seat": seat,
        "options": {**match.options},
        "round": past.number,
        "rounds": match.last_round,
        "phase": phase.word,
        "dealer": past.dealer,
        "turn": state.turn if state.turn < SEVERAL else None,
        "scores": [*past.scores],
        "hand": None,
        "hand_sizes": [*table.full_hands]
        if phase is DISCARD
        else [*map(len, map(add, state.hands, state.spares))],
        "open": [*terms.open_boxes]
        if terms is not None
        else [names[box] for box in table.boxes.translate(None, state.log)],
        "tokens": [names[box] for box in state.log[: table.tokens]],
        "first_token": table.first_token[past.dealer],
        "first": None,
        "discard": None,
        "trump": None,
        "supertrump": None,
        "points": None,
        "team": None,
        "bonus": None,
        "given": None,
        "received": None,
        "tricks": tricks,
        "leaders": leaders,
        "tricks_won": won,
        "loot": loot,
        "previous": None if past.previous is None else past.previous.in_words(),
    }
    if terms is not None:
        view.update(terms.words)
    if team is not None:
        view["team"] = [*team.seats]
        view["bonus"] = team.bonus
    if seat is not None:
        given, spare = state.given[seat], state.spares[seat]
        hand = sorted(state.hands[seat] + spare) if spare else state.hands[seat]
        view["hand"] = [names[kind] for kind in hand]
        view["given"] = [names[kind] for kind in given]
        # Nobody sees what they receive before everyone has chosen.
        shown = given and phase is not DISCARD
        view["received"] = [names[kind] for kind in state.received(seat)] if shown else []
    return view


def tricks_of(state: TrickState) -> tuple[list[list[str]], list[int], list[int], list[int]]:
    """The tricks of the round, each as its cards in order of play; who led each; and by seat
    what was won and looted."""
    match, phase = state.match, state.phase
    seats = match.seats
    won = [0] * seats
    loot = [0] * seats
    if phase is not PLAY and phase is not OVER:
        return [], [], won, loot
    names = match.deck.names
    cards = [names[kind] for kind in state.log[match.table.before_cards :]]
    tricks = [cards[i : i + seats] for i in range(0, len(cards), seats)]
    leaders = [state.terms.first]  # type: ignore[union-attr]  # settled
    for take in state.takes:
        winner = take >> LOOT_BITS
        leaders.append(winner)
        won[winner] += 1
        loot[winner] += take & LOOT
    if len(tricks) < len(leaders):
        if phase is PLAY:
            tricks.append([])
        else:
            leaders.pop()  # the winner of the last trick leads no other
    return tricks, leaders, won, loot
