"""General support for extensions: the list, a single extension, and the base class of extension values."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator

from tagwise import _native
from tagwise._data import Data, Described, Native, field, native
from tagwise.x509.oid import ObjectIdentifier

__all__ = [
    "DuplicateExtension",
    "Extension",
    "ExtensionNotFound",
    "ExtensionType",
    "Extensions",
    "UnrecognizedExtension",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Generic, TypeVar, cast, overload

    from tagwise._errors import Asn1Error
else:
    from tagwise._typing import Generic, TypeVar, cast, overload

E = TypeVar("E", bound="ExtensionType", covariant=True)

#: The contexts of extensions: certificates, requests, CRLs, CRL entries, OCSP messages, and single responses.
CERTIFICATE, REQUEST, CRL, ENTRY, OCSP, ANSWER = 1, 2, 4, 8, 16, 32

#: The identifier, criticality, value and offset of an extension. If its outer structure is malformed, the error replaces the value.
Placed = tuple[str, bool, "bytes | Asn1Error", int]

#: The extension classes with decoders. An object of one of them is never an object of another. Set by `extensions`, which contains all of
#: them.
KINDS: frozenset[type[ExtensionType]] = frozenset()


class DuplicateExtension(Exception):
    """An extension is duplicated."""

    def __init__(self, msg: str, oid: ObjectIdentifier) -> None:
        super().__init__(msg)
        self.oid = oid


class ExtensionNotFound(Exception):
    """The extension was not found."""

    def __init__(self, msg: str, oid: ObjectIdentifier) -> None:
        super().__init__(msg)
        self.oid = oid


class ExtensionType(metaclass=abc.ABCMeta):
    """The value of an extension."""

    oid: ClassVar[ObjectIdentifier]

    def public_bytes(self) -> bytes:
        """Returns the value in DER."""
        raise NotImplementedError(f"public_bytes is not implemented for extension type {self!r}")


class Known(Described, ExtensionType):
    """An extension type that this package can decode and encode."""

    #: The contexts in which the extension has this class.
    _places: ClassVar[int] = CERTIFICATE | REQUEST

    def public_bytes(self) -> bytes:
        """Returns the value in DER."""
        return _native.encode_value(self)


def plain_extensions(extensions: list[Extension[ExtensionType]]) -> list[tuple[str, bool, bytes]]:
    """Converts extensions to tuples of identifier, criticality and value, for building signed data."""
    return [(one._oid._dotted, one._critical, one._value.public_bytes()) for one in extensions]


# To checkers the classes derive from the native ones, which take their places.
if TYPE_CHECKING:
    _NativeExtension = _native.Extension
    _NativeExtensions = _native.Extensions
else:
    _NativeExtension = _NativeExtensions = Native


@native(_native.Extension)
class Extension(_NativeExtension, Data, Generic[E]):
    """An extension: its identifier, whether it is critical, and its value.

    If the value cannot be read, `value` raises the reason, which is also in `error`.
    """

    __slots__ = ()
    _fields = ("oid", "critical", "value")
    if TYPE_CHECKING:
        _oid: ObjectIdentifier
        _critical: bool
        _value: E
        _error: tuple[Exception, bytes] | None

        @property
        def oid(self) -> ObjectIdentifier: ...

        @property
        def critical(self) -> bool: ...

        @property
        def error(self) -> Exception | None: ...

        @property
        def value(self) -> E: ...

    def __init__(self, oid: ObjectIdentifier, critical: bool, value: E) -> None:
        if not isinstance(oid, ObjectIdentifier):
            raise TypeError("oid argument must be an ObjectIdentifier instance.")
        if not isinstance(critical, bool):
            raise TypeError("critical must be a boolean value")
        self._oid = oid
        self._critical = critical
        self._value = value

    def _values(self) -> tuple[Any, ...]:
        error = self._error
        # An extension that cannot be read is equal to one of the same bytes.
        return (self._oid, self._critical, self._value if error is None else error[1])

    def __reduce__(self) -> tuple[Any, ...]:
        error = self._error
        if error is not None:
            return (unreadable, (self._oid, self._critical, *error), getattr(self, "__dict__", None))
        return (type(self), (self._oid, self._critical, self._value), getattr(self, "__dict__", None))

    def __repr__(self) -> str:
        try:
            failure = self._error
        except Exception as error:
            # The budget of this moment does not reach.
            failure = (error, b"")
        if failure is None:
            return Data.__repr__(self)
        return f"<Extension(oid={self._oid}, critical={self._critical}, value=<unreadable: {failure[0]}>)>"


def unreadable(oid: ObjectIdentifier, critical: bool, error: Exception, der: bytes) -> Extension[ExtensionType]:
    """Creates an extension whose value cannot be read. Accessing the value raises `error`."""
    made: Extension[ExtensionType] = Extension.__new__(Extension)
    made._oid = oid
    made._critical = critical
    made._error = (error, der)
    return made


@native(_native.Extensions)
class Extensions(_NativeExtensions):
    """The extensions of a certificate, a CRL, a CRL entry, a request or a response.

    An extension whose value cannot be read does not hide the others: it is one of the items, with its identifier and
    criticality. It raises the error when its `value` is accessed or when it is looked up.
    """

    __slots__ = ()

    def __init__(self, extensions: Iterable[Extension[ExtensionType]]) -> None:
        self._extensions = list(extensions)

    def get_extension_for_oid(self, oid: ObjectIdentifier) -> Extension[ExtensionType]:
        """Returns the extension with the given identifier.

        Raises `ExtensionNotFound` if there is none, or the error of its value if it cannot be read.
        """
        for extension in self:
            if extension.oid == oid:
                if extension.error is not None:
                    raise extension.error.with_traceback(None)
                return extension
        raise ExtensionNotFound(f"No {oid} extension was found", oid)

    def get_extension_for_class(self, extclass: type[E]) -> Extension[E]:
        """Returns the extension whose value is of the given class.

        Raises `ExtensionNotFound` if there is none, or the error of its value if it cannot be read.
        """
        if extclass is UnrecognizedExtension:
            raise TypeError(
                "UnrecognizedExtension can't be used with get_extension_for_class because more than one instance of the "
                "class may be present."
            )
        found = self._of_class(extclass, KINDS)
        if found is not None:
            return cast("Extension[E]", found)
        raise ExtensionNotFound(f"No {extclass} extension was found", extclass.oid)

    def __len__(self) -> int:
        return len(self._extensions)

    def __iter__(self) -> Iterator[Extension[ExtensionType]]:
        return iter(self._extensions)

    @overload
    def __getitem__(self, idx: int) -> Extension[ExtensionType]: ...

    @overload
    def __getitem__(self, idx: slice) -> list[Extension[ExtensionType]]: ...

    def __getitem__(self, idx: int | slice) -> Extension[ExtensionType] | list[Extension[ExtensionType]]:
        return self._extensions[idx]

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._extensions,), getattr(self, "__dict__", None))

    def __repr__(self) -> str:
        return f"<Extensions({field(lambda: self._extensions)})>"


class UnrecognizedExtension(Data, ExtensionType):
    """An extension for which this package has no class. Its value is unchanged."""

    _fields = ("oid", "value")

    def __init__(self, oid: ObjectIdentifier, value: bytes) -> None:
        if not isinstance(oid, ObjectIdentifier):
            raise TypeError("oid must be an ObjectIdentifier")
        self._oid = oid
        self._value = value

    @property
    def oid(self) -> ObjectIdentifier:  # type: ignore[override]
        """The identifier of the extension."""
        return self._oid

    @property
    def value(self) -> bytes:
        """Returns the encoded value."""
        return self._value

    def public_bytes(self) -> bytes:
        """Returns the encoded value."""
        return self._value
