"""Revocation evidence: CRLs and OCSP responses, the revocation mode, and the report of how each piece was used."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from tagwise._data import all_of

if TYPE_CHECKING:
    from tagwise.x509.base import CertificateRevocationList
    from tagwise.x509.ocsp import OCSPResponse

MODES = ("require", "prefer", "ignore")
SCOPES = ("leaf", "path")


class EvidenceUse(NamedTuple):
    """A supplied CRL or OCSP response, and how it was used."""

    #: The kind: `crl` or `ocsp`.
    kind: str
    #: The number among all CRLs or all OCSP responses supplied, from 1.
    number: int
    #: A one-line description, such as `CRL 17 of CN=CA, 2026-11-21T10:00:00Z`.
    label: str
    #: Its use: `used`, `not-applicable` or `unusable`.
    use: str
    #: The reason why it was not used, or None.
    reason: str | None


class Revocation(NamedTuple):
    """The revocation mode, and the CRLs and OCSP responses, as the native module expects them."""

    mode: str | None
    scope: str
    crls: list[bytes]
    ocsp: list[bytes]
    evidence_time: int | None
    proven_at: int | None
    stale: int
    allow: list[str]

    def with_evidence(self, crls: list[bytes], ocsp: list[bytes]) -> Revocation:
        """Returns a copy with further CRLs and OCSP responses, unless revocation is ignored."""
        is_asked = self.crls or self.ocsp or self.mode not in (None, "ignore")
        return self._replace(crls=[*self.crls, *crls], ocsp=[*self.ocsp, *ocsp]) if is_asked else self

    def proven_by(self, time: int, is_stated: bool) -> Revocation:
        """Returns a copy for a certificate that was used before the time of the CRLs and OCSP responses, as asserted by the caller."""
        is_earlier = is_stated and self.evidence_time is not None and self.evidence_time > time
        return self._replace(proven_at=time) if is_earlier else self


def given(
    mode: str | None,
    crls: Iterable[CertificateRevocationList],
    ocsp: Iterable[OCSPResponse],
    *,
    scope: str = "path",
    evidence_time: int | None = None,
    stale: datetime.timedelta = datetime.timedelta(0),
    allow: Iterable[str] = (),
) -> Revocation:
    """Checks the caller's arguments. CRLs and OCSP responses may violate the rules that they were allowed to violate when loaded."""
    from tagwise.x509.base import CertificateRevocationList
    from tagwise.x509.ocsp import OCSPResponse

    if mode not in (None, *MODES):
        raise ValueError(f"unknown revocation {mode!r}; expected require, prefer or ignore")
    if scope not in SCOPES:
        raise ValueError(f"unknown scope of revocation {scope!r}; expected leaf or path")
    if stale < datetime.timedelta(0):
        raise ValueError(f"stale must not be negative: {stale}")
    lists = all_of(crls, CertificateRevocationList, "expected a list of CertificateRevocationLists of tagwise.x509")
    responses = all_of(ocsp, OCSPResponse, "expected a list of OCSPResponses of tagwise.x509.ocsp")
    own = [one._allow for one in lists] + [one._allow for one in responses]
    rules = sorted({*allow, *(rule for loaded in own for rule in loaded)})
    seconds = int(stale.total_seconds())
    return Revocation(mode, scope, [one._der for one in lists], [one._der for one in responses], evidence_time, None, seconds, rules)
