"""Substitutes for names of `typing` that are needed at run time. Importing `typing` takes longer than importing all
modules that use them.

Type checkers see `typing` itself.
"""

from __future__ import annotations


class Generic:
    """A base class with type parameters, which have no effect at run time."""

    __slots__ = ()
    __class_getitem__: object = classmethod(type(list[int]))  # pyright: ignore[reportArgumentType]


def TypeVar(*arguments: object, **options: object) -> object:
    """Creates a type parameter."""
    return arguments[0]


def cast(kind: object, value: object) -> object:
    """Returns the value, which has the given type."""
    return value


def overload(function: object) -> object:
    """Marks one of a function's signatures."""
    return function
