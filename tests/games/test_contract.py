"""One contract for all games, run on every rule set, size and a sweep of options."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgpack
import pytest

from arena.games import (
    EVERY_PHASE,
    GAMES,
    BadView,
    Game,
    Options,
    RefusedAction,
    State,
    View,
    ViewField,
)
from tests.games.example import EXAMPLE

MAX_VIEW_BYTES = 4096
MOST_ALIKE = 25  # of 50 draws; of ten cards in two hands there are 252 deals
MOST_SHORT_DECISIONS = 500
MAX_REFUSAL_CHARS = 300  # so that a `fault` never has to cut one
# A fifth game, so that nothing here rests on there being those four.
GAMES_HELD = tuple({**GAMES, EXAMPLE.name: EXAMPLE}.values())
every_game = pytest.mark.parametrize("game", GAMES_HELD, ids=lambda game: game.name)
every_table = pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param(game, seats, options, id=f"{game.name}-{seats}-{number}")
        for game in GAMES_HELD
        for seats in game.seats
        for number, options in enumerate(game.trials.sweep)
    ],
)
every_size = pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param(game, seats, game.trials.sweep[0], id=f"{game.name}-{seats}")
        for game in GAMES_HELD
        for seats in game.seats
    ],
)


def seed_of(number: int) -> bytes:
    return number.to_bytes(2, "big")


def packed(state: State, seat: int | None) -> bytes:
    return bytes(msgpack.packb(state.view(seat)))


def everything(game: Game, state: State, seats: int) -> tuple[object, ...]:
    """All that can be asked of a state."""
    return (
        state.to_act(),
        tuple(tuple(state.legal(seat)) for seat in range(seats)),
        tuple(packed(state, seat) for seat in (*range(seats), None)),
        state.outcome(),
        Counter(game.cards(state)),
    )


def line_of_play(
    game: Game, seats: int, options: Options, seed: bytes, rng: random.Random
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
def test_a_deal_depends_on_its_arguments_alone(game: Game, seats: int, options: Options) -> None:
    one, same, other = (game.deal(seats, seed, options) for seed in (b"a", b"a", b"b"))
    assert everything(game, one, seats) == everything(game, same, seats)
    assert everything(game, one, seats) != everything(game, other, seats)


@pytest.mark.parametrize("seed", [b"", b"\0", bytes(32), b"x" * 1000])
def test_a_seed_is_bytes_of_any_length(seed: bytes) -> None:
    for game in GAMES_HELD:
        assert game.deal(game.seats[0], seed).to_act()
        with pytest.raises(TypeError, match="bytes"):
            game.deal(game.seats[0], "text")  # type: ignore[arg-type]  # is what is tested


@every_table
def test_a_match_keeps_the_contract_at_every_decision(
    game: Game, seats: int, options: Options
) -> None:
    """Who owes a decision has a legal list without repeats, in the fixed order [10.2-1]; nobody
    else has; cards are conserved; and a match ends within its bound, with an outcome only then."""
    rng = random.Random(f"{game.name} {seats} {options}")
    bound = game.bound(seats, options)
    deck = Counter(game.deck(seats, options))
    dealt = len(game.cards(game.deal(seats, b"", options)))
    assert dealt >= seats  # of nothing nothing could be lost
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
            assert Counter(game.cards(state)) <= deck
            assert len(game.cards(state)) == dealt
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
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} refusals")
    strange: list[object] = [-1, -256, len(game.actions), 10**9, None, "R2", 1.5, b"\1", ()]
    for state in some(line_of_play(game, seats, options, b"refuse", rng), rng, 0.04):
        before = everything(game, state, seats)
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
        assert everything(game, state, seats) == before


@every_table
def test_every_decision_is_of_a_kind_that_the_game_names(
    game: Game, seats: int, options: Options
) -> None:
    """Kinds that several seats owe at the same time say so; the last of them owes it alone."""
    rng = random.Random(f"{game.name} {seats} {options} kinds")
    kinds = {kind.name: kind for kind in game.kinds}
    assert len(kinds) == len(game.kinds)
    for state in line_of_play(game, seats, options, b"kinds", rng):
        for seat in state.to_act():
            legal = [game.actions.name(code) for code in state.legal(seat)]
            kind = kinds[game.kind_of(state.view(seat), legal)]
            assert kind.together or len(state.to_act()) == 1


@every_table
def test_the_number_of_rounds_is_told_where_every_match_has_as_many(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} rounds")
    rounds = game.rounds(seats, options)
    for state in line_of_play(game, seats, options, b"rounds", rng):
        if rounds is not None:
            assert state.view(None)["round"] <= rounds
    if rounds is not None:
        assert state.view(None)["round"] == rounds


@every_game
def test_its_trials_are_options_that_it_takes(game: Game) -> None:
    """Together they set every option it has, and the short match is short."""
    trials = game.trials
    every = (trials.short, trials.unusual, trials.long, *trials.sweep)
    for seats in game.seats:
        for options in every:
            assert game.deal(seats, b"trials", options).to_act()
        assert game.bound(seats, trials.short) <= MOST_SHORT_DECISIONS
    assert {name for options in every for name in options} == {each.name for each in game.options}


@every_game
def test_its_drawing_and_its_words_are_data(game: Game) -> None:
    """A page gets them as JSON."""
    texts = [game.drawing.name, *game.drawing.details, *game.drawing.details.values()]
    texts += [*game.endings, *game.endings.values()]
    texts += [text for field in game.fields for text in (field.name, field.type, field.meaning)]
    assert all(type(text) is str and text for text in texts)


@every_size
def test_the_stage_of_a_state_is_the_round_and_the_phase_of_its_view(
    game: Game, seats: int, options: Options
) -> None:
    """Pages ask for it at each move, without making a view."""
    stage = game.drawing.stage
    if stage is None:
        return
    rng = random.Random(f"{game.name} {seats} stage")
    for state in line_of_play(game, seats, options, b"stage", rng):
        view = state.view(None)
        assert stage(state) == (view["round"], view["phase"])


@every_table
def test_a_refusal_names_the_rule_and_tells_nothing_its_seat_cannot_know(
    game: Game, seats: int, options: Options
) -> None:
    """Every action of the game is legal or breaks a rule; deal anew what is hidden from the seat
    that is told, and not a byte of the text changes [10.3-3]."""
    rng = random.Random(f"{game.name} {seats} {options} rules")
    actions = range(len(game.actions))

    def told(state: State, seat: int) -> list[str | None]:
        return [state.refusal(seat, action) for action in actions]

    for state in some(line_of_play(game, seats, options, b"rules", rng), rng, 0.3):
        for seat in range(seats):
            before = everything(game, state, seats)
            texts = told(state, seat)
            assert everything(game, state, seats) == before
            assert [code for code in actions if texts[code] is None] == [*state.legal(seat)]
            assert told(game.redeal(state, seat, rng), seat) == texts
            for text in {*texts} - {None}:
                assert text is not None
                assert text.isprintable()
                assert len(text) <= MAX_REFUSAL_CHARS
                assert re.search(r"\(SPEC \d+(\.\d+)*\)$", text)


@every_table
def test_a_copy_is_independent(game: Game, seats: int, options: Options) -> None:
    rng = random.Random(f"{game.name} {seats} {options} copies")
    for state in some(line_of_play(game, seats, options, b"copy", rng), rng, 0.05):
        before = everything(game, state, seats)
        twin = state.copy()
        assert everything(game, twin, seats) == before
        for _ in range(12):
            if twin.to_act():
                seat = twin.to_act()[0]
                twin.apply(seat, rng.choice(list(twin.legal(seat))))
        assert everything(game, state, seats) == before


@every_table
def test_simultaneous_choices_commute_and_stay_hidden_until_all_are_in(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} together")
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
            assert everything(game, backwards, seats) == everything(game, probe, seats)
            break
    assert bool(found) == any(kind.together for kind in game.kinds)


@every_table
def test_no_view_holds_anything_its_seat_cannot_know(
    game: Game, seats: int, options: Options
) -> None:
    """Deal anew what is hidden from a seat: not a byte of its view changes [10.3-1]."""
    rng = random.Random(f"{game.name} {seats} {options} hidden")
    for number in range(3):
        for state in some(line_of_play(game, seats, options, seed_of(number), rng), rng, 0.1):
            for seat in (*range(seats), None):
                anew = game.redeal(state, seat, rng)
                assert packed(anew, seat) == packed(state, seat)


@every_table
def test_a_state_that_is_dealt_anew_has_as_many_cards_and_none_twice(
    game: Game, seats: int, options: Options
) -> None:
    """Also where a seat has put some of its own aside, which nobody else can be dealt then."""
    rng = random.Random(f"{game.name} {seats} {options} anew")
    deck = Counter(game.deck(seats, options))
    for state in some(line_of_play(game, seats, options, b"anew", rng), rng, 0.3):
        for seat in (*range(seats), None):
            anew = Counter(game.cards(game.redeal(state, seat, rng)))
            assert anew <= deck
            assert anew.total() == len(game.cards(state))


@every_table
def test_views_survive_msgpack_are_small_and_are_what_the_table_of_fields_says(
    game: Game, seats: int, options: Options
) -> None:
    """[10.3-2]"""
    rng = random.Random(f"{game.name} {seats} {options} views")
    fields = {field.name for field in game.fields}
    for state in some(line_of_play(game, seats, options, b"views", rng), rng, 0.2):
        for seat in (*range(seats), None):
            view = state.view(seat)
            assert {*view} == fields
            assert msgpack.unpackb(msgpack.packb(view)) == view
            assert len(msgpack.packb(view)) <= MAX_VIEW_BYTES
            assert view["seat"] == seat
            assert view["game"] == game.name
            assert view["seats"] == seats
            assert {*view["options"]} == {option.name for option in game.options}


@every_table
def test_a_seat_finds_nil_only_where_the_table_of_fields_says_so(
    game: Game, seats: int, options: Options
) -> None:
    """Types in other languages are made from it."""
    rng = random.Random(f"{game.name} {seats} {options} nil")
    for state in line_of_play(game, seats, options, b"nil", rng):
        for seat in range(seats):
            view = state.view(seat)
            for field, value in each_field(game.fields, view):
                if value is None:
                    assert field.type.endswith(" or nil")
                    assert field.nil_in == EVERY_PHASE or view["phase"] in field.nil_in, field.name
                elif field.values:
                    assert value in field.values


@every_game
def test_where_the_table_of_fields_allows_nil_it_comes(game: Game) -> None:
    """Else an author would have to look for it in vain."""
    missing = {
        (field.name, phase)
        for field in game.fields
        for phase in field.nil_in
        if phase not in EVERY_PHASE
    }
    for seats in game.seats:
        for number, options in enumerate(game.trials.sweep):
            rng = random.Random(f"{game.name} {seats} {number} nil comes")
            for state in line_of_play(game, seats, options, b"nil", rng):
                for seat in range(seats):
                    view = state.view(seat)
                    missing -= {(name, view.get("phase")) for name in view if view[name] is None}
                if not missing:
                    return
    assert not missing


def each_field(fields: Sequence[ViewField], values: View) -> Iterator[tuple[ViewField, object]]:
    """Every field of a map with its value, those of the maps in it too."""
    for field in fields:
        value = values[field.name]
        yield field, value
        if isinstance(value, dict) and field.record is not None:
            assert {*value} == {part.name for part in field.record.fields}
            yield from each_field(field.record.fields, value)


@every_table
def test_fields_that_programs_show_mean_the_same_in_every_game(
    game: Game, seats: int, options: Options
) -> None:
    """`hand` is there always, the others are where a game has a use for them."""
    rng = random.Random(f"{game.name} {seats} {options} shown")
    rounds = 1
    for state in line_of_play(game, seats, options, b"shown", rng):
        for seat in (*range(seats), None):
            view = state.view(seat)
            hand = view["hand"]
            assert (hand is None) == (seat is None)
            assert {*(hand or ())} <= {*game.cards(state)}
            if view.get("turn") is not None:
                assert state.to_act() == (view["turn"],)
            for field in {"hand_sizes", "scores"} & {*view}:
                assert [type(value) for value in view[field]] == [int] * seats
            assert view.get("round", 1) in (rounds, rounds + 1)
        rounds = view.get("round", 1)


@every_table
def test_a_seat_is_told_all_that_a_spectator_is_told(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} told")
    audiences: tuple[int | None, ...] = (*range(seats), None)
    before: dict[int | None, View | None] = dict.fromkeys(audiences)
    for state in line_of_play(game, seats, options, b"told", rng):
        now = {seat: state.view(seat) for seat in audiences}
        lines = {seat: game.narrate(before[seat], now[seat], seat) for seat in audiences}
        for line in lines[None]:
            for seat in range(seats):
                assert any(own.startswith(line) for own in lines[seat])
        before = {**now}


def test_a_view_is_of_a_seat_at_the_table() -> None:
    for game in GAMES_HELD:
        seats = game.seats[0]
        state = game.deal(seats, b"views")
        for nobody in (-1, seats, "0", 1.0, True):
            with pytest.raises(ValueError, match="seats at this table are numbered 0 to"):
                state.view(nobody)  # type: ignore[arg-type]  # is what is tested


@every_game
def test_action_names_are_short_printable_unambiguous_and_found_both_ways(game: Game) -> None:
    actions = game.actions
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
def test_the_same_actions_make_the_same_match(game: Game, seats: int, options: Options) -> None:
    rng = random.Random(f"{game.name} {seats} {options} again")
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
    assert everything(game, first, seats) == everything(game, second, seats)


@every_table
def test_imagine_agrees_with_the_view_it_came_from(
    game: Game, seats: int, options: Options
) -> None:
    """What it gives looks the same to the seat, conserves the cards, can be played on to the
    end, and owes nothing to the match's own seed."""
    rng = random.Random(f"{game.name} {seats} {options} imagine")
    deck = Counter(game.deck(seats, options))
    for state in some(line_of_play(game, seats, options, b"imagine", rng), rng, 0.06):
        for seat in (*range(seats), None):
            view = state.view(seat)
            imagined = game.imagine(view, rng)
            assert imagined.view(seat) == view
            assert Counter(game.cards(imagined)) <= deck
            assert len(game.cards(imagined)) == len(game.cards(state))
            if state.to_act() and seat in state.to_act():
                assert list(imagined.legal(seat)) == list(state.legal(seat))
            game.playout(imagined, rng)
            assert imagined.outcome() is not None


