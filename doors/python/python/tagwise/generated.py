"""Base of the modules that `tagwise compile --lang python` writes: classes, choices and enumerations for the types of
`tagwise.asn1`.

Programs use the classes and codecs of generated modules:

>>> from tagwise import generated
>>> modules = generated.Modules((("m.asn1", "M DEFINITIONS ::= BEGIN N ::= INTEGER (0..9) END"),), ())
>>> number = generated.Codec[int](generated.Type(modules, "M.N"), None)
>>> number.encode(5).hex()
'020105'
>>> number.decode(b"\\x02\\x01\\x05")
5
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, cast

from tagwise import _native

if TYPE_CHECKING:
    from tagwise import _kinds
    from tagwise.asn1._stream import Damaged

__all__ = ["PRESENT", "Choice", "Codec", "Conversion", "Later", "ListOf", "Modules", "Number", "Of", "Row", "Structure", "Type", "fresh"]

T = TypeVar("T")
S = TypeVar("S", bound="Structure")


def fresh(make: Callable[[], T]) -> T:
    """Returns the dataclass field of a list with a DEFAULT value, which each object gets as a list of its own."""
    # Only generated modules need it, which import it themselves.
    from dataclasses import field

    made: Any = field(default_factory=make)
    return cast(T, made)


class Modules:
    """The modules of a generated file. They are compiled on first use of a type, once for all threads.

    UTCTime and GeneralizedTime are `datetime` objects, or seconds since 1970 if `moments` is false.
    """

    def __init__(
        self, sources: tuple[tuple[str, str], ...], departures: tuple[str, ...], moments: bool = True
    ) -> None:
        self._sources = sources
        self._departures = departures
        self.moments = moments
        self._lock = threading.Lock()
        self._schema: _native.Schema | None = None

    @property
    def parts(self) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
        """The names and texts of the modules, and the names of the deviations from X.680 that they need."""
        return (self._sources, self._departures)

    @property
    def schema(self) -> _native.Schema:
        """The compiled modules."""
        if self._schema is None:
            with self._lock:
                if self._schema is None:
                    self._schema = _native.Schema(
                        list(self._sources), list(self._departures), None, self.moments
                    )
        return self._schema

    def __reduce__(self) -> tuple[type[Modules], tuple[tuple[tuple[str, str], ...], tuple[str, ...], bool]]:
        return (Modules, (*self.parts, self.moments))


class Type:
    """A type of the modules, by its full name."""

    def __init__(self, modules: Modules, name: str) -> None:
        self.modules = modules
        self.name = name

    def decode(self, data: _kinds.Buffer, rules: str, allow: Sequence[str]) -> Any:
        """Decodes a value to the representation of `tagwise.asn1`."""
        return self.modules.schema.decode(self.name, data, rules, list(allow))[0]

    def encode(self, value: object, rules: str) -> bytes:
        """Encodes a value in the representation of `tagwise.asn1`."""
        return self.modules.schema.encode(self.name, value, rules)

    def records(self, source: _kinds.Source, rules: str, limit: int, damaged: Damaged | None) -> Iterator[tuple[int, Any]]:
        """Iterates over the values in a file, in the representation of `tagwise.asn1`."""
        from tagwise.asn1._stream import records

        return records(self.modules.schema, self.name, source, rules, limit, damaged)


class Conversion(Protocol):
    """A conversion between the values of `tagwise.asn1` and those of a generated module."""

    def load(self, value: object) -> Any:
        """Converts a value from `tagwise.asn1`."""

    def dump(self, value: object) -> Any:
        """Converts a value of the module to `tagwise.asn1`."""


#: An attribute, the component's name, and the conversion of its value.
Row = tuple[str, str, "Conversion | None"]


class _Present:
    """The conversion of an optional NULL to a boolean."""

    def load(self, value: Any) -> Any:
        return True

    def dump(self, value: Any) -> Any:
        return None


PRESENT = _Present()


class ListOf:
    """The conversion of lists, item by item. The items of an iterator are converted on demand."""

    def __init__(self, item: Conversion) -> None:
        self._item = item

    def load(self, value: object) -> Any:
        """Converts a plain value to an object."""
        items: Any = value
        return [self._item.load(one) for one in items]

    def dump(self, value: object) -> Any:
        """Converts an object to a plain value."""
        items: Any = value
        if isinstance(value, Iterator):
            return map(self._item.dump, items)
        if callable(items):
            again: Any = items
            return lambda: map(self._item.dump, again())
        return [self._item.dump(one) for one in items]


class Of:
    """The conversion for a class of the module."""

    def __init__(self, of: Callable[[], type[Structure]]) -> None:
        self._of = of

    def load(self, value: object) -> Any:
        """Converts a plain value to an object."""
        return self._of().from_value(value) if isinstance(value, dict) else value

    def dump(self, value: object) -> Any:
        """Converts an object to a plain value."""
        return value.to_value() if isinstance(value, Structure) else value


class Number:
    """The conversion for an enumeration. An unknown number stays a number."""

    def __init__(self, of: Callable[[], type[IntEnum]]) -> None:
        self._of = of

    def load(self, value: object) -> Any:
        """Converts a plain value to an object."""
        number: Any = value
        try:
            return self._of()(number)
        except ValueError:
            return value

    def dump(self, value: object) -> Any:
        """Converts an object to a plain value."""
        number: Any = value
        return int(number)


class Choice:
    """The conversion for a pair of an alternative's name and its value. An encoding of an unknown alternative stays bytes."""

    def __init__(self, alternatives: Mapping[str, Conversion | None]) -> None:
        self._alternatives = alternatives

    def load(self, value: object) -> Any:
        """Converts a plain value to an object."""
        if isinstance(value, bytes):
            return value
        pair: Any = value
        name, inner = pair
        conversion = self._alternatives.get(name)
        return name, inner if conversion is None else conversion.load(inner)

    def dump(self, value: object) -> Any:
        """Converts an object to a plain value."""
        if isinstance(value, bytes):
            return value
        pair: Any = value
        name, inner = pair
        conversion = self._alternatives.get(name)
        return name, inner if conversion is None else conversion.dump(inner)


