"""A task that fails with a seed among its arguments: `python -m tests.league.cluster.fail ADDRESS
HEX`."""

from __future__ import annotations

import sys


def main(address: str, seed: str) -> None:
    from distributed import Client

    from arena.league.worker import tasks
    from arena.league.worker.sealed import Sealed

    with Client(address) as client:
        # One argument too many.
        future = client.submit(tasks.play, Sealed(bytes.fromhex(seed)), "moo", key="arena-fails")
        print(future.exception(timeout=60))


if __name__ == "__main__":
    main(*sys.argv[1:])
