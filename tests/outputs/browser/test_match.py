"""A match stepped through in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.outputs.browser.conftest import Open
from tests.outputs.browser.watched import Watched

pytestmark = pytest.mark.browser

TABLES = ("nyet-of-2", "nyet-of-3", "nyet", "nyet-of-5", "njet", "nope-of-two", "nope-of-4", "nope")
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
    seen: str = watched.find("select[name=as]").input_value()
    return seen


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
        hands = watched.find(".seat:has(.hand .card:not(.back))").all()
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
            const [match] = SetPage.matches;
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
    assert (current.text_content() or "").startswith("70")
    box, inside = watched.find(".moves").bounding_box(), current.bounding_box()
    assert box is not None
    assert inside is not None
    assert box["y"] <= inside["y"] <= box["y"] + box["height"]
    watched.find(".moves li[data-at='66']").click()
    assert where(watched).startswith("move 65 of")


# What is seen of a moment, measured: what lies outside of the window or over another card's face.
CUT_OFF = """() => {
    const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const table = document.querySelector(".table-box").getBoundingClientRect();
    const found = [];
    const inside = (element, outer, what) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        if (left < outer.left - 1 || top < outer.top - 1 || right > outer.right + 1 ||
            bottom > outer.bottom + 1) {
            found.push(`${what}: ${left} ${top} ${right} ${bottom}`);
        }
    };
    for (const card of document.querySelectorAll(".felt .card:not(.is-empty)")) {
        inside(card, table, card.getAttribute("aria-label"));
    }
    for (const part of document.querySelectorAll(".plate, .caption")) {
        inside(part, table, part.className);
        if (part.scrollWidth > part.clientWidth + 1) found.push(`${part.textContent} is cut off`);
    }
    const covered = document.querySelector(".is-covering .board");
    const middle = document.querySelector(".middle").getBoundingClientRect();
    if (covered) inside(covered, middle, "the board");
    for (const part of document.querySelectorAll(
        ".result-strip, .table-box, .now, .controls, .controls button:not([hidden])," +
        ".controls select, .controls input"
    )) {
        inside(part, window_, part.className || part.tagName);
    }
    for (const name of document.querySelectorAll(".plate bdi")) {
        if (name.getBoundingClientRect().width < 12) found.push("a name without room");
    }
    return found;
}"""

STEP_THROUGH = """(cutOff) => {
    const measure = eval(cutOff);
    const found = new Set();
    let count = 0;
    while (!document.querySelector("[data-go=on][aria-disabled=true]")) {
        document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        count += 1;
        const where = document.querySelector(".where").textContent;
        for (const each of measure()) found.add(`${where}: ${each}`);
    }
    return [count, [...found].slice(0, 5)];
}"""


@pytest.mark.parametrize("size", ["375x667", "768x1024", "1000x700", "1024x768", "1440x900"])
@pytest.mark.parametrize("table", TABLES)
def test_every_moment_of_any_table_is_whole_on_one_screen(
    look: Open, address: str, table: str, size: str
) -> None:
    width, height = map(int, size.split("x"))
    watched = look(f"{address}/{table}/sets/000/1.html#match=1&move=deal", width=width)
    watched.page.set_viewport_size({"width": width, "height": height})
    watched.script("document.querySelector('.viewer').scrollIntoView()")
    assert watched.script(CUT_OFF) == []
    count, found = watched.page.evaluate(STEP_THROUGH, CUT_OFF)
    assert found == []
    assert count >= last_move(watched) + 1


# The places on a card of its rank, its letter, its sign and its mark, as parts of its width.
COVERED = """() => [...document.querySelectorAll(".seat .hand .one")].flatMap((card) => {
    const { left, top, width } = card.getBoundingClientRect();
    return [[.2, .25], [.15, .62], [.42, .62], [.25, .84]].filter(([x, y]) =>
        document.elementFromPoint(left + x * width, top + y * width)?.closest(".card") !== card
    ).map((place) => `${card.getAttribute("aria-label")}: ${place}`);
})"""


@pytest.mark.parametrize("size", ["375x667", "768x1024", "1440x900"])
@pytest.mark.parametrize("table", ["nyet", "njet"])
def test_each_card_of_a_hand_shows_its_rank_letter_sign_and_mark(
    look: Open, address: str, table: str, size: str
) -> None:
    width, height = map(int, size.split("x"))
    watched = look(f"{address}/{table}/sets/000/1.html#match=1&move=deal", width=width)
    watched.page.set_viewport_size({"width": width, "height": height})
    watched.script("document.querySelector('.viewer').scrollIntoView()")
    assert watched.find(".is-long").count() > 0
    assert watched.script(COVERED) == []
    watched.press("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    assert watched.script(COVERED) == []


@pytest.mark.parametrize("game", ["nyet", "nyet-of-2", "njet", "njet-it"])
def test_the_finished_board_is_seen_before_it_is_folded(
    look: Open, address: str, game: str
) -> None:
    watched = look(f"{address}/{game}/sets/000/1.html#match=1&move=deal")
    while "to cover a box" in watched.text(".caption"):
        watched.press("ArrowRight")
    assert "has covered the last box" in watched.text(".caption")
    assert watched.find(".board").is_visible()
    assert watched.find(".board td.last").count() == 1
    assert watched.find(".board td.settled").count() == watched.find(".board tr").count()
    assert watched.find(".status li").count() == 1
    watched.press("ArrowRight")
    assert not watched.find(".board").is_visible()
    assert watched.find(".status li").count() > 1


# The names in the boxes of the board, and those of them that their boxes cut off.
NAMES_OF_BOXES = """() => {
    const names = [...document.querySelectorAll(".board .who")];
    const cut = names.filter((name) => {
        const [own, box] = [name, name.parentNode].map((each) => each.getBoundingClientRect());
        return own.right > box.right || own.bottom > box.bottom ||
            name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight;
    });
    return [names.map((name) => name.textContent), cut.map((name) => name.textContent)];
}"""


@pytest.mark.parametrize("size", ["375x667", "1024x768", "1280x800", "1440x900", "1920x1080"])
@pytest.mark.parametrize("table", ["nyet-of-2", "nyet", "nyet-of-5"])
def test_names_in_the_boxes_of_the_board_are_whole_and_told_apart(
    look: Open, address: str, table: str, size: str
) -> None:
    width, height = map(int, size.split("x"))
    watched = look(f"{address}/{table}/sets/000/1.html#match=1&move=2", width=width)
    watched.page.set_viewport_size({"width": width, "height": height})
    assert watched.find(".board").is_visible()
    watched.page.wait_for_function("document.querySelector('.board .who').clientWidth > 0")
    names, cut = watched.script(NAMES_OF_BOXES)
    assert cut == []
    assert len(set(names)) == len(names) > 1


def test_the_end_of_a_round_is_reckoned_on_the_felt(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    watched.press("n", "ArrowLeft")
    assert re.search(r"team A .* loot = \d+, times", watched.text(".caption"))
    assert "wins" not in watched.text(".caption")
    watched.press("End")
    assert re.search(r"team B .* loot = \d+, times", watched.text(".caption"))
    assert re.search("wins with|share the first place", watched.text(".caption"))


def test_who_has_chosen_cards_to_give_away_is_told_only_where_it_is_seen(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/njet/sets/000/1.html#match=1&move=deal")
    while "in secret" not in watched.text(".caption"):
        watched.press("ArrowRight")
    assert watched.find(".is-to-act").count() == 5
    watched.press("s")
    assert watched.find(".is-to-act, .badge.ready").count() == 0
    watched.press("0")
    assert watched.find(".is-to-act").count() == 1
    while "in secret" in watched.text(".caption"):
        ready = watched.find(".at-0 .badge.ready").count()
        assert watched.find(".is-to-act").count() == 1 - ready
        watched.press("ArrowRight")
    assert watched.find(".at-0 .aside .chip").count() > 0


def test_bots_are_told_by_their_names(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1&move=deal")
    names = watched.script("SetPage.matches[0].names")
    told = watched.find(".moves .line").all_inner_texts()
    assert all("seat" not in line.lower() for line in told if "notes" not in line)
    assert not [line for line in told if re.search("(first|trump|points):", line)]
    assert {name for name in names if any(name in line for line in told)} == set(names)
    watched.press("ArrowRight")
    mover = watched.find(".moves li[data-at='1'] .who").first
    seat = int(mover.get_attribute("data-seat") or "")
    assert mover.inner_text() == names[seat]


def test_the_taker_of_each_trick_is_told_with_the_reason(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1&move=deal")
    reasons = set()
    while "Round 1" in watched.text(".status"):
        watched.press("Shift+ArrowRight")
        caption = watched.text(".caption")
        if "takes it" in caption:
            assert watched.find(".slot.takes").count() == 1
            taken = " ".join(watched.find(".caption").inner_text().split("\n")[0].split())
            reasons.add(re.sub(r"^.* takes it: \S+ ", "", taken))
    colours = "red|green|blue|yellow|trump"
    known = (
        rf"the highest ({colours})(, played last)?|the only trump|the supertrump( played last)?"
        rf"|nobody else has played ({colours})"
    )
    assert len(reasons) > 2
    assert [each for each in reasons if not re.fullmatch(known, each)] == []


def moving(watched: Watched) -> int:
    """How many cards are being drawn elsewhere than where they lie."""
    count: int = watched.script(
        "document.getAnimations().filter((each) => each.effect.target.matches('.card')).length"
    )
    return count


def let_animations_run(watched: Watched, *, rate: float) -> None:
    """Slow all animations down, so that none ends before it is looked at on a busy machine."""
    session = watched.page.context.new_cdp_session(watched.page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": rate})


# A move after which a card lies in the trick, and nothing else has happened.
FIRST_CARD = """() => {
    return Views.all(SetPage.matches[0]).findIndex(({ view }) => view.tricks[0]?.length === 1) - 1;
}"""


def test_a_card_moves_to_the_trick_and_the_trick_to_its_taker(look: Open, address: str) -> None:
    watched = look(f"{address}/njet-it/sets/000/1.html#match=1", has_motion=True)
    first = watched.script(FIRST_CARD)
    watched.script(f"location.hash = '#match=1&move={first - 1}'")
    watched.find(f".where:has-text('move {first - 1} ')").wait_for()
    assert moving(watched) == 0
    let_animations_run(watched, rate=0.001)
    watched.press("ArrowRight")
    assert moving(watched) == 1
    watched.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert moving(watched) == 1
    assert watched.find(".slot.takes").count() == 1
    watched.press("ArrowRight")
    assert moving(watched) == 5
    let_animations_run(watched, rate=1)
    watched.find(".card.leaving").first.wait_for(state="detached")
    watched.find(".slot .card").last.wait_for()
    assert watched.find(".slot .card").count() == 1


def test_nothing_moves_when_it_is_not_wanted(look: Open, address: str) -> None:
    url = f"{address}/njet-it/sets/000/1.html#match=1"
    watched = look(url, has_motion=True)
    first = watched.script(FIRST_CARD)
    for jump in ("End", "Home", "Shift+ArrowRight", "n"):
        watched.press(jump)
        assert moving(watched) == 0
    watched.script(f"location.hash = '#match=1&move={first}'")
    watched.find(f".where:has-text('move {first} ')").wait_for()
    watched.press("ArrowLeft")
    assert moving(watched) == 0
    watched.page.select_option("select[name=motion]", "off")
    watched.script("document.activeElement.blur()")
    watched.press("ArrowRight")
    assert moving(watched) == 0
    calm = look(f"{url}&move={first - 1}")
    calm.press("ArrowRight")
    assert where(calm).startswith(f"move {first} ")
    assert moving(calm) == 0
    assert calm.find(".slot .card").count() == 1


def test_a_match_is_played_slower_faster_and_by_trick(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1", has_clock=True)
    watched.press("-", "Space")
    watched.page.clock.run_for(1_000)
    assert where(watched).startswith("move 0 of")  # boxes are covered twice as fast
    watched.press("Space")
    while "to cover a box" in watched.text(".caption"):
        watched.press("ArrowRight")
    before = int(where(watched).split()[1])
    watched.press("Space")
    watched.page.clock.run_for(1_900)
    assert where(watched).startswith(f"move {before + 1} of")
    watched.press("+", "+", "+", "+")
    assert watched.find("select[name=speed]").input_value() == "4"
    watched.page.clock.run_for(930)
    assert where(watched).startswith(f"move {before + 5} of")
    watched.press("Space", "-", "-", "t")
    assert watched.find("select[name=by]").input_value() == "trick"
    while "takes it" not in watched.text(".caption"):
        watched.press("ArrowRight")
    watched.press("Space")
    watched.page.clock.run_for(3_700)
    assert "trick 3" in watched.text(".status")
    assert "takes it" in watched.text(".caption")


def test_what_is_told_is_not_read_out_while_a_match_plays(look: Open, address: str) -> None:
    watched = look(f"{address}/nope/sets/000/1.html#match=1", has_clock=True)
    assert watched.find(".now").get_attribute("aria-live") == "polite"
    watched.press("Space")
    assert watched.find(".now").get_attribute("aria-live") == "off"
    watched.press("Space")
    assert watched.find(".now").get_attribute("aria-live") == "polite"


def test_the_result_and_the_score_of_each_round_are_told(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    match = watched.script("SetPage.matches[0]")
    told = watched.find(".places-list li").all_inner_texts()
    assert [line[:3] for line in told] == [
        {1: "1st", 2: "2nd", 3: "3rd", 4: "4th"}[place] for place in sorted(match["places"])
    ]
    best = match["places"].index(1)
    assert match["names"][best] in watched.text(".why-won")
    assert f"with {match['scores'][best]} point" in watched.text(".why-won")
    assert "the last round was played" in watched.text(".why-won")
    totals = watched.find(".by-round tbody tr:last-child td strong").all_inner_texts()
    assert totals == [str(score).replace("-", "−") for score in match["scores"]]
    watched.find(".by-round a").last.click()
    assert where(watched) == "deal of round 2"


def test_a_hidden_result_is_shown_nowhere_before_it_is_reached(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    watched.find(".hide-results").click()

    def result_is_shown() -> bool:
        shown: int = watched.find(".places-list, .why-won, #result").filter(visible=True).count()
        return shown > 0

    assert not result_is_shown()
    assert watched.find(".by-round tbody tr:visible").count() == 0
    assert watched.find(".moves li:visible").count() == 1
    watched.page.reload()
    assert not result_is_shown()
    watched.press("n")
    assert watched.find(".by-round tbody tr:visible").count() == 1
    watched.press("Home")
    assert watched.find(".by-round tbody tr:visible").count() == 0
    watched.press("h")
    assert result_is_shown()
    assert watched.find(".by-round tbody tr:visible").count() == 2
    watched.press("h")
    assert not result_is_shown()
    watched.press("End")
    assert watched.find(".places-list").is_visible()


def test_a_hidden_result_is_told_at_the_end_and_hidden_again_on_the_way_back(
    look: Open, address: str
) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    button = watched.find(".hide-results")
    assert button.inner_text() == "hide results"
    watched.press("h")
    assert button.inner_text() == "show results"
    watched.press("End")
    assert watched.find(".places-list, .why-won").filter(visible=True).count() == 2
    assert watched.text(".result-hidden") == "Before the end, results are hidden."
    assert button.inner_text() == "stop hiding"
    watched.press("ArrowLeft")
    assert watched.find(".places-list, .why-won").filter(visible=True).count() == 0
    assert watched.find(".moves li:visible").last.get_attribute("aria-current") == "step"
    assert button.inner_text() == "show results"
    watched.press("Home")
    assert watched.find(".moves li:visible").count() == 1
    assert watched.find(".by-round tbody tr:visible").count() == 0
    watched.press("1")
    assert watched.find(".moves li:visible").count() == 1
    watched.press("End", "h")
    assert button.inner_text() == "hide results"
    assert not watched.find(".result-hidden").is_visible()


def test_the_dealer_is_marked_also_where_results_are_hidden(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    assert watched.find(".badge.dealer").filter(visible=True).count() == 1
    watched.press("h")
    assert watched.find(".badge.dealer").filter(visible=True).count() == 1


IN_SIGHT = """() => {
    const list = document.querySelector(".moves").getBoundingClientRect();
    const item = document.querySelector(".moves [aria-current]").getBoundingClientRect();
    return item.top >= list.top && item.bottom <= list.bottom;
}"""


@pytest.mark.parametrize("width", [375, 1440])
def test_the_current_move_stays_in_sight_where_results_are_hidden(
    look: Open, address: str, width: int
) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1&move=deal2", width=width)
    watched.press("h")
    for _ in range(40):
        watched.press("ArrowRight")
    watched.page.wait_for_function(IN_SIGHT)
    watched.press("End")
    watched.page.wait_for_function(IN_SIGHT)


def test_the_address_is_right_when_a_match_pauses(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1&move=deal", has_clock=True)
    watched.press("+", "+", "Space")
    watched.page.clock.run_for(1_000)
    watched.press("Space")
    assert watched.page.url.endswith(f"#match=1&move={where(watched).split()[1]}")


def test_marks_of_a_judge_stand_at_their_moves(look: Open, address: str) -> None:
    url = f"{address}/nyet/sets/000/1.html#match=1"
    watched = look(url)
    mover = watched.script("SetPage.matches[0].rounds[0].seats[40]")
    watched.script(
        f"""() => {{
            const match = {{ ...SetPage.matches[0] }};
            match.marks = [[40, {mover}, "R7 was worth 2 points more"]];
            document.body.append(document.createElement("div"));
            window.mounted = Viewer.mount(document.body.lastChild, match);
            mounted.show(new URLSearchParams("move=40"));
        }}"""
    )
    second = watched.find(".viewer").last
    assert "R7 was worth 2 points more" in second.locator(".now").inner_text()
    assert "R7 was worth" in (second.locator(".moves li[data-at='41']").text_content() or "")
    assert second.locator(".tick-mark.mark").count() == 1
    watched.script("mounted.show(new URLSearchParams('move=40&as=spectator'))")
    assert "R7 was worth" not in second.locator(".now").inner_text()
    watched.script("mounted.close()")
    assert watched.find(".viewer").count() == 1


def test_a_closed_viewer_leaves_nothing_behind(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1", has_clock=True)
    watched.script(
        """() => {
            const [match] = SetPage.matches;
            window.texts = [];
            document.body.append(document.createElement("div"));
            window.mounted = Viewer.mount(document.body.lastChild, match,
                { write: (text) => texts.push(text) });
        }"""
    )
    watched.press("Space")
    watched.page.clock.run_for(2_000)
    before = watched.script("texts.length")
    assert before > 0
    watched.script("mounted.close()")
    after = watched.script("texts.length")
    watched.page.clock.run_for(5_000)
    watched.press("ArrowRight")
    watched.page.clock.run_for(1_000)
    assert watched.script("texts.length") == after
    assert watched.script("document.body.lastChild.childNodes.length") == 0


def test_a_match_that_is_watched_is_not_printed(look: Open, address: str) -> None:
    watched = look(f"{address}/nyet/sets/000/1.html#match=1")
    watched.page.emulate_media(media="print")
    assert not watched.find(".viewer").is_visible()
