"""TLS between the machines of a cluster: the files of a private authority, as Dask takes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arena.league.model.config import Tls

if TYPE_CHECKING:
    from distributed.security import Security


def security_of(tls: Tls | None) -> Security | None:
    """Return what Dask needs for TLS; None without files: then its own configuration holds.

    Raises OSError for a file that cannot be read.
    """
    if tls is None:
        return None
    for file in (tls.ca, tls.cert, tls.key):
        file.open("rb").close()
    from distributed.security import Security

    ca, cert, key = str(tls.ca), str(tls.cert), str(tls.key)
    return Security(
        require_encryption=True,
        tls_ca_file=ca,
        **{
            f"tls_{role}_{what}": path
            for role in ("client", "worker", "scheduler")
            for what, path in (("cert", cert), ("key", key))
        },
    )


def own_authority(folder: Path) -> Tls:
    """Write the files of an authority that is good for one run, into a private folder."""
    from distributed.security import Security

    made = Security.temporary()
    files = Tls(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    contents = (made.tls_ca_file, made.tls_client_cert, made.tls_client_key)
    for file, content in zip((files.ca, files.cert, files.key), contents, strict=True):
        assert content is not None
        file.touch(mode=0o600)
        file.write_text(content)
    return files
