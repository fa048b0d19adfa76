"""Dials an address as a bot does (SPEC 2.2), and tells in words why that fails."""

from __future__ import annotations

import re
import socket
import ssl

from arena.text import plain
from protocol.encrypted import (
    Refused,
    WebSocket,
    connected_by_tls,
    connected_by_websocket,
    split,
)

# Of OpenSSL: the chain ends at a certificate that is its own authority, or at one that is unknown.
_UNKNOWN_AUTHORITY = (2, 18, 19, 20, 21)
# Of HTTP: the server is there, and what it hands on to is not.
_BEHIND = ("502", "503", "504")


def connected(address: str, patience: float) -> socket.socket | WebSocket:
    """Connect to an address as ARENA_CONNECT has it. `patience`: seconds for each step."""
    scheme, _, place = address.partition(":")
    host, _, port = place.rpartition(":")
    match scheme:
        case "tcp":
            return socket.create_connection((host.strip("[]"), int(port)), patience)
        case "tls":
            return connected_by_tls(host.strip("[]"), int(port), patience)
        case "wss" if (where := split(address)) is not None:
            return connected_by_websocket(*where, patience)
    link = socket.socket(socket.AF_UNIX)
    try:
        link.settimeout(patience)
        link.connect(place)
    except BaseException:
        link.close()
        raise
    return link


def why_not(error: OSError) -> str:
    """Return why a connection was not made, and a remedy if one is known, without a full stop;
    "" for an error that tells no more than that nobody is there."""
    match error:
        case ssl.SSLCertVerificationError(verify_code=code, verify_message=message):
            if code not in _UNKNOWN_AUTHORITY:
                return f"its certificate does not hold: {plain(message)}"
            return (
                f"its certificate is not trusted here ({plain(message)}): if it is of a private"
                " authority, SSL_CERT_FILE has to name the file with the certificate of that"
                " authority, in PEM (SPEC 2.2)"
            )
        case Refused():
            words = plain(str(error))
            status = re.search(r"HTTP/\S+ (\d{3})", words)
            if status is not None and status[1] in _BEHIND:
                words += "; the web server is there, and the door behind it is not: does it run?"
            return words
    return ""
