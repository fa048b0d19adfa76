"""A careful player of NOPE!: keep cards, keep few of a colour, and ask for what hurts."""

from nope.plans import Prospects, cost_of, plans

from protocol import run


def decide(request):
    """Give the same answer to the same request: there is no chance in it and no memory."""
    view, legal = request["view"], request["legal"]
    if view["phase"] == "choose":
        return max(legal, key=lambda choice: cost_of(view, choice))
    prospects = Prospects(view)
    return max(sorted(plans(view, legal)), key=prospects.value)[0]


if __name__ == "__main__":
    run(decide, version="1.0", author="the arena authors")
