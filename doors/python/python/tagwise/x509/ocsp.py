"""The Online Certificate Status Protocol (RFC 6960): requests, responses, and their builders."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tagwise import _native
from tagwise._data import Enum, Native, Plain, field, hexadecimal, moment, native
from tagwise.x509 import _keys, _sign, _times
from tagwise.x509._extension import ANSWER, OCSP, Placed, plain_extensions
from tagwise.x509._extensions_revocation import CODE_REASONS, REASON_CODES
from tagwise.x509._frame import Extended, Whole, as_bytes, without_zone
from tagwise.x509.base import (
    Certificate,
    Deviation,
    _restored,
    load_der_x509_certificate,
)
from tagwise.x509.builders import _EARLIEST, ToBeSigned, made_extension, reject_duplicate
from tagwise.x509.extensions import (
    Extension,
    Extensions,
    ExtensionType,
    ReasonFlags,
)
from tagwise.x509.name import Name, name_at
from tagwise.x509.oid import ObjectIdentifier

if TYPE_CHECKING:
    from tagwise import _kinds


class OCSPResponderEncoding(Enum):
    """The kind of responder identifier in a response."""

    HASH = "By Hash"
    NAME = "By Name"


class OCSPResponseStatus(Enum):
    """The status of a response: successful, or the kind of error."""

    SUCCESSFUL = 0
    MALFORMED_REQUEST = 1
    INTERNAL_ERROR = 2
    TRY_LATER = 3
    SIG_REQUIRED = 5
    UNAUTHORIZED = 6


class OCSPCertStatus(Enum):
    """The status of a certificate."""

    GOOD = 0
    REVOKED = 1
    UNKNOWN = 2


def _verify_algorithm(algorithm: Any) -> str:
    name = _keys.hash_name(algorithm)
    if name not in ("sha1", "sha224", "sha256", "sha384", "sha512"):
        raise ValueError("Algorithm must be SHA1, SHA224, SHA256, SHA384, or SHA512")
    return str(name)


def _check_bytes(name: str, value: Any) -> None:
    if not isinstance(value, bytes):
        raise TypeError(f"{name} must be bytes")


def _only_der(encoding: Any) -> None:
    # Encodings that are neither have names as well.
    if getattr(type(encoding), "__name__", "") == "Encoding" and encoding != type(encoding).DER:
        raise ValueError("The only allowed encoding value is Encoding.DER")
    if _keys.encoding_named(encoding) != "DER":
        raise ValueError("The only allowed encoding value is Encoding.DER")


class _Identified:
    """The hashes that identify a certificate."""

    __slots__ = ()

    def _id(self) -> dict[str, Any]:
        raise NotImplementedError

    @property
    def issuer_key_hash(self) -> bytes:
        hashed: bytes = self._id()["issuer_key_hash"]
        return hashed

    @property
    def issuer_name_hash(self) -> bytes:
        hashed: bytes = self._id()["issuer_name_hash"]
        return hashed

    @property
    def hash_algorithm(self) -> Any:
        """The algorithm of both hashes, as an object of `cryptography`."""
        return _sign.hash_by_oid(self._id()["hash_algorithm"])

    @property
    def serial_number(self) -> int:
        number: int = self._id()["serial_number"]
        return number


class OCSPRequest(_Identified, Extended, Whole):
    """A request for the status of one certificate."""

    __slots__ = ("_allow", "_der", "_extensions", "_parts")
    _kind = "OCSPRequest"
    _json_key = "message"

    def _encoding(self) -> bytes:
        return self._der

    @property
    def deviations(self) -> list[Deviation]:
        """The tolerated deviations."""
        return [Deviation(*one) for one in self._parts["deviations"]]

    def __init__(self, data: _kinds.Buffer, *, allow: Sequence[str] = ()) -> None:
        self._allow = list(allow)
        self._der = as_bytes(data)
        self._parts = _native.ocsp_request_parts(self._der, self._allow)
        self._extensions: Extensions | None = None
        if self._parts["version"] != 0:
            raise ValueError(f"{self._parts['version']} is not a valid OCSP request version")
        if len(self._parts["requests"]) != 1:
            raise NotImplementedError("OCSP request contains more than one request")

    def _id(self) -> dict[str, Any]:
        parts: dict[str, Any] = self._parts["requests"][0]
        return parts

    def _placed(self) -> list[Placed]:
        return self._listed()

    def _listed(self) -> list[Placed]:
        listed: list[Placed] = self._parts["extensions"]
        return listed

    def _read(self, listed: list[Placed]) -> Extensions:
        return _native.extensions_of(listed, OCSP, (self._kind, self._der), self._allow)

    @property
    def extensions(self) -> Extensions:
        """The extensions of the request."""
        if self._extensions is None:
            self._extensions = self._read(self._listed())
        return self._extensions

    def public_bytes(self, encoding: _kinds.Encoding) -> bytes:
        """Returns the request in DER."""
        _only_der(encoding)
        return self._der

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OCSPRequest):
            return NotImplemented
        return self._der == other._der

    def __hash__(self) -> int:
        return hash(self._der)

    def __repr__(self) -> str:
        return f"<OCSPRequest(serial_number={hexadecimal(lambda: self.serial_number)})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (OCSPRequest, self._der, self._allow))


class _Single(_Identified):
    """The status of one certificate."""

    __slots__ = ()

    @property
    def certificate_status(self) -> OCSPCertStatus:
        return OCSPCertStatus(self._id()["status"])

    def _moment(self, name: str, zone: bool) -> datetime.datetime | None:
        seconds = self._id()[name]
        if seconds is None:
            return None
        return _times.utc(seconds) if zone else _times.naive(seconds)

    @property
    def revocation_time(self) -> datetime.datetime | None:
        without_zone("revocation_time")
        return self._moment("revocation_time", False)

    @property
    def revocation_time_utc(self) -> datetime.datetime | None:
        return self._moment("revocation_time", True)

    @property
    def revocation_reason(self) -> ReasonFlags | None:
        code = self._id()["revocation_reason"]
        return None if code is None else CODE_REASONS[code]

    @property
    def this_update(self) -> datetime.datetime:
        without_zone("this_update")
        return _times.naive(self._id()["this_update"])

    @property
    def this_update_utc(self) -> datetime.datetime:
        return _times.utc(self._id()["this_update"])

    @property
    def next_update(self) -> datetime.datetime | None:
        without_zone("next_update")
        return self._moment("next_update", False)

    @property
    def next_update_utc(self) -> datetime.datetime | None:
        return self._moment("next_update", True)


def _single_text(one: _Single) -> str:
    status, number = field(lambda: Plain(one.certificate_status.name)), hexadecimal(lambda: one.serial_number)
    this, following = moment(lambda: one.this_update_utc), moment(lambda: one.next_update_utc)
    return f"certificate_status={status}, serial_number={number}, this_update={this}, next_update={following}"


class OCSPSingleResponse(_Single, Extended):
    """A single response, about one certificate."""

    __slots__ = ("_extensions", "_parts", "_whole")

    def __init__(self, parts: dict[str, Any], whole: OCSPResponse) -> None:
        self._parts = parts
        self._whole = whole
        self._extensions: Extensions | None = None

    def _id(self) -> dict[str, Any]:
        return self._parts

    def _listed(self) -> list[Placed]:
        listed: list[Placed] = self._parts["extensions"]
        return listed

    def __repr__(self) -> str:
        return f"<OCSPSingleResponse({_single_text(self)})>"

    def _read(self, listed: list[Placed]) -> Extensions:
        return _single_extensions(listed, self._whole)

    @property
    def extensions(self) -> Extensions:
        """The extensions of the single response."""
        if self._extensions is None:
            self._extensions = self._read(self._listed())
        return self._extensions


def _single_extensions(listed: list[Placed], whole: OCSPResponse) -> Extensions:
    return _native.extensions_of(listed, ANSWER, (whole._kind, whole._der), whole._allow)


# To checkers the class derives from the native one, which takes its place.
if TYPE_CHECKING:
    _NativeResponse = _native.OCSPResponse
else:
    _NativeResponse = Native


@native(_native.OCSPResponse)
class OCSPResponse(_NativeResponse, _Single, Extended, Whole):  # type: ignore[misc, override]  # pyright: ignore
    """A response with a status for one certificate or more, or with an error status."""

    __slots__ = ()
    _kind = "OCSPResponse"
    _json_key = "message"

    def _encoding(self) -> bytes:
        return self._der

    @property
    def deviations(self) -> list[Deviation]:
        """The tolerated deviations."""
        return [Deviation(*one) for one in self._parts["deviations"]]

    def _outer(self) -> tuple[str, bytes]:
        algorithm = self._answer()["algorithm"]
        return (_native.decode("AlgorithmIdentifier", algorithm, self._allow)["algorithm"], algorithm)

    @property
    def responses(self) -> Iterator[OCSPSingleResponse]:
        """The single responses, one for each certificate."""
        return iter([OCSPSingleResponse(parts, self) for parts in self._answer()["responses"]])

    @property
    def signature_algorithm_oid(self) -> ObjectIdentifier:
        """The signature algorithm."""
        return ObjectIdentifier._of(self._outer()[0])

    @property
    def signature_hash_algorithm(self) -> Any:
        """The hash of the signature, or None."""
        return _sign.hash_of(*self._outer())

    @property
    def signature(self) -> bytes:
        """The bytes of the signature."""
        signature: bytes = self._answer()["signature"]
        return signature

    @property
    def tbs_response_bytes(self) -> bytes:
        """The to-be-signed part, in DER."""
        tbs: bytes = self._answer()["tbs"]
        return tbs

    @property
    def certificates(self) -> list[Certificate]:
        """The certificates that the response includes."""
        return [load_der_x509_certificate(der, allow=self._allow) for der in self._answer()["certificates"]]

    @property
    def responder_key_hash(self) -> bytes | None:
        """The SHA-1 hash of the responder's key, or None if the responder is identified by name."""
        key: bytes | None = self._answer()["responder_key"]
        return key

    @property
    def responder_name(self) -> Name | None:
        """The responder's name, or None if the responder is identified by its key hash."""
        name = self._answer()["responder_name"]
        if name is None:
            return None
        der, offset = name
        return name_at(der, offset, self.explain, self._allow)

    @property
    def produced_at(self) -> datetime.datetime:
        """The signing time in UTC, without a time zone."""
        without_zone("produced_at")
        return _times.naive(self._answer()["produced_at"])

    @property
    def produced_at_utc(self) -> datetime.datetime:
        """The signing time."""
        return _times.utc(self._answer()["produced_at"])

    def _placed(self) -> list[Placed]:
        placed: list[Placed] = []
        if self._status == 0:
            for part in (self._parts, *self._parts["responses"]):
                placed += part["extensions"]
        return placed

    def _listed(self) -> list[Placed]:
        listed: list[Placed] = self._answer()["extensions"]
        return listed

    def _read(self, listed: list[Placed]) -> Extensions:
        return _native.extensions_of(listed, OCSP, (self._kind, self._der), self._allow)

    def _make_extensions(self) -> Extensions:
        return self._read(self._listed())

    def _make_single_extensions(self) -> Extensions:
        return _single_extensions(self._id()["extensions"], self)

    def public_bytes(self, encoding: _kinds.Encoding) -> bytes:
        """Returns the response in DER."""
        _only_der(encoding)
        return self._der

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OCSPResponse):
            return NotImplemented
        return self._der == other._der

    def __hash__(self) -> int:
        return hash(self._der)

    def __repr__(self) -> str:
        status = field(lambda: Plain(self.response_status.name))
        if self._status != 0:
            return f"<OCSPResponse(response_status={status})>"
        told = _single_text(self) if self._count == 1 else f"responses={self._count}"
        return f"<OCSPResponse(response_status={status}, {told})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (OCSPResponse, self._der, self._allow))


