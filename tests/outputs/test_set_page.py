"""The page of a set: one replay of each match, told to every audience as its views were."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
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
from arena.outputs.pages.sets.changes import LEFT_OUT, change, changes
from arena.outputs.pages.sets.every_view import EveryView, sight
from arena.outputs.pages.sets.faults import public_faults
from arena.outputs.pages.sets.page import set_page
from arena.outputs.pages.sets.steps import steps
from arena.outputs.pages.words import number
from arena.outputs.words import ordinal
from arena.record import FaultEntry, Note, Record
from arena.record.replay import replay
from arena.record.transcript import Audience, transcript
from protocol.commitment import commit
from tests.league.leagues import NASTY, Simulated, played_match
from tests.outputs.leagues import published
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


def page_of(*played: LeagueMatch, judged: Sequence[bytes] = ()) -> str:
    one = PlayedSet(played[0].set, 0, played)
    return set_page("Sunday league", one, judged or [b""] * len(played), "stamp")


def by_views(record: Record) -> Mapping[str, Any]:
    """The match in the form of any game, made from every view."""
    script = EveryView(GAMES[record.game], record)
    for step in replay(record):
        script.take(step.move, step.state)
    return {**common(record), **script.data()}


def common(record: Record) -> Mapping[str, Any]:
    """What the script gets of every match."""
    game = GAMES[record.game]
    drawing = {"name": game.drawing.name, "details": dict(game.drawing.details)}
    return {"drawing": drawing, "seats": record.seats}


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


def sheet_on(page: str) -> list[str]:
    """The lines of moves that the page of a set with one match shows."""
    shown = page.partition('aria-label="Moves of match 1.1">')[2].partition("</pre>")[0]
    return unescape(shown).splitlines()


@pytest.mark.parametrize("game", GAMES)
def test_the_part_of_a_seat_is_the_same_whatever_lies_where_it_cannot_see(game: str) -> None:
    rules = GAMES[game]
    seats = rules.seats[-1]
    rng = random.Random(3)
    parts = 0
    for step in replay(a_match(game, seats).record):
        if step.number % 5:
            continue
        now = sight(step.state, seats)
        for seat in range(seats):
            other = sight(rules.redeal(step.state, seat, rng), seats)
            assert msgspec.json.encode(other.own[seat]) == msgspec.json.encode(now.own[seat])
            assert msgspec.json.encode(other.public) == msgspec.json.encode(now.public)
            parts += other.own != now.own
    assert parts > 10  # others were dealt other cards


def test_the_moves_of_any_other_game_are_told_as_in_a_transcript() -> None:
    played = a_match("nope", 4)
    told = [line for line in transcript(played.record) if not line.startswith("place")]
    assert sheet_on(page_of(played)) == told[1 + bool(played.record.options) :]


def test_a_sheet_has_the_hands_and_every_move_of_each_round() -> None:
    record = a_match("nyet", 4, {"rounds": 2}).record
    lines = steps(record).lines
    state = next(replay(record)).state
    assert lines[0] == "Round 1. Seat 3 deals, seat 3 begins."
    for seat in range(4):
        assert lines[1 + seat] == f"Hand of {seat}: {' '.join(state.view(seat)['hand'])}"
    told = [line for line in lines if not re.match(r"Round|Hand|Time|Scores", line)]
    words = " ".join(line.partition(": ")[2] for line in told)
    actions = re.sub(r"\[\d\] | to \d", "", words).split()
    assert actions == [move.action for move in record.moves]
    assert lines[-1] == f"Scores: {' '.join(map(str, record.scores))}"


def test_notes_stand_below_the_moves_with_their_seats() -> None:
    played = with_record(a_match("nyet", 4), notes=(Note(3, NASTY), Note(5, "why not")))
    seats = [played.record.moves[number].seat for number in (3, 5)]
    text = read(page_of(played)).text
    assert f"5 (seat {seats[1]}) why not" in text
    assert f"3 (seat {seats[0]}) " in text


def test_a_long_match_takes_little_of_a_page() -> None:
    """Eight rounds of nyet in four seatings: some 640 moves each."""
    league = Simulated(game="nyet", seats=4, bots=NAMES, options={})
    one = PlannedSet(1, NAMES[:4])
    played = [played_match(league, one, turn, b"seed") for turn in range(4)]
    assert all(len(each.record.moves) > 600 for each in played)
    assert len(page_of(*played).encode()) / 4 < 15_000


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
        assert fault.address == f"sets/000/1.html#match=1&move=39&as=seat{move.seat}"
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
    assert shown.address == f"sets/000/1.html#match=1&move=deal&as=seat{sleeper}"


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
    assert "It did not begin" in page.text
    assert "never-started exited, seat 0" in " ".join(page.text.split())
    (match,) = page.match()["matches"]
    assert not match.keys() & {"view", "start"}
    assert "pre" not in {tag for tag, _ in page.tags}


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
    assert "All seats but one were forfeited." in page.text
    assert page.row_of("owl")[1] == "2nd seat 1 forfeited"
    assert page.match()["matches"][0]["scores"] is None
    assert not any(line.startswith("Scores") for line in sheet_on(page_of(played)))


def test_a_record_that_does_not_fit_the_rules_says_so_and_stops_nothing() -> None:
    played = a_match("nyet", 4)
    moves = list(played.record.moves)
    moves[10], moves[60] = moves[60], moves[10]
    page = read(page_of(with_record(played, moves=tuple(moves))))
    assert "does not fit the rules" in page.text
    assert page.row_of("fox")[1].startswith(f"{ordinal(played.record.places[0])}, ")


def test_the_program_on_the_page_about_deals_works_out_the_commitment(tmp_path: Path) -> None:
    with published(tmp_path, Simulated(sets=1)) as folder:
        text = read(folder / "deals.html").text
        one = read(folder / "sets" / "000" / "1.html")
    program = text[text.index("from hashlib") : text.index("print(digest.hexdigest())") + 25]
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert f"It prints {ran.stdout.strip()}, the commitment" in text
    match, nonce, seed = re.findall(r'^\w+ = [^"]*"([^"]+)"', program, re.MULTILINE)[:3]
    assert ran.stdout.strip() == commit(match, bytes.fromhex(nonce), bytes.fromhex(seed))
    assert "../../deals.html" in one.links()


def test_a_page_shows_what_opens_the_commitment_of_each_match() -> None:
    played = with_record(a_match("njet-it", 4), nonce="ab" * 32, match="m-9d41c07be2")
    text = read(page_of(played)).text
    for opened in (played.record.match, played.record.nonce, played.record.seed):
        assert opened in text


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!--", "a & b", "\u2028"])
def test_a_fault_cannot_leave_the_script_it_stands_in(text: str) -> None:
    fault = FaultEntry(1, 2, "illegal", "not-legal", text)
    page = page_of(with_record(a_match("njet-it", 4), faults=(fault,)))
    assert page.count("</script>") == page.count("<script")
    data = page.partition('id="set-data">')[2].partition("</script>")[0]
    assert "<" not in data
    assert "&" not in data
    shown = text.replace("\u2028", "\N{REPLACEMENT CHARACTER}")
    (match,) = read(page).match()["matches"]
    assert match["faults"][0][:5] == [1, 2, "illegal", "not-legal", shown]


def test_each_match_of_a_set_has_a_column_that_leads_to_it() -> None:
    one = PlannedSet(3, NAMES[:4])
    league = Simulated(bots=NAMES)
    turns = [played_match(league, one, turn, b"seed") for turn in range(4)]
    page = read(page_of(*turns))
    assert page.rows[0][1:5] == [f"match 3.{turn}" for turn in (1, 2, 3, 4)]
    assert [link for link in page.links() if link.startswith("#match")] == [
        f"#match={turn}" for turn in (1, 2, 3, 4)
    ]
    for name in NAMES[:4]:
        cells = page.row_of(name)[1:5]
        for cell, played in zip(cells, turns, strict=True):
            seat = played.record.names.index(name)
            place, score = played.record.places[seat], played.record.scores[seat]
            assert cell == f"{ordinal(place)}, {number(score)} seat {seat}"


def judgement(record: Record, **other: object) -> bytes:
    """As `arena judge --save` keeps it."""
    decision = {
        "move": 40,
        "seat": record.moves[40].seat,
        "played": record.moves[40].action,
        "verdict": "mistake",
        "better": "B7",
        "actions": [
            {"action": "B7", "value": 3.0, "more": 1.25, "bar": 0.5, "worlds": 64},
            {"action": record.moves[40].action, "value": 1.75, "more": 0, "bar": 0, "worlds": 64},
        ],
    }
    fine = {**decision, "move": 41, "verdict": "fine", "better": None}
    document = {"match": record.match, "moves": len(record.moves), "unit": "points"}
    return msgspec.json.encode({**document, "decisions": [decision, fine], **other})


def test_mistakes_that_were_judged_are_marked() -> None:
    played = a_match("nyet", 4)
    seat = played.record.moves[40].seat
    page = page_of(played, judged=[judgement(played.record)])
    words = "judged a mistake: B7 is worth +1.2 ±0.5 points"
    assert read(page).match()["matches"][0]["marks"] == [[40, seat, words]]
    assert f"Move 40, seat {seat}: {words}" in read(page).text


def test_a_judgement_of_another_match_marks_nothing() -> None:
    played = a_match("nyet", 4)
    for other in ({"match": "m-0000000000"}, {"moves": 3}):
        page = page_of(played, judged=[judgement(played.record, **other)])
        assert page == page_of(played)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"match": 1}', b"\xff"])
def test_a_judgement_that_cannot_be_read_is_told_and_stops_nothing(content: bytes) -> None:
    text = read(page_of(a_match("nyet", 4), judged=[content])).text
    assert "the file is none that this version of arena can read" in " ".join(text.split())


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
    assert page.row_of("crow")[2:4] == ["–", "–"]
    assert page.row_of("fox")[2:4] == ["5.0", "5.0"]


def test_a_match_is_told_with_the_time_it_ended(tmp_path: Path) -> None:
    played = msgspec.structs.replace(a_match("njet-it", 4), stood=True)
    text = " ".join(read(page_of(played)).text.split())
    assert "Ended 2026-01-01 00:01:00 UTC." in text
    assert "The last round was played. A late ruling in it stood" in text
