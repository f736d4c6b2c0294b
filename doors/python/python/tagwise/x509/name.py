"""Distinguished names (RFC 5280 §4.1.2.4), their attributes, and their text form (RFC 4514)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tagwise import _native
from tagwise._data import Enum, Native, Plain, field, native
from tagwise._errors import Asn1Error
from tagwise.x509.oid import NameOID, ObjectIdentifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, TypeVar, cast
else:
    from tagwise._typing import Generic, TypeVar, cast

__all__ = ["Name", "NameAttribute", "RelativeDistinguishedName"]

Value = TypeVar("Value", str, bytes, "str | bytes", covariant=True)


class _ASN1Type(Enum):
    """The string types of attributes, with their universal tags."""

    BitString = 3
    OctetString = 4
    UTF8String = 12
    NumericString = 18
    PrintableString = 19
    T61String = 20
    IA5String = 22
    UTCTime = 23
    GeneralizedTime = 24
    VisibleString = 26
    UniversalString = 28
    BMPString = 30


_TYPES = {kind.value: kind for kind in _ASN1Type}

_USUAL_TYPE = _ASN1Type.UTF8String

#: Attribute types whose standard requires a string type other than UTF8String (RFC 5280 §A.1), in dotted form.
_OWN_TYPE = {
    NameOID.COUNTRY_NAME.dotted_string: _ASN1Type.PrintableString,
    NameOID.JURISDICTION_COUNTRY_NAME.dotted_string: _ASN1Type.PrintableString,
    NameOID.SERIAL_NUMBER.dotted_string: _ASN1Type.PrintableString,
    NameOID.DN_QUALIFIER.dotted_string: _ASN1Type.PrintableString,
    NameOID.EMAIL_ADDRESS.dotted_string: _ASN1Type.IA5String,
    NameOID.DOMAIN_COMPONENT.dotted_string: _ASN1Type.IA5String,
}

#: The short names of attribute types in RFC 4514 §3.
_SHORT = {
    NameOID.COMMON_NAME: "CN",
    NameOID.LOCALITY_NAME: "L",
    NameOID.STATE_OR_PROVINCE_NAME: "ST",
    NameOID.ORGANIZATION_NAME: "O",
    NameOID.ORGANIZATIONAL_UNIT_NAME: "OU",
    NameOID.COUNTRY_NAME: "C",
    NameOID.STREET_ADDRESS: "STREET",
    NameOID.DOMAIN_COMPONENT: "DC",
    NameOID.USER_ID: "UID",
}
_SHORT_DOTTED = {oid.dotted_string: short for oid, short in _SHORT.items()}

#: The minimum and maximum length of values (RFC 5280 §A.1).
_BOUNDS = {
    NameOID.COUNTRY_NAME.dotted_string: (2, 2),
    NameOID.JURISDICTION_COUNTRY_NAME.dotted_string: (2, 2),
    NameOID.COMMON_NAME.dotted_string: (1, 64),
}


_MARKED = str.maketrans({character: "\\" + character for character in '\\"+,;<>'} | {"\0": "\\00"})


def _escaped(value: str | bytes) -> str:
    """Escapes a value as in RFC 4514 §2.4."""
    if isinstance(value, bytes):
        return "#" + value.hex() if value else ""
    text = value.translate(_MARKED)
    if text.startswith("#") or (text.startswith(" ") and len(text) > 1):
        text = "\\" + text
    if text.endswith(" "):
        text = text[:-1] + "\\ "
    return text


# To checkers the classes derive from the native ones, which take their places.
if TYPE_CHECKING:
    _NativeAttribute = _native.NameAttribute
    _NativeStep = _native.RelativeDistinguishedName
    _NativeName = _native.Name
else:
    _NativeAttribute = _NativeStep = _NativeName = Native


@native(_native.NameAttribute)
class NameAttribute(_NativeAttribute, Generic[Value]):
    """An attribute type and a value, such as a common name.

    >>> NameAttribute(NameOID.COMMON_NAME, "example.org").rfc4514_string()
    'CN=example.org'
    """

    __slots__ = ()
    if TYPE_CHECKING:
        _oid: ObjectIdentifier
        _value: Value
        _type: _ASN1Type

        @property
        def oid(self) -> ObjectIdentifier: ...

        @property
        def value(self) -> Value: ...

    def __init__(
        self,
        oid: ObjectIdentifier,
        value: Value,
        _type: _ASN1Type | None = None,
        *,
        _validate: bool = True,
    ) -> None:
        if not isinstance(oid, ObjectIdentifier):
            raise TypeError("oid argument must be an ObjectIdentifier instance.")
        if _type is _ASN1Type.BitString:
            if oid != NameOID.X500_UNIQUE_IDENTIFIER:
                raise TypeError("oid must be X500_UNIQUE_IDENTIFIER for BitString type.")
            if not isinstance(value, bytes):
                raise TypeError("value must be bytes for BitString")
        elif not isinstance(value, str):
            raise TypeError("value argument must be a str")
        bounds = _BOUNDS.get(oid._dotted)
        if bounds is not None and isinstance(value, str):
            least, most = bounds
            length = len(value.encode())
            if not least <= length <= most:
                message = f"Attribute's length must be >= {least} and <= {most}, but it was {length}"
                if _validate:
                    raise ValueError(message)
                warnings.warn(message, stacklevel=2)
        if _type is None:
            _type = _OWN_TYPE.get(oid._dotted, _USUAL_TYPE)
        elif not isinstance(_type, _ASN1Type):
            raise TypeError("_type must be from the _ASN1Type enum")
        self._oid = oid
        self._value = value
        self._type = _type

    @property
    def rfc4514_attribute_name(self) -> str:
        """The short name in RFC 4514, or the dotted identifier."""
        dotted = self._oid._dotted
        return _SHORT_DOTTED.get(dotted, dotted)

    def rfc4514_string(self, attr_name_overrides: Mapping[ObjectIdentifier, str] | None = None) -> str:
        """Returns the attribute in RFC 4514 form."""
        name = attr_name_overrides.get(self._oid) if attr_name_overrides else None
        if name is None:
            dotted = self._oid._dotted
            name = _SHORT_DOTTED.get(dotted, dotted)
        return f"{name}={_escaped(self._value)}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NameAttribute):
            return NotImplemented
        return bool(self._oid == other._oid and self._value == other._value)

    def __hash__(self) -> int:
        return hash((self._oid, self._value))

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the checks of the constructor: a name that was read may have a value that is too long.
        fields = (("_oid", self._oid), ("_value", self._value), ("_type", self._type))
        return (_remade, (type(self), fields), getattr(self, "__dict__", None))

    def __repr__(self) -> str:
        return f"<NameAttribute(oid={field(lambda: Plain(str(self._oid)))}, value={field(lambda: self._value)})>"


def _remade(cls: Any, fields: Iterable[tuple[str, Any]]) -> Any:
    """Creates an object of a class with the given fields."""
    made = cls.__new__(cls)
    for name, value in fields:
        setattr(made, name, value)
    return made


@native(_native.RelativeDistinguishedName)
class RelativeDistinguishedName(_NativeStep):
    """A relative distinguished name (RDN): a set of attributes, usually one."""

    __slots__ = ()

    def __init__(self, attributes: Iterable[NameAttribute[Any]]) -> None:
        listed = list(attributes)
        if not listed:
            raise ValueError("a relative distinguished name cannot be empty")
        if not all(isinstance(attribute, NameAttribute) for attribute in listed):
            raise TypeError("attributes must be an iterable of NameAttribute")
        self._attributes = listed
        if len(listed) > 1 and len(self._set()) != len(listed):
            raise ValueError("duplicate attributes are not allowed")

    def _set(self) -> frozenset[NameAttribute[Any]]:
        return frozenset(self._attributes)

    def get_attributes_for_oid(self, oid: ObjectIdentifier) -> list[NameAttribute[Any]]:
        """Returns the attributes of the given type."""
        return [attribute for attribute in self if attribute.oid == oid]

    def rfc4514_string(self, attr_name_overrides: Mapping[ObjectIdentifier, str] | None = None) -> str:
        """Returns the RDN in RFC 4514 form."""
        return "+".join([attribute.rfc4514_string(attr_name_overrides) for attribute in self._attributes])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RelativeDistinguishedName):
            return NotImplemented
        return self._set() == other._set()

    def __hash__(self) -> int:
        return hash(self._set())

    def __iter__(self) -> Iterator[NameAttribute[Any]]:
        return iter(self._attributes)

    def __len__(self) -> int:
        return len(self._attributes)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_remade, (type(self), (("_attributes", self._attributes),)), getattr(self, "__dict__", None))

    def __repr__(self) -> str:
        return f"<RelativeDistinguishedName({field(lambda: Plain(self.rfc4514_string()))})>"


@native(_native.Name)
class Name(_NativeName):
    """A distinguished name, starting at the root.

    >>> name = Name.from_rfc4514_string("CN=Eva,C=DE")
    >>> name.public_bytes().hex()
    '301b310b3009060355040613024445310c300a06035504030c03457661'
    >>> Name.from_bytes(name.public_bytes()) == name
    True
    """

    __slots__ = ()

    def __init__(self, attributes: Iterable[NameAttribute[Any] | RelativeDistinguishedName]) -> None:
        listed = list(attributes)
        steps = _native.steps_of(listed)
        if steps is not None:
            self._attributes = steps
        elif all(isinstance(item, RelativeDistinguishedName) for item in listed):
            self._attributes = [cast("RelativeDistinguishedName", item) for item in listed]
        else:
            raise TypeError("attributes must be a list of NameAttribute or a list RelativeDistinguishedName")

    @classmethod
    def from_rfc4514_string(
        cls, data: str, attr_name_overrides: Mapping[str, ObjectIdentifier] | None = None
    ) -> Name:
        """Parses a name in RFC 4514 form, with the most specific RDN first."""
        others = [(name, oid.dotted_string) for name, oid in (attr_name_overrides or {}).items()]
        return cls(_native.parse_name(data, others))

    @classmethod
    def from_bytes(cls, data: bytes) -> Name:
        """Reads a name in DER."""
        return name_of(_native.decode("Name", data))

    def public_bytes(self, backend: object = None) -> bytes:
        """Returns the name in DER."""
        return self._encoded() or _native.encode("Name", plain_name(self))

    def rfc4514_string(self, attr_name_overrides: Mapping[ObjectIdentifier, str] | None = None) -> str:
        """Returns the name in RFC 4514 form, with the most specific RDN first."""
        text = None if attr_name_overrides else self._text()
        if text is not None:
            return text
        return ",".join([step.rfc4514_string(attr_name_overrides) for step in reversed(self._attributes)])

    def get_attributes_for_oid(self, oid: ObjectIdentifier) -> list[NameAttribute[Any]]:
        """Returns the attributes of the given type."""
        return [attribute for attribute in self if attribute.oid == oid]

    @property
    def rdns(self) -> list[RelativeDistinguishedName]:
        """The RDNs of the name, starting at the root, in a new list."""
        return list(self._attributes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Name):
            return NotImplemented
        return self._attributes == other._attributes

    def __hash__(self) -> int:
        return hash(tuple(self._attributes))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._attributes,), getattr(self, "__dict__", None))

    def __iter__(self) -> Iterator[NameAttribute[Any]]:
        for step in self._attributes:
            yield from step

    def __len__(self) -> int:
        return sum(len(step) for step in self._attributes)

    def __repr__(self) -> str:
        return f"<Name({field(lambda: Plain(self.rfc4514_string()))})>"


def attribute_of(plain: tuple[str, int, str | bytes]) -> NameAttribute[Any]:
    """Creates an attribute from the decoder's output."""
    oid, tag, value = plain
    kind = _TYPES.get(tag)
    if tag > 30:
        raise ValueError("Long-form tags are not supported in NameAttribute values")
    if kind is None:
        raise ValueError(f"the value of attribute {oid} has no string type")
    identifier = ObjectIdentifier._of(oid)
    if isinstance(value, bytes) and kind is not _ASN1Type.BitString:
        raise ValueError(f"the value of attribute {oid} is no text")
    if kind is _ASN1Type.BitString and identifier != NameOID.X500_UNIQUE_IDENTIFIER:
        raise ValueError(f"the value of attribute {oid} is a BIT STRING, which only x500UniqueIdentifier has")
    return NameAttribute(identifier, value, kind, _validate=False)


def step_of(plain: list[tuple[str, int, str | bytes]]) -> RelativeDistinguishedName:
    """Creates an RDN from the decoder's output."""
    return RelativeDistinguishedName([attribute_of(attribute) for attribute in plain])


def name_of(plain: list[list[tuple[str, int, str | bytes]]]) -> Name:
    """Creates a name from the decoder's output."""
    return Name([step_of(step) for step in plain])


def plain_step(step: RelativeDistinguishedName) -> list[tuple[str, int, str | bytes]]:
    """Converts an RDN to the encoder's input."""
    return [(attribute._oid._dotted, attribute._type._value_, attribute._value) for attribute in step._attributes]


def plain_name(name: Name) -> list[list[tuple[str, int, str | bytes]]]:
    """Converts a name to the encoder's input."""
    return [plain_step(step) for step in name._attributes]


def name_at(der: bytes, offset: int, path_at: Callable[[int], str], allow: Sequence[str]) -> Name:
    """Reads a name that is part of another encoding."""
    try:
        return name_of(_native.decode("Name", der, list(allow)))
    except Asn1Error as error:
        raise error.moved(offset, path_at, len(der)) from None
