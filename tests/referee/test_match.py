"""Matches over socket pairs, on a clock that jumps."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgpack
import pytest
import trio
from msgspec import UNSET
from trio.testing import MockClock

from arena.games import GAMES, State
from arena.record import FORMAT, VERSION, Move, Note, Record
from arena.record.replay import replay
from arena.record.timing import Timing
from arena.referee.match import LEAST_US, Match, Plan, Result
from arena.referee.replies import Broken, Chose, Failed, Lagged, Reply
from protocol.breach import Breach
from protocol.breaches import out_of_time
from protocol.messages import End, Fault, Start
from tests.referee.small_table import (
    Script,
    ScriptedBot,
    on_request,
    play_scripted,
    random_bot,
)

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


@pytest.mark.parametrize(("name", "seats"), TABLES)
async def test_a_match_is_played_to_its_end_and_its_record_replays(
    autojump_clock: MockClock, name: str, seats: int
) -> None:
    played, bots = await play_scripted([random_bot(seat) for seat in range(seats)], game=name)
    record = played.record
    assert len([*replay(record)]) == len(record.moves) + 1
    assert played.evidence == ()
    assert played.lag is None
    for seat, bot in enumerate(bots):
        assert [message["type"] for message in bot.seen[:2]] == ["welcome", "start"]
        assert [message["type"] for message in bot.seen[-2:]] == ["end", "bye"]
        (start,), (end,) = bot.of("start"), bot.of("end")
        assert (start["seat"], start["seats"], start["game"]) == (seat, seats, name)
        assert start["names"] == [f"seat {each}" for each in range(seats)]
        assert end["places"] == list(record.places)
        assert end["scores"] == list(record.scores)
        requests = bot.of("request")
        assert [request["id"] for request in requests] == [*range(1, len(requests) + 1)]
        assert len(requests) == sum(move.seat == seat for move in record.moves)


async def test_each_bot_is_asked_with_its_own_view_and_its_legal_actions(
    autojump_clock: MockClock,
) -> None:
    played, bots = await play_scripted([random_bot(seat) for seat in range(4)], game="nyet")
    asked = [[*bot.of("request")] for bot in bots]
    state = GAMES["nyet"].deal(4, b"scripted", {"rounds": 1})
    actions = GAMES["nyet"].actions
    for move in played.record.moves:
        request = asked[move.seat].pop(0)
        assert request["view"] == state.view(move.seat)
        assert request["legal"] == [actions.name(code) for code in state.legal(move.seat)]
        state.apply(move.seat, actions.code(move.action))


@pytest.mark.parametrize(("name", "seats"), TABLES)
async def test_the_end_shows_each_seat_what_it_sees_then_and_nothing_it_may_not_know(
    autojump_clock: MockClock, name: str, seats: int
) -> None:
    """Deal anew what is hidden from a seat: not a byte of the view changes [10.3-1]."""
    played, bots = await play_scripted([random_bot(seat) for seat in range(seats)], game=name)
    *_, (_, _, state) = replay(played.record)
    assert state.outcome() is not None
    rng = random.Random(f"{name} {seats}")
    for seat, bot in enumerate(bots):
        (end,) = bot.of("end")
        assert end["view"] == state.view(seat)
        anew = GAMES[name].redeal(state, seat, rng)
        assert msgpack.packb(end["view"]) == msgpack.packb(anew.view(seat))


@pytest.mark.parametrize("name", ["nyet", "njet", "njet-it"])
async def test_who_is_not_last_to_play_sees_the_last_trick_in_the_end(
    autojump_clock: MockClock, name: str
) -> None:
    played, bots = await play_scripted([random_bot(seat) for seat in range(4)], game=name)
    last = [move.action for move in played.record.moves[-4:]]
    for bot in bots:
        before, end = bot.of("request")[-1]["view"], bot.of("end")[0]["view"]
        assert len(before["tricks"][-1]) < 4
        assert end["previous"]["last_trick"] == last


async def test_who_does_not_lay_the_last_card_sees_it_in_the_end(
    autojump_clock: MockClock,
) -> None:
    played, bots = await play_scripted([random_bot(1), random_bot(2)])
    last = next(move.action for move in reversed(played.record.moves) if move.action != "draw")
    assert {bot.of("end")[0]["view"]["discard"][-1] for bot in bots} == {last.rstrip("!")}


async def test_a_seat_that_was_forfeited_gets_its_own_view_in_the_end(
    autojump_clock: MockClock,
) -> None:
    timing = Timing(faults_to_forfeit=1)
    wrong = on_request(2, lambda bot, message: bot.answer("nonsense"))
    played, bots = await play_scripted([random_bot(), wrong, random_bot(2)], timing=timing)
    assert played.record.forfeits == (1,)
    *_, (_, _, state) = replay(played.record)
    assert bots[1].of("end")[0]["view"] == state.view(1)


def after(seconds: float, script: Script | None = None) -> Script:
    """Thinks for so long first."""
    usual = script or random_bot()

    async def act(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await trio.sleep(seconds)
        await usual(bot, message)

    return act


async def test_free_time_is_free_and_what_goes_beyond_it_is_taken_from_the_bank(
    autojump_clock: MockClock,
) -> None:
    slow = on_request(2, after(0.6), on_request(1, after(0.05)))
    _, bots = await play_scripted([slow, random_bot()], game="nyet")
    first, second, third = bots[0].of("request")[:3]
    assert first["time_us"] == 10_100_000
    assert first["charged_us"] == 0
    assert second["time_us"] == 10_100_000
    assert second["charged_us"] == 50_000
    assert third["time_us"] == 10_100_000 - 500_000
    assert third["charged_us"] == 600_000


async def test_an_answer_at_the_last_microsecond_counts_and_one_later_is_late(
    autojump_clock: MockClock,
) -> None:
    timing = Timing(decision_ms=100, bank_ms=400)
    just = on_request(1, after(0.5))
    played, _ = await play_scripted([just, random_bot()], timing=timing)
    assert played.evidence == ()
    later = on_request(1, after(0.500_001))
    played, _ = await play_scripted([later, random_bot()], timing=timing)
    assert [kept.code for kept in played.evidence] == ["out-of-time"]


async def test_who_is_late_is_played_for_from_the_seed_told_so_and_has_no_bank_left(
    autojump_clock: MockClock,
) -> None:
    played, bots = await play_scripted([on_request(1, after(10.15)), random_bot()])
    again, _ = await play_scripted([on_request(1, after(10.15)), random_bot()])
    assert played.record.moves == again.record.moves
    (fault,) = bots[0].of("fault")
    assert fault["kind"] == "late"
    (kept,) = played.evidence
    assert fault["played"] == played.record.moves[kept.move].action
    assert fault["id"] == 1
    assert fault["faults"] == 1
    assert fault["forfeit"] is False
    assert "played" in fault["text"]
    assert bots[0].of("request")[1]["time_us"] == 100_000
    (kept,) = played.evidence
    assert kept.legal == tuple(bots[0].of("request")[0]["legal"])
    assert kept.took_us >= 10_100_000
    assert bots[0].of("end")[0]["faults"] == ["out-of-time"]
    assert bots[1].of("end")[0]["faults"] == []


async def silent(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
    """Never answers."""


async def test_a_silence_is_one_late_and_in_the_end_gone(autojump_clock: MockClock) -> None:
    timing = Timing(hang_ms=1000)
    played, bots = await play_scripted([silent, random_bot()], game="nyet", timing=timing)
    codes = [kept.code for kept in played.evidence]
    assert codes[0] == "out-of-time"
    assert codes[-1] == "hung"
    assert {*codes[:-1]} == {"out-of-time"}
    assert [fault["faults"] for fault in bots[0].of("fault")][:-1] == [1] * (len(codes) - 1)
    assert played.record.forfeits == (0,)
    assert played.record.places == (2, 1)
    assert played.record.ending == "forfeit"
    assert bots[0].seen[-1]["type"] == "bye"
    assert bots[0].seen[-1]["reason"] == "hung"


async def test_the_third_fault_forfeits_the_seat_and_the_others_have_their_match(
    autojump_clock: MockClock,
) -> None:
    async def cheat(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            await trio.sleep(0.001)
            await bot.answer("R99")

    played, bots = await play_scripted(
        [random_bot(1), cheat, random_bot(2), random_bot(3)], game="nyet"
    )
    faults = bots[1].of("fault")
    assert [fault["code"] for fault in faults] == ["not-legal"] * 3
    assert [fault["forfeit"] for fault in faults] == [False, False, True]
    assert len(bots[1].of("request")) == 3
    assert played.record.forfeits == (1,)
    assert played.record.places[1] == 4
    assert sorted(played.record.places) != [1, 2, 3, 3]
    assert bots[1].of("end")[0]["forfeits"] == [1]
    # What it was asked took it some time to answer; what was played for it afterwards took none.
    times = [move.time_us for move in played.record.moves if move.seat == 1]
    assert times == [1_000] * 3 + [0] * (len(times) - 3)
    assert len(times) > 3
    assert len([*replay(played.record)]) == len(played.record.moves) + 1
    assert played.record.confinement == ""  # nobody has said how the bots were confined


async def test_a_connection_that_ends_is_gone_for_the_match(autojump_clock: MockClock) -> None:
    async def leave(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        bot.sock.close()

    played, _ = await play_scripted([random_bot(), on_request(2, leave), random_bot()], game="njet")
    (kept,) = played.evidence
    assert (kept.kind, kept.code, played.record.faults[-1].forfeit) == ("gone", "closed", True)
    assert played.record.places[1] == 3


async def test_of_who_was_gone_before_it_was_asked_the_request_is_kept_that_was_for_it(
    autojump_clock: MockClock,
) -> None:
    async def answer_and_leave(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await bot.answer(message["legal"][0])
        bot.sock.close()

    for number, leave in ((1, answer_and_leave), (2, closing)):
        played, bots = await play_scripted(
            [random_bot(), on_request(number, leave), random_bot()], game="njet"
        )
        (kept,) = played.evidence
        assert len(bots[1].of("request")) == number
        assert msgpack.unpackb(kept.request[4:])["id"] == 2


async def closing(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
    """Leaves instead of answering."""
    bot.sock.close()


@pytest.mark.parametrize(
    ("data", "kind", "code"),
    [
        (b"\x00\x00\x00\x01\xc1", "unreadable", "malformed"),
        (b"\x00\x00\x00\x01\x80", "unreadable", "unknown-type"),
        (b"Hello, world\n", "gone", "frame-too-long"),
    ],
)
async def test_rubbish_is_named_and_answered_for(
    autojump_clock: MockClock, data: bytes, kind: str, code: str
) -> None:
    async def rubbish(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        bot.end.action("rubbish")
        await bot.send(data)

    played, bots = await play_scripted([on_request(1, rubbish), random_bot()])
    (kept,) = played.evidence
    assert (kept.kind, kept.code) == (kind, code)
    (fault,) = bots[0].of("fault")
    assert (fault["code"], fault["id"]) == (code, 1)
    if kind == "gone":
        assert bots[0].seen[-1]["reason"] == code
    else:
        assert kept.reply == data[4:]
        assert kept.request[4:5] != b""


async def test_half_a_frame_and_then_nothing_is_unfinished(autojump_clock: MockClock) -> None:
    async def half(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        bot.end.action("never sent")
        await bot.send(b"\0\0\0\x20\x80")

    timing = Timing(decision_ms=100, bank_ms=0, hang_ms=1000)
    played, _ = await play_scripted(
        [on_request(1, half, silent), random_bot()], timing=timing, game="nyet"
    )
    assert [kept.code for kept in played.evidence][-1] == "frame-unfinished"
    assert played.record.forfeits == (0,)


async def test_an_early_answer_is_out_of_turn_and_the_real_one_still_counts(
    autojump_clock: MockClock,
) -> None:
    async def eager(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        action = message["legal"][0]
        good = bot.end.action(action)
        bot.end.pretend_to_be_asked(message["match"], message["id"] + 1)
        await bot.send(good + bot.end.action(action))

    played, bots = await play_scripted([on_request(1, eager), random_bot()])
    (fault,) = bots[0].of("fault")
    assert (fault["kind"], fault["code"]) == ("out-of-turn", "nothing-asked")
    assert (fault["id"], fault["played"]) == (None, None)
    assert fault["faults"] == 1
    assert played.record.forfeits == ()


async def test_an_answer_that_came_with_something_else_has_taken_its_time_too(
    autojump_clock: MockClock,
) -> None:
    async def slow_and_eager(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await trio.sleep(0.3)
        action = message["legal"][0]
        good = bot.end.action(action, "with a note")
        bot.end.pretend_to_be_asked(message["match"], message["id"] + 1)
        await bot.send(good + bot.end.action(action))

    played, bots = await play_scripted([on_request(1, slow_and_eager), random_bot()])
    assert [kept.code for kept in played.evidence] == ["nothing-asked"]
    second = bots[0].of("request")[1]
    assert (second["charged_us"], second["time_us"]) == (300_000, 10_100_000 - 200_000)
    assert [note.text for note in played.record.notes] == ["with a note"]


async def test_what_is_not_legal_has_taken_its_time_too(autojump_clock: MockClock) -> None:
    async def slow_cheat(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await trio.sleep(0.3)
        await bot.answer("R99")

    played, bots = await play_scripted([on_request(1, slow_cheat), random_bot()])
    assert [kept.code for kept in played.evidence] == ["not-legal"]
    second = bots[0].of("request")[1]
    assert (second["charged_us"], second["time_us"]) == (300_000, 10_100_000 - 200_000)


@pytest.mark.parametrize(
    ("game", "number", "action", "came"),
    [
        (
            "njet-it",
            1,
            "R5",
            'you played "R5", but the tokens are being placed (SPEC 11.3.2)',
        ),
        (
            "nope",
            1,
            "draw",
            'you played "draw", but you hold a set for the demand of 3 cards showing green or '
            "blue, all the same, and must lay (SPEC 12.4)",
        ),
        ("nope", 1, "R99", 'you played "R99", but nope has no such action'),
        ("nope", 1, "", 'you played "", but nope has no such action'),
    ],
)
async def test_an_illegal_action_is_told_the_rule_it_broke(
    autojump_clock: MockClock, game: str, number: int, action: str, came: str
) -> None:
    """The bot reads it, and so does whoever looks at the evidence or the record."""

    async def cheat(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await bot.answer(action)

    seats = GAMES[game].seats[0]
    played, bots = await play_scripted(
        [on_request(number, cheat)] + [random_bot()] * (seats - 1), game=game
    )
    (fault,) = bots[0].of("fault")
    (kept,) = played.evidence
    assert fault["came"] == kept.came == came
    assert came in fault["text"]
    assert played.record.faults[0].text == fault["text"]


async def test_a_late_answer_is_stale_and_no_fault(autojump_clock: MockClock) -> None:
    timing = Timing(decision_ms=100, bank_ms=0)

    async def late(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        request = dict(message)
        await trio.sleep(0.15)
        while bot.end.asked is not None:
            await bot.receive()
        bot.end.pretend_to_be_asked(request["match"], request["id"])
        await bot.answer(request["legal"][0])

    played, _ = await play_scripted([on_request(1, late), random_bot()], timing=timing)
    assert [kept.code for kept in played.evidence] == ["out-of-time"]


async def test_a_bot_that_never_reads_holds_up_nobody(autojump_clock: MockClock) -> None:
    async def deaf(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await trio.sleep_forever()

    timing = Timing(decision_ms=10, bank_ms=0, hang_ms=60_000)
    played, _ = await play_scripted([deaf, random_bot()], timing=timing, game="nyet", options={})
    assert played.record.ending == "rounds"
    assert {kept.code for kept in played.evidence} == {"out-of-time"}
    assert played.record.forfeits == ()


async def test_notes_are_kept_with_their_move(autojump_clock: MockClock) -> None:
    async def noting(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        await bot.answer(message["legal"][0], "why not")

    played, _ = await play_scripted([on_request(2, noting), random_bot()])
    (note,) = played.record.notes
    assert note.text == "why not"
    assert played.record.moves[note.move].seat == 0


async def test_the_same_seed_and_bots_give_the_same_record(autojump_clock: MockClock) -> None:
    first, _ = await play_scripted([random_bot(1), on_request(3, after(20)), random_bot(2)])
    second, _ = await play_scripted([random_bot(1), on_request(3, after(20)), random_bot(2)])
    assert first.record == second.record


async def test_an_answer_that_took_no_time_is_told_from_what_was_played_for_a_seat(
    autojump_clock: MockClock,
) -> None:
    """In a record 0 is for what nobody was asked, and counts of decisions leave it out."""
    played, _ = await play_scripted([random_bot(), random_bot()], game="nyet", options={})
    assert LEAST_US == 1
    assert {move.time_us for move in played.record.moves} == {LEAST_US}


async def test_everyone_forfeited_but_one_ends_the_match(autojump_clock: MockClock) -> None:
    async def leave(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        bot.sock.close()

    played, bots = await play_scripted(
        [on_request(1, leave), random_bot(), on_request(1, leave)], game="njet"
    )
    assert sorted(played.record.forfeits) == [0, 2]
    assert played.record.places == (2, 1, 2)
    assert played.record.ending == "forfeit"
    assert bots[1].of("end")[0]["ending"] == "forfeit"


async def test_a_seat_that_is_out_of_the_game_may_go_and_keeps_its_place(
    autojump_clock: MockClock,
) -> None:
    """NOPE!: who has no cards left is asked nothing more; its place is earned."""

    async def leave_when_out(bot: ScriptedBot, message: Mapping[str, Any]) -> None:
        if message["type"] == "request":
            action = next((each for each in message["legal"] if each != "draw"), "draw")
            await bot.answer(action)
            if action != "draw" and len(message["view"]["hand"]) == 1:
                bot.sock.close()

    played, bots = await play_scripted(
        [leave_when_out, random_bot(1), random_bot(2)],
        options={"hand": [1, 9, 9]},
        seed=b"it lays its last card",
    )
    record = played.record
    its_last = max(number for number, move in enumerate(record.moves) if move.seat == 0)
    assert its_last < len(record.moves) - 10
    assert bots[0].of("end") == []  # it has gone
    assert (record.forfeits, played.evidence) == ((), ())
    assert (record.places[0], record.ending) == (3, "last")


class AtOnce:
    """A seat with no link: its replies are there at once, and what it is told is kept."""

    last_id = 1
    was_late_before = False
    second_answers = 0

    def __init__(self, *replies: Reply | Exception) -> None:
        self.replies = [*replies]
        self.asides: tuple[Breach, ...] = ()
        self.told: list[Start | Fault | End] = []
        self.hung_up = ""
        self.begun_with: int | None = None  # faults that forfeit

    def begin(self, faults_to_forfeit: int) -> None:
        """Nothing came before."""
        assert not self.told
        self.begun_with = faults_to_forfeit

    def hang_up(self, reason: str, detail: str = "") -> None:
        self.hung_up = reason

    def take_asides(self) -> Sequence[Breach]:
        return ()

    def tell(self, message: Start | Fault | End) -> None:
        self.told.append(message)

    def ask(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        allowed_us: int,
        charged_us: int,
        hang_us: int,
    ) -> Reply:
        reply = self.replies.pop(0) if self.replies else Chose(legal[0], 1, "")
        if isinstance(reply, Exception):
            raise reply
        return reply


def played_at_once(*seats: AtOnce, **said: Any) -> Result:
    names = tuple(f"seat {number}" for number in range(len(seats)))
    plan = Plan(
        "m-1",
        "nyet",
        len(seats),
        b"seed",
        names,
        {"rounds": 1},
        **said,
    )
    with pytest.raises(StopIteration) as over:
        next(Match(plan, seats, None).steps())
    assert isinstance(over.value.value, Result)
    return over.value.value


LAGGED = Lagged(200_000, 60_000, Failed(out_of_time(200_000, 100_000), 200_000, b""))


def test_a_match_of_seats_that_reply_at_once_is_played_in_one_step() -> None:
    played = played_at_once(AtOnce(), AtOnce())
    assert played.record.ending == "rounds"
    assert len([*replay(played.record)]) == len(played.record.moves) + 1


def test_a_match_is_void_where_nobody_can_say_who_was_late() -> None:
    seats = AtOnce(Chose("first:0", 1, "")), AtOnce(LAGGED), AtOnce()
    played = played_at_once(*seats)
    assert played.lag is LAGGED
    assert not played.stood
    assert played.record.ending == "void"
    assert played.record.annulled == 1
    assert played.evidence == ()
    assert [type(message) for message in seats[1].told] == [Start, End]
    for seat, told in enumerate(seats):
        end = told.told[-1]
        assert isinstance(end, End)
        assert end.view is not UNSET
        assert (end.view["seat"], end.view["phase"]) == (seat, "tokens")  # as it was called off


def test_where_no_match_may_be_void_any_more_the_ruling_stands_and_it_is_said_so() -> None:
    seats = AtOnce(), AtOnce(LAGGED), AtOnce()
    played = played_at_once(*seats, may_void=False)
    assert played.lag is None
    assert played.stood
    assert played.record.ending == "rounds"
    assert [(kept.seat, kept.code) for kept in played.evidence] == [(1, "out-of-time")]
    assert [type(message) for message in seats[1].told] == [Start, Fault, End]


def test_a_bug_of_ours_is_a_reply_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    error = RuntimeError("a bug")
    seats = AtOnce(), AtOnce(error)
    played = played_at_once(*seats, may_void=False)
    assert played.lag == Broken(error)
    assert played.record.ending == "void"
    assert seats[1].hung_up == "server-error"
    assert "a bug in arena" in caplog.text
    end = seats[0].told[-1]
    assert isinstance(end, End)
    assert end.view is UNSET  # it may have been the view that failed


class SpeaksOutOfTurn(AtOnce):
    """A seat whose first answers, each of them good, took these times and came with an aside."""

    def __init__(self, *times_us: int) -> None:
        super().__init__()
        self.times_us = [*times_us]

    def ask(self, match: str, view: Any, legal: Sequence[str], *times: int) -> Reply:
        if not self.times_us:
            return super().ask(match, view, legal, *times)
        self.asides = (ASIDE,)
        took_us = self.times_us.pop(0)
        return Chose(legal[0], took_us, f"after {took_us}")

    def take_asides(self) -> Sequence[Breach]:
        asides, self.asides = self.asides, ()
        return asides


ASIDE = Breach("nothing-asked", "an answer to nothing", "silence")


def test_a_good_answer_counts_in_its_time_whatever_else_the_bot_said() -> None:
    noisy = SpeaksOutOfTurn(0, 70)
    played = played_at_once(noisy, AtOnce())
    mine = [(number, move) for number, move in enumerate(played.record.moves) if move.seat == 0]
    assert [move.time_us for _, move in mine[:3]] == [LEAST_US, 70, 1]
    assert [*played.record.notes] == [
        Note(mine[0][0], "after 0"),
        Note(mine[1][0], "after 70"),
    ]
    faults = [message for message in noisy.told if isinstance(message, Fault)]
    assert [(fault.id, fault.played, fault.forfeit) for fault in faults] == [
        (None, None, False)
    ] * 2
    kept = [(each.seat, each.kind, each.played, each.allowed_us) for each in played.evidence]
    assert kept == [(0, "out-of-turn", "", 0)] * 2


def test_the_aside_that_forfeits_a_seat_has_its_answer_replaced() -> None:
    noisy = SpeaksOutOfTurn(5, 6, 7)
    played = played_at_once(noisy, AtOnce(), AtOnce())
    record = played.record
    assert record.forfeits == (0,)
    mine = [number for number, move in enumerate(record.moves) if move.seat == 0]
    assert [record.moves[number].time_us for number in mine[:4]] == [5, 6, 7, 0]
    assert [note.move for note in record.notes] == mine[:2]
    assert [fault.forfeit for fault in record.faults] == [False, False, True]
    assert [fault.move for fault in record.faults] == mine[:3]


async def test_a_watcher_sees_each_move_and_the_state_after_it(autojump_clock: MockClock) -> None:
    watched: list[tuple[int, Move]] = []
    views: list[Mapping[str, Any]] = []

    def watch(number: int, move: Move, state: State) -> None:
        watched.append((number, move))
        views.append(state.view(None))

    played, _ = await play_scripted([random_bot(), random_bot()], game="nyet", watch=watch)
    assert watched == [*enumerate(played.record.moves)]
    assert views == [step.state.view(None) for step in replay(played.record)][1:]


async def test_bots_are_told_each_others_names_where_a_league_shows_them(
    autojump_clock: MockClock,
) -> None:
    seats = AtOnce(), AtOnce()
    played_at_once(*seats, shown_names=("fox", "owl"))
    for seat in seats:
        start = seat.told[0]
        assert isinstance(start, Start)
        assert start.names == ("fox", "owl")


def test_the_record_has_all_that_the_match_was_planned_with() -> None:
    plan = Plan(
        "m-7",
        "nyet",
        2,
        b"seed",
        ("fox", "owl"),
        {"rounds": 1},
        nonce=b"n" * 32,
        confinement="landlock",
    )
    with pytest.raises(StopIteration) as over:
        next(Match(plan, (AtOnce(), AtOnce()), None).steps())
    record = over.value.value.record
    *_, (_, _, state) = replay(record)
    outcome = state.outcome()
    assert outcome is not None
    assert record == Record(
        format=FORMAT,
        version=VERSION,
        game="nyet",
        seats=2,
        options={"rounds": 1},
        seed=b"seed".hex(),
        names=("fox", "owl"),
        moves=record.moves,
        scores=outcome.scores,
        places=outcome.places,
        ending="rounds",
        match="m-7",
        nonce=(b"n" * 32).hex(),
        confinement="landlock",
    )


def test_the_evidence_of_a_late_answer_has_what_was_asked_and_what_was_played_for_it() -> None:
    late = Failed(out_of_time(200_000, 100_000), 200_000, b"a reply")
    seats = AtOnce(), AtOnce(late)
    played = played_at_once(*seats)
    (kept,) = played.evidence
    (fault,) = played.record.faults
    move = played.record.moves[kept.move]
    assert seats[1].begun_with == Timing().faults_to_forfeit
    assert (kept.seat, kept.kind, kept.code) == (1, "late", "out-of-time")
    assert (kept.move, kept.text) == (fault.move, fault.text)
    assert (move.seat, move.action) == (1, kept.played)
    assert kept.played in kept.legal
    assert (kept.came, kept.expected) == (late.breach.came, late.breach.expected)
    assert (kept.took_us, kept.allowed_us) == (200_000, 10_100_000)
    assert kept.reply == b"a reply"
