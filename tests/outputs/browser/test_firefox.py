"""Every kind of page in Firefox: no script of ours may fail there.

Firefox as Debian packages it can be driven by none of our tools, but it opens a page, makes a
picture of it and ends; and with a preference of its developers it prints each error of a script
that nobody caught.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.outputs.browser.conftest import kinds_of_pages

pytestmark = pytest.mark.browser

BROWSERS = ("firefox-esr", "firefox")
SECONDS = 60

# What it prints; and a proxy that is not there for whatever it would ask of its maker.
PREFERENCES = {
    "browser.dom.window.dump.enabled": "true",
    "browser.shell.checkDefaultBrowser": "false",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "network.proxy.allow_hijacking_localhost": "false",
    "network.proxy.http": '"127.0.0.1"',
    "network.proxy.http_port": "9",
    "network.proxy.no_proxies_on": '"127.0.0.1"',
    "network.proxy.ssl": '"127.0.0.1"',
    "network.proxy.ssl_port": "9",
    "network.proxy.type": "1",
    "services.settings.server": '"data:,#remote-settings-dummy/v1"',
}


class Firefox:
    """Firefox with a profile of its own."""

    def __init__(self, path: str, home: Path):
        self.path = path
        self.home = home
        (home / "profile").mkdir()
        lines = [f'user_pref("{name}", {value});' for name, value in PREFERENCES.items()]
        (home / "profile" / "user.js").write_text("\n".join(lines))

    def errors(self, address: str, page: str) -> list[str]:
        """Return the errors of the scripts of a page, which must have been shown."""
        picture = self.home / "picture.png"
        picture.unlink(missing_ok=True)
        ran = subprocess.run(
            [
                *(self.path, "--headless", "--new-instance"),
                *("--profile", str(self.home / "profile")),
                *("--screenshot", str(picture), f"{address}/{page}"),
            ],
            env={**os.environ, "HOME": str(self.home)},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert picture.exists(), ran.stderr
        lines = (ran.stdout + ran.stderr).splitlines()
        return [line for line in lines if line.startswith("JavaScript error") and address in line]


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Firefox:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path is not None, f"no Firefox is installed: one of {', '.join(BROWSERS)}"
    return Firefox(path, tmp_path_factory.mktemp("firefox"))


def test_an_error_of_a_script_is_found(
    firefox: Firefox, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    (tmp_path / "bad.html").write_text('<!doctype html><script src="bad.js" defer></script>')
    (tmp_path / "bad.js").write_text("missing();")
    (error,) = firefox.errors(serve(tmp_path), "bad.html")
    assert error.endswith("bad.js, line 1: ReferenceError: missing is not defined")


@pytest.mark.parametrize("path", kinds_of_pages())
def test_no_script_of_a_page_fails(firefox: Firefox, address: str, path: str) -> None:
    assert firefox.errors(address, path) == []
