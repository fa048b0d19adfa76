"""The words of the breaches that no single body shows; test_vectors has the others."""

from __future__ import annotations

import pytest

from arena.record.timing import DECISION_MS
from protocol import breaches
from protocol.breach import Breach
from protocol.codes import CODES, KINDS
from protocol.frames import FrameReader
from protocol.messages import Action
from protocol.server_end import ServerEnd


@pytest.mark.parametrize(
    ("breach", "text"),
    [
        (
            breaches.out_of_time(10_100_213, 10_100_000),
            "late (out-of-time, SPEC 6.2): no answer in 10.1 s; expected one within "
            "10.1 s. Look at `time_us` and answer sooner, with a worse action if need be.",
        ),
        (
            breaches.hung(5001, 5000),
            "gone (hung, SPEC 6.4): nothing for 5001 ms; expected an answer within 5000 ms at "
            "most. Bound your thinking by `time_us`; look for an endless loop.",
        ),
        (
            breaches.cannot_start("there is no program 'fox'."),
            "never-started (exited, SPEC 2.4): there is no program 'fox'; expected a program that"
            " runs. Mend the program, or `command` in bot.toml.",
        ),
        (
            breaches.no_connection(10_000),
            "never-started (no-connection, SPEC 2.4): no connection with a hello on it in 10000 ms;"
            " expected a connection and a hello in that time. Connect first to the address in"
            " ARENA_CONNECT, say hello, and flush it; load your tables afterwards.",
        ),
        (
            breaches.exited("exit code 1"),
            "never-started (exited, SPEC 2.4): the program ended (exit code 1) before its hello; "
            "expected a program that stays until `bye`. Look at what it prints: over TCP the "
            "reason of a refused hello is in the `bye` alone. `arena check` with this bot tells it "
            'too. A bot without Unix sockets needs connect = ["tcp"] in its bot.toml.',
        ),
        (
            breaches.no_hello(10_000),
            "never-started (no-hello, SPEC 4.1): a connection, but no hello in 10000 ms; expected "
            "a hello at once. Send hello right after connecting, and flush it; the server says "
            "nothing before it.",
        ),
        (
            breaches.half_a_hello(FrameReader(99).unfinished()),
            "never-started (no-hello, SPEC 4.1): a connection, and on it 0 of a header's 4 bytes, "
            "and no more; expected a hello. Send header and body in one call, and all of it.",
        ),
        (
            breaches.hello_refused("No entrant has this token."),
            "never-started (hello-refused, SPEC 4.1): your hello was answered with `bye`: "
            '"No entrant has this token."; expected a hello as in SPEC 4.1. The bye you got says'
            " why.",
        ),
        (
            ServerEnd().closed(),
            "gone (closed, SPEC 7.3): the connection ended; expected it open until `bye`. A "
            "program that ends takes its connection along: look at what it printed, and stay until "
            "`bye`.",
        ),
        (
            breaches.not_legal(Action("m", 1, "R7"), ("G2", "G9")).because(
                "green was led and you hold G2, G9"
            ),
            'illegal (not-legal, SPEC 4.5): you played "R7", but green was led and you hold G2, '
            "G9; expected G2, G9. Answer with one of the texts in `legal`, unchanged.",
        ),
    ],
)
def test_the_sentence_says_what_came_what_was_expected_and_what_to_do(
    breach: Breach, text: str
) -> None:
    assert breach.text == text
    assert repr(breach) == f"<Breach {text}>"


def test_a_long_list_of_legal_actions_is_cut() -> None:
    legal = tuple(f"A{number}" for number in range(15))
    breach = breaches.not_legal(Action("m", 1, "zzz"), legal)
    assert breach.expected == "A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11 and 3 more"


@pytest.mark.parametrize(
    ("came", "advice"),
    [
        ("g9", "Did you mean G9?"),
        (" A14 ", "Did you mean A14?"),
        ("seat:0", "Did you mean seat:1?"),
        ("B", "Answer with one of the texts in `legal`, unchanged."),
    ],
)
def test_a_near_miss_gets_a_hint(came: str, advice: str) -> None:
    legal = ("seat:1", "G9", *(f"A{number}" for number in range(15)))
    assert breaches.not_legal(Action("m", 1, came), legal).advice == advice


def test_breaches_are_values() -> None:
    assert breaches.no_hello(1) == breaches.no_hello(1)
    assert breaches.no_hello(1) != breaches.no_hello(2)
    assert len({breaches.no_hello(1), breaches.no_hello(1)}) == 1
    assert breaches.no_hello(1) != DECISION_MS


def test_every_code_is_of_a_kind_and_gives_advice() -> None:
    for code in CODES.values():
        assert code.kind in KINDS
        assert code.advice.endswith(".")
    assert {code.kind for code in CODES.values()} == set(KINDS)
