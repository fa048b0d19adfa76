"""The rule of thumb of python-random's second example, as a bot: take tricks, cheaply."""

from high import high as decide

from protocol import run

if __name__ == "__main__":
    run(decide, version="1.1", author="the arena authors")
