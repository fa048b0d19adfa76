"""`arena doctor`: a report as lines for people."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence

from arena.bots.confine.confinement import Rung
from arena.doctor.examine import Examined, Proof
from arena.doctor.promises import NOT_PROMISED, WORDS
from arena.doctor.report import Report
from arena.doctor.toolchains import packages, to_read
from arena.text import listed, plain

WIDTH = 96


def lines(report: Report) -> Iterator[str]:
    """Yield the lines, without anything that a terminal could take for more than text."""
    for part in (_verdict, _rungs, _machine, _toolchains):
        yield from map(plain, part(report))


def _verdict(report: Report) -> Iterator[str]:
    used = report.used
    if not report.is_strict:
        yield "Bots cannot be confined on this machine: `--confine strict` does not work, and"
        yield "`--confine auto` runs bots as any other program of this user."
        return
    yield f"Bots are confined by {used.word} on this machine: `--confine strict` works."
    broken = report.broken
    if broken:
        words = listed(WORDS[each] for each in broken)
        yield from _wrapped("", f"Not kept in full, as shown below: a bot cannot {words}.")


def _rungs(report: Report) -> Iterator[str]:
    for examined in report.rungs:
        yield ""
        yield from _rung(examined, is_used=examined is report.used)


def _rung(examined: Examined, *, is_used: bool) -> Iterator[str]:
    name = examined.word if examined.rung is not Rung.NONE else "without confinement"
    if examined.rejected is not None:
        yield f"{name}: does not work here"
        why = examined.rejected.why.rstrip(".")
        yield from _wrapped("    ", f"{why}. {examined.rejected.remedy}")
        return
    yield f"{name}{' (used)' if is_used else ''}: a bot cannot"
    remedies: set[str] = set()
    for promise, words in WORDS.items():
        yield f"  {'kept' if examined.keeps(promise) else 'NOT KEPT':<8}  {words}"
        yield from _proofs(examined.of(promise), remedies)
    yield f"  {'':8}  Not promised:"
    for words in NOT_PROMISED[examined.rung]:
        yield from _wrapped(" " * 14, words, first=f"{'':12}- ")


def _proofs(proofs: Sequence[Proof], told: set[str]) -> Iterator[str]:
    """Yield what each attempt has shown. `told`: the remedies that were printed before."""
    refused = [proof.attempt for proof in proofs if proof.was_refused]
    succeeded = [proof for proof in proofs if not proof.was_refused]
    by_remedy: dict[str, list[str]] = {}
    for proof in succeeded:
        why = f" (it could not be tried: {proof.trouble})" if proof.trouble else ""
        by_remedy.setdefault(proof.remedy, []).append(f"{proof.attempt}{why}")
    for remedy, attempts in by_remedy.items():
        yield from _wrapped(" " * 14, "it could: " + "; ".join(attempts), first=" " * 12)
        if remedy:
            words = "What to do: see above." if remedy in told else f"What to do: {remedy}"
            told.add(remedy)
            yield from _wrapped(" " * 14, words, first=" " * 12)
    if refused:
        yield from _wrapped(" " * 14, "refused: " + "; ".join(refused), first=" " * 12)


def _machine(report: Report) -> Iterator[str]:
    yield ""
    yield "machine"
    width = max(len(fact.name) for fact in report.facts)
    for fact in report.facts:
        yield f"  {fact.name:<{width}}  {fact.value}"
        if fact.advice:
            yield from _wrapped(" " * (width + 4), fact.advice)


def _toolchains(report: Report) -> Iterator[str]:
    yield ""
    yield "toolchains of the sample bots"
    width = max(len(bot.name) for bot in report.samples)
    for bot in report.samples:
        said = f"missing: {', '.join(bot.lacks)}" if bot.lacks else "present"
        yield f"  {bot.name:<{width}}  {said}"
    missing = packages(report.samples)
    if missing:
        yield from _wrapped("  ", f"Try: apt install {' '.join(missing)}", first="  ")
    if report.hidden:
        yield ""
        yield "installed where bots cannot see them"
        for tool in report.hidden:
            yield f"  {tool.program:<{width}}  {tool.found}"
        yield "  Where bots need them, write this into league.toml, under [confine]:"
        # TOML's basic strings are JSON's.
        folders = ", ".join(json.dumps(str(path)) for path in to_read(report.hidden))
        yield f"  read = [{folders}]"


def _wrapped(indent: str, text: str, first: str | None = None) -> Iterator[str]:
    """Wrap the first line of a text; a second one is a command, which stays whole.

    `indent`: before each line; `first`: before the first one instead.
    """
    text, _, command = text.partition("\n")
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    if command:
        yield f"{indent}{command}"
