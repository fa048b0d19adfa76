"""One contract for all games, run on every rule set, size and a sweep of options."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import msgpack
import pytest

from arena.games import GAMES, BadView, RefusedAction, State
from arena.games.interface import Game
from tests.games.insides import aside, cards, deck, hide_anew, tables

MAX_VIEW_BYTES = 4096
CASES = [
    pytest.param(name, seats, options, id=f"{name}-{seats}-{number}")
    for number, (name, seats, options) in enumerate(tables())
]
every_table = pytest.mark.parametrize(("name", "seats", "options"), CASES)
ONE_OF_EACH_SIZE = [
    pytest.param(name, seats, options, id=f"{name}-{seats}")
    for name, seats, options in {(n, s): (n, s, o) for n, s, o in reversed([*tables()])}.values()
]
every_size = pytest.mark.parametrize(("name", "seats", "options"), ONE_OF_EACH_SIZE)


def seed_of(number: int) -> bytes:
    return number.to_bytes(2, "big")


def packed(state: State, seat: int | None) -> bytes:
    return bytes(msgpack.packb(state.view(seat)))


def everything(state: State, seats: int) -> tuple[object, ...]:
    """All that can be asked of a state."""
    return (
        state.to_act(),
        tuple(tuple(state.legal(seat)) for seat in range(seats)),
        tuple(packed(state, seat) for seat in (*range(seats), None)),
        state.outcome(),
        cards(state),
    )


def line_of_play(
    game: Game, seats: int, options: Mapping[str, object], seed: bytes, rng: random.Random
) -> Iterator[State]:
    """A match of random legal play, a state at a time; the states are one object."""
    state = game.deal(seats, seed, options)
    yield state
    while state.to_act():
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(list(state.legal(seat))))
        yield state


def some(states: Iterator[State], rng: random.Random, share: float) -> Iterator[State]:
    """A share of them, and the last."""
    last = None
    for state in states:
        last = state
        if rng.random() < share:
            yield state
    assert last is not None
    yield last


@every_table
def test_a_deal_depends_on_its_arguments_alone(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    game = GAMES[name]
    one, same, other = (game.deal(seats, seed, options) for seed in (b"a", b"a", b"b"))
    assert everything(one, seats) == everything(same, seats)
    assert everything(one, seats) != everything(other, seats)
    assert cards(one).total() + aside(one) == deck(one).total()


@pytest.mark.parametrize("seed", [b"", b"\0", bytes(32), b"x" * 1000])
def test_a_seed_is_bytes_of_any_length(seed: bytes) -> None:
    for game in GAMES.values():
        assert game.deal(game.seats[0], seed).to_act()
        with pytest.raises(TypeError, match="bytes"):
            game.deal(game.seats[0], "text")  # type: ignore[arg-type]  # is what is tested


@every_table
def test_a_match_keeps_the_contract_at_every_decision(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    """Who owes a decision has a legal list without repeats, in the fixed order [10.2-1]; nobody
    else has; cards are conserved; and a match ends within its bound, with an outcome only then."""
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options}")
    bound = game.bound(seats, options)
    for number in range(3):
        decisions = -1
        for state in line_of_play(game, seats, options, seed_of(number), rng):
            decisions += 1
            owing = state.to_act()
            assert list(owing) == sorted(set(owing))
            for seat in range(seats):
                legal = list(state.legal(seat))
                assert bool(legal) == (seat in owing)
                assert legal == sorted(set(legal))
                assert all(0 <= action < len(game.actions) for action in legal)
            assert (state.outcome() is None) == bool(owing)
            assert cards(state) <= deck(state)
            assert cards(state).total() + aside(state) == deck(state).total()
        assert decisions <= bound
        outcome = state.outcome()
        assert outcome is not None
        assert len(outcome.scores) == len(outcome.places) == seats
        assert outcome.ending in game.endings
        assert sorted(outcome.places)[0] == 1
        for place in outcome.places:
            # As many are before it as its number says.
            assert sum(other < place for other in outcome.places) == place - 1


@every_table
def test_apply_takes_exactly_what_legal_lists_and_refuses_all_else_unchanged(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} refusals")
    strange: list[object] = [-1, -256, len(game.actions), 10**9, None, "R2", 1.5, b"\1", ()]
    for state in some(line_of_play(game, seats, options, b"refuse", rng), rng, 0.04):
        before = everything(state, seats)
        for seat in range(seats):
            legal = {*state.legal(seat)}
            for action in range(len(game.actions)):
                if action in legal:
                    state.copy().apply(seat, action)
                else:
                    with pytest.raises(RefusedAction):
                        state.apply(seat, action)
            for wrong in strange:
                with pytest.raises(RefusedAction):
                    state.apply(seat, wrong)  # type: ignore[arg-type]  # is what is tested
        for nobody in (-1, seats, None, "0", 0.5):
            with pytest.raises(RefusedAction):
                state.apply(nobody, 0)  # type: ignore[arg-type]  # is what is tested
            assert not state.legal(nobody)  # type: ignore[arg-type]  # is what is tested
        assert everything(state, seats) == before


@every_table
def test_a_copy_is_independent(name: str, seats: int, options: Mapping[str, object]) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} copies")
    for state in some(line_of_play(game, seats, options, b"copy", rng), rng, 0.05):
        before = everything(state, seats)
        twin = state.copy()
        assert everything(twin, seats) == before
        for _ in range(12):
            if twin.to_act():
                seat = twin.to_act()[0]
                twin.apply(seat, rng.choice(list(twin.legal(seat))))
        assert everything(state, seats) == before


@every_table
def test_simultaneous_choices_commute_and_stay_hidden_until_all_are_in(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} together")
    found = 0
    for number in range(12):
        for state in line_of_play(game, seats, options, seed_of(number), rng):
            owing = state.to_act()
            if len(owing) < 2:
                continue
            found += 1
            choices: list[tuple[int, int]] = []
            probe = state.copy()
            shown = {seat: packed(state, seat) for seat in (*range(seats), None)}
            while len(probe.to_act()) > 1 or probe.to_act() == owing:
                seat = rng.choice(probe.to_act())
                action = rng.choice(list(probe.legal(seat)))
                probe.apply(seat, action)
                choices.append((seat, action))
                shown[seat] = packed(probe, seat)
                if probe.to_act() and probe.to_act() != owing[:1] and {*probe.to_act()} < {*owing}:
                    for other in (*range(seats), None):
                        assert packed(probe, other) == shown[other]
            backwards = state.copy()
            # Each seat's own choices keep their order; the seats take turns the other way.
            for seat in reversed(owing):
                for chooser, action in choices:
                    if chooser == seat:
                        backwards.apply(seat, action)
            assert everything(backwards, seats) == everything(probe, seats)
            break
    assert found or name == "nope"


@every_table
def test_no_view_holds_anything_its_seat_cannot_know(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    """Deal anew what is hidden from a seat: not a byte of its view changes [10.3-1]."""
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} hidden")
    different = 0
    for number in range(3):
        for state in some(line_of_play(game, seats, options, seed_of(number), rng), rng, 0.1):
            for seat in (*range(seats), None):
                anew = hide_anew(state, seat, rng)
                assert packed(anew, seat) == packed(state, seat)
                different += any(
                    packed(anew, other) != packed(state, other) for other in range(seats)
                )
    assert different > 20


@every_table
def test_views_survive_msgpack_are_small_and_are_what_the_table_of_fields_says(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    """[10.3-2]"""
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} views")
    fields = {field.name for field in game.fields}
    for state in some(line_of_play(game, seats, options, b"views", rng), rng, 0.2):
        for seat in (*range(seats), None):
            view = state.view(seat)
            assert {*view} == fields
            assert msgpack.unpackb(msgpack.packb(view)) == view
            assert len(msgpack.packb(view)) <= MAX_VIEW_BYTES
            assert view["seat"] == seat
            assert view["game"] == name


def test_a_view_is_of_a_seat_at_the_table() -> None:
    for game in GAMES.values():
        seats = game.seats[0]
        state = game.deal(seats, b"views")
        for nobody in (-1, seats, "0", 1.0, True):
            with pytest.raises(ValueError, match="seats at this table are numbered 0 to"):
                state.view(nobody)  # type: ignore[arg-type]  # is what is tested


@pytest.mark.parametrize("name", [*GAMES])
def test_action_names_are_short_printable_unambiguous_and_found_both_ways(name: str) -> None:
    actions = GAMES[name].actions
    assert len({*actions.names}) == len(actions) == len(actions.names)
    for code, text in enumerate(actions.names):
        assert actions.code(text) == code
        assert actions.name(code) == text
        assert text in actions
        assert text.isascii()
        assert text.isprintable()
        assert " " not in text
        assert 1 <= len(text) <= 14
    for wrong in (-1, len(actions)):
        with pytest.raises(RefusedAction, match="numbered 0 to"):
            actions.name(wrong)
    for nonsense in ("", "r2", "nonsense", 7, None):
        assert nonsense not in actions
        with pytest.raises(RefusedAction, match="no action"):
            actions.code(nonsense)


@every_table
def test_the_same_actions_make_the_same_match(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} again")
    first = game.deal(seats, b"again", options)
    played = []
    while first.to_act():
        seat = rng.choice(first.to_act())
        action = rng.choice(list(first.legal(seat)))
        first.apply(seat, action)
        played.append((seat, action))
    second = game.deal(seats, b"again", options)
    for seat, action in played:
        second.apply(seat, action)
    assert everything(first, seats) == everything(second, seats)


@every_table
def test_imagine_agrees_with_the_view_it_came_from(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    """What it gives looks the same to the seat, conserves the cards, can be played on to the
    end, and owes nothing to the match's own seed."""
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} imagine")
    for state in some(line_of_play(game, seats, options, b"imagine", rng), rng, 0.06):
        for seat in (*range(seats), None):
            view = state.view(seat)
            imagined = game.imagine(view, rng)
            assert imagined.view(seat) == view
            assert cards(imagined) <= deck(imagined)
            assert cards(imagined).total() == cards(state).total()
            if state.to_act() and seat in state.to_act():
                assert list(imagined.legal(seat)) == list(state.legal(seat))
            game.playout(imagined, rng)
            assert imagined.outcome() is not None


