"""Builders for certificates, requests and CRLs. Each method returns a new builder."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable

from tagwise import _native, keys
from tagwise.x509 import _keys, _sign, _times
from tagwise.x509._extension import plain_extensions
from tagwise.x509._entry import entry_of
from tagwise.x509._frame import as_bytes
from tagwise.x509.base import (
    _EXTENSION_REQUESTS,
    Certificate,
    CertificateRevocationList,
    CertificateSigningRequest,
    RevokedCertificate,
    Version,
)
from tagwise.x509.extensions import Extension, ExtensionType
from tagwise.x509.name import Name, _ASN1Type
from tagwise.x509.oid import ObjectIdentifier

__all__ = [
    "CertificateBuilder",
    "CertificateRevocationListBuilder",
    "CertificateSigningRequestBuilder",
    "RevokedCertificateBuilder",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tagwise import _kinds
    from typing import Any, Generic, TypeVar
else:
    from tagwise._typing import Generic, TypeVar

T = TypeVar("T")
#: The classes of public keys of `cryptography` that have been encountered.
_PUBLIC_KEYS: set[type] = set()
_EARLIEST = datetime.datetime(1950, 1, 1)


def _changed(builder: T, fields: dict[str, Any]) -> T:
    """Returns a builder with changed fields."""
    made: T = object.__new__(type(builder))
    made.__dict__ = {**builder.__dict__, **fields}
    return made


def reject_duplicate(
    extension: Extension[ExtensionType], extensions: list[Extension[ExtensionType]]
) -> None:
    """Raises an exception for a duplicate extension."""
    dotted = extension._oid._dotted
    for other in extensions:
        if other._oid._dotted == dotted:
            raise ValueError("This extension has already been set.")


def made_extension(extval: ExtensionType, critical: bool) -> Extension[ExtensionType]:
    """Creates an extension from a value."""
    if not isinstance(extval, ExtensionType):
        raise TypeError("extension must be an ExtensionType")
    oid = extval.oid
    if type(oid) is ObjectIdentifier and (critical is True or critical is False):
        return _native.extension_of(oid, critical, extval)
    return Extension(oid, critical, extval)


def _moment(time: Any, message: str) -> datetime.datetime:
    if not isinstance(time, datetime.datetime):
        raise TypeError("Expecting datetime object.")
    naive = time if time.tzinfo is None else _times.as_naive(time)
    if naive < _EARLIEST:
        raise ValueError(message)
    return naive


def _serial_number(number: Any, positive: str) -> int:
    if not isinstance(number, int):
        raise TypeError("Serial number must be of integral type.")
    # The number itself, whatever methods its class has.
    exact: int = int.__index__(number)
    if exact <= 0:
        raise ValueError(positive)
    # RFC 5280 §4.1.2.2: twenty bytes, with their sign.
    if exact.bit_length() >= 160:
        raise ValueError("The serial number should not be more than 159 bits.")
    return exact


class ToBeSigned(Generic[T]):
    """The first step of signing with an external key: sign `tbs_bytes`, and pass the signature to `attach`."""

    __slots__ = ("_identifier", "_info", "_kind", "_tbs", "_write")

    def __init__(
        self,
        kind: Callable[[bytes], T],
        tbs: bytes,
        identifier: bytes,
        public_key_info: bytes,
        write: Callable[[bytes, bytes, bytes], bytes] = _native.write_signed,
    ) -> None:
        self._kind = kind
        self._tbs = tbs
        self._identifier = identifier
        self._info = public_key_info
        self._write = write

    @property
    def tbs_bytes(self) -> bytes:
        """The bytes to sign."""
        return self._tbs

    @property
    def algorithm_identifier(self) -> bytes:
        """The AlgorithmIdentifier of the signature, in DER."""
        return self._identifier

    def attach(self, signature: _kinds.Buffer) -> T:
        """Returns the signed value, with the signature from any buffer. A signature that does not verify is rejected."""
        oid = _native.decode("AlgorithmIdentifier", self._identifier)["algorithm"]
        octets = as_bytes(signature)
        _sign.check(self._info, oid, self._identifier, octets, self._tbs)
        return self._kind(self._write(self._tbs, self._identifier, octets))


class CertificateSigningRequestBuilder:
    """Builds requests. Each method returns a new builder."""

    def __init__(
        self,
        subject_name: Name | None = None,
        extensions: list[Extension[ExtensionType]] = [],
        attributes: list[tuple[ObjectIdentifier, bytes, int | None]] = [],
    ) -> None:
        self._subject_name = subject_name
        self._extensions = extensions
        self._attributes = attributes

    def subject_name(self, name: Name) -> CertificateSigningRequestBuilder:
        """Sets the subject."""
        if not isinstance(name, Name):
            raise TypeError("Expecting x509.Name object.")
        if self._subject_name is not None:
            raise ValueError("The subject name may only be set once.")
        return CertificateSigningRequestBuilder(name, self._extensions, self._attributes)

    def add_extension(self, extval: ExtensionType, critical: bool) -> CertificateSigningRequestBuilder:
        """Adds a requested extension."""
        extension = made_extension(extval, critical)
        reject_duplicate(extension, self._extensions)
        extensions = [*self._extensions, extension]
        return CertificateSigningRequestBuilder(self._subject_name, extensions, self._attributes)

    def add_attribute(
        self, oid: ObjectIdentifier, value: bytes, *, _tag: _ASN1Type | None = None
    ) -> CertificateSigningRequestBuilder:
        """Adds an attribute."""
        if not isinstance(oid, ObjectIdentifier):
            raise TypeError("oid must be an ObjectIdentifier")
        if not isinstance(value, bytes):
            raise TypeError("value must be bytes")
        if _tag is not None and not isinstance(_tag, _ASN1Type):
            raise TypeError("tag must be _ASN1Type")
        if any(other == oid for other, _, _ in self._attributes):
            raise ValueError("This attribute has already been set.")
        attribute = (oid, value, None if _tag is None else _tag.value)
        return CertificateSigningRequestBuilder(
            self._subject_name, self._extensions, [*self._attributes, attribute]
        )

    def _info(self, public_key_info: bytes) -> bytes:
        if self._subject_name is None:
            raise ValueError("A CertificateSigningRequest must have a subject")
        attributes = []
        if self._extensions:
            request = _native.write_extensions(plain_extensions(self._extensions))
            attributes.append((_EXTENSION_REQUESTS[0], request or b""))
        for oid, value, tag in self._attributes:
            if tag is None:
                try:
                    value.decode()
                except UnicodeDecodeError:
                    raise ValueError("Attribute values must be valid utf-8.") from None
                tag = _ASN1Type.UTF8String.value
            attributes.append((oid.dotted_string, _native.write_element(tag, value)))
        return _native.write_request_info(self._subject_name.public_bytes(), public_key_info, attributes)

    def sign(
        self,
        private_key: _kinds.PrivateKey,
        algorithm: _kinds.Hash | None,
        backend: object = None,
        *,
        rsa_padding: object = None,
        ecdsa_deterministic: bool | None = None,
    ) -> CertificateSigningRequest:
        """Signs with the subject's key."""
        if self._subject_name is None:
            raise ValueError("A CertificateSigningRequest must have a subject")
        _sign.check_options(private_key, rsa_padding, ecdsa_deterministic)
        identifier = _sign.algorithm_for(private_key, algorithm, rsa_padding)
        tbs = self._info(_keys.public_key_info(private_key.public_key()))
        signature = _sign.sign(private_key, algorithm, rsa_padding, ecdsa_deterministic, tbs)
        return CertificateSigningRequest(_native.write_signed(tbs, identifier, signature))

    def to_be_signed(
        self, public_key: object, algorithm: _kinds.Hash | None, *, rsa_padding: object = None
    ) -> ToBeSigned[CertificateSigningRequest]:
        """Returns the request to be signed with an external key, given the public key and the hash."""
        info = _sign.given_key(public_key)
        identifier = _sign.identifier_of(info, algorithm, rsa_padding)
        return ToBeSigned(CertificateSigningRequest, self._info(info), identifier, info)


