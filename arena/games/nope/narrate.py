"""The news between two views of NOPE!, in sentences for people.

Made from views alone, so it tells their reader nothing new.
"""

from __future__ import annotations

from arena.games.interface import View


def narrate(before: View | None, now: View, seat: int | None) -> list[str]:
    """The views are those of `seat`; None is a spectator."""
    if before is None:
        return [
            f"Seat {now['dealer']} deals; {now['discard'][0]} is the first open card; "
            f"demand: {demand(now)}"
        ]
    lines = []
    who = f"  seat {before['turn']}"
    if len(now["chosen"]) > len(before["chosen"]):
        lines.append(f"{who} chooses {now['chosen'][-1]} for its set")
    drawn = drew(before, now)
    if drawn is not None:
        lines.append(f"{who} draws {drawn}" + got(before, now, seat))
        if drawn and now["draw_pile"] > before["draw_pile"] - drawn:
            lines.append("  the discard pile but for its top card is shuffled into a draw pile")
    laid = laid_cards(before, now)
    if laid:
        lines.append(f"{who} lays {' '.join(laid)}; demand: {demand(now)}")
    elif now["turns"] > before["turns"]:
        lines.append(f"{who} says Nope")
    if before["phase"] == "choose" and now["choice"] is not None:
        lines.append(f"{who} names seat {now['choice']['to']}; demand: {demand(now)}")
    lines += [f"  seat {gone} is out" for gone in now["out"][len(before["out"]) :]]
    return lines


def demand(view: View) -> str:
    """The demand in force, in words."""
    if view["phase"] == "choose":
        return f"seat {view['turn']} chooses"
    if view["demand"] is None:
        return "none, the match is over"
    return f"{view['demand']['count']} {view['demand']['colours']}"


def drew(before: View, now: View) -> int | None:
    """The number of cards drawn between the views; None if it was not a draw."""
    seat = before["turn"]
    gained = now["hand_sizes"][seat] - before["hand_sizes"][seat]
    if gained > 0:
        return int(gained)
    is_nope = now["turns"] > before["turns"] and len(now["discard"]) == len(before["discard"])
    return 0 if is_nope else None


def got(before: View, now: View, seat: int | None) -> str:
    """The cards drawn, for the seat that drew them; "" for all others."""
    if seat != before["turn"] or seat is None:
        return ""
    new = [*now["hand"]]
    for card in before["hand"]:
        new.remove(card)
    return f": {' '.join(new)}" if new else ""


def laid_cards(before: View, now: View) -> list[str]:
    """The cards now on the discard pile that were not there before."""
    if len(now["discard"]) <= len(before["discard"]):
        return []
    return list(now["discard"][len(before["discard"]) :])
