"""Hostile programs about the network and sockets: `python -c TEXT DEED GIVEN STAY`."""

from __future__ import annotations

import json
import socket
import sys
import time
from typing import Any

Given = dict[str, Any]

LOCAL = "127.0.0.1"
MSG_FASTOPEN = 0x20000000
AF_VSOCK, SOCK_STREAM, AF_ALG, AF_NETLINK = 40, 1, 38, 16
KEPT: list[socket.socket] = []


def datagrams() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def sends_a_datagram(given: Given) -> int:
    return datagrams().sendto(given["word"].encode(), (LOCAL, given["udp"]))


def sends_a_datagram_as_a_message(given: Given) -> int:
    return datagrams().sendmsg([given["word"].encode()], (), 0, (LOCAL, given["udp"]))


def sends_a_datagram_on_a_connection(given: Given) -> int:
    sock = datagrams()
    sock.connect((LOCAL, given["udp"]))
    return sock.send(given["word"].encode())


def sends_a_datagram_from_a_pair(given: Given) -> int:
    """A socket that was never made by `socket`, to a path."""
    sock, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    KEPT.append(other)
    return sock.sendto(given["word"].encode(), given["unix_datagrams"])


def asks_a_name_server(given: Given) -> int:
    """The question carries what is to get out."""
    question = bytes.fromhex("000101000001000000000000") + bytes([len(given["word"])])
    question += given["word"].encode() + bytes.fromhex("0000010001")
    return datagrams().sendto(question, (LOCAL, given["udp"]))


def listens_to_everybody(given: Given) -> bool:
    sock = socket.create_server(("0.0.0.0", given["free_port"]))
    KEPT.append(sock)
    return True


def connects_to_a_port(given: Given) -> bool:
    KEPT.append(socket.create_connection((LOCAL, given["tcp"]), timeout=5))
    return True


def connects_by_its_first_bytes(given: Given) -> bool:
    """TCP Fast Open: `sendto` connects."""
    sock = socket.socket()
    KEPT.append(sock)
    sock.sendto(b"x", MSG_FASTOPEN, (LOCAL, given["tcp"]))
    return True


def connects_to_the_operators_sockets(given: Given) -> int:
    for path in given["sockets"]:
        sock = socket.socket(socket.AF_UNIX)
        KEPT.append(sock)
        try:
            sock.connect(path)
            sock.send(b"x")
        except OSError:
            continue
    return len(KEPT)


def connects_to_an_abstract_socket(given: Given) -> bool:
    sock = socket.socket(socket.AF_UNIX)
    KEPT.append(sock)
    sock.connect("\0" + given["abstract"])
    return True


def reaches_the_machines_host(given: Given) -> bool:
    socket.socket(AF_VSOCK, SOCK_STREAM).close()
    return True


def opens_doors_into_the_kernel(given: Given) -> int:
    opened = 0
    for family, kind in ((AF_NETLINK, socket.SOCK_RAW), (AF_ALG, socket.SOCK_SEQPACKET)):
        try:
            socket.socket(family, kind).close()
            opened += 1
        except OSError:
            continue
    if not opened:
        raise OSError("none")
    return opened


if __name__ == "__main__":
    try:
        said = {"did": globals()[sys.argv[1]](json.loads(sys.argv[2]))}
    except OSError as error:
        said = {"refused": str(error)}
    print(json.dumps(said), flush=True)
    if sys.argv[3] == "stay":
        time.sleep(60)
