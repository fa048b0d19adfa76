"""Plays any legal action: the least a bot can be, with the kit.

python3 bot.py          a different game every time
python3 bot.py SEED     the same answer to the same request, always
"""

import random
import sys

from protocol import run

SEED = sys.argv[1] if len(sys.argv) > 1 else None


def decide(request):
    """A request goes in, one of its legal actions comes out."""
    if SEED is None:
        return random.choice(request["legal"])
    # From the view and not from a generator that runs on: so the answer depends on nothing
    # but what is asked, also after a restart and in whatever order matches come.
    return random.Random(f"{SEED} {request['view']}").choice(request["legal"])


if __name__ == "__main__":
    run(decide, version="1.0", author="the arena authors")
