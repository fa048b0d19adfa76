"""The sample bots that need a toolchain of their own: what it is, and how each is tested.

    python -m tests.sample_bots.languages

prints the Debian packages that are missing here, for `.ci/run` to install. What Debian 12 has
must do: a bot may not ask for a newer compiler than that.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One bot; its commands are run in a copy of its folder that was built as bot.toml says."""

    folder: str
    needs: Mapping[str, str]
    """Programs, or absolute paths of files, and the Debian package that brings each."""
    tests: tuple[str, ...]
    """Runs its own tests; ARENA_VECTORS is set."""
    formatted: tuple[str, ...] = ()
    """Fails if the language's formatter would change a file; left out where the tool is not."""

    def missing(self) -> dict[str, str]:
        """What of its needs is not here."""
        return {need: package for need, package in self.needs.items() if not is_here(need)}


def is_here(need: str) -> bool:
    return Path(need).exists() if need.startswith("/") else shutil.which(need) is not None


ROWS: tuple[Row, ...] = (
    Row(
        "javascript-random",
        {"node": "nodejs", "npm": "npm"},
        ("npm", "test"),
        ("sh", "-c", "npm ci && npx prettier --check ."),
    ),
    Row(
        "typescript-random",
        {"node": "nodejs", "npm": "npm"},
        ("npm", "test"),
        ("npx", "prettier", "--check", "src", "package.json", "tsconfig.json", "README.md"),
    ),
    Row(
        "c-random",
        {"gcc": "gcc", "make": "make", "/usr/include/stdio.h": "libc6-dev"},
        ("make", "test"),
        (
            *("clang-format", "--dry-run", "-Werror", "bot.c", "wire.c", "wire.h"),
            *("msgpack.c", "msgpack.h", "tests/json.c", "tests/json.h", "tests/vectors.c"),
        ),
    ),
    Row(
        "cpp-random",
        {
            "g++": "g++",
            "make": "make",
            "cmake": "cmake",
            "/usr/include/msgpack.hpp": "libmsgpack-cxx-dev",
            "/usr/include/gtest/gtest.h": "libgtest-dev",
            "/usr/include/nlohmann/json.hpp": "nlohmann-json3-dev",
        },
        (
            "sh",
            "-c",
            "cmake -B build -DBUILD_TESTING=ON && cmake --build build"
            " && ctest --test-dir build --output-on-failure",
        ),
        (
            *("clang-format", "--dry-run", "-Werror"),
            *("bot.cpp", "wire.cpp", "wire.hpp", "tests/vectors.cpp"),
        ),
    ),
    Row(
        "go-random",
        {"go": "golang-go", "gofmt": "golang-go"},
        ("sh", "-c", "go vet . && go test -count=1 ."),
        # gofmt lists the files that it would change, and succeeds all the same.
        ("sh", "-c", 'test -z "$(gofmt -l .)"'),
    ),
    Row(
        "rust-random",
        {"cargo": "cargo", "rustc": "rustc"},
        ("cargo", "test", "--release", "--locked"),
        ("rustfmt", "--check", "--edition", "2021", "src/main.rs"),
    ),
    Row(
        "java-random",
        {"javac": "default-jdk-headless", "mvn": "maven"},
        ("mvn", "-q", "-B", "test"),
        ("mvn", "-q", "-B", "fmt:check"),
    ),
)


def main() -> None:
    print(*sorted({package for row in ROWS for package in row.missing().values()}))


if __name__ == "__main__":
    main()
