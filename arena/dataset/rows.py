"""Rows from the complete sets of leagues, in batches of bounded size; and what these leagues have
in common, or why they do not fit into one file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.dataset.schema import MASK, OBSERVATION, About, Batch, batch_of
from arena.games import GAMES, Outcome
from arena.games.options import in_words
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.played import LeagueMatch
from arena.league.store.folder import FOLDER_SUFFIX
from arena.league.store.reader import Reader
from arena.record import Record
from arena.record.decisions import decisions
from arena.rl.rewards import by_place
from arena.text import listed, plain

BATCH_ROWS = 4096  # of nyet with 4 seats: 7 MB

Told = Callable[[str, int, int], object]


class MixedLeagues(ValueError):
    """Leagues whose rows do not fit into one file: of different games, tables or options, or one
    league twice."""


class ExportedLeague:
    """An open league to export, as it is when this is made: a league that is being played goes on,
    and its later sets and entrants are not in the file.

    `name`: its name in messages and in `About.leagues`. `sets`: the numbers of the sets that are
    complete. `entrants`: in the order in which they entered.
    """

    def __init__(self, name: str, reader: Reader):
        self.name = name
        self.reader = reader
        # In this order: a bot of a complete set entered before.
        self.sets = tuple(sorted(reader.completed()))
        self.entrants = reader.entrants()

    def __repr__(self) -> str:
        return f"<ExportedLeague {self.name!r}, {len(self.sets)} sets>"


def distinct_names(folders: Sequence[Path]) -> list[str]:
    """Return a name for each league: that of its folder without the ending, preceded by the parent
    folders needed to make it unique. Raises MixedLeagues if one is there twice."""
    places = [folder.resolve() for folder in folders]
    for number, place in enumerate(places):
        if place in places[:number]:
            first = without_ending(folders[places.index(place)])
            also = without_ending(folders[number])
            told = f"{first}" if first == also else f"{first} and {also} are one league: it"
            raise MixedLeagues(f"{told} is named twice; name each league once")
    short = [*map(without_ending, places)]
    paths = short if len({*short}) == len(short) else places
    names = []
    for path in paths:
        for depth in range(1, len(path.parts) + 1):
            tail = path.parts[-depth:]
            if sum(other.parts[-depth:] == tail for other in paths) == 1:
                break
        names.append("/".join(tail))
    return names


def without_ending(folder: Path) -> Path:
    return folder.with_suffix("") if folder.suffix == FOLDER_SUFFIX else folder


def options_of(source: ExportedLeague) -> Mapping[str, Any]:
    """Return all options of the matches of a league, also those at their defaults."""
    settings = source.reader.settings
    state = GAMES[settings["game"]].deal(settings["seats"], b"", settings["options"])
    options: Mapping[str, Any] = state.view(None)["options"]
    return options


def about_of(sources: Sequence[ExportedLeague]) -> About:
    """Return the facts common to all rows of these leagues; raise MixedLeagues if they differ."""
    first = sources[0]
    game, seats = str(first.reader.settings["game"]), int(first.reader.settings["seats"])
    for source in sources[1:]:
        settings = source.reader.settings
        if (settings["game"], settings["seats"]) != (game, seats):
            raise MixedLeagues(
                f"{first.name} plays {game} with {seats} seats, but {source.name} plays"
                f" {settings['game']} with {settings['seats']}: export them into files of their own"
            )
    options = options_of(first)
    for source in sources[1:]:
        others = options_of(source)
        different = [name for name in options if others[name] != options[name]]
        if different:
            here, there = (
                ", ".join(f"{name}={in_words(each[name])}" for name in different)
                for each in (options, others)
            )
            raise MixedLeagues(
                f"{first.name} plays {game} with {here}, but {source.name} with {there}: export"
                " them into files of their own"
            )
    bots = numbered_bots(sources)
    version = GAMES[game].observation(seats).version
    return About(
        game,
        seats,
        options,
        version,
        tuple(bot.label for bot in bots),
        tuple(bot.content for bot in bots),
        tuple(source.name for source in sources),
    )


@dataclass(frozen=True)
class NumberedBot:
    """A bot of a file: its name in leagues, the hash of its files or None, the numbers of the
    leagues that it is in, and its name among all bots of the file."""

    name: str
    content: str | None
    leagues: tuple[int, ...]
    label: str


def numbered_bots(sources: Sequence[ExportedLeague]) -> list[NumberedBot]:
    """Return the bots of these leagues in the order of their numbers.

    Bots of two leagues are one if they have the same name and the same files. Those that dial in
    have files that are not known here, so each is a bot of its own.
    """
    found: dict[tuple[str, str | None, int | None], list[int]] = {}
    for number, source in enumerate(sources):
        for entrant in source.entrants:
            is_known = entrant.content != UNKNOWN_CONTENT
            content = entrant.content if is_known else None
            key = (entrant.name, content, None if is_known else number)
            found.setdefault(key, []).append(number)
    often = Counter(name for name, *_ in found)
    return [
        NumberedBot(
            name,
            content,
            tuple(leagues),
            name if often[name] == 1 else f"{name} ({sources[leagues[0]].name})",
        )
        for (name, content, _), leagues in found.items()
    ]


def told_apart(sources: Sequence[ExportedLeague]) -> Iterator[str]:
    """Yield a sentence for each name that different bots have in these leagues."""
    by_name: dict[str, list[NumberedBot]] = {}
    for bot in numbered_bots(sources):
        by_name.setdefault(bot.name, []).append(bot)
    for name, bots in by_name.items():
        if len(bots) > 1:
            why = (
                "differ in their files"
                if all(bot.content is not None for bot in bots)
                else "may differ in their files, as those that dial in"
            )
            labels = listed([plain(bot.label) for bot in bots])
            yield f"the bots called {plain(name)} {why}; they are {labels} in the file"


def batches(sources: Sequence[ExportedLeague], about: About, tell: Told) -> Iterator[Batch]:
    """Yield all decisions in the order in which they were made: by league, set and match.

    A batch is made anew each time, so the caller may keep it; nothing else is kept. `tell` gets
    the number of sets so far.
    """
    rows = RowBatch(about)
    numbers: list[dict[str, int]] = [{} for _ in sources]
    for bot, known in enumerate(numbered_bots(sources)):
        for league in known.leagues:
            numbers[league][known.name] = bot
    of, done = sum(len(source.sets) for source in sources), 0
    for number, source in enumerate(sources):
        for each in source.sets:
            one = source.reader.complete_set(each)
            assert one is not None, "a complete set stays complete: this is a bug in arena"
            for match in one.matches:
                if match.is_begun:
                    yield from rows.add(match, number, numbers[number])
            done += 1
            tell("sets exported", done, of)
    if rows.filled:
        yield rows.taken()


class RowBatch:
    """A batch that is being filled."""

    def __init__(self, about: About):
        self._widths = about.widths()
        self._codes = about.rules.actions.code
        self._batch = batch_of(BATCH_ROWS, self._widths)
        self.filled = 0

    def __repr__(self) -> str:
        return f"<RowBatch, {self.filled} filled>"

    def taken(self) -> Batch:
        """Return the filled rows, and begin anew."""
        full = {name: column[: self.filled] for name, column in self._batch.items()}
        self._batch, self.filled = batch_of(BATCH_ROWS, self._widths), 0
        return full

    def add(self, match: LeagueMatch, league: int, bots: Mapping[str, int]) -> Iterator[Batch]:
        """Fill in the decisions of a match; yield each batch that is full.

        `bots`: the number of each bot of this league, by its name there.
        """
        record = match.record
        results, scores = worth(record)
        # All decisions share one state: each row is written before the next decision.
        for decision in decisions(record):
            batch, row, seat = self._batch, self.filled, decision.seat
            decision.state.observe(seat, batch[OBSERVATION][row])
            decision.state.mask(seat, batch[MASK][row])
            batch["action"][row] = self._codes(decision.move.action)
            batch["seat"][row] = seat
            batch["result"][row] = results[seat]
            batch["score"][row] = scores[seat]
            # Not by its time: a decision that was late or illegal took time, and another action
            # was played in the place of the bot's.
            batch["played"][row] = decision.is_own
            batch["bot"][row] = bots[record.names[seat]]
            batch["league"][row] = league
            batch["set"][row] = match.place.set
            batch["turn"][row] = match.place.turn
            batch["move"][row] = decision.number
            self.filled += 1
            if self.filled == BATCH_ROWS:
                yield self.taken()


def worth(record: Record) -> tuple[list[float], list[float]]:
    """Return the result of each seat, from -1 to 1 by its place, and its score; NaN without one."""
    results = by_place(Outcome(record.scores, record.places, record.ending))
    return results, [*map(float, record.scores)] or [math.nan] * record.seats
