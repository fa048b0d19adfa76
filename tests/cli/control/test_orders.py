"""The commands that order something of a league: at rest, and while somebody plays it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import click
import pytest
import trio
from click.testing import CliRunner

from arena.cli import main
from arena.cli.control import order
from arena.league.control.acts import (
    Act,
    Admit,
    AdmitAgain,
    Invite,
    Merge,
    Renew,
    Retire,
    Revoke,
    Tokens,
    Told,
    Who,
)
from arena.league.control.socket import open_control
from arena.league.entry.opening import open_league
from arena.league.file.reading import read_league
from arena.league.file.tokens import names_of_files
from arena.league.store import events
from arena.league.store.folder import DATABASE, folder_of
from arena.league.store.lock import locked
from arena.league.store.reader import Reader
from arena.league.store.store import Store
from tests.cli.test_main import run

DOCUMENT = Path(__file__).parents[3] / "docs" / "league.md"
TEXT = """
game = "nyet"
seats = 2
duplicate = false
listen = "tcp:127.0.0.1:4000"

[[bots]]
name = "fox"
sample = "python-random"

[[bots]]
name = "owl"
sample = "python-bare"

[[bots]]
name = "crow"
sample = "python-bare"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a league that was begun, and rests."""
    file = tmp_path / "cup.toml"
    file.write_text(TEXT)
    open_league(read_league(file), folder_of(file)).close()
    return file


def taking_part(file: Path) -> list[str]:
    with Reader.read(folder_of(file) / DATABASE) as store:
        return [name for name, _ in store.roster().taking_part]


def test_a_bot_is_admitted_retired_and_admitted_again_at_rest(file: Path) -> None:
    cup = str(file.with_suffix(""))
    assert run("admit", cup, "hen", "--sample", "python-high", "--owner", "ann") == (
        0,
        "hen is admitted; its owner is ann\n"
        "all sets are planned: raise `sets` in cup.toml, and hen will play\n",
    )
    assert taking_part(file) == ["fox", "owl", "crow", "hen"]
    code, said = run("retire", cup, "hen")
    assert (code, said) == (
        0,
        "hen is retired; sets with it that are not played any more: 0\n",
    )
    assert taking_part(file) == ["fox", "owl", "crow"]
    assert run("retire", cup, "hen") == (1, "Error: hen is retired already\n")
    assert run("admit", cup, "hen") == (
        0,
        "hen takes part again\n",
    )
    assert taking_part(file) == ["fox", "owl", "crow", "hen"]


def test_an_edited_file_is_merged_and_what_changed_is_told(file: Path) -> None:
    assert run("admit", str(file)) == (0, "cup.toml has nothing new\n")
    file.write_text('name = "Bowl"\n' + TEXT + '[[bots]]\nname = "hen"\nsample = "python-high"\n')
    code, said = run("admit", str(file))
    assert (code, said.splitlines()[:2]) == (
        0,
        [
            f"`name` was {file.parent.name!r} and is now 'Bowl'",
            "hen is admitted; its owner is hen",
        ],
    )
    assert taking_part(file) == ["fox", "owl", "crow", "hen"]


def test_a_path_is_as_seen_from_where_the_command_is_given(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = tmp_path / "bots" / "hen" / "bot.toml"
    bot.parent.mkdir(parents=True)
    bot.write_text('name = "any"\ncommand = ["python3", "hen.py"]\ngames = "any"\n')
    monkeypatch.chdir(bot.parent)
    assert run("admit", str(file), "hen", "--path", ".")[0] == 0
    with Store.open(folder_of(file) / DATABASE) as store:
        assert store.admitted() == {"hen": {"name": "hen", "path": "bots/hen"}}


def test_an_invitation_is_printed_with_the_token_and_is_in_no_file(file: Path) -> None:
    code, said = run("invite", str(file), "hen", "--owner", "ann", "--expires", "2126-01-31")
    lines = said.splitlines()
    assert code == 0
    assert lines[0] == "hen is admitted; its owner is ann"
    assert [line.split("=")[0].strip() for line in lines[-3:]] == [
        *("ARENA_RETRY_S", "ARENA_CONNECT", "ARENA_TOKEN"),
    ]
    assert [*names_of_files(folder_of(file))] == []
    listed = run("tokens", str(file))[1]
    assert listed.startswith("hen: valid, since 20")
    assert listed.endswith(", until 2126-01-31T00:00:00Z\n")
    assert lines[-1].split("=")[1] not in listed
    code, said = run("tokens", str(file), "--renew", "hen")
    assert (code, said.splitlines()[-1].split("=")[0].strip()) == (0, "ARENA_TOKEN")
    assert said.splitlines()[-1] != lines[-1]


def test_bots_are_invited_to_a_league_that_was_not_begun_yet(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('game = "nyet"\nformat = "ladder"\nlisten = "tcp:127.0.0.1:4000"\n')
    assert run("retire", str(file), "hen")[0] == 2
    assert not folder_of(file).exists()
    for name in ("hen", "pig"):
        assert run("invite", str(file), name)[0] == 0
    assert taking_part(file) == ["hen", "pig"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("admit", "{cup}", "fox", "--sample", "python-bare"), 1, "fox is in this league already"),
        (("admit", "{cup}", "pig"), 2, "'pig' is no bot of this league that was retired; for a"),
        (("admit", "{cup}", "pig", "--owner", "ann"), 2, "--owner is for a new bot"),
        (
            ("admit", "{cup}", "pig", "--sample", "x", "--path", "y"),
            2,
            "write only one of --path, --sample",
        ),
        (("admit", "{cup}", "--path", "y"), 2, "NAME --path y"),
        (("admit", "{cup}", "pig", "--path", "gone"), 1, "there is no "),
        (("admit", "{cup}x", "pig"), 2, "Did you mean"),
        (("retire", "{cup}", "foxx"), 2, "is no bot of this league. Did you mean 'fox'?"),
        (("invite", "{cup}", "fox"), 1, "fox is in this league already"),
        (("invite", "{cup}", "pig", "--expires", "2026-01-31"), 2, "--expires is over already"),
    ],
)
def test_what_cannot_be_is_said_in_words(
    file: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    cup = str(file.with_suffix(""))
    given, said = run(*(each.format(cup=cup) for each in arguments))
    assert (given, words in " ".join(said.split())) == (code, True), said
    assert taking_part(file) == ["fox", "owl", "crow"]


def test_an_invitation_without_an_address_is_refused_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text("\n".join(line for line in TEXT.splitlines() if "listen" not in line))
    open_league(read_league(file), folder_of(file)).close()
    code, said = run("invite", str(file), "hen")
    assert (code, 'For instance: listen = "tcp:127.0.0.1:4000"' in said) == (1, True), said


def test_a_bot_that_could_remember_the_cards_is_refused_until_the_file_allows_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "cup.toml"
    text = TEXT.replace("duplicate = false\n", "")
    file.write_text(text)
    open_league(read_league(file), folder_of(file)).close()
    code, said = run("invite", str(file), "hen")
    assert (code, "If that will do, write duplicate = true into cup.toml" in said) == (1, True)
    file.write_text(f"duplicate = true\n{text}")
    assert run("invite", str(file), "hen")[0] == 0


class Waited:
    """A clock that goes on while somebody sleeps, and a time after which something happens."""

    def __init__(self, seconds: float, then: Callable[[], object]) -> None:
        self.now = 0.0
        self._until, self._then = seconds, then

    def sleep(self, seconds: float) -> None:
        before, self.now = self.now, self.now + seconds
        if before < self._until <= self.now:
            self._then()

    def performed(self, file: Path) -> Told:
        return order.performed(
            Retire("fox"), file, folder_of(file), clock=lambda: self.now, sleep=self.sleep
        )


RETIRED = "fox is retired; sets with it that are not played any more: "


@pytest.mark.parametrize(("seconds", "is_told"), [(0.5, False), (7.0, True)])
def test_an_order_waits_for_a_run_that_ends_and_is_performed_then(
    file: Path, seconds: float, is_told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a second the operator is told, once, why nothing happens."""
    with ExitStack() as held:
        held.enter_context(locked(folder_of(file)))
        waited = Waited(seconds, held.close)
        assert waited.performed(file).lines[0].startswith(RETIRED)
    assert seconds <= waited.now < seconds + 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == is_told * (
        f"{folder_of(file)}: the league is just starting or ending, and takes no orders yet;"
        " waiting for up to 15 s\n"
    )
    assert taking_part(file) == ["owl", "crow"]


