"""The messages between `arena` and a bot, and the kit that Python bots are made with.

A bot needs only `run`. The server imports the modules it needs, which load msgspec; nothing
here does.
"""

from __future__ import annotations

from protocol.bot_end import BotEnd
from protocol.errors import Breached, Misuse, ProtocolError
from protocol.kit import run
from protocol.version import VERSION

__all__ = ["VERSION", "BotEnd", "Breached", "Misuse", "ProtocolError", "run"]
