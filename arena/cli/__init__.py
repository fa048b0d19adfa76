"""The command line: one file a command, each loaded only when it is called.

So `arena --help` does not load an event loop, and a command loads only the modules it uses.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from arena import __version__
from arena.cli.encoding import take_any_text
from arena.cli.unusable import unusable
from arena.exits import INTERRUPTED, is_interrupt
from arena.text import did_you_mean

# In the order in which `arena --help` lists them; each is COMMAND in its module.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("arena.cli.init", "Write a league.toml with the bots of this folder."),
    "league": ("arena.cli.league", "Play a league to its end and publish it."),
    "table": ("arena.cli.table", "Show a league's table."),
    "watch": ("arena.cli.watch", "Show the table of a running league, kept up to date."),
    "matches": ("arena.cli.matches", "List a league's matches, and the evidence of faults."),
    "serve": ("arena.cli.serve", "Serve leagues on the web, live."),
    "export": ("arena.cli.export", "Write a league's decisions as numbers, to learn from."),
    "publish": ("arena.cli.publish", "Write a league's table and pages to a folder."),
    "admit": ("arena.cli.control.admit", "Admit a bot to a league, or merge its edited file."),
    "retire": ("arena.cli.control.retire", "Retire a bot from a league."),
    "invite": ("arena.cli.control.invite", "Invite a bot that dials in, and print its token once."),
    "who": ("arena.cli.control.who", "Tell which bots are in a league now."),
    "door": ("arena.cli.door", "Take in bots over TLS and WebSockets."),
    "tokens": ("arena.cli.tokens", "List the tokens of bots that dial in, renew or revoke one."),
    "worker": ("arena.cli.worker", "Play sets of leagues that run on other machines."),
    "verify": ("arena.cli.verify", "Check a league: every deal, move, result and event."),
    "games": ("arena.cli.games", "List the rule sets, their options and actions."),
    "spec": ("arena.cli.spec", "Print SPEC.md, all that the author of a bot needs."),
    "new-bot": ("arena.cli.new_bot", "Make a bot to begin with, in the language you like."),
    "match": ("arena.cli.match", "Play a match, or sets of them, between bots."),
    "evaluate": ("arena.cli.evaluate", "Evaluate a policy of Python against bots: its Elo."),
    "build": ("arena.cli.build", "Build bots before they are needed; list or remove the builds."),
    "check": ("arena.cli.check", "Check that a bot does what SPEC.md says, step by step."),
    "replay": ("arena.cli.replay", "Tell a recorded match again."),
    "ask": ("arena.cli.judging.ask", "Ask a bot for the decisions of a recorded match."),
    "judge": ("arena.cli.judging.judge", "Find the mistakes in a recorded match."),
    "evidence": ("arena.cli.fetched.command", "Fetch the evidence of your bot's faults."),
    "doctor": ("arena.cli.doctor", "Try what can be promised of bots on this machine."),
}


class Commands(click.Group):
    """Commands by name, loaded when they are called. A misspelt name is answered with the
    nearest."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run as click does, with standard streams that take any text."""
        take_any_text()
        return super().main(*args, **extra)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).COMMAND
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"there is no command {args[0]!r}.{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. Ctrl-C ends one that does not handle it with a word, and its exit code.
        A path that the system does not let it use ends it with the path and the reason."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, RuntimeError) as error:
            if not is_interrupt(error):
                raise
            click.echo("stopped", err=True)
            raise SystemExit(INTERRUPTED) from None
        except OSError as error:
            if (words := unusable(error)) is None:
                raise
            raise click.ClickException(words) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for name, (_, help_) in COMMANDS.items()])


def print_version(ctx: click.Context, _option: click.Parameter, is_asked: bool) -> None:
    if not is_asked or ctx.resilient_parsing:
        return
    # Late, because no other command without a match needs the rules.
    from arena.games.compiled import is_compiled

    click.echo(f"arena, version {__version__}{', rules compiled' if is_compiled() else ''}")
    ctx.exit()


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Pit card-playing programs against each other, honestly and fast."""