async def test_an_order_waits_for_a_run_that_starts_and_is_taken_by_it(file: Path) -> None:
    listens = trio.Event()

    async def answer(act: Act) -> Told:
        return Told((repr(act),))

    async def listen() -> None:
        nursery.start_soon(keep_listening)
        await listens.wait()

    async def keep_listening() -> None:
        async with open_control(folder_of(file), answer):
            listens.set()
            await trio.sleep_forever()

    waited = Waited(5, lambda: trio.from_thread.run(listen))
    with locked(folder_of(file)):
        async with trio.open_nursery() as nursery:
            told = await trio.to_thread.run_sync(waited.performed, file)
            nursery.cancel_scope.cancel()
    assert told == Told(("Retire(name='fox')",))
    assert taking_part(file) == ["fox", "owl", "crow"]


def test_an_order_waits_no_longer_than_it_says(file: Path) -> None:
    waited = Waited(order.PATIENCE_SECONDS + 1, lambda: None)
    with locked(folder_of(file)), pytest.raises(click.ClickException) as caught:
        waited.performed(file)
    assert "It takes no orders now" in caught.value.message
    assert order.PATIENCE_SECONDS <= waited.now < order.PATIENCE_SECONDS + 1


def test_a_league_that_is_just_starting_or_ending_is_told_as_that(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order, "PATIENCE_SECONDS", 0)
    with locked(folder_of(file)):
        code, said = run("retire", str(file), "fox")
    assert code == 1
    assert "It takes no orders now, as it is just starting or ending" in said
    assert taking_part(file) == ["fox", "owl", "crow"]


