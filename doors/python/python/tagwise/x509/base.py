"""Certificates, requests and CRLs."""

from __future__ import annotations

import datetime
import operator
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence

from tagwise import _native
from tagwise._data import Native, field, moment, native
from tagwise._errors import Asn1Error
from tagwise.x509 import _keys, _sign, _times
from tagwise.x509._extension import CERTIFICATE, CRL, REQUEST, Placed
from tagwise.x509._entry import RevokedCertificate
from tagwise.x509._frame import (
    Attribute,
    AttributeNotFound,
    Attributes,
    Deviation,
    InvalidVersion,
    Signed,
    Version,
    as_bytes,
    checked_offset,
    encoded,
    without_zone,
)
from tagwise.x509.extensions import Extensions
from tagwise.x509.name import Name, name_at
from tagwise.x509.oid import ExtensionOID, ObjectIdentifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tagwise import _kinds
    from typing import Any, overload
else:
    from tagwise._typing import overload

if TYPE_CHECKING:
    from tagwise.lint import Finding

__all__ = [
    "Attribute",
    "AttributeNotFound",
    "Attributes",
    "Certificate",
    "CertificateRevocationList",
    "CertificateSigningRequest",
    "Deviation",
    "InvalidVersion",
    "RevokedCertificate",
    "Version",
    "load_der_x509_certificate",
    "load_der_x509_crl",
    "load_der_x509_csr",
    "load_many",
    "load_pem_x509_certificate",
    "load_pem_x509_certificates",
    "load_pem_x509_crl",
    "load_pem_x509_csr",
    "random_serial_number",
]

#: The request attributes whose value is a list of extensions: the one in PKCS #9, and Microsoft's.
_EXTENSION_REQUESTS = (_native.oid_by_name("extensionRequest"), _native.oid_by_name("szOID_CERT_EXTENSIONS"))


def _check_serial(number: int, what: str) -> None:
    if number <= 0:
        warnings.warn(
            f"Parsed {what} which wasn't positive (i.e., it was negative or zero), which is disallowed by RFC 5280. "
            "Loading this certificate will cause an exception in a future release of cryptography.",
            _keys.deprecation(),
            stacklevel=3,
        )


# To checkers the class derives from the native one, which takes its place.
if TYPE_CHECKING:
    _NativeCertificate = _native.Certificate
else:
    _NativeCertificate = Native


