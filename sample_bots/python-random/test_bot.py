"""Tests of this folder: `python3 -m unittest` runs them.

They read vectors, which are examples made from SPEC.md: in the folder `vectors` beside this file,
where `arena new-bot` puts it, unless ARENA_VECTORS names another.
"""

import json
import os
import unittest
from pathlib import Path

import msgpack
from cards import colours, is_with_me, number, shows, suit, taker, teammates
from decide import decide
from high import high

HERE = Path(__file__).parent


def vectors(name):
    """Return the vectors of a file, such as `tricks`."""
    named = os.environ.get("ARENA_VECTORS")
    # The last is where the sample bots find them, in the repository of arena.
    places = [named] if named else [HERE / "vectors", HERE.parent.parent / "protocol" / "vectors"]
    for place in map(Path, places):
        if place.is_dir():
            return json.loads((place / f"{name}.json").read_text())["vectors"]
    raise FileNotFoundError(
        f"no folder of vectors at {' or '.join(map(str, places))}; copy `protocol/vectors` of arena"
        " there, or name it in ARENA_VECTORS"
    )


def unpacked(hexadecimal):
    return msgpack.unpackb(bytes.fromhex(hexadecimal))


class DecisionsTest(unittest.TestCase):
    """Whatever the idea is: the answer is legal."""

    def requests(self):
        for conversation in vectors("conversations"):
            for step in conversation["steps"]:
                message = step.get("message", {})
                if step["from"] == "server" and message.get("type") == "request":
                    header, body = step["hex"][:8], step["hex"][8:]
                    self.assertEqual(int(header, 16), len(body) // 2)
                    yield unpacked(body)

    def test_every_request_of_the_conversations_gets_a_legal_answer(self):
        phases = set()
        for request in self.requests():
            phases.add(request["view"]["phase"])
            for idea in (decide, high):
                answer = idea(request)
                # The kit takes a remark for the record too: (action, note).
                action = answer if isinstance(answer, str) else answer[0]
                self.assertIn(action, request["legal"])
        self.assertEqual(phases, {"tokens", "team", "discard", "play", "lay", "set", "choose"})


class CardsTest(unittest.TestCase):
    def test_a_hand_follows_the_suit_that_was_led(self):
        for vector in vectors("following"):
            with self.subTest(vector["name"]):
                view = unpacked(vector["hex"])
                led = suit(view["tricks"][-1][0], view)
                following = [card for card in view["hand"] if suit(card, view) == led]
                self.assertEqual(sorted(following or view["hand"]), sorted(vector["may_play"]))

    def test_a_trick_goes_to_its_strongest_card(self):
        for vector in vectors("tricks"):
            with self.subTest(vector["name"]):
                view = unpacked(vector["hex"])
                self.assertEqual(taker(view), vector["taken_by"])

    def test_a_team_is_known_from_its_view(self):
        for vector in vectors("tricks"):
            with self.subTest(vector["name"]):
                view = unpacked(vector["hex"])
                self.assertEqual(teammates(view), vector["teammates"])
                mine = {view["seat"], *vector["teammates"]}
                for seat in range(view["seats"]):
                    self.assertEqual(is_with_me(seat, view), seat in mine)

    def test_a_card_of_nope_shows_its_colours_and_its_number(self):
        for vector in vectors("showing"):
            with self.subTest(vector["name"]):
                card = vector["card"]
                self.assertEqual(colours(card), vector["colours"])
                self.assertEqual(number(card), vector["number"])
                for colour in "RGBY":
                    self.assertEqual(shows(card, colour), colour in vector["colours"])


if __name__ == "__main__":
    unittest.main()
