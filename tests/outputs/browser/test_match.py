"""A match stepped through in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outputs.browser.conftest import Open
from tests.outputs.browser.watched import Watched

pytestmark = pytest.mark.browser

EVERY_GAME = ("nyet", "njet", "njet-it", "nope", "nope-of-two")


def last_move(watched: Watched) -> int:
    return int(watched.find("#slider").get_attribute("max") or "") - 1


def where(watched: Watched) -> str:
    return watched.text("#where")


@pytest.mark.parametrize(
    ("game", "scheme"), [*((game, "http") for game in EVERY_GAME), ("njet-it", "file")]
)
def test_a_match_is_stepped_through_to_its_end_and_never_wider_than_a_phone(
    look: Open, address: str, leagues: Path, game: str, scheme: str
) -> None:
    root = address if scheme == "http" else leagues.as_uri()
    watched = look(f"{root}/{game}/matches/1-1.html", width=375)
    last = last_move(watched)
    assert where(watched) == "the deal"
    watched.press("ArrowRight", "ArrowRight")
    assert where(watched) == f"move 1 of {last}"
    watched.find("[data-go=on]").click()
    watched.find("[data-go=back]").click()
    assert where(watched) == f"move 1 of {last}"
    watched.press("o")
    # Every move in turn, in one go: a message to the browser for each would take minutes.
    seen = watched.script(
        """() => {
            const seen = new Set();
            const root = document.documentElement;
            for (let i = 0; i < 3000; i++) {
                document.body.dispatchEvent(
                    new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
                seen.add(document.getElementById("where").textContent);
                if (!document.querySelector("#felt .seat")) throw "no seats";
                if (i % 9 === 0 && root.scrollWidth > root.clientWidth) throw "too wide";
                if (!document.getElementById("now").textContent.trim()) throw "nothing told";
                if (document.querySelector("[data-go=on][aria-disabled=true]")) break;
            }
            return seen.size;
        }"""
    )
    assert seen == last - 1
    assert where(watched) == f"move {last} of {last}"
    assert watched.find("[data-go=on]").get_attribute("aria-disabled") == "true"
    watched.press("Home")
    assert where(watched) == "the deal"
    watched.press("End")
    assert where(watched) == f"move {last} of {last}"


def test_tricks_and_rounds_are_gone_through_with_their_own_keys(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/matches/1-1.html")
    watched.press("n")
    assert "Round 2 of 2" in watched.text(".phase")
    assert "Round 1 is over" in watched.text(".round-result")
    watched.press("p")
    assert where(watched) == "the deal"
    while "tricks" not in watched.text(".phase"):
        watched.press("Shift+ArrowRight")
    watched.press("Shift+ArrowRight", "Shift+ArrowRight")
    assert "Tricks of this round: 2" in watched.text(".tricks summary")
    assert watched.find(".played.takes").count() == 1
    watched.find("[data-go=trick-back]").click()
    assert "Tricks of this round: 1" in watched.text(".tricks summary")


def test_an_address_names_what_is_seen(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/matches/1-1.html#move=57&as=seat2")
    assert where(watched).startswith("move 57 of")
    assert watched.find("[data-as=seat2]").get_attribute("aria-pressed") == "true"
    watched.press("ArrowRight", "o")
    assert watched.page.url.endswith("#move=58&as=open")
    watched.press("s", "Home")
    assert watched.page.url.endswith("#move=deal")
    watched.script("location.hash = '#move=9&as=seat0'")
    watched.find("#where:has-text('move 9 ')").wait_for()
    for odd in ("#move=99999&as=seat9", "#move=-5", "#move=x", "#nothing", "#move=end&as="):
        assert "move" in look(f"{address}/nyet/matches/1-1.html{odd}").text(".controls output") or (
            odd[1:] in ("move=-5", "move=x", "nothing")
        )


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_seat_sees_its_own_cards_and_no_others(look: Open, address: str, game: str) -> None:
    watched = look(f"{address}/{game}/matches/1-1.html#move=3")

    def open_hands() -> list[str]:
        hands = watched.find(".seat:has(.holds .hand)").all()
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
    watched = look(f"{address}/njet/matches/1-1.html#move=deal&as=open")
    secret = watched.script(
        """() => {
            const match = JSON.parse(document.getElementById("match-data").textContent);
            const isSecret = ({ view }) => view.phase === "discard";
            const steps = Views.all(match);
            return steps.findIndex((step, at) => isSecret(step) && isSecret(steps[at - 1])) - 1;
        }"""
    )
    if secret < 0:
        pytest.fail("this match has no secret choice: take another")
    watched.script(f"location.hash = '#move={secret}&as=open'")
    watched.find("#now:has-text('chooses')").wait_for()
    card = watched.text("#now").split()[3].rstrip(",")
    seat = int(watched.text("#now").split()[1])
    watched.press(str(seat))
    assert card in watched.text("#now")
    watched.press(str((seat + 1) % 5))
    assert watched.text("#now") == "a choice that is not seen from here"
    assert f"seat {seat} chooses {card}" not in watched.text("#moves")
    watched.press("s")
    assert watched.text("#now") == "a choice that is not seen from here"


def test_faults_are_told_at_their_move_and_their_words_to_their_seat_alone(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/benched/index.html")
    watched.find("tbody.benched tr:has-text('forfeited') .bot").click()
    watched.find(".fault-list a").first.click()
    watched.find("#viewer").wait_for()
    assert "as=seat" in watched.page.url
    watched.press("ArrowRight")
    assert "illegal not-legal, forfeits the match" in watched.text("#now")
    assert "which is not legal" in watched.text("#now")
    assert "asked for one of" in watched.text("#now")
    watched.press("s")
    assert "illegal not-legal" in watched.text("#now")
    assert "which is not legal" not in watched.text("#now")


def test_a_match_plays_itself_and_pauses(look: Open, address: str) -> None:
    watched = look(f"{address}/nope/matches/1-1.html", has_clock=True)
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
    watched = look(f"{address}/nyet/matches/1-1.html")
    watched.find("#keys summary").focus()
    watched.press("Space")
    assert watched.find("#keys").get_attribute("open") is not None
    assert watched.find("[data-go=play]").get_attribute("aria-pressed") == "false"
    watched.press("Control+o")
    assert watched.find("[data-as=spectator]").get_attribute("aria-pressed") == "true"
    watched.find("#slider").focus()
    watched.press("ArrowRight")
    assert where(watched).startswith("move 0 of")


def test_the_list_of_moves_follows_and_leads(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/matches/1-1.html#move=70")
    current = watched.find("#moves [aria-current=step]")
    assert current.inner_text().startswith("70")
    box, inside = watched.find("#moves").bounding_box(), current.bounding_box()
    assert box is not None
    assert inside is not None
    assert box["y"] <= inside["y"] <= box["y"] + box["height"]
    watched.find("#moves li[data-step='66']").click()
    assert where(watched).startswith("move 65 of")
