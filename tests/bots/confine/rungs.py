"""The rungs that work on this machine, for tests with real bots; a test skips the others."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.bots.confine.choose import Rejected, tried
from arena.bots.confine.confinement import Rung
from arena.bots.confine.confiner import Confiner
from arena.bots.processes import Warden, open_warden

CONFINED = (Rung.BUBBLEWRAP, Rung.LANDLOCK)


@asynccontextmanager
async def confined(rung: Rung) -> AsyncIterator[tuple[Warden, Confiner]]:
    """Open a warden and a confiner on this rung; skip the test where the rung does not work."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        place = Path(folder)
        place.chmod(0o711)
        async with open_warden() as warden:
            means = await tried(warden, rung, place, ())
            if isinstance(means, Rejected):
                pytest.skip(f"{rung} does not work here: {means.why}")
            yield warden, Confiner(means, place)
