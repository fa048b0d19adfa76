"""Answers made of files: compressed for clients that can read that, and not sent twice."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from arena.serve.live.made import MadeFile

# A page may be another in a second, so it is asked for each time; an asset's address has the
# digest of all assets.
ASK = "no-cache"
FOR_EVER = "public, max-age=31536000, immutable"


def answer(request: Request, made: MadeFile, *, caching: str = ASK) -> Response:
    """Return the answer with this file, or 304 to a client that has it."""
    headers = {"etag": made.tag, "cache-control": caching, "vary": "accept-encoding"}
    known = [each.strip().removeprefix("W/") for each in _values(request, "if-none-match")]
    if made.tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    accepted = [each.partition(";")[0].strip() for each in _values(request, "accept-encoding")]
    if made.packed and "gzip" in accepted:
        headers["content-encoding"] = "gzip"
        return Response(made.packed, headers=headers, media_type=made.type)
    return Response(made.body, headers=headers, media_type=made.type)


def nothing_here(request: Request) -> Response:
    return PlainTextResponse("There is nothing here.\n", 404)


def no_socket(dial_in: str = "") -> Response:
    """Return the answer to a WebSocket that nothing here takes. `dial_in`: where bots go."""
    where = f"at {dial_in}" if dial_in else "at the address that its operator gives them"
    return PlainTextResponse(
        f"There is no WebSocket here. Bots dial in to a league {where} (SPEC 2.2).\n", 404
    )


def come_again(words: str, seconds: int = 5) -> Response:
    """Return the answer to a client for which there is no room now."""
    return PlainTextResponse(f"{words}\n", 503, headers={"retry-after": str(seconds)})


def _values(request: Request, name: str) -> list[str]:
    return ",".join(request.headers.getlist(name)).split(",")
