"""ASN.1 modules for annotated classes. They are compiled like any other module, so that all types work in the same way."""

from __future__ import annotations

import datetime
import math
import re
import sys
import types
import typing
from collections.abc import Callable
from decimal import Decimal
from enum import IntEnum
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

from tagwise import generated as _g
from tagwise.asn1 import _marks as m

#: Words that cannot be type names (X.680 §12.38).
_RESERVED = frozenset(
    "ABSENT ALL ANY APPLICATION AUTOMATIC BEGIN BIT BOOLEAN BY CHARACTER CHOICE CLASS COMPONENT COMPONENTS CONSTRAINED CONTAINING"
    " DATE DEFAULT DEFINITIONS DURATION EMBEDDED ENCODED ENCODING END ENUMERATED EXCEPT EXPLICIT EXPORTS EXTENSIBILITY EXTERNAL FALSE"
    " FROM IDENTIFIER IMPLICIT IMPLIED IMPORTS INCLUDES INSTANCE INSTRUCTIONS INTEGER INTERSECTION MAX MIN MINUS-INFINITY NULL OBJECT"
    " OCTET OF OPTIONAL PATTERN PDV PLUS-INFINITY PRESENT PRIVATE REAL RELATIVE-OID SEQUENCE SET SETTINGS SIZE STRING SYNTAX TAGS TIME"
    " TRUE TYPE-IDENTIFIER UNION UNIQUE UNIVERSAL WITH".split()
)

_PLAIN: dict[Any, tuple[str, Any]] = {
    bool: ("BOOLEAN", None),
    int: ("INTEGER", None),
    str: ("UTF8String", None),
    bytes: ("OCTET STRING", None),
    type(None): ("NULL", _g.PRESENT),
    datetime.datetime: ("GeneralizedTime", m.Moments()),
    datetime.date: ("DATE", None),
    datetime.time: ("TIME-OF-DAY", None),
    datetime.timedelta: ("DURATION", m.Spans()),
    float: ("REAL", None),
}


class Component:
    """An attribute of a declared class, with its ASN.1 component."""

    def __init__(self, attribute: str, name: str, text: str, conversion: _g.Conversion | None, defined: m.DefinedBy | None) -> None:
        self.attribute = attribute
        self.name = name
        self.text = text
        self.conversion = conversion
        self.defined = defined
        self.optional = False
        self.default: Any = MISSING
        #: The conversions by the component's value, if the component selects the types of others.
        self.conversions: dict[Any, Any] = {}


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()


def identifier(name: str) -> str:
    """Returns the ASN.1 name for an attribute.

    >>> identifier("issuer_name"), identifier("class_"), identifier("notBefore")
    ('issuer-name', 'class', 'notBefore')
    """
    found = re.sub("_+", "-", name.strip("_"))
    if not re.fullmatch(r"[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*", found):
        raise TypeError(f"`{name}` is no name of ASN.1: give one with asn1.named")
    return found


class Spec:
    """The interpretation of a type hint: the type in ASN.1 notation, the conversion of its values, and its annotations."""

    def __init__(self, text: str, conversion: _g.Conversion | None = None, untagged: bool = False) -> None:
        self.text = text
        self.conversion = conversion
        #: True for a CHOICE or open type, whose tags must be EXPLICIT.
        self.untagged = untagged
        self.write: Callable[[Any], str] = lambda value: literal(value, text)
        self.tags: list[m.Tagging] = []
        self.constraints: list[str] = []
        self.default: Any = MISSING
        self.name: str | None = None
        self.optional = False
        self.defined: m.DefinedBy | None = None

    @property
    def notation(self) -> str:
        """Returns the type with its tags and constraints."""
        tags = "".join(f"{tag.text} {'EXPLICIT' if tag.explicit else 'IMPLICIT'} " for tag in self.tags)
        if self.untagged:
            tags = tags.replace("IMPLICIT", "EXPLICIT")
        constraints = "".join(f" ({text})" for text in self.constraints)
        match = re.match(r"(SEQUENCE|SET) OF ", self.text)
        if match and constraints:
            # Without the parentheses the constraint would be the item's.
            return f"{tags}{match[1]}{constraints} OF {self.text[match.end() :]}"
        return f"{tags}{self.text}{constraints}"


