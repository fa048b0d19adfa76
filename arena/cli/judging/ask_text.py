"""The answers of a bot, beside the recorded actions, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.asking.answers import Answer, Compared
from arena.asking.asking import Asking
from arena.cli.judging.situation import situation
from arena.record import Record
from arena.record.decisions import decisions
from arena.record.transcript import Audience, told_by_move
from arena.text import both_ends, plain

MOST_LINES = 12
"""Of what happened since the seat's last move."""

OUTPUT_LINES = 10  # of what a bot printed that went away, at each end


def told_answers(asking: Asking, move: int | None) -> Iterator[str]:
    """Yield the answers that differ from what was played, and the counts; with `move` the answer
    to that request alone, whether it differs or not."""
    record, seat = asking.asked.record, asking.asked.seat
    compared = asking.compared()
    shown = [
        each for each in compared if each.number == move or (move is None and not each.is_same)
    ]
    news = news_before(record, seat, {each.number for each in shown})
    for each in shown:
        yield told_heading(each, asking.times)
        yield from (f"  {line}" for line in news[each.number])
        yield f"       legal: {' '.join(each.legal)}"
        yield from (f"       ! {plain(text)}" for text in faults_of(each.answers))
        yield from (f"       notes: {plain(note)}" for note in notes_of(each.answers))
        yield ""
    if compared:
        yield from told_counts(asking, compared)


def told_heading(each: Compared, times: int) -> str:
    played = f"played {each.played}"
    if not each.is_own:
        played += " (by the referee, in its place)"
    if times == 1:
        answer = each.answers[0]
        answered = answer.action or "with a fault"
        same = "the same" if answer.action == each.played else answered
        return f"move {each.number}: {played}; your bot answers {same}"
    counts = ", ".join(
        f"{action} {'once' if often == 1 else f'{often} times'}" for action, often in each.counts
    )
    return f"move {each.number}: {played}; your bot answers {counts}"


def told_counts(asking: Asking, compared: Sequence[Compared]) -> Iterator[str]:
    record, seat = asking.asked.record, asking.asked.seat
    name = plain(record.names[seat])
    answers = [(each, answer) for each in compared for answer in each.answers]
    same = sum(answer.action == each.played for each, answer in answers)
    faults = sum(len(answer.faults) for _, answer in answers)
    others = sum(answer.action not in (None, each.played) for each, answer in answers)
    line = (
        f"seat {seat} ({name}): {count(len(answers), 'answer')}, {same} as played, {others}"
        f" otherwise, {count(faults, 'fault')}"
    )
    if asking.times > 1:
        line += f", in {count(len(asking.given), 'process')} asked {len(compared)} requests each"
    yield line
    left = asking.asked.requests - len(compared)
    if left and asking.absent is None:
        yield f"{count(left, 'request')} after that not answered"


def count(number: int, thing: str) -> str:
    ending = "" if number == 1 else "es" if thing.endswith("s") else "s"
    return f"{number} {thing}{ending}"


def faults_of(answers: Sequence[Answer]) -> list[str]:
    """Return each different text of a fault once."""
    return [*dict.fromkeys(fault.text for answer in answers for fault in answer.faults)]


def notes_of(answers: Sequence[Answer]) -> list[str]:
    return [*dict.fromkeys(answer.note for answer in answers if answer.note)]


def news_before(record: Record, seat: int, numbers: set[int]) -> dict[int, list[str]]:
    """Return for each of these moves what the seat saw happen since its last one, as `arena replay
    --seat` tells it, and its situation."""
    told = {}
    last = -1  # the move before which the lines begin
    lines = dict(told_by_move(record, Audience(seat), None)) if numbers else {}
    for each in decisions(record):
        if each.seat != seat:
            continue
        if each.number in numbers:
            since = [line for number in range(last, each.number) for line in lines[number]]
            left_out = len(since) - MOST_LINES
            short = [f"  ... {left_out} lines before"] if left_out > 0 else []
            told[each.number] = [
                *short,
                *since[-MOST_LINES:],
                f"     {situation(each.view())}",
            ]
        last = each.number
    return told


def told_end(asking: Asking) -> Iterator[str]:
    """Yield the reason why a bot did not start, or went away, and what it printed."""
    remains = asking.remains
    if asking.absent is not None:
        breach = asking.absent
        yield f"the bot did not start: {plain(breach.text)}"
    if remains.exit:
        yield f"its process: {plain(remains.exit)}"
    for name, text in (("stdout", remains.stdout), ("stderr", remains.stderr)):
        if text:
            yield f"its {name}:"
            for line in both_ends(text.splitlines(), OUTPUT_LINES, OUTPUT_LINES):
                yield f"  | {plain(line)}"
