"""KDC proxies (MS-KKDCP), with HTTPS from Python's standard library."""

from __future__ import annotations

import os
import ssl
import time
import urllib.request
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from typing import IO
    from urllib.request import Request


class NoRedirection(urllib.request.HTTPRedirectHandler):
    """Rejects redirects, because only the configuration determines the servers for tickets."""

    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str) -> None:
        """Rejects the redirect."""


def context(anchors: list[str]) -> ssl.SSLContext:
    """Returns the TLS context, which trusts the anchors in the configuration (`FILE:path`, `DIR:path`,
    `ENV:variable`), or else the system's."""
    if not anchors:
        return ssl.create_default_context()
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for name in anchors:
        kind, _, value = name.partition(":")
        if kind == "ENV":
            kind, _, value = os.environ.get(value, "").partition(":")
        if kind == "FILE":
            made.load_verify_locations(cafile=value)
        elif kind == "DIR":
            for entry in sorted(os.scandir(value), key=lambda entry: entry.name):
                if entry.is_file():
                    made.load_verify_locations(cafile=entry.path)
        else:
            raise ValueError(f"http_anchors: {name}: expected FILE:path, DIR:path or ENV:variable")
    return made


def post(url: str, body: bytes, media_type: str, timeout: float, limit: int, anchors: list[str]) -> bytes:
    """Posts a request and returns the response, whose length is limited."""
    if not url.lower().startswith("https://"):
        raise ValueError(f"{url}: expected https")
    headers = {"Content-Type": media_type, "Cache-Control": "no-cache", "User-Agent": "tagwise"}
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context(anchors)), NoRedirection())
    ends = time.monotonic() + timeout
    data = b""
    with opener.open(request, timeout=timeout) as answer:
        # A byte now and then does not keep a client for longer.
        while piece := answer.read1(limit + 1 - len(data)):
            data += piece
            if len(data) > limit:
                raise ValueError("the proxy's reply is too long")
            if time.monotonic() > ends:
                raise TimeoutError("the proxy's answer takes too long")
    return data
