"""More whole texts made of values: answers asked for again, stop tests, plans, and drawings."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from types import FunctionType

import arena
import protocol
from arena.asking.again import Asked
from arena.asking.answers import Answer, AnswerFault
from arena.asking.asking import Asking
from arena.cli.judging.ask_json import document
from arena.cli.judging.ask_text import told_answers, told_end
from arena.cli.match_stop import told_before, told_verdict
from arena.compare.stop import Bounds, StopTest, Trial, expected_sets, usual_variance
from arena.outputs.pages.league.bars import Scale, stacked
from arena.outputs.pages.league.chart import chart
from arena.outputs.pages.league.matrix import cells, pairs
from arena.outputs.pages.sets.steps import steps
from arena.referee.players.output import Remains
from protocol.breach import Breach
from tests.cli.test_match_text import compared
from tests.helpers import NEED_EXTRAS
from tests.league.plan.test_round_robin import League, alone, owned
from tests.outputs.tables import MET, ROW, rated
from tests.outputs.test_pages_drawings import HISTORY
from tests.play import random_record

RECORD = random_record("nope", 2, options={"max_turns": 14})
FAULT = AnswerFault("illegal", "not-legal", 'you played "R7"; expected R1')
LATE = AnswerFault("late", "out-of-time", "nothing came within 100 ms")


def asked(times: int, left: int = 0) -> Asking:
    """A bot that was asked again for seat 0; `left`: requests that it was not asked any more."""
    asking = Asking(Asked(RECORD, 0), times)
    own = [*asking.asked.decisions()]
    for time in range(times):
        answers = []
        for place, each in enumerate(own[: len(own) - left]):
            played, other = each.move.action, each.legal[time % len(each.legal)]
            answers.append(
                (
                    Answer(each.number, played, "", 120, ()),
                    Answer(each.number, other, f"note {time}", 80, ()),
                    Answer(each.number, None, "", 100_000, (LATE, FAULT)),
                    Answer(each.number, played, "again", 70, (FAULT,)),
                )[place % 4]
            )
        asking.given.append(answers)
    return asking


def asked_in_words(asking: Asking, move: int | None = None) -> str:
    return "\n".join([*told_answers(asking, move), *told_end(asking)]) + "\n"


def absent() -> str:
    asking = Asking(Asked(RECORD, 1), 1)
    asking.absent = Breach("closed", "the program ended", "a connection within 10 s")
    printed = "\n".join(f"line {number}" for number in range(30))
    asking.remains = Remains("hello", printed, "exit code 1")
    return asked_in_words(asking)


def trials() -> Iterator[str]:
    """Each test before, and after sets that were won (1), lost (0) and level (-)."""
    for bounds, wins in (
        (Bounds(0, 40), "1" * 60),
        (Bounds(-40, -10), "1-1" * 12),
        (Bounds(0, 40), "0-" * 30),
        (Bounds(0, 10), "10-1"),
        (Bounds(0, 10), "1"),
        (Bounds(0, 20, is_normalised=True), "10-" * 5),
    ):
        trial = Trial(StopTest(bounds, 0.05, 0.1), 1, 1)
        comparison = compared("", 100)
        yield from told_before(comparison, trial)
        for each in wins:
            trial.add({"1": 1.0, "0": 0.0, "-": 0.5}[each])
        yield from told_verdict(comparison, trial)
        yield ""


def expectations() -> Iterator[str]:
    """How many sets a test takes where matches are decided by lot."""
    for copies, others in ((1, 1), (1, 3), (2, 2), (3, 2)):
        for bounds in (Bounds(0, 10), Bounds(-5, 5), Bounds(0, 5, is_normalised=True)):
            for alpha, beta in ((0.05, 0.05), (0.01, 0.2)):
                variance = usual_variance(copies, others)
                expected = expected_sets(StopTest(bounds, alpha, beta), copies + others, variance)
                numbers = " ".join(f"{name} {sets}" for name, sets in asdict(expected).items())
                yield f"{copies} and {others}, {bounds}, {alpha:g}, {beta:g}: {numbers}"


PLANS: Mapping[str, League] = {
    "five bots, four seats": League(alone(5), 4),
    "twelve bots, four seats": League(alone(12), 4),
    "owners of 3, 2, 1, 1 and 1 bots, three seats": League(owned((3, 2, 1, 1, 1)), 3),
    "a challenger against six, three seats": League(alone(7), 3, "gauntlet", "bot002"),
    "a challenger of an owner of two": League(owned((2, 2, 2, 1)), 3, "gauntlet", "b1-0"),
    "each set a match": League(alone(6), 4, duplicate=False),
    "owners meet": League(owned((3, 2)), 3, owners_may_meet=True),
    "forty bots, six seats": League(alone(40), 6),
}


def plans() -> Iterator[str]:
    """The first sets of leagues of several shapes; the second half is planned after the first."""
    for name, league in PLANS.items():
        yield f"{name}:"
        first = league.plan(6)
        for planned in [*first, *league.plan(12, already=first)]:
            yield f"  {planned.number}: {' '.join(planned.line_up)}"


def drawings() -> Iterator[str]:
    """The coordinates of bars, charts and the matrix."""
    rows = [
        rated(ROW, elo=100.0, half_width=40.0),
        rated(ROW, elo=-100.0, half_width=20.0),
        rated(ROW, elo=7.0, half_width=400.0),
        rated(ROW, elo=0.0, half_width=None),
    ]
    for some in (rows, rows[:1], rows[1:2], rows[3:]):
        scale = Scale.over(some)
        yield f"{scale}"
        yield from (f"  {scale.bar(row)}" for row in some)
    yield from (f"{piece}" for piece in stacked((5, 0, 2, 1, 9)))
    for names in (("fox", "owl"), ("owl", "fox", "hen")):
        drawn = chart(HISTORY, names, range(3, 3 + len(names)))
        size = f"width {drawn.width:g}, height {drawn.height}"
        yield f"{size}, right {drawn.right}, few {drawn.are_few}"
        yield from (f"  {line}" for line in drawn.lines)
        yield f"  {' '.join(f'{tick.label}@{tick.at:g}' for tick in drawn.ups)}"
        yield f"  {' '.join(f'{tick.label}@{tick.at:g}' for tick in drawn.alongs)}"
    yield from (str(cells(one, ("fox", "owl"), MET)) for one in ("fox", "owl"))
    yield str(pairs(("fox", "owl"), MET))


def stepped() -> str:
    """The data of a match for its page, and its moves in words."""
    made = steps(random_record("nope", 3, options={"max_turns": 4}))
    return "\n".join([json.dumps(made.data), *made.lines, repr(made.legal)]) + "\n"


class Anything:
    """Stands for every value a repr tells; each shows as a question mark, and is true."""

    def __getattr__(self, name: str) -> Anything:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given: object) -> Anything:
        return self

    def __getitem__(self, key: object) -> Anything:
        return self

    def __iter__(self) -> Iterator[Anything]:
        return iter(())

    def __len__(self) -> int:
        return 2

    def __str__(self) -> str:
        return "?"

    __repr__ = __str__


def reprs() -> Iterator[str]:
    """By class the state that its repr tells, with a question mark for each value."""
    for package in (arena, protocol):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith("__main__") or found.name in NEED_EXTRAS:
                continue
            for name, each in sorted(vars(importlib.import_module(found.name)).items()):
                made = vars(each).get("__repr__") if isinstance(each, type) else None
                if not isinstance(made, FunctionType) or each.__module__ != found.name:
                    continue
                # Those that dataclasses and named tuples come with are written elsewhere.
                if made.__code__.co_filename == sys.modules[found.name].__file__:
                    yield f"{found.name} {name}: {made(Anything())}"


def lines(made: Callable[[], Iterator[str]]) -> Callable[[], str]:
    return lambda: "\n".join(made()) + "\n"


MORE_TEXTS: Mapping[str, Callable[[], str]] = {
    "ask_once": lambda: asked_in_words(asked(1)),
    "ask_thrice": lambda: asked_in_words(asked(3, left=1)),
    "ask_one_move": lambda: asked_in_words(asked(1), next(Asked(RECORD, 0).decisions()).number),
    "ask_absent": absent,
    "ask_json": lambda: document(asked(2, left=6), "my-bot") + "\n",
    "stop_tests": lines(trials),
    "stop_tests_expected": lines(expectations),
    "plans": lines(plans),
    "page_drawings": lines(drawings),
    "page_steps": stepped,
    "reprs": lines(reprs),
}
