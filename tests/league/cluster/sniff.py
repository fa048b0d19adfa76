"""Everything that crosses the network of one host: `python -m tests.league.cluster.sniff FILE`.

Writes the frames that its interfaces get to a file, until it is ended; `streams` puts the bytes of
connections together.
"""

from __future__ import annotations

import socket
import struct
import sys
from collections import defaultdict
from pathlib import Path

ALL = 3  # ETH_P_ALL
OUTGOING = 4  # PACKET_OUTGOING: on the loopback interface each frame is seen twice
MOST_BYTES = 1 << 17
BUFFER_BYTES = 1 << 28
FORCE = 33  # SO_RCVBUFFORCE: above the limit of this machine
_LENGTH = struct.Struct("!I")
_ETHERNET = 14


def sniff(file: Path) -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL)) as sock:
        sock.setsockopt(socket.SOL_SOCKET, FORCE, BUFFER_BYTES)
        with file.open("wb", buffering=0) as out:
            print("ready", flush=True)
            while True:
                frame, address = sock.recvfrom(MOST_BYTES)
                if address[2] != OUTGOING:
                    out.write(_LENGTH.pack(len(frame)) + frame)


def streams(file: Path) -> list[bytes]:
    """The bytes of each TCP connection and direction, in order."""
    flows: dict[bytes, dict[int, bytes]] = defaultdict(dict)
    data = file.read_bytes()
    at = 0
    while at + _LENGTH.size <= len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        _enter(data[at : at + length], flows)
        at += length
    return [b"".join(parts[number] for number in sorted(parts)) for parts in flows.values()]


def _enter(frame: bytes, flows: dict[bytes, dict[int, bytes]]) -> None:
    packet = frame[_ETHERNET:]
    if frame[12:14] != b"\x08\x00" or len(packet) < 20 or packet[9] != socket.IPPROTO_TCP:
        return
    header = 4 * (packet[0] & 15)
    segment = packet[header : int.from_bytes(packet[2:4], "big") or len(packet)]
    payload = segment[4 * (segment[12] >> 4) :]
    if payload:
        number = int.from_bytes(segment[4:8], "big")
        flows[packet[12:20] + segment[:4]][number] = payload


if __name__ == "__main__":
    sniff(Path(sys.argv[1]))
