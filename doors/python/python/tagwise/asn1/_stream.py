"""Values of any size: events, the items of a list, and the content of a string."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from tagwise.asn1 import _paths
from tagwise.asn1._element import Defines, Tag, held

if TYPE_CHECKING:
    from tagwise import _kinds

    from tagwise import _native
    from tagwise.asn1._schema import Type


class Event(NamedTuple):
    """An event in a stream.

    | `kind` | |
    |---|---|
    | `start` | a constructed element begins, or a string that is delivered in chunks |
    | `value` | the value of a primitive element |
    | `chunk` | bytes of a long or segmented string; each piece of a BIT STRING begins with the number of its unused bits |
    | `end` | the last started element ends; `end` is the offset just past it |

    `vlen` is None for an indefinite length. EXPLICIT tags are separate elements, with the path of the element that
    they enclose and without `type_name`. Events are checked against the encoding rules as they occur. Constraints,
    and rules that concern more than one element, are not checked.
    """

    kind: str
    path: str
    name: str | None
    type_name: str | None
    offset: int
    tag: Tag | None
    tlen: int
    llen: int
    vlen: int | None
    end: int | None
    value: Any


class _Buffer:
    """A file interface to a buffer. Only the bytes that are read are copied."""

    def __init__(self, data: _kinds.Buffer) -> None:
        self._view = memoryview(data).cast("B")
        self._at = 0

    def read(self, size: int) -> bytes:
        found = bytes(self._view[self._at : self._at + size])
        self._at += len(found)
        return found


def opened(source: _kinds.Source) -> AbstractContextManager[Any]:
    """Returns a file object for a path, a file object or a buffer."""
    if isinstance(source, (str, os.PathLike)):
        return open(source, "rb")
    if hasattr(source, "read") and not isinstance(source, (bytes, bytearray, memoryview)) and not _is_buffer(source):
        return nullcontext(source)
    whole: Any = source
    return nullcontext(_Buffer(whole))


def _is_buffer(source: Any) -> bool:
    """Returns whether a source is a buffer. An `mmap` also has `read`, which would continue from its current position."""
    try:
        memoryview(source).release()
    except TypeError:
        return False
    return True


def events(ty: Type, source: _kinds.Source, rules: str, chunk: int, defines: Sequence[Defines] = ()) -> Iterator[Event]:
    """Iterates over the events of an encoding: see `Type.events`."""
    with opened(source) as file:
        told = ty.modules.schema.events(ty.name, file, rules, chunk)
        rows = map(_event, told)
        if defines:
            yield from _Defined(rows, told.rest, defines, rules).events()
        else:
            yield from (event for event, _ in rows)


#: An event, with the kind of value that may contain an encoding: `open` for an open type, `octets` or `bits` for a string.
_Told = tuple[Event, str]


def _event(row: tuple[Any, ...]) -> _Told:
    kind, path, name, type_name, offset, header, end, value, holds = row
    tag, tlen, llen, vlen = (None, 0, 0, None) if header is None else (Tag(*header[0]), *header[1:])
    return Event(kind, path, name, type_name, offset, tag, tlen, llen, vlen, end, value), holds


def _header(event: Event) -> bytes:
    """Returns the bytes of a header."""
    assert event.tag is not None
    tag_class, number, constructed = event.tag
    first = tag_class << 6 | constructed << 5
    if number < 31:
        octets = [first | number]
    else:
        groups = [number >> shift & 0x7F for shift in range(7 * (event.tlen - 2), -1, -7)]
        octets = [first | 0x1F, *(group | 0x80 for group in groups[:-1]), groups[-1]]
    if event.vlen is None:
        return bytes([*octets, 0x80])
    if event.llen == 1:
        return bytes([*octets, event.vlen])
    return bytes([*octets, 0x80 | event.llen - 1]) + event.vlen.to_bytes(event.llen - 1, "big")


class _Defined:
    """Events in which strings and open types are replaced by their decoded content, if earlier values select its type."""

    #: The maximum size of a string to be decoded. Longer strings are delivered in pieces, and are not decoded.
    LIMIT = 1 << 20

    def __init__(
        self, found: Iterator[_Told], rest: Callable[[], bytes], defines: Sequence[Defines], rules: str
    ) -> None:
        self._found = found
        self._rest = rest
        self._defines = defines
        self._rules = rules
        # What was said: the steps of the structure, the rule, and the type.
        self._said: list[tuple[tuple[str, ...], Defines, Type]] = []
        self._again: list[_Told] = []

    def events(self) -> Iterator[Event]:
        while (found := self._next()) is not None:
            event, holds = found
            steps = _paths.steps(event.path)
            if event.kind == "end":
                self._said = [one for one in self._said if one[0] != steps]
            elif event.kind in ("value", "start"):
                ty = next((ty for around, rule, ty in self._said if rule.leads(around, steps)), None)
                if ty is not None:
                    event = self._decoded(ty, event, holds, steps)
                elif event.kind == "value" and isinstance(event.value, (str, int)):
                    self._remember(event.value, steps)
            yield event

    def _next(self) -> _Told | None:
        return self._again.pop() if self._again else next(self._found, None)

    def _remember(self, value: Any, steps: tuple[str, ...]) -> None:
        for rule in self._defines:
            selected = rule.types.get(value) if rule.found(steps) else None
            if selected is not None:
                self._said.append((steps[:-1], rule, selected))

    def _decoded(self, ty: Type, event: Event, holds: str, steps: tuple[str, ...]) -> Event:
        """Returns the event with its decoded value, or unchanged if it cannot be decoded."""
        base = event.offset + event.tlen + event.llen
        octets: Any = None
        if holds == "open":
            base = event.offset
            if event.kind == "value":
                octets = _header(event) + event.value
            elif (event.vlen or 0) <= self.LIMIT:
                octets = _header(event) + self._rest() + (b"" if event.vlen is not None else bytes(2))
                # Its end is that of a value.
                self._next()
        elif event.kind == "value":
            octets = event.value
        elif holds:
            octets = self._joined(holds == "bits")
        if isinstance(octets, tuple) and octets[1] == 0:
            base, octets = base + 1, octets[0]
        if not isinstance(octets, bytes):
            return event
        value = held(ty, octets, (steps, base), self._rules, self._defines, self._said)
        return event._replace(kind="value", value=value)

    def _joined(self, bits: bool) -> Any:
        """Returns the content of a string that is delivered in pieces, or None if it is too long or the element is an
        enclosing tag."""
        passed: list[_Told] = []
        octets, expected = bytearray(), -1
        while (found := self._next()) is not None:
            passed.append(found)
            event = found[0]
            if event.kind == "end":
                return bytes(octets)
            if event.kind != "chunk" or len(octets) > self.LIMIT:
                break
            # A segment of a BIT STRING begins with the number of its unused bits.
            begins = bits and event.offset != expected
            if begins and event.value[0] != 0:
                break
            octets += event.value[begins:]
            expected = event.offset + len(event.value)
        self._again.extend(reversed(passed))
        return None


def items(ty: Type, source: _kinds.Source, path: str, rules: str, limit: int) -> Iterator[tuple[int, Any]]:
    """Iterates over the items of a list: see `Type.items`."""
    with opened(source) as file:
        yield from ty.modules.schema.items(ty.name, file, path, rules, limit)


#: A function that is called with each malformed value: its offset, its bytes, and the error.
Damaged = Callable[[int, bytes, Exception], object]


def records(
    schema: _native.Schema, name: str, source: _kinds.Source, rules: str, limit: int, damaged: Damaged | None
) -> Iterator[tuple[int, Any]]:
    """Iterates over the values of a file: see `Type.records`."""
    with opened(source) as file:
        for offset, value, wrong in schema.records(name, file, rules, limit):
            if wrong is None:
                yield offset, value
            elif damaged is None:
                raise wrong[1]
            else:
                damaged(offset, *wrong)


class Content(io.RawIOBase):
    """The content of a string in a value of any size, as a file object."""

    def __init__(self, ty: Type, source: _kinds.Source, path: str, rules: str) -> None:
        super().__init__()
        self._opened = opened(source)
        file = self._opened.__enter__()
        try:
            self._content = ty.modules.schema.content(ty.name, file, path, rules)
        except BaseException:
            self._opened.__exit__(None, None, None)
            raise

    def readable(self) -> bool:
        """Returns True."""
        return True

    def readinto(self, buffer: _kinds.Buffer, /) -> int:
        """Reads the next bytes into a buffer and returns their number."""
        view = memoryview(buffer).cast("B")
        octets = self._content.read(len(view))
        view[: len(octets)] = octets
        return len(octets)

    def close(self) -> None:
        """Closes the file if this object opened it."""
        if not self.closed and hasattr(self, "_content"):
            self._opened.__exit__(None, None, None)
        super().close()
