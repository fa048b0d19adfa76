"""A league that waits for workers says so: at once, and now and then."""

from __future__ import annotations

import pytest

from arena.league.cluster.waiting import (
    AGAIN_SECONDS,
    FIRST_SLOT_SECONDS,
    MEET_SECONDS,
    NO_SLOT_SECONDS,
    SlotWait,
    advice_for,
)
from arena.league.play.entering import LeagueStopped

ADVICE = advice_for("tls://10.0.0.1:8786", is_encrypted=True)


def test_it_says_at_once_what_it_waits_for_and_how_to_start_one() -> None:
    told: list[str] = []
    SlotWait(ADVICE, told.append).look(0.0, slots=0, met=0, left_out=())
    assert told == [
        "waiting for a worker, up to 60 s: none has registered with the scheduler; start one on"
        " each machine: `arena worker tls://10.0.0.1:8786 --tls-ca ca.pem --tls-cert worker.pem"
        " --tls-key worker.key` (docs/cluster.md)"
    ]


def test_without_encryption_the_command_has_no_certificates() -> None:
    assert "`arena worker tcp://10.0.0.1:8786`" in advice_for(
        "tcp://10.0.0.1:8786", is_encrypted=False
    )


def test_it_says_so_again_now_and_then_until_it_ends() -> None:
    told: list[str] = []
    wait = SlotWait(ADVICE, told.append)
    for second in range(int(FIRST_SLOT_SECONDS)):
        wait.look(float(second), slots=0, met=0, left_out=())
    assert len(told) == FIRST_SLOT_SECONDS / AGAIN_SECONDS
    assert told[1].startswith("waiting for 30 s now for a worker, up to 60 s: ")
    with pytest.raises(LeagueStopped, match="no worker had a slot for this league in 60 s"):
        wait.look(FIRST_SLOT_SECONDS, slots=0, met=0, left_out=())


def test_a_worker_that_is_asked_about_itself_is_given_a_moment() -> None:
    told: list[str] = []
    wait = SlotWait(ADVICE, told.append)
    wait.look(0.0, slots=0, met=1, left_out=())
    assert told == []
    wait.look(MEET_SECONDS, slots=0, met=1, left_out=())
    assert "those that have registered have not answered yet" in told[0]


def test_why_workers_are_left_out_is_said_while_it_waits() -> None:
    told: list[str] = []
    wait = SlotWait(ADVICE, told.append)
    wait.look(0.0, slots=0, met=1, left_out=("it is too old",))
    wait.look(MEET_SECONDS, slots=0, met=1, left_out=("it is too old",))
    assert "cannot be used (it is too old)" in told[0]


def test_a_league_that_has_lost_its_workers_says_so_at_once_and_waits_longer() -> None:
    told: list[str] = []
    wait = SlotWait(ADVICE, told.append)
    wait.look(0.0, slots=2, met=1, left_out=())
    wait.look(100.0, slots=0, met=0, left_out=())
    assert told[0].startswith("waiting for a worker, up to 600 s: ")
    wait.look(100.0 + NO_SLOT_SECONDS - 1, slots=0, met=0, left_out=())
    wait.look(800.0, slots=1, met=1, left_out=())
    wait.look(900.0, slots=0, met=0, left_out=())
    with pytest.raises(LeagueStopped, match="in 600 s"):
        wait.look(900.0 + NO_SLOT_SECONDS, slots=0, met=0, left_out=())
