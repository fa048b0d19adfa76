"""Every page of a scheduler's dashboard: `python -m tests.league.cluster.pages URL`.

Prints what it finds, page by page, following the links on this server.
"""

from __future__ import annotations

import re
import sys
import urllib.error
import urllib.parse
import urllib.request

MOST_PAGES = 300
STARTS = ("/info/main/workers.html", "/json/identity.json", "/json/counts.json", "/sitemap.json")
_LINK = re.compile(r"""(?:href=|")["']?([^"' >]+\.(?:html|json))""")


def crawl(base: str) -> None:
    left, seen = [urllib.parse.urljoin(base, start) for start in STARTS], set[str]()
    while left and len(seen) < MOST_PAGES:
        url = left.pop(0)
        if url in seen or not url.startswith(base):
            continue
        seen.add(url)
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                body = answer.read().decode("utf-8", "replace")
        except (urllib.error.URLError, OSError) as error:
            print("==", url, error)
            continue
        print("==", url)
        print(body)
        left += [urllib.parse.urljoin(url, found) for found in _LINK.findall(body)]


if __name__ == "__main__":
    crawl(sys.argv[1])
