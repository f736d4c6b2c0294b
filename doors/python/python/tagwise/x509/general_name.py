"""General names (RFC 5280 §4.2.1.6)."""

from __future__ import annotations

import abc

from tagwise._data import Described, Part, part
from tagwise.x509.name import Name
from tagwise.x509.oid import ObjectIdentifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar
else:
    from tagwise._typing import TypeVar

__all__ = [
    "DNSName",
    "DirectoryName",
    "GeneralName",
    "IPAddress",
    "OtherName",
    "RFC822Name",
    "RegisteredID",
    "UniformResourceIdentifier",
    "UnsupportedGeneralNameType",
]

if TYPE_CHECKING:
    import ipaddress

    Address = ipaddress.IPv4Address | ipaddress.IPv6Address | ipaddress.IPv4Network | ipaddress.IPv6Network

Self = TypeVar("Self", bound="_Ascii")
N = TypeVar("N", bound="GeneralName")


class UnsupportedGeneralNameType(Exception):
    """The general name's type has no class here."""


class GeneralName(metaclass=abc.ABCMeta):
    """A general name of any type."""

    @property
    @abc.abstractmethod
    def value(self) -> Any:
        """The name itself."""


class _Ascii(Described, GeneralName):
    """A name that consists of ASCII characters."""

    value: Part[str] = part("", "The name itself.")  # pyright: ignore[reportIncompatibleMethodOverride]

    def __init__(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError("value must be string")
        if not value.isascii():
            raise ValueError(
                f"{type(self).__name__} values should be passed as an A-label string. This means unicode characters "
                "should be encoded via a library like idna."
            )
        self._value = value

    @classmethod
    def _init_without_validation(cls: type[Self], value: str) -> Self:
        name = cls.__new__(cls)
        name._value = value
        return name


class RFC822Name(_Ascii):
    """An email address."""

    _asn1 = "rfc822Name"

    def __init__(self, value: str) -> None:
        super().__init__(value)
        # Its import takes longer than that of the rest of this module.
        from email.utils import parseaddr

        name, address = parseaddr(value)
        if name or not address:
            raise ValueError("Invalid rfc822name value")


class DNSName(_Ascii):
    """A host name."""

    _asn1 = "dNSName"


class UniformResourceIdentifier(_Ascii):
    """A URI."""

    _asn1 = "uniformResourceIdentifier"


class DirectoryName(Described, GeneralName):
    """A distinguished name."""

    _asn1 = "directoryName"
    value: Part[Name] = part("", "The name.")  # pyright: ignore[reportIncompatibleMethodOverride]

    def __init__(self, value: Name) -> None:
        if not isinstance(value, Name):
            raise TypeError("value must be a Name")
        self._value = value


class RegisteredID(Described, GeneralName):
    """An object identifier."""

    _asn1 = "registeredID"
    value: Part[ObjectIdentifier] = part("", "The identifier.")  # pyright: ignore[reportIncompatibleMethodOverride]

    def __init__(self, value: ObjectIdentifier) -> None:
        if not isinstance(value, ObjectIdentifier):
            raise TypeError("value must be an ObjectIdentifier")
        self._value = value


class IPAddress(Described, GeneralName):
    """An IP address, or in name constraints a network."""

    _asn1 = "iPAddress"
    value: Part[Address] = part("", "The address, or the network.")  # pyright: ignore[reportIncompatibleMethodOverride]

    def __init__(self, value: Address) -> None:
        # Its import takes longer than that of the rest of this module.
        import ipaddress

        kinds = (ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network)
        if not isinstance(value, kinds):
            raise TypeError(
                "value must be an instance of ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, or "
                "ipaddress.IPv6Network"
            )
        self._value = value

    @classmethod
    def _of_plain(cls, plain: bytes) -> IPAddress:
        name = cls.__new__(cls)
        name._value = _address(plain)
        return name

    def _plain(self) -> bytes:
        # Networks have no `packed`.
        packed: bytes | None = getattr(self._value, "packed", None)
        if packed is not None:
            return packed
        network: Any = self._value
        octets: bytes = network.network_address.packed + network.netmask.packed
        return octets


class OtherName(Described, GeneralName):
    """A name whose type is identified by an object identifier. Its value is one element in DER."""

    _asn1 = "otherName"
    type_id: Part[ObjectIdentifier] = part("type-id", "The kind of the name.")
    value: Part[bytes] = part("value", "The value in DER.")  # pyright: ignore[reportIncompatibleMethodOverride]

    def __init__(self, type_id: ObjectIdentifier, value: bytes) -> None:
        if not isinstance(type_id, ObjectIdentifier):
            raise TypeError("type_id must be an ObjectIdentifier")
        if not isinstance(value, bytes):
            raise TypeError("value must be a binary string")
        self._type_id = type_id
        self._value = value


def _address(octets: bytes) -> Address:
    """Decodes an address of 4 or 16 bytes, or a network of 8 or 32 bytes."""
    import ipaddress

    if len(octets) in (4, 16):
        return ipaddress.ip_address(octets)
    half = len(octets) // 2
    if len(octets) not in (8, 32):
        raise ValueError(
            f"Invalid IPNetwork, must be 8 bytes for IPv4 and 32 bytes for IPv6. Found length: {len(octets)}"
        )
    mask = int.from_bytes(octets[half:], "big")
    bits = half * 8
    prefix = bin(mask).count("1")
    if mask != ((1 << prefix) - 1) << (bits - prefix):
        raise ValueError("Invalid netmask")
    return ipaddress.ip_network((ipaddress.ip_address(octets[:half]), prefix))


def is_network(name: IPAddress) -> bool:
    """Returns whether an IP address is a network."""
    return hasattr(name._value, "network_address")


def reject_network(name: N) -> N:
    """Returns the name, unless it is a network."""
    if isinstance(name, IPAddress) and is_network(name):
        raise ValueError(
            f"an IP network is only allowed in name constraints (RFC 5280 §4.2.1.6): {name._value}, expected an IP address"
        )
    return name
