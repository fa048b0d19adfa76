"""Growth without a new protocol number: a bot ignores everything it does not know (SPEC 9)."""

from __future__ import annotations

from arena.check import forms
from arena.check.bench import Bench


async def welcome(bench: Bench) -> None:
    """Send new fields and limits in the first message that the bot hears."""
    opponent = await bench.fresh(form=forms.with_unknown_limits)
    await opponent.play(bench.short(), most=1)


async def start(bench: Bench) -> None:
    """Send new fields, options and clocks, and new fields in the `end` of that match."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short(), forms.with_unknown_options)
    await opponent.ask()
    opponent.hold_end(form=forms.with_unknown_fields)
    await opponent.flush()
    # It is asked once more: a bot that gave up at the `end` does not answer.
    await opponent.play(bench.short(number=1), most=1)


async def request(bench: Bench) -> None:
    """Send new fields beside the known ones, and in the view."""
    opponent = await bench.opponent()
    await opponent.play(bench.short(), most=3, form=forms.with_unknown_view)


async def messages(bench: Bench) -> None:
    """Send messages of new types in every state; none wants an answer."""
    opponent = await bench.opponent()
    news = {"type": "news", "match": None, "text": "A message of a later version."}
    opponent.hold_unknown({"type": "ping", "id": 1})
    await opponent.flush()
    await opponent.quiet()
    opponent.hold_start(bench.short())
    opponent.hold_unknown(news)
    opponent.hold_request()
    asked = opponent.last_sent
    opponent.hold_unknown({"type": "ping", "id": opponent.peer.end.last_id})
    opponent.last_sent = f"news, {asked}, ping"
    await opponent.flush()
    await opponent.answer()
    opponent.hold_unknown(news)
    await opponent.flush()
    await opponent.quiet()
    await opponent.ask()
    opponent.hold_end()
    await opponent.flush()


async def texts(bench: Bench) -> None:
    """Send new words in lists of words that the bot knows."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.ask()
    opponent.hold_unknown(
        {
            "type": "fault",
            "match": opponent.match,
            "id": None,
            "kind": "out-of-turn",
            "code": "of-a-later-version",
            "came": "",
            "expected": "",
            "played": None,
            "faults": 1,
            "forfeit": False,
            "text": "A finer code of a later version.",
        }
    )
    await opponent.ask()
    opponent.hold_end("of-a-later-version")
    await opponent.flush()
    await opponent.play(bench.short(number=1), most=1)
