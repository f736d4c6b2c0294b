"""PEM (RFC 7468): reads the blocks in a text, and writes blocks.

>>> from tagwise import pem
>>> text = pem.encode("EXAMPLE", bytes(3))
>>> print(text, end="")
-----BEGIN EXAMPLE-----
AAAA
-----END EXAMPLE-----
>>> [(block.label, block.data, block.line) for block in pem.blocks("explanatory text\\n" + text)]
[('EXAMPLE', b'\\x00\\x00\\x00', 2)]
>>> pem.blocks(text.replace("AAAA", "AAA"))
Traceback (most recent call last):
...
tagwise.Asn1Error: ...
>>> pem.blocks(text.replace("AAAA", "AAA"), allow=["pem-missing-padding"])[0].data
b'\\x00\\x00'

Whitespace and text around blocks are ignored, as RFC 7468 §2 recommends; `allow` contains the names of further rules
to tolerate. `LAX` contains all PEM rules whose violation is unambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tagwise import _native
from tagwise._data import Data

if TYPE_CHECKING:
    from tagwise import _kinds

__all__ = ["LABELS", "LAX", "Block", "blocks", "decode", "encode", "encode_many"]

#: The rules whose violations are always tolerated. RFC 7468 §2 recommends that parsers ignore whitespace and text before a block.
_USUAL = ("pem-line-length", "pem-trailing-space", "pem-whitespace", "pem-leading-space", "pem-stray-end")
#: The names of the PEM rules whose violations can be tolerated.
LAX: tuple[str, ...] = tuple(_native.pem_rules())
#: The labels of each kind of value, as in `LABELS["crl"]`. The first one is used for writing.
LABELS: dict[str, tuple[str, ...]] = {kind: tuple(labels) for kind, labels in _native.pem_labels().items()}


class Block(Data):
    """A PEM block in a text."""

    __slots__ = ("_data", "_headers", "_label", "_line", "_offset", "_size")
    _fields = ("label", "data", "headers", "line", "offset", "size")
    _headers: tuple[tuple[str, str], ...]

    def __init__(
        self,
        label: str,
        data: bytes,
        headers: Iterable[tuple[str, str]] = (),
        line: int = 0,
        offset: int = 0,
        size: int = 0,
    ) -> None:
        self._label = label
        self._data = data
        self._headers = tuple(headers)
        self._line = line
        self._offset = offset
        self._size = size

    @property
    def label(self) -> str:
        """The label, such as `CERTIFICATE`."""
        return self._label

    @property
    def data(self) -> bytes:
        """The decoded bytes of the block."""
        return self._data

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The RFC 1421 headers before the base64. They are accepted with `pem-headers`."""
        return self._headers

    @property
    def line(self) -> int:
        """The line number of the BEGIN boundary, counted from 1."""
        return self._line

    @property
    def offset(self) -> int:
        """The offset of the block."""
        return self._offset

    @property
    def size(self) -> int:
        """The length of the block in the text, in bytes."""
        return self._size


def blocks(text: _kinds.Text, *, allow: Sequence[str] = ()) -> list[Block]:
    """Returns the blocks in a text, which is `str` or any buffer. Text between them is skipped."""
    data = text.encode() if isinstance(text, str) else text
    return [Block(*one) for one in _native.pem_blocks(data, [*_USUAL, *allow])]


def decode(text: _kinds.Text, label: str, *, allow: Sequence[str] = ()) -> bytes:
    """Returns the bytes of the first block with the given label.

    >>> decode(encode("EXAMPLE", b"one"), "EXAMPLE")
    b'one'
    """
    found = blocks(text, allow=allow)
    for block in found:
        if block.label == label:
            return block.data
    labels = ", ".join(dict.fromkeys(block.label for block in found)) or "none at all"
    raise ValueError(f"block {label} not found; found {labels}")


def encode(label: str, data: _kinds.Buffer) -> str:
    """Encodes a block as text, with lines of 64 characters."""
    return _native.write_pem(label, data).decode()


def encode_many(given: Iterable[tuple[str, Any]]) -> str:
    """Encodes several blocks, from pairs of label and bytes."""
    return "".join(encode(label, data) for label, data in given)
