"""Annotations for components: tags, defaults, constraints and ASN.1 types."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Union


class _Mark:
    """An immutable value that consists of its slots. `dataclasses` would provide this, but importing it takes longer
    than importing all other modules."""

    __slots__: tuple[str, ...] = ()

    def _set(self, *values: Any) -> None:
        for name, value in zip(self.__slots__, values):
            object.__setattr__(self, name, value)

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Mark) and type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self.__slots__, self._values()))
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()


class Tagging(_Mark):
    """A tag: its text in brackets, and how it is applied."""

    __slots__ = ("text", "explicit")
    text: str
    explicit: bool

    def __init__(self, text: str, explicit: bool) -> None:
        self._set(text, explicit)


class Default(_Mark):
    """The DEFAULT value of a component."""

    __slots__ = ("value",)
    value: Any

    def __init__(self, value: object) -> None:
        self._set(value)


class Constrained(_Mark):
    """A constraint in ASN.1 notation, without its parentheses."""

    __slots__ = ("text",)
    text: str

    def __init__(self, text: str) -> None:
        self._set(text)


class Kind(_Mark):
    """The ASN.1 notation for a type without a Python equivalent."""

    __slots__ = ("text",)
    text: str

    def __init__(self, text: str) -> None:
        self._set(text)


class Named(_Mark):
    """The ASN.1 name of a component."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        self._set(name)


class SetOf(_Mark):
    """Marks a list as SET OF."""

    __slots__ = ()


class Extensible(_Mark):
    """Marks a type as extensible."""

    __slots__ = ()


class DefinedBy(_Mark):
    """Marks an open type. Two instances are equal only if they are identical, because the types do not need to be compared."""

    __slots__ = ("by", "types", "octets")
    by: str
    types: Mapping[Any, Any]
    octets: bool

    def __init__(self, by: str, types: Mapping[Any, Any], octets: bool) -> None:
        self._set(by, types, octets)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def explicit(number: int) -> Tagging:
    """Adds the tag `[number] EXPLICIT`."""
    return Tagging(f"[{number:d}]", True)


def implicit(number: int) -> Tagging:
    """Adds the tag `[number] IMPLICIT`."""
    return Tagging(f"[{number:d}]", False)


def application(number: int, *, explicit: bool = False) -> Tagging:
    """Adds the tag `[APPLICATION number]`, IMPLICIT by default."""
    return Tagging(f"[APPLICATION {number:d}]", explicit)


def private(number: int, *, explicit: bool = False) -> Tagging:
    """Adds the tag `[PRIVATE number]`, IMPLICIT by default."""
    return Tagging(f"[PRIVATE {number:d}]", explicit)


def default(value: object) -> Default:
    """Sets the DEFAULT value of an absent component."""
    return Default(value)


def size(least: int, most: int | None = -1) -> Constrained:
    """Adds the constraint `SIZE (least..most)`. Without `most`, the size is exactly `least`. None means no upper limit."""
    return Constrained(f"SIZE ({_range(least, least if most == -1 else most)})")


def between(least: int | None, most: int | None) -> Constrained:
    """Adds the constraint `least..most`. None means no limit."""
    return Constrained(_range(least, most))


def _range(least: int | None, most: int | None) -> str:
    return f"{'MIN' if least is None else format(least, 'd')}..{'MAX' if most is None else format(most, 'd')}"


def alphabet(characters: str) -> Constrained:
    """Adds a FROM constraint: the allowed characters of a text."""
    return Constrained(f"FROM ({quoted(characters)})")


def constrained(text: str) -> Constrained:
    """Adds any constraint in ASN.1 notation, without its parentheses: `SIZE (1..4 | 8)`."""
    return Constrained(text)


def kind(text: str) -> Kind:
    """A type in ASN.1 notation, such as `NumericString`. Its values are those that `decode` returns."""
    return Kind(text)


def named(name: str) -> Named:
    """Sets the component's ASN.1 name. By default, it is the attribute's name with hyphens instead of underscores."""
    return Named(name)


def defined_by(by: str, types: Mapping[Any, Any], *, octets: bool = False) -> DefinedBy:
    """An open type: the component `by`, an object identifier or a number, selects the type of the value. Values of
    unknown types are `bytes`. With `octets`, the encoding is inside an OCTET STRING."""
    return DefinedBy(by, types, octets)


