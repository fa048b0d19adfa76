"""A round played out with all hands open, by simple rules: what a Monte Carlo bot needs most of
all, and needs fast.

Cards are rungs of a ladder (rungs.py). `suits` are by suit, then seat, the rungs held,
ascending; they are used up.
"""

from bisect import bisect_left


def play_out(ladder, suits, team, bonus, leader, trick, positive):
    """Play to the end of the round: our seats' take less theirs, the bonus card counted.

    `team` is by seat whether it is ours; `trick` are the cards on the table, from `leader` on.
    """
    seats = len(team)
    suit_of, is_low, ruff = ladder.suit, ladder.low, ladder.ruff
    lead, follow = (lead_high, follow_high) if positive else (lead_low, follow_low)
    turns = [tuple((first + i) % seats for i in range(seats)) for first in range(seats)]
    balance = 0
    while True:
        order = turns[leader]
        lows = [0, 0]
        best = -1
        winner = leader
        led = None
        for place, seat in enumerate(order):
            if place < len(trick):
                card = trick[place]
                if led is None:
                    led = suits[suit_of[card]]
            elif led is None:
                card = lead(ladder, suits, seat, team)
                if card is None:
                    return balance
                led = suits[suit_of[card]]
                led[seat].remove(card)
            else:
                rest = order[place + 1 :]
                card = follow(ladder, suits, led, seat, team, best, winner, rest)
                suits[suit_of[card]][seat].remove(card)
            if card >= best and (best < 0 or card >= ruff or suits[suit_of[card]] is led):
                best = card
                winner = seat
            if is_low[card]:
                lows[team[seat]] += 1
        ours = team[winner]
        take = 1 + lows[not ours]
        if winner == bonus:
            take *= 2
        balance += take if ours else -take
        leader = winner
        trick = ()


def answer(suits, led, seat, ruff):
    """The strongest card with which a seat can answer; -1 if it can take nothing."""
    if led[seat]:
        return led[seat][-1]
    top = -1
    for suit in suits:
        if suit[seat] and suit[seat][-1] > top:
            top = suit[seat][-1]
    return top if top >= ruff else -1


def lead_high(ladder, suits, seat, team):
    """A card that no opponent can beat, side suits first; else one that a teammate can take;
    else a small one."""
    mine = team[seat]
    sure = wanted = small = None
    for number, suit in enumerate(suits):
        held = suit[seat]
        if not held:
            continue
        threat = rescue = -1
        for other, is_ours in enumerate(team):
            if other != seat:
                top = answer(suits, suit, other, ladder.ruff)
                if is_ours != mine:
                    if top > threat:
                        threat = top
                elif top > rescue:
                    rescue = top
        if held[-1] > threat:
            if sure is None or number != ladder.trump:
                sure = held[-1]
        elif rescue > threat and (wanted is None or held[0] < wanted):
            wanted = held[0]
        card = held[0]
        if ladder.low[card] and len(held) > 1:
            for card in held:
                if not ladder.low[card]:
                    break
        if small is None or card < small:
            small = card
    if sure is not None:
        return sure
    return small if wanted is None else wanted


def follow_high(ladder, suits, led, seat, team, best, winner, rest):
    """Take the trick with the cheapest card that keeps it; else throw the smallest, a low one
    only where our own team takes it."""
    mine = team[seat]
    ruff = ladder.ruff
    threat = -1
    for other in rest:
        if team[other] != mine:
            top = answer(suits, led, other, ruff)
            if top > threat:
                threat = top
    safe = team[winner] == mine and threat < best
    held = led[seat]
    if not safe:
        need = best if threat < best else threat + 1
        if held:
            if held[-1] >= need:
                return held[bisect_left(held, need)]
        else:
            if need < ruff:
                need = ruff
            cheapest = None
            for suit in suits:
                its = suit[seat]
                if its and its[-1] >= need:
                    card = its[bisect_left(its, need)]
                    if cheapest is None or card < cheapest:
                        cheapest = card
            if cheapest is not None:
                return cheapest
    return throw_small(ladder, (led,) if held else suits, seat, safe)


def throw_small(ladder, suits, seat, safe):
    """The smallest card that is no loot; or a low one first, if our team takes the trick."""
    low = ladder.low
    small = loot = None
    for suit in suits:
        for card in suit[seat]:
            if low[card]:
                if loot is None or card < loot:
                    loot = card
                continue
            if small is None or card < small:
                small = card
            break
    if small is None:
        return loot
    if loot is not None and (safe and loot < ladder.ruff):
        return loot
    return small


def lead_low(ladder, suits, seat, team):
    """The smallest card there is."""
    small = None
    for suit in suits:
        held = suit[seat]
        if held and (small is None or held[0] < small):
            small = held[0]
    return small


def follow_low(ladder, suits, led, seat, team, best, winner, rest):
    """Stay below with the highest card that does, and give loot to the others; if the trick
    must be ours, spend the highest."""
    held = led[seat]
    theirs = team[winner] != team[seat]
    if held:
        if theirs and ladder.low[held[0]] and held[0] < best:
            return held[0]
        below = bisect_left(held, best)
        if below:
            return held[below - 1]
        return held[0] if rest else held[-1]
    loot = high = least = None
    for suit in suits:
        held = suit[seat]
        if not held:
            continue
        if theirs and loot is None and ladder.low[held[0]] and held[0] < ladder.ruff:
            loot = held[0]
        if least is None or held[0] < least:
            least = held[0]
        for card in reversed(held):
            if card < ladder.ruff or card < best:
                if high is None or card > high:
                    high = card
                break
    if loot is not None:
        return loot
    return least if high is None else high
