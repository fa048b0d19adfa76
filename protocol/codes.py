"""Every way to break the protocol, as data: kinds and their finer codes; and the farewells.

SPEC 7 and 4.8 print these tables; a breach carries one of the codes; a vector or a test shows
each. The module loads nothing heavy, because a bot that meets a breach loads it too.
"""

from __future__ import annotations

from collections.abc import Mapping


class FaultKind:
    """One of the six kinds of fault: its meaning and its penalty."""

    __slots__ = ("meaning", "name", "penalty")

    def __init__(self, name: str, meaning: str, penalty: str):
        self.name = name
        self.meaning = meaning
        self.penalty = penalty


class Code:
    """One finer code: its kind, the section of SPEC (`where`), its meaning, and advice."""

    __slots__ = ("advice", "kind", "meaning", "name", "where")

    def __init__(self, name: str, kind: str, where: str, meaning: str, advice: str):
        self.name = name
        self.kind = kind
        self.where = where
        self.meaning = meaning
        self.advice = advice


_PLAYED = "counts; a legal action is drawn from the match's seed and played"

KINDS: Mapping[str, FaultKind] = {
    kind.name: kind
    for kind in (
        FaultKind(
            "late",
            "a decision was owed and no answer came in time",
            _PLAYED + "; the bank is 0 from then on",
        ),
        FaultKind(
            "unreadable",
            "a decision was owed and what came is not a message",
            _PLAYED,
        ),
        FaultKind(
            "illegal",
            "a decision was owed and what came answers it wrongly",
            _PLAYED,
        ),
        FaultKind(
            "gone",
            "the connection is lost or given up",
            "forfeits the match at once; the bot may connect again and plays from the next",
        ),
        FaultKind(
            "never-started",
            "no accepted `hello` in time",
            "the match does not begin; it counts against those absent only",
        ),
        FaultKind(
            "out-of-turn",
            "something came that nobody had asked for",
            "counts; nothing is played, and an open request stays open",
        ),
    )
}

_NEVER_TWICE = "Send nothing but one `action` for each `request`."
_LIBRARY = "Pack one map with a msgpack library and send its length first."
_FIELDS = "Compare the message with the table in SPEC 4, field by field."

