"""The news between two views of a trick-taking game, in sentences for people.

Made from views alone, so it tells their reader nothing new.
"""

from __future__ import annotations

from arena.games.interface import View


def narrate(before: View | None, now: View, seat: int | None) -> list[str]:
    """The views are those of `seat`; None is a spectator."""
    if before is None:
        return opening(now)
    lines = actions(before, now)
    if before["phase"] == "discard" and now["phase"] == "play":
        lines += exchange(now, seat)
    if now["previous"] != before["previous"]:
        lines += result(now)
        if now["phase"] != "over":
            lines += opening(now)
    return lines


def opening(now: View) -> list[str]:
    return [f"Round {now['round']}. Seat {now['dealer']} deals."]


def actions(before: View, now: View) -> list[str]:
    """Lines about new tokens, teams and cards."""
    lines = []
    if len(now["tokens"]) > len(before["tokens"]):
        placed = len(now["tokens"]) - 1
        seat = (now["first_token"] + placed) % now["seats"]
        lines.append(f"  seat {seat} covers {now['tokens'][-1]}")
    if before["trump"] is None and now["trump"] is not None:
        lines.append("  the board leaves open: " + ", ".join(now["open"]))
    if before["team"] is None and now["team"] is not None:
        others = [seat for seat in range(now["seats"]) if seat not in now["team"]]
        bonus = f"; seat {now['bonus']} holds the bonus card" if now["bonus"] is not None else ""
        lines.append(f"  teams: {plus(now['team'])} against {plus(others)}{bonus}")
    lines += card_played(before, now)
    return lines


def plus(seats: list[int]) -> str:
    return "+".join(map(str, seats))


def card_played(before: View, now: View) -> list[str]:
    """Lines about the card just played, and about the trick if that card completed it."""
    if before["phase"] != "play":
        return []
    seats = now["seats"]
    number, leader = len(before["tricks"]), before["leaders"][-1]
    place = len(before["tricks"][-1])
    goes_on = now["previous"] == before["previous"]
    trick = now["tricks"][number - 1] if goes_on else now["previous"]["last_trick"]
    lines = [f"  seat {(leader + place) % seats} plays {trick[place]}"]
    if len(trick) == seats:
        winner = now["leaders"][number] if goes_on else now["previous"]["last_winner"]
        loot = sum((now if goes_on else now["previous"])["loot"]) - sum(before["loot"])
        spoils = f" with {loot} loot" if loot else ""
        lines.append(f"  trick {number}: {' '.join(trick)} goes to seat {winner}{spoils}")
    return lines


def exchange(now: View, seat: int | None) -> list[str]:
    """Lines about discarding or passing; each seat is told only its own cards."""
    verb = "passed on" if now["discard"][:1] in "lr" else "discarded"
    lines = [f"  everyone has {verb} cards ({now['discard']})"]
    if seat is not None:
        lines.append(f"  seat {seat} {verb} {' '.join(now['given'])}")
        if now["received"]:
            lines.append(f"  seat {seat} received {' '.join(now['received'])}")
    return lines


def result(now: View) -> list[str]:
    """A line about the round that has just ended."""
    last = now["previous"]
    totals = ", ".join(
        f"seat {seat} {won}+{loot} {scored:+d} = {total}"
        for seat, (won, loot, scored, total) in enumerate(
            zip(last["tricks_won"], last["loot"], last["scored"], now["scores"], strict=True)
        )
    )
    return [f"  round {last['round']} (tricks+loot, points, total): {totals}"]
