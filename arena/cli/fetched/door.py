"""The client's side of SPEC 2.7: asks at the door of a league for evidence, with a bot's token."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from arena.check.dialling import connected, why_not
from arena.text import plain
from protocol.bot_end import BotEnd
from protocol.errors import Breached
from protocol.limits import EVIDENCE_OFFER
from protocol.messages import Bye, FaultEvidence, Welcome

# A server answers in milliseconds, and closes after ten seconds.
PATIENCE_SECONDS = 15.0
# A server may be asked once a second.
PAUSE_SECONDS = 1.1
# So often it is asked again after it said that it was too soon.
MOST_RETRIES = 5
READ_BYTES = 65_536


class NotTold(Exception):
    """The server tells no evidence; the text says why."""


@dataclass
class Door:
    """The door of a league, and the token of a bot. `last`: where the evidence told last stands."""

    address: str
    token: str = field(repr=False)
    last: str = ""

    def evidence(self) -> Iterator[FaultEvidence]:
        """Yield all evidence after `last`, asking as often as it takes. Raises NotTold."""
        retries = 0
        has_more = True
        while has_more:
            has_more = False
            reason, text = "", ""
            for message in self._ask():
                match message:
                    case FaultEvidence(at=at, more=more):
                        self.last, has_more = at, more
                        yield message
                    case Bye(reason=reason, text=text):
                        pass
            if reason == "too-soon" and retries < MOST_RETRIES:
                retries += 1
                has_more = True
            elif reason != "told":
                raise NotTold(f"{self.address} says bye ({plain(reason)}): {plain(text)}")
            if has_more:
                time.sleep(PAUSE_SECONDS)

    def _ask(self) -> Iterator[FaultEvidence | Bye]:
        """Yield the messages of one asking, up to the `bye`; others are passed over."""
        offer = f"{EVIDENCE_OFFER}:{self.last}" if self.last else EVIDENCE_OFFER
        end = BotEnd()
        try:
            with connected(self.address, PATIENCE_SECONDS) as link:
                link.sendall(end.hello(self.token, offers=(offer,)))
                while data := link.recv(READ_BYTES):
                    message = end.receive(data)
                    while message is not None:
                        told = understood(message)
                        if isinstance(told, Welcome):
                            raise NotTold(f"{self.address} is of a version that tells no evidence")
                        if told is not None:
                            yield told
                        if isinstance(told, Bye):
                            return
                        message = end.receive()
        except TimeoutError:
            raise NotTold(f"{self.address} did not answer in {PATIENCE_SECONDS:.0f} s") from None
        except OSError as error:
            if why := why_not(error):
                raise NotTold(f"{self.address}: {why}") from None
            raise NotTold(
                f"{self.address}: {error.strerror or error}. A league tells evidence while it runs;"
                " is it running, and is this its address?"
            ) from None
        except (Breached, ValueError) as error:
            words = plain(str(error))
            raise NotTold(f"{self.address} speaks no protocol of arena: {words}") from None
        raise NotTold(f"{self.address} closed the connection without a bye; ask again later")


def understood(message: Mapping[str, Any]) -> FaultEvidence | Bye | Welcome | None:
    """Return a message of the server, its fields checked; None if it is of another type.

    Raises ValueError: a client knows no better than a server whom it speaks to.
    """
    kind = {"evidence": FaultEvidence, "bye": Bye, "welcome": Welcome}.get(message.get("type", ""))
    if kind is None:
        if not isinstance(message.get("type"), str):
            raise ValueError("a message without a type")
        return None
    told: FaultEvidence | Bye | Welcome = msgspec.convert(message, kind)
    if isinstance(told, FaultEvidence):
        bytes.fromhex(told.reply)
    return told