def load_der_ocsp_request(data: _kinds.Buffer, *, allow: Sequence[str] = ()) -> OCSPRequest:
    """Loads a request in DER, from any buffer."""
    return OCSPRequest(data, allow=allow)


if TYPE_CHECKING:

    def load_der_ocsp_response(data: _kinds.Buffer, *, allow: Sequence[str] = ()) -> OCSPResponse:
        """Loads a response in DER, from any buffer."""
        raise NotImplementedError
else:
    load_der_ocsp_response = _native.load_der_ocsp_response


#: The certificate to identify: itself with its issuer, or the hashes of the issuer's name and key with the serial number.
_By = tuple[Certificate, Certificate] | tuple[bytes, bytes, int]


def _cert_id(by: _By, algorithm: Any) -> tuple[bytes, bytes, bytes, int]:
    name = _verify_algorithm(algorithm)
    identifier = _native.encode(
        "AlgorithmIdentifier", {"algorithm": _sign.HASH_OIDS[name], "parameters": _sign.NULL}
    )
    if len(by) == 2:
        certificate, issuer = by
        names = _keys.digest(name, certificate._issuer[0])
        return (identifier, names, _keys.digest(name, issuer._key_bits), certificate._serial)
    return (identifier, by[0], by[1], by[2])


def _checked_hashes(name_hash: Any, key_hash: Any, serial_number: Any, algorithm: Any) -> tuple[bytes, bytes, int]:
    if not isinstance(serial_number, int):
        raise TypeError("serial_number must be an integer")
    _verify_algorithm(algorithm)
    _check_bytes("issuer_name_hash", name_hash)
    _check_bytes("issuer_key_hash", key_hash)
    size = _keys.hash_size(algorithm)
    if len(name_hash) != size or len(key_hash) != size:
        raise ValueError(
            "issuer_name_hash and issuer_key_hash must be the same length as the digest size of the algorithm"
        )
    return (name_hash, key_hash, serial_number)


