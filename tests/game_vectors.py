"""The vectors that hold cards and views: made from the tables of SPEC.md, and by playing.

`python -m tests.game_vectors --write` writes `following.json`, `tricks.json` and `showing.json`
anew, and in `conversations.json` the matches whose names stand in MATCHES.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import msgpack

from arena.games import GAMES, Game, State
from protocol.commitment import commit
from tests import spec, spec_games
from tests.games import trick_positions
from tests.markdown import cells
from tests.vectors import FOLDER

Vector: TypeAlias = dict[str, Any]  # Any: as JSON has it

COLOURS = "RGBY"


@dataclass(frozen=True)
class WholeMatch:
    """A match of random play, as one of its bots sees it."""

    name: str
    game: str
    seats: int
    options: Mapping[str, object]
    seat: int
    chance: int
    """For the random play, chosen so that the seat is asked in every phase."""


MATCHES = (
    WholeMatch("a match of nyet with every phase", "nyet", 5, {"rounds": 1}, 4, 76),
    WholeMatch("a match of nope with every phase", "nope", 3, {"hand": [5, 5, 5]}, 0, 3308),
)
MATCH, NONCE = "m-9d41c07be2", bytes(32)


# ---- matches ---------------------------------------------------------------------------------


def conversation(match: WholeMatch) -> Vector:
    """The whole conversation between the server and the bot on the seat."""
    game = GAMES[match.game]
    rng = random.Random(match.chance)
    state = game.deal(match.seats, spec_games.SEED, match.options)
    hello = {"type": "hello", "protocol": 1, "token": "tK3x"}
    limits = {"max_bot_body_bytes": 4096}
    welcome = {"type": "welcome", "protocol": 1, "name": "fox", "offers": [], "limits": limits}
    steps = [
        step("bot", "greeted", hello),
        step("server", "idle", welcome),
        step("server", "playing", start(match, state)),
    ]
    asked = 0
    while state.to_act():
        seat = rng.choice(state.to_act())
        action = rng.choice([*state.legal(seat)])
        if seat == match.seat:
            asked += 1
            steps += one_decision(game, state, seat, asked, action)
        state.apply(seat, action)
    outcome = state.outcome()
    assert outcome is not None
    end = {
        "type": "end",
        "match": MATCH,
        "scores": [*outcome.scores],
        "places": [*outcome.places],
        "ending": outcome.ending,
        "faults": [],
        "forfeits": [],
        "view": state.view(match.seat),
    }
    bye = {"type": "bye", "reason": "done", "text": "There are no more matches for you."}
    steps += [step("server", "idle", end), step("server", "closed", bye)]
    return {"name": match.name, "spec": ["4.4", "10.3"], "steps": steps}


def start(match: WholeMatch, state: State) -> Vector:
    return {
        "type": "start",
        "match": MATCH,
        "game": match.game,
        "options": state.view(match.seat)["options"],
        "seats": match.seats,
        "names": [f"seat {seat}" for seat in range(match.seats)],
        "seat": match.seat,
        "clock": {
            "decision_ms": 100,
            "bank_ms": 10000,
            "hang_ms": 5000,
            "faults_to_forfeit": 3,
        },
        "commitment": commit(MATCH, NONCE, spec_games.SEED),
    }


def one_decision(game: Game, state: State, seat: int, asked: int, action: int) -> list[Vector]:
    """A request, and the answer to it."""
    request = {
        "type": "request",
        "match": MATCH,
        "id": asked,
        "view": state.view(seat),
        "legal": [game.actions.name(code) for code in state.legal(seat)],
        "time_us": 10100000,
        "charged_us": 0 if asked == 1 else 250,
    }
    answer = {"type": "action", "match": MATCH, "id": asked, "action": game.actions.name(action)}
    return [step("server", "asked", request), step("bot", "playing", answer)]


def step(sender: str, after: str, message: Vector) -> Vector:
    body = msgpack.packb(message)
    frame = len(body).to_bytes(4, "big") + body
    return {"from": sender, "after": after, "message": message, "hex": frame.hex()}


# ---- cards -----------------------------------------------------------------------------------


def following() -> list[Vector]:
    """SPEC 11.8, the cards that may be played."""
    vectors = []
    for row in rows("following"):
        state = trick_positions.table(
            row["game"],
            [row["led"], row["hand"]],
            trump=row["trump"],
            supertrump=row["supertrump"],
        )
        trick_positions.play(state, row["led"])
        vectors.append(
            {
                "name": f"{row['game']}: {row['because']}",
                "spec": ["11.4", "11.8"],
                **packed(state.view(1)),
                "may_play": row["may be played"].split(),
            }
        )
    return vectors


def tricks() -> list[Vector]:
    """SPEC 11.8, the seat that takes the trick; seen by the seat that plays last.

    In the table seat 0 leads; here every seat leads now and then, so that nobody takes the place
    of a card in the trick for its seat.
    """
    vectors = []
    for leader, row in enumerate(rows("taking")):
        cards = row["cards in order"].split()
        seats = len(cards)

        def seat_of(place: int, leader: int = leader, seats: int = seats) -> int:
            return (leader + place) % seats

        team = tuple(sorted(map(seat_of, (0, 1, 4) if seats == 5 else (0, 1))))
        hands = [""] * seats
        for place, card in enumerate(cards):
            hands[seat_of(place)] = card
        state = trick_positions.table(
            row["game"],
            hands,
            first=seat_of(0),
            trump=row["trump"],
            supertrump=row["supertrump"],
            team=team,
            bonus=seat_of(3) if seats == 5 else None,
        )
        trick_positions.play(state, *cards[:-1])
        seat = seat_of(seats - 1)
        view = state.view(seat)
        # No request shows a whole trick that is not taken yet.
        view["tricks"][-1].append(view["hand"].pop())
        view["hand_sizes"][seat] = 0
        view["turn"] = None
        mine = [each for each in range(seats) if (each in team) == (seat in team)]
        vectors.append(
            {
                "name": f"{row['game']}: {row['because']}",
                "spec": ["11.5", "11.8"],
                **packed(view),
                "taken_by": seat_of(int(row["taken by seat"])),
                "teammates": [each for each in mine if each != seat],
            }
        )
    return vectors


def showing() -> list[Vector]:
    """SPEC 12.1, the colours that each card shows, and its number."""
    vectors = []
    head, _, *lines = spec.marked(spec.SPEC.read_text())["nope-cards"].splitlines()
    for line in lines:
        row = dict(zip(cells(head), cells(line), strict=True))
        many = {"one": 1, "two": 2, "all four": 4}[row["colours each shows"]]
        for card in row["cards"].replace("`", "").split():
            named = re.sub("^[TSJX]", "", card)
            colours = "".join(each for each in COLOURS if many == 4 or each in named)
            assert len(colours) == many
            vectors.append(
                {
                    "name": card,
                    "spec": ["12.1"],
                    "card": card,
                    "colours": colours,
                    "number": None if row["number"] == "-" else int(row["number"]),
                }
            )
    return vectors


def rows(name: str) -> Sequence[dict[str, str]]:
    return [*spec_games.replayed(spec.SPEC.read_text(), name)]


def packed(view: Vector) -> Vector:
    return {"view": view, "hex": msgpack.packb(view).hex()}


# ---- files -----------------------------------------------------------------------------------

ABOUT: Mapping[str, str] = {
    "following": "Which cards of a hand may follow the card that was led (SPEC 11.8): those of "
    "the suit that was led, or all where there are none.",
    "tricks": "Which seat takes a trick (SPEC 11.8), and who is on the team of the view's seat.",
    "showing": "Which colours a card of NOPE! shows, and its number (SPEC 12.1).",
}


@cache
def files() -> Mapping[str, str]:
    """The texts of all files that this module writes, by name."""
    made = {"following": following(), "tricks": tricks(), "showing": showing()}
    texts = {name: {"about": ABOUT[name], "vectors": made[name]} for name in made}
    conversations = json.loads((FOLDER / "conversations.json").read_text())
    names = {match.name for match in MATCHES}
    kept = [vector for vector in conversations["vectors"] if vector["name"] not in names]
    conversations["vectors"] = [*kept, *map(conversation, MATCHES)]
    texts["conversations"] = conversations
    return {name: json.dumps(text, indent=1) + "\n" for name, text in texts.items()}


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    for name, text in files().items():
        (FOLDER / f"{name}.json").write_text(text)
