"""Stand-ins for names of `typing` that are needed at run time, because importing `typing` takes longer than importing all modules that
use them.

Type checkers see `typing` itself.
"""

from __future__ import annotations


class Generic:
    """A base of classes with type parameters, which mean nothing at run time."""

    __slots__ = ()
    __class_getitem__: object = classmethod(type(list[int]))  # pyright: ignore[reportArgumentType]


def TypeVar(*arguments: object, **options: object) -> object:
    """A type parameter."""
    return arguments[0]


def cast(kind: object, value: object) -> object:
    """The value, which is of a kind."""
    return value


def overload(function: object) -> object:
    """One of the signatures of a function."""
    return function
