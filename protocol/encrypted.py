"""Connections of a bot over an open network (SPEC 2.2): frames in TLS, or as WebSocket messages.

For the kit, which loads this only where the address asks for it. Each class has `sendall` and
`recv` of a socket; a failure then is a ConnectionError. Certificates are checked against those that
this machine trusts, or that the file in SSL_CERT_FILE has.
"""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import ssl
from contextlib import suppress
from itertools import cycle
from typing import Any

from protocol.limits import HEADER_BYTES, MAX_SERVER_BODY_BYTES

HTTPS_PORT = 443
_MOST_PORT = 65_535
_READ_BYTES = 65_536
# Of the server's answer to the request for a WebSocket.
_MOST_HEAD_BYTES = 16_384
# Of the text of a refusal, which tells authors where bots dial in; the rest is not read.
_MOST_REASON_BYTES = 300
# RFC 6455, 1.3: the server proves with it that it has understood the request.
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_FINAL, _MASKED = 0x80, 0x80
_CONTINUED, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x2, 0x8, 0x9, 0xA
_IN_TWO_BYTES, _IN_EIGHT_BYTES = 126, 127


class Refused(ConnectionError):
    """The server is no WebSocket for bots; the text says why."""


class TlsSocket(ssl.SSLSocket):
    """A socket with TLS, for which an error of TLS is the end of the connection."""

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send all of these bytes."""
        try:
            super().sendall(data, flags)
        except ssl.SSLError as error:
            raise ConnectionAbortedError(str(error)) from None

    def recv(self, buflen: int = _READ_BYTES, flags: int = 0) -> bytes:
        """Return some bytes; b"" at the end."""
        try:
            return super().recv(buflen, flags)
        except ssl.SSLError as error:
            raise ConnectionAbortedError(str(error)) from None


def connected_by_tls(host: str, port: int, patience: float | None = None) -> ssl.SSLSocket:
    """Connect, and check the certificate for this host. `patience`: seconds for each step."""
    context = ssl.create_default_context()
    context.sslsocket_class = TlsSocket
    link = socket.create_connection((host, port), patience)
    try:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return context.wrap_socket(link, server_hostname=host)
    except BaseException:
        link.close()
        raise


def split(url: str) -> tuple[str, int, str] | None:
    """Return host, port and path of wss://HOST/PATH; None for another text."""
    place, _, path = url.removeprefix("wss://").partition("/")
    host, colon, port = place.rpartition(":")
    if not colon or place.endswith("]"):
        host, port = place, str(HTTPS_PORT)
    host = host.removeprefix("[").removesuffix("]")
    is_plain = url.startswith("wss://") and all("!" <= each <= "~" for each in url)
    if not (is_plain and host and port.isdecimal() and int(port) <= _MOST_PORT):
        return None
    return host, int(port), f"/{path}"


def connected_by_websocket(
    host: str, port: int, path: str, patience: float | None = None
) -> WebSocket:
    """Connect to wss://HOST:PORT/PATH, with the parts that `split` returns."""
    link = connected_by_tls(host, port, patience)
    try:
        name = f"[{host}]" if ":" in host else host
        return WebSocket(link, name if port == HTTPS_PORT else f"{name}:{port}", path)
    except BaseException:
        link.close()
        raise


class WebSocket:
    """The client's side of a WebSocket: `sendall` takes one frame, `recv` returns whole ones."""

    def __init__(self, link: socket.socket, host: str, path: str):
        """Ask for the WebSocket, on a connection to its server."""
        self._link = link
        self._data = b""
        self._message = b""
        self._has_closed = False
        self._ask(host, path)

    def __enter__(self) -> WebSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, without a word to the server."""
        self._link.close()

    def _ask(self, host: str, path: str) -> None:
        key = base64.b64encode(os.urandom(16))
        self._link.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key.decode()}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self._data:
            if len(self._data) > _MOST_HEAD_BYTES or not self._more():
                raise Refused("the server did not answer the request for a WebSocket")
        head, _, self._data = self._data.partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        fields = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in fields}
        proof = base64.b64encode(hashlib.sha1(key + _GUID, usedforsecurity=False).digest())
        if status.split(" ")[1:2] != ["101"] or headers.get("sec-websocket-accept") != (
            proof.decode()
        ):
            reason = self._reason(headers.get("content-length", ""))
            raise Refused(f"no WebSocket there: {status!r}{reason and f': {reason}'}")

    def _reason(self, length: str) -> str:
        """Return the beginning of a refusal's body in characters that print, on one line.

        Without a length in digits only what came with the head: the server may keep the connection.
        """
        most = _MOST_REASON_BYTES
        if length.isascii() and length.isdecimal():
            # Not int() of any length: it refuses thousands of digits.
            most = min(most, int(length[:9]))
            with suppress(OSError):  # the status alone tells enough
                while len(self._data) < most and self._more():
                    pass
        text = self._data[:most].decode("utf-8", "replace")
        return " ".join("".join(each if each.isprintable() else " " for each in text).split())

    def sendall(self, data: bytes) -> None:
        """Send one frame as one message."""
        self._write(_BINARY, data[HEADER_BYTES:])

    def recv(self, _most: int = 0) -> bytes:
        """Return the next message as a frame; b"" after the end."""
        while not self._has_closed:
            came = self._read()
            if came is None:
                if not self._more():
                    break
                continue
            is_final, kind, payload = came
            if kind == _PING:
                self._write(_PONG, payload)
            elif kind == _CLOSE:
                self._write(_CLOSE, payload[:2])
                self._has_closed = True
            elif kind in (_BINARY, _CONTINUED):
                self._message += payload
                self._check(len(self._message))
                if is_final:
                    body, self._message = self._message, b""
                    return len(body).to_bytes(HEADER_BYTES, "big") + body
            elif kind != _PONG:
                raise Refused(f"a message of kind {kind} (SPEC 2.2)")
        return b""

    def _more(self) -> bool:
        """Read the bytes that are there; tell whether there were any."""
        data = self._link.recv(_READ_BYTES)
        self._data += data
        return bool(data)

    def _read(self) -> tuple[bool, int, bytes] | None:
        """Take a whole part of a message out of the bytes read; None without one."""
        data = self._data
        if len(data) < 2:
            return None
        size, at = data[1], 2
        if size & _MASKED:
            raise Refused("a masked message, which no server sends")
        if size in (_IN_TWO_BYTES, _IN_EIGHT_BYTES):
            at += 2 if size == _IN_TWO_BYTES else 8
            if len(data) < at:
                return None
            size = int.from_bytes(data[2:at], "big")
        self._check(size)
        if len(data) < at + size:
            return None
        self._data = data[at + size :]
        return data[0] >= _FINAL, data[0] & 0x0F, data[at : at + size]

    def _check(self, size: int) -> None:
        if size > MAX_SERVER_BODY_BYTES:
            raise Refused(f"a message of {size} bytes (SPEC 3.2)")

    def _write(self, kind: int, payload: bytes) -> None:
        """Send one part, masked by four new random bytes, as a client has to."""
        size = len(payload)
        if size < _IN_TWO_BYTES:
            header = bytes((_FINAL | kind, _MASKED | size))
        else:
            header = bytes((_FINAL | kind, _MASKED | _IN_TWO_BYTES)) + size.to_bytes(2, "big")
        mask = os.urandom(4)
        hidden = bytes(one ^ other for one, other in zip(payload, cycle(mask), strict=False))
        self._link.sendall(header + mask + hidden)
