"""A policy as the function that the kit of the protocol calls for every request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.policy.answer import PolicyMistake
from arena.policy.policy import Chooses, Policy, check_policy


def as_bot(policy: Chooses | type[Chooses]) -> Callable[[Mapping[str, Any]], str]:
    """Return the policy for `protocol.run`, which plays it as a bot.

    `policy` is what `arena evaluate` accepts: a function, an object or a class; anything else is a
    TypeError in words. Its `reset`, if it has one, is called before the first request of each
    match. A mistake of the policy ends the program with its own traceback, and says what was asked.
    """
    chooses = policy() if isinstance(policy, type) else policy
    check_policy(chooses, "the policy of as_bot")
    played = Policy(chooses, "bot")
    match: object = None

    def decide(request: Mapping[str, Any]) -> str:
        nonlocal match
        try:
            if request["match"] != match:
                match = request["match"]
                played.reset()
            return played.choose(request["view"], request["legal"])
        except PolicyMistake as mistake:
            # No traceback: the frames of the kit would stand around those of the policy.
            raise SystemExit(
                f"The policy was asked as seat {request['view']['seat']} in match"
                f" {request['match']}, legal: {', '.join(request['legal'])}; {mistake}"
            ) from None

    return decide
