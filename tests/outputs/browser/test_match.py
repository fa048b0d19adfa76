"""A match stepped through in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outputs.browser.conftest import Open
from tests.outputs.browser.watched import Watched

pytestmark = pytest.mark.browser

EVERY_GAME = ("nyet", "njet", "njet-it", "nope", "nope-of-two")


def last_move(watched: Watched) -> int:
    """The number of the last move; the page is at the deal again afterwards."""
    watched.press("End")
    last = int(where(watched).rpartition(" ")[2])
    watched.press("Home")
    return last


def where(watched: Watched) -> str:
    return watched.text(".where")


def seen_by(watched: Watched) -> str:
    return watched.find("select[name=as]").input_value()


@pytest.mark.parametrize(
    ("game", "scheme"), [*((game, "http") for game in EVERY_GAME), ("njet-it", "file")]
)
def test_a_match_is_stepped_through_to_its_end_and_never_wider_than_a_phone(
    look: Open, address: str, leagues: Path, game: str, scheme: str
) -> None:
    root = address if scheme == "http" else leagues.as_uri()
    watched = look(f"{root}/{game}/sets/000/1.html#match=1", width=375)
    last = last_move(watched)
    assert where(watched) in ("the deal", "deal of round 1")
    watched.press("ArrowRight", "ArrowRight")
    assert where(watched) == f"move 1 of {last}"
    watched.find("[data-go=on]").click()
    watched.find("[data-go=back]").click()
    assert where(watched) == f"move 1 of {last}"
    # Every move in turn, in one go: a message to the browser for each would take minutes.
    seen = watched.script(
        """() => {
            const seen = new Set();
            const root = document.documentElement;
            for (let i = 0; i < 3000; i++) {
                document.body.dispatchEvent(
                    new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
                seen.add(document.querySelector(".where").textContent);
                if (!document.querySelector(".felt .seat")) throw "no seats";
                if (i % 9 === 0 && root.scrollWidth > root.clientWidth) throw "too wide";
                if (!document.querySelector(".now").textContent.trim()) throw "nothing told";
                if (document.querySelector("[data-go=on][aria-disabled=true]")) break;
            }
            return [...seen].filter((each) => each.startsWith("move")).length;
        }"""
    )
    assert seen == last - 1
    assert where(watched) == f"move {last} of {last}"
    assert watched.find("[data-go=on]").get_attribute("aria-disabled") == "true"
    watched.press("Home")
    assert where(watched) in ("the deal", "deal of round 1")
    watched.press("End")
    assert where(watched) == f"move {last} of {last}"


def test_tricks_and_rounds_are_gone_through_with_their_own_keys(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    watched.press("n")
    assert where(watched) == "deal of round 2"
    assert "Round 2 of 2" in watched.text(".status")
    watched.press("ArrowLeft")
    assert "Round 1 of 2" in watched.text(".status")
    assert watched.find(".numbers .gained").count() == 4
    watched.press("p")
    assert where(watched) == "deal of round 1"
    while "takes it" not in watched.text(".caption"):
        watched.press("Shift+ArrowRight")
    watched.press("Shift+ArrowRight")
    assert "trick 2" in watched.text(".status")
    assert watched.find(".slot.takes").count() == 1
    watched.find("[data-go=trick-back]").click()
    assert "trick 1" in watched.text(".status")


def test_an_address_names_what_is_seen(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1&move=57&as=seat2")
    assert where(watched).startswith("move 57 of")
    assert seen_by(watched) == "seat2"
    watched.press("ArrowRight", "o")
    watched.page.wait_for_url("**#match=1&move=58")
    watched.press("s", "Home")
    watched.page.wait_for_url("**#match=1&move=deal&as=spectator")
    watched.press("n")
    watched.page.wait_for_url("**#match=1&move=deal2&as=spectator")
    watched.script("location.hash = '#match=1&move=9&as=seat0'")
    watched.find(".where:has-text('move 9 ')").wait_for()
    watched.script("location.hash = '#match=1&move=12'")
    watched.find(".where:has-text('move 12 ')").wait_for()
    assert seen_by(watched) == "open"


@pytest.mark.parametrize(
    ("odd", "shown"),
    [
        ("move=99999&as=seat9", "move"),
        ("move=end&as=", "move"),
        ("move=-5", "deal"),
        ("move=x", "deal"),
        ("nothing", "deal"),
        ("move=", "deal"),
    ],
)
def test_an_odd_address_shows_something_all_the_same(
    look: Open, address: str, odd: str, shown: str
) -> None:
    assert where(look(f"{address}/nyet/sets/000/1.html#match=1&{odd}")).startswith(shown)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_seat_sees_its_own_cards_and_no_others(look: Open, address: str, game: str) -> None:
    watched = look(f"{address}/{game}/sets/000/1.html#match=1&move=3&as=spectator")

    def open_hands() -> list[str]:
        hands = watched.find(".seat:has(.hand svg.card)").all()
        return [hand.get_attribute("data-seat") or "" for hand in hands]

    assert open_hands() == []
    watched.press("1")
    assert open_hands() == ["1"]
    watched.press("o")
    everybody = watched.find(".seat").count()
    assert len(open_hands()) == everybody
    watched.press("s")
    assert open_hands() == []


def test_secret_choices_are_told_to_those_who_know_them(look: Open, address: str) -> None:
    watched = look(f"{address}/njet/sets/000/1.html#match=1&move=deal&as=open")
    secret = watched.script(
        """() => {
            const set = JSON.parse(document.getElementById("set-data").textContent);
            const sheet = document.querySelector("#match-1 .sheet pre").textContent;
            const match = { ...set, ...set.matches[0], rounds: Sheet.read(sheet, set.seats) };
            const isSecret = ({ view }) => view.phase === "discard";
            const steps = Views.all(match);
            const found = steps.findIndex((step, at) => isSecret(step) && isSecret(steps[at - 1]));
            return [found - 1, steps[found]?.seat, steps[found]?.action];
        }"""
    )
    number, seat, card = secret
    if number < 0:
        pytest.fail("this match has no secret choice: take another")
    watched.script(f"location.hash = '#match=1&move={number}&as=open'")
    watched.find(".now:has-text('chooses')").wait_for()
    assert f"chooses {card}, in secret" in watched.text(".now")
    watched.press(str(seat))
    assert card in watched.text(".now")
    watched.press(str((seat + 1) % 5))
    assert watched.text(".now") == "a choice that is not seen from here"
    assert f"chooses {card}" not in watched.text(f".moves li[data-at='{number + 1}']")
    watched.press("s")
    assert watched.text(".now") == "a choice that is not seen from here"


def test_faults_are_told_at_their_move_and_their_words_to_their_seat_alone(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/benched/index.html")
    watched.find("tbody.benched tr:has-text('forfeited') .bot").click()
    watched.find(".fault-list a").first.click()
    watched.find(".viewer").wait_for()
    assert "as=seat" in watched.page.url
    watched.press("ArrowRight")
    assert "illegal not-legal, forfeits the match" in watched.text(".now")
    assert "which is not legal" in watched.text(".now")
    assert "asked for one of" in watched.text(".now")
    watched.press("s")
    assert "illegal not-legal" in watched.text(".now")
    assert "which is not legal" not in watched.text(".now")


def test_a_match_plays_itself_and_pauses(look: Open, address: str) -> None:
    watched = look(f"{address}/nope/sets/000/1.html#match=1", has_clock=True)
    watched.press("Space")
    assert watched.find("[data-go=play]").get_attribute("aria-label") == "pause"
    watched.page.clock.run_for(2_800)
    assert where(watched).startswith("move 2 of")
    watched.press("Space")
    watched.page.clock.run_for(2_800)
    assert where(watched).startswith("move 2 of")
    watched.press("End")
    watched.find("[data-go=play]").click()
    assert where(watched) == "the deal"
    watched.page.clock.run_for(1_000)
    assert where(watched).startswith("move 0 of")


def test_keys_keep_their_meaning_where_they_have_one(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    watched.find(".keys summary").focus()
    watched.press("Space")
    assert watched.find(".keys").get_attribute("open") is not None
    assert watched.find("[data-go=play]").get_attribute("aria-pressed") == "false"
    watched.press("Control+s")
    assert seen_by(watched) == "open"
    watched.find("input[type=range]").focus()
    watched.press("ArrowRight")
    assert where(watched).startswith("move 0 of")


def test_the_list_of_moves_follows_and_leads(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1&move=70")
    current = watched.find(".moves [aria-current=step]")
    assert current.inner_text().startswith("70")
    box, inside = watched.find(".moves").bounding_box(), current.bounding_box()
    assert box is not None
    assert inside is not None
    assert box["y"] <= inside["y"] <= box["y"] + box["height"]
    watched.find(".moves li[data-at='66']").click()
    assert where(watched).startswith("move 65 of")
