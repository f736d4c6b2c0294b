"""Encoding in pieces: the items of a SEQUENCE OF come from an iterator, and are never all held in memory.

The value without these items is encoded first. Its encoding is written with the items inserted into the empty list.
With indefinite lengths, as in CER, nothing else changes. With definite lengths, the lengths of the enclosing elements
grow by the size of the items, which a first pass determines.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from tagwise.asn1 import _paths
from tagwise.asn1._element import Element, Header

if TYPE_CHECKING:
    from tagwise.asn1._schema import Type


class _Stream:
    """A list whose items are produced one by one."""

    def __init__(self, path: str, source: Callable[[], Iterable[Any]] | Iterable[Any], sizes: list[list[tuple[int, int | None]]]) -> None:
        self.path = path
        self._source = source
        self._sizes = sizes
        self.again = callable(source)
        #: The fewest items that the list must have. They are in the value that is encoded first.
        self.held: list[Any] = []
        self._rest: Iterator[Any] = self._start()
        least = max((ranges[0][0] for ranges in sizes if ranges), default=0)
        self.held.extend(islice(self._rest, least))
        self.count: int | None = None

    def _start(self) -> Iterator[Any]:
        return iter(self._source() if callable(self._source) else self._source)

    def items(self, ty: Type, rules: str) -> Iterator[bytes]:
        """Iterates over the encodings of the remaining items, which are not in the value that is encoded first."""
        count = len(self.held)
        for item in self._rest:
            count += 1
            yield ty.modules.schema.encode_item(ty.name, self.path, item, rules)
        for ranges in self._sizes:
            if not any(least <= count and (most is None or count <= most) for least, most in ranges):
                raise ValueError(f"{self.path or 'the list'}: it has {count} items, which its type does not allow")
        if self.count not in (None, count):
            raise ValueError(f"{self.path or 'the list'}: its items were {self.count} at first, and {count} then")
        self.count = count

    def restart(self) -> None:
        """Restarts the iterator, and skips the items that are in the value that is encoded first."""
        self._rest = self._start()
        if list(islice(self._rest, len(self.held))) != self.held:
            raise ValueError(f"{self.path or 'the list'}: its items are not the same the second time")


def write(ty: Type, value: object, file: IO[bytes], rules: str) -> int:
    """Writes a value to a file: see `Type.write`."""
    streams: list[_Stream] = []
    value = _skeleton(ty, value, "", streams)
    whole = ty.encode(value, rules=rules)
    if not streams:
        _put(file, whole)
        return len(whole)
    root = ty.inspect(whole, rules=rules)
    places = [(root[stream.path] if stream.path else root, stream) for stream in streams]
    if rules == "CER":
        if not all(header.indefinite for header in _around(root, (element for element, _ in places))):
            raise TypeError("a list in a string has a length in front of it in CER, too: give a list, or write DER")
        return _write_indefinite(ty, whole, places, file)
    if not all(stream.again for stream in streams):
        raise TypeError("lengths stand in front in DER: give a function that gives the iterator, which is called twice")
    return _write_definite(ty, whole, root, places, file)


def _put(file: IO[bytes], data: bytes) -> None:
    """Writes everything, even if a raw file accepts only part of it at once."""
    view = memoryview(data)
    while view:
        count = file.write(view)
        if count is None and isinstance(file, io.RawIOBase):
            raise BlockingIOError("the file is non-blocking and not writable")
        # Other objects return None, True, or something else after accepting all.
        taken = count if isinstance(count, int) and count is not True else len(view)
        if taken <= 0:
            raise OSError(f"write accepted {taken} of {len(view)} bytes")
        view = view[taken:]


def _skeleton(ty: Type, value: Any, path: str, streams: list[_Stream]) -> Any:
    """Returns the value with each iterator replaced by a list of the fewest allowed items; the iterators are
    collected in `streams`. The recursion is as deep as the value. Values that are too deep to encode are
    rejected when they are encoded."""
    if isinstance(value, dict):
        found = {name: _skeleton(ty, inner, _paths.join(path, str(name)), streams) for name, inner in value.items()}
        return found
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return (value[0], _skeleton(ty, value[1], _paths.join(path, value[0]), streams))
    if isinstance(value, Iterator) or callable(value):
        sizes = ty.modules.schema.sizes(ty.name, path)
        if sizes is None:
            # The order of a SET OF, and constraints on items, are for the whole list.
            return _collected(value)
        given: Any = value
        stream = _Stream(path, given, sizes)
        streams.append(stream)
        return stream.held
    return value


def _collected(source: Any) -> list[Any]:
    items: Any = source() if callable(source) else source
    return list(items)


def _end(element: Element) -> int:
    header = element.header
    if header is None:
        raise ValueError(f"{element.path}: the list has its DEFAULT value")
    return header.content + header.vlen


def _write_indefinite(ty: Type, whole: bytes, places: list[tuple[Element, _Stream]], file: IO[bytes]) -> int:
    total = at = 0
    for element, stream in sorted(places, key=lambda place: _end(place[0])):
        end = _end(element)
        _put(file, whole[at:end])
        total, at = total + end - at, end
        for item in stream.items(ty, "CER"):
            _put(file, item)
            total += len(item)
    _put(file, whole[at:])
    return total + len(whole) - at


def _around(root: Element, elements: Iterable[Element]) -> list[Header]:
    """Returns the headers of elements, of everything that encloses them, and of the enclosing tags, in order."""
    found: dict[int, Header] = {}
    for element in elements:
        steps = element.steps
        for other in root.walk():
            if other.header is not None and steps[: len(other_steps := other.steps)] == other_steps:
                for header in (*other.explicit, other.header):
                    found[header.offset] = header
    return [found[offset] for offset in sorted(found)]


def _length(number: int) -> bytes:
    if number < 0x80:
        return bytes([number])
    octets = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(octets)]) + octets


def _write_definite(
    ty: Type, whole: bytes, root: Element, places: list[tuple[Element, _Stream]], file: IO[bytes]
) -> int:
    # Places where something is put in, and how much of it.
    grown = []
    for element, stream in places:
        grown.append((_end(element), sum(map(len, stream.items(ty, "DER")))))
    lengths: dict[int, bytes] = {}
    headers = _around(root, (element for element, _ in places))
    for header in reversed(headers):
        inside = sum(added for end, added in grown if header.content <= end <= header.end)
        # What is inside has its new length already.
        inside += sum(
            len(length) - other.llen
            for other in headers
            if other.offset > header.offset and other.end <= header.end and (length := lengths[other.offset])
        )
        lengths[header.offset] = _length(header.vlen + inside)

    def pieces() -> Iterator[bytes]:
        at = 0
        steps: list[tuple[int, int, Callable[[], tuple[Iterable[bytes], int]]]] = []
        for header in headers:

            def relength(header: Header = header) -> tuple[Iterable[bytes], int]:
                return ([lengths[header.offset]], header.content)

            steps.append((header.offset + header.tlen, 0, relength))
        for element, stream in places:

            def refill(element: Element = element, stream: _Stream = stream) -> tuple[Iterable[bytes], int]:
                stream.restart()
                return (stream.items(ty, "DER"), _end(element))

            steps.append((_end(element), 1, refill))
        for place, _, step in sorted(steps, key=lambda step: step[:2]):
            yield whole[at:place]
            put, at = step()
            yield from put
        yield whole[at:]

    total = 0
    expected = len(whole) + sum(added for _, added in grown)
    expected += sum(len(lengths[header.offset]) - header.llen for header in headers)
    for piece in pieces():
        _put(file, piece)
        total += len(piece)
    if total != expected:
        raise ValueError("the items were not the same the second time: what was written is not to be used")
    return total
