"""The templates, and the filters and values that every page has.

Everything is escaped unless it is markup of ours. Text also loses characters with an effect in a
browser, such as marks that reverse its direction.
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
from arena.outputs.pages.league.bars import stacked
from arena.outputs.pages.names import file_of_bot
from arena.outputs.pages.words import FILTERS
from arena.text import plain

HERE = Path(__file__).parent
STATIC = HERE / "static"

# Scripts, styles and images come only from files of the site, never from inside a page: text that
# escaping missed would still do nothing.
POLICY = Markup(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)


@cache
def edition() -> str:
    """Return a digest of the templates, scripts and code that pages are made with."""
    digest = sha256(arena.__version__.encode())
    made_with = [*HERE.rglob("*.py"), *HERE.glob("templates/*"), *STATIC.rglob("*")]
    for path in sorted(filter(Path.is_file, made_with)):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def render(template: str, **values: Any) -> str:
    """Return a whole page made from a template."""
    return _environment().get_template(template).render(values)


def data(value: object) -> Markup:
    """Return JSON for a script element, escaped so that nothing in it can end the element."""
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
    }
    environment.globals |= {
        "edition": edition(),
        "policy": POLICY,
        "stacked": stacked,
    }
    return environment


def _only_text(value: object) -> object:
    return plain(value) if type(value) is str else value