def literal(value: object, text: str = "") -> str:
    """Formats a value in ASN.1 notation."""
    if isinstance(value, bool):
        return "NULL" if text == "NULL" else ("TRUE" if value else "FALSE")
    if isinstance(value, int):
        return format(value, "d")
    if isinstance(value, (float, Decimal)):
        return _real(value)
    if isinstance(value, str):
        if text == "OBJECT IDENTIFIER":
            return "{" + value.replace(".", " ") + "}"
        return m.quoted(value)
    if isinstance(value, bytes):
        return f"'{value.hex().upper()}'H"
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], bytes):
        bits = "".join(format(octet, "08b") for octet in value[0])
        return f"'{bits[: len(bits) - value[1]]}'B"
    raise TypeError(f"{value!r} is no DEFAULT value that can be declared: make the component optional")


def _real(value: float | Decimal) -> str:
    """Formats a REAL in ASN.1 notation (X.680 §21.6), with base 2 for a float and base 10 for a Decimal.

    >>> _real(2.5), _real(Decimal("-0.1")), _real(0.0)
    ('{mantissa 5, base 2, exponent -1}', '{mantissa -1, base 10, exponent -1}', '0')
    """
    if not math.isfinite(value):
        return "NOT-A-NUMBER" if math.isnan(value) else "PLUS-INFINITY" if value > 0 else "MINUS-INFINITY"
    if value == 0:
        return "0"
    if isinstance(value, Decimal):
        sign, digits, exponent = value.as_tuple()
        number = "".join(map(str, digits))
        return f"{{mantissa {'-' * sign}{number}, base 10, exponent {exponent}}}"
    numerator, denominator = value.as_integer_ratio()
    # The denominator is a power of two, and the fraction is in its lowest terms.
    return f"{{mantissa {numerator}, base 2, exponent {1 - denominator.bit_length()}}}"


