"""Have the kernel find out when the machine at the other end of a TCP connection is gone."""

from __future__ import annotations

import socket

# Without keepalive a bot on a machine that lost power would seem connected for ever, and its token
# in use. The kernel probes after 15 s of silence, every 5 s, and gives up after 3 probes.
KEEPALIVE = ((socket.TCP_KEEPIDLE, 15), (socket.TCP_KEEPINTVL, 5), (socket.TCP_KEEPCNT, 3))


def keep_alive(sock: socket.socket) -> None:
    """Switch keepalive on for a connection."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE:
        sock.setsockopt(socket.IPPROTO_TCP, option, value)
