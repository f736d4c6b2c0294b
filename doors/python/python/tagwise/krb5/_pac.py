"""PACs: the privilege attribute certificates in tickets from Active Directory and MIT's KDC (MS-PAC)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from tagwise import _native
from tagwise._native import Key

if TYPE_CHECKING:
    from tagwise import _kinds


class PacBuffer(NamedTuple):
    """A buffer of a PAC."""

    #: The buffer type (MS-PAC §2.4).
    type: int
    #: The name of the buffer type, or None if it is unknown.
    name: str | None
    data: bytes


class Pac:
    """A PAC, as the bytes that its signatures cover.

    `Pac.of_ticket` extracts it from a decrypted ticket, `verify` verifies the signatures for the given keys, and
    `sign` creates a PAC. `content` contains the buffers in the form of `decode`.

    >>> from tagwise.krb5 import Key
    >>> service, kdc = Key.generate("aes256-cts"), Key.generate("aes256-cts")
    >>> pac = Pac.sign([(17, bytes.fromhex("0200000001000000"))], server=service, kdc=kdc)
    >>> [buffer.name for buffer in pac.buffers]
    ['attributes', 'extended KDC checksum', 'server checksum', 'KDC checksum']
    >>> sorted(pac.verify(server=service, kdc=kdc))
    ['full', 'kdc', 'server']
    >>> pac.verify(server=kdc)
    Traceback (most recent call last):
    ...
    tagwise.MessageError: hmac-sha1-96-aes256 integrity check failed: wrong password or key, or damaged data
    """

    __slots__ = ("_buffers", "_data", "_ticket")

    def __init__(self, data: _kinds.Buffer, *, ticket: bytes | None = None) -> None:
        """Reads a PAC. Raises `Asn1Error` if it is malformed. `ticket` is the data that the KDC's ticket signature covers."""
        self._data = bytes(memoryview(data))
        self._buffers = tuple(PacBuffer(*row) for row in _native.krb5_pac_buffers(self._data))
        self._ticket = ticket

    @classmethod
    def of_ticket(cls, part: _kinds.Buffer) -> Pac | None:
        """Returns the PAC in the decrypted part of a ticket (an EncTicketPart in DER, as in `Part.der`), or None if
        there is none."""
        found = _native.krb5_pac_of(part)
        return None if found is None else cls(found[0], ticket=found[1])

    @classmethod
    def sign(cls, buffers: Iterable[tuple[int, bytes]], *, server: Key, kdc: Key) -> Pac:
        """Creates a PAC from buffers, each a type and its bytes, signed with the service's key and the KDC's key."""
        return cls(_native.krb5_pac_sign(list(buffers), server, kdc))

    @property
    def buffers(self) -> tuple[PacBuffer, ...]:
        """The buffers, in order."""
        return self._buffers

    @property
    def content(self) -> Any:
        """The content of the buffers, represented as in `decode`."""
        return _native.krb5_decode(self._data, False, None)[1]

    def to_bytes(self) -> bytes:
        """Returns the bytes of the PAC."""
        return self._data

    def verify(self, *, server: Key | None = None, kdc: Key | None = None) -> frozenset[str]:
        """Returns the names of the signatures that the given keys verify. Raises `MessageError` if one is missing or invalid.

        | | signed with | covers |
        |---|---|---|
        | `server` | the service's key | the whole PAC |
        | `kdc` | the KDC's key | the service's signature |
        | `full` | the KDC's key | the whole PAC, if this signature is present |
        | `ticket` | the KDC's key | the ticket, if this signature is present and the PAC is from a ticket |

        A service has only its own key, which verifies `server`. This shows only that the PAC was created by someone
        who has that key. Only the KDC's key, which a service does not have, proves that the KDC created it.
        """
        if server is None and kdc is None:
            raise TypeError("verify takes the service's key, the KDC's, or both")
        ticket = self._ticket if kdc is not None else None
        return frozenset(_native.krb5_pac_verify(self._data, server, kdc, ticket))

    def __bytes__(self) -> bytes:
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pac):
            return NotImplemented
        return self._data == other._data

    def __hash__(self) -> int:
        return hash(self._data)

    def __repr__(self) -> str:
        return f"<Pac({len(self._buffers)} buffers)>"
