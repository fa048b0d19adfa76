"""The page of a match: one replay, told to every audience as its views were."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.games import GAMES
from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.outputs.pages.changes import LEFT_OUT, change, changes
from arena.outputs.pages.matches import match_page, public_faults
from arena.outputs.pages.steps import EveryView, steps
from arena.record import FaultEntry, Note, Record
from arena.record.replay import replay
from arena.record.transcript import Audience, transcript
from protocol.commitment import commit
from tests.league.leagues import NASTY, Simulated, played_match
from tests.outputs.reading import read

EVERY_TABLE = [(game, seats) for game in GAMES for seats in GAMES[game].seats]
NAMES = ("fox", "owl", "crow", "hare", "mole", "newt")


def a_match(
    game: str, seats: int, options: Mapping[str, object] | None = None, number: int = 1
) -> LeagueMatch:
    """Of random play; `number`: of the deal."""
    if options is None:
        options = GAMES[game].trials.sweep[0]
    league = Simulated(game=game, seats=seats, bots=NAMES, options=options)
    one = PlannedSet(1, NAMES[:seats])
    return played_match(league, one, 0, seed_of_set(b"k" * 32, number, 0))


def with_record(played: LeagueMatch, **changed: object) -> LeagueMatch:
    return msgspec.structs.replace(played, record=msgspec.structs.replace(played.record, **changed))


def page_of(played: LeagueMatch) -> str:
    return match_page("Sunday league", PlayedSet(1, 0, (played,)), played, "stamp")


def by_views(record: Record) -> Mapping[str, Any]:
    """The same match in the form of any game, made from every view."""
    game = GAMES[record.game]
    script, before = EveryView(game, record.seats), None
    for step in replay(record):
        public = step.state.view(None)
        script.take(step.move, public, game.narrate(before, public, None), step.state)
        before = public
    common = {key: value for key, value in steps(record).data.items() if key != "rounds"}
    return {**common, **script.data()}


def applied(before: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """What the page's script does."""
    now = dict(before)
    for field, new in changed.items():
        if new == 0:
            del now[field]
        elif len(new) == 1:
            now[field] = new[0]
        else:
            start, count, *items = new
            now[field] = [*now[field][:start], *items, *now[field][start + count :]]
    return now