@native(_native.Certificate)
class Certificate(_NativeCertificate, Signed):  # type: ignore[misc, override]  # pyright: ignore
    """A certificate (RFC 5280 §4.1).

    Its outer structure is read immediately; names, extensions and the key on access. `allow` names the rules
    that the certificate may violate. `deviations` lists the tolerated deviations from the encoding rules, and the deviations
    from RFC 5280.
    """

    __slots__ = ()
    _kind = "Certificate"
    _json_key = "certificate"

    def _encoding(self) -> bytes:
        return self._der

    def _outer(self) -> tuple[str, bytes]:
        return (self._signature_algorithm, self._algorithms[1])

    def __repr__(self) -> str:
        return f"<Certificate(subject={field(lambda: self.subject)}, ...)>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Certificate):
            return NotImplemented
        return self._der == other._der

    def __hash__(self) -> int:
        return hash(self._der)

    def __copy__(self) -> Certificate:
        return self

    def __deepcopy__(self, memo: object) -> Certificate:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (Certificate, self._der, self._allow))

    @property
    def deviations(self) -> list[Deviation]:
        """The tolerated deviations from the encoding rules, and the deviations from RFC 5280."""
        return [Deviation(*one) for one in self._deviations]

    def check(self) -> None:
        """Checks every byte with the rules that applied when the value was read, and raises the first error."""
        self._check()

    def lint(self) -> list[Finding]:
        """Returns violations of RFC 5280 beyond the encoding. `tagwise.lint` can select among them."""
        from tagwise.lint import Finding

        return [Finding(*one) for one in self._lint()]

    def explain(self, offset: int) -> str:
        """Returns the path of the component to which a byte belongs."""
        return self._path_at(checked_offset(offset))

    def fingerprint(self, algorithm: _kinds.Hash | None) -> bytes:
        """Returns the hash of the whole certificate. The algorithm is an object or a name (`sha256`)."""
        return _keys.digest(algorithm, self._der)

    # The native class has the fields; the methods below make each of them when it is asked for the first time.

    def _odd_serial_number(self) -> int:
        number = self._serial
        _check_serial(number, "a serial number")
        return number

    def _make_issuer(self) -> Name:
        return name_at(*self._issuer, self._path_at, self._allow)

    def _make_subject(self) -> Name:
        return name_at(*self._subject, self._path_at, self._allow)

    def _make_extensions(self) -> Extensions:
        return self._extensions_in(CERTIFICATE)

    def _make_public_key(self) -> Any:
        return _keys.public_key(self._public_key_info)

    @property
    def not_valid_before(self) -> datetime.datetime:
        """The start of the validity period in UTC, without a time zone."""
        without_zone("not_valid_before")
        return _times.naive(self._not_before)

    @property
    def not_valid_after(self) -> datetime.datetime:
        """The end of the validity period in UTC, without a time zone."""
        without_zone("not_valid_after")
        return _times.naive(self._not_after)

    @property
    def public_key_algorithm_oid(self) -> ObjectIdentifier:
        """The public key algorithm."""
        return ObjectIdentifier._of(self._key_algorithm)

    def _listed(self) -> list[Placed]:
        return self._extensions

    def _read(self, listed: list[Placed]) -> Extensions:
        return _native.extensions_of(listed, CERTIFICATE, (self._kind, self._der), self._allow)

    @property
    def tbs_precertificate_bytes(self) -> bytes:
        """The to-be-signed part without the SCT list, as signed by logs (RFC 6962 §3.2)."""
        oid = ExtensionOID.PRECERT_SIGNED_CERTIFICATE_TIMESTAMPS
        if all(one.oid != oid for one in self.extensions):
            raise ValueError("Could not find pre-certificate SCT list extension")
        return self._tbs_without(oid.dotted_string)

    def public_bytes(self, encoding: _kinds.Encoding) -> bytes:
        """Returns the certificate in DER or PEM."""
        return encoded(self._der, _LABELS["certificate"][0], encoding)

    def verify_directly_issued_by(self, issuer: Certificate) -> None:
        """Verifies that the issuer's key signed this certificate. Also compares the names, but checks nothing else."""
        if not isinstance(issuer, Certificate):
            raise TypeError("issuer must be a Certificate")
        inner, outer = self._algorithms
        if inner != outer:
            raise ValueError(
                "Inner and outer signature algorithms do not match. This is an invalid certificate."
            )
        if self._issuer[0] != issuer._subject[0]:
            raise ValueError("Issuer certificate subject does not match certificate issuer.")
        _sign.check(issuer._public_key_info, self._signature_algorithm, outer, self.signature, self.tbs_certificate_bytes)


def _restored(cls: Any, der: bytes, allow: list[str]) -> Any:
    """Restores a pickled object."""
    return cls(der, allow=allow)


