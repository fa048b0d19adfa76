"""The evidence of a fault, as it is kept."""

from __future__ import annotations

import msgspec

from arena.record.evidence import Evidence


def test_evidence_that_was_kept_before_there_was_output_in_it_has_none() -> None:
    kept = [0, 3, "late", "out-of-time", "Too late.", "nothing", "a reply"]
    kept += [b"request", b"", ["R1", "R2"], "R1", 50_000, 60_000]
    evidence = msgspec.msgpack.decode(msgspec.msgpack.encode(kept), type=Evidence)
    assert (evidence.allowed_us, evidence.took_us) == (50_000, 60_000)
    assert (evidence.stdout, evidence.stderr, evidence.exit) == ("", "", "")
