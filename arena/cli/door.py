"""`arena door`: takes in bots over TLS and WebSockets for a league, or any other server of bots."""

from __future__ import annotations

import logging
import re
import signal
import sys
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.leagues import find_league
from arena.door.bounds import MOST, MOST_OF_AN_ADDRESS
from arena.exits import INTERRUPTED
from arena.tcp_address import TCP_PATTERN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.door.door import DoorTerms
    from arena.door.places import ListenPlace


@click.command("door")
@click.argument("to", metavar="LEAGUE|ADDRESS")
@click.option(
    "--listen",
    "places",
    multiple=True,
    required=True,
    metavar="PLACE",
    help="tls:HOST:PORT, wss:HOST:PORT or ws:HOST:PORT; may be repeated.",
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The certificate chain for tls: and wss:, in PEM.",
)
@click.option(
    "--key",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Its key, in PEM, without a password.",
)
@click.option(
    "--trust",
    "trusted",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For tells the address of a bot; may be repeated.",
)
@click.option(
    "--most",
    type=click.IntRange(1, 65_536),
    default=MOST,
    show_default=True,
    metavar="N",
    help="Connections in all.",
)
@click.option(
    "--most-of-an-address",
    type=click.IntRange(1, 65_536),
    default=MOST_OF_AN_ADDRESS,
    show_default=True,
    metavar="N",
    help="Connections of one address; of IPv6 a network of 64 bits.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    to: str,
    places: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
    trusted: tuple[str, ...],
    most: int,
    most_of_an_address: int,
) -> None:
    """Take in bots over TLS or WebSockets, and hand them on to LEAGUE, or to a server of bots at
    ADDRESS, tcp:HOST:PORT.

    tls: and wss: need a certificate; SIGHUP has it read again. ws: is for a proxy on this machine
    that takes the TLS off. The door of a league runs as the user who plays the league; the league
    may begin and end meanwhile, and credits its bots for the time that the door takes. If the door
    ends, no bot loses anything: sets in play are void, and bots dial in again.

    \b
    Examples:
      arena door cup --listen wss:0.0.0.0:443 --certificate fullchain.pem --key privkey.pem
      arena door cup --listen ws:127.0.0.1:8001 --trust 127.0.0.1
      arena door tcp:127.0.0.1:4000 --listen tls:0.0.0.0:4001 --certificate c.pem --key k.pem
    """
    # Imported here and not at the top: the import is slow, and --help does not need it.
    from arena.door.certificates import BadCertificate, Certificate
    from arena.door.door import DoorTerms
    from arena.door.places import ListenPlace
    from arena.door.referees import Beyond, NoReferee

    try:
        wanted = [ListenPlace.of(each) for each in places]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--listen") from None
    encrypted = next((each for each in wanted if each.is_encrypted), None)
    if encrypted is not None and (certificate is None or key is None):
        raise click.UsageError(f"{encrypted} needs --certificate and --key")
    if encrypted is None and (certificate is not None or key is not None):
        given = "--certificate" if certificate is not None else "--key"
        raise click.UsageError(
            f"{given} is of no use with {wanted[0]}, which is not encrypted: leave it out where a"
            " proxy takes the TLS off, or listen at wss: instead"
        )
    beyond = Beyond(to if re.match(TCP_PATTERN, to) else find_league(to))
    read = None
    try:
        if encrypted is not None and certificate is not None and key is not None:
            read = Certificate(certificate, key)
        beyond.check()
    except (BadCertificate, NoReferee) as error:
        raise click.ClickException(str(error)) from None
    terms = DoorTerms(
        beyond,
        read,
        frozenset(_address(each) for each in trusted),
        most,
        most_of_an_address,
    )
    logging.basicConfig(format="%(message)s", stream=sys.stderr, level=logging.INFO)
    raise SystemExit(_keep(wanted, terms))


def _address(text: str) -> str:
    """Return an IP address in its one written form."""
    try:
        return str(ip_address(text))
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is no IP address, such as 127.0.0.1", param_hint="--trust"
        ) from None


def _keep(places: Sequence[ListenPlace], terms: DoorTerms) -> int:
    """Keep the door open until a signal ends it; return the exit code."""
    import trio

    from arena.door.door import CannotOpen

    try:
        return trio.run(partial(_open, places, terms))
    except* CannotOpen as error:
        why = str(error.exceptions[0])
        raise click.ClickException(why) from None


async def _open(places: Sequence[ListenPlace], terms: DoorTerms) -> int:
    import trio

    from arena.door.certificates import BadCertificate
    from arena.door.door import open_door
    from arena.referee.door.descriptors import raise_limit

    raise_limit()
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    with trio.open_signal_receiver(*signals) as receiver:
        async with open_door(places, terms) as door:
            for place in door.places:
                click.echo(f"open at {place}, to {terms.beyond}", err=True)
            async for each in receiver:
                if each != signal.SIGHUP:
                    return INTERRUPTED if each == signal.SIGINT else 0
                if terms.certificate is not None:
                    try:
                        terms.certificate.reload()
                        click.echo("the certificate was read again", err=True)
                    except BadCertificate as error:
                        click.echo(f"the old certificate stays in use: {error}", err=True)
    raise AssertionError("not reached")
