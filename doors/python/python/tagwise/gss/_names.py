"""Names, flags, mechanisms and channel bindings."""

from __future__ import annotations

import enum

from tagwise._data import Data
from tagwise._native import Principal
from tagwise.gss.exceptions import BadNameError
from tagwise.krb5 import Client


class NameType(enum.Enum):
    """Name types, identified by OIDs."""

    hostbased_service = "1.2.840.113554.1.2.1.4"
    kerberos_principal = "1.2.840.113554.1.2.2.1"
    user = "1.2.840.113554.1.2.1.1"


class MechType(enum.Enum):
    """Mechanisms, identified by OIDs."""

    kerberos = "1.2.840.113554.1.2.2"
    spnego = "1.3.6.1.5.5.2"


class RequirementFlag(enum.IntFlag):
    """Context flags, as requested and as negotiated."""

    delegate_to_peer = 1
    mutual_authentication = 2
    replay_detection = 4
    out_of_sequence_detection = 8
    confidentiality = 16
    integrity = 32
    #: The acceptor has verified that the initiator's channel bindings match its own. Set only on acceptors, and never requested.
    channel_bound = 0x800


#: All flags.
ALL_FLAGS = RequirementFlag(0x83F)

#: The default flags of a context.
DEFAULT_FLAGS = (
    RequirementFlag.mutual_authentication
    | RequirementFlag.replay_detection
    | RequirementFlag.out_of_sequence_detection
    | RequirementFlag.confidentiality
    | RequirementFlag.integrity
)


class Name(Data):
    """The name of a service on a host, `HTTP@www.example.com`, or of a principal.

    The default type is a principal name. Host names are converted to lower case, but not looked up in DNS.

    >>> Name("alice@KRB.TEST", NameType.kerberos_principal)
    <Name(name=alice@KRB.TEST, name_type=NameType.kerberos_principal)>
    """

    __slots__ = ("_name", "_name_type")
    _fields = ("name", "name_type")

    def __init__(self, base: str | bytes | Principal | Name, name_type: NameType | None = None) -> None:
        kind = name_type or NameType.kerberos_principal
        if isinstance(base, Name):
            kind = name_type or base.name_type
        elif isinstance(base, Principal):
            kind = NameType.kerberos_principal
        self._name: str = base.decode() if isinstance(base, bytes) else str(base)
        self._name_type: NameType = kind
        if self._name_type is NameType.hostbased_service and not self._name.partition("@")[0]:
            raise BadNameError(f"{self._name}: expected service@host", 2 << 16)

    @property
    def name_type(self) -> NameType:
        """The type of the name."""
        return self._name_type

    def principal(self, client: Client | None = None, *, realm: str | None = None) -> Principal:
        """Returns the Kerberos principal. A service is in its host's realm according to a client's configuration, or
        else in the given realm."""
        if self._name_type is not NameType.hostbased_service:
            return self._service(self._name, client, realm)
        service, at, host = self._name.partition("@")
        if not at:
            import socket

            host = socket.gethostname()
        text = "/".join(part.replace("\\", "\\\\").replace("/", "\\/").replace("@", "\\@") for part in (service, host.lower()))
        return self._service(text, client, realm)

    @staticmethod
    def _service(text: str, client: Client | None, realm: str | None) -> Principal:
        if client is None and realm is not None:
            return Principal(text, realm=realm)
        return (client or Client()).service(text, realm)

    def canonicalize(self, mech: MechType = MechType.kerberos, *, client: Client | None = None) -> Name:
        """Returns the Kerberos principal that the name denotes, as a `Name`."""
        return Name(self.principal(client))

    def __str__(self) -> str:
        return self._name

    def __bytes__(self) -> bytes:
        return self._name.encode()

    def __repr__(self) -> str:
        return f"<Name(name={self._name}, name_type={self._name_type})>"


class ChannelBindings(Data):
    """Identification of the channel that carries a context, such as a TLS connection. Both sides must use the same
    bindings.

    With TLS, `application_data` is `tls-server-end-point:` followed by the hash of the server's certificate (RFC
    5929). Address types are numbers from RFC 2744, appendix A; 0 is unspecified.

    >>> ChannelBindings(application_data=b"tls-unique:...").application_data
    b'tls-unique:...'
    """

    __slots__ = (
        "_acceptor_address",
        "_acceptor_address_type",
        "_application_data",
        "_initiator_address",
        "_initiator_address_type",
    )
    _fields = (
        "initiator_address_type",
        "initiator_address",
        "acceptor_address_type",
        "acceptor_address",
        "application_data",
    )

    def __init__(
        self,
        initiator_address_type: int | None = None,
        initiator_address: bytes | None = None,
        acceptor_address_type: int | None = None,
        acceptor_address: bytes | None = None,
        application_data: bytes | None = None,
    ) -> None:
        self._initiator_address_type = initiator_address_type or 0
        self._initiator_address = initiator_address or b""
        self._acceptor_address_type = acceptor_address_type or 0
        self._acceptor_address = acceptor_address or b""
        self._application_data = application_data or b""

    @property
    def application_data(self) -> bytes:
        """The application's data."""
        return self._application_data

    def _given(self) -> tuple[bytes, int, bytes, int, bytes]:
        initiator = (self._initiator_address_type, self._initiator_address)
        acceptor = (self._acceptor_address_type, self._acceptor_address)
        return (self._application_data, *initiator, *acceptor)
