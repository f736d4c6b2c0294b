"""Verification of server and client certificates, with the names of `cryptography.x509.verification`.

Paths are found and validated with the profile `webpki` (RFC 5280 §6.1, and the CA/Browser Forum's Baseline
Requirements as far as a client can check them). The rules of `ExtensionPolicy` are then applied to the path. If they
reject a CA, it is excluded, and another path is searched for.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from tagwise import _native, _revocation
from tagwise._data import shown
from tagwise._revocation import EvidenceUse, Revocation
from tagwise.x509 import _times, _webpki
from tagwise.x509._webpki import Criticality, Refused, Rule
from tagwise.x509.base import Certificate
from tagwise.x509.extensions import (
    BasicConstraints,
    Extension,
    ExtensionNotFound,
    ExtensionType,
    SubjectAlternativeName,
)
from tagwise.x509.general_name import DNSName, GeneralName, IPAddress
from tagwise.x509.oid import ExtendedKeyUsageOID, ObjectIdentifier

if TYPE_CHECKING:
    from tagwise.x509.base import CertificateRevocationList
    from tagwise.x509.ocsp import OCSPResponse

__all__ = [
    "ClientVerifier",
    "Criticality",
    "EvidenceUse",
    "ExtensionPolicy",
    "Policy",
    "PolicyBuilder",
    "ServerVerifier",
    "Store",
    "Subject",
    "Verdict",
    "VerificationError",
    "VerifiedClient",
]

Subject = DNSName | IPAddress
T = TypeVar("T", bound=ExtensionType)

#: The default maximum path length.
_DEPTH = 8
#: The number of paths that policies may reject before the search ends.
_ATTEMPTS = 32


class VerificationError(Exception):
    """No valid path was found."""

    #: True if it could not be determined whether the certificate is valid: revocation evidence is missing or unusable, the budget was
    #: exceeded, or an algorithm is not supported. `cryptography` has no such attribute.
    is_undetermined: bool = False
    #: The supplied CRLs and OCSP responses, and how each was used.
    evidence: tuple[EvidenceUse, ...] = ()


class Verdict(NamedTuple):
    """The result of `examine`."""

    #: The path, from the leaf to the trusted certificate, or None if there is no valid path.
    chain: list[Certificate] | None
    #: The error that `verify` raises, or None if there is a valid path.
    error: VerificationError | None
    #: The supplied CRLs and OCSP responses, and how each was used.
    evidence: tuple[EvidenceUse, ...]

    @property
    def status(self) -> str:
        """`valid`, `invalid`, or `unknown` if revocation evidence or support for an algorithm is missing."""
        if self.error is None:
            return "valid"
        return "unknown" if self.error.is_undetermined else "invalid"


def _certificates(given: Any, what: str) -> list[Certificate]:
    """Returns a list of certificates. Iterators and sets are not accepted, as in `cryptography`."""
    if not hasattr(type(given), "__getitem__") or isinstance(given, (str, dict)):
        raise TypeError(f"{what} must be a list of Certificates")
    listed = list(given)
    if not all(isinstance(one, Certificate) for one in listed):
        raise TypeError(f"{what} must be a list of Certificates")
    return listed


class Store:
    """A set of trusted certificates."""

    def __init__(self, certs: list[Certificate]) -> None:
        listed = _certificates(certs, "certs")
        if not listed:
            raise ValueError("can't create an empty store")
        self._certificates = listed


def _callback(validator: Callable[..., object]) -> _webpki.Check:
    """Creates a check from a user function, which rejects the certificate by raising an exception or returning a value."""

    def check(policy: Policy, certificate: Certificate, found: Extension[Any] | None) -> None:
        try:
            answer = validator(policy, certificate, None if found is None else found.value)
        except Exception as error:
            message = f"Python extension validator failed: {type(error).__name__}: {error}"
            raise Refused(message) from error
        if answer is not None:
            raise Refused("Python validator must return None.")

    return check


C = TypeVar("C", bound=Callable[..., Any])


def _setter(method: C) -> C:
    """Marks a setter of a builder or a policy. After a failure, the object cannot be used."""

    @functools.wraps(method)
    def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            self._failed = f"{method.__name__}: {error}"
            raise

    return cast("C", guarded)


class ExtensionPolicy:
    """Requirements for the extensions of certificates.

    If a method raises an exception, builders no longer accept the policy that it was called on.
    """

    __slots__ = ("_base", "_failed", "_own")
    _failed: str | None
    _base: dict[str, Rule] | None
    _own: dict[str, Rule]

    def __init__(self) -> None:
        raise TypeError("policies are made by permit_all, webpki_defaults_ca and webpki_defaults_ee")

    @staticmethod
    def _made(base: dict[str, Rule] | None, own: dict[str, Rule]) -> ExtensionPolicy:
        policy = object.__new__(ExtensionPolicy)
        policy._base = base
        policy._own = own
        policy._failed = None
        return policy

    @property
    def _rules(self) -> dict[str, Rule]:
        return (self._base or {}) | self._own

    @property
    def _decided(self) -> Iterable[str] | None:
        """Returns the extensions that the path search ignores, or None for all."""
        return None if self._base is None else self._own

    @staticmethod
    def permit_all() -> ExtensionPolicy:
        """Returns a policy without requirements."""
        return ExtensionPolicy._made(None, {})

    @staticmethod
    def webpki_defaults_ca() -> ExtensionPolicy:
        """Returns a policy with the profile's requirements for CAs."""
        return ExtensionPolicy._made(_webpki.CA, {})

    @staticmethod
    def webpki_defaults_ee() -> ExtensionPolicy:
        """Returns a policy with the profile's requirements for servers and clients."""
        return ExtensionPolicy._made(_webpki.EE, {})

    def _with(
        self,
        extension_type: type[ExtensionType],
        present: bool | None,
        criticality: Criticality,
        validator: Callable[..., None] | None,
    ) -> ExtensionPolicy:
        if not isinstance(extension_type, type) or not issubclass(extension_type, ExtensionType):
            raise TypeError("extension_type must be a subclass of ExtensionType")
        if not isinstance(criticality, Criticality):
            raise TypeError("criticality must be an item from the Criticality enum")
        oid = extension_type.oid.dotted_string
        if oid in self._own:
            raise ValueError(f"ExtensionPolicy already configured for extension with OID {oid}")
        rule = Rule(present, criticality, None if validator is None else _callback(validator))
        return ExtensionPolicy._made(self._base, self._own | {oid: rule})

    @_setter
    def require_not_present(self, extension_type: type[ExtensionType]) -> ExtensionPolicy:
        """Requires that an extension is absent."""
        return self._with(extension_type, None, Criticality.AGNOSTIC, None)

    @_setter
    def may_be_present(
        self,
        extension_type: type[T],
        criticality: Criticality,
        validator_cb: Callable[[Policy, Certificate, T | None], None] | None,
    ) -> ExtensionPolicy:
        """Allows an extension, with requirements if it is present."""
        return self._with(extension_type, False, criticality, validator_cb)

    @_setter
    def require_present(
        self,
        extension_type: type[T],
        criticality: Criticality,
        validator_cb: Callable[[Policy, Certificate, T], None] | None,
    ) -> ExtensionPolicy:
        """Requires that an extension is present."""
        return self._with(extension_type, True, criticality, validator_cb)

    def _requires(self, extension_type: type[ExtensionType]) -> bool:
        rule = self._rules.get(extension_type.oid.dotted_string)
        return rule is not None and rule.present is True

    def _apply(self, policy: Policy, certificate: Certificate) -> None:
        """Raises `Refused` if a certificate violates a rule, or has a critical extension without a rule."""
        listed = [(extension.oid.dotted_string, extension) for extension in certificate.extensions]
        # If lenient rules permit an extension twice, the first one counts.
        first: dict[str, Extension[Any]] = dict(reversed(listed))
        for oid, rule in self._rules.items():
            found = first.get(oid)
            if found is not None and found.error is not None:
                raise found.error.with_traceback(None)
            rule.apply(oid, policy, certificate, found)
        for oid, extension in listed:
            if extension.error is not None:
                # Nothing that an extension may say is overlooked because it cannot be read.
                raise Refused(f"the extension cannot be read: {extension.error}", oid)
            if extension.critical and oid not in _webpki.UNDERSTOOD and oid not in self._own:
                raise Refused("certificate contains unaccounted-for critical extensions", oid)


