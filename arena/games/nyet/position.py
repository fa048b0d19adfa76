"""The position in a match of a trick-taking game, and the effects of all actions on it.

Theory of operation. All that has happened openly in the round is one bytes value, `log`: the
tokens, then the team, then the cards, each as its action's number; `takes` has a byte for each
finished trick. They are never changed, only replaced, so that copies share them, and a copy
costs a row of references and two short lists. Playing a card, which is most of a match, stands
written out in `apply`; every other action has a method of its own.

The legal actions are worked out once, when the turn comes: `choices` are the actions of the seat
to act, so that `legal` hands them over and `apply` looks the action up in them. For tokens they
are all that is kept of the board. Only where several seats choose at once there is no such
seat, and each one's choices are worked out when asked for. In the same way the strongest card
of a trick is kept as the cards are played, not looked for at its end.

This module is one of those that the compiled build has in C (see `arena.games.compiled`), where
types are checked at every call. `seat` and `action` may be whole numbers of any type, as numpy has
them, so `legal` and `apply` take anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Any

from arena.games.chance import shuffle
from arena.games.compiled import mypyc_attr
from arena.games.derived import plain
from arena.games.nyet.actions import Team
from arena.games.nyet.cards import BYTE
from arena.games.nyet.past import NEXT_LEADER, EarlierRounds, FinishedRound, RoundResult
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TEAM, TOKENS, Phase
from arena.games.nyet.refusals import refused
from arena.games.nyet.scoring import score_round, take_by_seat
from arena.games.nyet.tables import TrickMatch
from arena.games.nyet.terms import Led, Terms, may_play
from arena.games.nyet.turns import NOBODY, TO_ACT


@mypyc_attr(allow_interpreted_subclasses=True)
class Position:
    """What `TrickState` keeps, and how actions change it."""

    __slots__ = (
        "best",
        "choices",
        "given",
        "hands",
        "leader",
        "led",
        "log",
        "lows",
        "match",
        "past",
        "phase",
        "spares",
        "takes",
        "team",
        "terms",
        "turn",
        "winner",
    )

    match: TrickMatch
    past: EarlierRounds
    phase: Phase
    turn: int  # the seat, or seats, that owe a decision (see turns)
    choices: bytes  # the legal actions of the seat whose turn it is; none when several choose
    hands: list[bytes]  # by seat, the kinds held (see cards)
    spares: list[bytes]  # by seat, further copies
    log: bytes
    terms: Terms | None  # once the board is settled
    team: Team | None  # the first player's, once chosen
    given: Sequence[bytes]  # by seat: cards discarded or passed on, as kinds; only replaced
    takes: bytes
    # The trick being played: its leader and the card led; once a card lies, the strongest so far,
    # the seat that played it, and a bit for each seat that has played a low card.
    leader: int
    led: Led | None
    best: int
    winner: int
    lows: int

    def to_act(self) -> tuple[int, ...]:
        return TO_ACT[self.turn]

    def legal(self, seat: Any) -> Sequence[int]:
        if seat == self.turn:
            return self.choices
        # Another seat owes a decision only where several choose at once.
        for owing in TO_ACT[self.turn]:
            if owing == seat:
                return may_give(self, owing)
        return b""

    def apply(self, seat: object, action: object) -> None:
        # True equals 1, but is no seat and no action.
        if type(seat) is not int or type(action) is not int:
            number, code = plain(seat), plain(action)
            if number is None or code is None:
                raise refused(self, seat, action)
            seat, action = number, code
        try:
            is_in_turn = seat == self.turn and action in self.choices
        except ValueError:  # not the number of a byte
            is_in_turn = False
        if not is_in_turn:  # a seat that chooses together with others, or a refusal
            give_card(self, seat, action)
            return
        match = self.match
        if action >= match.first_box:
            if self.phase is TOKENS:
                cover_box(self, seat, action)
            else:
                choose_team(self, action)
            return
        hands = self.hands
        played = BYTE[action]
        if match.several[action]:
            if action in match.low:
                self.lows |= 1 << seat
            take_out(self, seat, action)
        else:
            hands[seat] = hands[seat].replace(played, b"")
        self.log += played
        led = self.led
        if led is None:
            self.led = led = self.terms.trumps.led[action]  # type: ignore[union-attr]  # settled
            barred, power = led
            self.best = power[action]
            self.winner = seat
        else:
            barred, power = led
            # The strongest card takes, among equals the one played last (SPEC 11.5).
            if power[action] >= self.best:
                self.best = power[action]
                self.winner = seat
        following = match.after[seat]
        if following != self.leader:
            hand = hands[following]
            self.turn = following
            self.choices = hand.translate(None, barred) or hand  # `may_play`, without the call
            return
        take_trick(self)
        ask_lead(self)
        if not self.choices:
            end_round(self)

    def copy_to(self, twin: Position) -> None:
        """Fill an empty position with all that this one has."""
        twin.match = self.match
        twin.past = self.past
        twin.phase = self.phase
        twin.turn = self.turn
        twin.choices = self.choices
        twin.hands = self.hands[:]
        twin.spares = self.spares[:]
        twin.log = self.log
        twin.terms = self.terms
        twin.team = self.team
        twin.given = self.given
        twin.takes = self.takes
        twin.leader = self.leader
        twin.led = self.led
        twin.best = self.best
        twin.winner = self.winner
        twin.lows = self.lows

    def ending(self, scores: tuple[int, ...]) -> str | None:
        """The ending of the match with these scores after a round; None: it goes on (SPEC 11.2)."""
        target = self.match.options["target"]
        if isinstance(target, int) and max(scores) >= target:
            return "target"
        return "rounds" if self.past.number == self.match.last_round else None

    def received(self, seat: int) -> bytes:
        """The cards passed to a seat; none where cards are discarded."""
        step = self.terms.discard.passes  # type: ignore[union-attr]  # settled
        return self.given[(seat - step) % self.match.seats] if step else b""


# The effects of legal actions, phase by phase. They are functions, because the compiled build calls
# a function at once, and a method of a class with subclasses by way of a table.


def start_round(state: Position, past: EarlierRounds) -> None:
    """Shuffle and deal (SPEC 11.3, deal)."""
    match = state.match
    table = match.table
    # The first hand is sorted anyway.
    each = table.cards_each
    cards = shuffle(table.cards, match.seed, "deal", past.number - 1, unordered=each)
    deal_round(state, past, bytes(cards))


def deal_round(state: Position, past: EarlierRounds, cards: bytes) -> None:
    """Deal these; the tokens begin with the dealer, or the next seat (SPEC 11.3.2)."""
    match = state.match
    table = match.table
    each = table.cards_each
    hands = [match.deck.sort_hand(cards[start : start + each]) for start in table.hand_starts]
    state.past = past
    state.phase = TOKENS
    state.hands = [hand for hand, spare in hands]
    state.spares = [spare for hand, spare in hands]
    state.log = b""
    state.terms = None
    state.team = None
    state.given = table.none_given
    state.takes = b""
    state.led = None
    state.best = state.winner = state.lows = 0
    state.turn = state.leader = table.first_token[past.dealer]
    state.choices = table.coverable


def cover_box(state: Position, seat: int, action: int) -> None:
    """Put a token on a box of a row that has two or more open (SPEC 11.3.2)."""
    match = state.match
    token = BYTE[action]
    boxes = state.choices.replace(token, b"")
    row_of = match.row_of
    if boxes.translate(row_of).count(row_of[action]) == 1:  # the row is settled
        boxes = boxes.translate(None, match.table.row[action])
    state.log += token
    if boxes:
        state.choices = boxes
        state.turn = match.after[seat]
    else:
        end_tokens(state)


def end_tokens(state: Position) -> None:
    """Settle the board, and ask the first player for a team."""
    table = state.match.table
    state.terms = table.tables.terms(table.boxes.translate(None, state.log))
    state.leader = first = state.terms.first
    if table.seats == 2:  # nothing to choose: one against one
        end_teams(state, Team((first,), None))
        return
    state.phase = TEAM
    state.turn = first
    state.choices = table.team_choices[first]


def choose_team(state: Position, action: int) -> None:
    """Take the first player's choice of a team (SPEC 11.3.3)."""
    state.log += BYTE[action]
    match = state.match
    end_teams(state, match.tables.actions.teams[match.seats, state.leader][action])


