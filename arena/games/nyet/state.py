"""A match of a trick-taking game in progress.

Theory of operation. All that has happened openly in the round is one bytes value, `log`: the
tokens, then the team, then the cards, each as its action's number; `takes` has a byte for each
finished trick. They are never changed, only replaced, so that copies share them, and a copy
costs a dozen references and one short list. Each phase has one method that carries out its
actions; playing a card, which is most of a match, stands written out in `apply`.

Legality of a card is two bytes values: the hand, and `unfit`, the kinds that do not serve what
was led (none while leading). What is left of the hand without them must be played, if anything
is: `legal` lists it, and `apply` tests one card against the same two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import Final

from arena.games.chance import shuffle
from arena.games.interface import Outcome, View
from arena.games.nyet.actions import Team
from arena.games.nyet.cards import BYTE, sort_hand
from arena.games.nyet.past import LOOT, LOOT_BITS, FinishedRound, Past, RoundResult
from arena.games.nyet.phases import DISCARD, OVER, PLAY, TEAM, TOKENS, Phase
from arena.games.nyet.refusals import refusal
from arena.games.nyet.scoring import places, score_round
from arena.games.nyet.tables import Match
from arena.games.nyet.terms import Terms
from arena.games.nyet.views import view_of

ALONE: Final = tuple((seat,) for seat in range(5))


class TrickState:
    """See `arena.games.interface.State`."""

    __slots__ = (
        "boxes",
        "given",
        "hands",
        "leader",
        "log",
        "match",
        "owing",
        "past",
        "phase",
        "spares",
        "takes",
        "team",
        "terms",
        "unfit",
    )

    match: Match
    past: Past
    phase: Phase
    owing: tuple[int, ...]  # who owes a decision
    hands: list[bytes]  # by seat, the kinds held (see cards)
    spares: list[bytes]  # by seat, further copies
    log: bytes
    boxes: bytes  # that may be covered: open, in a row with two or more open
    terms: Terms | None  # once the board is settled
    team: Team | None  # the first player's, once chosen
    given: tuple[bytes, ...]  # by seat: cards discarded or passed on, as kinds
    takes: bytes
    leader: int  # of the trick being played
    unfit: bytes  # kinds that do not serve what was led; none while leading

    def __repr__(self) -> str:
        return (
            f"<{self.match.tables.rules.name} round {self.past.number} {self.phase.value}, "
            f"to act {list(self.owing)}, {len(self.log)} actions>"
        )

    def to_act(self) -> tuple[int, ...]:
        return self.owing

    def legal(self, seat: int) -> Sequence[int]:
        if seat not in self.owing:
            return b""
        phase = self.phase
        if phase is PLAY:
            hand = self.hands[seat]
            return hand.translate(None, self.unfit) or hand
        if phase is TOKENS:
            return self.boxes
        if phase is TEAM:
            return bytes(self._teams())
        return self._may_give(seat)

    def apply(self, seat: int, action: int) -> None:
        if self.phase is not PLAY:
            self._before_play(seat, action)
            return
        try:
            card = BYTE[action]
            hand = self.hands[seat]
            unfit = self.unfit
            refused = (
                seat not in self.owing
                or action not in hand
                or (action in unfit and hand.translate(None, unfit))
            )
        except (TypeError, IndexError, ValueError):  # no whole number, or not one of a byte
            refused = True
        if refused:
            raise refusal(self, seat, action)
        match = self.match
        if action in match.several and action in self.spares[seat]:
            self.spares[seat] = self.spares[seat].replace(card, b"", 1)
        else:
            self.hands[seat] = hand.replace(card, b"")
        self.log += card
        seat = match.after[seat]
        if seat == self.leader:
            seat = self.take_trick()
            if not self.hands[seat]:
                self.end_round()
                return
        elif not unfit:
            self.unfit = self.terms.others[action]  # type: ignore[union-attr]  # settled
        self.owing = ALONE[seat]

    def copy(self) -> TrickState:
        twin = TrickState.__new__(TrickState)
        twin.match = self.match
        twin.past = self.past
        twin.phase = self.phase
        twin.owing = self.owing
        twin.hands = self.hands[:]
        twin.spares = self.spares[:]
        twin.log = self.log
        twin.boxes = self.boxes
        twin.terms = self.terms
        twin.team = self.team
        twin.given = self.given
        twin.takes = self.takes
        twin.leader = self.leader
        twin.unfit = self.unfit
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

    def _teams(self) -> Mapping[int, Team]:
        """The first player's choices by action."""
        match = self.match
        return match.tables.actions.teams[match.seats, self.leader]

    def _may_give(self, seat: int) -> bytes:
        """What may be discarded or passed on: any card, but low ones not if spared [D5]."""
        hand = self.hands[seat]
        if self.terms.discard.spares_low:  # type: ignore[union-attr]  # settled
            return hand.translate(None, self.match.deck.low) or hand
        return hand

    def _before_play(self, seat: int, action: int) -> None:
        """`apply` in every phase but the tricks."""
        if type(action) is not int or not 0 <= action < 256 or action not in self.legal(seat):
            raise refusal(self, seat, action)
        phase = self.phase
        if phase is TOKENS:
            self._cover(seat, action)
        elif phase is TEAM:
            self._choose_team(action)
        else:
            self._give(seat, action)

    # What an action that is legal does, and what follows from it, phase by phase.

    def start_round(self, past: Past) -> None:
        """Deal; the tokens begin with the dealer, or left of him (SPEC 11.3, deal)."""
        match = self.match
        table = match.table
        each = table.full_hands[0]
        # The first hand is sorted anyway.
        cards = shuffle(table.cards, match.seed, "deal", past.number - 1, unordered=each)
        hands = [sort_hand(cards[seat * each : (seat + 1) * each]) for seat in range(match.seats)]
        self.past = past
        self.phase = TOKENS
        self.hands = [hand for hand, spare in hands]
        self.spares = [spare for hand, spare in hands]
        self.log = b""
        self.boxes = table.boxes
        self.terms = None
        self.team = None
        self.given = (b"",) * match.seats
        self.takes = b""
        self.leader = table.first_token[past.dealer]
        self.unfit = b""
        self.owing = ALONE[self.leader]

    def _cover(self, seat: int, action: int) -> None:
        """A token on a box of a row that has two or more open (SPEC 11.3.2)."""
        table = self.match.table
        token = BYTE[action]
        boxes = self.boxes.replace(token, b"")
        row = boxes.translate(None, table.other_rows[action])
        if len(row) == 1:  # the row is settled
            boxes = boxes.replace(row, b"")
        self.boxes = boxes
        self.log += token
        if boxes:
            self.owing = ALONE[table.after[seat]]
        else:
            self.end_tokens()

    def end_tokens(self) -> None:
        """The board is settled: the first player chooses a team."""
        table = self.match.table
        self.terms = table.tables.terms(table.boxes.translate(None, self.log))
        self.leader = self.terms.first
        self.owing = ALONE[self.leader]
        self.phase = TEAM
        if table.seats == 2:  # nothing to choose: one against one
            self._end_teams(Team((self.leader,), None))

    def _choose_team(self, action: int) -> None:
        """The first player's choice (SPEC 11.3.3)."""
        self.log += BYTE[action]
        self._end_teams(self._teams()[action])

    def _end_teams(self, team: Team) -> None:
        self.team = team
        if self.terms.discard.cards:  # type: ignore[union-attr]  # settled
            self.phase = DISCARD
            self.owing = tuple(range(self.match.seats))
        else:
            self._start_tricks()

    def _give(self, seat: int, action: int) -> None:
        """One card more that a seat discards or passes, unseen (SPEC 11.3.4)."""
        card = BYTE[action]
        if action in self.spares[seat]:
            self.spares[seat] = self.spares[seat].replace(card, b"", 1)
        else:
            self.hands[seat] = self.hands[seat].replace(card, b"")
        chosen = self.given[seat] + card
        self.given = (*self.given[:seat], chosen, *self.given[seat + 1 :])
        if len(chosen) < self.terms.discard.cards:  # type: ignore[union-attr]  # settled
            return
        place = self.owing.index(seat)
        self.owing = self.owing[:place] + self.owing[place + 1 :]
        if not self.owing:
            self._pass_on()
            self._start_tricks()

    def _pass_on(self) -> None:
        """Passed cards change hands at the same moment, once all have chosen."""
        if self.terms.discard.passes:  # type: ignore[union-attr]  # settled
            for seat in range(self.match.seats):
                self.hands[seat], self.spares[seat] = sort_hand(
                    self.hands[seat] + self.spares[seat] + self.received(seat)
                )

    def received(self, seat: int) -> bytes:
        """The cards passed to a seat; none where cards are discarded."""
        step = self.terms.discard.passes  # type: ignore[union-attr]  # settled
        return self.given[(seat - step) % self.match.seats] if step else b""

    def _start_tricks(self) -> None:
        self.phase = PLAY
        self.owing = ALONE[self.leader]

    def take_trick(self) -> int:
        """The trick just completed goes to the strongest card, among equals to the one played
        last (SPEC 11.5). Returns who took it and leads the next."""
        match = self.match
        seats = match.seats
        cards = self.log[-seats:]
        powers = cards.translate(self.terms.power[cards[0]])  # type: ignore[union-attr]  # settled
        winner = (self.leader + powers.rindex(max(powers))) % seats
        take = winner << LOOT_BITS
        marks = cards.translate(match.low_marks)
        if 1 in marks:
            # Loot: low cards played by the other team (SPEC 11.6).
            lows = match.low_seats[self.leader][marks]
            ours = self.team.mask  # type: ignore[union-attr]  # chosen
            take |= (lows & ~ours if ours >> winner & 1 else lows & ours).bit_count()
        self.takes += BYTE[take]
        self.leader = winner
        self.unfit = b""
        return winner

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
            self.owing = ()
        else:
            dealer = match.after[past.dealer]
            self.start_round(Past(past.number + 1, dealer, scores, result))