def _told(message: object, certificate: Certificate | None) -> VerificationError:
    where = "" if certificate is None else f" (encountered processing {shown(certificate)})"
    return VerificationError(f"validation failed: {message}{where}")


class Policy:
    """The requirements for a path."""

    __slots__ = ("_max_chain_depth", "_purpose", "_subject", "_time")
    _subject: Subject | None
    _time: datetime.datetime
    _max_chain_depth: int
    _purpose: ObjectIdentifier

    def __init__(self) -> None:
        raise TypeError("policies are made by PolicyBuilder")

    @staticmethod
    def _made(
        subject: Subject | None, time: datetime.datetime, max_chain_depth: int, purpose: ObjectIdentifier
    ) -> Policy:
        policy = object.__new__(Policy)
        policy._subject = subject
        policy._time = time
        policy._max_chain_depth = max_chain_depth
        policy._purpose = purpose
        return policy

    @property
    def max_chain_depth(self) -> int:
        """The maximum number of intermediate certificates in a path."""
        return self._max_chain_depth

    @property
    def subject(self) -> Subject | None:
        """The required subject name of the leaf, or None."""
        return self._subject

    @property
    def validation_time(self) -> datetime.datetime:
        """The validation time in UTC, without a time zone."""
        return self._time

    @property
    def extended_key_usage(self) -> ObjectIdentifier:
        """The purpose that the leaf must allow."""
        return self._purpose

    @property
    def minimum_rsa_modulus(self) -> int:
        """The minimum size of an RSA key, in bits."""
        return 2048