WHERE = str(Path.cwd() / "bots" / "hen")


@pytest.mark.parametrize(
    ("arguments", "act"),
    [
        (("admit", "{cup}"), Merge()),
        (("admit", "{cup}", "fox"), AdmitAgain("fox")),
        (
            ("admit", "{cup}", "hen", "--path", "bots/hen"),
            Admit({"name": "hen", "path": WHERE}),
        ),
        (
            ("admit", "{cup}", "hen", "--command", "python3 hen.py", "--owner", "ann"),
            Admit({"name": "hen", "command": "python3 hen.py", "owner": "ann"}),
        ),
        (("retire", "{cup}", "fox"), Retire("fox")),
        (("invite", "{cup}", "hen"), Invite("hen")),
        (
            ("invite", "{cup}", "hen", "--owner", "ann", "--expires", "2126-01-31"),
            Invite("hen", "ann", "2126-01-31T00:00:00Z"),
        ),
        (("tokens", "{cup}"), Tokens()),
        (("tokens", "{cup}", "--renew", "hen"), Renew("hen")),
        (("tokens", "{cup}", "--revoke", "hen"), Revoke("hen")),
        (("who", "{cup}"), Who()),
    ],
)
async def test_a_running_league_is_asked_and_its_answer_printed(
    file: Path, arguments: tuple[str, ...], act: Act
) -> None:
    came: list[Act] = []

    async def answer(act: Act) -> Told:
        came.append(act)
        return Told(("one", "two"))

    words = [each.format(cup=file.with_suffix("")) for each in arguments]
    with locked(folder_of(file)):
        async with open_control(folder_of(file), answer):
            assert await trio.to_thread.run_sync(lambda: run(*words)) == (0, "one\ntwo\n")
    assert came == [act]


@pytest.mark.parametrize(
    ("told", "code"),
    [(Told(("no",), refused=True), 1), (Told(("no",), refused=True, is_misnamed=True), 2)],
)
async def test_a_running_league_may_refuse(file: Path, told: Told, code: int) -> None:
    async def answer(act: Act) -> Told:
        return told

    async with open_control(folder_of(file), answer):
        given, said = await trio.to_thread.run_sync(lambda: run("retire", str(file), "fox"))
    assert (given, said.splitlines()[-1]) == (code, "Error: no")


