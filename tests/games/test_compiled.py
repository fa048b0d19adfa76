"""The compiled build is the same rules. All tests of this folder run with it in `.ci/run compiled`;
these are about the build itself."""

from __future__ import annotations

import ast
import base64
import os
import pickle
import pickletools
import random
from pathlib import Path
from typing import Any

import pytest

from arena.games import GAMES
from arena.games.compiled import is_compiled

ROOT = Path(__file__).parents[2]
HOOK = ROOT / "hatch_build.py"

# The 119th state of a match, as the build in Python pickled it: `walked` makes it again.
PICKLED = base64.b85decode(
    "fCQC=0RR910001t6Jc^?ZecEGVQpn|E@WkLX?A5~l#B>+Wpi|Ia%E(clawfE0E`M}VQpn!ZeeX@WR#PXj0A3ZWpt"
    "E<lv0#S1VasBZf|sGWpW^5b!lv5lqgFGPK*R*b!=>uj0ALHYh{#9bd-mbO9D#(C`%km3`-nK40M!-"
    "lqgF9O9M**i~=!ul#BsFl#BsKluH6#lqgF9O9N$2U6d$G21^7>14{vAU6d$G14{u*0!sj8U6d$G97_yK97_ykO8{"
    "MzD2xI}Ih2e8M=>#!i~~n8FqDh~Surt`WlI5cl#B#$Y+-"
    "qnO9Dd*4i6F<93CJcEiaTPLkR{53=I$)BquYJLk9o>1O*iuC6s6#Lka^85fc<0A|@#^lysCRLjfn0LjoEAltTcNX"
    "e4x$Lm)jnHbp-"
    "*Lp(r4Nk}wCIZH}GRS5tG3o0%rFc=mY4GNS?080aglum|}C_@4QER;h6F({Nn0wWicLjoTwlysCs0{|HaluH3iFi"
    "QbT0Ed)xlv0!~"
)


def walked() -> object:
    rng = random.Random(11)
    state = GAMES["nyet"].deal(4, b"another build")
    for _ in range(119):
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(list(state.legal(seat))))
    return state


def test_the_rules_are_compiled_where_that_was_asked_for_and_nowhere_else() -> None:
    assert is_compiled() == (os.environ.get("ARENA_COMPILED", "") not in ("", "0"))


def test_a_state_pickled_in_python_is_the_same_state_in_either_build() -> None:
    assert pickle.loads(PICKLED) == walked()


def test_a_pickle_names_nothing_that_only_one_build_has() -> None:
    """So what the compiled build pickles is read in Python."""
    pickled = pickle.dumps(walked(), 4)
    names = {text for _, text, _ in pickletools.genops(pickled) if isinstance(text, str)}
    assert {name for name in names if "." in name} == {"arena.games.derived"}
    assert {"restored", "game_named"} <= names


def test_what_is_compiled_is_a_part_of_the_rules() -> None:
    (compiled,) = [
        node.value
        for node in ast.parse(HOOK.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COMPILED"
    ]
    names = [node.value for node in ast.walk(compiled) if isinstance(node, ast.Constant)]
    modules = {name for name in names if isinstance(name, str) and not name.endswith(".py")}
    assert {"nyet/position", "nyet/playout"} <= modules
    rules = ROOT / "arena" / "games"
    if rules.exists():  # not beside an installation
        assert all((rules / f"{name}.py").is_file() for name in modules if name != "/")


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_number_that_is_none_is_refused_in_words(size: int) -> None:
    """Compiled code checks types by itself, in words of its own, where it is let."""
    state = GAMES["nyet"].deal(size, b"numbers")
    (seat,) = state.to_act()
    odds: list[Any] = [None, "0", 0.5, True, b"", [], 10**30, -1, 256]
    for odd in odds:
        for arguments in ((seat, odd), (odd, state.legal(seat)[0])):
            with pytest.raises(ValueError, match=r"owes no decision|are numbered"):
                state.apply(*arguments)
    assert not any(state.legal(odd) for odd in odds if odd is not True)
