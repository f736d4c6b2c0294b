"""Differences between two values of the same kind, component by component."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tagwise import _native
from tagwise._data import Data


class Difference(Data):
    """A component in which two values differ. Pass its path to `get`."""

    __slots__ = ("_after", "_before", "_path")
    _fields = ("path", "before", "after")

    def __init__(self, path: str, before: object, after: object) -> None:
        self._path = path
        self._before = before
        self._after = after

    @property
    def path(self) -> str:
        """The path, such as `tbsCertificate.extensions[subjectAltName]`."""
        return self._path

    @property
    def before(self) -> Any:
        """The component of the first value as returned by `get`, or None if it is absent."""
        return self._before

    @property
    def after(self) -> Any:
        """The component of the second value as returned by `get`, or None if it is absent."""
        return self._after

    def __hash__(self) -> int:
        return hash(self._path)


def _key(item: Any) -> str | None:
    """Returns the identifier of a list item that has one, such as an extension."""
    return item.get("extnID") if isinstance(item, dict) else None


def _label(dotted: str) -> str:
    """Returns the name of an object identifier for use in a path, or its dotted form if it has no name."""
    names = _native.oid_names(dotted)
    return dotted if names is None else names[0]


def _items(path: str, before: list[Any], after: list[Any]) -> Iterator[Difference]:
    keys = [_key(item) for item in (*before, *after)]
    unique = len({_key(item) for item in before}) == len(before) and len({_key(item) for item in after}) == len(after)
    if keys and None not in keys and unique:
        mine, other = ({_key(item): item for item in items} for items in (before, after))
        for key in dict.fromkeys(keys):
            yield from differences(f"{path}[{_label(str(key))}]", mine.get(key), other.get(key))
        return
    for number in range(max(len(before), len(after))):
        one = before[number] if number < len(before) else None
        two = after[number] if number < len(after) else None
        yield from differences(f"{path}[{number}]", one, two)


def differences(path: str, before: object, after: object) -> Iterator[Difference]:
    """Iterates over the differences at the deepest level. An extension's value is compared as a whole."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict) and _key(before) is None:
        for name in dict.fromkeys((*before, *after)):
            step = f"{path}.{name}" if path else name
            yield from differences(step, before.get(name), after.get(name))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _items(path, before, after)
    else:
        yield Difference(path, before, after)


def of(kind: str, before: bytes, after: bytes, allow: tuple[list[str], list[str]]) -> list[Difference]:
    """Returns the differences between two encodings."""
    (one,), (other,) = (
        _native.select(kind, der, "", rules) for der, rules in zip((before, after), allow)
    )
    return list(differences("", one[1], other[1]))