def others_see(state: State, seat: int, seats: int) -> tuple[bytes, ...]:
    """The views of all seats but this one."""
    return tuple(packed(state, other) for other in range(seats) if other != seat)


@every_size
def test_after_the_deal_nearly_every_imagined_and_every_redealt_state_is_another(
    game: Game, seats: int, options: Options
) -> None:
    """Each seat knows its own cards alone: of 50 draws from all that the others may hold, most
    differ, whatever the seed."""
    rng = random.Random(f"{game.name} {seats} differ")
    state = game.deal(seats, b"differ", options)
    for seat in range(seats):
        view = state.view(seat)
        imagined = {others_see(game.imagine(view, rng), seat, seats) for _ in range(50)}
        redealt = {others_see(game.redeal(state, seat, rng), seat, seats) for _ in range(50)}
        assert len(imagined) > MOST_ALIKE
        assert len(redealt) > MOST_ALIKE


@every_size
def test_imagine_differs_all_through_a_match_where_much_is_hidden(
    game: Game, seats: int, options: Options
) -> None:
    """Rules may pin down single cards that a fresh deal of what is hidden would move; so not
    each position is looked at alone, but all of a match together."""
    rng = random.Random(f"{game.name} {seats} later")
    open_to_much = differing = 0
    for state in line_of_play(game, seats, options, b"differ", rng):
        for seat in range(seats):
            redealt = {others_see(game.redeal(state, seat, rng), seat, seats) for _ in range(5)}
            if len(redealt) == 5:
                view = state.view(seat)
                imagined = {others_see(game.imagine(view, rng), seat, seats) for _ in range(3)}
                open_to_much += 1
                differing += len(imagined) > 1
    assert open_to_much > seats
    assert differing >= 0.9 * open_to_much