class CertificateSigningRequest(Signed):
    """A certification request (RFC 2986)."""

    __slots__ = ("_allow", "_der", "_extensions", "_parts", "_subject")
    _kind = "CertificationRequest"
    _json_key = "message"

    def _encoding(self) -> bytes:
        return self._der

    @property
    def deviations(self) -> list[Deviation]:
        """The tolerated deviations from the encoding rules, and the deviations from RFC 5280."""
        return [Deviation(*one) for one in self._parts["deviations"]]

    def __init__(self, data: _kinds.Buffer, *, allow: Sequence[str] = ()) -> None:
        self._der = as_bytes(data)
        self._allow = list(allow)
        self._parts = _native.request_parts(self._der, self._allow)
        self._extensions: Extensions | None = None
        self._subject: Name | None = None
        version = self._parts["version"]
        if version != 0:
            raise InvalidVersion(f"{version} is not a valid CSR version", version)

    def _outer(self) -> tuple[str, bytes]:
        algorithm = self._parts["algorithm"]
        return (_native.decode("AlgorithmIdentifier", algorithm, self._allow)["algorithm"], algorithm)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CertificateSigningRequest):
            return NotImplemented
        return self._der == other._der

    def __hash__(self) -> int:
        return hash(self._der)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (CertificateSigningRequest, self._der, self._allow))

    def __deepcopy__(self, memo: object) -> CertificateSigningRequest:
        return self

    def public_key(self) -> Any:
        """Returns the key as an object of `cryptography` if that is installed, otherwise as a `tagwise.keys.PublicKey`."""
        return _keys.public_key(self._parts["public_key_info"])

    @property
    def public_key_algorithm_oid(self) -> ObjectIdentifier:
        """The public key algorithm."""
        plain = _native.decode("SubjectPublicKeyInfo", self._parts["public_key_info"], self._allow)
        return ObjectIdentifier._of(plain["algorithm"]["algorithm"])

    @property
    def subject(self) -> Name:
        """The requested subject."""
        if self._subject is None:
            der, offset = self._parts["subject"]
            self._subject = name_at(der, offset, self.explain, self._allow)
        return self._subject

    @property
    def attributes(self) -> Attributes:
        """The attributes of the request."""
        attributes = []
        for oid, values in self._parts["attributes"]:
            if len(values) != 1:
                raise ValueError("Only single-valued attributes are supported")
            tag, content, *_ = values[0]
            if tag > 30:
                raise ValueError("Long-form tags are not supported in CSR attribute values")
            attributes.append(Attribute(ObjectIdentifier._of(oid), content, tag))
        return Attributes(attributes)

    def __repr__(self) -> str:
        return f"<CertificateSigningRequest(subject={field(lambda: self.subject)}, ...)>"

    def _placed(self) -> list[Placed]:
        return self._listed()

    def _listed(self) -> list[Placed]:
        for attribute, values in self._parts["attributes"]:
            if attribute in _EXTENSION_REQUESTS:
                if len(values) != 1:
                    raise ValueError("Only single-valued attributes are supported")
                _, _, der, base = values[0]
                try:
                    listed = _native.read_extensions(der, self._allow)
                except Asn1Error as error:
                    raise error.moved(base, self.explain, len(der)) from None
                return [
                    (oid, critical, value.moved(base, self.explain, len(der)) if isinstance(value, Asn1Error) else value, base + at)
                    for oid, critical, value, at in listed
                ]
        return []

    def _read(self, listed: list[Placed]) -> Extensions:
        return _native.extensions_of(listed, REQUEST, (self._kind, self._der), self._allow)

    @property
    def extensions(self) -> Extensions:
        """The requested extensions."""
        if self._extensions is None:
            self._extensions = self._read(self._listed())
        return self._extensions

    def public_bytes(self, encoding: _kinds.Encoding) -> bytes:
        """Returns the request in DER or PEM."""
        return encoded(self._der, _LABELS["certification-request"][0], encoding)

    @property
    def signature(self) -> bytes:
        """The bytes of the signature."""
        signature: bytes = self._parts["signature"]
        return signature

    @property
    def tbs_certrequest_bytes(self) -> bytes:
        """The to-be-signed part, in DER."""
        tbs: bytes = self._parts["tbs"]
        return tbs

    @property
    def is_signature_valid(self) -> bool:
        """True if the request was signed with its own key, using a supported algorithm."""
        key = self._parts["public_key_info"]
        return _sign.is_right(key, *self._outer(), self.signature, self.tbs_certrequest_bytes)


