"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run, and no limit on the time one takes: a slow machine is no
# failure, and a failure can be had again.
settings.register_profile("arena", derandomize=True, deadline=None)
settings.load_profile("arena")