#: Rules of the path search whose messages differ in `cryptography`.
_WORDS = {
    "validity": "cert is not valid at validation time",
    "anchor-validity": "cert is not valid at validation time",
    "peer-name": "leaf certificate has no matching subjectAltName",
    "unknown-critical": "certificate contains unaccounted-for critical extensions",
}


#: A path, and how each CRL and OCSP response was used.
_Path = tuple[list[Certificate], tuple[EvidenceUse, ...]]


class _Verifier:
    __slots__ = ("_ca", "_ee", "_limits", "_policy", "_revocation", "_store")
    _policy: Policy
    _store: Store
    _ca: ExtensionPolicy
    _ee: ExtensionPolicy
    _limits: list[tuple[str, int]]
    _revocation: Revocation | None

    def __init__(self) -> None:
        raise TypeError("verifiers are made by PolicyBuilder")

    @property
    def policy(self) -> Policy:
        return self._policy

    @property
    def store(self) -> Store:
        return self._store

    def examine(self, leaf: Certificate, intermediates: list[Certificate]) -> Verdict:
        """Searches for a path like `verify`, and reports the result and how each CRL and OCSP response was used.

        Only invalid arguments raise an exception. `cryptography` has no such method.
        """
        try:
            chain, evidence = self._path(leaf, intermediates)
        except VerificationError as error:
            return Verdict(None, error, error.evidence)
        return Verdict(chain, None, evidence)

    def _path(self, leaf: Certificate, intermediates: list[Certificate]) -> _Path:
        """Returns the path. Malformed certificates count as invalid."""
        if not isinstance(leaf, Certificate):
            raise TypeError("leaf must be a Certificate")
        intermediates = _certificates(intermediates, "intermediates")
        try:
            return self._found(leaf, intermediates)
        except VerificationError:
            raise
        except Exception as error:
            # Not only ValueError: names of kinds without a class, extensions that are there twice, versions.
            raise _told(error, leaf) from error

    def _found(self, leaf: Certificate, intermediates: list[Certificate]) -> _Path:
        self._check(leaf, self._ee)
        trusted = {certificate._der: certificate for certificate in self._store._certificates}
        known = {certificate._der: certificate for certificate in intermediates} | trusted
        # What a certificate was loaded with is allowed in its path.
        allow = sorted({rule for one in (leaf, *known.values()) for rule in one._allow})
        left_out: set[bytes] = set()
        refusal: VerificationError | None = None
        for _ in range(_ATTEMPTS):
            anchors = [der for der in trusted if der not in left_out]
            pool = [certificate._der for certificate in intermediates if certificate._der not in left_out]
            found, evidence = self._search(leaf, pool, anchors, refusal, allow)
            chain = [leaf, *(known.get(der) or Certificate(der) for der in found[1:])]
            refused = self._refused(chain)
            if refused is None:
                return chain, evidence
            number, refusal = refused
            refusal.evidence = evidence
            if number == 0:
                raise refusal
            left_out.add(chain[number]._der)
        error = refusal or _told("too many paths are refused", None)
        error.is_undetermined = True
        raise error

    def _refused(self, chain: list[Certificate]) -> tuple[int, VerificationError] | None:
        """Returns the index of the certificate in a path that the policy rejects, counted from the leaf, and the reason."""
        for number in range(1, len(chain)):
            child, issuer = chain[number - 1], chain[number]
            try:
                self._check(issuer, self._ca)
                _webpki.check_key(issuer)
            except VerificationError as error:
                return (number, error)
            except Refused as error:
                return (number, _told(error, issuer))
            try:
                _webpki.check_signature(child)
            except Refused as error:
                return (number - 1, _told(error, child))
        return None

    def _check(self, certificate: Certificate, rules: ExtensionPolicy) -> None:
        try:
            _webpki.check_form(certificate)
            rules._apply(self._policy, certificate)
        except Refused as error:
            raise _told(error, certificate) from error.__cause__
        except Exception as error:
            raise _told(error, certificate) from error

    def _search(
        self,
        leaf: Certificate,
        pool: list[bytes],
        anchors: list[bytes],
        refusal: VerificationError | None,
        allow: list[str],
    ) -> tuple[list[bytes], tuple[EvidenceUse, ...]]:
        policy, subject = self._policy, self._policy.subject
        found, refused, account = _native.find_path(
            leaf._der,
            pool,
            anchors,
            _times.seconds(policy.validation_time),
            policy.extended_key_usage.dotted_string,
            policy.max_chain_depth,
            subject.value if isinstance(subject, DNSName) else None,
            subject._plain() if isinstance(subject, IPAddress) else None,
            _webpki.not_asked(self._ca._decided, self._ee._decided),
            [*_webpki.UNDERSTOOD, *self._ee._own, *self._ca._own],
            self._limits,
            allow,
            self._revocation,
        )
        evidence = tuple(EvidenceUse(*one) for one in account)
        if found is not None:
            return found, evidence
        rule, number, message, undetermined = refused or ("", None, "", False)
        error = refusal or _told(_WORDS.get(rule, message), leaf if number in (None, 0) else None)
        # A CA that a policy refuses leaves the answer open where another path is not known to be invalid.
        error.is_undetermined = undetermined
        error.evidence = evidence
        raise error


