"""What may come without a new protocol number: a bot ignores what it does not know (SPEC 9)."""

from __future__ import annotations

from arena.referee.check import forms
from arena.referee.check.bench import Bench
from arena.referee.check.decisions import short


async def welcome(bench: Bench) -> None:
    """New fields and limits in the first thing it hears."""
    opponent = await bench.fresh(form=forms.with_unknown_limits)
    await opponent.play(short(bench.game), most=1)


async def start(bench: Bench) -> None:
    """New fields, options and clocks."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game), forms.with_unknown_options)
    await opponent.ask()
    opponent.hold_end(form=forms.with_unknown_fields)
    await opponent.flush()


async def request(bench: Bench) -> None:
    """New fields beside the known ones, and in the view."""
    opponent = await bench.opponent()
    await opponent.play(short(bench.game), most=3, form=forms.with_unknown_view)


async def messages(bench: Bench) -> None:
    """New messages in every state, none of which wants an answer."""
    opponent = await bench.opponent()
    news = {"type": "news", "match": None, "text": "A message of a later version."}
    opponent.hold_unknown({"type": "ping", "id": 1})
    await opponent.flush()
    await opponent.quiet()
    opponent.hold_start(short(bench.game))
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
    """Words it has never heard where it knows a list of words."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
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
    opponent.last_sent = "fault (of-a-later-version)"
    await opponent.ask()
    opponent.hold_end("of-a-later-version")
    await opponent.flush()
    await opponent.play(short(bench.game, number=1), most=1)
