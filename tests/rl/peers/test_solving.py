"""Exact solving of a small deck by OpenSpiel's own algorithms, against a figure worked out by hand.

The game is `nope-small` with one card each and two turns, valued by place: 1 for the winner, -1 for
the loser, 0 for a tie. Its cards are R1 R1 R2 G1 G1 G2 and X, which is RG1; a card's number is what
it demands. The second player has nothing to choose: the number of cards to lay is fixed, and the
match is over then. So only the first player can gain by playing better than by lot, and each seat
is first in half of all matches: the gains of the two seats add up to that of the first player.

Let T be the open card, H the cards of the first player once two are drawn, and Q the other three,
of which the second player holds one, each as likely, and draws the other two if that one does not
serve. After the first player has laid, the value is

- of a demand for one card: 1 if the card held serves (the second player is out), else, with as many
  cards left on each side, 0 if Q has a card that serves and -1 if not; where the first player has
  only one card left, -1 in both cases;
- of a demand for two: 1 if Q has two that serve, else -1.

T = R1, or G1, which is the same with the colours exchanged (chance 4/7). The one card of the first
player serves with chance 1/2, and then must be laid. Else it is a G, and two of R1 R2 X G G are
drawn, ten pairs, each as likely. There is a choice where two different cards serve:

- R1 R2: Q has X and two G. R1 demands one R: X is held with 1/3, value 1/3. R2 demands two R, and
  there is one: -1. By lot -1/3, at best 1/3: gain 2/3.
- R1 X: Q has R2 and two G. R1: 1/3. X is served by every card: 1. By lot 2/3, at best 1: gain 1/3.
- R2 X: R2: -1. X: 1. By lot 0, at best 1: gain 1.

Together 4/7 * 1/2 * (2/3 + 1/3 + 1) / 10 = 2/35.

T = X (chance 1/7): every card serves one, so the first card must be laid. No choice, no gain.

T = R2, or G2 (chance 2/7). One card is never two, so two are drawn, and H is any three of
R1 R1 X G1 G1 G2, each of 20 as likely. Two that show R must be laid, if there are two, the last of
them on top; one card is left. There is a choice with

- R1 X and a G (6 of 20): Q has one R1. X on top: 1. R1 on top: held with 1/3, so 1/3 - 2/3 = -1/3.
  The first card is R1 or X by lot, and the second is the other: 1/3. At best 1: gain 2/3.
- R1 R1 X (1 of 20): Q has no R. X on top: 1. R1 on top: -1. By lot X is on top if R1 is first and
  then X, 1/2 * 1/2: -1/2. At best 1: gain 3/2.

Together 2/7 * (6/20 * 2/3 + 1/20 * 3/2) = 11/140.

In all 2/35 + 11/140 = 19/140. Exploitability is half of that, because it is a mean over seats.
"""

from __future__ import annotations

from fractions import Fraction

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability

import arena.rl.spiel  # noqa: F401  # registers the games

pytestmark = pytest.mark.rl

GAIN = Fraction(2, 35) + Fraction(11, 140)


def test_what_a_policy_by_lot_loses_is_what_the_hand_finds_and_cfr_loses_less() -> None:
    assert Fraction(19, 140) == GAIN
    game = pyspiel.load_game("arena_nope_small(hand=1,max_turns=2)")
    by_lot = policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, by_lot) == pytest.approx(float(GAIN))
    assert exploitability.exploitability(game, by_lot) == pytest.approx(float(GAIN / 2))
    solver = cfr.CFRSolver(game)
    for _ in range(2):
        solver.evaluate_and_update_policy()
    # The first policy is by lot, and the second nearly the best: their mean loses about half.
    assert exploitability.nash_conv(game, solver.average_policy()) < float(GAIN) * 2 / 3


def test_policies_by_counterfactual_regret_are_those_of_the_information_states_as_numbers() -> None:
    """In `nyet-small`, with the dealer given, keys and arrays are one to one; CFR on it loses less
    than play by lot, whose exploitability is 0.586."""
    game = pyspiel.load_game("arena_nyet_small(dealer=0)")
    solver = cfr.CFRPlusSolver(game)
    keys: dict[tuple[float, ...], str] = {}
    for state in solver.average_policy().states:
        player = state.current_player()
        key = state.information_state_string(player)
        assert keys.setdefault(tuple(state.information_state_tensor(player)), key) == key
    assert len(keys) == len(solver.average_policy().state_lookup)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.586 / 2