class Module:
    """A module under construction, with a type for each declared class that is encountered."""

    def __init__(self) -> None:
        self._names: dict[Any, str] = {}
        self._taken: set[str] = set()
        self._texts: list[str] = []
        self._open: list[type] = []
        self._numbers = 0

    def text(self, root: str | None = None) -> str:
        """Returns the module's text, with `ROOT` for a type that has no name of its own."""
        while self._open:
            cls = self._open.pop(0)
            self._texts.append(self._class(cls))
        lines = ["Declared DEFINITIONS EXPLICIT TAGS ::= BEGIN"]
        if root is not None and root not in self._taken:
            lines.append(f"ROOT ::= {root}")
        if any("ANY-TYPE" in text for text in [*self._texts, root or ""]):
            lines.append("ANY-TYPE ::= CLASS { &Type }")
        return "\n".join([*lines, *self._texts, "END", ""])

    def _named(self, cls: Any) -> str:
        name = re.sub("[_-]+", "-", cls.__name__.strip("_"))
        name = name[:1].upper() + name[1:]
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*(-[A-Za-z0-9]+)*", name):
            name = "Type"
        unique, count = name, 1
        while unique in self._taken or unique in _RESERVED or unique in ("ROOT", "ANY-TYPE"):
            count += 1
            unique = f"{name}-{count}"
        self._taken.add(unique)
        return unique

    def reference(self, cls: type) -> str:
        """Returns the type name of a class, and declares the class on first use."""
        if cls not in self._names:
            self._names[cls] = self._named(cls)
            self._open.append(cls)
        return self._names[cls]

    def spec(self, hint: object) -> Spec:
        """Interprets a type hint."""
        marks: list[Any] = []
        while get_origin(hint) is Annotated:
            hint, *more = get_args(hint)
            marks = [*more, *marks]
        origin = get_origin(hint)
        if origin in (Union, getattr(types, "UnionType", Union)):
            parts = [part for part in get_args(hint) if part is not type(None)]
            if len(parts) == 1:
                spec = self.spec(parts[0])
                spec.optional = len(parts) != len(get_args(hint))
                return self._marked(spec, marks)
        kinds = [mark for mark in marks if isinstance(mark, m.Kind)]
        return self._marked(self._plain(hint, origin, kinds[-1] if kinds else None, marks), marks)

    def _plain(self, hint: Any, origin: Any, kind: m.Kind | None, marks: list[Any]) -> Spec:
        defined = [mark for mark in marks if isinstance(mark, m.DefinedBy)]
        if defined:
            # The text is for the structure to write, which has the component that decides.
            spec = Spec("", untagged=not defined[0].octets)
            spec.defined = defined[0]
            return spec
        if kind is not None:
            if kind.text == "ANY":
                return Spec("ANY-TYPE.&Type", untagged=True)
            if kind.text == "NULL":
                return Spec("NULL", _g.PRESENT)
            moments = hint is datetime.datetime and kind.text in ("UTCTime", "GeneralizedTime")
            return Spec(kind.text, _PLAIN[hint][1] if moments or hint is datetime.timedelta else None)
        if hint in _PLAIN:
            return Spec(*_PLAIN[hint])
        if origin in (list, typing.List):
            item = self.spec(get_args(hint)[0])
            word = "SET" if any(isinstance(mark, m.SetOf) for mark in marks) else "SEQUENCE"
            spec = Spec(f"{word} OF {item.notation}", None if item.conversion is None else _g.ListOf(item.conversion))
            spec.write = lambda value: "{" + ", ".join(map(item.write, value)) + "}"
            return spec
        if isinstance(hint, type) and issubclass(hint, IntEnum):
            more = any(isinstance(mark, m.Extensible) for mark in marks)
            return self._enumerated(hint, more)
        if isinstance(hint, type) and hasattr(hint, "_asn1"):
            return Spec(self.reference(hint), _g.Of(lambda: hint) if _kind(hint) != "CHOICE" else Chosen(hint), _untagged(hint))
        raise TypeError(f"no ASN.1 type for {hint!r}")

    def _enumerated(self, hint: type[IntEnum], more: bool) -> Spec:
        def name(member: str) -> str:
            return identifier(member.lower() if member.upper() == member else member[:1].lower() + member[1:])

        items = ", ".join(f"{name(one.name)}({one.value})" for one in hint)
        spec = Spec(f"ENUMERATED {{ {items}{', ...' if more else ''} }}", _g.Number(lambda: hint))
        spec.write = lambda value: name(hint(value).name)
        return spec

    def _marked(self, spec: Spec, marks: list[Any]) -> Spec:
        for mark in marks:
            if isinstance(mark, m.Tagging):
                spec.tags.append(mark)
            elif isinstance(mark, m.Constrained):
                spec.constraints.append(mark.text)
            elif isinstance(mark, m.Default):
                spec.default = mark.value
            elif isinstance(mark, m.Named):
                spec.name = mark.name
        return spec

    def components(self, cls: type) -> list[Component]:
        """Returns the attributes of a class, each with its ASN.1 text."""
        options = cls._asn1  # type: ignore[attr-defined]
        found: list[tuple[Component, Spec]] = []
        for attribute, hint in hints(cls).items():
            if attribute == "additions" or attribute in dir(_g.Structure):
                raise TypeError(f"`{attribute}` is an attribute of all declared classes: call it otherwise, and say its name with asn1.named")
            spec = self.spec(hint)
            name = spec.name if spec.name is not None else identifier(attribute)
            component = Component(attribute, name, "", spec.conversion, spec.defined)
            given = getattr(cls, attribute, MISSING) if options.word != "CHOICE" else MISSING
            component.default = spec.default if spec.default is not MISSING else given
            if component.default is None:
                component.default = MISSING
                spec.optional = True
            component.optional = spec.optional
            found.append((component, spec))
        self._relations(cls, found)
        numbered = options.automatic and not any(spec.tags for _, spec in found)
        for number, (component, spec) in enumerate(found):
            if numbered:
                spec.tags.append(m.Tagging(f"[{number}]", False))
            component.text = f"{component.name} {spec.notation}"
            if component.default is not MISSING:
                component.text += f" DEFAULT {spec.write(component.default)}"
            elif component.optional:
                component.text += " OPTIONAL"
        return [component for component, _ in found]

    def _relations(self, cls: type, found: list[tuple[Component, Spec]]) -> None:
        """Writes the relations between components: an object class and an object set for each component that selects
        another's type."""
        by_name = {component.attribute: (component, spec) for component, spec in found}
        sets: dict[str, str] = {}
        for component, spec in found:
            if spec.defined is None:
                continue
            if spec.defined.by not in by_name:
                raise TypeError(f"{cls.__name__}.{component.attribute} is defined by `{spec.defined.by}`, which is no component")
            decides, said = by_name[spec.defined.by]
            if spec.defined.by in sets:
                raise TypeError(f"{cls.__name__}.{spec.defined.by} says the type of one component")
            if said.text not in ("OBJECT IDENTIFIER", "INTEGER"):
                raise TypeError(f"{cls.__name__}.{spec.defined.by} is neither an object identifier nor a number")
            self._numbers += 1
            kind, name = f"DEFINING-{self._numbers}", f"Defined-{self._numbers}"
            objects = []
            for key, hint in spec.defined.types.items():
                inner = self.spec(hint)
                component.conversions[key] = inner.conversion
                objects.append(f"{{ ID {literal(key, said.text)} TYPE {inner.notation} }} |")
            listed = "\n  ".join([*objects]).removesuffix(" |")
            self._texts.append(
                f"{kind} ::= CLASS {{ &id {said.text} UNIQUE, &Type }} WITH SYNTAX {{ ID &id TYPE &Type }}\n"
                f"{name} {kind} ::= {{\n  {listed}{',' if objects else ''} ... }}"
            )
            sets[spec.defined.by] = name
            said.text = f"{kind}.&id ({{{name}}})"
            open_type = f"{kind}.&Type ({{{name}}}{{@{decides.name}}})"
            spec.text = f"OCTET STRING (CONTAINING {open_type})" if spec.defined.octets else open_type

    def _class(self, cls: type) -> str:
        options = cls._asn1  # type: ignore[attr-defined]
        lines = [component.text for component in self.components(cls)]
        if options.extensible:
            lines.append("...")
        tags = "" if options.tag is None else f"{options.tag.text} {'EXPLICIT' if options.tag.explicit else 'IMPLICIT'} "
        if options.word == "CHOICE":
            tags = tags.replace("IMPLICIT", "EXPLICIT")
        body = ",\n  ".join(lines)
        return f"{self._names[cls]} ::= {tags}{options.word} {{\n  {body}\n}}"


