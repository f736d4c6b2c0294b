"""Trust in the signers of messages: paths to trusted certificates, with revocation evidence."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from tagwise import _native, _revocation
from tagwise._data import all_of
from tagwise._errors import MessageError
from tagwise.x509 import _times
from tagwise.x509.base import Certificate, CertificateRevocationList, load_der_x509_certificate
from tagwise.x509.oid import ExtendedKeyUsageOID, ObjectIdentifier

if TYPE_CHECKING:
    from tagwise.x509.ocsp import OCSPResponse


class _Encoded(Protocol):
    @property
    def _der(self) -> bytes: ...


def ders(values: Iterable[_Encoded], kind: type[_Encoded] = Certificate) -> list[bytes]:
    """Returns the DER of certificates or CRLs."""
    return [one._der for one in all_of(values, kind, f"expected a list of {kind.__name__}s of tagwise.x509")]


class Trust:
    """The trusted certificates for signers' paths, the required purpose of the signers, and revocation evidence.

    `purpose` is an extended key usage: email protection by default, or `CODE_SIGNING`, `TIME_STAMPING` or another of
    `ExtendedKeyUsageOID`. It determines the profile and rules; None accepts any purpose. `revocation` is `require`,
    `prefer` or `ignore`. The default is `prefer` if `crls` or `ocsp` (responses) are given. The CRLs and OCSP
    responses in the message are also used. `allow` names rules that certificates and paths may violate.
    """

    def __init__(
        self,
        anchors: Iterable[Certificate],
        *,
        purpose: ObjectIdentifier | None = ExtendedKeyUsageOID.EMAIL_PROTECTION,
        intermediates: Iterable[Certificate] = (),
        crls: Iterable[CertificateRevocationList] = (),
        ocsp: Iterable[OCSPResponse] = (),
        revocation: str | None = None,
        allow: Iterable[str] = (),
    ) -> None:
        self._anchors = ders(anchors)
        if not self._anchors:
            raise ValueError("expected at least one trusted certificate")
        self._purpose = None if purpose is None else purpose.dotted_string
        self._intermediates = ders(intermediates)
        self._allow = list(allow)
        self._revocation = _revocation.given(revocation, crls, ocsp)

    def path(
        self,
        signer: Certificate,
        time: datetime.datetime,
        *,
        certificates: Iterable[Certificate] = (),
        legacy: bool = False,
    ) -> list[Certificate]:
        """Returns the path from a signer's certificate to a trusted one, at the given time.

        Raises `MessageError` with the code `untrusted` if there is none, or `undetermined` if that cannot be decided.
        """
        return self._path(signer._der, _times.seconds(time), None, ders(certificates), ([], []), legacy)

    def _path(
        self,
        signer: bytes,
        time: int,
        proven: int | None,
        beside: list[bytes],
        evidence: tuple[list[bytes], list[bytes]],
        legacy: bool,
        purpose: ObjectIdentifier | None = None,
    ) -> list[Certificate]:
        known = [*self._intermediates, *beside]
        asked = self._purpose if purpose is None else purpose.dotted_string
        revocation = self._revocation.with_evidence(*evidence)
        if proven is not None:
            # Evidence of today says what became of a certificate since.
            now = datetime.datetime.now(datetime.timezone.utc)
            revocation = revocation._replace(proven_at=proven, evidence_time=_times.seconds(now))
        found, refused = _native.signer_path(signer, known, self._anchors, revocation, (asked, time, legacy, self._allow))
        if found is not None:
            return [load_der_x509_certificate(der) for der in found]
        rule, text, undetermined = refused or ("", "no path leads to a trusted certificate", False)
        code = "undetermined" if undetermined else "untrusted"
        raise MessageError(f"the signer is not trusted: {text}", code, clause="RFC 5280 §6", reason=rule)
