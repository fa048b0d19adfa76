"""The program: connects, says hello, and has `decide` answer every request, until bye."""

from decide import decide

from protocol import run

if __name__ == "__main__":
    run(decide, version="1.0")
