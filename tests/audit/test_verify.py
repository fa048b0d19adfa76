"""`arena verify`: what fits is told so, and each kind of damage is found and named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as changed

from arena.audit.findings import Misfits
from arena.audit.league import audit
from arena.audit.match import of_absence, of_forfeits, problems
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.played import PlayedSet
from arena.league.model.seeds import seed_of_set
from arena.league.model.settings import Settings
from arena.league.store import events
from arena.league.store.folder import COMPLETE_SETS, DATABASE, SECRETS
from arena.league.store.reader import Reader
from arena.league.store.secrets import Secrets, write_secrets
from arena.league.store.store import Store
from arena.league.table.live import LiveTable
from arena.outputs.publish import Publisher
from arena.record import FaultEntry, Move, Record
from arena.record.evidence import Evidence
from protocol.commitment import commit
from tests.audit.damage import Damaged
from tests.audit.honest import KEY, LOTS, Entering, Honest, honest, match
from tests.cli.test_main import run
from tests.league.leagues import Simulated, simulate
from tests.league.plan.planning import schedule
from tests.league.running import RealLeague
from tests.play import random_record

LEAGUE = Honest(
    illegal=("hare",),
    void=(2,),
    unfinished=2,
    sets=5,
    bots=("fox", "owl", "crow", "hare", "mole", "hen", "cat"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return honest(tmp_path_factory.mktemp("leagues"), LEAGUE)


@pytest.fixture
def league(whole: Path, tmp_path: Path) -> Path:
    """A copy to do damage to."""
    return Path(shutil.copytree(whole, tmp_path / "cup.arena"))


def found(league: Path) -> list[str]:
    """What does not fit, as the command tells it."""
    code, output = run("verify", str(league))
    lines = output.splitlines()
    assert (code, "not fit, in " in lines[-1]) == (1, True), output
    return lines[:-1]


def copied_anew(league: Path) -> None:
    """Make the copy for readers anew, from a `league.db` that was changed."""
    (league / COMPLETE_SETS).unlink()
    Store.open(league / DATABASE).close()


def tell_nobody(done: int, of: int) -> None:
    """Progress."""


@pytest.mark.parametrize(
    "kind",
    [
        Honest(),
        LEAGUE,
        Honest(illegal=("hare", "fox", "owl"), sets=3),
        Honest(absent=("mole",), sets=12),
        Honest(game="nope", seats=2, options={}, illegal=("fox",)),
        Honest(game="njet-it", options={}, sets=2, bots=("fox", "owl", "crow", "hare")),
        Honest(duplicate=False, sets=12, absent=("owl",)),
        # Rows of which nobody is benched yet: of two who forfeit, of who never got to play, and
        # of who came in vain.
        Honest(bots=("fox", "owl", "crow", "hare"), illegal=("hare", "fox"), sets=1),
        Honest(bots=("fox", "owl", "crow", "hare"), absent=("hare", "fox"), sets=1),
        Honest(duplicate=False, sets=2, absent=("owl", "fox")),
    ],
    ids=[
        "plain",
        "voids",
        "cut-short",
        "absent",
        "nope",
        "njet-it",
        "single",
        "two-forfeit",
        "nobody-played",
        "absent-once",
    ],
)
def test_an_honest_league_fits(kind: Honest, tmp_path: Path) -> None:
    code, output = run("verify", str(honest(tmp_path, kind)))
    assert code == 0, output
    assert output.startswith("all fits: ")
    assert len(output.splitlines()) == 1


def test_it_says_how_much_it_looked_at(whole: Path) -> None:
    with Reader.read(whole / DATABASE) as store:
        sets = [*store.complete_sets()]
        events = len([*store.events()])
    matches = [played for one in sets for played in one.matches]
    moves = sum(len(played.record.moves) for played in matches)
    assert run("verify", str(whole)) == (
        0,
        f"all fits: {len(sets)} complete sets, {len(matches)} matches, {moves:,} moves,"
        f" {events} events (and 2 matches of unfinished sets, unseen); deals, moves, penalties,"
        " seatings, results and the table worked out anew\n",
    )


def test_it_changes_nothing(whole: Path) -> None:
    before = (whole / DATABASE).read_bytes()
    run("verify", str(whole))
    assert (whole / DATABASE).read_bytes() == before


def test_commitments_are_listed_for_comparing_with_what_bots_were_told(whole: Path) -> None:
    code, output = run("verify", str(whole), "--commitments")
    assert code == 0
    with Reader.read(whole / DATABASE) as store:
        records = [
            (played.place, played.record) for one in store.complete_sets() for played in one.matches
        ]
    expected = [
        f"{place}  {record.match}  "
        + commit(record.match, bytes.fromhex(record.nonce), record.seed_bytes)
        for place, record in records
    ]
    assert output.splitlines()[:-1] == expected


Change = Callable[[Record], dict[str, object]]

CHANGES: dict[str, tuple[Change, str]] = {
    "score": (
        lambda record: {"scores": (record.scores[0] + 1, *record.scores[1:])},
        "the record tells the end",
    ),
    "place": (
        lambda record: {"places": tuple(reversed(range(1, 5)))},
        "the record tells the end",
    ),
    "seed": (
        lambda record: {"seed": seed_of_set(KEY, 4, 0).hex()},
        "it was not dealt from the seed of its set",
    ),
    "move": (
        lambda record: {"moves": (*record.moves[:-9], record.moves[-1], *record.moves[-8:])},
        "does not fit the rules",
    ),
    "moves left out": (
        lambda record: {"moves": record.moves[:-1]},
        "the match is not over",
    ),
    "seating": (
        lambda record: {"names": (*record.names[1:], record.names[0])},
        "its seating: ",
    ),
    "options": (lambda record: {"options": {"rounds": 2}}, "its options: {'rounds': 2}"),
    "nonce": (lambda record: {"nonce": "00"}, "it has no nonce or no name"),
    "seat": (
        lambda record: {"moves": (Move(9, "R1"), *record.moves[1:])},
        "name seats or moves that it has not",
    ),
    "ending": (lambda record: {"ending": "target"}, "the record tells the end"),
    "forfeit": (lambda record: {"forfeits": (0,)}, "seats 0 are forfeited; by its faults  are"),
    "kind of fault": (
        lambda record: {"faults": (FaultEntry(0, 0, "party", "party", "it had one"),)},
        "its faults, notes or moves name",
    ),
    "fault": (
        lambda record: {"faults": (FaultEntry(0, 0, "gone", "closed", "went away"),)},
        "fault 1 should forfeit seat 0, and does not",
    ),
}


@pytest.mark.parametrize("what", [*CHANGES])
def test_a_changed_record_is_found_at_its_place(tmp_path: Path, what: str) -> None:
    league = honest(tmp_path, Honest(sets=3))
    change, words = CHANGES[what]
    Damaged(league).record(2, 1, change)
    lines = found(league)
    assert all(line.startswith(("2.2: ", "set 2: ", "event ")) for line in lines), lines
    assert any(line.startswith("2.2: ") and words in line for line in lines), lines


def test_a_place_that_was_given_to_another_is_found(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=3))

    def swapped(record: Record) -> dict[str, object]:
        places = [*record.places]
        first, last = places.index(min(places)), places.index(max(places))
        places[first], places[last] = places[last], places[first]
        return {"places": tuple(places)}

    Damaged(league).record(2, 1, swapped)
    lines = found(league)
    assert any(line.startswith("2.2: the record tells the end") for line in lines)
    assert any(line.endswith("its places is not what is kept of 2.2") for line in lines)


def with_forfeits(tmp_path: Path) -> tuple[Path, int, int]:
    """A league, and the set and turn of a match in which hare, who played on, was forfeited."""
    league = honest(tmp_path, Honest(sets=3, illegal=("hare",)))
    with Reader.read(league / DATABASE) as store:
        played = next(
            played
            for one in store.complete_sets()
            for played in one.matches
            if played.record.forfeits
        )
    return league, played.set, played.turn


def test_a_penalty_that_was_not_drawn_from_the_seed_is_found(tmp_path: Path) -> None:
    league, number, turn = with_forfeits(tmp_path)
    with Reader.read(league / DATABASE) as store:
        one = store.complete_set(number)
        assert one is not None
        played, planned = one.matches[turn], store.sets()[number - 1].planned
        settings = Settings.from_json(store.settings)
    record, seed = played.record, seed_of_set(KEY, number, 0)
    seat = record.forfeits[0]

    def told(change: dict[str, object]) -> list[str]:
        match = changed(played, record=changed(record, **change))
        return [*problems(match, planned, settings, {}, seed)]

    assert told({}) == []
    # Fewer faults, so another seat's lots; the moves themselves stay legal.
    assert any("the lot of its seed is" in each for each in told({"faults": record.faults[1:]}))
    late = next(
        at for at, move in enumerate(record.moves) if move.seat == seat and not move.time_us
    )
    moves = (
        *record.moves[:late],
        Move(seat, record.moves[late].action, 7),
        *record.moves[late + 1 :],
    )
    assert told({"moves": moves}) == [
        f"move {late} of a forfeited seat took time, as if its bot had played it"
    ]
    assert told({"moves": record.moves[:-1]}) == [
        f"after its last move ({len(record.moves) - 1} in all) the match is not over: seats"
        f" {record.moves[-1].seat} are to act"
    ]
    early = (changed(record.faults[0], forfeit=True), *record.faults[1:])
    assert f"fault 1 forfeits seat {seat} too early" in told({"faults": early})


@pytest.mark.parametrize(
    ("kinds", "should_forfeit"),
    [
        (("late", "late", "late"), ()),
        (("late", "late", "illegal"), ()),
        (("late", "illegal", "illegal"), (3,)),
        (("late", "late", "illegal", "illegal"), (4,)),
        (("illegal", "unreadable", "out-of-turn"), (3,)),
    ],
)
def test_further_misses_may_or_may_not_have_counted(
    kinds: tuple[str, ...], should_forfeit: tuple[int, ...]
) -> None:
    """But the first `late` of a seat has, and whatever else there was."""
    faults = tuple(FaultEntry(0, 0, kind, kind, "a fault") for kind in kinds)
    faults += (FaultEntry(1, 0, "illegal", "not-legal", "another's"),)
    record = changed(random_record("nyet", 4), faults=faults)
    assert [*of_forfeits(record, 3)] == [
        f"fault {number} should forfeit seat 0, and does not" for number in should_forfeit
    ]


def test_in_a_match_that_was_not_begun_there_is_nothing() -> None:
    faults = (FaultEntry(1, 0, "never-started", "exited", "it ended", True),)
    record = changed(
        random_record("nyet", 2),
        ending="not-begun",
        moves=(),
        scores=(),
        places=(1, 2),
        faults=faults,
        forfeits=(1,),
    )
    assert [*of_absence(record)] == []
    nothing = ["it was not begun, and has moves or scores"]
    assert [*of_absence(changed(record, moves=(Move(0, "R1"),)))] == nothing
    assert [*of_absence(changed(record, scores=(1, 2)))] == nothing
    silent = ["it was not begun, and its faults do not say who did not come"]
    assert [*of_absence(changed(record, faults=(changed(faults[0], kind="gone"),)))] == silent
    assert [*of_absence(changed(record, forfeits=(), places=(1, 1)))] == silent


def test_forfeited_seats_that_were_not_put_last_are_found(tmp_path: Path) -> None:
    league, number, turn = with_forfeits(tmp_path)
    Damaged(league).record(number, turn, lambda record: {"places": (1, 1, 1, 1)})
    lines = found(league)
    place = f"{number}.{turn + 1}"
    assert any(line.startswith(f"{place}: its places are 1, 1, 1, 1; by its") for line in lines)


def test_flipped_bytes_in_a_record_are_found_wherever_they_are(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=1))
    damaged = Damaged(league)
    ((data,),) = damaged.execute("SELECT record FROM matches WHERE number = 1 AND turn = 2")
    for at in range(0, len(data), 53):
        damaged.flip("matches", "record", at, number=1, turn=2)
        lines = found(league)
        assert any(line.startswith(("1.3: ", "event ")) for line in lines), at
        damaged.flip("matches", "record", at, number=1, turn=2)
    assert run("verify", str(league))[0] == 0


def test_a_missing_match_is_found(league: Path) -> None:
    Damaged(league).execute("DELETE FROM evidence WHERE number = 4")
    Damaged(league).execute("DELETE FROM matches WHERE number = 4 AND turn = 2")
    lines = found(league)
    assert "4.3: is missing, and its set is complete" in lines
    assert any(line.endswith("tells a 'match' of 4.3 that is not kept") for line in lines)


def test_matches_too_many_are_found(league: Path) -> None:
    copy = (
        "INSERT INTO matches SELECT {}, ended, stood, processes, record"
        " FROM matches WHERE number = 4 AND turn = 2"
    )
    damaged = Damaged(league)
    damaged.execute(copy.format("number, attempt, 7"))
    damaged.execute(copy.format("number, 2, turn"))
    damaged.execute(copy.format("99, attempt, turn"))
    lines = found(league)
    assert "4.8: a set has no such match" in lines
    assert "4.3: is of attempt 2, which has not begun" in lines
    assert "set 99: has matches, and is not in the schedule" in lines
    assert any("a row of matches belongs to none of sets" in line for line in lines)


def test_a_set_marked_otherwise_than_it_was_played_is_found(league: Path) -> None:
    damaged = Damaged(league)
    damaged.execute("UPDATE sets SET is_complete = 0 WHERE number = 3")
    damaged.execute("UPDATE sets SET is_complete = 1 WHERE number = 6")
    lines = found(league)
    assert "set 3: all its matches are played, and it is not marked complete" in lines
    assert "6.3: is missing, and its set is complete" in lines
    damaged.execute("UPDATE sets SET attempt = 0 WHERE number = 2")
    assert any(line.startswith("2.1: is of attempt 1, which has not") for line in found(league))
    damaged.execute("UPDATE sets SET attempt = 3 WHERE number = 2")
    lines = found(league)
    assert "set 2: its void attempt 2 has no match" in lines
    assert not any("is none of" in line for line in lines)
    damaged.execute("UPDATE sets SET attempt = 4 WHERE number = 2")
    assert "set 2: attempt 4 is none of 0 to 3" in found(league)


def test_a_schedule_cut_short_is_found(league: Path) -> None:
    damaged = Damaged(league)
    damaged.execute("DELETE FROM matches WHERE number = 6")
    damaged.execute("DELETE FROM sets WHERE number = 6")
    lines = found(league)
    assert "schedule: events tell 6 sets, and 5 are kept" in lines
    assert not any(line.startswith("schedule: cannot be read") for line in lines)


def test_a_match_that_ended_at_no_time_is_found(league: Path) -> None:
    Damaged(league).execute("UPDATE matches SET ended = 'noon' WHERE number = 3 AND turn = 1")
    assert "3.2: it ended at 'noon', which is no time" in found(league)


def test_another_schedule_is_found(league: Path) -> None:
    damaged = Damaged(league)
    ((line_up,),) = damaged.execute("SELECT line_up FROM sets WHERE number = 3")
    turned = [*json.loads(line_up)[1:], json.loads(line_up)[0]]
    damaged.execute("UPDATE sets SET line_up = ? WHERE number = 3", json.dumps(turned))
    lines = found(league)
    assert any(line.startswith("set 3: its line-up is ") for line in lines)
    assert any(line.startswith("3.1: its seating: ") for line in lines)
    damaged.execute("UPDATE sets SET line_up = ? WHERE number = 3", json.dumps(["ox"] * 4))
    lines = found(league)
    assert "set 3: its line-up is not 4 bots, each once" in lines
    assert "set 3: its line-up names ox, not among the entrants" in lines
    damaged.execute("UPDATE sets SET line_up = 'ox' WHERE number = 3")
    assert any(line.startswith("set 3: cannot be read: ") for line in found(league))


def test_a_process_that_played_a_set_twice_is_found(league: Path) -> None:
    damaged = Damaged(league)
    ((processes,),) = damaged.execute("SELECT processes FROM matches WHERE number = 4 AND turn = 0")
    # By seat in both: whoever sat at 0 first sits at 3 next.
    known = json.loads(processes)
    ((other,),) = damaged.execute("SELECT processes FROM matches WHERE number = 4 AND turn = 1")
    again = [*json.loads(other)[:3], known[0]]
    damaged.execute(
        "UPDATE matches SET processes = ? WHERE number = 4 AND turn = 1", json.dumps(again)
    )
    lines = found(league)
    (line,) = lines
    assert line.startswith(f"set 4: process {known[0]} of ")
    assert line.endswith(" played 2 of it")


def test_a_process_of_who_dials_in_may_play_a_whole_set(league: Path) -> None:
    """Nobody here could start it afresh."""
    damaged = Damaged(league)
    damaged.execute("UPDATE matches SET processes = '[1, 1, 1, 1]' WHERE number = 4")
    with Reader.read(league / DATABASE) as store:
        names = store.sets()[3].planned.line_up
    assert {*found(league)} == {f"set 4: process 1 of {name} played 4 of it" for name in names}
    for name in names:
        damaged.execute("UPDATE entrants SET content = ? WHERE name = ?", UNKNOWN_CONTENT, name)
        damaged.event("entrant", {"content": UNKNOWN_CONTENT}, name=name)
    copied_anew(league)
    assert run("verify", str(league))[0] == 0


def test_a_process_too_few_is_found(league: Path) -> None:
    Damaged(league).execute("UPDATE matches SET processes = '[1, 2, 3]' WHERE number = 3")
    lines = found(league)
    for turn in range(1, 5):
        assert f"3.{turn}: 3 processes are named for 4 seats" in lines


def test_a_process_that_only_came_has_seen_no_cards(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(bots=("fox", "owl", "crow", "hare"), absent=("hare",), sets=1))
    Damaged(league).execute("UPDATE matches SET processes = '[1, 1, 1, 1]'")
    copied_anew(league)
    assert run("verify", str(league))[0] == 0


def test_changed_events_are_found(league: Path) -> None:
    damaged = Damaged(league)
    number = damaged.event("match", {"scores": [9, 9, 9, 9]}, set=3, turn=1)
    assert found(league) == [f"event {number}: its scores is not what is kept of 3.2"]
    damaged.event("match", {"set": 77}, set=3, turn=1)
    lines = found(league)
    assert "3.2: no 'match' event tells it" in lines
    assert f"event {number}: tells a 'match' of 77.2 that is not kept" in lines
    number = damaged.event("set", {"set": 78}, set=3)
    lines = found(league)
    assert "set 3: no 'set' event tells it" in lines
    assert f"event {number}: tells a 'set' of set 78 that is not kept" in lines
    number = damaged.event("void", {"set": 79}, set=2)
    assert f"event {number}: tells a 'void' of set 79 that is not kept" in found(league)


@pytest.mark.parametrize("name", ["nonce", "match", "faults", "decisions"])
def test_a_changed_detail_of_a_set_event_is_found(league: Path, name: str) -> None:
    with Reader.read(league / DATABASE) as store:
        event = next(event for _, event in store.events() if event["event"] == "set")
    matches = [dict(each) for each in event["matches"]]
    matches[2][name] = "another"
    damaged = Damaged(league)
    number = damaged.event("set", {"matches": matches}, set=event["set"])
    where = f"event {number}: its {name} of match 3 is not what is kept of set {event['set']}"
    assert found(league) == [where]
    others: tuple[object, ...] = ([], 7, None)
    for other in others:
        damaged.event("set", {"matches": other}, set=event["set"])
        assert found(league) == [
            f"event {number}: its list of matches is not what is kept of set {event['set']}"
        ]


def test_events_left_out_doubled_or_broken_are_found(league: Path) -> None:
    damaged = Damaged(league)
    ((first, last),) = damaged.execute("SELECT min(number), max(number) FROM events")
    assert first == 1
    ((body,),) = damaged.execute("SELECT body FROM events WHERE number = ?", last - 5)
    event = json.loads(body)
    damaged.execute("INSERT INTO events VALUES (?, ?)", last + 1, body)
    lines = found(league)
    assert any(line.startswith(f"event {last + 1}: ") for line in lines), event
    damaged.execute("DELETE FROM events WHERE number = ?", last + 1)
    damaged.execute("UPDATE events SET body = '{' WHERE number = ?", last - 5)
    assert any(line.startswith(f"event {last - 5}: cannot be read: ") for line in found(league))
    damaged.execute("DELETE FROM events WHERE number = ?", last - 5)
    assert f"events: after event {last - 6} comes event {last - 4}" in found(league)
    damaged.execute("UPDATE events SET body = ? WHERE number = 2", '{"event": "party"}')
    assert "event 2: there is no event 'party'" in found(league)
    damaged.execute("DELETE FROM events")
    lines = found(league)
    assert "events: there are none" in lines
    assert "events: no 'league' event tells the settings" in lines


def test_a_bot_that_was_benched_by_nobody_is_found(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=8, illegal=("hare",)))
    with Reader.read(league / DATABASE) as store:
        benched = next(event for _, event in store.events() if event["event"] == "benched")
    Damaged(league).event("benched", {"name": "owl"})
    since = benched["set"]
    assert found(league)[:2] == [
        f"hare: benched since set {since}, by the events never",
        f"owl: benched never, by the events since set {since}",
    ]


def test_another_key_or_other_settings_are_found(league: Path) -> None:
    damaged = Damaged(league)
    damaged.settings(bank_ms=7, seed="7")
    lines = found(league)
    assert "settings: the key is not that of the seed in the league's file" in lines
    assert "event 1: its bank_ms is not the league's" in lines
    assert "event 1: its are_deals_predictable is not the league's" in lines
    damaged.settings(bank_ms=10_000, seed=None)
    other_secrets(league, Secrets(b"x" * 32, LOTS))
    assert "1.1: it was not dealt from the seed of its set" in found(league)
    other_secrets(league, Secrets(b"x", LOTS))
    assert "settings: key and lots are not 32 bytes each" in found(league)
    other_secrets(league, Secrets(KEY, b"y" * 32))
    assert any("drawn again it is" in line for line in found(league))
    damaged.execute("DELETE FROM facts")
    assert found(league) == ["settings: cannot be read: there are none"]


def other_secrets(league: Path, secrets: Secrets) -> None:
    """Have the league say that these are its secrets."""
    write_secrets(league / DATABASE, secrets)
    digest = "UPDATE facts SET value = ? WHERE name = 'secrets'"
    Damaged(league).execute(digest, secrets.digest)


def test_secrets_that_are_gone_damaged_or_of_another_league_are_told(league: Path) -> None:
    file = league / SECRETS
    write_secrets(league / DATABASE, Secrets(b"x" * 32, LOTS))
    assert found(league) == [
        f"settings: cannot be read: {file}: these are the secrets of another league than"
        " league.db; bring back the file that belongs to it"
    ]
    for text in ("key = 7", "nonsense", 'key = "xyz"', "\xff"):
        file.write_text(text, "latin-1")
        (line,) = found(league)
        assert line == (
            f"settings: cannot be read: {file} is damaged: bring back the last copy of it"
        )
    file.unlink()
    (line,) = found(league)
    assert line.startswith(f"settings: cannot be read: {file} is gone, and without it no deal")


def test_an_entrant_with_another_content_is_found(league: Path) -> None:
    Damaged(league).execute("UPDATE entrants SET content = 'another' WHERE name = 'owl'")
    assert found(league) == ["events: the entrants that they tell are not those of the league"]


def test_damaged_evidence_is_found(tmp_path: Path) -> None:
    league, number, turn = with_forfeits(tmp_path)
    damaged, place = Damaged(league), f"{number}.{turn + 1}"
    damaged.flip("evidence", "data", 0, number=number, turn=turn, fault=1)
    lines = found(league)
    assert any(line.startswith(f"{place}, evidence 2: cannot be read") for line in lines)
    damaged.execute(
        "DELETE FROM evidence WHERE number = ? AND turn = ? AND fault = 1", number, turn
    )
    assert f"{place}: its evidence is not that of its faults" in found(league)


def test_evidence_that_names_another_move_than_was_played_is_found(tmp_path: Path) -> None:
    league, number, turn = with_forfeits(tmp_path)
    damaged, where = Damaged(league), "number = ? AND turn = ? AND fault = 0"
    ((data,),) = damaged.execute(f"SELECT data FROM evidence WHERE {where}", number, turn)
    kept = msgspec.msgpack.decode(data, type=Evidence)
    assert kept.played
    damage = msgspec.msgpack.encode(changed(kept, played="R99"))
    damaged.execute(f"UPDATE evidence SET data = ? WHERE {where}", damage, number, turn)
    place = f"{number}.{turn + 1}"
    assert found(league) == [f"{place}: its evidence says 'R99' was played, its move not"]


def test_a_damaged_file_is_told_and_what_can_be_read_is_looked_at(league: Path) -> None:
    file = league / DATABASE
    data = bytearray(file.read_bytes())
    # At the ends of pages, which SQLite fills first.
    for at in range(4096 * 3 - 100, len(data), 4096 * 2):
        data[at : at + 50] = b"\xff" * 50
    file.write_bytes(data)
    assert found(league)
    file.write_bytes(data[: len(data) // 2])
    assert found(league)
    file.write_bytes(data[:1000])
    assert found(league)


def test_no_damage_of_any_page_makes_it_crash(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=1))
    Damaged(league).execute("SELECT 1")
    file = league / DATABASE
    whole = file.read_bytes()
    for at in range(0, len(whole), 4999):
        data = bytearray(whole)
        data[at : at + 4] = b"\xff\x00\xff\x00"
        file.write_bytes(data)
        code, output = run("verify", str(league))
        assert code in (0, 1)
        assert code == 1 or output.startswith("all fits: ")
        assert "Traceback" not in output


def test_a_published_table_that_the_matches_do_not_give_is_found(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=3))
    Publisher(league, league / "public").publish()
    assert run("verify", str(league))[0] == 0
    file = league / "public" / "standings.json"
    found_there = json.loads(file.read_text())
    found_there["rows"][0]["elo"] += 1
    file.write_text(json.dumps(found_there))
    (line,) = found(league)
    assert line == f"{file}: is not the table that the matches give; publish it again"


def test_nothing_of_an_unfinished_set_is_told(league: Path) -> None:
    damaged = Damaged(league)
    damaged.record(6, 0, lambda record: {"moves": record.moves[:3], "scores": (1, 2, 3, 4)})
    for line in found(league):
        assert line.endswith("its scores is not what is kept of 6.1")


def test_a_league_that_is_played_on_meanwhile_is_checked_as_it_was(tmp_path: Path) -> None:
    kind = Honest(sets=4)
    league = honest(tmp_path, kind)
    with Store.open(league / DATABASE) as store:
        settings = Settings.from_json(store.settings)
        more = schedule(
            [(name, name) for name in kind.bots],
            seats=4,
            sets=6,
            lots=LOTS,
            already=[state.planned for state in store.sets()],
        )
        entering = Entering(store, kind, more)

        def play_on(done: int, of: int) -> None:
            if done == 2:
                longer = replace(settings, sets=6)
                store.change_settings(longer.to_json(), [events.league(longer)])
                store.add_sets(more, [events.schedule(6)])
                for one in more:
                    entering.set(one)

        report = audit(league, play_on)
    assert [*map(str, report.findings.all)] == []
    assert (report.sets, audit(league, tell_nobody).sets) == (4, 6)


def test_a_set_that_is_finished_meanwhile_is_checked_as_it_was(tmp_path: Path) -> None:
    kind = Honest(sets=4, unfinished=2)
    league = honest(tmp_path, kind)

    def finish(done: int, of: int) -> None:
        if done == 2:
            with Store.open(league / DATABASE) as store:
                planned = store.sets()[4].planned
                matches = [match(kind, planned, turn, 0) for turn in range(4)]
                whole = PlayedSet(planned.number, 0, tuple(matches))
                for played, told in ((matches[2], []), (matches[3], [events.complete(whole)])):
                    happened = [events.match(played), *told]
                    store.enter(played, completes=bool(told), voids=False, events=happened)

    report = audit(league, finish)
    assert [*map(str, report.findings.all)] == []
    assert (report.sets, report.hidden) == (4, 2)
    after = audit(league, tell_nobody)
    assert [*map(str, after.findings.all)] == []
    assert (after.sets, after.hidden) == (5, 0)


def test_an_error_without_words_is_told_by_its_kind() -> None:
    findings = Misfits()
    with findings.guard("here"):
        raise KeyError
    with findings.guard("there"):
        raise ValueError("there: it is damaged")
    assert [*map(str, findings.all)] == [
        "here: cannot be read: KeyError",
        "there: cannot be read: it is damaged",
    ]


def test_damage_in_one_set_does_not_hide_that_in_another(league: Path) -> None:
    damaged = Damaged(league)
    damaged.flip("matches", "record", 0, number=1, turn=0)
    damaged.record(4, 3, lambda record: {"scores": (1, 2, 3, 4)})
    lines = found(league)
    assert any(line.startswith("1.1: cannot be read: ") for line in lines)
    assert any(line.startswith("4.4: ") for line in lines)


def test_a_table_that_events_do_not_give_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second count has to differ when the first is wrong."""
    league = honest(tmp_path, Honest(sets=4))

    honestly = LiveTable.standings

    def altered(live: LiveTable, reader: Reader, **how: bool) -> object:
        standings = honestly(live, reader, **how)
        first, second, *others = standings.rows
        rating = first.rating
        wrong = replace(rating, elo=rating.elo + 5, games=rating.games + 1)
        first = replace(first, rating=wrong, forfeits=3)
        return replace(standings, rows=(first, second, *others))

    monkeypatch.setattr(LiveTable, "standings", altered)
    findings = [str(finding) for finding in audit(league, tell_nobody).findings.all]
    assert any("its number of matches is " in each for each in findings)
    assert any("its forfeits is 3, counted again 0" in each for each in findings)
    assert any("its Elo expects " in each for each in findings)


