"""A careful player of NOPE!: keep cards, keep few of a colour, and ask for what hurts."""

from plans import Prospects, cost_of, plans

from protocol import run


def decide(request):
    """A request goes in, one of its legal actions comes out."""
    return choose(request["view"], request["legal"])


def choose(view, legal):
    """The same to the same, always: there is no chance in it and no memory."""
    if view["phase"] == "choose":
        return max(legal, key=lambda choice: cost_of(view, choice))
    prospects = Prospects(view)
    return max(sorted(plans(view, legal)), key=prospects.value)[0]


if __name__ == "__main__":
    run(decide, version="1.0", author="the arena authors")