class CertificateBuilder:
    """Builds certificates. Each method returns a new builder."""

    def __init__(
        self,
        issuer_name: Name | None = None,
        subject_name: Name | None = None,
        public_key: object = None,
        serial_number: int | None = None,
        not_valid_before: datetime.datetime | None = None,
        not_valid_after: datetime.datetime | None = None,
        extensions: list[Extension[ExtensionType]] = [],
        public_key_rsa_padding: object = None,
    ) -> None:
        self._version = Version.v3
        self._issuer_name = issuer_name
        self._subject_name = subject_name
        self._public_key = public_key
        self._serial_number = serial_number
        self._not_valid_before = not_valid_before
        self._not_valid_after = not_valid_after
        self._extensions = extensions
        self._public_key_rsa_padding = public_key_rsa_padding
        self._public_key_info: bytes | None = None

    def issuer_name(self, name: Name) -> CertificateBuilder:
        """Sets the issuer."""
        if not isinstance(name, Name):
            raise TypeError("Expecting x509.Name object.")
        if self._issuer_name is not None:
            raise ValueError("The issuer name may only be set once.")
        return _changed(self, {"_issuer_name": name})

    def subject_name(self, name: Name) -> CertificateBuilder:
        """Sets the subject."""
        if not isinstance(name, Name):
            raise TypeError("Expecting x509.Name object.")
        if self._subject_name is not None:
            raise ValueError("The subject name may only be set once.")
        return _changed(self, {"_subject_name": name})

    def public_key(self, key: object, *, rsa_padding: object = None) -> CertificateBuilder:
        """Sets the subject's key: a key of `cryptography`, or an object with the same `public_bytes` method."""
        if type(key) not in _PUBLIC_KEYS and not isinstance(key, keys.PublicKey):
            if not hasattr(key, "public_bytes") or hasattr(key, "private_bytes") or isinstance(key, Certificate):
                raise TypeError("Expecting a public key.")
            if type(key).__module__.startswith("cryptography.hazmat.bindings."):
                _PUBLIC_KEYS.add(type(key))
        info = _keys.public_key_info(key)
        if rsa_padding is not None:
            if rsa_padding is not _keys.padding().PSS:
                raise TypeError("rsa_padding must be the PSS class, not an instance")
            if _sign.kind_of(info) != "rsa":
                raise TypeError("rsa_padding is only supported with RSA public keys")
        if self._public_key is not None:
            raise ValueError("The public key may only be set once.")
        return _changed(self, {"_public_key": key, "_public_key_rsa_padding": rsa_padding, "_public_key_info": info})

    def serial_number(self, number: int) -> CertificateBuilder:
        """Sets the serial number, a positive number of at most 159 bits."""
        if isinstance(number, int) and self._serial_number is not None:
            raise ValueError("The serial number may only be set once.")
        return _changed(self, {"_serial_number": _serial_number(number, "The serial number should be positive.")})

    def not_valid_before(self, time: datetime.datetime) -> CertificateBuilder:
        """Sets the start of the validity period."""
        if isinstance(time, datetime.datetime) and self._not_valid_before is not None:
            raise ValueError("The not valid before may only be set once.")
        time = _moment(time, "The not valid before date must be on or after 1950 January 1).")
        if self._not_valid_after is not None and time > self._not_valid_after:
            raise ValueError("The not valid before date must be before the not valid after date.")
        return _changed(self, {"_not_valid_before": time})

    def not_valid_after(self, time: datetime.datetime) -> CertificateBuilder:
        """Sets the end of the validity period."""
        if isinstance(time, datetime.datetime) and self._not_valid_after is not None:
            raise ValueError("The not valid after may only be set once.")
        time = _moment(time, "The not valid after date must be on or after 1950 January 1.")
        if self._not_valid_before is not None and time < self._not_valid_before:
            raise ValueError("The not valid after date must be after the not valid before date.")
        return _changed(self, {"_not_valid_after": time})

    def add_extension(self, extval: ExtensionType, critical: bool) -> CertificateBuilder:
        """Adds an extension."""
        extension = made_extension(extval, critical)
        reject_duplicate(extension, self._extensions)
        return _changed(self, {"_extensions": [*self._extensions, extension]})

    def _tbs(self, algorithm: bytes) -> bytes:
        if self._subject_name is None:
            raise ValueError("A certificate must have a subject name")
        if self._issuer_name is None:
            raise ValueError("A certificate must have an issuer name")
        if self._serial_number is None:
            raise ValueError("A certificate must have a serial number")
        if self._not_valid_before is None:
            raise ValueError("A certificate must have a not valid before time")
        if self._not_valid_after is None:
            raise ValueError("A certificate must have a not valid after time")
        if self._public_key is None:
            raise ValueError("A certificate must have a public key")
        info = self._public_key_info or _keys.public_key_info(self._public_key)
        if self._public_key_rsa_padding is not None:
            plain = _native.decode("SubjectPublicKeyInfo", info)
            plain["algorithm"] = {"algorithm": _sign.PSS}
            info = _native.encode("SubjectPublicKeyInfo", plain)
        issuer = self._issuer_name.public_bytes()
        return _native.write_tbs_certificate(
            self._serial_number,
            algorithm,
            issuer,
            _times.seconds(self._not_valid_before),
            _times.seconds(self._not_valid_after),
            issuer if self._subject_name is self._issuer_name else self._subject_name.public_bytes(),
            info,
            plain_extensions(self._extensions),
        )

    def _check(self) -> None:
        if self._public_key is not None and self._subject_name is not None and self._issuer_name is not None:
            if None not in (self._serial_number, self._not_valid_before, self._not_valid_after):
                return
        for there, what in (
            (self._subject_name, "a subject name"),
            (self._issuer_name, "an issuer name"),
            (self._serial_number, "a serial number"),
            (self._not_valid_before, "a not valid before time"),
            (self._not_valid_after, "a not valid after time"),
            (self._public_key, "a public key"),
        ):
            if there is None:
                raise ValueError(f"A certificate must have {what}")

    def sign(
        self,
        private_key: _kinds.PrivateKey,
        algorithm: _kinds.Hash | None,
        backend: object = None,
        *,
        rsa_padding: object = None,
        ecdsa_deterministic: bool | None = None,
    ) -> Certificate:
        """Signs with the issuer's key."""
        self._check()
        if private_key is None:
            raise TypeError("Need private key to sign certificate")
        _sign.check_options(private_key, rsa_padding, ecdsa_deterministic)
        identifier = _sign.algorithm_for(private_key, algorithm, rsa_padding)
        tbs = self._tbs(identifier)
        signature = _sign.sign(private_key, algorithm, rsa_padding, ecdsa_deterministic, tbs)
        return Certificate(_native.write_signed(tbs, identifier, signature))

    def to_be_signed(
        self, issuer_public_key: object, algorithm: _kinds.Hash | None, *, rsa_padding: object = None
    ) -> ToBeSigned[Certificate]:
        """Returns the certificate to be signed with an external issuer key, given the public key and the hash."""
        self._check()
        info = _sign.given_key(issuer_public_key)
        identifier = _sign.identifier_of(info, algorithm, rsa_padding)
        return ToBeSigned(Certificate, self._tbs(identifier), identifier, info)

    def create_unsigned(self) -> Certificate:
        """Creates a certificate without a signature (RFC 9925)."""
        self._check()
        identifier = _native.encode("AlgorithmIdentifier", {"algorithm": _sign.NO_SIGNATURE})
        return Certificate(_native.write_signed(self._tbs(identifier), identifier, b""))