@every_size
def test_imagine_reaches_different_states_wherever_something_is_hidden(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} differ")
    for state in some(line_of_play(game, seats, options, b"differ", rng), rng, 0.05):
        for seat in range(seats):
            can_differ = {
                tuple(packed(hide_anew(state, seat, rng), other) for other in range(seats))
                for _ in range(20)
            }
            imagined = {
                tuple(packed(game.imagine(state.view(seat), rng), other) for other in range(seats))
                for _ in range(20)
            }
            if len(can_differ) > 10:
                assert len(imagined) > 1


@every_size
def test_chance_after_imagining_comes_from_the_rng_and_not_from_the_seed(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    game = GAMES[name]
    view = game.deal(seats, b"later", options).view(0)

    def played_out(seed: int) -> State:
        rng = random.Random(seed)
        state = game.imagine(view, rng)
        game.playout(state, rng)
        return state

    assert everything(played_out(1), seats) == everything(played_out(1), seats)
    assert everything(played_out(1), seats) != everything(played_out(2), seats)


@every_table
def test_a_playout_ends_the_match_or_the_round(
    name: str, seats: int, options: Mapping[str, object]
) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats} {options} playout")
    for state in some(line_of_play(game, seats, options, b"playout", rng), rng, 0.05):
        until_round, until_match = state.copy(), state.copy()
        game.playout(until_round, rng, "round")
        game.playout(until_match, rng)
        assert until_match.outcome() is not None
        assert cards(until_match).total() + aside(until_match) == deck(until_match).total()
        if state.to_act():
            before, after = state.view(None), until_round.view(None)
            assert after.get("round", 1) == before.get("round", 0) + 1 or after["phase"] == "over"


@pytest.mark.parametrize("name", [*GAMES])
def test_a_map_that_is_no_view_is_refused(name: str) -> None:
    game = GAMES[name]
    view = game.deal(game.seats[-1], b"view").view(0)
    rng = random.Random(1)
    wrong: list[object] = [{}, [], None, 7, {**view, "hand": ["Q7"]}, {**view, "seats": 9}]
    wrong += [{key: value for key, value in view.items() if key != "hand_sizes"}]
    for what in wrong:
        with pytest.raises(BadView):
            game.imagine(what, rng)  # type: ignore[arg-type]  # is what is tested
