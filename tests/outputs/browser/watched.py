"""A page that is watched while it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class Watched:
    """A page, and whatever went wrong in it: errors, or anything asked of anyone else."""

    def __init__(self, page: Page, url: str):
        self.page = page
        self.home = urlsplit(url)[:2]
        self.problems: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self._on_console(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: self._on_request(request.url))
        page.on("requestfailed", lambda request: self._on_failed(request.url, request.failure))

    def _on_console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(text)

    def _on_request(self, url: str) -> None:
        self.requests.append(url)
        if urlsplit(url)[:2] != self.home:
            self.problems.append(f"asked for {url}")

    def _on_failed(self, url: str, why: str | None) -> None:
        if why != "net::ERR_ABORTED":  # the next page was asked for meanwhile
            self.problems.append(f"failed: {url}, {why}")

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def text(self, selector: str) -> str:
        # A name with its type, because without Playwright installed mypy knows none of it.
        text: str = self.page.locator(selector).inner_text()
        return " ".join(text.split())

    def script(self, code: str) -> Any:
        return self.page.evaluate(code)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def resize(self, width: int, height: int) -> None:
        """Change the window, and wait for the frame in which the page's scripts have fitted it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.script(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    @property
    def overflow(self) -> int:
        """By how much the page is wider than its window."""
        found: int = self.script(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return found