#: Marks a `list` as SET OF in an annotation.
set_of = SetOf()
#: Marks an enumeration as extensible. Unknown numbers remain `int`.
extensible = Extensible()


def quoted(text: str) -> str:
    """Quotes a text in ASN.1 notation."""
    return '"' + text.replace('"', '""') + '"'


Oid = Annotated[str, Kind("OBJECT IDENTIFIER")]
Null = Annotated[bool, Kind("NULL")]
BitString = Annotated[tuple[bytes, int], Kind("BIT STRING")]
NumericString = Annotated[str, Kind("NumericString")]
PrintableString = Annotated[str, Kind("PrintableString")]
TeletexString = Annotated[str, Kind("TeletexString")]
IA5String = Annotated[str, Kind("IA5String")]
VisibleString = Annotated[str, Kind("VisibleString")]
UniversalString = Annotated[str, Kind("UniversalString")]
BMPString = Annotated[str, Kind("BMPString")]
UTCTime = Annotated[int, Kind("UTCTime")]
#: A Unix timestamp. A leap second, which has no timestamp, is text.
GeneralizedTime = Annotated[Union[int, Decimal, str], Kind("GeneralizedTime")]
#: A REAL: a float for base 2, or a Decimal for base 10. A value that neither can represent exactly is a triple of mantissa, base and
#: exponent, or bytes.
Real = Annotated[Union[float, Decimal, tuple[int, int, int], bytes], Kind("REAL")]
RelativeOid = Annotated[str, Kind("RELATIVE-OID")]
Date = Annotated[datetime.date, Kind("DATE")]
#: Values that `datetime` does not support are text: leap seconds, and midnight at the end of a day.
TimeOfDay = Annotated[Union[datetime.time, str], Kind("TIME-OF-DAY")]
DateTime = Annotated[Union[datetime.datetime, str], Kind("DATE-TIME")]
#: ISO 8601 text.
Duration = Annotated[str, Kind("DURATION")]
Time = Annotated[str, Kind("TIME")]
#: The complete encoding of any single element.
Any_ = Annotated[bytes, Kind("ANY")]


class Moments:
    """Converts between times and `datetime` objects with a time zone, to the microsecond. Times that are more precise, or
    outside the years of `datetime`, remain numbers, and leap seconds remain text. Only integers and strings are used,
    because `decimal` rounds according to its context."""

    _EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)

    def load(self, value: object) -> Any:
        """Converts seconds since 1970 to a `datetime`."""
        if isinstance(value, Decimal):
            seconds, _, fraction = format(value, "f").partition(".")
            fraction = fraction.rstrip("0")
            if len(fraction) > 6:
                return value
            micro = int(seconds + fraction.ljust(6, "0"))
        elif isinstance(value, int):
            micro = value * 1_000_000
        else:
            return value
        try:
            return self._EPOCH + datetime.timedelta(microseconds=micro)
        except OverflowError:
            return value

    def dump(self, value: object) -> Any:
        """Converts a `datetime` to seconds since 1970."""
        if not isinstance(value, datetime.datetime):
            return value
        if value.utcoffset() is None:
            raise ValueError("a time has a time zone")
        since = value - self._EPOCH
        micro = (since.days * 86400 + since.seconds) * 1_000_000 + since.microseconds
        seconds, rest = divmod(micro, 1_000_000)
        return seconds if rest == 0 else Decimal(f"{micro}E-6")


class Spans:
    """Converts between durations and `timedelta` objects, to the microsecond. Durations in years or months, and more
    precise ones, remain text."""

    _FORM = re.compile(r"P(?:([0-9.]+)W|(?:([0-9.]+)D)?(?:T(?:([0-9.]+)H)?(?:([0-9.]+)M)?(?:([0-9.]+)S)?)?)")
    #: The number of microseconds in a week, a day, an hour, a minute and a second.
    _UNITS = (604_800_000_000, 86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000)

    def load(self, value: object) -> Any:
        """Converts a text to a duration."""
        match = self._FORM.fullmatch(value) if isinstance(value, str) and len(value) < 64 else None
        if match is None:
            return value
        micro = sum(unit * Fraction(part) for unit, part in zip(self._UNITS, match.groups()) if part is not None)
        try:
            return datetime.timedelta(microseconds=int(micro)) if micro == int(micro) else value
        except OverflowError:
            return value

    def dump(self, value: object) -> Any:
        """Converts a duration to text."""
        return value
