"""Acts performed on an open store: the change, its events, and what a running league is told."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

import pytest

from arena.league.control.acts import (
    Act,
    ActRefused,
    Admit,
    AdmitAgain,
    Invite,
    Merge,
    Renew,
    Retire,
    Revoke,
    Tokens,
)
from arena.league.control.perform import Performed, perform
from arena.league.entry.opening import make_ready
from arena.league.entry.stored import league_of_store, retired_bots
from arena.league.entry.tokens import tokens_of
from arena.league.file.tokens import file_of, token_in_file
from arena.league.store.folder import DATABASE
from arena.league.store.store import Store
from arena.league.store.tokens import token_of
from arena.tokens import digest_of
from tests.league.leagues import Simulated, played_match

HEAD = 'game = "nyet"\nseats = 2\nsets = 6\nduplicate = false\nlisten = "tcp:127.0.0.1:4000"\n'
BOTS = ("fox", "owl", "crow")
ANYONE = Simulated(seats=2, bots=BOTS, options={}, duplicate=False)


class Cup:
    """A league of three sample bots, begun and planned, its store open."""

    def __init__(self, folder: Path, *names: str, head: str = HEAD) -> None:
        self.file = folder / "cup.toml"
        self.folder = folder / "cup.arena"
        self.write(*(names or BOTS), head=head)
        self.store = Store.open(self.folder / DATABASE)
        self.ready()

    def __enter__(self) -> Cup:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def write(self, *names: str, head: str = HEAD, more: str = "") -> None:
        tables = (f'[[bots]]\nname = "{name}"\nsample = "python-bare"\n' for name in names)
        self.file.write_text("\n".join([head, *tables, more]))

    def ready(self) -> None:
        """As at the beginning of a run."""
        league = league_of_store(self.file, self.store)
        make_ready(self.store, league)
        tokens_of(league, self.store, self.folder, lambda line: None)

    def do(self, act: Act, taken: Container[int] = ()) -> Performed:
        return perform(act, self.file, self.store, self.folder, taken)

    def refused(self, act: Act) -> str:
        """The reason, after which nothing has changed."""
        before = self.store.last_event(), self.store.admitted(), self.store.tokens()
        with pytest.raises(ActRefused) as caught:
            self.do(act)
        assert (self.store.last_event(), self.store.admitted(), self.store.tokens()) == before
        assert caught.value.told.refused
        assert caught.value.told.lines == tuple(str(caught.value).splitlines())
        return str(caught.value)

    def sets_of(self, name: str) -> list[int]:
        sets = (state.planned for state in self.store.sets())
        return [one.number for one in sets if name in one.line_up]

    def play(self, number: int) -> None:
        self.store.lease(number)
        self.store.enter(
            played_match(ANYONE, self.store.sets()[number - 1].planned, 0, bytes(32)),
            completes=True,
            voids=False,
            events=[{"event": "set", "set": number, "attempt": 0}],
        )


def kinds(done: Performed) -> list[str]:
    return [event["event"] for event in done.events]


def names(done: Performed) -> list[str]:
    assert done.league is not None
    return [each.name for each in done.league.entrants]


def setting(lines: Performed, name: str) -> str:
    """A variable for the author of a bot, as the lines tell it."""
    (found,) = (line for line in lines.lines if line.strip().startswith(f"{name}="))
    return found.split("=", 1)[1]


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Cup]:
    with Cup(tmp_path) as cup:
        yield cup


def test_an_admitted_bot_enters_and_is_kept_with_its_path_as_a_file_would_have_it(
    cup: Cup, tmp_path: Path
) -> None:
    bots = tmp_path / "elsewhere"
    bots.mkdir()
    (bots / "bot.toml").write_text('name = "any"\ncommand = ["python3", "x"]\ngames = "any"\n')
    done = cup.do(Admit({"name": "hen", "path": str(bots), "owner": "ann"}))
    assert cup.store.admitted() == {"hen": {"name": "hen", "path": "elsewhere", "owner": "ann"}}
    (event,) = done.events
    assert (event["event"], event["name"], event["owner"]) == ("entrant", "hen", "ann")
    assert names(done) == [*BOTS, "hen"]
    assert done.lines == (
        "hen is admitted; its owner is ann",
        "all sets are planned: raise `sets` in cup.toml, and hen will play",
    )
    assert [*done.tokens] == []
    cup.ready()
    assert cup.refused(Admit({"name": "hen", "sample": "python-bare"})) == (
        "hen is in this league already: choose another name"
    )


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ({"name": "fox", "sample": "python-bare"}, "fox is in this league already"),
        ({"name": "Fox", "sample": "python-bare"}, "must differ in more than capitals"),
        ({"sample": "python-bare"}, "'None' is no name for a bot: a name is 1 to 32 letters"),
        ({"name": "no way", "sample": "python-bare"}, "'no way' is no name for a bot"),
        ({"name": 7, "sample": "python-bare"}, "'7' is no name for a bot"),
        ({"name": "hen"}, "hen, admitted by command, does not say where its bot is"),
        ({"name": "hen", "sample": "python"}, "there is no such sample bot; there are"),
        ({"name": "hen", "path": "/gone"}, "there is no "),
        ({"name": "hen", "path": 7}, "`path` of hen, admitted by command, is 7; it must be"),
        ({"name": "hen", "sample": "python-bare", "colour": "red"}, "`colour` of hen, admitted"),
        ({"name": "hen", "sample": "python-nope"}, "does not play nyet"),
    ],
)
def test_a_bot_is_refused_that_the_file_could_not_have(
    cup: Cup, bot: Mapping[str, str | int], words: str
) -> None:
    assert words in cup.refused(Admit(bot))


def test_changes_of_the_file_are_merged_and_told(cup: Cup) -> None:
    assert cup.do(Merge()).lines == ()
    cup.write(*BOTS, "hen", head=HEAD.replace("sets = 6", 'sets = 9\nname = "Bowl"'))
    assert "`arena admit" in cup.refused(Admit({"name": "hen", "sample": "python-bare"}))
    assert "is new in cup.toml" in cup.refused(AdmitAgain("hen"))
    done = cup.do(Merge())
    assert kinds(done) == ["league", "entrant"]
    assert names(done) == [*BOTS, "hen"]
    assert {*done.lines} == {
        f"`name` was {cup.file.parent.name!r} and is now 'Bowl'",
        "`sets` was 6 and is now 9",
        "hen is admitted; its owner is hen",
    }


def test_a_change_of_the_file_that_is_not_allowed_is_refused_with_all_others(cup: Cup) -> None:
    cup.write("fox", "owl", "hen")
    assert "'crow' is gone from the file" in cup.refused(Merge())
    cup.write(*BOTS, "hen", head=HEAD.replace("seats = 2", "seats = 3"))
    assert "`seats` was 2 and is now 3" in cup.refused(Merge())
    cup.file.write_text("bots = 7")
    assert "`bots`" in cup.refused(Merge())
    cup.file.unlink()
    assert f"{cup.file} is gone, the file of the league in {cup.folder}" in cup.refused(Merge())


def test_a_bot_that_is_merged_and_dials_in_has_its_token_in_a_file(cup: Cup) -> None:
    cup.write(*BOTS, more='[[bots]]\nname = "hen"\ndials_in = true\n')
    done = cup.do(Merge())
    assert kinds(done) == ["entrant", "invited"]
    token = token_in_file(cup.folder, "hen")
    assert token is not None
    known = done.tokens["hen"]
    assert known is not None
    assert known.is_of(digest_of(token))
    assert f"hen dials in at tcp:127.0.0.1:4000; for its author: {file_of(cup.folder, 'hen')}" in (
        done.lines
    )


def test_another_address_is_told_to_authors_by_their_files_and_by_new_lines(cup: Cup) -> None:
    hen = '[[bots]]\nname = "hen"\ndials_in = true\n'
    cup.write(*BOTS, more=hen)
    cup.do(Merge())
    cup.write(*BOTS, head=f'{HEAD}address = "tcp:arena.example:80"\n', more=hen)
    assert cup.do(Merge()).lines == (
        "bots dial in at tcp:arena.example:80 now; in new files for: hen",
    )
    assert "ARENA_CONNECT=tcp:arena.example:80\n" in file_of(cup.folder, "hen").read_text()
    assert setting(cup.do(Invite("pig")), "ARENA_CONNECT") == "tcp:arena.example:80"


def test_a_doubt_about_the_address_is_told_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "localhost")
    with Cup(tmp_path, head=HEAD.replace("127.0.0.1", "0.0.0.0")) as cup:
        hen = '[[bots]]\nname = "hen"\ndials_in = true\n'
        cup.write(*BOTS, head=HEAD.replace("127.0.0.1", "0.0.0.0"), more=hen)
        # The first has the file's bot enter as well, and tells both addresses.
        for act in (Invite("cat"), Renew("cat"), Renew("hen")):
            told = [line for line in cup.do(act).lines if "may not reach" in line]
            assert [line.split(":")[0] for line in told] == ["warning"], act
        cup.write(
            *BOTS, head=HEAD.replace("127.0.0.1", "0.0.0.0").replace("4000", "4001"), more=hen
        )
        assert len([line for line in cup.do(Merge()).lines if "may not reach" in line]) == 1


def test_a_retired_bot_plays_the_sets_that_have_begun_and_no_others(cup: Cup) -> None:
    """Those of which a match was played, or ordered, and those that a run is about to order."""
    played, ordered, taken, *others = cup.sets_of("fox")
    cup.play(played)
    cup.store.lease(ordered)
    done = cup.do(Retire("fox"), {taken})
    (event,) = done.events
    assert (event["event"], event["name"], event["sets"]) == ("retired", "fox", others)
    assert names(done) == [*BOTS]  # for the sets in play
    assert done.lines == (
        f"fox is retired; sets with it that are not played any more: {len(others)}",
        "sets with it that have begun, and are played to their end: 2",
    )
    assert cup.refused(Retire("fox")) == "fox is retired already"
    cup.write("owl", "crow")
    cup.ready()
    assert retired_bots(cup.store) == {"fox"}


def test_a_bot_is_retired_also_where_the_file_cannot_be_read(cup: Cup) -> None:
    cup.file.write_text("bots = 7")
    done = cup.do(Retire("fox"))
    assert (kinds(done), done.league) == (["retired"], None)
    assert "but the file cannot be read as it is now: " in done.lines[1]


def test_what_is_new_in_the_file_waits_for_a_merge_when_a_bot_is_retired(cup: Cup) -> None:
    cup.write(*BOTS, "hen")
    assert names(cup.do(Retire("fox"))) == ["owl", "crow"]


def test_too_few_bots_are_told_when_one_is_retired(cup: Cup) -> None:
    cup.do(Retire("fox"))
    assert (
        cup.do(Retire("owl"))
        .lines[1]
        .startswith("nothing more can be planned now: 2 seats need 2 bots, and there are 1")
    )


def test_the_only_challenger_of_a_gauntlet_is_not_retired(tmp_path: Path) -> None:
    head = f'{HEAD}format = "gauntlet"\nchallenger = ["fox", "owl"]\n'
    with Cup(tmp_path, head=head) as cup:
        cup.do(Retire("fox"))
        assert "owl is the challenger of this gauntlet" in cup.refused(Retire("owl"))
        cup.do(Retire("crow"))


def test_a_bot_that_is_admitted_again_takes_part_in_its_row(cup: Cup) -> None:
    cup.do(Retire("fox"))
    assert f"`arena admit {cup.file.with_suffix('')} fox` takes it up again" in cup.refused(
        Admit({"name": "fox", "sample": "python-high"})
    )
    cup.write("owl", "crow")
    done = cup.do(AdmitAgain("fox"))
    assert kinds(done) == ["admitted_again"]
    assert done.lines == ("fox takes part again",)
    assert names(done) == ["owl", "crow", "fox"]
    assert ("fox", "fox") in cup.store.roster().taking_part
    assert "is not retired: there is nothing to do" in cup.refused(AdmitAgain("fox"))
    assert "Did you mean" not in cup.refused(AdmitAgain("pig"))
    assert "'foxx' is no bot of this league. Did you mean 'fox'?" in cup.refused(Retire("foxx"))


def test_that_the_file_has_a_retired_bot_is_told_when_it_is_read_for_all_bots(cup: Cup) -> None:
    """And not with each order about one bot."""
    cup.do(Retire("fox"))
    (told,) = cup.do(Merge()).lines
    assert told.startswith("fox is retired and plays no part, though cup.toml has it: ")
    cup.do(Retire("owl"))
    for act in (
        Admit({"name": "hen", "sample": "python-bare"}),
        Invite("pig"),
        AdmitAgain("owl"),
    ):
        assert "though cup.toml has it" not in "".join(cup.do(act).lines)


def test_a_bot_that_has_changed_meanwhile_comes_back_as_a_new_version(tmp_path: Path) -> None:
    with Cup(tmp_path, head=f'{HEAD}versions = "new-row"\n') as cup:
        for number in range(1, 4):
            cup.play(number)
        cup.do(Retire("fox"))
        cup.file.write_text(cup.file.read_text().replace("python-bare", "python-high", 1))
        done = cup.do(AdmitAgain("fox"))
        assert kinds(done) == ["admitted_again", "entrant", "replaced"]
        assert names(done) == ["fox+2", "owl", "crow"]
        (event,) = cup.do(Retire("fox")).events
        assert event["name"] == "fox+2"
        assert retired_bots(cup.store) == {"fox"}
        (event,) = cup.do(AdmitAgain("fox+2")).events
        assert (event["event"], event["name"]) == ("admitted_again", "fox+2")


def test_an_invited_bot_has_a_token_that_is_told_once_and_is_in_no_file(cup: Cup) -> None:
    done = cup.do(Invite("hen", "ann", "2126-01-31T00:00:00Z"))
    assert kinds(done) == ["entrant", "invited"]
    token = setting(done, "ARENA_TOKEN")
    assert setting(done, "ARENA_CONNECT") == "tcp:127.0.0.1:4000"
    known = done.tokens["hen"]
    assert known is not None
    assert known.is_of(digest_of(token))
    assert known.expires == "2126-01-31T00:00:00Z"
    assert token_in_file(cup.folder, "hen") is None
    assert names(done) == [*BOTS, "hen"]
    assert done.league is not None
    assert done.league.entrant("hen").owner == "ann"
    cup.ready()
    kept = token_of(cup.store, "hen")
    assert kept is not None
    assert kept.token == known
    assert token_in_file(cup.folder, "hen") is None
    for path in cup.folder.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes()


def test_authors_are_told_the_address_at_which_the_run_listens(cup: Cup) -> None:
    cup.write(*BOTS, head=HEAD.replace("4000", "4001"))
    for act in (Invite("hen"), Renew("hen")):
        done = perform(act, cup.file, cup.store, cup.folder, listen="tcp:127.0.0.1:4000")
        assert setting(done, "ARENA_CONNECT") == "tcp:127.0.0.1:4000"
    assert setting(cup.do(Renew("hen")), "ARENA_CONNECT") == "tcp:127.0.0.1:4001"


def test_the_first_act_of_a_league_says_that_it_begins(tmp_path: Path) -> None:
    (tmp_path / "begun").mkdir()
    with Cup(tmp_path / "begun") as begun:
        file = begun.file
    folder = tmp_path / "elsewhere.arena"
    with Store.open(folder / DATABASE) as store:
        first = perform(Invite("hen"), file, store, folder)
        assert first.lines[0] == f"a new league begins, in {folder}"
        second = perform(Invite("pig"), file, store, folder)
        assert second.lines[0].startswith("pig is admitted")


def test_the_token_of_an_invited_bot_is_renewed_revoked_and_told_once_more(cup: Cup) -> None:
    first = setting(cup.do(Invite("hen")), "ARENA_TOKEN")
    done = cup.do(Renew("hen", None))
    known = done.tokens["hen"]
    assert known is not None
    assert known.is_of(digest_of(setting(done, "ARENA_TOKEN")))
    assert not known.is_of(digest_of(first))
    assert (kinds(done), done.league) == (["renewed"], None)
    done = cup.do(Revoke("hen"))
    assert (kinds(done), done.tokens) == (["revoked"], {"hen": None})
    assert cup.do(Tokens()).lines[0].startswith("hen: revoked at 20")
    revoked = cup.store.tokens()[-1].revoked
    assert revoked is not None
    assert cup.refused(Revoke("hen")) == f"the token of hen is revoked already, since {revoked}"


def test_a_valid_token_of_a_retired_bot_is_listed_with_that(cup: Cup) -> None:
    cup.do(Invite("hen", None, "2126-01-31T00:00:00Z"))
    cup.do(Invite("pig"))
    cup.do(Retire("hen"))
    hen, pig = cup.do(Tokens()).lines
    assert hen.endswith(", until 2126-01-31T00:00:00Z, but it is retired")
    assert "retired" not in pig
    cup.do(AdmitAgain("hen"))
    assert "retired" not in cup.do(Tokens()).lines[0]


def test_a_bot_in_a_file_without_listen_is_not_invited(tmp_path: Path) -> None:
    head = "".join(line for line in HEAD.splitlines(keepends=True) if "listen" not in line)
    with Cup(tmp_path, head=head) as cup:
        assert "`listen` is missing, and hen must be able to dial in. For instance: " in (
            cup.refused(Invite("hen"))
        )


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (Invite("fox"), "fox is in this league already: choose another name"),
        (Invite("no way"), "'no way' is no name for a bot"),
        (Invite("hen", "no way"), "`owner` of hen, admitted by command, is 'no way'"),
        (Invite("hen", None, "soon"), "'soon' is no time: write one like"),
        (Invite("hen", None, "2026-01-31T00:00:00Z"), "which is over already"),
        (Renew("fox"), "'fox' is no bot with a token here."),
        (Revoke("pig"), "'pig' is no bot with a token here."),
    ],
)
def test_what_cannot_be_is_refused_with_words(cup: Cup, act: Act, words: str) -> None:
    assert words in cup.refused(act)


@pytest.mark.parametrize("time", ["soon", "2026-01-31T00:00:00Z"])
def test_a_time_that_cannot_be_is_told_as_a_wrong_argument(cup: Cup, time: str) -> None:
    with pytest.raises(ActRefused) as refused:
        cup.do(Invite("hen", None, time))
    assert refused.value.told.is_misnamed


def test_a_bot_that_dials_in_already_is_renewed_instead(cup: Cup) -> None:
    cup.do(Invite("hen"))
    assert f"its token: `arena tokens {cup.file.with_suffix('')} --renew hen`" in cup.refused(
        Invite("hen")
    )


def test_the_first_bots_of_a_league_may_be_invited_before_it_was_begun(tmp_path: Path) -> None:
    """One by one, though one alone cannot fill a table."""
    file = tmp_path / "cup.toml"
    file.write_text(f'{HEAD.replace("sets = 6", "")}format = "ladder"\n')
    with Store.open(tmp_path / "cup.arena" / DATABASE) as store:
        with pytest.raises(ActRefused, match="this league was never begun"):
            perform(Retire("hen"), file, store, tmp_path / "cup.arena")
        for name in ("hen", "pig"):
            done = perform(Invite(name), file, store, tmp_path / "cup.arena")
        assert names(done) == ["hen", "pig"]
        make_ready(store, league_of_store(file, store))
        assert [event["event"] for _, event in store.events()] == [
            *("league", "entrant", "invited", "entrant", "invited"),
        ]


@pytest.mark.parametrize(
    "bot",
    [
        {"path": "\0"},
        {"path": "x" * 5000},
        {"path": "/etc/shadow"},
        {"path": ""},
        {"sample": "\0"},
        {"sample": "../python-bare"},
        {"command": '"'},
        {"command": "\0"},
        {"command": " "},
        {"dials_in": False},
        {"dials_in": 1},
        {"sample": "python-bare", "limits": {"memory_mb": -1}},
        {"sample": "python-bare", "limits": {"colour": 1}},
        {"sample": "python-bare", "owner": "\x1b[31m"},
        {"sample": "python-bare", "": 7},
        {},
    ],
)
def test_whatever_a_table_holds_it_is_refused_in_words(
    cup: Cup, bot: Mapping[str, str | int | Mapping[str, int]]
) -> None:
    assert "hen, admitted by command" in cup.refused(Admit({"name": "hen", **bot}))


def test_a_file_that_cannot_be_written_is_told_and_nothing_has_changed(cup: Cup) -> None:
    (cup.folder / "tokens").write_text("in the way")
    cup.write(*BOTS, more='[[bots]]\nname = "hen"\ndials_in = true\n')
    assert cup.refused(Merge()).startswith(f"{cup.folder / 'tokens'}")
