"""A round played to its end with all hands open, by simple rules: some tens of microseconds.

A search plays thousands of them in a second, so they are loops over small lists of numbers and
nothing else. Cards are rungs of a ladder (rungs.py). `suits` has by suit, then by seat, the rungs
held, ascending; playing takes them out. `team` has by seat if it is ours.
"""

from bisect import bisect_left


def play_out(ladder, suits, team, bonus, leader, trick, positive):
    """Play to the end of the round, and return our take less theirs, the bonus card counted.

    `bonus`: the seat that holds it, or None. `trick`: the cards on the table, from `leader` on.
    `positive`: False at -2, where everybody plays for the fewest takes.
    """
    seats = len(team)
    suit_of, is_low, ruff = ladder.suit, ladder.low, ladder.ruff
    # Everybody plays by these two rules; only the first of a trick leads.
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
            if place < len(trick):  # it lies there already
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
            # SPEC 11.5: of equals the later, and only trump or supertrump takes another suit.
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
    """Return the strongest card with which a seat can answer a suit; -1 if it can take nothing."""
    if led[seat]:
        return led[seat][-1]
    top = -1
    for suit in suits:
        if suit[seat] and suit[seat][-1] > top:
            top = suit[seat][-1]
    return top if top >= ruff else -1


def lead_high(ladder, suits, seat, team):
    """Return a card that no opponent can beat, trump last; else a small one of a suit that a
    teammate takes; else the smallest, no low card if there is another. None without cards."""
    mine = team[seat]
    sure = wanted = small = None
    for number, suit in enumerate(suits):
        held = suit[seat]
        if not held:
            continue
        # The best answers of the other team and of ours.
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
        # The smallest of this suit; of the low rank only if there is nothing else.
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
    """Return the cheapest card that takes the trick and keeps it; else the smallest, a low one only
    where our own team takes it.

    `best`: the card that has the trick, from `winner`. `rest`: the seats that play after this one.
    """
    mine = team[seat]
    ruff = ladder.ruff
    # The best answer that is still to come from the other team.
    threat = -1
    for other in rest:
        if team[other] != mine:
            top = answer(suits, led, other, ruff)
            if top > threat:
                threat = top
    safe = team[winner] == mine and threat < best
    held = led[seat]
    if not safe:
        # Of equals the later takes: as high as the best, but higher than what still comes.
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
    """Return the smallest card that is no loot; or a low one first, if `safe`: our team takes the
    trick."""
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
    """Return the smallest card; None without cards."""
    small = None
    for suit in suits:
        held = suit[seat]
        if held and (small is None or held[0] < small):
            small = held[0]
    return small


def follow_low(ladder, suits, led, seat, team, best, winner, rest):
    """Return the highest card that stays below the trick, but loot for the others first; if the
    trick must be ours, the highest."""
    held = led[seat]
    theirs = team[winner] != team[seat]
    if held:
        if theirs and ladder.low[held[0]] and held[0] < best:
            return held[0]  # loot, for them
        below = bisect_left(held, best)
        if below:
            return held[below - 1]
        # Nothing stays below. The last to play has the trick anyway, so away with the highest.
        return held[0] if rest else held[-1]
    # Another suit: any card below `ruff` loses, and a trump does if it is not above the best.
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
