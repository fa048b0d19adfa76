"""Bots of which a check finds something, each with the step that does, and all that it finds.

`python -m tests.check.mistakes --write` writes the findings and the script of a whole check anew;
the tests compare. Read the diff before accepting it.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import trio
import trio.testing

from tests.check.small_check import BotSide, Play, SmallCheck, small_check
from tests.helpers import packed

FOLDER = Path(__file__).parent / "told"


async def plays_well(side: BotSide) -> int:
    await side.say_hello()
    return await side.play_on()


def thinks(seconds: float) -> Play:
    """A bot that takes this long over each decision."""

    async def play(side: BotSide) -> int:
        await side.say_hello()
        return await side.play_on(seconds)

    return play


def instead(data: Any, *, at: int = 2, then: str = "plays on") -> Play:
    """A bot that sends something else for one answer. `data`: bytes, or made of the request.

    `then`: "plays on", "ends" with exit code 3, "closes" and lives, or is "silent".
    """

    async def play(side: BotSide) -> int:
        await side.say_hello()
        while (request := await side.request()) is not None:
            if side.asked != at:
                await trio.sleep(0.001)
                await side.answer(request)
                continue
            await trio.sleep(0.002)
            if sent := data(side, request) if callable(data) else data:
                await side.send(sent)
            match then:
                case "ends":
                    side.process.stderr = b"Traceback\nKeyError: 'R13'\n"
                    return 3
                case "closes":
                    assert side.pipe is not None
                    side.pipe.close()
                    await trio.sleep_forever()
                case "silent":
                    side.process.stderr = b"thinking\n"
                    await trio.sleep_forever()
        return 0

    return play


def hello_of(**otherwise: object) -> Play:
    """A bot whose hello is wrong."""

    async def play(side: BotSide) -> int:
        await side.say_hello(**otherwise)
        return await side.play_on()

    return play


async def encodes_twice(side: BotSide) -> int:
    await side.say_hello(token=side.token.encode().decode("latin-1"))
    return await side.play_on()


async def never_connects(side: BotSide) -> int:
    side.process.stdout, side.process.stderr = b"hello\n", b"no idea\n"
    await trio.sleep_forever()
    return 0


async def ends_at_once(side: BotSide) -> int:
    side.process.stderr = b"ValueError: no card 7\n"
    return 1


async def hangs_up(side: BotSide) -> int:
    await side.dial()
    assert side.pipe is not None
    side.pipe.close()
    await trio.sleep_forever()
    return 0


async def hangs_up_and_ends(side: BotSide) -> int:
    await side.dial()
    assert side.pipe is not None
    side.pipe.close()
    await trio.sleep(0.1)
    return 7


def first(data: bytes) -> Play:
    """A bot that sends this for a hello, and then nothing."""

    async def play(side: BotSide) -> int:
        await side.dial()
        side.process.stdout = b"not shown: it has connected\n"
        if data:
            await side.send(data)
        await trio.sleep_forever()
        return 0

    return play


async def is_late_to_greet(side: BotSide) -> int:
    await trio.sleep(6)
    return await plays_well(side)


async def is_rather_late_to_greet(side: BotSide) -> int:
    await trio.sleep(5)
    return await plays_well(side)


def leaves(after_seconds: float, code: int) -> Play:
    """A bot that lives on after its connection, and ends with this code."""

    async def play(side: BotSide) -> int:
        await plays_well(side)
        side.process.stderr = b"saving\n"
        await trio.sleep(after_seconds)
        return code

    return play


async def cannot_run_twice(side: BotSide) -> int:
    if side.process.name != "bot 1":
        side.process.stderr = b"OSError: address in use\n"
        return 1
    return await plays_well(side)


async def runs_nowhere_but_at_unix(side: BotSide) -> int:
    if not side.place.startswith("unix"):
        return 4
    return await plays_well(side)


async def writes_twice(side: BotSide) -> int:
    await side.say_hello()
    while (request := await side.request()) is not None:
        data = side.action(request)
        await side.send(data[:4])
        await trio.sleep(0.04)
        await side.send(data[4:])
    return 0


async def answers_all(side: BotSide) -> int:
    await side.say_hello()
    last: dict[str, Any] = {"match": "", "id": 1, "legal": ["x"]}
    while (message := await side.hear()) is not None and message["type"] != "bye":
        last = message if message["type"] == "request" else last
        if message["type"] not in ("welcome", "start"):
            await side.answer(last)
    return 0


async def answers_the_welcome(side: BotSide) -> int:
    await side.say_hello()
    while (message := await side.hear()) is not None and message["type"] != "bye":
        if message["type"] == "welcome":
            await side.answer({"match": "", "id": 1, "legal": ["x"]})
    return 0


async def plays_the_last(side: BotSide) -> int:
    """A bot whose play does not come by every kind of decision."""
    await side.say_hello()
    while (request := await side.request()) is not None:
        await side.answer(request, action=request["legal"][-1])
    return 0


def is_silent_from(asked: int) -> Play:
    return instead(b"", at=asked, then="silent")


def wrong(**otherwise: object) -> Any:
    return lambda side, request: side.action(request, **otherwise)


def another(side: BotSide, request: Mapping[str, Any]) -> bytes:
    return side.action({**request}, id=request["id"] - 1)


def another_first(side: BotSide, request: Mapping[str, Any]) -> bytes:
    return another(side, request) + side.action({**request})


def twice(side: BotSide, request: Mapping[str, Any]) -> bytes:
    return side.action({**request}) * 2


HALF = packed({"type": "hello"})[:6]
HELLO = packed({"type": "hello", "protocol": 1, "token": "t"})
GARBAGE = b"\x00\x00\x00\x01\xc1"


class Mistake(NamedTuple):
    """A bot, and how it is checked."""

    name: str
    play: Play
    title: str | None
    more: Mapping[str, Any] = {}


MISTAKES = [
    Mistake("thinks 0.2 s", thinks(0.2), "nope: a match at every"),
    Mistake("thinks 15 s in three matches", thinks(0.75), "a second match"),
    Mistake("thinks 2 s", thinks(2), "nope: a match at every"),
    Mistake("thinks 5 s", thinks(5), "nope: every kind"),
    Mistake("thinks 10.1 s", thinks(10.1), "nope: other options"),
    Mistake("thinks 10 s", thinks(10), "nope: other options"),
    Mistake("silent at once", is_silent_from(1), "it plays a match"),
    Mistake("silent later", is_silent_from(3), "it plays a match"),
    Mistake("silent in every step", is_silent_from(1), None),
    Mistake("silent in half a frame", instead(HALF, then="silent"), "it plays a match"),
    Mistake("garbage", instead(GARBAGE), "it plays a match"),
    Mistake("garbage with its last answer", instead(GARBAGE, at=1), "it says nothing"),
    Mistake("a frame too long", instead(b"HTTP/1.1 200 OK\r\n\r\n"), "it plays a match"),
    Mistake("an illegal action", instead(wrong(action="R99")), "it plays a match"),
    Mistake("an illegal action, elsewhere", instead(wrong(action="draw")), "njet-it: other"),
    Mistake("another id", instead(another), "it plays a match"),
    Mistake("another id, then right", instead(another_first, at=3), "it plays a match"),
    Mistake("an id to come", instead(wrong(id=77)), "it plays a match"),
    Mistake("another match", instead(wrong(match="m")), "it plays a match"),
    Mistake(
        "hello again",
        instead(HELLO),
        "it plays a match",
    ),
    Mistake("an unknown field", instead(wrong(colour="red")), "it plays a match"),
    Mistake("answers twice", instead(twice), "it plays a match"),
    Mistake("answers the last twice", instead(twice, at=1), "it says nothing"),
    Mistake("answers all", answers_all, None),
    Mistake("answers the welcome", answers_the_welcome, "it says nothing"),
    Mistake("ends in a match", instead(b"", then="ends"), "it plays a match"),
    Mistake("ends in half a frame", instead(HALF, then="ends"), "it plays a match"),
    Mistake("closes in a match", instead(b"", then="closes"), "it plays a match"),
    Mistake("ends in a second run", cannot_run_twice, "side by side"),
    Mistake("lives on", leaves(5, 0), "bye between matches"),
    Mistake("is slow to end", leaves(0.75, 0), "bye before any match"),
    Mistake("is not slow to end", leaves(0.499, 0), "bye while it is asked"),
    Mistake("ends badly after bye", leaves(0, 5), "bye between matches"),
    Mistake("ends badly after less", leaves(0, 5), "bye before any match"),
    Mistake("lives on without bye", leaves(5, 0), "ends without bye"),
    Mistake("lives on inside a frame", leaves(5, 0), "inside a frame"),
    Mistake("greets late", is_late_to_greet, "it starts"),
    Mistake("greets not too late", is_rather_late_to_greet, "it starts"),
    Mistake("never connects", never_connects, "it starts", {"start_ms": 2_000}),
    Mistake("ends at once", ends_at_once, None),
    Mistake("hangs up", hangs_up, "it starts"),
    Mistake("hangs up and ends", hangs_up_and_ends, "it starts"),
    Mistake("says nothing", first(b""), "it starts"),
    Mistake("half a hello", first(HALF), "it starts"),
    Mistake("garbage for a hello", first(GARBAGE), "it starts"),
    Mistake(
        "an action for a hello",
        first(packed({"type": "action", "match": "m", "id": 1, "action": "x"})),
        "it starts",
    ),
    Mistake("another protocol", hello_of(protocol=2), "it starts"),
    Mistake("another token", hello_of(token="mine"), "token unchanged"),
    Mistake("a token encoded twice", encodes_twice, "token unchanged"),
    Mistake("a token encoded once", hello_of(), "token unchanged"),
    Mistake("cannot be started", plays_well, "it starts", {"refuse": True}),
    Mistake(
        "no IPv6 for it",
        runs_nowhere_but_at_unix,
        "IPv6",
        {"connect": ("tcp", "unix")},
    ),
    Mistake("no TCP for it", runs_nowhere_but_at_unix, "over TCP", {"connect": ("unix", "tcp")}),
    Mistake("two writes", writes_twice, "one write for", {"connect": ("tcp",)}),
    Mistake("two writes over Unix", writes_twice, "one write for"),
    Mistake("always the last", plays_the_last, "nope: every kind"),
    Mistake("always the last, elsewhere", plays_the_last, "njet-it: every kind"),
]


def told(check: SmallCheck) -> Iterator[str]:
    """Tell what was found, and how it went on."""
    report = check.report
    for result in report.results:
        yield f"{result.verdict}: {result.step.title}"
        for finding in result.findings:
            for name, value in dataclasses.asdict(finding).items():
                if value != "":
                    lines = str(value).rstrip("\n").split("\n")
                    yield f"  {name}: " + "\n    ".join(line[:500] for line in lines)
    yield f"started: {report.started}, {report.hello}"
    if report.left_out:
        yield f"left out: {len(report.left_out)} steps from {report.left_out[0].title}"
    yield f"ends: {', '.join(str(process.exit) for process in check.processes)}"
    decisions = report.measures.decisions_us
    yield f"starts: {report.measures.starts_us}, decisions: {len(decisions)}, {decisions[:4]}"


async def check_of(mistake: Mistake, folder: Path) -> SmallCheck:
    more = {"games": ("nope", "njet-it")} | dict(mistake.more)
    return await small_check(mistake.play, folder, title=mistake.title, **more)


def cleaned(text: str, check: SmallCheck) -> str:
    """Put a word for drawn tokens."""
    for token in check.tokens:
        text = text.replace(token, "TOKEN")
    return text


def as_text(mistake: Mistake, check: SmallCheck) -> str:
    body = cleaned("\n".join(told(check)), check)
    return f"== {mistake.name}\n{body}\n"


async def script(folder: Path) -> str:
    """Everything that a bot without mistakes is sent."""
    check = await small_check(
        plays_well, folder, games=("nope", "njet-it"), connect=("unix", "tcp")
    )
    assert check.findings == []
    return "\n".join(check.script) + "\n"


def known() -> dict[str, str]:
    """The findings on disk, by the name of the mistake."""
    parts = (FOLDER / "mistakes.txt").read_text().split("== ")[1:]
    return {part.partition("\n")[0]: f"== {part}" for part in parts}


async def write() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = [as_text(each, await check_of(each, folder)) for each in MISTAKES]
        (FOLDER / "mistakes.txt").write_text("".join(texts))
        (FOLDER / "script.txt").write_text(await script(folder))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    trio.run(write, clock=trio.testing.MockClock(autojump_threshold=0))
