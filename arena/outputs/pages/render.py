"""The templates, and what they are given on every page.

Everything is escaped unless it is markup of ours; text is also freed of what a browser could
take for more than text, such as marks that turn its direction round.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import arena
from arena.outputs.pages.bars import stacked
from arena.outputs.pages.names import file_of_bot, file_of_match
from arena.outputs.pages.words import FILTERS
from arena.record.transcript import plain

HERE = Path(__file__).parent
STATIC = HERE / "static"

# Only what lies beside a page may run, draw or be asked for; and nothing inside the page itself,
# so that text which somehow got past the escaping would still be only text.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)


@cache
def edition() -> str:
    """Which version of templates, scripts and code pages are made with, as a short text."""
    digest = sha256(arena.__version__.encode())
    for path in sorted((*HERE.glob("*.py"), *HERE.glob("templates/*"), *STATIC.glob("*"))):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def render(template: str, **values: Any) -> str:
    """A whole page."""
    return _environment().get_template(template).render(values)


def data(value: object) -> Markup:
    """JSON inside a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        auto_reload=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_only_text,
    )
    environment.filters |= FILTERS
    environment.filters |= {
        "data": data,
        "file_of_bot": file_of_bot,
        "file_of_match": file_of_match,
    }
    environment.globals |= {
        "edition": edition(),
        "policy": POLICY,
        "stacked": stacked,
    }
    return environment


def _only_text(value: object) -> object:
    return plain(value) if type(value) is str else value
