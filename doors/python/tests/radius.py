"""A RADIUS server (RFC 2865) on a UNIX socket that takes one password: what MIT's KDC asks about one-time passwords."""

from __future__ import annotations

import hashlib
import pathlib
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ACCEPT, REJECT, USER_PASSWORD = 2, 3, 2


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def __init__(self, path: pathlib.Path, password: bytes) -> None:
        super().__init__(str(path), Handler)
        self.password = password
        #: What was asked about.
        self.asked: list[bytes] = []


class Handler(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        while len(head := self.rfile.read(20)) == 20:
            attributes = self.rfile.read(int.from_bytes(head[2:4], "big") - 20)
            given = shown(find(attributes, USER_PASSWORD), head[4:])
            self.server.asked.append(given)
            reply = bytes([ACCEPT if given == self.server.password else REJECT, head[1], 0, 20])
            self.wfile.write(reply + hashlib.md5(reply + head[4:]).digest())


def find(attributes: bytes, kind: int) -> bytes:
    """The attribute of a type; nothing if there is none."""
    while len(attributes) >= 2:
        if attributes[0] == kind:
            return attributes[2 : attributes[1]]
        attributes = attributes[max(attributes[1], 2) :]
    return b""


def shown(hidden: bytes, before: bytes) -> bytes:
    """A hidden password (§5.2), without a secret: MIT's KDC has none to share over a UNIX socket."""
    out = b""
    for at in range(0, len(hidden), 16):
        block = hidden[at : at + 16]
        out += bytes(one ^ other for one, other in zip(block, hashlib.md5(before).digest()))
        before = block
    return out.rstrip(b"\0")


@contextmanager
def running(path: pathlib.Path, password: bytes) -> Iterator[Server]:
    """A server while it is used."""
    with Server(path, password) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
