"""The default requirements of a policy for servers and clients: those of `cryptography`, extension by extension, as
data.

The requirements come from the CA/Browser Forum's Baseline Requirements (BR) §7.1 and RFC 5280 §4.2. The path search
itself enforces further requirements.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from tagwise import _native
from tagwise._data import Enum
from tagwise.x509 import extensions as ext
from tagwise.x509.oid import ExtendedKeyUsageOID, ExtensionOID

if TYPE_CHECKING:
    from tagwise.x509.base import Certificate
    from tagwise.x509.verification import Policy


class Criticality(Enum):
    """The required criticality of an extension."""

    CRITICAL = "critical"
    AGNOSTIC = "agnostic"
    NON_CRITICAL = "non-critical"

    def _permits(self, critical: bool) -> bool:
        return self is Criticality.AGNOSTIC or critical == (self is Criticality.CRITICAL)


class Refused(Exception):
    """Raised if a certificate does not meet a requirement."""

    def __init__(self, message: str, oid: str | None = None) -> None:
        super().__init__(message if oid is None else f"invalid extension: {oid}: {message}")


#: A function that checks an extension of a certificate, or its absence (None), and raises `Refused` to reject the certificate.
Check = Callable[["Policy", "Certificate", "ext.Extension[Any] | None"], None]


class Rule(NamedTuple):
    """The requirement for one extension. `present` is True if it must be present, None if it must be absent, and
    False if either is allowed."""

    present: bool | None
    criticality: Criticality = Criticality.AGNOSTIC
    check: Check | None = None

    def apply(self, oid: str, policy: Policy, certificate: Certificate, found: ext.Extension[Any] | None) -> None:
        if found is None and self.present:
            raise Refused("Certificate is missing required extension", oid)
        if found is not None and self.present is None:
            raise Refused("Certificate contains prohibited extension", oid)
        if found is not None and not self.criticality._permits(found.critical):
            raise Refused("Certificate extension has incorrect criticality", oid)
        if self.check is not None:
            self.check(policy, certificate, found)


def _when_present(check: Callable[[Policy, Certificate, ext.Extension[Any]], None]) -> Check:
    def checked(policy: Policy, certificate: Certificate, found: ext.Extension[Any] | None) -> None:
        if found is not None:
            check(policy, certificate, found)

    return checked


@_when_present
def _has_key_identifier(policy: Policy, certificate: Certificate, found: ext.Extension[Any]) -> None:
    # BR §7.1.2.11.1
    if found.value.key_identifier is None:
        raise Refused("authorityKeyIdentifier must contain keyIdentifier")


@_when_present
def _signs_certificates(policy: Policy, certificate: Certificate, found: ext.Extension[Any]) -> None:
    if not found.value.key_cert_sign:
        raise Refused("keyUsage.keyCertSign must be asserted in a CA certificate")


@_when_present
def _signs_no_certificates(policy: Policy, certificate: Certificate, found: ext.Extension[Any]) -> None:
    if found.value.key_cert_sign:
        raise Refused("EE keyUsage must not assert keyCertSign")


@_when_present
def _is_no_ca(policy: Policy, certificate: Certificate, found: ext.Extension[Any]) -> None:
    if found.value.ca:
        raise Refused("basicConstraints.cA must not be asserted in an EE certificate")


@_when_present
def _critical_by_subject(policy: Policy, certificate: Certificate, found: ext.Extension[Any]) -> None:
    # RFC 5280 §4.2.1.6, BR §7.1.2.7.12
    empty = len(certificate.subject) == 0
    if empty and not found.critical:
        raise Refused("EE subjectAltName MUST be critical when subject is empty")
    if found.critical and not empty:
        raise Refused("EE subjectAltName MUST NOT be critical when subject is nonempty")


@_when_present
def _has_purpose(policy: Policy, certificate: Certificate, found: ext.Extension[Any]) -> None:
    # BR §7.1.2.7.10: anyExtendedKeyUsage is not enough.
    if policy.extended_key_usage not in found.value:
        raise Refused("required EKU not found")


@_when_present
def _has_purpose_or_any(policy: Policy, certificate: Certificate, found: ext.Extension[Any]) -> None:
    if not {policy.extended_key_usage, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE} & set(found.value):
        raise Refused("Neither EKU nor anyEKU could be found")


def _by_oid(rules: dict[type[ext.ExtensionType], Rule]) -> dict[str, Rule]:
    return {kind.oid.dotted_string: rule for kind, rule in rules.items()}


_MAY = False
_MUST = True
_MUST_NOT = None

#: The rules for CA certificates, including trusted ones.
CA = _by_oid(
    {
        ext.AuthorityInformationAccess: Rule(_MAY, Criticality.NON_CRITICAL),
        ext.AuthorityKeyIdentifier: Rule(_MAY, Criticality.NON_CRITICAL, _has_key_identifier),
        ext.SubjectKeyIdentifier: Rule(_MAY, Criticality.NON_CRITICAL),
        ext.KeyUsage: Rule(_MUST, Criticality.AGNOSTIC, _signs_certificates),
        ext.BasicConstraints: Rule(_MUST, Criticality.CRITICAL),
        ext.ExtendedKeyUsage: Rule(_MAY, Criticality.NON_CRITICAL, _has_purpose_or_any),
    }
)

#: The rules for server and client certificates.
EE = _by_oid(
    {
        ext.AuthorityInformationAccess: Rule(_MAY, Criticality.NON_CRITICAL),
        ext.AuthorityKeyIdentifier: Rule(_MUST, Criticality.NON_CRITICAL),
        ext.KeyUsage: Rule(_MAY, Criticality.AGNOSTIC, _signs_no_certificates),
        ext.SubjectAlternativeName: Rule(_MUST, Criticality.AGNOSTIC, _critical_by_subject),
        ext.BasicConstraints: Rule(_MAY, Criticality.AGNOSTIC, _is_no_ca),
        ext.NameConstraints: Rule(_MUST_NOT),
        ext.ExtendedKeyUsage: Rule(_MAY, Criticality.NON_CRITICAL, _has_purpose),
    }
)

#: The supported critical extensions: those of path validation (RFC 5280 §6.1), and those for which every policy has a rule.
UNDERSTOOD = frozenset(
    oid.dotted_string
    for oid in (
        ExtensionOID.AUTHORITY_INFORMATION_ACCESS,
        ExtensionOID.AUTHORITY_KEY_IDENTIFIER,
        ExtensionOID.SUBJECT_KEY_IDENTIFIER,
        ExtensionOID.BASIC_CONSTRAINTS,
        ExtensionOID.KEY_USAGE,
        ExtensionOID.EXTENDED_KEY_USAGE,
        ExtensionOID.SUBJECT_ALTERNATIVE_NAME,
        ExtensionOID.NAME_CONSTRAINTS,
        ExtensionOID.CERTIFICATE_POLICIES,
        ExtensionOID.POLICY_MAPPINGS,
        ExtensionOID.POLICY_CONSTRAINTS,
        ExtensionOID.INHIBIT_ANY_POLICY,
    )
)

#: The lints for an extension in every certificate. They are disabled if a policy has its own rule for that extension.
_OF_ALL = {
    ExtensionOID.AUTHORITY_INFORMATION_ACCESS: ("rfc5280.4.2.2.1.critical",),
    ExtensionOID.AUTHORITY_KEY_IDENTIFIER: ("rfc5280.4.2.1.1.no_key_identifier", "rfc5280.4.2.1.1.critical"),
    ExtensionOID.SUBJECT_KEY_IDENTIFIER: (
        "rfc5280.4.2.1.2.ca_without_key_identifier",
        "rfc5280.4.2.1.2.critical",
    ),
    ExtensionOID.KEY_USAGE: ("rfc5280.4.2.1.3.no_bits", "rfc5280.4.2.1.3.key_cert_sign_without_ca"),
    ExtensionOID.SUBJECT_ALTERNATIVE_NAME: ("rfc5280.4.2.1.6.no_subject", "rfc5280.4.2.1.6.not_critical"),
    ExtensionOID.BASIC_CONSTRAINTS: ("rfc5280.4.2.1.9.not_critical", "rfc5280.4.2.1.9.path_len_without_ca"),
    ExtensionOID.NAME_CONSTRAINTS: ("rfc5280.4.2.1.10.not_ca",),
}
_OF_CAS = {
    ExtensionOID.AUTHORITY_KEY_IDENTIFIER: ("root-key-identifier",),
    ExtensionOID.EXTENDED_KEY_USAGE: ("purpose-chain", "root-purpose"),
}
_OF_LEAVES = {
    ExtensionOID.KEY_USAGE: ("key-usage", "leaf-not-ca"),
    ExtensionOID.BASIC_CONSTRAINTS: ("leaf-not-ca",),
    ExtensionOID.SUBJECT_ALTERNATIVE_NAME: ("alt-name-required",),
    ExtensionOID.EXTENDED_KEY_USAGE: ("purpose",),
}
#: Rules of the path search that `cryptography` does not have. A certificate without an extended key usage is valid for all purposes, and
#: common names are ignored.
_NEVER: tuple[str, ...] = ("purpose-present", "common-name")


def not_asked(ca: Iterable[str] | None, ee: Iterable[str] | None) -> list[str]:
    """Returns the rules that the path search does not check: those about extensions for which the caller has rules. None
    stands for all extensions."""
    return list(_not_asked(None if ca is None else frozenset(ca), None if ee is None else frozenset(ee)))


@functools.lru_cache(maxsize=64)
def _not_asked(ca: frozenset[str] | None, ee: frozenset[str] | None) -> tuple[str, ...]:
    left_out: set[str] = set(_NEVER)
    for chosen, table in ((ca, _OF_ALL), (ee, _OF_ALL), (ca, _OF_CAS), (ee, _OF_LEAVES)):
        for oid, names in table.items():
            if chosen is None or oid.dotted_string in chosen:
                left_out.update(names)
    return tuple(sorted(left_out))


#: The maximum length of a serial number. RFC 5280 §4.1.2.2 allows 20 bytes, but CAs often do not count the sign byte.
_LONGEST_SERIAL = 21
_NO_NAME = b"\x30\x00"


def check_form(certificate: Certificate) -> None:
    """Checks the requirements that apply to every certificate in a path, including the trusted one, except those for
    extensions."""
    # BR §7.1.1
    if certificate._version != 2:
        raise Refused("certificate must be an X509v3 certificate")
    inner, outer = certificate._algorithms
    if inner != outer:
        raise Refused("mismatch between signatureAlgorithm and SPKI algorithm")
    serial = certificate._serial
    if serial.bit_length() // 8 + 1 > _LONGEST_SERIAL:
        raise Refused("certificate must have a serial between 1 and 20 octets")
    if serial < 0:
        raise Refused("certificate serial number cannot be negative")
    if certificate._issuer[0] == _NO_NAME:
        raise Refused("certificate must have a non-empty Issuer")
    # RFC 5280 §4.1.2.5
    if any(rule == "time-choice" for rule, *_ in certificate._deviations):
        raise Refused("validity dates between 1950 and 2049 must be UtcTime")


def check_key(issuer: Certificate) -> None:
    """Checks the requirements for an issuer's key (BR §7.1.3.1)."""
    if not _native.is_webpki_key(issuer._public_key_info):
        raise Refused("Forbidden public key algorithm")


def check_signature(child: Certificate) -> None:
    """Checks the requirements for a certificate's signature algorithm (BR §7.1.3.2)."""
    if not _native.is_webpki_signature(child._algorithms[1]):
        raise Refused("Forbidden signature algorithm")
