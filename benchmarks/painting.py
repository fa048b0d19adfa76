"""How soon a spectator sees a page: `python -m benchmarks.painting`.

In Chromium, on a processor slowed down to a quarter as that of a cheap phone is (so DevTools say),
the pages of a league of a hundred bots and 4,000 matches, none of them in any cache: the time from
the request until the frame in which all scripts have done their part, and the time of the first
text. Medians of wall times, so run it on a machine that does nothing else. And what all pages take
on disk. Needs the extra `browser`.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import Line, report
from tests.browsers import BROWSERS
from tests.league.leagues import Simulated, simulate
from tests.outputs.browser.conftest import Quiet
from tests.outputs.leagues import publish

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPEATS = 5
SLOWER = 4
MOST_MS = 1000
STRETCH_MS = 500

BOTS = [f"bot-{number}" for number in range(100)]
LEAGUE = Simulated(bots=BOTS, sets=1000, options={})
MOST_MB = 80
STRETCH_MB = 70
PAGES = {
    "table": "index.html",
    "matrix": "matrix.html",
    "history": "history.html",
    "a bot": "bots/bot-0.html",
}

# Deferred scripts have run by DOMContentLoaded; the second frame after it has been painted when
# the third one begins.
SETTLED = """
document.addEventListener("DOMContentLoaded", () =>
  requestAnimationFrame(() => requestAnimationFrame(() => {
    window.settled = performance.now();
  })));
"""
FIRST = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def painted(browser: Browser, url: str) -> tuple[float, float]:
    """Return the milliseconds to the first text, and to the page as scripts leave it."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(SETTLED)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(url)
    page.wait_for_function("() => window.settled")
    times = float(page.evaluate(FIRST)), float(page.evaluate("window.settled"))
    context.close()
    return times


def main() -> int:
    """Print the table; 1 if a line does not hold."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with simulate(folder / "store", LEAGUE) as store:
            publish(store, folder / "pages")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        times: dict[str, list[tuple[float, float]]] = {what: [] for what in PAGES}
        with served(folder / "pages") as address:
            for _ in range(REPEATS):
                for what, file in PAGES.items():
                    times[what].append(painted(browser, f"{address}/{file}"))
        browser.close()
        files = [path for path in (folder / "pages").rglob("*") if path.is_file()]
        megabytes = sum(path.stat().st_size for path in files) / 1e6
        sizes = {what: (folder / "pages" / file).stat().st_size for what, file in PAGES.items()}
    lines, notes = [], []
    for what, found in times.items():
        first, settled = (statistics.median(each) for each in zip(*found, strict=True))
        lines.append(Line(f"{what}, 100 bots", settled, "ms", MOST_MS, STRETCH_MS))
        notes.append(f"{what}: {sizes[what] / 1000:.0f} kB, first text after {first:.0f} ms")
    lines.append(Line("all pages of 4,000 matches of nyet", megabytes, "MB", MOST_MB, STRETCH_MB))
    return report(f"painting, {SLOWER} times slower", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