def _checked_pair(cert: Any, issuer: Any) -> tuple[Certificate, Certificate]:
    if not isinstance(cert, Certificate) or not isinstance(issuer, Certificate):
        raise TypeError("cert and issuer must be a Certificate")
    return (cert, issuer)


class OCSPRequestBuilder:
    """Builds requests. Each method returns a new builder."""

    def __init__(
        self,
        request: tuple[_By, Any] | None = None,
        request_hash: None = None,
        extensions: list[Extension[ExtensionType]] = [],
    ) -> None:
        self._request = request
        self._extensions = extensions

    def add_certificate(self, cert: Certificate, issuer: Certificate, algorithm: _kinds.Hash | None) -> OCSPRequestBuilder:
        """Sets the certificate to query, and its issuer."""
        if self._request is not None:
            raise ValueError("Only one certificate can be added to a request")
        _verify_algorithm(algorithm)
        return OCSPRequestBuilder((_checked_pair(cert, issuer), algorithm), None, self._extensions)

    def add_certificate_by_hash(
        self, issuer_name_hash: bytes, issuer_key_hash: bytes, serial_number: int, algorithm: _kinds.Hash | None
    ) -> OCSPRequestBuilder:
        """Sets the certificate to query, by hashes."""
        if self._request is not None:
            raise ValueError("Only one certificate can be added to a request")
        by = _checked_hashes(issuer_name_hash, issuer_key_hash, serial_number, algorithm)
        return OCSPRequestBuilder((by, algorithm), None, self._extensions)

    def add_extension(self, extval: ExtensionType, critical: bool) -> OCSPRequestBuilder:
        """Adds an extension."""
        extension = made_extension(extval, critical)
        reject_duplicate(extension, self._extensions)
        return OCSPRequestBuilder(self._request, None, [*self._extensions, extension])

    def build(self) -> OCSPRequest:
        """Builds the request."""
        if self._request is None:
            raise ValueError("You must add a certificate before building")
        extensions = plain_extensions(self._extensions)
        return OCSPRequest(_native.write_ocsp_request(_cert_id(*self._request), extensions))


