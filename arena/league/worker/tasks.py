"""The functions that Dask calls in a worker, each in a thread of its own.

They take and return sealed bytes alone, and raise nothing of their own: what Dask shows of a task
is the name of its function, its key, and the text of an exception.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.bots.parcel import BadParcel
from arena.league.worker.facts import own_facts, version
from arena.league.worker.host import Host, places
from arena.league.worker.messages import (
    Broke,
    Delivery,
    Received,
    Reply,
    SetInSlot,
    SetTask,
    Unfit,
    WorkerDoing,
    opened,
    sealed,
)
from arena.league.worker.sealed import Sealed
from arena.league.worker.site import in_words

log = logging.getLogger(__name__)

_opening = threading.Lock()
_hosts: list[Host] = []
# Parts come one after another; a delivery of which none has come for so long was broken off.
BROKEN_OFF_SECONDS = 600.0
# By parcel, the parts that have come, and when the last did; several threads never take parts of
# one parcel at once.
_parts: dict[str, tuple[list[bytes], float]] = {}
# By call of `play`: the set that a slot is busy with, and when it began. One order may be played
# twice at once, when it was sent again because the runner thought that it was lost.
_in_slots: dict[object, tuple[SetTask, float]] = {}


def describe() -> Sealed:
    """Return the WorkerFacts of this worker."""
    return sealed(own_facts())


def receive(delivery: Sealed) -> Sealed:
    """Take a part of a parcel; the parts come one after another."""
    return sealed(received(opened(delivery, Delivery), time.monotonic()))


def received(part: Delivery, now: float) -> Reply:
    """Take a part of a parcel at this time of a clock, in seconds."""
    forget_broken_off(now)
    parts, _ = _parts.pop(part.parcel, ([], now))
    if part.part == 0:
        parts = []
    if len(parts) != part.part:
        return Broke("a part of a parcel is missing", began=False)
    parts.append(part.data)
    try:
        if len(parts) == part.parts:
            places().parcels.keep(part.parcel, b"".join(parts))
        else:
            _parts[part.parcel] = (parts, now)
    except BadParcel as error:
        return Unfit(str(error))
    except OSError as error:
        return Broke(in_words(error), began=False)
    return Received()


def forget_broken_off(now: float) -> None:
    """Let go of parts whose others will not come: the runner or its connection has ended."""
    for parcel, (_, came) in [*_parts.items()]:  # a copy: other threads change it
        if now - came >= BROKEN_OFF_SECONDS:
            _parts.pop(parcel, None)


def play(task: Sealed) -> Sealed:
    """Play a set, and return a Reply."""
    try:
        forget_broken_off(time.monotonic())
        order = opened(task, SetTask)
        # Of another version the message may mean something else.
        if order.terms.version != version():
            return sealed(Unfit(f"it has arena {version()}", "version"))
        with in_slot(order):
            return sealed(_host().play(order))
    except Exception as error:
        # The text of the error might hold anything; the log of this machine is its operator's.
        log.exception("a set was not played: this is a bug in arena")
        return sealed(Broke(f"{type(error).__name__}, which its log tells more of", began=True))


@contextmanager
def in_slot(task: SetTask) -> Iterator[None]:
    """Note that a slot is busy with a set, in this block."""
    call = object()
    _in_slots[call] = (task, time.monotonic())
    try:
        yield
    finally:
        _in_slots.pop(call)


def doing() -> Sealed:
    """Return the WorkerDoing of this worker."""
    now = time.monotonic()
    sets = tuple(
        SetInSlot(task.terms.league, task.order.number, task.order.lease, now - began)
        for task, began in [*_in_slots.values()]  # a copy: other threads change it
    )
    return sealed(WorkerDoing(sets))


def _host() -> Host:
    """Return the host of this process, started at the first call."""
    with _opening:
        if not _hosts:
            _hosts.append(Host())
        return _hosts[0]