class VerifiedClient:
    """A client with a valid certificate."""

    __slots__ = ("_chain", "_subjects")
    _subjects: list[GeneralName] | None
    _chain: list[Certificate]

    def __init__(self) -> None:
        raise TypeError("verified clients are made by ClientVerifier")

    @property
    def subjects(self) -> list[GeneralName] | None:
        """The client's subject alternative names, or None."""
        return self._subjects

    @property
    def chain(self) -> list[Certificate]:
        """Returns the path, from the leaf to the trusted certificate."""
        return self._chain


class ClientVerifier(_Verifier):
    """Verifies client certificates."""

    __slots__ = ()

    def verify(self, leaf: Certificate, intermediates: list[Certificate]) -> VerifiedClient:
        """Returns the client with its path. Raises only `VerificationError`, even for malformed certificates."""
        client = object.__new__(VerifiedClient)
        client._chain = self._path(leaf, intermediates)[0]
        # They were read before: nothing in them is malformed.
        try:
            names = leaf.extensions.get_extension_for_class(SubjectAlternativeName).value
            client._subjects = list(names)
        except ExtensionNotFound:
            client._subjects = None
        return client


class ServerVerifier(_Verifier):
    """Verifies server certificates."""

    __slots__ = ()

    def verify(self, leaf: Certificate, intermediates: list[Certificate]) -> list[Certificate]:
        """Returns the path, from the leaf to the trusted certificate."""
        return self._path(leaf, intermediates)[0]


