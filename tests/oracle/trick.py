"""The three trick-taking games, read from their booklets (SPEC 11).

Everything is text and lists of text: a card is `R13`, a box is `trump:R`. Nothing is
computed ahead of time and nothing is remembered that could be worked out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import cast

from tests.oracle.chance import dealer_by_lot, shuffled


@dataclass(frozen=True)
class Booklet:
    """What one booklet prints on its cards and on its board (SPEC 11.1)."""

    name: str
    colours: str
    ranks: tuple[int, ...]  # of the fifteen or ten cards of one colour
    low: int
    taken_out_with_three: tuple[int, ...]  # ranks, of each colour
    cards_each: Mapping[int, int]  # by number of players
    rounds: Mapping[int, int]  # by number of players
    discard: tuple[str, ...]
    trump: str
    supertrump: str
    points: tuple[str, ...]
    dealer_places_first: bool
    double_agent: bool  # a supertrump turns into the colour of trump
    bonus_card: bool


# 000 and 001: the contents, the board's rows, "Specifications of Game Setup". [D3]
NYET = Booklet(
    name="nyet",
    colours="RBYG",
    ranks=(1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
    low=1,
    taken_out_with_three=(11, 12, 13),
    cards_each={2: 15, 3: 16, 4: 15, 5: 12},
    rounds={2: 8, 3: 9, 4: 8, 5: 10},
    discard=("1", "2", "1x", "left1", "0"),
    trump="RBYG",
    supertrump="RBYG-",
    points=("1", "2", "3", "4", "-2"),
    dealer_places_first=True,
    double_agent=True,
    bonus_card=True,
)

# 003. [D1] [D4]
NJET = Booklet(
    name="njet",
    colours="RKBY",
    ranks=(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 9),
    low=0,
    taken_out_with_three=(7, 7, 7),
    cards_each={2: 15, 3: 16, 4: 15, 5: 12},
    rounds={2: 8, 3: 9, 4: 8, 5: 10},
    discard=("1", "2", "2x", "right2", "0"),
    trump="RKBY-",
    supertrump="RKBY-",
    points=("1", "2", "3", "4", "-2"),
    dealer_places_first=True,
    double_agent=False,
    bonus_card=True,
)

# 002. [D2] [D9]
NJET_IT = Booklet(
    name="njet-it",
    colours="RKBG",
    ranks=(1, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    low=1,
    taken_out_with_three=(),
    cards_each={4: 10},
    rounds={4: 8},
    discard=("0", "1", "2"),
    trump="RKBG",
    supertrump="RKBG-",
    points=("1", "2", "3", "4"),
    dealer_places_first=False,
    double_agent=False,
    bonus_card=False,
)

BOOKLETS = {booklet.name: booklet for booklet in (NYET, NJET, NJET_IT)}

ROWS = ("first", "discard", "trump", "supertrump", "points")


# ---- cards ----------------------------------------------------------------------------------


def colour(card: str) -> str:
    return card[0]


def rank(card: str) -> int:
    return int(card[1:])


def card_kinds(booklet: Booklet) -> list[str]:
    """Every kind of card once, by colour, then by rank."""
    kinds = []
    for letter in booklet.colours:
        for number in sorted(set(booklet.ranks)):
            kinds.append(f"{letter}{number}")
    return kinds


def deck(booklet: Booklet, seats: int) -> list[str]:
    """Every card in play at this table, by colour, then by rank, copies side by side."""
    cards = []
    for letter in booklet.colours:
        ranks = sorted(booklet.ranks)
        if seats == 3:
            for number in booklet.taken_out_with_three:
                ranks.remove(number)
        cards += [f"{letter}{number}" for number in ranks]
    return cards


def in_order(booklet: Booklet, cards: list[str]) -> list[str]:
    return [kind for kind in card_kinds(booklet) for card in cards if card == kind]


# ---- the board ------------------------------------------------------------------------------


def board(booklet: Booklet, seats: int) -> dict[str, list[str]]:
    """The boxes of each row."""
    return {
        "first": [f"first:{seat}" for seat in range(seats)],
        "discard": [f"discard:{word}" for word in booklet.discard],
        "trump": [f"trump:{letter}" for letter in booklet.trump],
        "supertrump": [f"supertrump:{letter}" for letter in booklet.supertrump],
        "points": [f"points:{number}" for number in booklet.points],
    }


def boxes_to_cover(open_boxes: Mapping[str, list[str]]) -> list[str]:
    """Every open box of a row with two or more open boxes."""
    boxes = []
    for row in ROWS:
        if len(open_boxes[row]) >= 2:
            boxes += open_boxes[row]
    return boxes


# ---- teams ----------------------------------------------------------------------------------


def team_choices(booklet: Booklet, seats: int, first: int) -> list[str]:
    """What the first player may choose between; nothing when two play."""
    if seats == 2:
        return []
    sizes = {3: (1, 2), 4: (2,), 5: (2, 3)}[seats]
    choices = []
    for size in sizes:
        for team in combinations(range(seats), size):
            if first not in team:
                continue
            name = "team:" + "".join(str(seat) for seat in team)
            if seats == 5:
                for holder in two_player_team(list(team), seats):
                    choices.append(f"{name}*{holder}")
            else:
                choices.append(name)
    return choices


def other_seats(team: list[int], seats: int) -> list[int]:
    return [seat for seat in range(seats) if seat not in team]


def two_player_team(team: list[int], seats: int) -> list[int]:
    """Of five players: the smaller team."""
    if len(team) == 2:
        return team
    return other_seats(team, seats)


def bonus_of_three(team: list[int]) -> int:
    """The lone player holds the bonus card."""
    if len(team) == 1:
        return team[0]
    return other_seats(team, 3)[0]


def all_team_choices(booklet: Booklet) -> list[str]:
    """At any table, by anyone: by size, then seats, then the holder of the bonus card."""
    names: set[str] = set()
    for seats in booklet.cards_each:
        for first in range(seats):
            names.update(team_choices(booklet, seats, first))

    def order(name: str) -> tuple[int, str, str]:
        team, _, holder = name.removeprefix("team:").partition("*")
        return len(team), team, holder

    return sorted(names, key=order)


# ---- discarding -----------------------------------------------------------------------------


def number_to_give(word: str) -> int:
    """How many cards the open box of row 2 asks of everyone."""
    return {"0": 0, "1": 1, "2": 2, "1x": 1, "2x": 2, "left1": 1, "right2": 2}[word]


def is_legal_discard(booklet: Booklet, word: str, hand: list[str], given: list[str]) -> bool:
    """Whether these cards, as a whole, are what the box asks for."""
    if len(given) != number_to_give(word):
        return False
    if word.endswith("x"):
        # "excluding cards with a value of 1"; low cards only where the others run out. [D5]
        others_held = [card for card in hand if rank(card) != booklet.low]
        others_given = [card for card in given if rank(card) != booklet.low]
        return len(others_given) == min(len(given), len(others_held))
    return True


def next_discards(booklet: Booklet, word: str, hand: list[str], given: list[str]) -> list[str]:
    """The cards that, after those already chosen, still lead to a legal discard."""
    rest = list(hand)
    for card in given:
        rest.remove(card)
    missing = number_to_give(word) - len(given)
    found: set[str] = set()
    for more in combinations(rest, missing):
        if is_legal_discard(booklet, word, hand, given + list(more)):
            found.update(more)
    return [card for card in card_kinds(booklet) if card in found]


# ---- tricks ---------------------------------------------------------------------------------


def is_supertrump(booklet: Booklet, card: str, supertrump: str) -> bool:
    return rank(card) == booklet.low and colour(card) == supertrump


def suit(booklet: Booklet, card: str, trump: str, supertrump: str) -> str:
    """The colour a card counts as when leading and following (SPEC 11.4)."""
    if booklet.double_agent and is_supertrump(booklet, card, supertrump):
        return trump
    return colour(card)


def may_follow_with(
    booklet: Booklet, hand: list[str], led: str, trump: str, supertrump: str
) -> list[str]:
    """ "You must match the color led, if you can"; otherwise any card."""
    asked = suit(booklet, led, trump, supertrump)
    matching = [card for card in hand if suit(booklet, card, trump, supertrump) == asked]
    return matching or hand


def last_of_the_highest(trick: list[tuple[int, str]], cards: list[str]) -> int:
    """Who played the highest of these cards; among equals, who played it last."""
    best_rank = max(rank(card) for card in cards)
    winner = -1
    for seat, card in trick:
        if card in cards and rank(card) == best_rank:
            winner = seat
    return winner


def who_takes(booklet: Booklet, trick: list[tuple[int, str]], trump: str, supertrump: str) -> int:
    """The seat that takes a trick, given as seats and cards in the order played (SPEC 11.5)."""
    played = [card for _, card in trick]
    # "If a supertrump was played, it takes the trick", the last one if there are several.
    supertrumps = [card for card in played if is_supertrump(booklet, card, supertrump)]
    if supertrumps:
        return last_of_the_highest(trick, supertrumps)
    # "the trump with the highest value takes the trick"
    trumps = [card for card in played if colour(card) == trump]
    if trumps:
        return last_of_the_highest(trick, trumps)
    # "the highest value in the color of the starting card"
    following = [card for card in played if colour(card) == colour(played[0])]
    return last_of_the_highest(trick, following)


def loot_of(
    booklet: Booklet, trick: list[tuple[int, str]], winner: int, team_of: list[int]
) -> list[str]:
    """Each low card "played by an opponent" of the trick's winner (SPEC 11.6)."""
    return [
        card
        for seat, card in trick
        if rank(card) == booklet.low and team_of[seat] != team_of[winner]
    ]