class _SingleResponse:
    """A single response under construction."""

    def __init__(
        self,
        by: _By,
        algorithm: _kinds.Hash | None,
        cert_status: OCSPCertStatus,
        this_update: datetime.datetime,
        next_update: datetime.datetime | None,
        revocation_time: datetime.datetime | None,
        revocation_reason: ReasonFlags | None,
    ) -> None:
        _verify_algorithm(algorithm)
        if not isinstance(this_update, datetime.datetime):
            raise TypeError("this_update must be a datetime object")
        if next_update is not None and not isinstance(next_update, datetime.datetime):
            raise TypeError("next_update must be a datetime object or None")
        if not isinstance(cert_status, OCSPCertStatus):
            raise TypeError("cert_status must be an item from the OCSPCertStatus enum")
        if cert_status is not OCSPCertStatus.REVOKED:
            if revocation_time is not None:
                raise ValueError("revocation_time can only be provided if the certificate is revoked")
            if revocation_reason is not None:
                raise ValueError("revocation_reason can only be provided if the certificate is revoked")
        else:
            if not isinstance(revocation_time, datetime.datetime):
                raise TypeError("revocation_time must be a datetime object")
            if _times.as_naive(revocation_time) < _EARLIEST:
                raise ValueError("The revocation_time must be on or after 1950 January 1.")
            if revocation_reason is not None and not isinstance(revocation_reason, ReasonFlags):
                raise TypeError("revocation_reason must be an item from the ReasonFlags enum or None")
        self.by = by
        self.algorithm = algorithm
        self.status = (
            cert_status.value,
            None if revocation_time is None else _times.seconds(revocation_time),
            None if revocation_reason is None else REASON_CODES[revocation_reason],
            _times.seconds(this_update),
            None if next_update is None else _times.seconds(next_update),
        )