class CertificateRevocationList(Signed, _native.CertificateRevocationList):
    """A CRL (RFC 5280 §5.1) of any size. Entries are read on access."""

    __slots__ = ("_allow", "_cached")
    _kind = "CertificateList"
    _json_key = "crl"
    _allow: list[str]
    _cached: dict[str, Any]

    def _encoding(self) -> bytes:
        return self._der

    def __new__(cls, data: Any, *, allow: Sequence[str] = ()) -> CertificateRevocationList:
        crl = super().__new__(cls, data, allow=list(allow))
        crl._allow = list(allow)
        crl._cached = {}
        if crl._version not in (None, 1):
            raise InvalidVersion(f"{crl._version} is not a valid CRL version", crl._version or 0)
        inner, outer = crl._algorithms
        if inner != outer:
            raise ValueError("Inner and outer signature algorithms do not match. This is an invalid CRL.")
        return crl

    def _outer(self) -> tuple[str, bytes]:
        return (self._signature_algorithm, self._algorithms[1])

    @property
    def signature_algorithm_oid(self) -> ObjectIdentifier:
        """The signature algorithm."""
        return ObjectIdentifier._of(self._signature_algorithm)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CertificateRevocationList):
            return NotImplemented
        return self._der == other._der

    def __hash__(self) -> int:
        return hash(self._der)

    def __repr__(self) -> str:
        last, following = moment(lambda: self.last_update_utc), moment(lambda: self.next_update_utc)
        issuer, entries = field(lambda: self.issuer), field(lambda: len(self))
        return f"<CertificateRevocationList(issuer={issuer}, last_update={last}, next_update={following}, entries={entries})>"

    def __copy__(self) -> CertificateRevocationList:
        return self

    def __deepcopy__(self, memo: object) -> CertificateRevocationList:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (CertificateRevocationList, self._der, self._allow))

    @property
    def deviations(self) -> list[Deviation]:
        """The tolerated deviations from the encoding rules, and the deviations from RFC 5280."""
        return [Deviation(*one) for one in self._deviations]

    def check(self) -> None:
        """Checks every byte, including all entries, with the rules that applied when the CRL was read, and raises the
        first error."""
        self._check()

    def public_bytes(self, encoding: _kinds.Encoding) -> bytes:
        """Returns the CRL in DER or PEM."""
        return encoded(self._der, _LABELS["crl"][0], encoding)

    def fingerprint(self, algorithm: _kinds.Hash | None) -> bytes:
        """Returns the hash of the whole CRL. The algorithm is an object or a name (`sha256`)."""
        return _keys.digest(algorithm, self._der)

    def lint(self) -> list[Finding]:
        """Returns violations of RFC 5280 beyond the encoding. `tagwise.lint` can select among them."""
        from tagwise.lint import Finding

        return [Finding(*one) for one in self._lint()]

    def get_revoked_certificate_by_serial_number(self, serial_number: int) -> RevokedCertificate | None:
        """Returns the first entry with the given serial number, or None."""
        number = self._find(serial_number)
        return None if number is None else self._made(number)

    @property
    def issuer(self) -> Name:
        """The issuer's name."""
        name = self._cached.get("issuer")
        if name is None:
            name = self._cached["issuer"] = name_at(*self._issuer, self._path_at, self._allow)
        return name

    @property
    def next_update(self) -> datetime.datetime | None:
        """The time when the next CRL is due in UTC, without a time zone, or None."""
        without_zone("next_update")
        return None if self._next_update is None else _times.naive(self._next_update)

    @property
    def next_update_utc(self) -> datetime.datetime | None:
        """The time when the next CRL is due, or None."""
        return None if self._next_update is None else _times.utc(self._next_update)

    @property
    def last_update(self) -> datetime.datetime:
        """The issue time in UTC, without a time zone."""
        without_zone("last_update")
        return _times.naive(self._this_update)

    @property
    def last_update_utc(self) -> datetime.datetime:
        """The issue time."""
        return _times.utc(self._this_update)

    def _listed(self) -> list[Placed]:
        return self._extensions

    def _read(self, listed: list[Placed]) -> Extensions:
        return _native.extensions_of(listed, CRL, (self._kind, self._der), self._allow)

    @property
    def extensions(self) -> Extensions:
        """The extensions of the CRL."""
        extensions = self._cached.get("extensions")
        if extensions is None:
            extensions = self._cached["extensions"] = self._extensions_in(CRL)
        return extensions

    @property
    def signature(self) -> bytes:
        """The bytes of the signature."""
        return self._signature

    @property
    def tbs_certlist_bytes(self) -> bytes:
        """The to-be-signed part, in DER."""
        return self._tbs

    def _made(self, number: int) -> RevokedCertificate:
        entry: Any = self._entry(number)
        made: RevokedCertificate = entry
        return made

    @overload
    def __getitem__(self, idx: int) -> RevokedCertificate: ...

    @overload
    def __getitem__(self, idx: slice) -> list[RevokedCertificate]: ...

    def __getitem__(self, idx: int | slice) -> RevokedCertificate | list[RevokedCertificate]:
        if isinstance(idx, slice):
            return [self._made(number) for number in range(*idx.indices(len(self)))]
        number = operator.index(idx)
        if number < 0:
            number += len(self)
        if number < 0:
            raise IndexError("the index is out of range")
        return self._made(number)

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[RevokedCertificate]:  # type: ignore[override]
            raise NotImplementedError

    def explain(self, offset: int) -> str:
        """Returns the path of the component to which a byte belongs."""
        return self._path_at(checked_offset(offset))

    def is_signature_valid(self, public_key: object) -> bool:
        """Returns True if the given key signed the CRL, using a supported algorithm."""
        return _sign.is_right(public_key, *self._outer(), self._signature, self._tbs)


# ---- Loading ------------------------------------------------------------------------------------

#: The error for a block without an END line. After complete blocks, it is treated as text and ignored (RFC 7468 §2), as in
#: `cryptography`.
_UNFINISHED = "pem-unterminated"
#: The PEM labels of each kind.
_LABELS = _native.pem_labels()
_NO_BLOCK = "Valid PEM but no BEGIN {0}/END {0} delimiters. Are you sure this is a {1}?"


