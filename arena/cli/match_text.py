"""The result of `arena match --sets` in words: a table, and the gaps between its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from arena.cli.match_stop import told_verdict
from arena.compare.play import Comparison
from arena.compare.sets import Gap, elo_between, results
from arena.stats import has_bar, with_bar
from arena.text import plain
from protocol.faults import is_further_miss


def told_results(comparison: Comparison) -> Iterator[str]:
    """Yield the lines to print."""
    complete = comparison.counted
    if not complete:
        yield "no set is complete, so there is no result"
        return
    names = [named(comparison, bot) for bot in range(len(comparison.rows))]
    width = max(map(len, names))
    rows, gaps = results(comparison.rows, complete)
    sets = len(complete)
    how_many = f"{sets} set{'' if sets == 1 else 's'} of {len(comparison.seatings)} matches"
    yield f"\n{how_many}; bars are 95 %, over sets"
    yield f"{'bot':<{width}}  {'ahead of others':>16}  {'points a match':>18}"
    for row in rows:
        ahead, points = with_bar(row.ahead, sets), with_bar(row.points, sets)
        yield f"{names[row.bot]:<{width}}  {ahead:>16}  {points:>18}"
    yield from told_fault_counts(comparison)
    if comparison.trial is not None:
        yield from told_verdict(comparison, comparison.trial)
        return
    for better, worse, gap in zip(rows, rows[1:], gaps, strict=False):
        pair = f"{names[better.bot]} over {names[worse.bot]}: {with_bar(gap.gap, sets)}"
        yield f"{pair}, {verdict(gap, is_whole=comparison.is_whole)}"
        if comparison.rival is not None:
            yield from told_elo_between(comparison, better.bot, worse.bot)


def told_elo_between(comparison: Comparison, better: int, worse: int) -> Iterator[str]:
    """Yield the distance of two bots that did not meet, in Elo against the same others."""
    rows = comparison.rows
    elo = elo_between((rows[better], rows[worse]), comparison.counted)
    if elo is not None:
        bar = f"±{elo.bar:.0f}" if elo.bar and has_bar(elo, len(comparison.counted)) else "±?"
        yield f"  in Elo, from what each won of the same others: {elo.value:+.0f} {bar}"


def told_fault_counts(comparison: Comparison) -> Iterator[str]:
    """Yield a line for the faults of one bot with one code, if there is more than one."""
    faults: Counter[tuple[str, str, str]] = Counter()
    misses: Counter[tuple[str, str, str]] = Counter()
    matches: Counter[tuple[str, str, str]] = Counter()
    for result in comparison.results:
        names = result.record.names
        here = [
            ((names[each.seat], each.kind, each.code), is_further_miss(each.text))
            for each in result.record.faults
        ]
        faults.update(each for each, _ in here)
        misses.update(each for each, is_miss in here if is_miss)
        matches.update({each for each, _ in here})
    for each, times in sorted(faults.items()):
        if times > 1:
            name, kind, code = each
            fault = kind if kind == code else f"{kind} ({code})"
            none = f", {misses[each]} of them no faults (SPEC 6.4)" if misses[each] else ""
            where = f"in {matches[each]} match{'' if matches[each] == 1 else 'es'}"
            yield f"{plain(name)}: {fault} {times} times, {where}{none}"


def named(comparison: Comparison, bot: int) -> str:
    """Return the name of a row, with the number of its copies."""
    copies = len(comparison.rows[bot])
    return f"{plain(comparison.names[bot])}{f' x{copies}' if copies > 1 else ''}"


def verdict(gap: Gap, *, is_whole: bool) -> str:
    """Return what the gap tells; `is_whole`: as many sets were played as had been asked for."""
    if not is_whole:
        return "no verdict before all sets are played"
    if gap.is_separated:
        return "separated"
    if gap.sets_to_separate is None:
        return "level or too few sets to tell"
    return (
        f"not separated; a comparison of {gap.sets_to_separate} sets would separate them in 95 of"
        " 100 cases, if they differ as much as here"
    )