@every_size
def test_chance_after_imagining_comes_from_the_rng_and_not_from_the_seed(
    game: Game, seats: int, options: Options
) -> None:
    view = game.deal(seats, b"later", options).view(0)

    def played_out(seed: int) -> State:
        rng = random.Random(seed)
        state = game.imagine(view, rng)
        game.playout(state, rng)
        return state

    assert everything(game, played_out(1), seats) == everything(game, played_out(1), seats)
    assert everything(game, played_out(1), seats) != everything(game, played_out(2), seats)


@every_table
def test_a_playout_ends_the_match_or_the_round(game: Game, seats: int, options: Options) -> None:
    rng = random.Random(f"{game.name} {seats} {options} playout")
    for state in some(line_of_play(game, seats, options, b"playout", rng), rng, 0.05):
        until_round, until_match = state.copy(), state.copy()
        game.playout(until_round, rng, "round")
        game.playout(until_match, rng)
        assert until_match.outcome() is not None
        assert len(game.cards(until_match)) == len(game.cards(state))
        if until_round.to_act():
            assert until_round.view(None)["round"] == state.view(None)["round"] + 1


@every_game
def test_a_map_that_is_no_view_is_refused(game: Game) -> None:
    view = game.deal(game.seats[-1], b"view").view(0)
    rng = random.Random(1)
    wrong: list[object] = [{}, [], None, 7, {**view, "seats": game.seats[-1] + 1}]
    for field in view:
        wrong += [{key: value for key, value in view.items() if key != field}]
        wrong += [{**view, field: "Q7"}, {**view, field: ["Q7"]}]
    for what in wrong:
        with pytest.raises(BadView):
            game.imagine(what, rng)  # type: ignore[arg-type]  # is what is tested
