"""The variables that a build gets besides those of every bot, as tables.

A build runs an author's code, so it gets no password and no name of a server in a private network.
Left out on purpose: proxies (HTTPS_PROXY and the like), which lead to every address that the proxy
reaches; tokens (NODE_AUTH_TOKEN, CARGO_REGISTRY_TOKEN, NPM_TOKEN); folders of caches (CARGO_HOME,
GOPATH, GOCACHE, XDG_CACHE_HOME), because one build could leave something there for another. Those
lie below HOME by default, and HOME of a confined build is its own scratch folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.bots.confine.needs import TOOL_HOMES

CERTIFICATES: Mapping[str, str] = {
    "SSL_CERT_FILE": "the certificates of OpenSSL, and so of Python and Rust; Go reads it too",
    "SSL_CERT_DIR": "the same as a folder",
    "CURL_CA_BUNDLE": "of curl, which cmake uses",
    "REQUESTS_CA_BUNDLE": "of Python's requests",
    "PIP_CERT": "of pip",
    "NODE_EXTRA_CA_CERTS": "of Node, which has its own certificates and adds these",
    "CARGO_HTTP_CAINFO": "of cargo",
    "GIT_SSL_CAINFO": "of git, for packages that are fetched from a repository",
}
"""Where certificates are, on a machine whose network has one of its own. Builds may read them."""

REGISTRIES: Mapping[str, str] = {
    "GOPROXY": "where Go fetches modules",
    "GOSUMDB": "who vouches for them",
    "npm_config_registry": "where npm fetches packages",
    "NPM_CONFIG_REGISTRY": "the same, as npm's manual writes it",
    "PIP_INDEX_URL": "where pip fetches packages",
    "CARGO_REGISTRIES_CRATES_IO_PROTOCOL": "how cargo reads the index of crates.io",
}
"""Where packages come from. One with a password in it (an `@`) is left out."""

TOOLCHAINS: Mapping[str, str] = {
    "RUSTUP_HOME": "where rustup has its toolchains",
    "RUSTUP_TOOLCHAIN": "the one that cargo and rustc run",
    "RUSTUP_AUTO_INSTALL": "0: a toolchain that is missing is an error and not a download",
    "GOTOOLCHAIN": "local: a newer Go that go.mod asks for is an error and not a download",
    "PYENV_ROOT": "where pyenv has its Pythons",
    "PYENV_VERSION": "the one that python3 runs",
    "NVM_DIR": "where nvm has its Nodes",
    "CC": "the C compiler of make and cmake",
    "CXX": "the C++ compiler",
}
"""Which compilers are used. Their values are part of a build's identity."""

OF_BUILDS = (*CERTIFICATES, *REGISTRIES, *TOOLCHAINS)

# Of `inherited_env`: these choose a toolchain too.
CHOOSING = (*TOOLCHAINS, "JAVA_HOME", "GOROOT")

GOFLAGS = "-trimpath -buildvcs=false"
"""Go writes the folder of a build into its program, and the commit of a repository around it,
unless it is told this."""


def variables(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """Return what a build gets out of the environment of arena. `home`: the operator's."""
    found = {
        name: str(home / below)
        for name, below in TOOL_HOMES.items()
        if os.path.isdir(home / below)  # unlike that of Path, also in a folder that is closed
    }
    found |= {name: environ[name] for name in OF_BUILDS if name in environ}
    for name in REGISTRIES:
        if "@" in found.get(name, ""):
            del found[name]
    return {"GOFLAGS": GOFLAGS, **found}


def below_home(home: Path) -> dict[str, str]:
    """Return the variables of programs that look for their home elsewhere than in HOME.

    Java asks the list of users, in which a confined build is not.
    """
    return {"MAVEN_OPTS": f"-Duser.home={home}", "GRADLE_USER_HOME": str(home / ".gradle")}


def certificates(env: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files and folders of certificates that a build is to read."""
    for name in CERTIFICATES:
        path = env.get(name, "")
        if os.path.isabs(path) and os.path.exists(path):
            yield Path(path)