# ---- scoring --------------------------------------------------------------------------------


def team_points(
    team: list[int], take: list[int], points: int, bonus: int | None, bonus_option: str
) -> int:
    """The sum of a team's points, with the bonus holder's own take doubled inside it. [D6]"""
    total = 0
    for seat in team:
        own = take[seat] * points
        if seat == bonus and bonus_option == "take":
            own = own * 2
        total += own
    return total


def round_scores(
    take: list[int],
    team_of: list[int],
    points: int,
    bonus: int | None,
    scoring: str,
    bonus_option: str,
) -> list[int]:
    """What each player writes down for the round (SPEC 11.6, 11.7)."""
    seats = len(take)
    teams = [[seat for seat in range(seats) if team_of[seat] == side] for side in (0, 1)]
    full = [team_points(team, take, points, bonus, bonus_option) for team in teams]
    of_team = full
    if scoring == "difference":
        # The higher team gets the difference, the other nothing; equal scores: nothing for all.
        of_team = [max(0, full[0] - full[1]), max(0, full[1] - full[0])]
    scores = [of_team[team_of[seat]] for seat in range(seats)]
    if bonus is not None and bonus_option == "score":
        scores[bonus] = scores[bonus] * 2
    return scores


def places(scores: list[int]) -> list[int]:
    """1 for the most points; those who tie share the best place."""
    return [1 + sum(other > mine for other in scores) for mine in scores]


