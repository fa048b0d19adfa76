"""Where bots dial in, checked before anybody is told of it."""

from __future__ import annotations

import click

from arena.referee.addresses import TcpAddress


def check_listening(address: TcpAddress) -> None:
    """Who will listen there may be another process, which could not say so well that it cannot.
    Called in Trio, as its sockets want it."""
    try:
        listener, _ = address.listen(1)
    except OSError as error:
        raise click.ClickException(
            f"cannot listen at tcp:{address.host}:{address.port}: {error.strerror}"
        ) from None
    listener.socket.close()
