"""PettingZoo's own tests. Importing them imports one of its games where what that game needs is
there, and this game warns of how it is imported."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

__all__ = ["api_test", "parallel_api_test", "render_test", "seed_test"]