class Later:
    """A conversion that is defined later."""

    def __init__(self, of: Callable[[], Conversion]) -> None:
        self._of = of

    def load(self, value: object) -> Any:
        """Converts a plain value to an object."""
        return self._of().load(value)

    def dump(self, value: object) -> Any:
        """Converts an object to a plain value."""
        return self._of().dump(value)


#: The name of unknown extension additions in `tagwise.asn1`.
ADDITIONS = "$additions"


class Structure:
    """A SEQUENCE or SET. If an attribute is `None`, the component is absent, or has its DEFAULT value if that is a
    structure, a CHOICE, a REAL, or a time that `datetime` does not support.

    If the type has an extension marker, `additions` contains the encodings of components that a later version of the
    type added. They are encoded again in the same position.
    """

    _members: ClassVar[tuple[Row, ...]] = ()
    _type: ClassVar[Type | None] = None

    @classmethod
    def _codec(cls) -> Type:
        found = cls.__dict__.get("_type")
        if not isinstance(found, Type):
            raise TypeError(f"{cls.__name__} has no name in its module: it is a part of a type that has")
        return found

    @classmethod
    def decode(cls: type[S], data: _kinds.Buffer, *, rules: str = "DER", allow: Sequence[str] = ()) -> S:
        """Decodes a value from any buffer, in DER, BER, CER, PER, OER or XER. `allow` names the rules that the value may violate."""
        return cls.from_value(cls._codec().decode(data, rules, allow))

    def encode(self, *, rules: str = "DER") -> bytes:
        """Encodes the object."""
        return self._codec().encode(self.to_value(), rules)

    @classmethod
    def from_value(cls: type[S], value: Mapping[str, Any]) -> S:
        """Creates an object from a value of `tagwise.asn1`."""
        arguments: dict[str, Any] = {}
        for attribute, name, conversion in cls._members:
            if name in value:
                inner = value[name]
                arguments[attribute] = inner if conversion is None else conversion.load(inner)
        if ADDITIONS in value and hasattr(cls, "additions"):
            arguments["additions"] = tuple(value[ADDITIONS])
        return cls(**arguments)

    def to_value(self) -> dict[str, Any]:
        """Converts the object to a value of `tagwise.asn1`."""
        value: dict[str, Any] = {}
        for attribute, name, conversion in self._members:
            inner = getattr(self, attribute)
            if conversion is PRESENT:
                if inner:
                    value[name] = None
            elif inner is not None or (conversion is None and self._is_null(attribute)):
                value[name] = inner if conversion is None else conversion.dump(inner)
        additions: tuple[bytes, ...] = getattr(self, "additions", ())
        if additions:
            value[ADDITIONS] = list(additions)
        return value

    @classmethod
    def _is_null(cls, attribute: str) -> bool:
        """Returns whether an attribute is a NULL, whose value is `None` if it is present."""
        hints: dict[str, Any] = cls.__annotations__
        return hints.get(attribute) == "None"


class Codec(Generic[T]):
    """A named type that is not a class: a CHOICE, a list, a number or a text."""

    def __init__(self, ty: Type, conversion: Conversion | None) -> None:
        self._type = ty
        self._conversion = conversion

    def decode(self, data: _kinds.Buffer, *, rules: str = "DER", allow: Sequence[str] = ()) -> T:
        """Decodes a value from any buffer, in DER, BER, CER, PER, OER or XER. `allow` names the rules that the value may violate."""
        value: T = self._type.decode(data, rules, allow)
        return value if self._conversion is None else self._conversion.load(value)

    def encode(self, value: T, *, rules: str = "DER") -> bytes:
        """Encodes a value."""
        return self._type.encode(value if self._conversion is None else self._conversion.dump(value), rules)

    def records(
        self, source: _kinds.Source, *, rules: str = "DER", limit: int = 1 << 20, damaged: Damaged | None = None
    ) -> Iterator[tuple[int, T]]:
        """Iterates over the offset and value of each concatenated value in a path, a file object or a buffer; see
        `records` of `tagwise.asn1.Type`."""
        for offset, value in self._type.records(source, rules, limit, damaged):
            yield offset, value if self._conversion is None else self._conversion.load(value)