def end_teams(state: Position, team: Team) -> None:
    state.team = team
    if state.terms.discard.cards:  # type: ignore[union-attr]  # settled
        state.phase = DISCARD
        state.turn = state.match.table.everyone
        state.choices = b""
    else:
        start_tricks(state)


def may_give(state: Position, seat: int) -> bytes:
    """The cards that may be discarded or passed on: any, but low ones not if spared [D5]."""
    hand = state.hands[seat]
    return may_play(hand, state.match.low) if state.terms.discard.spares_low else hand  # type: ignore[union-attr]  # settled


def give_card(state: Position, seat: int, action: int) -> None:
    """Discard or pass one card more, unseen (SPEC 11.3.4), or raise a RefusedAction."""
    is_asked = seat != state.turn and seat in TO_ACT[state.turn]
    if not is_asked or not 0 <= action < 256 or action not in may_give(state, seat):
        raise refused(state, seat, action)
    take_out(state, seat, action)
    chosen = state.given[seat] + BYTE[action]
    given = [*state.given]
    given[seat] = chosen
    state.given = given
    if len(chosen) < state.terms.discard.cards:  # type: ignore[union-attr]  # settled
        return
    state.turn -= 1 << seat
    if state.turn == NOBODY:
        end_gifts(state)


def take_out(state: Position, seat: int, kind: int) -> None:
    """Take one copy of a card out of a hand."""
    card = BYTE[kind]
    if kind in state.spares[seat]:
        state.spares[seat] = state.spares[seat].replace(card, b"", 1)
    else:
        state.hands[seat] = state.hands[seat].replace(card, b"")


