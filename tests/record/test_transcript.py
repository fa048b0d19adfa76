"""A record for people to read."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from arena.games import GAMES
from arena.record import FaultEntry, Note
from arena.record.replay import replay
from arena.record.transcript import Audience, transcript
from tests.play import random_record

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


def told(name: str, seats: int, audience: Audience, chance: int = 1) -> list[str]:
    return list(transcript(random_record(name, seats, chance=chance), audience))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everyone_is_told_a_match_from_first_to_last(name: str, seats: int) -> None:
    for chance in range(6):
        for audience in (Audience(), Audience(all_open=True), Audience(seat=seats - 1)):
            lines = told(name, seats, audience, chance)
            assert lines[0].startswith(f"{name} for {seats}: seat 0 (fox)")
            assert sum(line.startswith("place ") for line in lines) == seats


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_a_spectator_is_told_does_not_depend_on_what_is_hidden(name: str, seats: int) -> None:
    """Hands are shown to their seat alone, or with all seats open; in every round anew."""
    hands = [line for line in told(name, seats, Audience()) if "hand of" in line]
    assert hands == []
    views = (step.state.view(None) for step in replay(random_record(name, seats)))
    rounds = len({view.get("round") for view in views})
    own = [line for line in told(name, seats, Audience(seat=1)) if "hand of" in line]
    assert [line.strip().split(":")[0] for line in own] == ["hand of seat 1"] * rounds
    every = [line for line in told(name, seats, Audience(all_open=True)) if "hand of" in line]
    assert len(every) == seats * rounds


def test_hands_are_shown_again_after_each_deal() -> None:
    record = random_record("nyet", 4, options={"rounds": 3})
    lines = [*transcript(record, Audience(all_open=True))]
    hands = [number for number, line in enumerate(lines) if "hand of" in line]
    rounds = [number for number, line in enumerate(lines) if line.startswith("Round ")]
    assert (len(hands), len(rounds)) == (4 * 3, 3)
    for number, began in enumerate(rounds):
        assert min(hands[4 * number : 4 * number + 4]) > began
        assert max(hands[4 * number : 4 * number + 4]) < [*rounds, len(lines)][number + 1]


def test_every_card_of_a_round_of_tricks_is_told_once() -> None:
    record = random_record("nyet", 4)
    lines = list(transcript(record, Audience()))
    plays = [line for line in lines if " plays " in line]
    first = len(record.moves) - len(plays)
    for number, line in enumerate(plays, first):
        move = record.moves[number]
        assert line == f"{number:>2}  seat {move.seat} plays {move.action}"
    tokens = [line.split()[-1] for line in lines if " covers " in line]
    assert tokens == [move.action for move in record.moves[: len(tokens)]]


def test_discards_are_told_to_their_seat_alone() -> None:
    for chance in range(20):
        record = random_record("njet", 4, chance=chance)
        board = [step.state.view(None)["discard"] for step in replay(record)][-1]
        if board not in ("2", "right2"):
            continue
        for seat in (None, 0, 3):
            lines = [*transcript(record, Audience(seat=seat))]
            secret = [line for line in lines if f"seat {seat} discarded" in line]
            secret += [line for line in lines if f"seat {seat} passed on" in line]
            assert len(secret) == (seat is not None)
            assert any("everyone has" in line for line in lines)
            received = [line for line in lines if "received" in line]
            assert len(received) == (seat is not None and board == "right2")


def test_notes_and_faults_are_told_where_they_happened_and_cannot_touch_the_terminal() -> None:
    record = replace(
        random_record("nope", 2),
        names=("fox\x1b[31m", "owl"),
        notes=(Note(2, "ha\x07ha"),),
        faults=(FaultEntry(0, 2, "late", "out-of-time", "100 ms late\n"),),
        forfeits=(),
    )
    lines = [*transcript(record)]
    text = "\n".join(lines)
    assert "\x1b" not in text
    assert "\x07" not in text
    gutter = " " * len(str(len(record.moves) - 1))
    fault = lines.index(f"{gutter}     ! seat 0: 100 ms late\N{REPLACEMENT CHARACTER}")
    seat = record.moves[2].seat
    note = lines.index(f"{gutter}     seat {seat} notes: ha\N{REPLACEMENT CHARACTER}ha")
    assert fault < note


def test_a_forfeit_and_a_fault_after_the_last_move_are_told_at_the_end() -> None:
    record = random_record("nope", 2)
    record = replace(
        record,
        moves=record.moves[:5],
        scores=(),
        places=(1, 2),
        ending="forfeit",
        faults=(FaultEntry(1, 5, "gone", "closed", "it went away", True),),
        forfeits=(1,),
    )
    lines = [*transcript(record)]
    assert lines[-4:] == [
        "      ! seat 1: it went away",
        "seat 1 is forfeited",
        "place 1: seat 0 (fox)",
        "place 2: seat 1 (owl)",
    ]


def test_a_match_that_was_played_out_is_told_with_its_scores() -> None:
    record = random_record("nope", 2)
    ends = [
        f"place {place}: seat {seat} ({name}), {score}"
        for seat, (name, place, score) in enumerate(
            zip(record.names, record.places, record.scores, strict=True)
        )
    ]
    assert [*transcript(record)][-2:] == ends


def test_options_are_told_first() -> None:
    record = random_record("nyet", 5, options={"rounds": 1, "scoring": "difference"})
    assert [*transcript(record)][1] == "options: rounds 1, scoring difference"
    assert [*transcript(random_record("nyet", 5, options={"rounds": 1}))][1] == "options: rounds 1"
    plain = random_record("nyet", 2, options={})
    assert [*transcript(plain)][1].startswith("Round 1.")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_move_that_its_audience_is_told_has_its_number_once_and_in_order(
    name: str, seats: int
) -> None:
    record = random_record(name, seats)
    views = [step.state.view(None) for step in replay(record)]
    seen = [at for at, (before, now) in enumerate(pairwise(views)) if before != now]
    for audience in (Audience(), Audience(all_open=True), Audience(seat=0)):
        lines = [*transcript(record, audience)]
        numbered = [int(line.split()[0]) for line in lines if line.lstrip()[0].isdigit()]
        assert numbered == sorted({*numbered})
        assert {*numbered} <= {*range(len(record.moves))}
        told = GAMES[name].narrate
        told_of = [at for at in seen if told(views[at], views[at + 1], None)]
        if audience == Audience():
            assert numbered == told_of
        else:
            assert {*told_of} <= {*numbered}


def test_moves_from_the_middle_begin_with_the_hands_as_they_were_before() -> None:
    record = random_record("nyet", 4)
    steps = [(step.number, step.state.view(2)["hand"]) for step in replay(record)]
    for first in (0, 1, 30, len(record.moves) - 1):
        _, _, *rest = transcript(
            record, Audience(seat=2), first, first, lambda view: f"round: {view['round']}"
        )
        before, top, second, *_ = rest
        assert before == f"Before move {first}: round: 1"
        (hand,) = [hand for number, hand in steps if number == first - 1]
        assert top.split() == ["hand", "of", "seat", "2:", *hand]
        assert second.split()[0] == str(first)
    lines = [*transcript(record, Audience(all_open=True), 7, 9)]
    assert sum(" hand of seat " in line for line in lines) == 4
    lines = [*transcript(record, Audience(), 7, 9)]
    assert [line for line in lines if " hand of " in line] == []
