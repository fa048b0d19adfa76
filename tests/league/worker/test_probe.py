"""One try to reach a scheduler, here a socket: what is wrong is said in a line."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from arena.league.model.config import Tls
from arena.league.worker.probe import Unreached, try_scheduler
from tests.bots.programs import SAFETY_SECONDS

pytest.importorskip("distributed", reason="needs the extra dask")

from arena.league.cluster.security import own_authority  # imports it


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Tls:
    return own_authority(tmp_path_factory.mktemp("ours"))


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Tls:
    return own_authority(tmp_path_factory.mktemp("theirs"))


@asynccontextmanager
async def listening(tls: Tls | None, greeting: bytes = b"hello") -> AsyncIterator[int]:
    """Something that greets whoever it lets in; yields its port."""

    async def greet(stream: trio.abc.Stream) -> None:
        try:
            if greeting:
                await stream.send_all(greeting)
            await stream.receive_some(1)
        except trio.BrokenResourceError:
            pass  # it has not let them in, or they have seen enough

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port: int = listener.socket.getsockname()[1]
    listeners: list[trio.abc.Listener[trio.abc.Stream]] = [listener]
    if tls is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=tls.ca)
        context.load_cert_chain(tls.cert, tls.key)
        context.verify_mode = ssl.CERT_REQUIRED
        listeners = [trio.SSLListener(listener, context, https_compatible=True)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, greet, listeners)
        with trio.fail_after(SAFETY_SECONDS):
            yield port
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def closing(tls: Tls | None) -> AsyncIterator[int]:
    """Something that lets everybody in and hangs up, without a word; yields its port."""

    async def hang_up(stream: trio.abc.Stream) -> None:
        with suppress(trio.BrokenResourceError):
            if isinstance(stream, trio.SSLStream):
                await stream.do_handshake()
            await stream.aclose()

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    listeners: list[trio.abc.Listener[trio.abc.Stream]] = [listener]
    if tls is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(tls.cert, tls.key)
        listeners = [trio.SSLListener(listener, context, https_compatible=True)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, hang_up, listeners)
        with trio.fail_after(SAFETY_SECONDS):
            yield listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()


@contextmanager
def refusing(tls: Tls) -> Iterator[int]:
    """A server of OpenSSL's own, which says why it accepts no certificate; yields its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=tls.ca)
    context.load_cert_chain(tls.cert, tls.key)
    context.verify_mode = ssl.CERT_REQUIRED

    def serve(listener: socket.socket) -> None:
        peer, _ = listener.accept()
        with peer, suppress(ssl.SSLError), context.wrap_socket(peer, server_side=True):
            raise AssertionError("it was let in")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(SAFETY_SECONDS)
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            thread.join()


async def tried(port: int, tls: Tls | None) -> Unreached | None:
    return await try_scheduler(f"{'tls' if tls else 'tcp'}://127.0.0.1:{port}", tls)


async def test_one_that_lets_this_machine_in_is_reached(ours: Tls) -> None:
    async with listening(ours) as port:
        assert await tried(port, ours) is None
    async with listening(None) as port:
        assert await tried(port, None) is None


async def test_a_scheduler_of_another_authority_is_told(ours: Tls, theirs: Tls) -> None:
    async with listening(theirs) as port:
        found = await tried(port, ours)
    assert found is not None
    assert "the certificate of the scheduler at tls://127.0.0.1:" in found.why
    assert "is not of the authority of --tls-ca" in found.why
    assert not found.may_heal


async def test_a_certificate_that_the_scheduler_does_not_accept_is_told(
    ours: Tls, theirs: Tls
) -> None:
    with refusing(theirs) as port:
        found = await tried(port, replace(ours, ca=theirs.ca))
    assert found is not None
    assert "does not accept the certificate of --tls-cert (unknown ca)" in found.why
    assert not found.may_heal


async def test_a_key_of_another_certificate_is_told_without_a_connection(
    ours: Tls, theirs: Tls
) -> None:
    found = await tried(1, replace(ours, key=theirs.key))
    assert found == Unreached(f"{theirs.key} is not the key of {ours.cert}")


async def test_a_file_that_is_no_certificate_is_told(ours: Tls, tmp_path: Path) -> None:
    (tmp_path / "moo.pem").write_text("moo")
    found = await tried(1, replace(ours, ca=tmp_path / "moo.pem"))
    assert found is not None
    assert "moo.pem holds no certificate of an authority" in found.why


async def test_tls_where_none_is_spoken_is_told(ours: Tls) -> None:
    async with listening(None) as port:
        found = await tried(port, ours)
    assert found is not None
    assert "speaks without encryption" in found.why
    assert not found.may_heal


async def test_no_tls_where_it_is_spoken_is_told(ours: Tls) -> None:
    async with listening(ours) as port:
        found = await tried(port, None)
    assert found is not None
    assert "no scheduler without encryption answers" in found.why
    assert "write tls:// and name yours" in found.why
    assert not found.may_heal


async def test_one_that_hangs_up_or_says_nothing_may_be_a_scheduler_that_starts() -> None:
    async with closing(None) as port:
        hung_up = await tried(port, None)
    async with listening(None, greeting=b"") as port:
        silent = await tried(port, None)
    for found in (hung_up, silent):
        assert found is not None
        assert "accepts connections and says nothing: is a scheduler there" in found.why
        assert found.may_heal


async def test_one_that_hangs_up_after_the_certificates_may_be_a_scheduler_that_ends(
    ours: Tls,
) -> None:
    async with closing(ours) as port:
        found = await tried(port, ours)
    assert found is not None
    assert "hung up when it had seen the certificate of --tls-cert" in found.why
    assert found.may_heal


async def test_a_port_where_nothing_listens_is_told_and_may_heal() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        found = await tried(port, None)
    assert found is not None
    assert found.why.startswith(f"nothing listens at tcp://127.0.0.1:{port}")
    assert found.may_heal


async def test_a_host_that_nobody_knows_is_told() -> None:
    found = await try_scheduler("tcp://no-such-host.invalid:8786", None)
    assert found is not None
    assert found.why.startswith("no host is called 'no-such-host.invalid' here")


@pytest.mark.parametrize("host", ["a..b", "a" * 64])
async def test_a_host_that_can_have_no_such_name_is_told(host: str) -> None:
    found = await try_scheduler(f"tcp://{host}:8786", None)
    assert found == Unreached(
        f"no host can be called {host!r}: between two dots stand 1 to 63 characters"
    )


def test_a_reason_ends_with_a_mark_where_a_sentence_follows() -> None:
    assert Unreached("nobody is here").sentence == "nobody is here."
    assert Unreached("is it started?").sentence == "is it started?"