def all_actions(booklet: Booklet) -> list[str]:
    """Every action of the game at any table, in the fixed order."""
    boxes = board(booklet, max(booklet.cards_each)).values()
    names = card_kinds(booklet)
    for row in boxes:
        names += row
    return names + all_team_choices(booklet)


# ---- a match --------------------------------------------------------------------------------


@dataclass(frozen=True)
class FinishedRound:
    """What is remembered of a round when the next has begun."""

    dealer: int
    settled: dict[str, str]
    team: list[int]
    bonus: int | None
    tricks: list[int]
    loot: list[int]
    scores: list[int]
    last_trick: list[tuple[int, str]]
    last_winner: int


class TrickMatch:
    """One match. `phase` is one of: tokens, team, discard, tricks, over."""

    def __init__(
        self, booklet: Booklet, seats: int, seed: bytes, options: Mapping[str, object]
    ) -> None:
        self.booklet = booklet
        self.seats = seats
        self.seed = seed
        self.target = cast("int | None", options.get("target"))
        self.scoring = str(options.get("scoring", "full"))
        self.bonus_option = str(options.get("bonus", "take"))
        # "rounds" is only a cap when there is a target to reach. [D7]
        usual_rounds = booklet.rounds[seats] if self.target is None else 100
        self.rounds = cast(int, options.get("rounds", usual_rounds))

        self.dealer_asked_for = cast("int | None", options.get("dealer"))
        self.dealer = dealer_by_lot(seed, seats)
        if self.dealer_asked_for is not None:
            self.dealer = self.dealer_asked_for
        self.round = 0
        self.scores = [0] * seats
        self.finished_rounds: list[FinishedRound] = []
        self.begin_round()

    def __repr__(self) -> str:
        return (
            f"<TrickMatch {self.booklet.name} round {self.round} {self.phase}"
            f" turn {self.turn} trick {self.trick} settled {self.settled()} hands {self.hands}>"
        )

    # ---- a round ----

    def begin_round(self) -> None:
        cards = shuffled(self.seed, "deal", self.round, deck(self.booklet, self.seats))
        each = self.booklet.cards_each[self.seats]
        self.hands = [cards[seat * each : (seat + 1) * each] for seat in range(self.seats)]
        self.aside = cards[self.seats * each :]

        self.open_boxes = board(self.booklet, self.seats)
        self.tokens: list[tuple[int, str]] = []
        self.team_of = [-1] * self.seats  # 0: the first player's team, 1: the other
        self.bonus: int | None = None
        self.given: list[list[str]] = [[] for _ in range(self.seats)]
        self.received: list[list[str]] = [[] for _ in range(self.seats)]
        self.trick: list[tuple[int, str]] = []
        self.finished_tricks: list[list[tuple[int, str]]] = []
        self.winners: list[int] = []
        self.tricks = [0] * self.seats
        self.loot = [0] * self.seats
        self.phase = "tokens"
        self.turn = self.first_to_place()

    def first_to_place(self) -> int:
        """Who covers the first box: the dealer, in 002 "the first one clockwise" from there."""
        return self.dealer if self.booklet.dealer_places_first else self.left_of(self.dealer)

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.seats

    def right_of(self, seat: int) -> int:
        return (seat - 1) % self.seats

    def settled(self) -> dict[str, str]:
        """What each row with one open box says: `{"trump": "R", ...}`."""
        return {
            row: boxes[0].split(":")[1] for row, boxes in self.open_boxes.items() if len(boxes) == 1
        }

    def covered(self) -> list[str]:
        return [box for _, box in self.tokens]

    # ---- what may be done ----

    def to_act(self) -> list[int]:
        if self.phase == "over":
            return []
        if self.phase == "discard":
            return [seat for seat in range(self.seats) if self.owes(seat) > 0]
        return [self.turn]

    def owes(self, seat: int) -> int:
        """How many cards this seat has still to choose."""
        return number_to_give(self.settled()["discard"]) - len(self.given[seat])

    def legal(self, seat: int) -> list[str]:
        if seat not in self.to_act():
            return []
        if self.phase == "tokens":
            return boxes_to_cover(self.open_boxes)
        if self.phase == "team":
            return team_choices(self.booklet, self.seats, seat)
        if self.phase == "discard":
            word = self.settled()["discard"]
            return next_discards(self.booklet, word, self.hands[seat], self.given[seat])
        playable = self.hands[seat]
        if self.trick:
            led = self.trick[0][1]
            settled = self.settled()
            playable = may_follow_with(
                self.booklet, playable, led, settled["trump"], settled["supertrump"]
            )
        return [card for card in card_kinds(self.booklet) if card in playable]

    # ---- doing it ----

    def apply(self, seat: int, action: str) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{action} is not legal for seat {seat}: {self!r}")
        if self.phase == "tokens":
            self.place_token(seat, action)
        elif self.phase == "team":
            self.choose_team(action)
        elif self.phase == "discard":
            self.choose_card_to_give(seat, action)
        else:
            self.play_card(seat, action)

    def place_token(self, seat: int, box: str) -> None:
        self.open_boxes[box.split(":")[0]].remove(box)
        self.tokens.append((seat, box))
        self.turn = self.left_of(seat)
        if not boxes_to_cover(self.open_boxes):
            self.begin_teams()

    def begin_teams(self) -> None:
        first = int(self.settled()["first"])
        self.turn = first
        self.phase = "team"
        if self.seats == 2:
            self.set_teams([first])
            self.begin_discard()

    def choose_team(self, choice: str) -> None:
        seats_named, _, holder = choice.removeprefix("team:").partition("*")
        team = [int(digit) for digit in seats_named]
        self.set_teams(team)
        if self.booklet.bonus_card and self.seats == 3:
            self.bonus = bonus_of_three(team)
        if self.booklet.bonus_card and self.seats == 5:
            self.bonus = int(holder)
        self.begin_discard()

    def set_teams(self, team: list[int]) -> None:
        self.team_of = [0 if seat in team else 1 for seat in range(self.seats)]

    def teams(self) -> list[list[int]]:
        """The first player's team and the other; nothing before it is chosen."""
        if -1 in self.team_of:
            return []
        return [[s for s in range(self.seats) if self.team_of[s] == side] for side in (0, 1)]

    def begin_discard(self) -> None:
        self.phase = "discard"
        if number_to_give(self.settled()["discard"]) == 0:
            self.begin_tricks()

    def choose_card_to_give(self, seat: int, card: str) -> None:
        self.given[seat].append(card)
        if all(self.owes(other) == 0 for other in range(self.seats)):
            self.give_cards()
            self.begin_tricks()

    def give_cards(self) -> None:
        """All at once: discards leave the round, passed cards change hands."""
        word = self.settled()["discard"]
        for seat in range(self.seats):
            for card in self.given[seat]:
                self.hands[seat].remove(card)
        for seat in range(self.seats):
            if word.startswith("left"):
                self.received[self.left_of(seat)] = list(self.given[seat])
            if word.startswith("right"):
                self.received[self.right_of(seat)] = list(self.given[seat])
        for seat in range(self.seats):
            self.hands[seat] += self.received[seat]

    def begin_tricks(self) -> None:
        self.phase = "tricks"
        self.turn = int(self.settled()["first"])

    def play_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.turn = self.left_of(seat)
        if len(self.trick) == self.seats:
            self.finish_trick()

    def finish_trick(self) -> None:
        settled = self.settled()
        winner = who_takes(self.booklet, self.trick, settled["trump"], settled["supertrump"])
        self.tricks[winner] += 1
        self.loot[winner] += len(loot_of(self.booklet, self.trick, winner, self.team_of))
        self.winners.append(winner)
        self.finished_tricks.append(self.trick)
        self.trick = []
        self.turn = winner
        if not any(self.hands):
            self.finish_round()

    def finish_round(self) -> None:
        settled = self.settled()
        scores = round_scores(
            take=[self.tricks[seat] + self.loot[seat] for seat in range(self.seats)],
            team_of=self.team_of,
            points=int(settled["points"]),
            bonus=self.bonus,
            scoring=self.scoring,
            bonus_option=self.bonus_option,
        )
        self.finished_rounds.append(
            FinishedRound(
                dealer=self.dealer,
                settled=settled,
                team=self.teams()[0],
                bonus=self.bonus,
                tricks=self.tricks,
                loot=self.loot,
                scores=scores,
                last_trick=self.finished_tricks[-1],
                last_winner=self.winners[-1],
            )
        )
        self.scores = [self.scores[seat] + scores[seat] for seat in range(self.seats)]
        if self.is_last_round():
            self.phase = "over"
            return
        self.round += 1
        self.dealer = self.left_of(self.dealer)
        self.begin_round()

    def is_last_round(self) -> bool:
        if self.target is not None and max(self.scores) >= self.target:
            return True
        return self.round + 1 == self.rounds

    # ---- what can be asked ----

    def hand(self, seat: int) -> list[str]:
        """The cards held, in the fixed order.

        Cards chosen to be given away are still held until the last player has chosen.
        """
        return in_order(self.booklet, self.hands[seat])

    def kept(self, seat: int) -> list[str]:
        """While cards are chosen to be given away: the hand without those."""
        rest = list(self.hands[seat])
        for card in self.given[seat]:
            rest.remove(card)
        return in_order(self.booklet, rest)

    def discarded(self, seat: int) -> list[str]:
        """The cards this seat has put out of the round."""
        word = self.settled().get("discard", "0")
        is_passed = word.startswith(("left", "right"))
        return [] if is_passed or self.phase == "discard" else self.given[seat]

    def passed(self, seat: int) -> list[str]:
        """The cards this seat has passed on."""
        word = self.settled().get("discard", "0")
        is_passed = word.startswith(("left", "right"))
        return self.given[seat] if is_passed and self.phase != "discard" else []

    def options(self) -> dict[str, object]:
        """Every option with the value in force; a dealer who was drawn by lot is none."""
        return {
            "rounds": self.rounds,
            "target": self.target,
            "scoring": self.scoring,
            "bonus": self.bonus_option,
            "dealer": self.dealer_asked_for,
        }

    def ending(self) -> str | None:
        if self.phase != "over":
            return None
        reached = self.target is not None and max(self.scores) >= self.target
        return "target" if reached else "rounds"

    def outcome(self) -> tuple[list[int], list[int]] | None:
        if self.phase != "over":
            return None
        return self.scores, places(self.scores)
