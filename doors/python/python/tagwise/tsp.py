"""Time stamps (RFC 3161, RFC 5816): requests, issues and verifies them. Nothing is sent over the network.

>>> from tagwise import tsp
>>> request = tsp.request(b"what is stamped")
>>> len(request) > 40
True
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tagwise import _native
from tagwise._errors import MessageError
from tagwise._trust import Trust, ders
from tagwise.cms import _signing_key, readable, unarmored
from tagwise.x509 import _keys, _times
from tagwise.x509._frame import as_bytes
from tagwise.x509.base import Certificate, load_der_x509_certificate
from tagwise.x509.oid import ExtendedKeyUsageOID, ObjectIdentifier

if TYPE_CHECKING:
    from tagwise import _kinds

#: The required purpose of a TSA certificate, whatever purpose a `Trust` specifies (RFC 3161 §2.3).
_PURPOSE = ExtendedKeyUsageOID.TIME_STAMPING

__all__ = ["Authority", "Stamp", "examine", "request", "request_digest", "verify"]


def request(
    data: _kinds.Buffer, *, hash: _kinds.Hash = "sha256", policy: ObjectIdentifier | None = None, with_certificate: bool = True
) -> bytes:
    """Creates a request to time-stamp data, with a fresh nonce. `hash` is a name or an object of `cryptography`."""
    name = hash if isinstance(hash, str) else _keys.hash_name(hash)
    if name is None:
        raise TypeError("hash is the name of a hash, or one of cryptography's")
    digest = hashlib.new(name.replace("sha3-", "sha3_"), as_bytes(data)).digest()
    return request_digest(digest, name, policy=policy, with_certificate=with_certificate)


def request_digest(
    digest: bytes, hash: str, *, policy: ObjectIdentifier | None = None, with_certificate: bool = True
) -> bytes:
    """Creates a request to time-stamp data, given its digest."""
    return _native.tsp_request(hash, digest, None if policy is None else policy.dotted_string, with_certificate)


class Authority:
    """A time-stamping authority: a key, a certificate that allows only time stamping, and a policy."""

    def __init__(
        self,
        key: _kinds.PrivateKey,
        certificate: Certificate,
        policy: ObjectIdentifier,
        *,
        certificates: Iterable[Certificate] = (),
        hash: _kinds.Hash | None = None,
        accuracy: int | None = None,
    ) -> None:
        self._key = _signing_key(key, hash, None)
        self._certificate = certificate
        self._certificates = ders([certificate, *certificates])
        self._policy = policy
        self._accuracy = accuracy

    def reply(
        self, request: _kinds.Buffer, *, time: datetime.datetime | None = None, allow_validity: bool = False
    ) -> bytes:
        """Creates the response to a request. For an invalid request, the response is a rejection with the reason.

        Raises an error if the certificate is not valid at the given time (RFC 5280 section 6.1.3), unless `allow_validity` is set.
        """
        moment = datetime.datetime.now(datetime.timezone.utc) if time is None else time
        key, info, algorithm, _ = self._key
        return _native.tsp_reply(
            request,
            key,
            info,
            algorithm,
            self._certificate._der,
            self._certificates,
            self._policy.dotted_string,
            _times.seconds(moment),
            self._accuracy,
            allow_validity,
        )


class Stamp:
    """A verified time stamp."""

    def __init__(self, plain: tuple[int, int, int, str, bytes, list[str], list[bytes], bytes, list[bytes], list[bytes], int]) -> None:
        self._plain = plain
        self._path: list[Certificate] | None = None

    @property
    def path(self) -> list[Certificate] | None:
        """The path from the TSA certificate to a trusted one, or None if trust was not requested."""
        return self._path

    @property
    def time(self) -> datetime.datetime:
        """The time in UTC, to the microsecond."""
        return _times.utc(self._plain[0]) + datetime.timedelta(microseconds=self._plain[1] // 1000)

    @property
    def serial_number(self) -> int:
        """The serial number of the time stamp."""
        return self._plain[2]

    @property
    def policy(self) -> ObjectIdentifier:
        """The policy under which the TSA issued the time stamp."""
        return ObjectIdentifier(self._plain[3])

    @property
    def certificate(self) -> Certificate:
        """The TSA certificate. Trust in it is checked only if `trust` was given."""
        return load_der_x509_certificate(self._plain[4])

    @property
    def objections(self) -> list[str]:
        """Objections to the certificate, such as an expired validity period or a key usage that does not allow time stamping, and to
        a time later than `at` or the current time."""
        return self._plain[5]

    @property
    def certificates(self) -> list[Certificate]:
        """The certificates included in the time stamp, except those that cannot be decoded."""
        return readable(self._plain[6])

    @property
    def info(self) -> bytes:
        """The signed information: a TSTInfo in DER."""
        return self._plain[7]

    def __repr__(self) -> str:
        return f"<Stamp(time={self.time}, serial_number={self.serial_number}, policy={self.policy})>"


def examine(
    response: _kinds.Message,
    *,
    request: _kinds.Buffer | None = None,
    data: _kinds.Buffer | None = None,
    digest: tuple[str, bytes] | None = None,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    trust: Trust | None = None,
    legacy: bool = False,
    max_element: int = 16 << 20,
    max_total: int = 64 << 20,
) -> Stamp:
    """Examines a response or a time stamp, and verifies it against exactly one of a request, data, or a digest with
    the name of its hash. With `trust`, the TSA must have a path to a trusted certificate for time stamping,
    whatever purpose `trust` specifies.

    At most `max_total` bytes are held in memory, and no element of more than `max_element` bytes."""
    if sum(one is not None for one in (request, data, digest)) != 1:
        raise TypeError("give one of request, data and digest")
    name, octets = (None, data if request is None else request) if digest is None else digest
    kind = "digest" if digest is not None else "data" if request is None else "request"
    moment = None if at is None else _times.seconds(at)
    others = ders(certificates)
    limits = (max_element, max_total)
    stamp = Stamp(_native.tsp_verify(unarmored(response), kind, octets, name, others, moment, legacy, limits))
    if trust is not None:
        # The stamp's own time counts: evidence of today may not revoke for what came later without guilt (RFC 3161 §4).
        time = stamp._plain[0] if moment is None else moment
        *_, crls, ocsp_responses, latest = stamp._plain
        beside, evidence = [*stamp._plain[6], *others], (crls, ocsp_responses)
        stamp._path = trust._path(stamp._plain[4], time, latest, beside, evidence, legacy, _PURPOSE)
    return stamp


def verify(
    response: _kinds.Message,
    *,
    request: _kinds.Buffer | None = None,
    data: _kinds.Buffer | None = None,
    digest: tuple[str, bytes] | None = None,
    certificates: Iterable[Certificate] = (),
    at: datetime.datetime | None = None,
    trust: Trust | None = None,
    legacy: bool = False,
    max_element: int = 16 << 20,
    max_total: int = 64 << 20,
) -> Stamp:
    """Verifies a time stamp. Like `examine`, but raises `MessageError` if there are objections to the TSA
    certificate, or the time stamp is from the future. Without `trust`, its path is not validated."""
    stamp = examine(
        response,
        request=request,
        data=data,
        digest=digest,
        certificates=certificates,
        at=at,
        trust=trust,
        legacy=legacy,
        max_element=max_element,
        max_total=max_total,
    )
    if stamp.objections:
        text = "; ".join(stamp.objections)
        raise MessageError(text, "objection", clause="RFC 5280 §4", reason=text)
    return stamp
