"""Verification of a server's or a client's certificate, by the names of `cryptography.x509.verification`.

Paths are found and validated by the profile `webpki` (RFC 5280 §6.1, CA/Browser Forum's Baseline Requirements as far as a client sees
them). An `ExtensionPolicy` is applied to the path that was found: what it refuses is refused, even if another path existed.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, TypeVar

from tagwise import _native
from tagwise._data import Enum
from tagwise.x509 import _times
from tagwise.x509.base import Certificate
from tagwise.x509.extensions import (
    AuthorityKeyIdentifier,
    BasicConstraints,
    DuplicateExtension,
    ExtendedKeyUsage,
    ExtensionNotFound,
    ExtensionType,
    SubjectAlternativeName,
    SubjectKeyIdentifier,
)
from tagwise.x509.general_name import DNSName, GeneralName, IPAddress
from tagwise.x509.oid import ExtendedKeyUsageOID, ExtensionOID, ObjectIdentifier

__all__ = [
    "ClientVerifier",
    "Criticality",
    "ExtensionPolicy",
    "Policy",
    "PolicyBuilder",
    "ServerVerifier",
    "Store",
    "Subject",
    "VerificationError",
    "VerifiedClient",
]

Subject = DNSName | IPAddress
T = TypeVar("T", bound=ExtensionType)

#: The longest path that is looked for, where nothing else is said.
_DEPTH = 8


class VerificationError(Exception):
    """No path was found, or none that holds."""


class Criticality(Enum):
    """The criticality that is asked of an extension."""

    CRITICAL = "critical"
    AGNOSTIC = "agnostic"
    NON_CRITICAL = "non-critical"


class Store:
    """Certificates that are trusted."""

    def __init__(self, certs: list[Certificate]) -> None:
        listed = list(certs)
        if not listed:
            raise ValueError("can't create an empty store")
        if not all(isinstance(certificate, Certificate) for certificate in listed):
            raise TypeError("a store is of certificates")
        self._certificates = listed


#: A policy's rule for an extension: True if it must be there, None if it must not; its criticality; a validator.
_Rule = tuple[bool | None, Criticality, "Callable[..., None] | None"]


class ExtensionPolicy:
    """Demands on the extensions of certificates."""

    def __init__(self, base: str, rules: dict[str, _Rule]) -> None:
        self._base = base
        self._rules = rules

    def _all(self) -> dict[str, _Rule]:
        return _BASES[self._base] | self._rules

    @staticmethod
    def permit_all() -> ExtensionPolicy:
        """Nothing is asked."""
        return ExtensionPolicy("all", {})

    @staticmethod
    def webpki_defaults_ca() -> ExtensionPolicy:
        """The demands of the profile on CAs."""
        return ExtensionPolicy("ca", {})

    @staticmethod
    def webpki_defaults_ee() -> ExtensionPolicy:
        """The demands of the profile on servers and clients."""
        return ExtensionPolicy("ee", {})

    def _with(self, extension_type: type[ExtensionType], rule: _Rule) -> ExtensionPolicy:
        if not isinstance(extension_type, type) or not issubclass(extension_type, ExtensionType):
            raise TypeError("extension_type must be a kind of ExtensionType")
        oid = extension_type.oid.dotted_string
        if oid in self._rules:
            raise ValueError(f"ExtensionPolicy already configured for extension with OID {oid}")
        return ExtensionPolicy(self._base, self._rules | {oid: rule})

    def require_not_present(self, extension_type: type[ExtensionType]) -> ExtensionPolicy:
        return self._with(extension_type, (None, Criticality.AGNOSTIC, None))

    def may_be_present(
        self,
        extension_type: type[T],
        criticality: Criticality,
        validator: Callable[[Policy, Certificate, T | None], None] | None,
    ) -> ExtensionPolicy:
        return self._with(extension_type, (False, criticality, validator))

    def require_present(
        self,
        extension_type: type[T],
        criticality: Criticality,
        validator: Callable[[Policy, Certificate, T], None] | None,
    ) -> ExtensionPolicy:
        return self._with(extension_type, (True, criticality, validator))

    def _requires(self, extension_type: type[ExtensionType]) -> bool:
        rule = self._all().get(extension_type.oid.dotted_string)
        return rule is not None and rule[0] is True

    def _apply(self, policy: Policy, certificate: Certificate) -> None:
        for oid, (presence, criticality, validator) in self._all().items():
            try:
                extension = certificate.extensions.get_extension_for_oid(ObjectIdentifier(oid))
            except ExtensionNotFound:
                extension = None
            if extension is None and presence:
                raise _refused("Certificate is missing required extension", certificate, oid)
            if extension is not None and presence is None:
                raise _refused("Certificate contains prohibited extension", certificate, oid)
            if extension is not None and criticality is not Criticality.AGNOSTIC:
                if extension.critical != (criticality is Criticality.CRITICAL):
                    raise _refused("Certificate extension has incorrect criticality", certificate, oid)
            if validator is not None:
                try:
                    answer: Any = validator(policy, certificate, None if extension is None else extension.value)
                except Exception as error:
                    message = f"Python extension validator failed: {type(error).__name__}: {error}"
                    raise _refused(message, certificate) from error
                if answer is not None:
                    raise _refused("Python validator must return None.", certificate)


def _rule(presence: bool | None, criticality: Criticality) -> _Rule:
    return (presence, criticality, None)


#: The rules that policies have from the start. The profile has more, by itself.
_BASES: dict[str, dict[str, _Rule]] = {
    "all": {},
    "ca": {
        BasicConstraints.oid.dotted_string: _rule(True, Criticality.CRITICAL),
        # RFC 5280 §4.2.1.1, §4.2.1.2: of what is trusted, too.
        AuthorityKeyIdentifier.oid.dotted_string: _rule(False, Criticality.NON_CRITICAL),
        SubjectKeyIdentifier.oid.dotted_string: _rule(False, Criticality.NON_CRITICAL),
    },
    "ee": {
        SubjectAlternativeName.oid.dotted_string: _rule(True, Criticality.AGNOSTIC),
        ExtendedKeyUsage.oid.dotted_string: _rule(False, Criticality.NON_CRITICAL),
    },
}


def _refused(message: str, certificate: Certificate | None, oid: str | None = None) -> VerificationError:
    what = message if oid is None else f"invalid extension: {oid}: {message}"
    where = "" if certificate is None else f" (encountered processing {certificate!r})"
    return VerificationError(f"validation failed: {what}{where}")


class Policy:
    """The demands on a path."""

    def __init__(
        self,
        subject: Subject | None,
        time: datetime.datetime,
        max_chain_depth: int,
        purpose: ObjectIdentifier,
    ) -> None:
        self._subject = subject
        self._time = time
        self._max_chain_depth = max_chain_depth
        self._purpose = purpose

    @property
    def max_chain_depth(self) -> int:
        return self._max_chain_depth

    @property
    def subject(self) -> Subject | None:
        return self._subject

    @property
    def validation_time(self) -> datetime.datetime:
        """The moment in UTC, without a time zone."""
        return self._time

    @property
    def extended_key_usage(self) -> ObjectIdentifier:
        return self._purpose

    @property
    def minimum_rsa_modulus(self) -> int:
        return 2048


#: Rules of the profile that have other words in `cryptography`.
_WORDS = {
    "validity": "cert is not valid at validation time",
    "anchor-validity": "cert is not valid at validation time",
    "peer-name": "leaf certificate has no matching subjectAltName",
    "unknown-critical": "certificate contains unaccounted-for critical extensions",
}
#: Rules of the profile that `cryptography` does not have: a certificate without purposes is good for all.
_NOT_HELD = ["purpose-present", "common-name"]
#: Those that are about extensions which an `ExtensionPolicy` may permit.
_LEAF_EXTENSIONS = ["alt-name-required", "leaf-not-ca", "rfc5280.4.2.1.1.no_key_identifier"]


class _Verifier:
    def __init__(self, policy: Policy, store: Store, ca: ExtensionPolicy, ee: ExtensionPolicy) -> None:
        self._policy = policy
        self._store = store
        self._ca = ca
        self._ee = ee

    @property
    def policy(self) -> Policy:
        return self._policy

    @property
    def store(self) -> Store:
        return self._store

    def _path(self, leaf: Certificate, intermediates: list[Certificate]) -> list[Certificate]:
        """The path; whatever is malformed on the way is no valid path."""
        try:
            return self._found(leaf, intermediates)
        except (ValueError, DuplicateExtension) as error:
            raise _refused(str(error), leaf) from error

    def _found(self, leaf: Certificate, intermediates: list[Certificate]) -> list[Certificate]:
        policy, subject = self._policy, self._policy.subject
        self._ee._apply(policy, leaf)
        found, refused = _native.find_path(
            leaf._der,
            [certificate._der for certificate in intermediates],
            [certificate._der for certificate in self._store._certificates],
            _times.seconds(policy.validation_time),
            policy.extended_key_usage.dotted_string,
            policy.max_chain_depth,
            subject.value if isinstance(subject, DNSName) else None,
            subject._packed() if isinstance(subject, IPAddress) else None,
            _NOT_HELD if self._ee._base != "all" else _NOT_HELD + _LEAF_EXTENSIONS,
            [*self._ee._rules, *self._ca._rules],
        )
        if found is None:
            rule, number, message = refused or ("", None, "")
            raise _refused(_WORDS.get(rule, message), leaf if number in (None, 0) else None)
        known = {certificate._der: certificate for certificate in [leaf, *intermediates, *self._store._certificates]}
        chain = [known.get(der) or Certificate(der) for der in found]
        _accounted(leaf, self._ee)
        for certificate in chain[1:]:
            self._ca._apply(policy, certificate)
            _accounted(certificate, self._ca)
        return chain


#: Extensions that path validation processes (RFC 5280 §6.1).
_PROCESSED = frozenset(
    oid.dotted_string
    for oid in (
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


def _accounted(certificate: Certificate, policy: ExtensionPolicy) -> None:
    """Refuses critical extensions that the policy of this certificate does not know: the path is searched with those of both."""
    for oid, critical, *_ in certificate._extensions:
        if critical and oid not in _PROCESSED and oid not in policy._rules:
            message = f"certificate contains unaccounted-for critical extensions: {oid}"
            raise _refused(message, certificate)


class VerifiedClient:
    """A client whose certificate is valid."""

    def __init__(self, subjects: list[GeneralName] | None, chain: list[Certificate]) -> None:
        self._subjects = subjects
        self._chain = chain

    @property
    def subjects(self) -> list[GeneralName] | None:
        return self._subjects

    @property
    def chain(self) -> list[Certificate]:
        return self._chain


class ClientVerifier(_Verifier):
    """Verifies certificates of clients."""

    def verify(self, leaf: Certificate, intermediates: list[Certificate]) -> VerifiedClient:
        chain = self._path(leaf, list(intermediates))
        try:
            names = leaf.extensions.get_extension_for_class(SubjectAlternativeName).value
        except ExtensionNotFound:
            return VerifiedClient(None, chain)
        return VerifiedClient(list(names), chain)


class ServerVerifier(_Verifier):
    """Verifies certificates of servers."""

    def verify(self, leaf: Certificate, intermediates: list[Certificate]) -> list[Certificate]:
        """The path, from the leaf to the certificate that is trusted."""
        return self._path(leaf, list(intermediates))


class PolicyBuilder:
    """Makes verifiers; each method gives a builder that knows more."""

    def __init__(self) -> None:
        self._time: datetime.datetime | None = None
        self._store: Store | None = None
        self._depth: int | None = None
        self._ca: ExtensionPolicy | None = None
        self._ee: ExtensionPolicy | None = None

    def _with(self, **changed: Any) -> PolicyBuilder:
        builder = PolicyBuilder()
        builder.__dict__.update(self.__dict__)
        builder.__dict__.update({"_" + name: value for name, value in changed.items()})
        return builder

    def time(self, time: datetime.datetime) -> PolicyBuilder:
        if self._time is not None:
            raise ValueError("The validation time may only be set once.")
        return self._with(time=_times.as_naive(time).replace(microsecond=0))

    def store(self, store: Store) -> PolicyBuilder:
        if self._store is not None:
            raise ValueError("The trust store may only be set once.")
        if not isinstance(store, Store):
            raise TypeError("store must be a Store")
        return self._with(store=store)

    def max_chain_depth(self, max_chain_depth: int) -> PolicyBuilder:
        if self._depth is not None:
            raise ValueError("The maximum chain depth may only be set once.")
        return self._with(depth=max_chain_depth)

    def extension_policies(self, *, ca_policy: ExtensionPolicy, ee_policy: ExtensionPolicy) -> PolicyBuilder:
        if self._ca is not None:
            raise ValueError("The extension policies may only be set once.")
        return self._with(ca=ca_policy, ee=ee_policy)

    def _parts(self, what: str, subject: Subject | None, purpose: ObjectIdentifier) -> tuple[Any, ...]:
        if self._store is None:
            raise ValueError(f"A {what} verifier must have a trust store.")
        ca = ExtensionPolicy.webpki_defaults_ca() if self._ca is None else self._ca
        ee = ExtensionPolicy.webpki_defaults_ee() if self._ee is None else self._ee
        if not ca._requires(BasicConstraints):
            raise ValueError(
                "A CA extension policy must require the basicConstraints extension to be present."
            )
        time = self._time or _times.as_naive(datetime.datetime.now(datetime.timezone.utc)).replace(microsecond=0)
        policy = Policy(subject, time, _DEPTH if self._depth is None else self._depth, purpose)
        return (policy, self._store, ca, ee)

    def build_client_verifier(self) -> ClientVerifier:
        return ClientVerifier(*self._parts("client", None, ExtendedKeyUsageOID.CLIENT_AUTH))

    def build_server_verifier(self, subject: Subject) -> ServerVerifier:
        parts = self._parts("server", subject, ExtendedKeyUsageOID.SERVER_AUTH)
        if not isinstance(subject, (DNSName, IPAddress)):
            raise TypeError("unsupported subject type")
        if not parts[3]._requires(SubjectAlternativeName):
            raise ValueError(
                "An EE extension policy used for server verification must require the subjectAltName extension to be "
                "present."
            )
        return ServerVerifier(*parts)
