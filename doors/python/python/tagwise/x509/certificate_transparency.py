"""Signed certificate timestamps (RFC 6962 §3.2)."""

from __future__ import annotations

import datetime

from tagwise._data import Enum, moment
from tagwise.x509 import _keys, _times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["LogEntryType", "SignatureAlgorithm", "SignedCertificateTimestamp", "Version"]


class LogEntryType(Enum):
    """The type of entry that a log signed."""

    X509_CERTIFICATE = 0
    PRE_CERTIFICATE = 1


class Version(Enum):
    """The version of a timestamp."""

    v1 = 0


class SignatureAlgorithm(Enum):
    """Signature algorithms and their numbers in TLS (RFC 5246 §7.4.1.4.1)."""

    ANONYMOUS = 0
    RSA = 1
    DSA = 2
    ECDSA = 3


_HASHES = {1: "MD5", 2: "SHA1", 3: "SHA224", 4: "SHA256", 5: "SHA384", 6: "SHA512"}

#: A timestamp's version, log, milliseconds since 1970, extensions, hash and signature algorithms, and signature.
Plain = tuple[int, bytes, int, bytes, int, int, bytes]


class SignedCertificateTimestamp:
    """A log's promise to include a certificate, with the time when the log received it."""

    __slots__ = ("_entry_type", "_plain")

    def __init__(self, plain: Plain, entry_type: LogEntryType) -> None:
        if plain[0] != 0:
            raise ValueError("Invalid SCT version")
        if plain[4] not in _HASHES:
            raise ValueError(f"Invalid/unsupported hash algorithm for SCT: {plain[4]}")
        if plain[5] not in (1, 2, 3):
            raise ValueError(f"Invalid/unsupported signature algorithm for SCT: {plain[5]}")
        self._plain = plain
        self._entry_type = entry_type

    @property
    def version(self) -> Version:
        """The version of the timestamp."""
        return Version.v1

    @property
    def log_id(self) -> bytes:
        """The SHA-256 hash of the log's public key."""
        return self._plain[1]

    @property
    def timestamp(self) -> datetime.datetime:
        """The time in UTC, without a time zone."""
        return _times.of_milliseconds(self._plain[2])

    @property
    def entry_type(self) -> LogEntryType:
        """The type of entry that the log signed."""
        return self._entry_type

    @property
    def signature_hash_algorithm(self) -> Any:
        """The hash of the signature."""
        return _keys.hash_named(_HASHES[self._plain[4]])

    @property
    def signature_algorithm(self) -> SignatureAlgorithm:
        """The signature algorithm."""
        return SignatureAlgorithm(self._plain[5])

    @property
    def signature(self) -> bytes:
        """The signature."""
        return self._plain[6]

    @property
    def extension_bytes(self) -> bytes:
        """The extensions of the timestamp."""
        return self._plain[3]

    def __repr__(self) -> str:
        time, kind = moment(lambda: self.timestamp), self._entry_type.name
        return f"<SignedCertificateTimestamp(log_id={self._plain[1].hex()}, timestamp={time}, entry_type={kind})>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SignedCertificateTimestamp):
            return NotImplemented
        return self._plain == other._plain

    def __hash__(self) -> int:
        return hash(self._plain)
