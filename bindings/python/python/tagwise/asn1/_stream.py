"""Values of any size: events, the items of a list, the content of a string."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from tagwise._errors import Asn1Error
from tagwise.asn1 import _paths
from tagwise.asn1._element import Defines, Tag, placed

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from tagwise.asn1._schema import Type


class Event(NamedTuple):
    """Something that a stream comes to.

    | `kind` | |
    |---|---|
    | `start` | an element with parts begins, or a string that comes in chunks |
    | `value` | an element without parts: its value |
    | `chunk` | octets of a string that is long or in segments; those of each piece of a BIT STRING begin with the number of its unused bits |
    | `end` | what started ends; `end` is the offset behind it |

    `vlen` is None for an indefinite length. EXPLICIT tags are elements of their own, with the path of what they are around and
    without `type_name`. Events are held to the encoding rules as they come; constraints and what needs more of the value than
    one element are not judged.
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
    """A buffer as a file: what is read is copied, and nothing else."""

    def __init__(self, data: Any) -> None:
        self._view = memoryview(data).cast("B")
        self._at = 0

    def read(self, size: int) -> bytes:
        found = bytes(self._view[self._at : self._at + size])
        self._at += len(found)
        return found


def opened(source: Any) -> AbstractContextManager[Any]:
    """A file object for a path, a file object or a buffer."""
    if isinstance(source, (str, os.PathLike)):
        return open(source, "rb")
    if hasattr(source, "read") and not isinstance(source, (bytes, bytearray, memoryview)) and not _is_buffer(source):
        return nullcontext(source)
    return nullcontext(_Buffer(source))


def _is_buffer(source: Any) -> bool:
    """An `mmap` has `read`, too, which goes on where it was."""
    try:
        memoryview(source).release()
    except TypeError:
        return False
    return True


def events(ty: Type, source: Any, rules: str, chunk: int) -> Iterator[Event]:
    with opened(source) as file:
        for kind, path, name, type_name, offset, header, end, value in ty.modules.schema.events(ty.name, file, rules, chunk):
            if header is None:
                yield Event(kind, path, name, type_name, offset, None, 0, 0, None, end, value)
            else:
                tag, tlen, llen, vlen = header
                yield Event(kind, path, name, type_name, offset, Tag(*tag), tlen, llen, vlen, end, value)


def defined(found: Iterator[Event], defines: Sequence[Defines], rules: str) -> Iterator[Event]:
    """Events in which strings have the values that they hold, as far as values before them say."""
    # What was said: the steps of the structure, the rule, and the type.
    said: list[tuple[tuple[str, ...], Defines, Type]] = []
    for event in found:
        if event.kind == "value":
            steps = _paths.steps(event.path)
            base, octets = event.offset + event.tlen + event.llen, event.value
            if isinstance(octets, tuple) and octets[1] == 0:
                base, octets = base + 1, octets[0]
            ty = next((ty for around, rule, ty in said if rule.leads(around, steps)), None)
            if ty is not None and isinstance(octets, bytes):
                try:
                    event = event._replace(value=ty.decode(octets, rules=rules))
                except Asn1Error as error:
                    raise placed(error, event.path, base) from None
            elif isinstance(event.value, (str, int)):
                for rule in defines:
                    selected = rule.types.get(event.value) if rule.found(steps) else None
                    if selected is not None:
                        said.append((steps[:-1], rule, selected))
        elif event.kind == "end" and said:
            ended = _paths.steps(event.path)
            said = [one for one in said if one[0] != ended]
        yield event


def items(ty: Type, source: Any, path: str, rules: str, limit: int) -> Iterator[tuple[int, Any]]:
    with opened(source) as file:
        yield from ty.modules.schema.items(ty.name, file, path, rules, limit)


class Content(io.RawIOBase):
    """The content of a string in a value of any size, as a file object."""

    def __init__(self, ty: Type, source: Any, path: str, rules: str) -> None:
        super().__init__()
        self._opened = opened(source)
        file = self._opened.__enter__()
        try:
            self._content = ty.modules.schema.content(ty.name, file, path, rules)
        except BaseException:
            self._opened.__exit__(None, None, None)
            raise

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        octets = self._content.read(len(view))
        view[: len(octets)] = octets
        return len(octets)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_content"):
            self._opened.__exit__(None, None, None)
        super().close()