class CertificateRevocationListBuilder:
    """Builds CRLs. Each method returns a new builder."""

    def __init__(
        self,
        issuer_name: Name | None = None,
        last_update: datetime.datetime | None = None,
        next_update: datetime.datetime | None = None,
        extensions: list[Extension[ExtensionType]] = [],
        revoked_certificates: list[RevokedCertificate] = [],
    ) -> None:
        self._issuer_name = issuer_name
        self._last_update = last_update
        self._next_update = next_update
        self._extensions = extensions
        # Those that were given in a row are their encodings.
        self._revoked_certificates: list[RevokedCertificate | bytes] = list(revoked_certificates)

    def issuer_name(self, issuer_name: Name) -> CertificateRevocationListBuilder:
        """Sets the issuer."""
        if not isinstance(issuer_name, Name):
            raise TypeError("Expecting x509.Name object.")
        if self._issuer_name is not None:
            raise ValueError("The issuer name may only be set once.")
        return _changed(self, {"_issuer_name": issuer_name})

    def last_update(self, last_update: datetime.datetime) -> CertificateRevocationListBuilder:
        """Sets the issue time."""
        if isinstance(last_update, datetime.datetime) and self._last_update is not None:
            raise ValueError("Last update may only be set once.")
        time = _moment(last_update, "The last update date must be on or after 1950 January 1.")
        if self._next_update is not None and time > self._next_update:
            raise ValueError("The last update date must be before the next update date.")
        return _changed(self, {"_last_update": time})

    def next_update(self, next_update: datetime.datetime) -> CertificateRevocationListBuilder:
        """Sets the time when the next CRL is due."""
        if isinstance(next_update, datetime.datetime) and self._next_update is not None:
            raise ValueError("Last update may only be set once.")
        time = _moment(next_update, "The last update date must be on or after 1950 January 1.")
        if self._last_update is not None and time < self._last_update:
            raise ValueError("The next update date must be after the last update date.")
        return _changed(self, {"_next_update": time})

    def add_extension(self, extval: ExtensionType, critical: bool) -> CertificateRevocationListBuilder:
        """Adds an extension."""
        extension = made_extension(extval, critical)
        reject_duplicate(extension, self._extensions)
        return _changed(self, {"_extensions": [*self._extensions, extension]})

    def add_revoked_certificate(self, revoked_certificate: RevokedCertificate) -> CertificateRevocationListBuilder:
        """Adds an entry."""
        if not isinstance(revoked_certificate, RevokedCertificate):
            raise TypeError("Must be an instance of RevokedCertificate")
        return _changed(self, {"_revoked_certificates": [*self._revoked_certificates, revoked_certificate]})

    def add_revoked_certificates(
        self, revoked_certificates: Iterable[RevokedCertificate | tuple[int, datetime.datetime]]
    ) -> CertificateRevocationListBuilder:
        """Adds many entries at once: built entries, or serial numbers with revocation dates.

        >>> entries = [(number, datetime.datetime(2026, 1, 1)) for number in range(1, 1000)]
        >>> builder = CertificateRevocationListBuilder().add_revoked_certificates(entries)
        """
        added: list[RevokedCertificate | bytes | None] = []
        plain = []
        for entry in revoked_certificates:
            if isinstance(entry, RevokedCertificate):
                added.append(entry)
                continue
            if not isinstance(entry, tuple) or len(entry) != 2:
                raise TypeError("expected a RevokedCertificate, or a serial number and a date")
            number = _serial_number(entry[0], "The serial number should be positive")
            time = _moment(entry[1], "The revocation date must be on or after 1950 January 1.")
            plain.append((number, _times.seconds(time)))
            added.append(None)
        written = iter(_native.write_entries(plain))
        entries = [next(written) if entry is None else entry for entry in added]
        return _changed(self, {"_revoked_certificates": [*self._revoked_certificates, *entries]})

    def sign(
        self,
        private_key: _kinds.PrivateKey,
        algorithm: _kinds.Hash | None,
        backend: object = None,
        *,
        rsa_padding: object = None,
        ecdsa_deterministic: bool | None = None,
    ) -> CertificateRevocationList:
        """Signs with the issuer's key."""
        _sign.check_options(private_key, rsa_padding, ecdsa_deterministic)
        identifier = _sign.algorithm_for(private_key, algorithm, rsa_padding)
        tbs = self._tbs(identifier)
        signature = _sign.sign(private_key, algorithm, rsa_padding, ecdsa_deterministic, tbs)
        return CertificateRevocationList(_native.write_signed(tbs, identifier, signature))

    def to_be_signed(
        self, issuer_public_key: object, algorithm: _kinds.Hash | None, *, rsa_padding: object = None
    ) -> ToBeSigned[CertificateRevocationList]:
        """Returns the CRL to be signed with an external issuer key, given the public key and the hash."""
        info = _sign.given_key(issuer_public_key)
        identifier = _sign.identifier_of(info, algorithm, rsa_padding)
        return ToBeSigned(CertificateRevocationList, self._tbs(identifier), identifier, info)

    def _tbs(self, identifier: bytes) -> bytes:
        if self._issuer_name is None:
            raise ValueError("A CRL must have an issuer name")
        if self._last_update is None:
            raise ValueError("A CRL must have a last update time")
        if self._next_update is None:
            raise ValueError("A CRL must have a next update time")
        return _native.write_tbs_list(
            identifier,
            self._issuer_name.public_bytes(),
            _times.seconds(self._last_update),
            _times.seconds(self._next_update),
            [entry if isinstance(entry, bytes) else entry._raw for entry in self._revoked_certificates],
            plain_extensions(self._extensions),
        )


