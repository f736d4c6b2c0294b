"""General names (RFC 5280 §4.2.1.6)."""

from __future__ import annotations

import abc

from collections.abc import Iterable

from tagwise._data import Data
from tagwise.x509.name import Name, name_of, plain_name
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
    """A kind of general name that has no class here."""


class GeneralName(metaclass=abc.ABCMeta):
    """A name of any kind."""

    @property
    @abc.abstractmethod
    def value(self) -> Any:
        """The name itself."""


class _Valued(Data, GeneralName):
    _fields = ("value",)
    _value: Any

    @property
    def value(self) -> Any:
        return self._value


class _Ascii(_Valued):
    """A name of characters of ASCII."""

    _value: str

    def __init__(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError("value must be string")
        if not value.isascii():
            raise ValueError(
                f"{type(self).__name__} values should be passed as an A-label string. This means unicode characters "
                "should be encoded via a library like idna."
            )
        self._value = value

    @property
    def value(self) -> str:
        return self._value

    @classmethod
    def _init_without_validation(cls: type[Self], value: str) -> Self:
        name = cls.__new__(cls)
        name._value = value
        return name


class RFC822Name(_Ascii):
    """A mail address."""

    def __init__(self, value: str) -> None:
        super().__init__(value)
        # Its import takes longer than that of the rest of this module.
        from email.utils import parseaddr

        name, address = parseaddr(value)
        if name or not address:
            raise ValueError("Invalid rfc822name value")


class DNSName(_Ascii):
    """A host name."""


class UniformResourceIdentifier(_Ascii):
    """A URI."""


class DirectoryName(_Valued):
    """A distinguished name."""

    _value: Name

    def __init__(self, value: Name) -> None:
        if not isinstance(value, Name):
            raise TypeError("value must be a Name")
        self._value = value

    @property
    def value(self) -> Name:
        """The name."""
        return self._value


class RegisteredID(_Valued):
    """An object identifier."""

    _value: ObjectIdentifier

    def __init__(self, value: ObjectIdentifier) -> None:
        if not isinstance(value, ObjectIdentifier):
            raise TypeError("value must be an ObjectIdentifier")
        self._value = value

    @property
    def value(self) -> ObjectIdentifier:
        """The identifier."""
        return self._value


class IPAddress(_Valued):
    """An IP address; in name constraints a network."""

    _value: Address

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

    @property
    def value(self) -> Address:
        """The address, or the network."""
        return self._value

    def _packed(self) -> bytes:
        # Networks have no `packed`.
        packed: bytes | None = getattr(self._value, "packed", None)
        if packed is not None:
            return packed
        network: Any = self._value
        octets: bytes = network.network_address.packed + network.netmask.packed
        return octets


class OtherName(Data, GeneralName):
    """A name of a kind that an object identifier tells; its value is one element in DER."""

    _fields = ("type_id", "value")
    _type_id: ObjectIdentifier
    _value: bytes

    def __init__(self, type_id: ObjectIdentifier, value: bytes) -> None:
        if not isinstance(type_id, ObjectIdentifier):
            raise TypeError("type_id must be an ObjectIdentifier")
        if not isinstance(value, bytes):
            raise TypeError("value must be a binary string")
        self._type_id = type_id
        self._value = value

    @property
    def type_id(self) -> ObjectIdentifier:
        """The kind of the name."""
        return self._type_id

    @property
    def value(self) -> bytes:
        """The value in DER."""
        return self._value


def _address(octets: bytes) -> Address:
    """An address of 4 or 16 bytes, a network of 8 or 32."""
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


_KINDS: dict[str, type[_Ascii]] = {
    "rfc822Name": RFC822Name,
    "dNSName": DNSName,
    "uniformResourceIdentifier": UniformResourceIdentifier,
}


def general_name_of(plain: tuple[str, Any]) -> GeneralName:
    """A name as the decoder has it."""
    kind, value = plain
    if kind in _KINDS:
        return _KINDS[kind]._init_without_validation(value)
    if kind == "directoryName":
        return DirectoryName(name_of(value))
    if kind == "iPAddress":
        return IPAddress(_address(value))
    if kind == "registeredID":
        return RegisteredID(ObjectIdentifier._of(value))
    if kind == "otherName":
        return OtherName(ObjectIdentifier._of(value["type-id"]), value["value"])
    raise UnsupportedGeneralNameType(f"{kind} is not a supported type")


def general_names_of(plain: list[tuple[str, Any]]) -> list[GeneralName]:
    """Names as the decoder has them."""
    return [general_name_of(name) for name in plain]


def plain_general_name(name: GeneralName) -> tuple[str, Any]:
    """A name as the encoder takes it."""
    for kind, cls in _KINDS.items():
        if type(name) is cls:
            return (kind, name.value)
    if type(name) is DirectoryName:
        return ("directoryName", plain_name(name.value))
    if type(name) is IPAddress:
        return ("iPAddress", name._packed())
    if type(name) is RegisteredID:
        return ("registeredID", name.value.dotted_string)
    if type(name) is OtherName:
        return ("otherName", {"type-id": name.type_id.dotted_string, "value": name.value})
    raise ValueError("Unsupported GeneralName type")


def plain_general_names(names: Iterable[GeneralName]) -> list[tuple[str, Any]]:
    """Names as the encoder takes them. A network is not a name (RFC 5280 §4.2.1.6): only name constraints have networks."""
    return [plain_general_name(reject_network(name)) for name in names]


def reject_network(name: N) -> N:
    """A name that is not a network."""
    if isinstance(name, IPAddress) and hasattr(name._value, "network_address"):
        raise ValueError(
            f"an IP network is only allowed in name constraints (RFC 5280 §4.2.1.6): {name._value}, expected an IP address"
        )
    return name