def test_of_a_league_at_rest_it_is_told_who_was_here_last(file: Path) -> None:
    for name in ("hen", "pig", "cat", "emu"):
        assert run("invite", str(file), name)[0] == 0
    with Store.open(folder_of(file) / DATABASE) as store:
        store.add_events(
            [
                {"at": "2026-01-31T12:00:00Z", "event": "here", "name": "hen"},
                {"at": "2026-01-31T12:00:01Z", "event": "here", "name": "pig"},
                {"at": "2026-01-31T12:00:02Z", "event": "away", "name": "pig", "sets": []},
                events.retired("cat", ()),
            ]
        )
    assert run("tokens", str(file), "--revoke", "emu")[0] == 0
    with Reader.read(folder_of(file) / DATABASE) as store:
        revoked = next(event["at"] for _, event in store.events() if event["event"] == "revoked")
    assert run("who", str(file)) == (
        0,
        "the league rests: nobody is here\n"
        "hen dials in, came at 2026-01-31T12:00:00Z, and was not seen to leave before the league"
        " stopped\n"
        "pig dials in, and has been away since 2026-01-31T12:00:02Z\n"
        "cat dials in, and was never here, and is retired\n"
        f"emu dials in, and was never here, and its token was revoked at {revoked}\n"
        "started by the league itself: fox, owl, crow\n",
    )
    with locked(folder_of(file)):
        said = run("who", str(file))[1].splitlines()
    assert said[0] == "the league is just starting or ending: who is here cannot be told now"


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (["here", "revoked"], "and its token was revoked at 12:01"),
        (["here", "revoked", "away"], "and has been away since 12:02"),
        (
            ["here", "renewed"],
            "came back with the token renewed at 12:01, or the league stopped within a minute",
        ),
        (
            ["here", "revoked", "renewed"],
            "came back with the token renewed at 12:02, or the league stopped within a minute",
        ),
        (
            ["here", "revoked", "away", "renewed"],
            "and has not come since its token was renewed at 12:03",
        ),
        (
            ["here", "renewed", "away"],
            "and has been away since 12:02",
        ),
        (["revoked", "renewed"], "and was never here"),
        (["here", "retired"], "and was retired at 12:01"),
        (["here", "retired", "away"], "and has been away since 12:02, and is retired"),
        (["retired", "here", "revoked"], "and its token was revoked at 12:02, and is retired"),
        (
            ["here", "retired", "admitted_again"],
            "and has not come since it was admitted again at 12:02",
        ),
        (
            ["away", "renewed", "here"],
            "came at 12:02, and was not seen to leave before the league stopped",
        ),
    ],
)
def test_the_last_that_is_known_of_a_bot_is_told_of_a_league_at_rest(
    file: Path, kinds: list[str], words: str
) -> None:
    assert run("invite", str(file), "hen")[0] == 0
    with Store.open(folder_of(file) / DATABASE) as store:
        store.add_events(
            [
                {"at": f"12:0{minute}", "event": kind, "name": "hen", "sets": []}
                for minute, kind in enumerate(kinds)
            ]
        )
    assert run("who", str(file))[1].splitlines()[1] == f"hen dials in, {words}"


def commands_of(chapter: str) -> list[list[str]]:
    """The commands of the first example in a chapter of docs/league.md."""
    example = DOCUMENT.read_text().split(f"## {chapter}\n")[1].split("```sh\n")[1].split("```")[0]
    return [shlex.split(line, comments=True)[1:] for line in example.splitlines()]


def test_the_examples_of_the_document_work_one_after_the_other(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    commands = commands_of("Bots that come and go")
    assert {command[0] for command in commands} == {"admit", "retire", "invite", "tokens", "who"}
    for command in commands:
        code, said = run(*command)
        assert code == 0, said
    assert taking_part(file) == ["fox", "owl", "crow", "hen", "newt"]


def test_nothing_is_ordered_of_a_league_that_lost_its_database(file: Path) -> None:
    database = folder_of(file) / DATABASE
    database.unlink()
    (folder_of(file) / "secrets.toml").touch()
    code, said = run("invite", str(file), "hen")
    assert (code, f"{database} is gone, and" in said) == (1, True)
    assert not database.exists()


def test_the_lines_for_an_author_are_alone_on_standard_output(file: Path) -> None:
    invited = CliRunner().invoke(main, ["invite", str(file), "hen"])
    names = [line.partition("=")[0] for line in invited.stdout.splitlines()]
    assert names == ["ARENA_RETRY_S", "ARENA_CONNECT", "ARENA_TOKEN"]
    assert "send these lines to the author of hen" in invited.stderr
