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

if TYPE_CHECKING:
    from arena.games.nyet.state import TrickState

FIELDS = (
    Field("game", "text", "The rule set: `nyet`, `njet` or `njet-it`."),
    Field("seats", "int", "How many sit at the table; seats are numbered from 0, clockwise."),
    Field("seat", "int or nil", "Whose view this is; nil for a spectator's."),
    Field("options", "map", "Every option of the game with the value in force (11.7)."),
    Field("round", "int", "The round being played, from 1."),
    Field("rounds", "int", "The match has at most so many rounds."),
    Field(
        "phase",
        "text",
        "`tokens`, `team`, `discard` (or pass), `play`; `over` when the match is over.",
    ),
    Field("dealer", "int", "This round's dealer."),
    Field("turn", "int or nil", "Who is to act; nil in a simultaneous choice and at the end."),
    Field("scores", "array of int", "By seat, the points of all finished rounds."),
    Field(
        "hand",
        "array of text or nil",
        "Your cards in the order of actions, copies repeated, without those you chose to give "
        "away; nil for a spectator.",
    ),
    Field(
        "hand_sizes",
        "array of int",
        "By seat, the cards in hand; during `discard` as before anyone chose.",
    ),
    Field("open", "array of text", "The boxes not covered, in the order of actions."),
    Field("tokens", "array of text", "The boxes covered this round, in order."),
    Field(
        "first_token",
        "int",
        "Who placed the first token; the others followed in seat order, wrapping.",
    ),
    Field("first", "int or nil", "Row 1: the first player; nil until the board is settled."),
    Field("discard", "text or nil", "Row 2: the open box, such as `1x`; nil until settled."),
    Field("trump", "text or nil", "Row 3: a colour letter, or `-` for none; nil until settled."),
    Field("supertrump", "text or nil", "Row 4: likewise."),
    Field("points", "int or nil", "Row 5: what a trick and a piece of loot are worth."),
    Field(
        "team",
        "array of int or nil",
        "The seats of the first player's team, ascending; all others are the other team. Nil "
        "until chosen; with two seats the first player alone.",
    ),
    Field("bonus", "int or nil", "Who holds the bonus card."),
    Field("given", "array of text or nil", "Cards you discarded or passed, as chosen so far."),
    Field("received", "array of text or nil", "Cards passed to you, once all have chosen."),
    Field(
        "tricks",
        "array of array of text",
        "Every trick of the round, its cards in order of play; in phase `play` the last one is "
        "the open trick, which may be empty.",
    ),
    Field(
        "leaders",
        "array of int",
        "Who led each of `tricks`; the winner of a trick is the leader of the next.",
    ),
    Field("tricks_won", "array of int", "By seat, the tricks taken this round."),
    Field("loot", "array of int", "By seat, the loot captured this round (11.6)."),
    Field(
        "previous",
        "map or nil",
        "The last finished round: see below; nil in the first. When the match is over, its "
        "last round.",
    ),
)

PREVIOUS_FIELDS = (
    Field("round", "int", "Its number, from 1."),
    Field("dealer", "int", "Its dealer."),
    Field("first", "int", "Its first player."),
    Field("discard", "text", "The open box of row 2."),
    Field("trump", "text", "Row 3."),
    Field("supertrump", "text", "Row 4."),
    Field("points", "int", "Row 5."),
    Field("team", "array of int", "The first player's team."),
    Field("bonus", "int or nil", "Who held the bonus card."),
    Field("tricks_won", "array of int", "By seat."),
    Field("loot", "array of int", "By seat."),
    Field("scored", "array of int", "By seat, the points of that round."),
    Field("last_leader", "int", "Who led its last trick."),
    Field("last_trick", "array of text", "The cards of its last trick, in order of play."),
    Field("last_winner", "int", "Who took it."),
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
        "turn": state.owing[0] if phase is not DISCARD and state.owing else None,
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