def _kind(cls: Any) -> str:
    return str(cls._asn1.word)


def _untagged(cls: Any) -> bool:
    return _kind(cls) == "CHOICE" and cls._asn1.tag is None


class _Choice(Protocol):
    @classmethod
    def from_value(cls, value: object) -> Any: ...

    def to_value(self) -> Any: ...


class Chosen:
    """Conversion between a pair of `tagwise.asn1` and an object of a declared CHOICE."""

    def __init__(self, cls: type[_Choice]) -> None:
        self._cls = cls

    def load(self, value: object) -> Any:
        """Converts a plain value to an object."""
        return self._cls.from_value(value)

    def dump(self, value: object) -> Any:
        """Converts an object to a plain value."""
        chosen: Any = value
        return chosen.to_value() if isinstance(chosen, self._cls) else value


def hints(cls: type) -> dict[str, Any]:
    """Returns the annotations of a declared class and its base classes."""
    scope = dict(getattr(cls, "_scope", {}))
    scope[cls.__name__] = cls
    if sys.version_info < (3, 11):
        found = typing.get_type_hints(cls, None, {**vars(sys.modules[cls.__module__]), **scope}, include_extras=True)
    else:
        found = typing.get_type_hints(cls, None, scope, include_extras=True)
    return {name: hint for name, hint in found.items() if name[:1] != "_" and get_origin(hint) is not typing.ClassVar}
