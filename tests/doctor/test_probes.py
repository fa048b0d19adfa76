"""The probes: that each shows something, which is that it succeeds where nothing holds it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from arena.bots.confine import probe
from arena.bots.confine.confinement import Rung
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.processes import open_warden
from arena.doctor.attempts import ATTEMPTS
from arena.doctor.examine import Examined, examine, used
from arena.doctor.probes import PROBES, TRIAL_LIMITS
from arena.doctor.promises import NOT_PROMISED, SELF_TEST, WORDS, Promise
from arena.doctor.stage import NotTried, open_stage
from tests.bots.confine.rungs import CONFINED, confined

# Held where nothing else is: open files for every bot that is started, and daemons by the warden.
HELD_UNCONFINED = {"open more files", "leave a process behind"}
# Only root may, and only with more than one core it can be seen.
HELD_AT_TIMES = {"raise its limit of open files", "use more cores"}


def test_every_attempt_of_the_self_test_shows_a_promise() -> None:
    assert SELF_TEST.keys() == probe.ATTEMPTS.keys()
    assert all(SELF_TEST.values())


def test_every_probe_is_an_attempt_and_every_attempt_is_used() -> None:
    first_halves = {"keep a file", "keep shared memory"}
    assert {each.name for each in PROBES} | first_halves == ATTEMPTS.keys()
    assert len({each.words for each in PROBES}) == len(PROBES)


def test_every_promise_has_words_and_is_tried_more_than_once() -> None:
    assert WORDS.keys() == set(Promise)
    assert NOT_PROMISED.keys() == set(Rung)
    for promise in Promise:
        tries = [each for each in SELF_TEST.values() if promise in each]
        tries += [each.promises for each in PROBES if promise in each.promises]
        assert len(tries) >= 2, promise


@pytest.mark.slow
async def test_a_bot_that_is_not_confined_succeeds_with_nearly_everything() -> None:
    """Else the probes would prove nothing."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        async with open_warden() as warden:
            found = await examine(warden, Path(folder), (), every=True)
    unconfined = found[-1]
    assert unconfined.rung is Rung.NONE
    assert [each.trouble for each in unconfined.proofs if each.trouble] == []
    refused = {proof.attempt for proof in unconfined.proofs if proof.was_refused}
    by_words = {each.words: each.name for each in PROBES}
    assert {by_words[attempt] for attempt in refused} - HELD_AT_TIMES <= HELD_UNCONFINED
    for examined in found[:-1]:
        if examined.works:
            check_confined(examined)


def check_confined(examined: Examined) -> None:
    """What every rung keeps, on every machine."""
    assert [each.trouble for each in examined.proofs if each.trouble] == []
    for promise in (Promise.DEALS, Promise.IDENTITY, Promise.OTHERS, Promise.END, Promise.NETWORK):
        assert examined.keeps(promise), promise


@pytest.mark.parametrize("rung", CONFINED)
async def test_an_attempt_that_is_refused_is_told_from_one_that_was_not_made(
    rung: Rung, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    async with (
        confined(rung) as (warden, confiner),
        open_stage(warden, confiner, tmp_path) as stage,
    ):
        succeeded, _ = await stage.attempt("read another bot's folder", TRIAL_LIMITS)
        assert not succeeded
        with pytest.raises(NotTried, match="KeyError"):
            await stage.attempt("write a larger file", TRIAL_LIMITS)


async def test_nothing_is_left_of_an_unconfined_bot_that_kept_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setenv("HOME", str(scratch))
    async with open_warden() as warden:
        async with open_stage(warden, Confiner(Means(), tmp_path), tmp_path) as stage:
            succeeded, _ = await stage.attempt("keep a file", TRIAL_LIMITS)
            assert succeeded
            assert stage.name in os.listdir(scratch)
        assert os.listdir(scratch) == []


def test_the_rung_in_use_is_the_first_that_works() -> None:
    landlock = Examined(Rung.LANDLOCK, "landlock 7", None, ())
    none = Examined(Rung.NONE, "unconfined", None, ())
    assert used([landlock, none]) is landlock
    assert used([none]) is none


def test_a_promise_that_nothing_was_tried_against_is_not_kept() -> None:
    assert not Examined(Rung.LANDLOCK, "landlock 7", None, ()).keeps(Promise.DEALS)