def end_gifts(state: Position) -> None:
    """Pass the chosen cards on, all at the same moment, once all have chosen."""
    match = state.match
    if state.terms.discard.passes:  # type: ignore[union-attr]  # settled
        for seat in range(match.seats):
            state.hands[seat], state.spares[seat] = match.deck.sort_hand(
                state.hands[seat] + state.spares[seat] + state.received(seat)
            )
    start_tricks(state)


def start_tricks(state: Position) -> None:
    """Begin the tricks: the first player leads."""
    state.phase = PLAY
    ask_lead(state)


def ask_lead(state: Position) -> None:
    """Ask the leader to lead a trick (SPEC 11.3.5)."""
    state.turn = leader = state.leader
    hand = state.hands[leader]
    barred = state.terms.trumps.not_led  # type: ignore[union-attr]  # settled
    state.choices = may_play(hand, barred) if barred else hand


def take_trick(state: Position) -> None:
    """Enter the complete trick (SPEC 11.5, 11.6), and set the leader of the next."""
    take = state.team.takes[state.winner][state.lows]  # type: ignore[union-attr]  # chosen
    state.takes += BYTE[take]
    state.leader = NEXT_LEADER[take]
    state.led = None
    state.lows = 0


def end_round(state: Position) -> None:
    """Score, then deal the next one; or the match is over (SPEC 11.3, 11.6)."""
    match, past, terms, team = state.match, state.past, state.terms, state.team
    assert terms is not None
    assert team is not None
    taken = take_by_seat(state.takes, match.seats)
    options = match.options
    scored = score_round(
        taken, team, terms.points, bonus=options["bonus"], scoring=options["scoring"]
    )
    finished = FinishedRound(
        past.number,
        past.dealer,
        terms,
        team,
        state.takes,
        state.log[-match.seats :],
        match.deck.names,
        scored,
    )
    result = RoundResult(finished)
    scores = tuple(map(add, past.scores, scored))
    if state.ending(scores):
        state.past = EarlierRounds(past.number, past.dealer, scores, result)
        state.phase = OVER
        state.turn = NOBODY
    else:
        dealer = match.after[past.dealer]
        start_round(state, EarlierRounds(past.number + 1, dealer, scores, result))