class OCSPResponseBuilder:
    """Builds responses. Each method returns a new builder."""

    def __init__(
        self,
        response: _SingleResponse | None = None,
        responder_id: tuple[Certificate, OCSPResponderEncoding] | None = None,
        certs: list[Certificate] | None = None,
        extensions: list[Extension[ExtensionType]] = [],
    ) -> None:
        self._response = response
        self._responder_id = responder_id
        self._certs = certs
        self._extensions = extensions

    def add_response(
        self,
        cert: Certificate,
        issuer: Certificate,
        algorithm: _kinds.Hash | None,
        cert_status: OCSPCertStatus,
        this_update: datetime.datetime,
        next_update: datetime.datetime | None,
        revocation_time: datetime.datetime | None,
        revocation_reason: ReasonFlags | None,
    ) -> OCSPResponseBuilder:
        """Sets the single response for a certificate and its issuer."""
        if self._response is not None:
            raise ValueError("Only one response per OCSPResponse.")
        by = _checked_pair(cert, issuer)
        single = _SingleResponse(
            by, algorithm, cert_status, this_update, next_update, revocation_time, revocation_reason
        )
        return OCSPResponseBuilder(single, self._responder_id, self._certs, self._extensions)

    def add_response_by_hash(
        self,
        issuer_name_hash: bytes,
        issuer_key_hash: bytes,
        serial_number: int,
        algorithm: _kinds.Hash | None,
        cert_status: OCSPCertStatus,
        this_update: datetime.datetime,
        next_update: datetime.datetime | None,
        revocation_time: datetime.datetime | None,
        revocation_reason: ReasonFlags | None,
    ) -> OCSPResponseBuilder:
        """Sets the single response for a certificate identified by hashes."""
        if self._response is not None:
            raise ValueError("Only one response per OCSPResponse.")
        by = _checked_hashes(issuer_name_hash, issuer_key_hash, serial_number, algorithm)
        single = _SingleResponse(
            by, algorithm, cert_status, this_update, next_update, revocation_time, revocation_reason
        )
        return OCSPResponseBuilder(single, self._responder_id, self._certs, self._extensions)

    def responder_id(self, encoding: OCSPResponderEncoding, responder_cert: Certificate) -> OCSPResponseBuilder:
        """Sets the responder, and how it is identified."""
        if self._responder_id is not None:
            raise ValueError("responder_id can only be set once")
        if not isinstance(responder_cert, Certificate):
            raise TypeError("responder_cert must be a Certificate")
        if not isinstance(encoding, OCSPResponderEncoding):
            raise TypeError("encoding must be an element from OCSPResponderEncoding")
        return OCSPResponseBuilder(self._response, (responder_cert, encoding), self._certs, self._extensions)

    def certificates(self, certs: Iterable[Certificate]) -> OCSPResponseBuilder:
        """Sets the certificates to include."""
        if self._certs is not None:
            raise ValueError("certificates may only be set once")
        listed = list(certs)
        if not listed:
            raise ValueError("certs must not be an empty list")
        if not all(isinstance(certificate, Certificate) for certificate in listed):
            raise TypeError("certs must be a list of Certificates")
        return OCSPResponseBuilder(self._response, self._responder_id, listed, self._extensions)

    def add_extension(self, extval: ExtensionType, critical: bool) -> OCSPResponseBuilder:
        """Adds an extension."""
        extension = made_extension(extval, critical)
        reject_duplicate(extension, self._extensions)
        return OCSPResponseBuilder(
            self._response, self._responder_id, self._certs, [*self._extensions, extension]
        )

    def _data(self, responder: Certificate) -> bytes:
        """Returns the to-be-signed bytes, with the current time."""
        assert self._response is not None and self._responder_id is not None
        by_hash = self._responder_id[1] is OCSPResponderEncoding.HASH
        return _native.write_response_data(
            None if by_hash else responder._subject[0],
            _keys.digest("sha1", responder._key_bits) if by_hash else None,
            _times.seconds(datetime.datetime.now(datetime.timezone.utc)),
            _cert_id(self._response.by, self._response.algorithm),
            self._response.status,
            plain_extensions(self._extensions),
        )

    def _responder(self) -> Certificate:
        if self._response is None:
            raise ValueError("You must add a response before signing")
        if self._responder_id is None:
            raise ValueError("You must add a responder_id before signing")
        return self._responder_id[0]

    def _certificates(self) -> list[bytes]:
        return [certificate._der for certificate in self._certs or []]

    def sign(self, private_key: _kinds.PrivateKey, algorithm: _kinds.Hash | None) -> OCSPResponse:
        """Signs with the responder's key."""
        responder = self._responder()
        identifier = _sign.algorithm_for(private_key, algorithm, None)
        if _keys.public_key_info(private_key.public_key()) != responder._public_key_info:
            raise ValueError("Certificate public key and provided private key do not match")
        data = self._data(responder)
        signature = _sign.sign(private_key, algorithm, None, None, data)
        return OCSPResponse(_native.write_ocsp_response(data, identifier, signature, self._certificates()))

    def to_be_signed(self, algorithm: _kinds.Hash | None, *, rsa_padding: object = None) -> ToBeSigned[OCSPResponse]:
        """Returns the response to be signed with an external responder key. The public key is taken from the
        responder's certificate."""
        responder = self._responder()
        info = responder._public_key_info
        identifier = _sign.identifier_of(info, algorithm, rsa_padding)
        write = functools.partial(_native.write_ocsp_response, certificates=self._certificates())
        return ToBeSigned(OCSPResponse, self._data(responder), identifier, info, write)

    @classmethod
    def build_unsuccessful(cls, response_status: OCSPResponseStatus) -> OCSPResponse:
        """Builds a response with an error status."""
        if not isinstance(response_status, OCSPResponseStatus):
            raise TypeError("response_status must be an item from OCSPResponseStatus")
        if response_status is OCSPResponseStatus.SUCCESSFUL:
            raise ValueError("response_status cannot be SUCCESSFUL")
        return OCSPResponse(_native.write_ocsp_failure(response_status.value))
