"""The certificate of a door, read again when it is renewed."""

from __future__ import annotations

import ssl
from pathlib import Path


class BadCertificate(Exception):
    """A certificate or key cannot be used; the text says which, and why."""


class Certificate:
    """A certificate chain and its key, in two files. Raises BadCertificate."""

    def __init__(self, chain: Path, key: Path):
        self._chain = chain
        self._key = key
        self.context = self._read()  # for connections that are accepted now

    def __repr__(self) -> str:
        return f"<Certificate in {self._chain}>"

    def reload(self) -> None:
        """Read both files again. Raises BadCertificate; then those of before stay in use."""
        self.context = self._read()

    def _read(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.set_alpn_protocols(["http/1.1"])
        try:
            # Never asked for a password: a service could not answer.
            context.load_cert_chain(self._chain, self._key, password="")
        except (OSError, ssl.SSLError) as error:
            why = error.strerror or error
            raise BadCertificate(
                f"{self._chain} and {self._key}: {why}; expected a certificate chain and its key,"
                " without a password, in PEM"
            ) from None
        return context
