"""The options of `arena match` about output: `--stderr`, `--logs` and `--quiet`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce, wraps
from pathlib import Path
from typing import Any

import click

from arena.bots.processes import OnPrinted
from arena.cli.printed.lines import Lines
from arena.text import listed, plain

# The files of a bot in its folder, newest first; the warden writes them.
STREAMS = ("stderr", "stdout")
FILES = tuple(f"{stream}{end}.txt" for stream in STREAMS for end in ("", ".1"))

# In the order of the help.
OPTIONS = (
    click.option(
        "--stderr",
        "is_shown",
        is_flag=True,
        help="Print what the bots print, each line with its bot, as it comes; on standard error.",
    ),
    click.option(
        "--logs",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Keep what the bots print: FOLDER/NAME/stderr.txt and stdout.txt.",
    ),
    click.option(
        "--quiet",
        "is_quiet",
        is_flag=True,
        help="Print only the result; faults go to standard error.",
    ),
)


@dataclass(frozen=True)
class AskedOutput:
    """What was asked for about the output of bots, and of the command.

    `lines`: prints the lines of bots, None where they are not to be shown. `logs`: the folder in
    which each bot gets a folder for its output. `is_told`: say at the end where the output is.
    """

    lines: Lines | None
    logs: Path | None
    is_quiet: bool
    is_told: bool

    @property
    def on_printed(self) -> OnPrinted | None:
        return self.lines

    def make_folders(self, names: Sequence[str]) -> Mapping[str, Path]:
        """Make the folders of these bots, without files of a match before, and return them."""
        if self.logs is None:
            return {}
        folders = {name: self.logs.absolute() / name for name in names}
        try:
            for folder in folders.values():
                folder.mkdir(parents=True, exist_ok=True)
                for file in FILES:
                    (folder / file).unlink(missing_ok=True)
        except OSError as error:
            raise click.BadParameter(
                f"{error.filename} cannot be made or emptied: {error.strerror}. Name a folder that"
                " you may write to, such as logs",
                param_hint="--logs",
            ) from None
        return folders

    def end(self, printed: Mapping[str, int]) -> None:
        """Print what is left of lines, and where the output is.

        `printed`: by bot the number of bytes; its processes have ended.
        """
        if self.lines is not None:
            self.lines.end()
        if self.is_told:
            for line in self.told(printed):
                with suppress(OSError):  # nobody reads standard error
                    click.echo(line, err=True)

    def told(self, printed: Mapping[str, int]) -> Iterator[str]:
        """Yield lines that say where the output of these bots is."""
        some = {name: count for name, count in printed.items() if count}
        if self.logs is None:
            if some and self.lines is None:
                names = listed(plain(name) for name in some)
                yield (
                    f"{names} printed {sum(some.values()):,} bytes: --stderr shows them as they"
                    " come, --logs FOLDER keeps them"
                )
            return
        for name, count in some.items():
            kept = [self.logs / name / file for file in FILES if (self.logs / name / file).exists()]
            where = listed(plain(str(file)) for file in kept) if kept else "could not be written"
            yield f"{plain(name)} printed {count:,} bytes: {where}"


def options_of_output(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options; it gets them as one argument `output`."""

    @wraps(command)
    def with_output(
        *arguments: Any,
        is_shown: bool,
        logs: Path | None,
        is_quiet: bool,
        as_json: bool,
        **others: Any,
    ) -> None:
        if is_quiet and is_shown:
            raise click.UsageError("--quiet prints only the result, and --stderr more: take one")
        # Beside a document nothing is said: whoever reads both as one would not find it whole.
        is_told = not is_quiet and not as_json
        output = AskedOutput(Lines() if is_shown else None, logs, is_quiet, is_told)
        command(*arguments, output=output, as_json=as_json, **others)

    return reduce(lambda inner, option: option(inner), reversed(OPTIONS), with_output)