class RevokedCertificateBuilder:
    """Builds CRL entries. Each method returns a new builder."""

    def __init__(
        self,
        serial_number: int | None = None,
        revocation_date: datetime.datetime | None = None,
        extensions: list[Extension[ExtensionType]] = [],
    ) -> None:
        self._serial_number = serial_number
        self._revocation_date = revocation_date
        self._extensions = extensions

    def serial_number(self, number: int) -> RevokedCertificateBuilder:
        """Sets the serial number of the revoked certificate."""
        if isinstance(number, int) and self._serial_number is not None:
            raise ValueError("The serial number may only be set once.")
        number = _serial_number(number, "The serial number should be positive")
        return RevokedCertificateBuilder(number, self._revocation_date, self._extensions)

    def revocation_date(self, time: datetime.datetime) -> RevokedCertificateBuilder:
        """Sets the revocation time."""
        if isinstance(time, datetime.datetime) and self._revocation_date is not None:
            raise ValueError("The revocation date may only be set once.")
        time = _moment(time, "The revocation date must be on or after 1950 January 1.")
        return RevokedCertificateBuilder(self._serial_number, time, self._extensions)

    def add_extension(self, extval: ExtensionType, critical: bool) -> RevokedCertificateBuilder:
        """Adds an extension."""
        extension = made_extension(extval, critical)
        reject_duplicate(extension, self._extensions)
        return RevokedCertificateBuilder(
            self._serial_number, self._revocation_date, [*self._extensions, extension]
        )

    def build(self, backend: object = None) -> RevokedCertificate:
        """Builds the entry."""
        if self._serial_number is None:
            raise ValueError("A revoked certificate must have a serial number")
        if self._revocation_date is None:
            raise ValueError("A revoked certificate must have a revocation date")
        der = _native.write_entry(
            self._serial_number,
            _times.seconds(self._revocation_date),
            plain_extensions(self._extensions),
        )
        return entry_of(der)
