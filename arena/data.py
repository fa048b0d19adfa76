"""The files carried with the program: SPEC.md and the sample bots.

In an installed package they lie inside it; in a checkout, installed to be worked on, at the
root of the checkout.
"""

from __future__ import annotations

from pathlib import Path

_INSTALLED = Path(__file__).parent / "_data"
_CHECKOUT = Path(__file__).parent.parent


def root() -> Path:
    """Return the folder that holds SPEC.md and sample_bots/."""
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


def spec() -> Path:
    return root() / "SPEC.md"


def sample_bots() -> Path:
    return root() / "sample_bots"
