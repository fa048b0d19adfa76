"""A breach: the other side broke the protocol. A value, because bad bots are ordinary."""

from __future__ import annotations

from protocol.codes import CODES


class Breach:
    """What came, what was expected, which code it is; the code knows kind, section, advice."""

    __slots__ = ("advice", "came", "code", "expected")

    def __init__(self, code: str, came: str, expected: str, advice: str = ""):
        self.code = code
        self.came = came
        self.expected = expected
        self.advice = advice or CODES[code].advice

    @property
    def kind(self) -> str:
        """One of the six kinds of fault."""
        return CODES[self.code].kind

    @property
    def where(self) -> str:
        """The section of SPEC that was broken."""
        return CODES[self.code].where

    @property
    def text(self) -> str:
        """The whole sentence, without what it costs."""
        return (
            f"{self.kind} ({self.code}, SPEC {self.where}): {self.came}; "
            f"expected {self.expected}. {self.advice}"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Breach) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<Breach {self.text}>"

    def _key(self) -> tuple[str, str, str, str]:
        return self.code, self.came, self.expected, self.advice
