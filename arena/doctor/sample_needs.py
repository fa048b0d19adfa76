"""The programs with which sample bots of other languages are built and run.

Nothing but the standard library, because it is read where nothing is installed yet.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

NEEDS: Mapping[str, Mapping[str, str]] = {
    "javascript-random": {"node": "nodejs", "npm": "npm"},
    "typescript-random": {"node": "nodejs", "npm": "npm"},
    "c-random": {"gcc": "gcc", "make": "make", "/usr/include/stdio.h": "libc6-dev"},
    "c-search": {"gcc": "gcc", "make": "make", "/usr/include/stdio.h": "libc6-dev"},
    "cpp-random": {
        "g++": "g++",
        "make": "make",
        "cmake": "cmake",
        "/usr/include/msgpack.hpp": "libmsgpack-cxx-dev",
        "/usr/include/gtest/gtest.h": "libgtest-dev",
        "/usr/include/nlohmann/json.hpp": "nlohmann-json3-dev",
    },
    "go-random": {"go": "golang-go", "gofmt": "golang-go"},
    "rust-random": {"cargo": "cargo", "rustc": "rustc"},
    "java-random": {"javac": "default-jdk-headless", "mvn": "maven"},
    # Maven fetches the compiler.
    "kotlin-random": {"javac": "default-jdk-headless", "mvn": "maven"},
    "ruby-random": {"ruby": "ruby"},
    "php-random": {"php": "php-cli"},
}
"""By bot: programs, or absolute paths of files, and the Debian package that brings each."""


def missing(bot: str) -> dict[str, str]:
    """Return a bot's needs that are missing, with the packages; a bot in Python has none."""
    return {need: package for need, package in NEEDS.get(bot, {}).items() if not is_here(need)}


def is_here(need: str) -> bool:
    return Path(need).exists() if need.startswith("/") else shutil.which(need) is not None