CODES: Mapping[str, Code] = {
    code.name: code
    for code in (
        Code(
            "out-of-time",
            "late",
            "6.2",
            "the free time and the bank are used up",
            "Look at `time_us` and answer sooner, with a worse action if need be.",
        ),
        Code("malformed", "unreadable", "3.3", "a byte that msgpack does not have", _LIBRARY),
        Code(
            "cut-short",
            "unreadable",
            "3.3",
            "the body ends inside a value",
            "Let the header count the bytes of the body and nothing else.",
        ),
        Code(
            "trailing-bytes",
            "unreadable",
            "3.3",
            "bytes are left after the map",
            "Give each message a header of its own, which counts the body only.",
        ),
        Code(
            "not-a-map",
            "unreadable",
            "3.3",
            "the body is a good value, but not a map",
            "Wrap the fields in one map with text keys.",
        ),
        Code(
            "key-not-text",
            "unreadable",
            "3.3",
            "a key of a map is not text",
            "Use text for every key.",
        ),
        Code(
            "duplicate-key", "unreadable", "3.3", "a map has a key twice", "Write each field once."
        ),
        Code(
            "bad-utf8",
            "unreadable",
            "3.3",
            "a text is not UTF-8",
            "Encode text as UTF-8 before packing it.",
        ),
        Code(
            "float",
            "unreadable",
            "3.3",
            "a floating-point number, NaN included",
            "Send whole numbers as integers; in a language that has only floats, "
            "tell the msgpack library to write integers.",
        ),
        Code(
            "bin",
            "unreadable",
            "3.3",
            "raw bytes",
            "Send text: decode your bytes to a string before packing.",
        ),
        Code(
            "ext",
            "unreadable",
            "3.3",
            "an extension type, timestamps included",
            "Send only whole numbers, text, lists, maps, true, false and nil.",
        ),
        Code(
            "too-deep",
            "unreadable",
            "3.3",
            "maps and lists nested too deep",
            "No message of a bot's nests deeper than a list in a map.",
        ),
        Code(
            "too-many-values",
            "unreadable",
            "3.3",
            "more values than any message of a bot's has",
            "Send only the fields in SPEC 4.",
        ),
        Code(
            "unknown-type",
            "unreadable",
            "4",
            "no `type`, or none that exists",
            "Set `type` to hello or action.",
        ),
        Code(
            "server-type",
            "unreadable",
            "4",
            "a `type` that only the server sends",
            "Set `type` to hello or action.",
        ),
        Code("unknown-field", "unreadable", "4", "a field the message does not have", _FIELDS),
        Code("missing-field", "unreadable", "4", "a field the message must have", _FIELDS),
        Code("wrong-type", "unreadable", "4", "a field holds the wrong type of value", _FIELDS),
        Code(
            "out-of-range",
            "unreadable",
            "4",
            "a number outside its bounds",
            "Copy `id` from the request; `protocol` is the number in SPEC 9.",
        ),
        Code("too-long", "unreadable", "4", "a text or list longer than its limit", "Shorten it."),
        Code(
            "bad-text",
            "unreadable",
            "4",
            "a control character in a text",
            "Take out line breaks, tabs, escape sequences and direction marks.",
        ),
        Code(
            "wrong-id",
            "illegal",
            "4.5",
            "an answer to a request that was never made",
            "Copy `id` from the request you answer.",
        ),
        Code(
            "wrong-match",
            "illegal",
            "4.5",
            "the open request belongs to another match",
            "Copy `match` from the request you answer.",
        ),
        Code(
            "not-legal",
            "illegal",
            "4.5",
            "the action is not in `legal`",
            "Answer with one of the texts in `legal`, unchanged.",
        ),
        Code(
            "nothing-asked",
            "out-of-turn",
            "5.2",
            "a message while no decision is owed",
            _NEVER_TWICE,
        ),
        Code(
            "second-hello",
            "out-of-turn",
            "5.2",
            "a `hello` after the first",
            "Say hello once, as the first message of a connection.",
        ),
        Code(
            "too-many-answers",
            "out-of-turn",
            "5.3",
            "more answers to settled requests than there were requests",
            _NEVER_TWICE,
        ),
        Code(
            "closed",
            "gone",
            "7.3",
            "the connection closed or broke during a match",
            "A program that ends takes its connection along: look at what it printed, "
            "and stay until `bye`.",
        ),
        Code(
            "hung",
            "gone",
            "6.4",
            "nothing for longer than `hang_ms` after a `late`",
            "Bound your thinking by `time_us`; look for an endless loop.",
        ),
        Code(
            "frame-too-long",
            "gone",
            "3.2",
            "a header that announces more than a body may have",
            "Write the length as four bytes, big-endian; nothing else may write to the socket.",
        ),
        Code(
            "frame-unfinished",
            "gone",
            "3.2",
            "a frame whose rest never came",
            "Send header and body in one call, and all of it.",
        ),
        Code(
            "no-connection",
            "never-started",
            "2.4",
            "nobody connected and said `hello` in time",
            "Connect first to the address in ARENA_CONNECT, say hello, and flush it; load your "
            "tables afterwards.",
        ),
        Code(
            "exited",
            "never-started",
            "2.4",
            "the program ended before its `hello` was accepted",
            "Look at what it prints: over TCP the reason of a refused hello is in the `bye` alone. "
            "`arena check` with this bot tells it too. A bot without Unix sockets needs connect = "
            '["tcp"] in its bot.toml.',
        ),
        Code(
            "no-hello",
            "never-started",
            "4.1",
            "a connection, and no `hello` on it in time",
            "Send hello right after connecting, and flush it; the server says nothing before it.",
        ),
        Code(
            "hello-refused",
            "never-started",
            "4.1",
            "a `hello` that was refused",
            "The bye you got says why.",
        ),
    )
}

# Reasons of `bye`, each with its meaning.
FAREWELLS: Mapping[str, str] = {
    "done": "there are no more matches for you",
    "stopping": "the server was told to stop; connect again later",
    "replaced": "another process of your bot plays on in your place",
    "benched": "you take no further part",
    "told": "you were told what you asked for",
    "too-soon": "you asked for evidence a moment ago; ask again later",
    "bad-hello": "your first message could not be read",
    "not-hello": "your first message was not a hello",
    "bad-version": "this server does not speak the protocol you asked for",
    "bad-token": "no entrant has this token",
    "token-used": "this token was for one connection, which has been made",
    "token-in-use": "another connection with this token is alive",
    "frame-too-long": "your header announces more than a body may have",
    "frame-unfinished": "the rest of your frame never came",
    "no-hello": "your hello did not come in time",
    "hung": "you were silent for too long",
    "server-error": "a bug in arena; it costs you nothing",
}
