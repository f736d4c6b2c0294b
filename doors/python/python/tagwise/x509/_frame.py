"""Common parts of certificates, requests and CRLs: versions, attributes, deviations, extensions, signatures."""

from __future__ import annotations

import datetime
import operator
import warnings
from collections.abc import Iterable

from tagwise import _native
from tagwise._data import Data, Enum, Listed, shown
from tagwise._errors import Asn1Error
from tagwise.x509 import _keys, _sign, _times
from tagwise.x509._extension import E, Extension, ExtensionNotFound, Extensions, Placed
from tagwise.x509.name import _ASN1Type
from tagwise.x509.oid import ObjectIdentifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tagwise import _kinds
    from typing import Any

if TYPE_CHECKING:
    from typing_extensions import Self

    from tagwise.x509._diff import Difference

#: The maximum number of CRL entries in the HTML.
_SHOWN_ENTRIES = 20


class Version(Enum):
    """The version of a certificate. Its value is the encoded number."""

    v1 = 0
    v3 = 2


class InvalidVersion(Exception):
    """An invalid X.509 version."""

    def __init__(self, msg: str, parsed_version: int) -> None:
        super().__init__(msg)
        self.parsed_version = parsed_version


class AttributeNotFound(Exception):
    """The attribute was not found."""

    def __init__(self, msg: str, oid: ObjectIdentifier) -> None:
        super().__init__(msg)
        self.oid = oid


class Attribute:
    """An attribute of a request."""

    __slots__ = ("_oid", "_type", "_value")

    def __init__(self, oid: ObjectIdentifier, value: bytes, _type: int = _ASN1Type.UTF8String.value) -> None:
        self._oid = oid
        self._value = value
        self._type = _type

    @property
    def oid(self) -> ObjectIdentifier:
        """The type of the attribute."""
        return self._oid

    @property
    def value(self) -> bytes:
        """The content of the value, without its header."""
        return self._value

    def __repr__(self) -> str:
        return f"<Attribute(oid={self._oid}, value={shown(self._value)})>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Attribute):
            return NotImplemented
        return (self._oid, self._value, self._type) == (other._oid, other._value, other._type)

    def __hash__(self) -> int:
        return hash((self._oid, self._value, self._type))


class Attributes(Listed[Attribute]):
    """The attributes of a request."""

    _fields = ("attributes",)

    def __init__(self, attributes: Iterable[Attribute]) -> None:
        self._attributes = list(attributes)

    def get_attribute_for_oid(self, oid: ObjectIdentifier) -> Attribute:
        """Returns the attribute with the given type. Raises `AttributeNotFound` if there is none."""
        for attribute in self:
            if attribute.oid == oid:
                return attribute
        raise AttributeNotFound(f"No {oid} attribute was found", oid)


class Deviation(Data):
    """A deviation that was tolerated while reading."""

    _fields = ("rule", "offset", "clause")

    def __init__(self, rule: str, offset: int, clause: str) -> None:
        self._rule = rule
        self._offset = offset
        self._clause = clause

    @property
    def rule(self) -> str:
        """The name of the rule, as used in `allow`."""
        return self._rule

    @property
    def offset(self) -> int:
        """The offset at which a strict decoder fails."""
        return self._offset

    @property
    def clause(self) -> str:
        """The section of the standard."""
        return self._clause


def as_bytes(data: _kinds.Buffer) -> bytes:
    """Returns the bytes of any buffer."""
    return data if type(data) is bytes else memoryview(data).tobytes()


def encoded(der: bytes, label: str, encoding: _kinds.Encoding) -> bytes:
    """Returns bytes in DER or PEM."""
    return _native.write_pem(label, der) if _keys.encoding_named(encoding) == "PEM" else der


def checked_offset(offset: int) -> int:
    """Validates an offset for `explain`."""
    number = operator.index(offset)
    if number < 0:
        raise ValueError(f"offset must not be negative: {number}, expected the number of a byte, from 0")
    # No input is longer.
    return min(number, 0xFFFF_FFFF)


def without_zone(name: str) -> None:
    """Warns about the use of a property whose times have no time zone."""
    warnings.warn(
        f"Properties that return a naïve datetime object have been deprecated. Please switch to {name}_utc.",
        _keys.deprecation(),
        stacklevel=3,
    )


