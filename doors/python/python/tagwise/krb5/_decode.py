"""Messages, tokens and files as values, decrypted if keys are given."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tagwise import _native
from tagwise.keys import PrivateKey
from tagwise.krb5._files import CredentialCache, Keytab

if TYPE_CHECKING:
    from tagwise import _kinds


class Decoded:
    """A decoded input: its kind as text, and the content as dictionaries, lists and plain values."""

    __slots__ = ("_content", "_json", "_kind")

    def __init__(self, kind: str, content: _kinds.Buffer, json: str) -> None:
        self._kind = kind
        self._content = content
        self._json = json

    @property
    def kind(self) -> str:
        """The kind of input: `AS-REQ`, `Ticket`, `keytab`, `credential cache`, `PAC`, `SPNEGO token` …"""
        return self._kind

    @property
    def content(self) -> Any:
        """The content. Bytes are `bytes`, times are `datetime`. A number that has a name is a dictionary with both."""
        return self._content

    def json(self) -> str:
        """Returns the content as JSON, in the format of `tagwise krb5 decode --json`."""
        return self._json

    def __repr__(self) -> str:
        return f"<Decoded({self._kind})>"


def decode(data: _kinds.Buffer, *, type_name: str | None = None, show_keys: bool = False) -> Decoded:
    """Decodes a message, a ticket, a GSS-API or SPNEGO token, a keytab, a credential cache or a PAC.

    The kind is detected from the first bytes. `type_name` selects another type from the standards, such as
    `EncTicketPart`. Keys and passwords are omitted unless `show_keys` is true. Raises `ValueError` for bytes that are
    not a Kerberos object, and `Asn1Error` for malformed objects.

    >>> decode(bytes.fromhex("0502")).kind
    'keytab'
    >>> decode(b"GIF89a")
    Traceback (most recent call last):
    ...
    ValueError: expected a Kerberos message, ticket, token, keytab, credential cache or PAC
    """
    return Decoded(*_native.krb5_decode(data, show_keys, type_name))


def summary(message: _kinds.Buffer) -> str:
    """Returns a one-line summary of a message, for logs. It contains no secrets.

    >>> summary(b"GIF89a")
    'not a Kerberos message, 6 bytes'
    """
    return _native.krb5_summary(message)


class Part:
    """An encrypted part of a message. Its content is not printed, because it may contain keys and passwords."""

    __slots__ = ("_content", "_der", "_key", "_path", "_type")

    def __init__(self, path: str, type: str, der: bytes | None, key: str, content: _kinds.Buffer) -> None:
        self._path = path
        self._type = type
        self._der = der
        self._key = key
        self._content = content

    @property
    def path(self) -> str:
        """The path of the part, such as `ticket.enc-part`."""
        return self._path

    @property
    def type(self) -> str:
        """The ASN.1 type of the part, such as `EncTicketPart`."""
        return self._type

    @property
    def der(self) -> bytes | None:
        """The content in DER, including keys, or None if no key decrypts it."""
        return self._der

    @property
    def key(self) -> str:
        """A description of the key that decrypted the part, or the reason why none did."""
        return self._key

    @property
    def content(self) -> Any:
        """The content, represented as in `decode`, or None if no key decrypts it."""
        return self._content

    @property
    def opened(self) -> bool:
        """True if a key decrypted the part."""
        return self._der is not None

    def __repr__(self) -> str:
        return f"<Part({self._path}, {self._type}, {'opened' if self.opened else 'closed'})>"


Caches = Iterable["CredentialCache | str"]


def contents(caches: Caches) -> list[bytes]:
    """Returns the contents of caches in file format."""
    return [CredentialCache.of(cache).to_bytes() for cache in caches]


class Opener:
    """Decrypts the messages of one client. They must be passed in order, because most are encrypted with session keys
    from earlier ones.

    The keys come from a keytab, credential caches (session keys), and private keys for PKINIT replies.

    >>> Opener(Keytab()).open(b"GIF89a")
    Traceback (most recent call last):
    ...
    ValueError: expected a Kerberos message or a credential cache
    """

    __slots__ = ("_inner", "_show_keys")

    def __init__(
        self,
        keytab: Keytab | None = None,
        *,
        caches: Caches = (),
        private_keys: Iterable[PrivateKey] = (),
        show_keys: bool = False,
    ) -> None:
        self._inner = _native.Krb5Opener(keytab, contents(caches), [key._key for key in private_keys])
        self._show_keys = show_keys

    def open(self, message: _kinds.Buffer) -> list[Part]:
        """Returns the encrypted parts of a message, or of the tickets in a credential cache, including those that no key decrypts."""
        return [Part(*part) for part in self._inner.open(message, self._show_keys)]


def decrypt(
    messages: _kinds.Buffer | Iterable[_kinds.Buffer], keytab: Keytab | None = None, *, caches: Caches = (), show_keys: bool = False
) -> list[Part]:
    """Returns the encrypted parts of a message, or of the messages of one exchange in order.

    >>> keytab = Keytab()
    >>> keytab.add_password("alice@KRB.TEST", "alicepw")
    >>> decrypt([], keytab)
    []
    """
    opener = Opener(keytab, caches=caches, show_keys=show_keys)
    listed: Any = [messages] if isinstance(messages, (bytes, bytearray, memoryview)) else messages
    return [part for message in listed for part in opener.open(message)]


class Message(NamedTuple):
    """A message from a capture."""

    #: The number of the packet that completed the message, from 1.
    packet: int
    #: The time at which that packet was captured, if the file contains it.
    time: datetime.datetime | None
    #: The sender's address with its port. `destination` is the receiver's.
    source: str
    destination: str
    #: True if the message was sent over TCP.
    tcp: bool
    #: The message, without TCP's length prefix.
    data: bytes
    #: A one-line summary of the message.
    summary: str
    #: The encrypted parts, if keys were given.
    parts: list[Part]


class Dissection(NamedTuple):
    """The Kerberos traffic in a capture."""

    messages: list[Message]
    #: The number of packets that are neither UDP nor TCP over IP, damaged, or fragments.
    unread_packets: int
    #: The number of TCP streams that are incomplete or not Kerberos.
    broken_streams: int


def dissect(
    capture: _kinds.Buffer,
    keytab: Keytab | None = None,
    *,
    caches: Caches = (),
    ports: Sequence[int] = (88, 464),
    show_keys: bool = False,
) -> Dissection:
    """Returns the Kerberos traffic in a pcap or pcapng file, given as a path or bytes, decrypted if keys are given.

    >>> dissect(b"GIF89a")
    Traceback (most recent call last):
    ...
    ValueError: not a capture: neither pcap nor pcapng
    """
    if isinstance(capture, (str, os.PathLike)):
        with open(capture, "rb") as file:
            capture = file.read()
    found, unread, broken = _native.krb5_dissect(capture, list(ports), keytab, contents(caches), show_keys)
    messages = [Message(*one[:7], [Part(*part) for part in one[7]]) for one in found]
    return Dissection(messages, unread, broken)
