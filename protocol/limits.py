"""Every limit and default of the wire, each once; SPEC prints them from here.

The module loads nothing, because bots load it too.
"""

from __future__ import annotations

HEADER_BYTES = 4

# An action has about 60 bytes and the longest hello about 1,500, so this is room enough; and
# 64,000 bots that each begin such a frame could not fill a small machine's memory.
MAX_BOT_BODY_BYTES = 4_096
# A view is at most 4 KiB packed; the list of legal actions comes on top.
MAX_SERVER_BODY_BYTES = 16_384

# A hello holds a list inside a map, which is depth 2. With two more levels a list nested by mistake
# is reported as a wrong type, and only garbage as too deep.
MAX_BOT_DEPTH = 4
MAX_SERVER_DEPTH = 16

# Values in one message from a bot, keys and the entries of lists included. It bounds the time
# of the strict reader to less than a millisecond a frame, however the frame is filled.
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

# The offer that asks for evidence instead of a seat (SPEC 2.7).
EVIDENCE_OFFER = "evidence"

# The variables of a bot's environment that hold the address and the token (SPEC 2.1).
CONNECT_VARIABLE = "ARENA_CONNECT"
TOKEN_VARIABLE = "ARENA_TOKEN"
# Only for bots that dial in: seconds before they connect again (SPEC 2.5).
RETRY_VARIABLE = "ARENA_RETRY_S"

# The table of SPEC 8: a limit's name, its value, and the thing it bounds.
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

# The field `limits` of `welcome`.
LIMITS_BY_NAME = {name: most for name, most, _ in LIMITS}
