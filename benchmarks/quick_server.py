"""The serving process with seconds that are short: `python -m benchmarks.quick_server ...`.

It is `arena.serve.worker` as it stands, but for its pace: an hour of messages passes in minutes.
"""

from __future__ import annotations

import sys

from arena.serve import worker
from arena.serve.live import following

# In the place of one second from a message to the next, and of the rest after costly looks.
EVERY_SECONDS = 0.02
REST = 0
POLL_SECONDS = 0.005

if __name__ == "__main__":
    following.EVERY_SECONDS, following.REST = EVERY_SECONDS, REST
    following.POLL_SECONDS = POLL_SECONDS
    worker.main(*sys.argv[1:])