def views(data: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The spectator's view and what seats see otherwise, after each move."""
    view, own = data["start"]["view"], data["start"]["own"]
    yield view, own
    for row in data["moves"]:
        view = applied(view, row[3] if len(row) > 3 else {})
        changed = row[4] if len(row) > 4 else {}
        own = [applied(each, changed.get(str(seat), {})) for seat, each in enumerate(own)]
        yield view, own


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_a_page_carries_every_view_of_every_audience(game: str, seats: int) -> None:
    record = a_match(game, seats).record
    data = msgspec.json.decode(msgspec.json.encode(by_views(record)))
    for (view, own), step in zip(views(data), replay(record), strict=True):
        public = step.state.view(None)
        assert view == {field: public[field] for field in public if field not in LEFT_OUT}
        for seat in range(seats):
            seen = step.state.view(seat)
            shown = {**view, **own[seat]}
            assert shown == {field: seen[field] for field in seen if field not in LEFT_OUT}


@pytest.mark.parametrize("game", GAMES)
def test_a_page_tells_each_audience_what_it_is_told_in_a_transcript(game: str) -> None:
    seats = GAMES[game].seats[-1]
    record = a_match(game, seats).record
    data = by_views(record)
    for seat in (None, *range(seats)):
        told = [*data["start"]["told"]] if seat is None else []
        for row in data["moves"]:
            common = row[5] if len(row) > 5 else []
            own = row[6] if len(row) > 6 else {}
            told += common if seat is None else own.get(str(seat), common)
        expected = [
            line.lstrip(" 0123456789")
            for line in transcript(record, Audience(seat))
            if " hand of " not in line and not line.startswith(("place", game, "options"))
        ]
        if seat is not None:
            told = [*data["start"]["told"], *told]
        assert told == [line for line in expected if " notes: " not in line]


@pytest.mark.parametrize("game", GAMES)
def test_the_drawing_that_a_game_names_is_one_of_the_scripts(game: str) -> None:
    script = (files("arena.outputs.pages") / "static" / "tables.js").read_text()
    drawings = script.partition("const DRAWINGS = {")[2].partition("};")[0]
    assert GAMES[game].drawing.name in re.findall(r"^    (\w+): ", drawings, re.MULTILINE)


def test_the_transcript_on_the_page_is_a_spectators() -> None:
    played = with_record(
        a_match("nyet", 4),
        notes=(Note(3, NASTY),),
        faults=(
            FaultEntry(1, 5, "late", "out-of-time", "too late"),
            FaultEntry(2, 5000, "gone", "closed", "left at the end", True),
        ),
        forfeits=(2,),
    )
    shown = page_of(played).partition('aria-label="Transcript">')[2].partition("</pre>")[0]
    assert unescape(shown).splitlines() == list(transcript(played.record))[2:]


def test_a_long_match_is_a_small_page() -> None:
    """Eight rounds of nyet: some 640 moves."""
    page = page_of(a_match("nyet", 4, {}))
    assert sum(len(round_["moves"][0]) for round_ in read(page).match()["rounds"][:-1]) > 600
    assert len(page.encode()) < 60_000


def test_a_match_of_nope_is_a_small_page() -> None:
    assert len(page_of(a_match("nope", 6, {})).encode()) < 120_000


def test_a_fault_shows_what_its_seat_was_asked() -> None:
    played = a_match("nyet", 4)
    number = 40
    move = played.record.moves[number]
    played = with_record(
        played, faults=(FaultEntry(move.seat, number, "illegal", "not-legal", f"a {NASTY}"),)
    )
    state = list(replay_to(played.record, number))[-1]
    names = tuple(map(GAMES["nyet"].actions.name, state.legal(move.seat)))
    for fault in (public_faults(played)[0], public_faults(played, steps(played.record).legal)[0]):
        assert fault.legal == names
        assert fault.address == f"1-1.html#move=39&as=seat{move.seat}"
    text = read(page_of(played)).text
    assert f"Asked for one of: {' '.join(names)}" in text
    assert "illegal not-legal" in text


def replay_to(record: Record, number: int) -> Iterator[Any]:
    for step in replay(record):
        if step.number == number - 1:
            yield step.state.copy()


def test_a_fault_out_of_turn_was_asked_nothing() -> None:
    played = a_match("nyet", 4)
    sleeper = (played.record.moves[0].seat + 1) % 4
    fault = FaultEntry(sleeper, 0, "out-of-turn", "nothing-asked", "nobody asked")
    shown = public_faults(with_record(played, faults=(fault,)))[0]
    assert shown.legal == ()
    assert shown.address == f"1-1.html#move=deal&as=seat{sleeper}"


def test_what_a_bot_sent_or_printed_is_not_on_its_page() -> None:
    league = Simulated(illegal=("fox",))
    played = played_match(league, PlannedSet(1, NAMES[:4]), 0, b"seed")
    assert played.evidence[0].stderr == NASTY
    secret = msgspec.structs.replace(
        played,
        evidence=tuple(
            msgspec.structs.replace(each, stderr="secret words", reply=b"secret bytes", came="raw!")
            for each in played.evidence
        ),
    )
    page = page_of(secret)
    assert "secret" not in page
    assert "raw!" not in page
    assert page == page_of(played)


def test_a_match_that_did_not_begin_has_a_page_without_moves() -> None:
    league = Simulated(absent=("fox",))
    played = played_match(league, PlannedSet(1, NAMES[:4]), 0, b"seed")
    page = read(page_of(played))
    assert "it did not begin" in page.text
    assert "never-started exited, seat 0" in " ".join(page.text.split())
    assert not page.scripts
    assert "viewer" not in {attrs.get("id") for _, attrs in page.tags}


def test_a_match_cut_short_by_forfeits_has_places_and_no_scores() -> None:
    played = a_match("nyet", 2)
    played = with_record(
        played,
        moves=played.record.moves[:30],
        scores=(),
        places=(1, 2),
        ending="forfeit",
        forfeits=(1,),
        faults=(FaultEntry(1, 30, "gone", "closed", "it left", True),),
    )
    page = read(page_of(played))
    assert "all seats but one were forfeited" in page.text
    assert page.row_of("2nd")[:4] == ["2ndforfeited", "owl", "1", "–"]
    (only, _) = page.match()["rounds"]
    assert len(only["moves"][0]) == 30


def test_a_record_that_does_not_fit_the_rules_says_so_and_stops_nothing() -> None:
    played = a_match("nyet", 4)
    moves = list(played.record.moves)
    moves[10], moves[60] = moves[60], moves[10]
    page = read(page_of(with_record(played, moves=tuple(moves))))
    assert "does not fit the rules" in page.text
    assert page.row_of("1st")


def test_the_program_on_the_page_works_out_the_commitment() -> None:
    played = with_record(a_match("njet-it", 4), nonce="ab" * 32, match="m-9d41c07be2")
    text = read(page_of(played)).text
    program = text[text.index("from hashlib") : text.index("print(digest.hexdigest())") + 25]
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    record = played.record
    assert ran.stdout.strip() == commit("m-9d41c07be2", b"\xab" * 32, record.seed_bytes)
    for opened in (record.match, record.nonce, record.seed):
        assert opened in text


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!--", "a & b", "\u2028"])
def test_a_note_cannot_leave_the_script_it_stands_in(text: str) -> None:
    played = with_record(a_match("njet-it", 4), notes=(Note(2, text),))
    page = page_of(played)
    assert page.count("</script>") == page.count("<script")
    data = page.partition('id="match-data">')[2].partition("</script>")[0]
    assert "<" not in data
    assert "&" not in data
    shown = text.replace("\u2028", "\N{REPLACEMENT CHARACTER}")
    assert read(page).match()["notes"] == [[2, shown]]


def test_the_matches_of_a_set_lead_to_each_other() -> None:
    one = PlannedSet(3, NAMES[:4])
    league = Simulated(bots=NAMES)
    turns = tuple(played_match(league, one, turn, b"seed") for turn in range(4))
    page = read(match_page("Sunday league", PlayedSet(3, 0, turns), turns[1], "stamp"))
    assert [link for link in page.links() if link.startswith("3-")] == [
        f"3-{turn}.html" for turn in (1, 2, 3, 4)
    ]


def test_any_change_of_a_list_can_be_undone_from_its_parts() -> None:
    rng = random.Random(7)
    for _ in range(500):
        before = [rng.randrange(3) for _ in range(rng.randrange(6))]
        now = [rng.randrange(3) for _ in range(rng.randrange(6))]
        assert applied({"a": before}, {"a": change(before, now)})["a"] == now


def test_changes_tell_of_new_and_gone_fields_and_of_nothing_else() -> None:
    before = {"turn": 1, "hand": ["R1"], "same": [1], "gone": 3}
    now = {"turn": None, "hand": ["R1", "R2"], "same": [1], "new": {"a": 1}}
    told = changes(before, now)
    assert told == {"turn": [None], "hand": [1, 0, "R2"], "new": [{"a": 1}], "gone": 0}
    assert applied(before, told) == now


def test_a_time_is_that_of_its_bot_and_not_of_what_was_played_for_it() -> None:
    played = a_match("nyet", 4)
    moves = tuple(
        msgspec.structs.replace(move, time_us=0 if move.seat == 2 else 5000)
        for move in played.record.moves
    )
    page = read(page_of(with_record(played, moves=moves)))
    rows = {row[1]: row for row in page.rows if row[0][:1].isdigit()}
    assert rows["crow"][4:7] == ["0", "–", "–"]
    assert rows["fox"][5:7] == ["5.0", "5.0"]


def test_a_match_is_told_with_the_time_it_ended(tmp_path: Path) -> None:
    played = msgspec.structs.replace(a_match("njet-it", 4), stood=True)
    text = " ".join(read(page_of(played)).text.split())
    assert "Ended 2026-01-01 00:01:00 UTC; the last round was played." in text
    assert "A late ruling in it stood" in text
