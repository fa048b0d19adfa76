"""One try to reach a scheduler, to say in a line what is wrong before Dask says it in fifty.

Name, port, encryption and certificates, by sockets alone.
"""

from __future__ import annotations

import errno
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass

import trio

from arena.groups import leaves
from arena.league.model.config import Tls
from arena.tcp_address import host_and_port

TRY_SECONDS = 10.0
# A scheduler says something as soon as it has let somebody in.
GREETING_SECONDS = 3.0
MOST_BYTES = 1024

# Reasons of OpenSSL where the other side does not speak TLS.
NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL", "HTTP_REQUEST")


@dataclass(frozen=True)
class Unreached:
    """A scheduler was not reached. `may_heal`: it is worth trying again as it is."""

    why: str
    may_heal: bool = False

    @property
    def sentence(self) -> str:
        """Return the reason with a mark at its end, to be followed by another sentence."""
        return self.why if self.why.endswith((".", "?", "!")) else f"{self.why}."


@dataclass(frozen=True)
class FileWords:
    """The names that an operator knows the certificates by: those of `arena worker`, unless told
    otherwise. `given`: with all three. `none`: without any."""

    ca: str = "--tls-ca"
    cert: str = "--tls-cert"
    given: str = "with --tls-ca, --tls-cert and --tls-key"
    none: str = "no --tls- options"


OPTIONS = FileWords()
# Those of a league's file.
KEYS = FileWords(
    "`ca` in [tls]", "`cert` in [tls]", "with `ca`, `cert` and `key` in [tls]", "no [tls]"
)


class FilesDoNotFit(Exception):
    """The files of this machine cannot be used; the text says why."""


async def try_scheduler(
    address: str, tls: Tls | None, words: FileWords = OPTIONS
) -> Unreached | None:
    """Connect to a scheduler once; return what is wrong, None if it lets this machine in."""
    host, port = host_and_port(address.partition("://")[2])
    try:
        context = context_of(tls) if tls is not None else None
    except FilesDoNotFit as error:
        return Unreached(str(error))
    try:
        with trio.fail_after(TRY_SECONDS):
            stream = await trio.open_tcp_stream(host, int(port))
            async with stream:
                if context is not None:
                    return await _encrypted(stream, context, address, words)
                if await _greets(stream):
                    return None
            return await _silent(host, int(port), address, words)
    except trio.TooSlowError:
        why = f"{address} has not answered for {TRY_SECONDS:.0f} s: look at address and firewalls"
        return Unreached(why, may_heal=True)
    except UnicodeError:  # Python's encoding of names of hosts, before anything is looked up
        why = f"no host can be called {host!r}: between two dots stand 1 to 63 characters"
        return Unreached(why)
    except OSError as error:
        return _of_network(next(leaves(error.__cause__ or error)), host, address)


def context_of(tls: Tls) -> ssl.SSLContext:
    """Return a context with these files. Raises FilesDoNotFit."""
    try:
        context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=tls.ca)
    except (ssl.SSLError, OSError) as error:
        raise FilesDoNotFit(f"{tls.ca} holds no certificate of an authority: {error}") from None
    context.check_hostname = False  # as in Dask: the authority signs nothing else
    try:
        context.load_cert_chain(tls.cert, tls.key, password=_refuse)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            why = f"{tls.key} is not the key of {tls.cert}"
        else:
            why = f"{tls.cert} and {tls.key} are no certificate with its key: {error.reason}"
        raise FilesDoNotFit(why) from None
    except OSError as error:
        raise FilesDoNotFit(f"{tls.cert}, {tls.key}: {error.strerror or error}") from None
    return context


def _refuse() -> bytes:
    raise FilesDoNotFit("a key with a passphrase cannot be used here: nobody is there to type it")


def _of_network(error: BaseException, host: str, address: str) -> Unreached:
    """Say what the system says about a connection."""
    if isinstance(error, socket.gaierror):
        may_heal = error.errno == socket.EAI_AGAIN
        return Unreached(f"no host is called {host!r} here ({error.strerror})", may_heal)
    if isinstance(error, OSError) and error.errno == errno.ECONNREFUSED:
        why = f"nothing listens at {address}: is it the right port, and is the scheduler started?"
        return Unreached(why, may_heal=True)
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Unreached(f"{address} cannot be reached: {words}", may_heal=True)


async def _greets(stream: trio.SocketStream) -> bool:
    """Wait for the greeting of a scheduler without encryption."""
    with trio.move_on_after(GREETING_SECONDS), suppress(trio.BrokenResourceError):
        return bool(await stream.receive_some(MOST_BYTES))
    return False


async def _silent(host: str, port: int, address: str, words: FileWords) -> Unreached:
    """Say why no greeting came: from a scheduler with encryption none ever does."""
    if await _speaks_tls(host, port):
        return Unreached(
            f"no scheduler without encryption answers at {address}: if it was started with"
            f" certificates, write tls:// and name yours {words.given}"
        )
    # A scheduler that starts, ends or is busy, or a tunnel with none at its other end.
    why = f"{address} accepts connections and says nothing: is a scheduler there, and started?"
    return Unreached(why, may_heal=True)


async def _speaks_tls(host: str, port: int) -> bool:
    """Begin to shake hands, and see whether the answer is TLS; it may well be a refusal."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    async with await trio.open_tcp_stream(host, port) as stream:
        secured = trio.SSLStream(stream, context, server_hostname="scheduler")
        with trio.move_on_after(GREETING_SECONDS):
            try:
                await secured.do_handshake()
            except trio.BrokenResourceError as broken:
                cause = broken.__cause__
                return isinstance(cause, ssl.SSLError) and "ALERT" in (cause.reason or "")
            return True
    return False


async def _encrypted(
    stream: trio.SocketStream, context: ssl.SSLContext, address: str, words: FileWords
) -> Unreached | None:
    """Shake hands, and wait for the greeting: the certificate of this side is judged after that."""
    secured = trio.SSLStream(stream, context, server_hostname="scheduler", https_compatible=True)
    try:
        await secured.do_handshake()
        greeting = await secured.receive_some(MOST_BYTES)
    except trio.BrokenResourceError as broken:
        return _of_encryption(broken.__cause__, address, words)
    if greeting:
        return None
    return Unreached(
        f"{address} hung up when it had seen the certificate of {words.cert}: it must be of the"
        " scheduler's authority, and valid today",
        # A load balancer, or a scheduler that is just ending, does the same.
        may_heal=True,
    )


def _of_encryption(error: BaseException | None, address: str, words: FileWords) -> Unreached:
    """Say which side did not accept which certificate, or that none were shown."""
    reason = (error.reason or "") if isinstance(error, ssl.SSLError) else ""
    if isinstance(error, ssl.SSLCertVerificationError):
        return Unreached(
            f"the certificate of the scheduler at {address} is not of the authority of {words.ca}"
            f" ({error.verify_message}): give both the files of one authority"
        )
    if "ALERT" in reason:
        alert = reason.partition("ALERT_")[2].replace("_", " ").lower()
        return Unreached(
            f"the scheduler at {address} does not accept the certificate of {words.cert} ({alert}):"
            " it must be of the scheduler's authority, and valid today"
        )
    if reason in NO_TLS:
        return Unreached(
            f"what listens at {address} speaks without encryption: if it is a scheduler, write"
            f" tcp:// and {words.none}, or start it with certificates"
        )
    return Unreached(f"no encrypted connection to {address}: {reason or error}", may_heal=True)
