"""The pages of a league: what is written, when, and what stands in them."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.league.model.sets import PlannedSet
from arena.league.store import events
from arena.league.store.store import Store
from arena.league.table.live import standings_of
from arena.outputs import figures
from arena.outputs.pages.league import set_rows
from arena.outputs.pages.league.bots import History, MetBot, bot_pages
from arena.outputs.pages.league.index import index_page
from arena.outputs.pages.league.page import Page
from arena.outputs.pages.league.recent import Recent
from arena.outputs.pages.league.set_rows import SetRows, set_row
from arena.outputs.pages.names import file_of_bot
from arena.outputs.pages.pages import league_pages
from arena.outputs.pages.sets.faults import public_faults
from tests.league.leagues import NASTY, Simulated, schedule, simulate
from tests.outputs.leagues import KeptPages, play, publish, published, two_parts
from tests.outputs.reading import read
from tests.outputs.tables import ROW, by_hand, rated

LEAGUE = Simulated(sets=10, illegal=("crow",), absent=())
HOSTILE = Simulated(
    bots=(NASTY, "fox", "owl", "\u202eevil", "Fox", "x" * 80), seats=4, sets=4, illegal=(NASTY,)
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with simulate(tmp_path_factory.mktemp("league"), LEAGUE, 8) as store:
        yield store


@pytest.fixture(scope="module")
def pages(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish(store, tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two sets: enough where only files matter."""
    with simulate(tmp_path_factory.mktemp("few"), LEAGUE, 2) as store:
        yield store


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with published(tmp_path_factory.mktemp("hostile"), HOSTILE) as folder:
        yield folder


# Attributes that nothing is done with but to show them as text, or to compare them.
WITHOUT_EFFECT = {"title", "aria-label", "data-value"}


def minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def state_of(folder: Path) -> dict[Path, tuple[int, int]]:
    return {
        path: (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_every_row_of_the_table_says_what_the_standings_say(store: Store, pages: Path) -> None:
    standings = standings_of(store)
    page = read(pages / "index.html")
    for row in standings.rows:
        cells = page.row_of(row.name)
        ranks = figures.ranks(row.rating.rank_interval, to="–") or "any"
        assert cells[0] == f"{row.rating.rank}{ranks}"
        assert cells[1] == f"{row.name}provisional"
        assert cells[2] == minus(f"{figures.fixed(row.rating.elo, 0)}")
        assert cells[3] == (f"±{row.rating.half_width:.0f}" if row.rating.half_width else "±?")
        assert cells[8] == str(row.rating.sets)
        assert cells[9] == minus(figures.percent(row.rating.ahead))
        assert [int(count) for count in re.findall(r"\d+", cells[10])] == list(row.places)
        assert cells[11] == minus(figures.mean(row.points))
        assert cells[12] == figures.milliseconds(row.think_ms)
        assert cells[15] == minus(figures.percent(row.rating.gain, signed=True))


def test_on_its_own_page_the_line_of_every_bot_looks_alike(pages: Path) -> None:
    drawn = [(pages / "bots" / file_of_bot(name)).read_text() for name in LEAGUE.bots]
    lines = [line for each in drawn for line in re.findall(r'"line (.*)">', each)]
    assert len(lines) > 1
    assert {*lines} == {"ink0 dash0"}


@pytest.mark.parametrize(("interval", "told"), [((1, 2), "1–2"), ((2, 2), "2"), (None, "any")])
def test_the_ranks_that_the_results_leave_open_stand_under_the_rank(
    interval: tuple[int, int] | None, told: str
) -> None:
    standings = by_hand(rated(ROW, rank_interval=interval))
    page = index_page(standings, 1500.0, Recent(), bool).text("stamp")
    assert read(page).row_of("fox")[0] == f"1{told}"


def test_what_stands_above_the_table(store: Store, pages: Path) -> None:
    text = " ".join(read(pages / "index.html").text.split())
    assert "nyet for 4, 5 of 10 sets (4 left out with benched or retired bots) running" in text
    assert "running deals predictable" in text
    assert "100 ms a decision, bank 10,000 ms" in text
    assert "2026-01-01 00:01:00 to 00:05:03 UTC" in text
    assert "How to read this" in text


def test_a_benched_bot_has_a_marked_row_with_its_reason_and_no_rating(pages: Path) -> None:
    cells = read(pages / "index.html").row_of("crow")
    assert cells[:2] == ["–", "crowbenched"]
    assert cells[2].startswith("after set 4: forfeited 5 matches in a row; the last time: ")
    assert cells[4] == "not rated; its pairs count for nobody"


def test_bots_that_never_met_stand_in_tables_of_their_own(tmp_path: Path) -> None:
    with two_parts(tmp_path) as store:
        page = read(publish(store, tmp_path / "pages") / "index.html")
    assert "There are 2 tables, because these bots never met" in page.text
    assert [tag for tag, _ in page.tags].count("table") == 2
    assert [row[0][0] for row in page.rows if row[0][:1].isdigit()] == list("12341234")


def test_a_league_without_a_complete_set_has_pages_too(tmp_path: Path) -> None:
    with published(tmp_path, LEAGUE, 0) as folder:
        for path in folder.rglob("*.html"):
            read(path)
        text = read(folder / "index.html").text
        assert "Waiting for a first complete set: fox" in text
        assert "There is nobody to compare yet" in read(folder / "matrix.html").text
        assert "No set is counted yet" in read(folder / "history.html").text
        assert len(list((folder / "bots").iterdir())) == len(LEAGUE.bots)


def test_the_matrix_says_what_the_standings_say(store: Store, pages: Path) -> None:
    standings = standings_of(store)
    page = read(pages / "matrix.html")
    names = [row.name for row in standings.rows]
    for (one, other), versus in standings.versus.items():
        at = names.index(one)
        row = next(row for row in page.rows if row[0].endswith(f"{at + 1} {one}"))
        assert row[1 + names.index(other)] == str(round(100 * versus.ahead))


def test_the_history_has_each_moment_in_numbers_and_a_label_for_each_line(
    store: Store, pages: Path
) -> None:
    standings = standings_of(store)
    page = read(pages / "history.html")
    for moment in standings.history:
        cells = next(row for row in page.rows if row[0] == str(moment.sets))
        for row, cell in zip(standings.rows, cells[1:], strict=True):
            if row.name in moment.elo:
                elo, _ = moment.elo[row.name]
                assert cell.startswith(minus(figures.fixed(elo, 0)))
            else:
                assert cell == "–"
    labels = [attrs for tag, attrs in page.tags if tag == "text" and attrs["class"] == "label"]
    assert len(labels) == len(standings.rows)


def test_a_bots_page_has_its_opponents_its_faults_and_its_matches(
    store: Store, pages: Path
) -> None:
    standings = standings_of(store)
    fox = read(pages / "bots" / "fox.html")
    versus = standings.versus["fox", "owl"]
    assert fox.row_of("owl")[1:3] == [str(round(100 * versus.ahead)), str(versus.meetings)]
    sets = [one for one in schedule(LEAGUE)[:8] if "fox" in one.line_up]
    shown = [row for row in fox.rows if row[0].isdigit() and "." in row[2]]
    assert [int(row[0]) for row in shown] == [one.number for one in reversed(sets)]
    (row,) = (row for row in standings.rows if row.name == "fox")
    text = " ".join(fox.text.split())
    thinks, slowest = map(figures.milliseconds, (row.think_ms, row.slowest_ms))
    ranks = figures.ranks(row.rating.rank_interval, to="–") or "any"
    for term, told in (
        ("Elo", f"{figures.fixed(row.rating.elo, 0)} {figures.elo_bar(row.rating.half_width)}"),
        ("rank", f"{row.rating.rank} of {len(standings.rows)}; the results leave open {ranks}"),
        ("played", f"{row.rating.sets} sets, {row.rating.games} matches"),
        ("finished ahead", f"{figures.percent(row.rating.ahead)} %"),
        ("ties", f"{figures.percent(row.rating.ties)} %"),
        ("wins, shared ones in part", f"{figures.percent(row.rating.wins)} %"),
        ("mean place", figures.mean(row.rating.place)),
        ("points a round", figures.mean(row.points)),
        ("thinks", f"{thinks} ms, at most {slowest} ms"),
        ("forfeits", str(row.forfeits)),
        ("gain from repetition", f"{figures.percent(row.rating.gain, signed=True)} %"),
    ):
        assert f" {term}{minus(told)} " in text
    crow = read(pages / "bots" / "crow.html")
    assert "benched after set 4: forfeited 5 matches" in " ".join(crow.text.split())
    assert "illegal not-legal, match" in crow.text
    assert "Asked for one of: first:0" in crow.text
    assert any(
        re.search(r"sets/000/\d+\.html#match=\d&move=.+&as=seat\d", link) for link in crow.links()
    )


def test_a_match_is_marked_on_the_page_of_the_bot_whose_fault_it_was(pages: Path) -> None:
    marks = {
        name: {
            attrs["title"]
            for tag, attrs in read(pages / "bots" / f"{name}.html").tags
            if attrs.get("class") == "mark" and "title" in attrs
        }
        for name in ("fox", "crow")
    }
    assert marks == {"fox": set(), "crow": {"illegal"}}


def test_every_link_leads_to_a_page(pages: Path, hostile: Path) -> None:
    for folder in (pages, hostile):
        for path in folder.rglob("*.html"):
            page = read(path)
            targets = [link.partition("#")[0] for link in page.links()]
            targets += [
                attrs.get("href") or attrs["src"]
                for tag, attrs in page.tags
                if tag in ("link", "script") and ("href" in attrs or "src" in attrs)
            ]
            for target in filter(None, targets):
                assert (path.parent / target.partition("?")[0]).is_file(), f"{path.name}: {target}"


def test_whatever_a_bot_calls_itself_stays_text(hostile: Path) -> None:
    for path in hostile.rglob("*.html"):
        page = read(path)
        assert "alert(" not in "".join(
            f"{name}{value}"
            for tag, attrs in page.tags
            for name, value in attrs.items()
            if tag != "svg" and name not in WITHOUT_EFFECT
        )
        for tag, attrs in page.tags:
            if tag == "script":
                assert re.match(r"(\.\./){0,2}assets/", attrs.get("src", "")) or (
                    attrs["type"] == "application/json"
                )
            assert not [name for name in attrs if name.startswith("on") or name == "style"]
        text = path.read_text("utf-8")
        assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", text)
        assert text.count("<script") == [tag for tag, _ in page.tags].count("script")
    assert NASTY.replace("\x1b", "\N{REPLACEMENT CHARACTER}") in read(hostile / "index.html").text


def test_only_what_lies_beside_a_page_may_run_or_be_fetched(pages: Path) -> None:
    for path in pages.rglob("*.html"):
        policy = next(
            attrs["content"]
            for tag, attrs in read(path).tags
            if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
        )
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
    for path in pages.rglob("*"):
        if path.is_file():
            text = re.sub("http://www.w3.org/(2000/svg|1999/xhtml)", "", path.read_text("utf-8"))
            assert not re.search("https?:", text), path


def test_nothing_of_a_set_that_is_not_complete_is_shown(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 2) as store:
        play(store, LEAGUE, [schedule(LEAGUE)[2]], turns=3)
        folder = publish(store, tmp_path / "pages")
        open_matches = store.matches_of(3, 0)
    assert len(open_matches) == 3
    everything = "".join(path.read_text("utf-8") for path in folder.rglob("*.html"))
    assert not list(folder.glob("sets/*/3.html"))
    assert "/3.html" not in everything
    assert open_matches[0].record.seed not in everything
    assert open_matches[0].ended.replace("T", " ")[:19] not in everything


def test_a_second_write_touches_nothing(few: Store, tmp_path: Path) -> None:
    pages = KeptPages(tmp_path)
    pages.write(few)
    before = state_of(tmp_path)
    pages.write(few)
    KeptPages(tmp_path).write(few)
    assert state_of(tmp_path) == before


def test_a_new_set_changes_the_table_and_no_page_of_another_set(tmp_path: Path) -> None:
    with simulate(tmp_path, LEAGUE, 2) as store:
        pages = KeptPages(tmp_path / "pages")
        pages.write(store)
        before = state_of(tmp_path / "pages")
        play(store, LEAGUE, schedule(LEAGUE)[2:3])
        pages.write(store)
        after = state_of(tmp_path / "pages")
    changed = {path.name for path in after if before.get(path) != after[path]}
    assert {"index.html", "matrix.html", "history.html"} <= changed
    assert {name for name in changed if name[0].isdigit()} == {"3.html"}


def test_sets_may_become_complete_in_any_order(tmp_path: Path) -> None:
    planned = schedule(LEAGUE)
    with simulate(tmp_path, LEAGUE, 0) as store:
        pages = KeptPages(tmp_path / "pages")
        for one in (planned[1], planned[0]):
            play(store, LEAGUE, [one])
            pages.write(store)
        at_once = publish(store, tmp_path / "at once")
    for path in at_once.rglob("*.html"):
        other = tmp_path / "pages" / path.relative_to(at_once)
        assert other.read_text("utf-8") == path.read_text("utf-8")


def test_a_page_of_a_set_of_another_version_or_another_league_is_made_anew(
    few: Store, tmp_path: Path
) -> None:
    folder = publish(few, tmp_path)
    page = folder / "sets" / "000" / "1.html"
    good = page.read_text("utf-8")
    page.write_text(re.sub('content="arena pages [0-9a-f]+', 'content="arena pages 0', good))
    other = folder / "sets" / "000" / "2.html"
    good_too = other.read_text("utf-8")
    other.write_text(re.sub("(arena pages [0-9a-f]+) [0-9a-f]+", r"\1 0", good_too))
    publish(few, folder)
    assert page.read_text("utf-8") == good
    assert other.read_text("utf-8") == good_too


def test_a_page_that_was_taken_away_is_made_again(few: Store, tmp_path: Path) -> None:
    pages = KeptPages(tmp_path)
    pages.write(few)
    (tmp_path / "index.html").unlink()
    pages.write(few)
    assert (tmp_path / "index.html").is_file()


def test_a_page_is_replaced_in_one_step(few: Store, tmp_path: Path) -> None:
    """Whoever has the old file open goes on reading the old one, to its end."""
    pages = KeptPages(tmp_path)
    standings = pages.write(few)
    with (tmp_path / "index.html").open() as old:
        pages.pages.write(replace(standings, rows=standings.rows[:2]), few, pages.choice)
        assert old.read().count("provisional</a>") == len(standings.rows)
        assert os.fstat(old.fileno()).st_nlink == 0
    assert not list(tmp_path.rglob(".*"))


def test_a_running_league_has_pages_that_keep_themselves_up_to_date(
    store: Store, pages: Path, hostile: Path
) -> None:
    assert "data-running" in (pages / "index.html").read_text()
    assert "data-running" not in (hostile / "index.html").read_text()
    assert "data-running" not in (pages / "sets" / "000" / "1.html").read_text()


@pytest.fixture
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sets on a page of older matches, and at least two on the page of the bot."""
    monkeypatch.setattr("arena.outputs.pages.league.bots.SETS_ON_A_PAGE", 3)
    monkeypatch.setattr("arena.outputs.pages.league.bots.SETS_KEPT_BACK", 2)


def sets_on(page: Path) -> list[int]:
    return [int(row[0]) for row in read(page).rows if row[0].isdigit() and "." in row[2]]


@pytest.mark.usefixtures("short_pages")
def test_older_matches_go_on_pages_that_lead_to_the_next_older_and_the_next_newer_one(
    tmp_path: Path,
) -> None:
    league = Simulated(bots=("fox", "owl"), seats=2, sets=9)
    with published(tmp_path, league) as folder:
        bots = folder / "bots"
        assert sets_on(bots / "fox/1.html") == [3, 2, 1]
        assert sets_on(bots / "fox/2.html") == [6, 5, 4]
        assert sets_on(bots / "fox.html") == [9, 8, 7]
        pager = [
            [link for link in read(bots / file).links() if re.fullmatch(r"(fox/)?\d\.html", link)]
            for file in ("fox/1.html", "fox/2.html", "fox.html")
        ]
        assert pager == [["2.html"], ["3.html", "1.html"], ["fox/2.html"]]
        leads_on = (bots / "fox/3.html").read_text()
        assert '<meta http-equiv="refresh" content="0; url=../fox.html#matches">' in leads_on
        assert "../../sets/000/1.html#match=1" in read(bots / "fox/1.html").links()


@pytest.mark.usefixtures("short_pages")
def test_pages_of_older_matches_under_their_former_names_lead_on(tmp_path: Path) -> None:
    bots = tmp_path / "pages" / "bots"
    bots.mkdir(parents=True)
    for page in (1, 2, 3):
        (bots / f"fox.p{page}.html").write_text("an older page")
    with published(tmp_path, Simulated(bots=("fox", "owl"), seats=2, sets=9)):
        leads_to = [
            re.findall(r'http-equiv="refresh" content="0; url=([^"]*)#matches"', path.read_text())
            for path in sorted(bots.glob("fox.p?.html"))
        ]
    assert leads_to == [["fox/1.html"], ["fox/2.html"], ["fox.html"]]


@pytest.mark.usefixtures("short_pages")
def test_a_page_of_older_matches_stays_byte_for_byte_the_same_when_sets_are_added(
    tmp_path: Path,
) -> None:
    league = Simulated(bots=("fox", "owl"), seats=2, sets=14)
    planned = schedule(league)
    full: dict[str, bytes] = {}
    with simulate(tmp_path, league, 0) as store:
        pages = KeptPages(tmp_path / "pages")
        # The next set but one always ends first.
        for at in range(0, 14, 2):
            for one in (planned[at + 1], planned[at]):
                play(store, league, [one])
                pages.write(store)
                found = {
                    f"{path.parent.name}/{path.name}": path.read_bytes()
                    for path in (tmp_path / "pages" / "bots").glob("*/*.html")
                    if sets_on(path)
                }
                assert full.items() <= found.items()
                full = found
    assert sorted(full) == [f"{name}/{page}.html" for name in ("fox", "owl") for page in "1234"]


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_rows_of_a_long_league_are_the_same_in_whatever_order_its_sets_come(
    monkeypatch: pytest.MonkeyPatch, store: Store, seed: int | None
) -> None:
    """Full pages of them are packed, and unpacked for a set that comes late."""
    monkeypatch.setattr(set_rows, "ROWS_OF_A_BLOCK", 7)
    monkeypatch.setattr(set_rows, "OPEN_ROWS", 5)
    (first, *_) = (one for one in store.complete_sets() if "fox" in one.matches[0].record.names)
    numbers = [*range(1, 60)]
    in_turn = {number: set_row("fox", replace(first, number=number)) for number in numbers}
    mixed = numbers if seed is None else random.Random(seed).sample(numbers, len(numbers))
    rows = SetRows()
    for number in (*mixed, *mixed[:9]):
        rows.enter("fox", replace(first, number=number))
    assert rows.numbers == numbers
    for wanted in (numbers, numbers[::-1], [3, 59, 8, 7, 50], []):
        assert [*rows.of(wanted)] == [in_turn[number] for number in wanted]


def test_matches_of_a_set_without_a_page_have_no_links(store: Store) -> None:
    history = History()
    first, second = [one for one in store.complete_sets() if "fox" in one.matches[0].record.names][
        :2
    ]
    for one in (first, second):
        history.enter("fox", one, [])
    rows = history.rows((first.number, second.number), lambda number: number == second.number)
    links = read(f"<table>{rows}</table>").tags
    found = [
        "href" in attrs
        for tag, attrs in links
        if tag == "a" and "match" in attrs.get("class", "").split()
    ]
    assert found == [False] * 4 + [True] * 4


def test_after_one_more_set_only_pages_are_rendered_that_show_something_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two bots play each other, and two others: nothing is new about these."""
    league = Simulated(
        game="nope", bots=("fox", "owl", "crow", "hare"), seats=2, sets=0, options={"hand": 2}
    )
    # So many that the history does not get a moment with each further set.
    sets = [
        PlannedSet(number, ("crow", "hare") if number % 3 == 1 else ("fox", "owl"))
        for number in range(1, 65)
    ]
    made: list[str] = []
    text = Page.text

    def counted(page: Page, stamp: str) -> str:
        made.append(page.file)
        return text(page, stamp)

    monkeypatch.setattr(Page, "text", counted)
    with simulate(tmp_path, league) as store:
        store.add_sets(sets, ())
        play(store, league, sets[:62])
        pages = KeptPages(tmp_path / "pages")
        pages.write(store)
        made.clear()
        pages.write(store)
        assert made == []
        play(store, league, sets[62:63])
        pages.write(store)
    assert sorted(made) == [
        "bots/fox.html",
        "bots/owl.html",
        "history.html",
        "index.html",
        "matrix.html",
        "versus/fox/owl.html",
    ]


def test_a_restarted_publisher_renders_nothing_that_is_there(
    monkeypatch: pytest.MonkeyPatch, few: Store, tmp_path: Path
) -> None:
    publish(few, tmp_path)
    monkeypatch.setattr(Page, "text", None)
    publish(few, tmp_path)


def holds_a_set(value: object) -> bool:
    """Whether there is a set anywhere in a value: its order is another one in each process."""
    if isinstance(value, dict):
        return any(map(holds_a_set, (*value.keys(), *value.values())))
    if isinstance(value, list | tuple):
        return any(map(holds_a_set, value))
    return isinstance(value, set | frozenset)


def test_what_a_page_shows_has_the_same_stamp_in_every_process(store: Store) -> None:
    standings = standings_of(store)
    assert standings.benched
    pages = [*league_pages(standings, 0.0, Recent(), bool)]
    for entrant in store.entrants():
        pages += bot_pages(entrant, History(), standings, bool)
    assert len(pages) > len(standings.rows)
    assert [page.file for page in pages if holds_a_set(dict(page.shows))] == []


@pytest.mark.parametrize("order", [range(8), range(7, -1, -1), (4, 0, 7, 1, 3, 6, 2, 5)])
def test_in_whatever_order_sets_come_a_bot_page_tells_the_last_faults_and_how_many_there_were(
    monkeypatch: pytest.MonkeyPatch, store: Store, order: Sequence[int]
) -> None:
    monkeypatch.setattr("arena.outputs.pages.league.bots.FAULTS_ON_A_PAGE", 6)
    history = History()
    sets = [one for one in store.complete_sets() if "crow" in one.matches[0].record.names]
    faults = [[fault for played in one.matches for fault in public_faults(played)] for one in sets]
    for at in order:
        if at < len(sets):
            history.enter("crow", sets[at], faults[at])
    assert history.last_faults() == [fault for each in faults for fault in each][: -1 - 6 : -1]
    assert history.all_faults == 4 * len(sets) > 8
    assert sum(map(len, history.faults.values())) == 8


def test_files_of_bots_are_safe_unique_and_stable() -> None:
    names = ("fox", "Fox", "FOX", "fo/x", "../fox", "fox.", "", " ", "con.html", NASTY, "é", "狐")
    files = [file_of_bot(name) for name in names]
    assert files[0] == "fox.html"
    assert len({file.lower() for file in files}) == len(names)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_.-]*\.html", file) for file in files)
    assert file_of_bot("Fox") == "fox.f55bd2cdfa.html"


def test_seats_that_do_not_turn_have_a_table_of_their_worth(tmp_path: Path) -> None:
    with published(tmp_path, Simulated(sets=6, duplicate=False)) as folder:
        page = read(folder / "index.html")
    assert "What a seat is worth" in page.text
    assert "single matches" in page.text


def test_a_table_without_rows_but_with_benched_bots_is_shown(tmp_path: Path) -> None:
    with published(
        tmp_path, Simulated(bots=("fox", "owl"), seats=2, sets=3, absent=("owl", "fox"))
    ) as folder:
        page = read(folder / "index.html")
        assert page.row_of("fox")[1] == "foxbenched"
        assert "did not start 3 times in a row" in page.row_of("owl")[2]
        assert "It did not begin" in read(folder / "sets" / "000" / "1.html").text


def test_a_retired_bot_keeps_its_row_with_a_mark(tmp_path: Path) -> None:
    league = Simulated(bots=("fox", "owl"), seats=2, sets=3)
    with simulate(tmp_path / "league", league) as store:
        store.add_events([events.retired("owl", ())])
        folder = publish(store, tmp_path / "pages")
    page = read(folder / "index.html")
    assert page.row_of("owl")[1].endswith("retired")
    assert not page.row_of("fox")[1].endswith("retired")
    assert "It plays no further sets" in read(folder / "bots" / "owl.html").text
    assert "It plays no further sets" not in read(folder / "bots" / "fox.html").text


def test_four_lucky_meetings_make_no_best_opponent() -> None:
    lucky, steady = MetBot("hen", 100, 4, ""), MetBot("owl", 65, 400, "")
    assert steady.weighed > lucky.weighed > 50
    assert MetBot("hare", 0, 400, "").weighed < MetBot("crow", 0, 4, "").weighed < 50
