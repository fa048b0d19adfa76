"""A match cut into deals, with the time of each move."""

from __future__ import annotations

import pytest

from arena.games import GAMES
from arena.league.model.seeds import seed_of_set
from arena.record import Record
from arena.serve.tv.pace import CARD_MS, PILE_MS, QUICK_MS, RESULT_MS, deals_of
from tests.league.leagues import Simulated, played_match, schedule


def played(game: str, seats: int, **options: object) -> Record:
    league = Simulated(game=game, seats=seats, options=options, sets=1)
    (one,) = schedule(league)
    return played_match(league, one, 0, seed_of_set(b"k" * 32, 1, 0)).record


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_deals_of_every_game_have_every_move_once(game: str) -> None:
    record = played(game, min(4, max(GAMES[game].seats)), **_short(game))
    deals = deals_of(record)
    moves = [number for deal in deals for number in range(deal.first, deal.last + 1)]
    assert moves == list(range(len(record.moves)))
    assert all(deal.stays_ms[-1] == RESULT_MS for deal in deals)


def _short(game: str) -> dict[str, object]:
    return {"max_turns": 30} if game == "nope" else {"rounds": 2}


def test_a_game_of_tricks_has_a_deal_for_each_round_and_a_pile_for_each_trick() -> None:
    record = played("nyet", 4, rounds=3)
    deals = deals_of(record)
    assert len(deals) == 3
    assert deals[-1].scores == record.scores
    for deal in deals:
        tricks = deal.stays_ms.count(PILE_MS) + 1  # the last one stays longer
        cards = deal.stays_ms.count(CARD_MS)
        assert cards == 3 * tricks
        assert set(deal.stays_ms) == {PILE_MS, CARD_MS, QUICK_MS, RESULT_MS}


def test_a_card_is_half_a_second_and_a_trick_goes_to_its_pile_in_eight_tenths() -> None:
    assert (CARD_MS, PILE_MS) == (500, 800)
