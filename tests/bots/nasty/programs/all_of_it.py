"""A bot, or its build, that tries all that is in `given.json` in its folder.

    python all_of_it.py build    tries it, and writes what came of it to `built.json`
    python all_of_it.py          tries it while it plays: `bot.py` is the honest half of it

What came of each deed is a line of JSON: its name, and what the program said.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

OVER = "all was tried"


def tried() -> Iterator[tuple[str, dict[str, Any]]]:
    with open("given.json") as file:
        given = json.load(file)
    told = json.dumps(given["told"])
    for program, deed in given["deeds"]:
        command = [sys.executable, "-I", "-S", f"{program}.py", deed, told, "end"]
        # Not a pipe, which a daemon would hold open.
        with tempfile.TemporaryFile() as output:
            try:
                subprocess.run(command, stdout=output, timeout=20, check=False)
                output.seek(0)
                yield deed, json.loads(output.read())
            except (OSError, ValueError, subprocess.TimeoutExpired) as error:
                yield deed, {"refused": repr(error)}


def build() -> None:
    lines = [json.dumps(pair) + "\n" for pair in tried()]
    with open("built.json", "w") as file:
        file.writelines(lines)


def play() -> None:
    if os.fork() == 0:
        for pair in tried():
            print(json.dumps(pair), flush=True)
        print(json.dumps((OVER, {})), flush=True)
        os._exit(0)
    os.execv(sys.executable, [sys.executable, "bot.py"])


if __name__ == "__main__":
    if sys.argv[1:] == ["build"]:
        build()
    else:
        play()
