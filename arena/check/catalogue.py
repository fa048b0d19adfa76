"""The steps of a check, as a table: number, title, section of SPEC, and function.

A step that needs no run of its own takes the bot as it stands between two matches, and leaves it
so. Numbers are the same for every bot; steps that do not apply to one are left out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from arena.check.bench import Bench
from arena.check.steps import ends, faults, frames, growth, hellos, matches, play
from arena.games import GAMES


@dataclass(frozen=True)
class CheckStep:
    """One numbered step."""

    number: int
    title: str
    section: str  # of SPEC.md
    run: Callable[[Bench], Awaitable[None]]
    about: str = ""  # the oddity of this step, and how a bot gets it right
    game: str | None = None  # only for bots that play this game
    kind: str | None = None  # only for bots that connect by this kind of address
    several: bool = False  # only for bots that play several games
    decisions: int = 3  # of the bot, roughly; for an estimate of the time
    pauses_s: float = 0.05  # our own waiting and writing, in seconds

    def applies_to(self, games: Sequence[str], connect: Sequence[str]) -> bool:
        """Return True if the step applies to a bot with these games and kinds of address."""
        return (
            (self.game is None or self.game in games)
            and (self.kind is None or self.kind in connect)
            and (not self.several or len(games) > 1)
        )


_COMMON: tuple[tuple[str, str, Callable[[Bench], Awaitable[None]], str], ...] = (
    ("it starts, connects and says hello", "2.4", hellos.says_hello, ""),
    (
        "it says nothing until it is asked, and then answers",
        "5.2",
        hellos.waits,
        "welcome, start and end want no answer, and a request wants one",
    ),
    ("it plays a match", "4.5", matches.plain, ""),
    (
        "it sends its token unchanged, however long and odd",
        "2.3",
        hellos.odd_token,
        "the token has blanks, quotes, a percent sign and 128 characters",
    ),
    (
        "two runs of it go on side by side",
        "2.4",
        hellos.two_at_once,
        "two processes of the bot play at the same time",
    ),
    (
        "a request that comes byte by byte",
        "3.1",
        frames.byte_by_byte,
        "a read may give a part: read on until you have four bytes of length, then that many bytes",
    ),
    (
        "welcome, start and request in one write",
        "3.1",
        frames.welcome_and_all,
        "one read may bring several frames: keep what comes after the first",
    ),
    (
        "end, start and request in one write",
        "3.1",
        frames.end_and_all,
        "one read may bring several frames: keep what comes after the first",
    ),
    (
        "frames cut anywhere but at their ends",
        "3.1",
        frames.cut_inside,
        "a read may end inside a header or a body, with the next frame begun",
    ),
    (
        "numbers and lengths in the longer forms of msgpack",
        "3.3",
        frames.long_forms,
        "7 may come in nine bytes, and any length in four: let a msgpack library read them",
    ),
    (
        "unknown fields in welcome",
        "4",
        growth.welcome,
        "pass over fields and limits you do not know",
    ),
    (
        "unknown fields and options in start",
        "4",
        growth.start,
        "pass over fields and options you do not know",
    ),
    (
        "unknown fields in request and view",
        "4",
        growth.request,
        "pass over fields you do not know, in the view too",
    ),
    (
        "unknown types of message",
        "4",
        growth.messages,
        "pass over messages of a type that you do not know, and answer none of them",
    ),
    (
        "endings, reasons and codes of a later version",
        "9",
        growth.texts,
        "decide by `type`, `kind` and `legal`; other texts may be new",
    ),
    (
        "the longest body there may be",
        "3.2",
        frames.longest,
        "16384 bytes, filled with a field you do not know: have room for it",
    ),
    (
        "the deepest nesting there may be",
        "8",
        frames.deepest,
        "16 maps and lists inside each other, in a field you do not know",
    ),
    (
        "a fault that settles the request",
        "4.6",
        faults.ruling,
        "it comes right after the request; one answer to that is stale, and the match goes on",
    ),
    (
        "faults that settle nothing",
        "4.6",
        faults.between,
        "with nil for match, id and played; print its text, answer nothing",
    ),
    (
        "a forfeit, and the match after it",
        "7.4",
        faults.forfeit,
        "a forfeit ends your match, not your session",
    ),
    (
        "a match that is void while a request is open",
        "6.5",
        matches.void,
        "`end` comes at once after a request; its scores and places are empty",
    ),
    (
        "a match that ends before the bot is asked",
        "5.1",
        matches.empty,
        "`end` comes right after `start`",
    ),
    ("a match that ends early", "5.1", matches.early, "`end` comes after two decisions"),
    (
        "a second match on the same connection",
        "2.4",
        matches.second,
        "stay alive after `end`, and forget what belonged to the match",
    ),
    (
        "a pause between two matches",
        "2.4",
        matches.pause,
        "nothing comes for a second: wait without a limit",
    ),
    ("bye between matches: it ends by itself", "4.8", ends.bye, "end on `bye`, with exit code 0"),
    ("bye before any match", "4.8", ends.bye_at_once, "end on `bye`"),
    (
        "bye while it is asked",
        "4.8",
        ends.bye_while_asked,
        "end on `bye`, also when an answer cannot be sent any more",
    ),
    ("the connection ends without bye", "2.4", ends.closed, "end when a read gives nothing"),
    (
        "the connection ends inside a frame",
        "2.4",
        ends.closed_inside,
        "end when a read gives nothing, also inside a frame",
    ),
)
_BY_KIND: tuple[tuple[str, str, str, Callable[[Bench], Awaitable[None]]], ...] = (
    ("a match over a Unix socket", "2.2", "unix", partial(matches.over, kind="unix")),
    ("a match over TCP", "2.2", "tcp", partial(matches.over, kind="tcp")),
    ("a match over TCP with an IPv6 address", "2.2", "tcp", matches.over_ipv6),
)
_BY_GAME: tuple[tuple[str, str, Callable[[Bench, str], Awaitable[None]]], ...] = (
    ("a match at every size of table", "10.1", play.every_size),
    ("every kind of decision", "10.2", play.every_kind),
    ("the longest lists and the largest views", "10.3", play.largest),
    ("other options than the defaults", "10.4", play.other_options),
)


_DECISIONS: Mapping[Callable[..., Awaitable[None]], int] = {
    matches.plain: 25,
    matches.second: 70,
    matches.over_ipv6: 10,
    matches.mixed: 10,
    play.every_size: 80,
    play.every_kind: 30,
    play.largest: 35,
    play.other_options: 20,
}
_PAUSES_S: Mapping[Callable[..., Awaitable[None]], float] = {
    frames.byte_by_byte: 3.0,
    hellos.waits: 0.6,
    matches.pause: 1.0,
}


def _costs(run: Callable[..., Awaitable[None]]) -> dict[str, Any]:
    """Return the fields of `CheckStep` for an estimate, where they are not the defaults."""
    costs: dict[str, Any] = {}
    if run in _DECISIONS:
        costs["decisions"] = _DECISIONS[run]
    if run in _PAUSES_S:
        costs["pauses_s"] = _PAUSES_S[run]
    return costs


def _with(
    play_it: Callable[[Bench, str], Awaitable[None]], game: str
) -> Callable[[Bench], Awaitable[None]]:
    async def run(bench: Bench) -> None:
        await play_it(bench, game)

    return run


def steps() -> Iterator[CheckStep]:
    """Yield all steps in order."""
    number = 0
    for title, section, run, about in _COMMON:
        number += 1
        yield CheckStep(number, title, section, run, about, **_costs(run))
    for title, section, kind, run in _BY_KIND:
        number += 1
        yield CheckStep(number, title, section, run, kind=kind, **_costs(run))
    for game in GAMES:
        for title, section, play_it in _BY_GAME:
            number += 1
            yield CheckStep(
                number,
                f"{game}: {title}",
                section,
                _with(play_it, game),
                game=game,
                **_costs(play_it),
            )
    yield CheckStep(
        number + 1,
        "from one game to the next, and back",
        "4.3",
        matches.mixed,
        several=True,
        **_costs(matches.mixed),
    )
    yield CheckStep(number + 2, "one write for each frame", "2.2", matches.one_write)


STEPS: tuple[CheckStep, ...] = tuple(steps())