def test_a_league_played_otherwise_than_any_runner_would_is_found_out(tmp_path: Path) -> None:
    simulate(tmp_path / "cup.arena", Simulated(sets=3, illegal=("hare",)), 3).close()
    lines = found(tmp_path / "cup.arena")
    assert "events: there are none" in lines
    assert "settings: the key is not that of the seed in the league's file" in lines
    assert any("the lot of its seed is" in line for line in lines)


@pytest.mark.slow
def test_what_a_runner_made_of_real_bots_fits(tmp_path: Path) -> None:
    bots = {
        **{name: f"steady.py {name}" for name in ("fox", "owl", "crow")},
        "absent": "crashes_at_start.py",
        "crasher": "crashes.py",
        "hanger": "never_answers.py",
        "cheat": "wrong_field.py action R99 1000000",
    }
    clock = "[clock]\ndecision_ms = 50\nbank_ms = 100\nhang_ms = 200\nstart_ms = 5000\n"
    real = RealLeague(tmp_path, bots, sets=30, tables=clock)
    real.run()
    code, output = run("verify", str(real.home))
    assert code == 0, output
    _, told = run("matches", str(real.home), "--fault", "--json")
    kinds = {fault["kind"] for each in json.loads(told)["matches"] for fault in each["faults"]}
    assert kinds >= {"illegal", "gone", "late", "never-started"}


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "UPDATE matches SET ended = 'now' WHERE number = 3 AND turn = 1",
            "complete.db, set 3: its matches are not those of the league",
        ),
        (
            "DELETE FROM matches WHERE number = 3 AND turn = 1",
            "complete.db, set 3: its matches are not those of the league",
        ),
        (
            "INSERT INTO matches SELECT 6, 0, turn, ended, stood, processes, record FROM matches"
            " WHERE number = 1 LIMIT 1",
            "complete.db, set 6: it shows matches of a set that is not complete",
        ),
        (
            "UPDATE sets SET is_complete = 1 WHERE number = 6",
            "complete.db, set 6: its progress is not the league's",
        ),
        (
            "UPDATE sets SET turns = '[3]' WHERE number = 6",
            "complete.db, set 6: its progress is not the league's",
        ),
        (
            "UPDATE sets SET voids = '[\"fox\"]' WHERE number = 2",
            "complete.db, set 2: its progress is not the league's",
        ),
        (
            "UPDATE sets SET line_up = '[\"owl\"]' WHERE number = 1",
            "complete.db, set 1: its line-up is not that of the schedule",
        ),
        (
            "DELETE FROM sets WHERE number = 6",
            "complete.db: its sets are not those of the schedule",
        ),
        (
            "UPDATE events SET body = '{}' WHERE number = 4",
            "complete.db, event 4: is not that of the league",
        ),
        (
            "INSERT INTO events SELECT max(number) + 1, '{}' FROM events",
            "complete.db, event 35: is not that of the league",
        ),
        (
            "DELETE FROM entrants WHERE name = 'owl'",
            "complete.db: its entrants are not the league's",
        ),
        (
            "UPDATE facts SET value = '{}' WHERE name = 'settings'",
            "complete.db: its settings are not the league's",
        ),
        (
            "UPDATE facts SET value = x'00' WHERE name = 'league'",
            "complete.db: is of another league",
        ),
    ],
)
def test_a_copy_for_readers_that_is_not_the_league_is_found(
    league: Path, statement: str, told: str
) -> None:
    copy = Damaged(league, COMPLETE_SETS)
    copy.execute(statement)
    assert found(league) == [told, "complete.db: is to be removed: `arena league` makes it anew"]