class Whole:
    """A value with a single encoding, which supports paths and can be shown as JSON."""

    __slots__ = ()
    #: The names of the ASN.1 type, and of the corresponding part of `to_json`.
    _kind = ""
    _json_key = ""
    #: The names of the rules whose violations were tolerated while the value was read. Its parts may violate them, too.
    _allow: list[str]

    def _encoding(self) -> bytes:
        raise NotImplementedError

    def get(self, path: str) -> list[Any]:
        """Returns the values at a path, as plain Python values. The list is empty if the component is absent.

        A path uses the ASN.1 component names. Brackets select list items, by index or by the identifier that they
        contain: `tbsCertificate.extensions[subjectAltName].dNSName`.

        Customary names give lines of text, as `tagwise get` prints them: `notAfter`, `subject`, `san`, `serial`,
        `fingerprint`, `keyusage` …
        """
        return [value for _, value in _native.select(self._kind, self._encoding(), path, self._allow)]

    def _placed(self) -> list[Placed]:
        """Returns the extensions whose values are not covered by this object's ASN.1 type."""
        return []

    def check(self) -> None:
        """Checks every byte with the rules that applied when the value was read, and raises the first error."""
        _native.check(self._kind, self._encoding(), self._allow)
        for oid, _, der, offset in self._placed():
            if isinstance(der, Exception):
                raise der
            try:
                _native.decode_extension(oid, der, self._allow)
            except Asn1Error as error:
                raise error.moved(offset, self.explain, len(der)) from None

    def explain(self, offset: int) -> str:
        """Returns the path of the component to which a byte belongs."""
        return _native.path_at(self._kind, self._encoding(), checked_offset(offset))

    def diff(self, other: Self) -> list[Difference]:
        """Returns the components in which this value differs from another of its kind. Extensions are matched by
        their identifiers."""
        from tagwise.x509 import _diff

        if getattr(other, "_kind", None) != self._kind:
            raise TypeError(f"{type(self).__name__} is compared with its like")
        return _diff.of(self._kind, self._encoding(), other._encoding(), (self._allow, other._allow))

    def _repr_html_(self) -> str:
        """Returns the value as HTML for notebooks."""
        from tagwise.x509 import _html

        return _html.of(self, self._shown_json, self._json_key)

    def _shown_json(self) -> str:
        """Returns the JSON for the HTML, with only the first entries of a CRL."""
        now = _times.seconds(datetime.datetime.now(datetime.timezone.utc))
        return _native.to_json(self._encoding(), now, self._allow, _SHOWN_ENTRIES)

    def to_json(self, *, now: datetime.datetime | None = None) -> str:
        """Returns the value as JSON, in the format of `tagwise show --json`. `now` is the time for statements about validity."""
        moment = datetime.datetime.now(datetime.timezone.utc) if now is None else now
        if not isinstance(moment, datetime.datetime):
            raise TypeError("now must be a datetime object")
        return _native.to_json(self._encoding(), _times.seconds(moment), self._allow)


class Extended:
    """A value with a list of extensions, each of which is decoded separately."""

    __slots__ = ()

    def _listed(self) -> list[Placed]:
        raise NotImplementedError

    def _read(self, listed: list[Placed]) -> Extensions:
        raise NotImplementedError

    def extension(self, kind: type[E]) -> Extension[E]:
        """Returns the extension of the given kind. The others are not decoded, and may be malformed."""
        found = [one for one in self._listed() if one[0] == kind.oid.dotted_string]
        if not found:
            raise ExtensionNotFound(f"No {kind} extension was found", kind.oid)
        return self._read(found).get_extension_for_class(kind)

    @property
    def extension_errors(self) -> list[tuple[ObjectIdentifier, Asn1Error]]:
        """Returns the errors in the values of the extensions, one per malformed extension."""
        # One by one: a duplicate is not an error in a value.
        read = [extension for one in self._listed() for extension in self._read([one])]
        return [(one.oid, one.error) for one in read if isinstance(one.error, Asn1Error)]


class Signed(Extended, Whole):
    """The common part of certificates, requests and CRLs."""

    __slots__ = ()

    def _outer(self) -> tuple[str, bytes]:
        """Returns the signature algorithm's identifier, and the algorithm with its parameters."""
        raise NotImplementedError

    @property
    def signature_hash_algorithm(self) -> Any:
        """The hash of the signature, as an object of `cryptography`, or None if the algorithm has none."""
        return self._signature_hash()

    def _signature_hash(self) -> Any:
        known = _sign.KNOWN_HASHES.get(self.signature_algorithm_oid._dotted)
        return _sign.hash_of(*self._outer()) if known is None else known

    @property
    def signature_algorithm_oid(self) -> ObjectIdentifier:
        """The signature algorithm."""
        return ObjectIdentifier._of(self._outer()[0])

    @property
    def signature_algorithm_parameters(self) -> Any:
        """The padding or ECDSA parameters, as objects of `cryptography`, or None if the algorithm has none."""
        return _sign.parameters_of(*self._outer())
