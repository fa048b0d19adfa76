"""The seat of a policy: its answers, its clock, and the ends of its matches."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from time import process_time_ns

import pytest

from arena.evaluate.seat import PolicySeat, cpu_us
from arena.games import GAMES
from arena.policy import PolicyDecision
from arena.policy.policy import Policy
from arena.referee.replies import Chose, Failed, Reply

STATE = GAMES["nyet"].deal(2, b"seat")
SEAT = STATE.to_act()[0]
NAMES = [STATE.game.actions.name(each) for each in STATE.legal(SEAT)]


class Stop:
    calls = 0

    def __call__(self) -> None:
        self.calls += 1


def seated(
    chooses: Callable[[PolicyDecision], object], *, step_us: int = 0, is_timed: bool = True
) -> tuple[PolicySeat, Stop]:
    """A seat whose clock goes on by `step_us` each time it is read, and its stop."""
    times: Iterator[int] = count(0, step_us) if step_us else iter(lambda: 0, 1)
    stop = Stop()
    policy = Policy(chooses, "mine:policy")
    seat = PolicySeat(policy, stop, is_timed=is_timed, cpu_us=lambda: next(times))
    seat.begin(3)
    return seat, stop


def ask(seat: PolicySeat, allowed_us: int = 1000) -> Reply | None:
    return seat.ask("m-1", STATE.view(SEAT), NAMES, allowed_us, 0, 5_000_000)


def test_an_answer_is_there_at_once_with_its_processor_time() -> None:
    seat, _ = seated(lambda decision: decision.legal[1], step_us=70)
    assert ask(seat) == Chose(NAMES[1], 70, "")


def test_time_up_to_the_limit_is_good_and_beyond_it_is_late() -> None:
    seat, _ = seated(lambda decision: decision.legal[0], step_us=1000)
    assert ask(seat) == Chose(NAMES[0], 1000, "")
    late = ask(seat, 999)
    assert isinstance(late, Failed)
    assert (late.breach.kind, late.took_us) == ("late", 1000)
    assert "1 ms of processor time; expected one within 999 us" in late.breach.text


def test_without_a_clock_nothing_is_late_and_the_time_is_told_all_the_same() -> None:
    seat, _ = seated(lambda decision: decision.legal[0], step_us=9999, is_timed=False)
    assert ask(seat) == Chose(NAMES[0], 9999, "")


def test_an_action_that_is_not_legal_is_a_fault_and_no_end() -> None:
    seat, stop = seated(lambda decision: "R1")
    answer = ask(seat)
    assert isinstance(answer, Failed)
    assert (answer.breach.kind, answer.breach.action, stop.calls) == ("illegal", "R1", 0)
    assert answer.breach.text.startswith('illegal (not-legal, SPEC 4.5): you played "R1"; expected')
    assert answer.breach.text.endswith(
        " a place in that list is no action, decision.legal[place] is one."
    )


def test_a_mistake_ends_the_playing_and_answers_nothing() -> None:
    seat, stop = seated(lambda decision: None)
    assert ask(seat) is None
    assert "a function without a `return`" in str(seat.mistake)
    assert (stop.calls, seat.is_interrupted) == (1, False)


def test_an_answer_that_cannot_be_read_is_a_mistake_of_the_policy_and_no_bug_of_arena() -> None:
    seat, stop = seated(lambda decision: (decision.legal[0], [0.0] * 4))
    assert ask(seat) is None
    assert "a tuple of values is no number; return the action alone" in str(seat.mistake)
    assert stop.calls == 1


def test_ctrl_c_in_a_policy_that_would_never_return_ends_the_playing() -> None:
    def loops(decision: PolicyDecision) -> object:
        signal.raise_signal(signal.SIGINT)
        while True:
            pass

    def handler(number: int, frame: object) -> None:
        """Stand for Trio's, which notes the signal for later."""

    before = signal.signal(signal.SIGINT, handler)
    try:
        seat, stop = seated(loops)
        assert ask(seat) is None
        assert (stop.calls, seat.is_interrupted, seat.mistake) == (1, True, None)
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_a_policy_prints_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    def prints(decision: PolicyDecision) -> object:
        print("thinking")
        return decision.legal[0]

    seat, _ = seated(prints)
    ask(seat)
    assert capsys.readouterr() == ("", "thinking\n")
    assert sys.stdout is not sys.stderr


def test_a_policy_that_changes_its_view_changes_nothing_else() -> None:
    def spoils(decision: PolicyDecision) -> object:
        first = decision.legal[0]
        decision.legal.clear()
        for value in decision.view.values():
            if isinstance(value, list):
                value.clear()
        assert isinstance(decision.view, dict)
        decision.view.clear()
        return first

    view, names = STATE.view(SEAT), [*NAMES]
    seat, _ = seated(spoils)
    assert seat.ask("m-1", view, names, 1000, 0, 1) == Chose(NAMES[0], 0, "")
    assert (view, names) == (STATE.view(SEAT), NAMES)


def test_it_is_reset_at_the_first_decision_of_each_match_and_charged_for_it() -> None:
    class Kept:
        resets = 0

        def reset(self) -> None:
            self.resets += 1

        def __call__(self, decision: PolicyDecision) -> int:
            return decision.legal[0]

    kept = Kept()
    seat, _ = seated(kept)
    assert kept.resets == 0
    ask(seat)
    ask(seat)
    assert kept.resets == 1
    seat.begin(3)
    ask(seat)
    assert kept.resets == 2


def test_the_clock_is_that_of_the_processor() -> None:
    before = cpu_us()
    while cpu_us() < before + 2000:
        pass
    assert cpu_us() >= before + 2000


def test_the_clock_counts_a_process_that_the_policy_started_and_waited_for() -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    before, mine = cpu_us(), process_time_ns()
    subprocess.run([sys.executable, "-c", busy], check=True)
    took_us, own_us = cpu_us() - before, (process_time_ns() - mine) // 1000
    assert took_us >= 300_000 > own_us
