"""One line of JSON for each request, and for each problem: no whole address of a visitor in it."""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import time
from collections.abc import Callable
from typing import Any

from arena.utc import now, seconds

# The part of an address that is written down: a network, and no single visitor of it.
KEPT_BITS = {4: 24, 6: 48}
LONGEST_PATH = 200
# A log that is a file of ours is emptied when it is older than this, or larger.
KEPT_SECONDS = 86_400.0
MOST_BYTES = 8_000_000
# Of the first line of a log that is opened again, to find its time.
_FIRST_LINE_BYTES = 65_536


def shortened(address: str) -> str:
    """Return the network of an address: 192.0.2.0 of 192.0.2.17, 2001:db8:1:: of 2001:db8:1::3.

    A server that listens on IPv6 sees visitors over IPv4 as ::ffff:192.0.2.17.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "?"
    found = getattr(found, "ipv4_mapped", None) or found
    bits = KEPT_BITS[found.version]
    network = ipaddress.ip_network(f"{found}/{bits}", strict=False)
    return str(network.network_address)


class RequestLog:
    """Writes lines to a descriptor that was opened before the process was confined."""

    def __init__(
        self,
        descriptor: int,
        *,
        is_ours: bool,
        began: float | None = None,
        clock: Callable[[], float] = time.time,
    ):
        """`is_ours`: a file that is emptied in time; else standard error, which its reader keeps or
        drops. `began`: the time of its first line; None if it has none."""
        self._descriptor = descriptor
        self._is_ours = is_ours
        self._clock = clock
        self._began = clock() if began is None else min(began, clock())

    def __call__(self, kind: str, **values: Any) -> None:
        """Write a line. A reader that is gone costs the line and nothing else."""
        line = json.dumps({"at": now(), "kind": kind, **values}, ensure_ascii=True)
        try:
            if self._is_ours:
                self._empty_in_time()
            os.write(self._descriptor, f"{line}\n".encode())
        except OSError:
            pass

    def _empty_in_time(self) -> None:
        is_old = self._clock() - self._began > KEPT_SECONDS
        if is_old or os.fstat(self._descriptor).st_size > MOST_BYTES:
            os.ftruncate(self._descriptor, 0)
            self._began = self._clock()


def open_log(file: str) -> RequestLog:
    """Open the log at this path, to go on with; "" for standard error.

    What is there stays: a process that takes the place of one that crashed begins just after the
    line that tells why.
    """
    if not file:
        return RequestLog(2, is_ours=False)
    return RequestLog(log_file(file), is_ours=True, began=began_of(file))


def log_file(path: str) -> int:
    """Open a file for a log, and return its descriptor. Raises OSError."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def began_of(path: str) -> float | None:
    """Return the time of the first line of a log; None if it has none, or another form."""
    if not os.path.isfile(path):
        return None  # to read from a pipe would wait for another writer
    try:
        with open(path, "rb") as file:
            first = json.loads(file.readline(_FIRST_LINE_BYTES))
        return seconds(first["at"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


class ProblemLines(logging.Handler):
    """Passes warnings of this process on as lines of the same log."""

    def __init__(self, log: RequestLog):
        super().__init__(logging.ERROR)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        told = self.format(record).splitlines()
        self._log("problem", by=record.name, text=" | ".join([*told[:1], *told[1:][-3:]])[:1000])