def test_a_copy_for_readers_that_is_behind_fits(league: Path) -> None:
    """As a runner leaves it that is killed between the two transactions."""
    copy = Damaged(league, COMPLETE_SETS)
    copy.execute("DELETE FROM events WHERE number > 30")
    copy.execute("DELETE FROM matches WHERE number > 3")
    copy.execute("UPDATE sets SET is_complete = 0, turns = '[0]' WHERE number > 3")
    copy.execute("DELETE FROM entrants WHERE name = 'cat'")
    copy.settings(name="The name before")
    code, output = run("verify", str(league))
    assert (code, output.startswith("all fits")) == (0, True), output


def test_a_complete_set_of_a_copy_that_is_behind_is_that_of_the_league(league: Path) -> None:
    copy = Damaged(league, COMPLETE_SETS)
    copy.execute("DELETE FROM events WHERE number > 30")
    copy.execute("UPDATE sets SET voids = '[\"fox\"]' WHERE number = 2")
    assert found(league) == [
        "complete.db, set 2: its progress is not the league's",
        "complete.db: is to be removed: `arena league` makes it anew",
    ]


def test_a_copy_for_readers_that_cannot_be_read_is_found(league: Path) -> None:
    file = league / COMPLETE_SETS
    file.write_bytes(b"not a database at all" * 100)
    (line,) = found(league)
    assert line.startswith(f"{file}: cannot be read: ")


def test_a_league_without_a_copy_for_readers_fits(league: Path) -> None:
    (league / COMPLETE_SETS).unlink()
    assert run("verify", str(league))[0] == 0