def _blocks(data: Any, allow: Sequence[str]) -> list[tuple[str, bytes, str | None] | Asn1Error]:
    blocks = _native.read_pem(data, list(allow))
    if not blocks:
        raise ValueError(
            "Unable to load PEM file. See https://cryptography.io/en/latest/faq/#why-can-t-i-import-my-pem-file for "
            "more details. MalformedFraming"
        )
    return blocks


def _block(data: Any, kind: str, what: str, allow: Sequence[str]) -> bytes:
    """Returns the first block of the given kind. Errors after it are ignored."""
    for block in _blocks(data, allow):
        if isinstance(block, Asn1Error):
            raise block
        if block[2] == kind:
            return block[1]
    raise ValueError(_NO_BLOCK.format(_LABELS[kind][0], what))


def load_pem_x509_certificate(data: _kinds.Buffer, backend: object = None, *, allow: Sequence[str] = ()) -> Certificate:
    """Loads the first certificate in a PEM file."""
    return load_der_x509_certificate(_block(data, "certificate", "certificate", allow), allow=allow)


def load_pem_x509_certificates(data: _kinds.Buffer, *, allow: Sequence[str] = ()) -> list[Certificate]:
    """Loads all certificates in a PEM file."""
    blocks = []
    for block in _blocks(data, allow):
        if not isinstance(block, Asn1Error):
            blocks += [block[1]] if block[2] == "certificate" else []
        elif not (blocks and block.code == _UNFINISHED):
            raise block
    if not blocks:
        raise ValueError(_NO_BLOCK.format(_LABELS["certificate"][0], "certificate"))
    return [load_der_x509_certificate(der, allow=allow) for der in blocks]


if TYPE_CHECKING:

    def load_der_x509_certificate(data: _kinds.Buffer, backend: object = None, *, allow: Sequence[str] = ()) -> Certificate:
        """Loads a certificate in DER, from any buffer."""
        raise NotImplementedError
else:
    load_der_x509_certificate = _native.load_der_x509_certificate


def warn_of_odd(certificate: Certificate) -> None:
    """Warns about deprecated features of a certificate."""
    _check_serial(certificate._serial, "a serial number")
    _check_parameters(certificate)


def load_many(
    buffers: Iterable[Any], *, allow: Sequence[str] = ()
) -> list[Certificate | Asn1Error | InvalidVersion]:
    """Reads certificates in DER on all processors.

    The result contains each certificate, or its error, in order. A buffer that cannot be read at all, such as a
    closed one, raises an exception.

    >>> load_many([b"0\\x00"])
    [Asn1Error('tbsCertificate: a required element is missing, at byte 2 (X.680 §25)')]
    """
    loaded: list[Certificate | Asn1Error | InvalidVersion] = []
    for one in _native.read_many(buffers, list(allow)):
        if not isinstance(one, (Certificate, Asn1Error, InvalidVersion)):
            raise one
        loaded.append(one)
    return loaded


def _check_parameters(certificate: Certificate) -> None:
    if any(one.rule in ("rsa-parameters", "no-parameters") for one in certificate.deviations):
        warnings.warn(
            "The parsed certificate contains a NULL parameter value in its signature algorithm parameters. This is "
            "invalid and will be rejected in a future version of cryptography.",
            _keys.deprecation(),
            stacklevel=3,
        )


def load_pem_x509_crl(data: _kinds.Buffer, backend: object = None, *, allow: Sequence[str] = ()) -> CertificateRevocationList:
    """Loads the first CRL in a PEM file."""
    return load_der_x509_crl(_block(data, "crl", "CRL", allow), allow=allow)


def load_der_x509_crl(data: _kinds.Buffer, backend: object = None, *, allow: Sequence[str] = ()) -> CertificateRevocationList:
    """Loads a CRL in DER, from any buffer."""
    return CertificateRevocationList(data, allow=allow)


def load_pem_x509_csr(data: _kinds.Buffer, backend: object = None, *, allow: Sequence[str] = ()) -> CertificateSigningRequest:
    """Loads the first request in a PEM file."""
    return load_der_x509_csr(_block(data, "certification-request", "CSR", allow), allow=allow)


def load_der_x509_csr(data: _kinds.Buffer, backend: object = None, *, allow: Sequence[str] = ()) -> CertificateSigningRequest:
    """Loads a request in DER, from any buffer."""
    return CertificateSigningRequest(data, allow=allow)


def random_serial_number() -> int:
    """Generates a serial number with 159 random bits."""
    return int.from_bytes(os.urandom(20), "big") >> 1