V = TypeVar("V", bound=_Verifier)


class PolicyBuilder:
    """Builds verifiers. Each method returns a new builder.

    If a setter raises an exception, its builder can no longer build verifiers, because the requirement would be
    missing.
    """

    def __init__(self) -> None:
        self._time: datetime.datetime | None = None
        self._store: Store | None = None
        self._depth: int | None = None
        self._ca: ExtensionPolicy | None = None
        self._ee: ExtensionPolicy | None = None
        self._limits: list[tuple[str, int]] = []
        self._revocation: Revocation | None = None
        self._failed: str | None = None

    def _with(self, **changed: Any) -> PolicyBuilder:
        builder = PolicyBuilder()
        builder.__dict__.update(self.__dict__)
        builder.__dict__.update({"_" + name: value for name, value in changed.items()})
        return builder

    @_setter
    def time(self, time: datetime.datetime) -> PolicyBuilder:
        """Sets the validation time. The default is now."""
        if not isinstance(time, datetime.datetime):
            raise TypeError("time must be a datetime object")
        if self._time is not None:
            raise ValueError("The validation time may only be set once.")
        return self._with(time=_times.as_naive(time).replace(microsecond=0))

    @_setter
    def store(self, store: Store) -> PolicyBuilder:
        """Sets the trusted certificates."""
        if not isinstance(store, Store):
            raise TypeError("store must be a Store")
        if self._store is not None:
            raise ValueError("The trust store may only be set once.")
        return self._with(store=store)

    @_setter
    def max_chain_depth(self, max_chain_depth: int) -> PolicyBuilder:
        """Sets the maximum number of intermediate certificates in a path."""
        if not isinstance(max_chain_depth, int):
            raise TypeError("max_chain_depth must be an integer")
        if not 0 <= max_chain_depth <= 255:
            raise OverflowError("max_chain_depth must be from 0 to 255")
        if self._depth is not None:
            raise ValueError("The maximum chain depth may only be set once.")
        return self._with(depth=max_chain_depth)

    @_setter
    def budget(
        self,
        *,
        signatures: int = 100,
        paths: int = 1_000,
        name_comparisons: int = 200_000,
        policy_nodes: int = 10_000,
        constraint_comparisons: int = 250_000,
        path_length: int = 20,
        bytes: int = 48 << 20,
    ) -> PolicyBuilder:
        """Limits the cost of each path search: signature checks, validated paths, name comparisons, policy graph
        nodes, name constraint comparisons, path length without the anchor, and bytes of certificates. A
        search that exceeds a limit raises `VerificationError` with the name of the limit. `cryptography`
        has no such method."""
        limits = dict(locals())
        del limits["self"]
        for name, limit in limits.items():
            if not isinstance(limit, int):
                raise TypeError(f"{name} must be an integer")
            if not 0 <= limit < 1 << 64:
                raise ValueError(f"{name} must be from 0 to 2**64 - 1")
        return self._with(limits=list(limits.items()))

    @_setter
    def revocation(
        self,
        mode: str | None = None,
        *,
        crls: Iterable[CertificateRevocationList] = (),
        ocsp: Iterable[OCSPResponse] = (),
        scope: str = "path",
        stale: datetime.timedelta = datetime.timedelta(0),
        evidence_time: datetime.datetime | None = None,
    ) -> PolicyBuilder:
        """Sets the revocation mode, and the CRLs and OCSP responses. `cryptography` has no such method.

        `mode` is `require` (a certificate is accepted only if a CRL or OCSP response shows that it is not revoked),
        `prefer` (a revoked certificate is rejected, and one of unknown status is accepted) or `ignore`. The default is `prefer`
        if there are CRLs or OCSP responses, otherwise `ignore`. `scope` is `path` for every certificate below the anchor, or `leaf`.
        They may be used for `stale` after their next update. They must be current at `evidence_time`, by default the
        validation time. With an earlier `time`, the certificate is assumed to have been used by then, so a later
        revocation for a harmless reason is ignored (RFC 3161 §4). If the answer depends on missing or unusable
        evidence, `VerificationError.is_undetermined` is true. `examine` reports how each CRL and OCSP response was used.
        """
        if self._revocation is not None:
            raise ValueError("The revocation evidence may only be set once.")
        moment = None if evidence_time is None else _times.seconds(evidence_time)
        return self._with(revocation=_revocation.given(mode, crls, ocsp, scope=scope, stale=stale, evidence_time=moment))

    @_setter
    def extension_policies(self, *, ca_policy: ExtensionPolicy, ee_policy: ExtensionPolicy) -> PolicyBuilder:
        """Sets the requirements for the extensions of CAs and of the leaf."""
        if not isinstance(ca_policy, ExtensionPolicy) or not isinstance(ee_policy, ExtensionPolicy):
            raise TypeError("ca_policy and ee_policy must be ExtensionPolicy objects")
        for policy in (ca_policy, ee_policy):
            if policy._failed is not None:
                raise ValueError(f"a policy cannot be used after a demand could not be set: {policy._failed}")
        if self._ca is not None:
            raise ValueError("The extension policies may only be set once.")
        return self._with(ca=ca_policy, ee=ee_policy)

    def _build(self, kind: type[V], subject: Subject | None, purpose: ObjectIdentifier) -> V:
        if self._failed is not None:
            raise ValueError(f"a verifier cannot be built after a demand could not be set: {self._failed}")
        if self._store is None:
            what = "client" if subject is None else "server"
            raise ValueError(f"A {what} verifier must have a trust store.")
        if subject is not None:
            _check_subject(subject)
        ca = ExtensionPolicy.webpki_defaults_ca() if self._ca is None else self._ca
        ee = ExtensionPolicy.webpki_defaults_ee() if self._ee is None else self._ee
        if not ca._requires(BasicConstraints):
            raise ValueError(
                "A CA extension policy must require the basicConstraints extension to be present."
            )
        if subject is not None and not ee._requires(SubjectAlternativeName):
            raise ValueError(
                "An EE extension policy used for server verification must require the subjectAltName extension to be "
                "present."
            )
        now = datetime.datetime.now(datetime.timezone.utc)
        time = self._time or _times.as_naive(now).replace(microsecond=0)
        verifier = object.__new__(kind)
        depth = _DEPTH if self._depth is None else self._depth
        verifier._policy = Policy._made(subject, time, depth, purpose)
        verifier._store = self._store
        verifier._ca = ca
        verifier._ee = ee
        verifier._limits = self._limits
        verifier._revocation = self._revocation and self._revocation.proven_by(_times.seconds(time), self._time is not None)
        return verifier

    def build_client_verifier(self) -> ClientVerifier:
        """Builds a verifier for client certificates."""
        return self._build(ClientVerifier, None, ExtendedKeyUsageOID.CLIENT_AUTH)

    def build_server_verifier(self, subject: Subject) -> ServerVerifier:
        """Builds a verifier for the certificates of one server."""
        if self._store is not None and not isinstance(subject, (DNSName, IPAddress)):
            raise TypeError("unsupported subject type")
        return self._build(ServerVerifier, subject, ExtendedKeyUsageOID.SERVER_AUTH)


def _check_subject(subject: Subject) -> None:
    if isinstance(subject, DNSName):
        if not _native.is_host(subject.value):
            raise ValueError("invalid domain name")
    elif len(subject._plain()) not in (4, 16):
        raise ValueError("invalid IP address")
