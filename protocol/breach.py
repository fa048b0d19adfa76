"""A breach: the other side broke the protocol. It is a value, because bad bots are ordinary."""

from __future__ import annotations

from protocol.codes import CODES


class Breach:
    """One breach, in words: `came` is the thing received, `expected` the thing that was due.

    `code` names a row of the table of codes, which knows the kind, the section of SPEC and the
    usual advice; `advice` replaces that advice where more is known about the case.
    """

    __slots__ = ("action", "advice", "came", "code", "expected")

    def __init__(
        self, code: str, came: str, expected: str, advice: str = "", action: str | None = None
    ):
        self.code = code
        self.came = came
        self.expected = expected
        self.advice = advice or CODES[code].advice
        # The text of an action that is not legal. The protocol knows no rules: a caller that
        # does looks the broken one up by it.
        self.action = action

    def because(self, rule: str) -> Breach:
        """The same breach with the rule of the game that was broken, a clause after "but"."""
        came = f"{self.came}, but {rule}"
        return Breach(self.code, came, self.expected, self.advice, self.action)

    @property
    def kind(self) -> str:
        """One of the six kinds of fault."""
        return CODES[self.code].kind

    @property
    def where(self) -> str:
        """The number of the section of SPEC that was broken."""
        return CODES[self.code].where

    @property
    def text(self) -> str:
        """The whole sentence, without the penalty."""
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

    def _key(self) -> tuple[str, str, str, str, str | None]:
        return self.code, self.came, self.expected, self.advice, self.action
