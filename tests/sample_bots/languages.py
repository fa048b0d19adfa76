"""The sample bots that need a toolchain of their own: what it is, and how each is tested.

    python -m tests.sample_bots.languages

prints the Debian packages that are missing here, for `.ci/run` to install. What Debian 13 has
must do: a bot may not ask for a newer compiler than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.doctor import sample_needs


@dataclass(frozen=True)
class Idea:
    """The one line that puts the second example, `high`, where the author's idea goes."""

    file: str
    before: str
    """A part of it that stands there once, and in README too."""
    after: str


@dataclass(frozen=True)
class Row:
    """One bot; its commands are run in a copy of its folder that was built as bot.toml says."""

    folder: str
    tests: tuple[str, ...]
    """Runs its own tests, with the vectors of ARENA_VECTORS where it is set."""
    formatted: tuple[str, ...] = ()
    """Fails if the language's formatter would change a file; left out where the tool is not."""
    reads: tuple[str, ...] = ()
    """Folders of its toolchain below the home folder, for those who install it themselves."""
    idea: Idea | None = None
    """What its README says of the second example; a bot that nobody copies has none."""

    @property
    def needs(self) -> Mapping[str, str]:
        """Programs, or absolute paths of files, and the Debian package that brings each."""
        return sample_needs.NEEDS.get(self.folder, {})

    def missing(self) -> dict[str, str]:
        """What of its needs is not here."""
        return sample_needs.missing(self.folder)


ROWS: tuple[Row, ...] = (
    Row(
        "javascript-random",
        ("npm", "test"),
        # The types are checked here too: `arena` builds it without the compiler.
        ("sh", "-c", "npm ci && npx prettier --check . && npm run check"),
        reads=(".nvm",),
        idea=Idea(
            "decide.js",
            "return legal[Math.floor(Math.random() * legal.length)];",
            "return high(request);",
        ),
    ),
    Row(
        "typescript-random",
        ("npm", "test"),
        ("npx", "prettier", "--check", "src", "package.json", "tsconfig.json", "README.md"),
        reads=(".nvm",),
        idea=Idea(
            "src/decide.ts",
            "return legal[Math.floor(Math.random() * legal.length)]!;",
            "return high(request);",
        ),
    ),
    Row(
        "c-random",
        ("make", "test", "STRICT=-Werror"),
        (
            *("clang-format", "--dry-run", "-Werror", "bot.c", "decide.c", "decide.h", "high.c"),
            *("cards.c", "cards.h", "views.c", "views.h", "tests/fuzz.c", "tests/json.c"),
            *("tests/json.h", "tests/load.c", "tests/load.h", "tests/vectors.c"),
            *("wire/connection.c", "wire/connection.h", "wire/fields.c", "wire/fields.h"),
            *("wire/frames.c", "wire/frames.h", "wire/messages.c", "wire/messages.h"),
            *("wire/msgpack.c", "wire/msgpack.h"),
        ),
        idea=Idea(
            "decide.c",
            "return request->legal[rand() % request->legal_count];",
            "return high(request);",
        ),
    ),
    Row(
        "c-search",
        ("make", "test", "STRICT=-Werror"),
        (
            *("clang-format", "--dry-run", "-Werror", "decide.c", "tricks.c", "tricks.h"),
            *("search.c", "search.h", "worlds.c", "worlds.h", "rollout.c", "rollout.h"),
            *("thought.c", "thought.h", "covering.c", "covering.h", "chance.c", "chance.h"),
            *("seen.c", "seen.h", "deck.c", "deck.h"),
        ),
    ),
    Row(
        "cpp-random",
        (
            "sh",
            "-c",
            "cmake -B build -DBUILD_TESTING=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON"
            " && cmake --build build && ctest --test-dir build --output-on-failure",
        ),
        (
            *("clang-format", "--dry-run", "-Werror", "bot.cpp", "decide.cpp", "decide.hpp"),
            *("high.cpp", "cards.cpp", "cards.hpp", "views.cpp", "views.hpp", "tests/vectors.cpp"),
            *("wire/connection.cpp", "wire/connection.hpp", "wire/frames.cpp", "wire/frames.hpp"),
            *("wire/messages.cpp", "wire/messages.hpp"),
        ),
        idea=Idea("decide.cpp", "return by_lot(request);", "return high(request);"),
    ),
    Row(
        "go-random",
        ("sh", "-c", "go vet . && go test -count=1 ."),
        # gofmt lists the files that it would change, and succeeds all the same.
        ("sh", "-c", 'test -z "$(gofmt -l .)"'),
        idea=Idea("decide.go", "return request.Lot()", "return high(request)"),
    ),
    Row(
        "rust-random",
        ("cargo", "test", "--release", "--locked"),
        ("rustfmt", "--check", "--edition", "2024", "src/main.rs"),
        # Not all of .cargo: the tokens of registries lie there.
        reads=(".cargo/bin", ".rustup"),
        idea=Idea("src/decide.rs", "Ok(request.lot())", "crate::high::high(request)"),
    ),
    Row(
        "ruby-random",
        ("ruby", "-w", "tests/all.rb"),
        ("rubocop",),
        idea=Idea("decide.rb", "request.legal.sample", "high(request)"),
    ),
    Row(
        "php-random",
        ("php", "tests/all.php"),
        ("phpcs",),
        idea=Idea("decide.php", "$request->legal[array_rand($request->legal)]", "high($request)"),
    ),
    Row(
        "java-random",
        ("mvn", "-q", "-B", "test"),
        ("mvn", "-q", "-B", "fmt:check"),
        idea=Idea(
            "src/main/java/bot/Decide.java",
            "return byLot(request.legal());",
            "return High.high(request);",
        ),
    ),
    Row(
        "kotlin-random",
        ("mvn", "-q", "-B", "test"),
        ("mvn", "-q", "-B", "spotless:check"),
        idea=Idea(
            "src/main/kotlin/bot/Decide.kt",
            "return request.legal.random()",
            "return high(request)",
        ),
    ),
)

# The starter in Python needs nothing that is not there already.
STARTER_ROWS = (
    Row(
        "python-random",
        ("python3", "-m", "unittest"),
        idea=Idea("bot.py", "from decide import decide", "from high import high as decide"),
    ),
    *(row for row in ROWS if row.idea is not None),
)


def main() -> None:
    print(*sorted({package for row in ROWS for package in row.missing().values()}))


if __name__ == "__main__":
    main()
