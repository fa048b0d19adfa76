"""A match of a trick-taking game in progress.

Theory of operation. All that has happened openly in the round is one bytes value, `log`: the
tokens, then the team, then the cards, each as its action's number; `takes` has a byte for each
finished trick. They are never changed, only replaced, so that copies share them, and a copy
costs a row of references and two short lists. Playing a card, which is most of a match, stands
written out in `apply`; every other action has a method of its own.

What may be done is worked out once, when its turn comes: `choices` are the actions of the seat
to act, so that `legal` hands them over and `apply` looks the action up in them. For tokens they
are all that is kept of the board. Only where several seats choose at once there is no such
seat, and each one's choices are worked out when asked for. In the same way the strongest card
of a trick is kept as the cards are played, not looked for at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from arena.games.chance import shuffle
from arena.games.interface import Outcome, View
from arena.games.nyet.actions import Team
from arena.games.nyet.cards import BYTE
from arena.games.nyet.past import LOOT, LOOT_BITS, FinishedRound, Past, RoundResult
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TEAM, TOKENS, Phase
from arena.games.nyet.refusals import refusal
from arena.games.nyet.scoring import places, score_round
from arena.games.nyet.tables import Match
from arena.games.nyet.terms import Led, Terms
from arena.games.nyet.turns import NOBODY, TO_ACT
from arena.games.nyet.views import view_of


class TrickState:
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

    match: Match
    past: Past
    phase: Phase
    turn: int  # who owes a decision (see turns)
    choices: bytes  # what may be done by the seat whose turn it is; nothing when several choose
    hands: list[bytes]  # by seat, the kinds held (see cards)
    spares: list[bytes]  # by seat, further copies
    log: bytes
    terms: Terms | None  # once the board is settled
    team: Team | None  # the first player's, once chosen
    given: Sequence[bytes]  # by seat: cards discarded or passed on, as kinds; only replaced
    takes: bytes
    # The trick being played: who led it and what; once a card lies, the strongest so far, who
    # played it, and a bit for each seat that has played a low card.
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
            whole = type(seat) is type(action) is int
            in_turn = whole and seat == self.turn and action in self.choices
        except ValueError:  # not a number of a byte
            in_turn = False
        if not in_turn:  # it is one of several that choose at once, or refused
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
            others, power = led
            self.best = power[action]
            self.winner = seat
        else:
            others, power = led
            # The strongest card takes, among equals the one played last (SPEC 11.5).
            if power[action] >= self.best:
                self.best = power[action]
                self.winner = seat
        seat = match.after[seat]
        if seat != self.leader:
            # Who can follow must (SPEC 11.4).
            self.choices = hands[seat].translate(None, others) or hands[seat]
            self.turn = seat
            return
        self.take_trick()
        self.turn = seat = self.leader
        self.choices = hands[seat]
        if not self.choices:
            self.end_round()

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

    def outcome(self) -> Outcome | None:
        if self.phase is not OVER:
            return None
        scores = self.past.scores
        return Outcome(scores, places(scores), self._ending(scores) or "rounds")

    def _ending(self, scores: tuple[int, ...]) -> str | None:
        """How the match ends with these scores after a round, or None: it goes on (SPEC 11.2)."""
        target = self.match.options["target"]
        if isinstance(target, int) and max(scores) >= target:
            return "target"
        return "rounds" if self.past.number == self.match.last_round else None

    def _may_give(self, seat: int) -> bytes:
        """What may be discarded or passed on: any card, but low ones not if spared [D5]."""
        hand = self.hands[seat]
        if self.terms.discard.spares_low:  # type: ignore[union-attr]  # settled
            return hand.translate(None, self.match.low) or hand
        return hand

    # What an action that is legal does, and what follows from it, phase by phase.

    def start_round(self, past: Past) -> None:
        """Deal; the tokens begin with the dealer, or left of him (SPEC 11.3, deal)."""
        match = self.match
        table = match.table
        each = table.cards_each
        # The first hand is sorted anyway.
        cards = bytes(shuffle(table.cards, match.seed, "deal", past.number - 1, unordered=each))
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
        self.choices = table.boxes

    def _cover(self, seat: int, action: int) -> None:
        """A token on a box of a row that has two or more open (SPEC 11.3.2)."""
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
        """The board is settled: the first player chooses a team."""
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
        """The first player's choice (SPEC 11.3.3)."""
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
        """One card more that a seat discards or passes, unseen (SPEC 11.3.4), if it may."""
        whole = type(seat) is type(action) is int
        if not whole or not 0 <= action < 256 or action not in self.legal(seat):
            raise refusal(self, seat, action)
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
        """One copy of a card leaves a hand."""
        card = BYTE[kind]
        if kind in self.spares[seat]:
            self.spares[seat] = self.spares[seat].replace(card, b"", 1)
        else:
            self.hands[seat] = self.hands[seat].replace(card, b"")

    def end_gifts(self) -> None:
        """Passed cards change hands at the same moment, once all have chosen."""
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
        """The first player leads the first trick."""
        self.phase = PLAY
        self.turn = self.leader
        self.choices = self.hands[self.leader]

    def take_trick(self) -> None:
        """The trick is complete, and its winner leads the next (SPEC 11.5)."""
        winner = self.winner
        take = winner << LOOT_BITS
        lows = self.lows
        if lows:
            # Loot: low cards played by the other team (SPEC 11.6).
            ours = self.team.mask  # type: ignore[union-attr]  # chosen
            take |= (lows & ~ours if ours >> winner & 1 else lows & ours).bit_count()
            self.lows = 0
        self.takes += BYTE[take]
        self.leader = winner
        self.led = None

    def end_round(self) -> None:
        """Score, then deal the next one; or the match is over (SPEC 11.3, 11.6)."""
        match, past, terms, team = self.match, self.past, self.terms, self.team
        assert terms is not None
        assert team is not None
        gains = [0] * match.seats
        for take in self.takes:
            gains[take >> LOOT_BITS] += 1 + (take & LOOT)
        options = match.options
        scored = score_round(
            gains, team, terms.points, bonus=options["bonus"], scoring=options["scoring"]
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
            self.past = Past(past.number, past.dealer, scores, result)
            self.phase = OVER
            self.turn = NOBODY
        else:
            dealer = match.after[past.dealer]
            self.start_round(Past(past.number + 1, dealer, scores, result))
