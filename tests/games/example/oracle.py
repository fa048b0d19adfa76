"""Match up a second time, from RULES.md and not from the game: slow, and in whole texts.

An oracle shares no code with what it judges. It keeps cards as texts and hands as lists, and
says of every position what is legal, what each sees, and how the match ended.
"""

from __future__ import annotations

from tests.oracle.chance import below, shuffled, stream

DECK = [colour + number for colour in "RBGY" for number in "1234567"]


class MatchUpOracle:
    """One match; `hand` and `max_turns` are the options of RULES.md."""

    def __init__(self, seats: int, seed: bytes, hand: int = 5, max_turns: int = 200):
        cards = shuffled(seed, "deal", 0, DECK)
        self.hands: list[list[str]] = []
        for _ in range(seats):
            self.hands.append(cards[:hand])
            cards = cards[hand:]
        self.pile = [cards[0]]
        self.stock = cards[1:]
        self.max_turns = max_turns
        self.whose_turn = below(stream(seed, "first", 0), seats)
        self.turns = 0

    def is_over(self) -> bool:
        return self.turns == self.max_turns or [] in self.hands

    def legal(self, seat: int) -> set[str]:
        if self.is_over() or seat != self.whose_turn:
            return set()
        top = self.pile[-1]
        fitting = {card for card in self.hands[seat] if card[0] == top[0] or card[1] == top[1]}
        return fitting or {"draw"}

    def apply(self, seat: int, action: str) -> None:
        if action != "draw":
            self.hands[seat].remove(action)
            self.pile.append(action)
        elif self.stock != []:
            self.hands[seat].append(self.stock.pop(0))
        self.turns += 1
        self.whose_turn = seat + 1 if seat + 1 < len(self.hands) else 0

    def sees(self, seat: int | None) -> dict[str, object]:
        """What a view must say, but for what its reader knows anyway."""
        return {
            "turn": None if self.is_over() else self.whose_turn,
            "turns": self.turns,
            "hand": None if seat is None else sorted(self.hands[seat], key=DECK.index),
            "hand_sizes": [len(hand) for hand in self.hands],
            "pile": self.pile,
            "stock": len(self.stock),
        }

    def points(self) -> list[int]:
        return [-len(hand) for hand in self.hands]
