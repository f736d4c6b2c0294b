"""Encodings as trees whose elements may be written in other ways than DER has."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Node:
    """An element: content of a primitive one, children of a constructed one."""

    tag: int
    content: bytes = b""
    children: list[Node] = field(default_factory=list)
    #: Set for a length that takes a byte more than it needs.
    long: bool = False
    #: An encoding that is wrapped in the content of a string.
    wrapped: Node | None = None

    def __getitem__(self, index: int) -> Node:
        return self.children[index]

    def open(self) -> Node:
        """The encoding in the content of an OCTET STRING."""
        if self.wrapped is None:
            self.wrapped = parse(self.content)
        return self.wrapped

    def encode(self) -> bytes:
        if self.tag & 0x20:
            content = b"".join(child.encode() for child in self.children)
        else:
            content = self.content if self.wrapped is None else self.wrapped.encode()
        return bytes([self.tag]) + _length(len(content), self.long) + content


def _length(length: int, long: bool) -> bytes:
    octets = length.to_bytes((length.bit_length() + 7) // 8 or 1, "big")
    if length < 0x80 and not long:
        return octets
    octets = b"\0" + octets if long and length >= 0x80 else octets
    return bytes([0x80 | len(octets)]) + octets


def _element(data: bytes, at: int) -> tuple[Node, int]:
    tag, first = data[at], data[at + 1]
    start, length = at + 2, first
    if first & 0x80:
        start += first & 0x7F
        length = int.from_bytes(data[at + 2 : start], "big")
    end = start + length
    if not tag & 0x20:
        return Node(tag, data[start:end]), end
    children = []
    while start < end:
        child, start = _element(data, start)
        children.append(child)
    return Node(tag, children=children), end


def parse(data: bytes) -> Node:
    """The tree of one element with tags of one byte."""
    node, end = _element(data, 0)
    assert end == len(data) and node.encode() == data
    return node
