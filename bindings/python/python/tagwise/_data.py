"""Base classes of plain data: comparison, hash and text, from their fields."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, SupportsIndex, TypeVar, overload

T = TypeVar("T")


def frozen(value: Any) -> Any:
    """A value that hashes."""
    return tuple(value) if isinstance(value, list) else value


class Data:
    """Values with fields that do not change. `_fields` are their names, which are properties or attributes with a `_` in front."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def _values(self) -> tuple[Any, ...]:
        return tuple(frozen(getattr(self, "_" + name)) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        def shown(value: Any) -> str:
            return repr(value) if isinstance(value, (str, bytes)) else str(value)

        fields = ", ".join(f"{name}={shown(getattr(self, '_' + name))}" for name in self._fields)
        return f"<{type(self).__name__}({fields})>"


class Listed(Data, Generic[T]):
    """A value that is a list of others."""

    __slots__ = ()

    def _items(self) -> list[T]:
        items: list[T] = getattr(self, "_" + self._fields[0])
        return items

    def __len__(self) -> int:
        return len(self._items())

    def __iter__(self) -> Iterator[T]:
        return iter(self._items())

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> T | list[T]:
        return self._items()[index]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}({self._items()})>"


class Enum(enum.Enum):
    """An enumeration whose text has its class, as `cryptography`'s have it."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


def all_of(items: Iterable[Any], kind: type[T] | tuple[type, ...], message: str) -> list[T]:
    """The items as a list, if each is of a kind."""
    listed = list(items)
    if not all(isinstance(item, kind) for item in listed):
        raise TypeError(message)
    return listed
