"""A match of a trick-taking game in progress.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import TYPE_CHECKING

from arena.games.chance import shuffle
from arena.games.derived import SavedState, plain
from arena.games.interface import Outcome, View
from arena.games.nyet.actions import Team
from arena.games.nyet.cards import BYTE
from arena.games.nyet.observe import observed
from arena.games.nyet.past import (
    LOOT_BITS,
    NEXT_LEADER,
    EarlierRounds,
    FinishedRound,
    RoundResult,
)
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TEAM, TOKENS, Phase
from arena.games.nyet.refusals import broken_rule, refused
from arena.games.nyet.saved import saved
from arena.games.nyet.scoring import places, score_round, take_by_seat
from arena.games.nyet.tables import TrickMatch
from arena.games.nyet.terms import Led, Terms, may_play
from arena.games.nyet.turns import NOBODY, TO_ACT
from arena.games.nyet.views import view_of
from arena.games.observation import Observed

if TYPE_CHECKING:
    from arena.games.nyet.game import TrickGame


class TrickState(SavedState):
    """See `arena.games.interface.State`."""

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

    def __repr__(self) -> str:
        return (
            f"<{self.match.tables.rules.name} round {self.past.number} {self.phase.value}, "
            f"to act {list(self.to_act())}, {len(self.log)} actions>"
        )

    @property
    def game(self) -> TrickGame:
        return self.match.game

    @property
    def seats(self) -> int:
        return self.match.seats

    def to_act(self) -> tuple[int, ...]:
        return TO_ACT[self.turn]

    def legal(self, seat: int) -> Sequence[int]:
        if seat == self.turn:
            return self.choices
        # Another seat owes a decision only where several choose at once.
        return self._may_give(seat) if seat in TO_ACT[self.turn] else b""

    def apply(self, seat: int, action: int) -> None:
        try:
            # True equals 1, but is no seat and no action.
            is_in_turn = (
                seat == self.turn and action in self.choices and type(seat) is type(action) is int
            )
        except (TypeError, ValueError):  # no number, or not that of a byte
            is_in_turn = False
        if not is_in_turn:  # a seat that chooses together with others, or a refusal
            self._give(seat, action)
            return
        phase = self.phase
        if phase is not PLAY:
            if phase is TOKENS:
                self._cover(seat, action)
            else:
                self._choose_team(action)
            return
        match = self.match
        hands = self.hands
        played = BYTE[action]
        if match.several[action]:
            if action in match.low:
                self.lows |= 1 << seat
            self.take_out(seat, action)
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
        seat = match.after[seat]
        if seat != self.leader:
            hand = hands[seat]
            self.turn = seat
            self.choices = hand.translate(None, barred) or hand  # `may_play`, without the call
            return
        self.take_trick()
        self.ask_lead()
        if not self.choices:
            self.end_round()

    def refusal(self, seat: int, action: int) -> str | None:
        return broken_rule(self, seat, action)

    def copy(self) -> TrickState:
        twin = TrickState.__new__(TrickState)
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
        return twin

    def view(self, seat: int | None) -> View:
        return view_of(self, seat)

    def observed(self, seat: int) -> Observed:
        return observed(self, seat)

    def stage(self) -> tuple[int, str]:
        return self.past.number, self.phase.word

    def saved(self) -> tuple[object, ...]:
        return saved(self)

    def outcome(self) -> Outcome | None:
        if self.phase is not OVER:
            return None
        scores = self.past.scores
        return Outcome(scores, places(scores), self._ending(scores) or "rounds")

    def _ending(self, scores: tuple[int, ...]) -> str | None:
        """The ending of the match with these scores after a round; None: it goes on (SPEC 11.2)."""
        target = self.match.options["target"]
        if isinstance(target, int) and max(scores) >= target:
            return "target"
        return "rounds" if self.past.number == self.match.last_round else None

    def _may_give(self, seat: int) -> bytes:
        """The cards that may be discarded or passed on: any, but low ones not if spared [D5]."""
        hand = self.hands[seat]
        return may_play(hand, self.match.low) if self.terms.discard.spares_low else hand  # type: ignore[union-attr]  # settled

    # Effects of legal actions, phase by phase.

    def start_round(self, past: EarlierRounds) -> None:
        """Shuffle and deal (SPEC 11.3, deal)."""
        match = self.match
        table = match.table
        # The first hand is sorted anyway.
        each = table.cards_each
        cards = shuffle(table.cards, match.seed, "deal", past.number - 1, unordered=each)
        self.deal_round(past, bytes(cards))

    def deal_round(self, past: EarlierRounds, cards: bytes) -> None:
        """Deal these; the tokens begin with the dealer, or the next seat (SPEC 11.3.2)."""
        match = self.match
        table = match.table
        each = table.cards_each
        hands = [match.deck.sort_hand(cards[start : start + each]) for start in table.hand_starts]
        self.past = past
        self.phase = TOKENS
        self.hands = [hand for hand, spare in hands]
        self.spares = [spare for hand, spare in hands]
        self.log = b""
        self.terms = None
        self.team = None
        self.given = table.none_given
        self.takes = b""
        self.led = None
        self.best = self.winner = self.lows = 0
        self.turn = self.leader = table.first_token[past.dealer]
        self.choices = table.coverable

    def _cover(self, seat: int, action: int) -> None:
        """Put a token on a box of a row that has two or more open (SPEC 11.3.2)."""
        match = self.match
        token = BYTE[action]
        boxes = self.choices.replace(token, b"")
        row = boxes.translate(None, match.table.other_rows[action])
        if len(row) == 1:  # the row is settled
            boxes = boxes.replace(row, b"")
        self.log += token
        if boxes:
            self.choices = boxes
            self.turn = match.after[seat]
        else:
            self.end_tokens()

    def end_tokens(self) -> None:
        """Settle the board, and ask the first player for a team."""
        table = self.match.table
        self.terms = table.tables.terms(table.boxes.translate(None, self.log))
        self.leader = first = self.terms.first
        if table.seats == 2:  # nothing to choose: one against one
            self._end_teams(Team((first,), None))
            return
        self.phase = TEAM
        self.turn = first
        self.choices = table.team_choices[first]

    def _choose_team(self, action: int) -> None:
        """Take the first player's choice of a team (SPEC 11.3.3)."""
        self.log += BYTE[action]
        match = self.match
        self._end_teams(match.tables.actions.teams[match.seats, self.leader][action])

    def _end_teams(self, team: Team) -> None:
        self.team = team
        if self.terms.discard.cards:  # type: ignore[union-attr]  # settled
            self.phase = DISCARD
            self.turn = self.match.table.everyone
            self.choices = b""
        else:
            self.start_tricks()

    def _give(self, seat: int, action: int) -> None:
        """Discard or pass one card more, unseen (SPEC 11.3.4), or raise a RefusedAction."""
        if type(seat) is not int or type(action) is not int:
            number, code = plain(seat), plain(action)
            if number is None or code is None:
                raise refused(self, seat, action)
            self.apply(number, code)
            return
        if not 0 <= action < 256 or action not in self.legal(seat):
            raise refused(self, seat, action)
        self.take_out(seat, action)
        chosen = self.given[seat] + BYTE[action]
        given = [*self.given]
        given[seat] = chosen
        self.given = given
        if len(chosen) < self.terms.discard.cards:  # type: ignore[union-attr]  # settled
            return
        self.turn -= 1 << seat
        if self.turn == NOBODY:
            self.end_gifts()

    def take_out(self, seat: int, kind: int) -> None:
        """Take one copy of a card out of a hand."""
        card = BYTE[kind]
        if kind in self.spares[seat]:
            self.spares[seat] = self.spares[seat].replace(card, b"", 1)
        else:
            self.hands[seat] = self.hands[seat].replace(card, b"")

    def end_gifts(self) -> None:
        """Pass the chosen cards on, all at the same moment, once all have chosen."""
        match = self.match
        if self.terms.discard.passes:  # type: ignore[union-attr]  # settled
            for seat in range(match.seats):
                self.hands[seat], self.spares[seat] = match.deck.sort_hand(
                    self.hands[seat] + self.spares[seat] + self.received(seat)
                )
        self.start_tricks()

    def received(self, seat: int) -> bytes:
        """The cards passed to a seat; none where cards are discarded."""
        step = self.terms.discard.passes  # type: ignore[union-attr]  # settled
        return self.given[(seat - step) % self.match.seats] if step else b""

    def start_tricks(self) -> None:
        """Begin the tricks: the first player leads."""
        self.phase = PLAY
        self.ask_lead()

    def ask_lead(self) -> None:
        """Ask the leader to lead a trick (SPEC 11.3.5)."""
        self.turn = leader = self.leader
        hand = self.hands[leader]
        barred = self.terms.trumps.not_led  # type: ignore[union-attr]  # settled
        self.choices = may_play(hand, barred) if barred else hand

    def take_trick(self) -> None:
        """Enter the complete trick (SPEC 11.5, 11.6), and set the leader of the next."""
        winner = self.winner
        take = winner << LOOT_BITS
        lows = self.lows
        if lows:
            # Loot: low cards played by the other team (SPEC 11.6).
            ours = self.team.mask  # type: ignore[union-attr]  # chosen
            take |= (lows & ~ours if ours >> winner & 1 else lows & ours).bit_count()
            self.lows = 0
        self.takes += BYTE[take]
        self.leader = NEXT_LEADER[take]
        self.led = None

    def end_round(self) -> None:
        """Score, then deal the next one; or the match is over (SPEC 11.3, 11.6)."""
        match, past, terms, team = self.match, self.past, self.terms, self.team
        assert terms is not None
        assert team is not None
        taken = take_by_seat(self.takes, match.seats)
        options = match.options
        scored = score_round(
            taken, team, terms.points, bonus=options["bonus"], scoring=options["scoring"]
        )
        finished = FinishedRound(
            past.number,
            past.dealer,
            terms,
            team,
            self.takes,
            self.log[-match.seats :],
            match.deck.names,
            scored,
        )
        result = RoundResult(finished)
        scores = tuple(map(add, past.scores, scored))
        if self._ending(scores):
            self.past = EarlierRounds(past.number, past.dealer, scores, result)
            self.phase = OVER
            self.turn = NOBODY
        else:
            dealer = match.after[past.dealer]
            self.start_round(EarlierRounds(past.number + 1, dealer, scores, result))
