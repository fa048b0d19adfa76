"""What a step costs in the browser of somebody who watches a match: `python -m benchmarks.viewer`.

A full match of nyet with four seats, all hands open, is stepped through move by move in Chromium.
Measured is the processor time of the page's main thread for one step and the frame after it:
scripts, style, layout and paint, less what a key costs that means nothing. Cards that move take
some frames more of the browser's own, until they lie; these are measured with them, over the
400 ms of their way. The promises leave most of a frame of 60 Hz free, on a machine with slow cores.
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
from tests.league.leagues import Simulated, simulate
from tests.outputs.leagues import publish

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

LEAGUE = Simulated(bots=("fox", "owl", "crow", "hare"), sets=1, options={})
MOST_MS = 4.0
MOVING_STEPS = 80  # of one round: each waits until its cards lie

# A key, and then the frame that shows it; `?` means nothing to a page.
STEP = """async ([key, ms]) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    if (ms) await new Promise((done) => setTimeout(done, ms));
}"""
NOTHING = "?"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main_thread_ms(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    seconds: float = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
    return seconds * 1000


def times(page: Page, session: CDPSession, keys: list[str], ms: int) -> list[float]:
    """Return the milliseconds of each key, with what comes after it for `ms`."""
    found = []
    for key in keys:
        before = main_thread_ms(session)
        page.evaluate(STEP, [key, ms])
        found.append(main_thread_ms(session) - before)
    return found


def measured(page: Page, address: str) -> tuple[dict[str, list[float]], int]:
    """Return the times of steps by name, and how many steps the match has."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(f"{address}/sets/000/1.html#match=1&move=deal")
    steps = int(page.locator(".track input").get_attribute("max") or "")
    found: dict[str, list[float]] = {}
    moving_ms = 400
    for name, motion, count, ms in (
        ("jumping", "off", steps, 0),
        ("moving", "on", MOVING_STEPS, moving_ms),
    ):
        page.select_option("select[name=motion]", motion)
        page.evaluate("document.activeElement.blur()")
        times(page, session, ["Home"], 0)
        idle = statistics.median(times(page, session, [NOTHING] * 30, ms))
        found[name] = [each - idle for each in times(page, session, ["ArrowRight"] * count, ms)]
    return found, steps


def main() -> int:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        sys.exit("no Chromium is installed")
    with tempfile.TemporaryDirectory() as folder, simulate(Path(folder), LEAGUE) as store:
        pages = publish(store, Path(folder) / "pages")
        with served(pages) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            found, steps = measured(page, address)
            browser.close()
    lines = [
        Line(f"a step, cards {name}, median", statistics.median(ms), "ms", MOST_MS, MOST_MS / 2)
        for name, ms in found.items()
    ]
    notes = [
        f"{name}: {len(ms)} of {steps} steps, 95 of 100 within"
        f" {sorted(ms)[len(ms) * 95 // 100]:.1f} ms, longest {max(ms):.1f} ms"
        for name, ms in found.items()
    ]
    return report("watching a match of nyet, 4 seats, CPU of the main thread", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
