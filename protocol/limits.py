"""Every limit and default of the wire, each once. SPEC prints them from here.

Light on purpose: bots load it too.
"""

from __future__ import annotations

HEADER_BYTES = 4

# An action is about 60 bytes and the longest hello about 1,500: room enough, and little
# enough that sixty-four thousand bots could not fill a small machine's memory.
MAX_BOT_BODY_BYTES = 4_096
# A view is at most 4 KiB packed; the list of legal actions comes on top.
MAX_SERVER_BODY_BYTES = 16_384

# A hello holds a list inside a map, which is depth 2. Two more tell "you nested by mistake"
# from "this is garbage".
MAX_BOT_DEPTH = 4
MAX_SERVER_DEPTH = 16

# Values in one message of a bot's, keys and what is inside lists included. With it no frame
# takes a strict reader longer than a millisecond, however it is filled.
MAX_BOT_VALUES = 256

# JavaScript, Lua and spreadsheets hold whole numbers exactly up to here.
MAX_NUMBER = 2**53 - 1

MAX_TOKEN_CHARS = 128
MAX_VERSION_CHARS = 32
MAX_AUTHOR_CHARS = 64
MAX_LANGUAGE_CHARS = 32
MAX_OFFERS = 16
MAX_OFFER_CHARS = 32
MAX_MATCH_CHARS = 64
MAX_ACTION_CHARS = 64
MAX_NOTE_CHARS = 200

DECISION_MS = 100
BANK_MS = 10_000
START_MS = 10_000
HANG_MS = 5_000
FAULTS_TO_FORFEIT = 3

# What a bot's token is found under in its environment, and where to connect.
CONNECT_VARIABLE = "ARENA_CONNECT"
TOKEN_VARIABLE = "ARENA_TOKEN"

# For SPEC 8: name, value, what it bounds.
LIMITS = (
    ("max_bot_body_bytes", MAX_BOT_BODY_BYTES, "the body of one frame from a bot"),
    ("max_server_body_bytes", MAX_SERVER_BODY_BYTES, "the body of one frame from the server"),
    ("max_bot_depth", MAX_BOT_DEPTH, "maps and lists inside each other, from a bot"),
    ("max_server_depth", MAX_SERVER_DEPTH, "maps and lists inside each other, from the server"),
    ("max_bot_values", MAX_BOT_VALUES, "values in one message from a bot, keys counted"),
    ("max_number", MAX_NUMBER, "any whole number, either way; the least is its negative"),
    ("max_token_chars", MAX_TOKEN_CHARS, "`token` of `hello`"),
    ("max_version_chars", MAX_VERSION_CHARS, "`version` of `hello`"),
    ("max_author_chars", MAX_AUTHOR_CHARS, "`author` of `hello`"),
    ("max_language_chars", MAX_LANGUAGE_CHARS, "`language` of `hello`"),
    ("max_offers", MAX_OFFERS, "entries of `offers`"),
    ("max_offer_chars", MAX_OFFER_CHARS, "each entry of `offers`"),
    ("max_match_chars", MAX_MATCH_CHARS, "`match` of any message"),
    ("max_action_chars", MAX_ACTION_CHARS, "`action`, and each entry of `legal`"),
    ("max_note_chars", MAX_NOTE_CHARS, "`note` of `action`"),
)

# What `welcome` carries.
LIMITS_BY_NAME = {name: most for name, most, _ in LIMITS}

# For SPEC 6 and 7: what a league may set otherwise. `start` and `welcome` say what holds.
DEFAULTS = (
    ("decision_ms", DECISION_MS, "free time for each decision"),
    ("bank_ms", BANK_MS, "further time for the whole match"),
    ("start_ms", START_MS, "from the start of the program until its `hello` has arrived"),
    ("hang_ms", HANG_MS, "a silence longer than this, after a `late`, is `gone`"),
    ("faults_to_forfeit", FAULTS_TO_FORFEIT, "the fault in one match that forfeits the seat"),
)
