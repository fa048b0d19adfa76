"""A careful player of the trick games: one idea for each phase, each in a module of its own."""

from discards import give
from play import play
from teams import choose_team
from tokens import cover

from protocol import run

PHASES = {"tokens": cover, "team": choose_team, "discard": give, "play": play}


def decide(request):
    """A request goes in, one of its legal actions comes out."""
    return choose(request["view"], request["legal"])


def choose(view, legal):
    """The same to the same, always: there is no chance in it and no memory."""
    return PHASES[view["phase"]](view, legal)


if __name__ == "__main__":
    run(decide, version="1.0", author="the arena authors")
