"""Bots of one owner kept apart, and the reason why no table can be filled then."""

from __future__ import annotations

from collections.abc import Sequence


def why_no_table(bots: Sequence[tuple[str, str]], seats: int, owners_may_meet: bool) -> str | None:
    """Return the reason why no table can be filled with these bots, and the remedy; else None.

    `bots`: names and owners.
    """
    owners: dict[str, list[str]] = {}
    for name, owner in bots:
        owners.setdefault(name if owners_may_meet else owner, []).append(name)
    if len(owners) >= seats:
        return None
    if len(owners) == len(bots):
        return (
            f"{seats} seats need {seats} bots, and there are {len(owners)}; enter more, or "
            "choose fewer seats"
        )
    shared = "; ".join(
        f"{owner} has {', '.join(names)}" for owner, names in owners.items() if len(names) > 1
    )
    return (
        f"{seats} seats need bots of {seats} owners, as two of one owner never sit together, and "
        f"there are {len(owners)} ({shared}); enter bots of others, choose fewer seats, or set "
        "owners_may_meet = true"
    )


def owners_apart(bots: Sequence[tuple[str, str]], owners_may_meet: bool) -> dict[str, str]:
    """Return by name of a bot the owner whose other bots it may not meet.

    Sorted by name, so that the order of `bots` changes nothing.
    """
    return {name: name if owners_may_meet else owner for name, owner in sorted(bots)}
