"""Verdicts beside those of `cryptography`: the same chains, the same policies, the same arguments, one thing changed at a time."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from cryptography import x509 as theirs
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, padding, rsa
from cryptography.x509 import verification as their_verification

from tagwise import _native, keys, x509
from tagwise.x509 import verification

START, NOW, END = (datetime.datetime(year, 1, 1) for year in (2026, 2027, 2028))
HOST = "example.org"
ANY, SERVER, CLIENT = "2.5.29.37.0", "1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"
UNKNOWN = "1.2.3.4.5"

KEYS = {name: ec.generate_private_key(ec.SECP256R1()) for name in ("root", "ca", "leaf")}


def usage(**bits: bool) -> x509.KeyUsage:
    names = x509.KeyUsage._fields
    return x509.KeyUsage(**{name: bits.get(name, False) for name in names})


def purposes(*dotted: str) -> x509.ExtendedKeyUsage:
    return x509.ExtendedKeyUsage([x509.ObjectIdentifier(one) for one in dotted])


@dataclass(frozen=True)
class Made:
    """One certificate; `with_extension` and `without` change a copy."""

    subject: str
    issuer: str
    key: Any
    issuer_key: Any
    ca: bool
    extensions: dict[str, tuple[x509.ExtensionType, bool]] = field(default_factory=dict)
    algorithm: Any = field(default_factory=hashes.SHA256)
    rsa_padding: Any = None
    serial: int = 4711
    times: str = "utc"

    def with_extension(self, value: x509.ExtensionType, critical: bool = False) -> Made:
        return replace(self, extensions=self.extensions | {value.oid.dotted_string: (value, critical)})

    def without(self, kind: type[x509.ExtensionType]) -> Made:
        return replace(
            self, extensions={oid: one for oid, one in self.extensions.items() if oid != kind.oid.dotted_string}
        )

    def der(self) -> bytes:
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name.from_rfc4514_string(self.subject))
            .issuer_name(x509.Name.from_rfc4514_string(self.issuer))
            .public_key(self.key.public_key())
            .serial_number(self.serial)
            .not_valid_before(START)
            .not_valid_after(END)
        )
        for value, critical in self.extensions.values():
            builder = builder.add_extension(value, critical)
        signed = builder.sign(self.issuer_key, self.algorithm, rsa_padding=self.rsa_padding)
        if self.times == "utc":
            return signed.public_bytes("DER")
        return self.resigned(signed)

    def resigned(self, signed: x509.Certificate) -> bytes:
        """The same with its last day as a GeneralizedTime, which the builder does not write."""
        tbs = signed.tbs_certificate_bytes
        old = b"\x17\x0d280101000000Z"
        assert tbs.count(old) == 1 and tbs[1] == 0x82
        body = tbs[4:].replace(old, b"\x18\x0f20280101000000Z")
        at = body.index(b"\x30\x1e\x17\x0d") + 1
        body = body[:at] + b"\x20" + body[at + 1 :]
        tbs = b"\x30\x82" + len(body).to_bytes(2, "big") + body
        signature = self.issuer_key.sign(tbs, ec.ECDSA(self.algorithm))
        return _native.write_signed(tbs, signed._algorithms[1], signature)


def identified(made: Made, key: Any, issuer_key: Any) -> Made:
    made = made.with_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()))
    return made.with_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()))


def authority(subject: str, issuer: str, key: Any, issuer_key: Any) -> Made:
    made = identified(Made(subject, issuer, key, issuer_key, True), key, issuer_key)
    made = made.with_extension(x509.BasicConstraints(True, None), True)
    return made.with_extension(usage(key_cert_sign=True, crl_sign=True), True)


def root() -> Made:
    return authority("CN=Root", "CN=Root", KEYS["root"], KEYS["root"])


def intermediate() -> Made:
    return authority("CN=CA", "CN=Root", KEYS["ca"], KEYS["root"])


def leaf() -> Made:
    made = identified(Made(f"CN={HOST}", "CN=CA", KEYS["leaf"], KEYS["ca"], False), KEYS["leaf"], KEYS["ca"])
    made = made.with_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]))
    made = made.with_extension(purposes(SERVER, CLIENT))
    return made.with_extension(usage(digital_signature=True), True)


@dataclass(frozen=True)
class Chain:
    root: Made
    ca: Made
    leaf: Made


Changed = Callable[[Chain], Chain]


def at(place: str, change: Callable[[Made], Made]) -> Changed:
    return lambda chain: replace(chain, **{place: change(getattr(chain, place))})


def verdict(which: Any, x509_of: Any, chain: list[bytes], policies: str, kind: str, store: int) -> bool:
    """True if a chain is accepted by one of the two packages."""
    parsed = [x509_of.load_der_x509_certificate(der) for der in chain]
    trusted, sent = parsed[store:], parsed[1:store] or []
    builder = which.PolicyBuilder().store(which.Store(trusted)).time(NOW)
    if policies != "default":
        policy = which.ExtensionPolicy
        ca = policy.permit_all().require_present(x509_of.BasicConstraints, which.Criticality.AGNOSTIC, None)
        ee = policy.permit_all()
        if kind == "server":
            ee = ee.require_present(x509_of.SubjectAlternativeName, which.Criticality.AGNOSTIC, None)
        builder = builder.extension_policies(ca_policy=ca, ee_policy=ee)
    if kind == "server":
        verifier = builder.build_server_verifier(x509_of.DNSName(HOST))
    else:
        verifier = builder.build_client_verifier()
    try:
        verifier.verify(parsed[0], sent)
    except which.VerificationError:
        return False
    return True


def both(chain: Chain, policies: str = "default", kind: str = "server", store: int = 2) -> tuple[bool, bool]:
    ders = [chain.leaf.der(), chain.ca.der(), chain.root.der()]
    return (
        verdict(verification, x509, ders, policies, kind, store),
        verdict(their_verification, theirs, ders, policies, kind, store),
    )


def key_identifier(key: Any) -> bytes:
    return x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest


def rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def ca_key(key: Any, algorithm: Any = None, rsa_padding: Any = None) -> Changed:
    """The CA has another key, and signs the leaf with it."""
    digest = hashes.SHA256() if algorithm is None else algorithm

    def changed(chain: Chain) -> Chain:
        leaf = identified(chain.leaf, KEYS["leaf"], key)
        leaf = replace(leaf, issuer_key=key, algorithm=None if algorithm == "pure" else digest, rsa_padding=rsa_padding)
        return replace(chain, ca=identified(replace(chain.ca, key=key), key, KEYS["root"]), leaf=leaf)

    return changed


CHANGES: dict[str, Changed] = {
    "nothing": lambda chain: chain,
    # Purposes
    "any purpose in the leaf": at("leaf", lambda made: made.with_extension(purposes(ANY))),
    "any purpose besides in the leaf": at("leaf", lambda made: made.with_extension(purposes(SERVER, CLIENT, ANY))),
    "another purpose in the leaf": at("leaf", lambda made: made.with_extension(purposes("1.3.6.1.5.5.7.3.3"))),
    "no purpose in the leaf": at("leaf", lambda made: made.without(x509.ExtendedKeyUsage)),
    "critical purposes in the leaf": at("leaf", lambda made: made.with_extension(purposes(SERVER, CLIENT), True)),
    "any purpose in the CA": at("ca", lambda made: made.with_extension(purposes(ANY))),
    "another purpose in the CA": at("ca", lambda made: made.with_extension(purposes("1.3.6.1.5.5.7.3.3"))),
    "critical purposes in the CA": at("ca", lambda made: made.with_extension(purposes(SERVER, CLIENT), True)),
    # Key usage
    "no key usage in the CA": at("ca", lambda made: made.without(x509.KeyUsage)),
    "no key usage in the root": at("root", lambda made: made.without(x509.KeyUsage)),
    "key usage of the CA is not critical": at(
        "ca", lambda made: made.with_extension(usage(key_cert_sign=True, crl_sign=True), False)
    ),
    "key usage of the CA signs no certificates": at("ca", lambda made: made.with_extension(usage(crl_sign=True), True)),
    "key usage of the leaf signs certificates": at(
        "leaf", lambda made: made.with_extension(usage(digital_signature=True, key_cert_sign=True), True)
    ),
    "no key usage in the leaf": at("leaf", lambda made: made.without(x509.KeyUsage)),
    # Basic constraints
    "basic constraints of the CA are not critical": at(
        "ca", lambda made: made.with_extension(x509.BasicConstraints(True, None), False)
    ),
    "no basic constraints in the CA": at("ca", lambda made: made.without(x509.BasicConstraints)),
    "no basic constraints in the root": at("root", lambda made: made.without(x509.BasicConstraints)),
    "the leaf is a CA": at("leaf", lambda made: made.with_extension(x509.BasicConstraints(True, None), True)),
    # Identifiers
    "no authority key identifier in the leaf": at("leaf", lambda made: made.without(x509.AuthorityKeyIdentifier)),
    "critical authority key identifier in the CA": at(
        "ca",
        lambda made: made.with_extension(
            x509.AuthorityKeyIdentifier(key_identifier(KEYS["root"]), None, None), True
        ),
    ),
    "authority key identifier without a key in the CA": at(
        "ca",
        lambda made: made.with_extension(
            x509.AuthorityKeyIdentifier(
                None, [x509.DirectoryName(x509.Name.from_rfc4514_string("CN=Root"))], 4711
            )
        ),
    ),
    "critical subject key identifier in the CA": at(
        "ca", lambda made: made.with_extension(x509.SubjectKeyIdentifier(key_identifier(KEYS["ca"])), True)
    ),
    "critical subject key identifier in the leaf": at(
        "leaf", lambda made: made.with_extension(x509.SubjectKeyIdentifier(key_identifier(KEYS["leaf"])), True)
    ),
    "critical access in the leaf": at(
        "leaf",
        lambda made: made.with_extension(
            x509.AuthorityInformationAccess(
                [
                    x509.AccessDescription(
                        x509.AuthorityInformationAccessOID.OCSP, x509.UniformResourceIdentifier("http://a.example")
                    )
                ]
            ),
            True,
        ),
    ),
    # Names
    "critical names beside a subject": at(
        "leaf", lambda made: made.with_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), True)
    ),
    "another name": at(
        "leaf", lambda made: made.with_extension(x509.SubjectAlternativeName([x509.DNSName("example.net")]))
    ),
    "name constraints in the leaf": at(
        "leaf", lambda made: made.with_extension(x509.NameConstraints([x509.DNSName(HOST)], None), True)
    ),
    "name constraints that hold": at(
        "ca", lambda made: made.with_extension(x509.NameConstraints([x509.DNSName(HOST)], None), True)
    ),
    "name constraints that do not hold": at(
        "ca", lambda made: made.with_extension(x509.NameConstraints([x509.DNSName("example.net")], None), True)
    ),
    # What nobody understands
    "an unknown critical extension in the leaf": at(
        "leaf",
        lambda made: made.with_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(UNKNOWN), b"\x05\x00"), True
        ),
    ),
    "an unknown critical extension in the CA": at(
        "ca",
        lambda made: made.with_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(UNKNOWN), b"\x05\x00"), True
        ),
    ),
    "an unknown critical extension in the root": at(
        "root",
        lambda made: made.with_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(UNKNOWN), b"\x05\x00"), True
        ),
    ),
    # Times
    "GeneralizedTime before 2050 in the leaf": at("leaf", lambda made: replace(made, times="general")),
    "GeneralizedTime before 2050 in the CA": at("ca", lambda made: replace(made, times="general")),
    "GeneralizedTime before 2050 in the root": at("root", lambda made: replace(made, times="general")),
    # Algorithms
    "ECDSA with SHA-224": at("leaf", lambda made: replace(made, algorithm=hashes.SHA224())),
    "ECDSA with SHA-512": at("leaf", lambda made: replace(made, algorithm=hashes.SHA512())),
    "ECDSA with SHA3-256": at("leaf", lambda made: replace(made, algorithm=hashes.SHA3_256())),
    "the CA has RSA": ca_key(rsa_key()),
    "the CA signs by PSS": ca_key(
        rsa_key(), None, padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.DIGEST_LENGTH)
    ),
    "the CA signs by PSS with a longer salt": ca_key(rsa_key(), None, padding.PSS(padding.MGF1(hashes.SHA256()), 48)),
    "the CA signs by PSS with two digests": ca_key(rsa_key(), None, padding.PSS(padding.MGF1(hashes.SHA384()), 32)),
    "the CA has P-384": ca_key(ec.generate_private_key(ec.SECP384R1()), hashes.SHA384()),
    "the CA has secp256k1": ca_key(ec.generate_private_key(ec.SECP256K1())),
    "the CA has Ed25519": ca_key(ed25519.Ed25519PrivateKey.generate(), "pure"),
    "the CA has DSA": ca_key(dsa.generate_private_key(2048)),
    "the leaf has Ed25519": at("leaf", lambda made: replace(made, key=ed25519.Ed25519PrivateKey.generate())),
}

#: Where more is asked than `cryptography` does, and by which clause.
STRICTER = {
    ("key usage of the CA signs no certificates", "open"): "RFC 5280 §6.1.4 (n): path validation itself asks for it",
    ("critical subject key identifier in the leaf", "default"): "RFC 5280 §4.2.1.2: it is marked as non-critical",
}


def chain() -> Chain:
    return Chain(root(), intermediate(), leaf())


@pytest.mark.parametrize("kind", ["server", "client"])
@pytest.mark.parametrize("policies", ["default", "open"])
@pytest.mark.parametrize("change", CHANGES)
def test_verdicts(change: str, policies: str, kind: str) -> None:
    ours, other = both(CHANGES[change](chain()), policies, kind)
    assert (ours, other) == ((False, True) if (change, policies) in STRICTER else (other, other))


def test_the_changes_are_seen() -> None:
    """Both verdicts are among the outcomes of the default policies, so that the comparison says something."""
    outcomes = {change: both(CHANGES[change](chain()))[1] for change in CHANGES}
    assert outcomes["nothing"]
    assert 10 < sum(outcomes.values()) < len(CHANGES) - 15


SELF = {
    "a server": leaf,
    "its own issuer": lambda: replace(
        identified(leaf(), KEYS["leaf"], KEYS["leaf"]), issuer=f"CN={HOST}", issuer_key=KEYS["leaf"]
    ),
    "a CA": lambda: root().with_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)])),
    "signed with SHA-224": lambda: replace(leaf(), algorithm=hashes.SHA224()),
    "for another host": lambda: leaf().with_extension(x509.SubjectAlternativeName([x509.DNSName("example.net")])),
    "a key of Ed25519": lambda: replace(leaf(), key=ed25519.Ed25519PrivateKey.generate()),
}


@pytest.mark.parametrize("kind", ["server", "client"])
@pytest.mark.parametrize("policies", ["default", "open"])
@pytest.mark.parametrize("what", SELF)
def test_a_leaf_that_is_trusted(what: str, policies: str, kind: str) -> None:
    ders = [SELF[what]().der()]
    ours = verdict(verification, x509, ders, policies, kind, 0)
    assert ours == verdict(their_verification, theirs, ders, policies, kind, 0)


def test_another_path_where_a_policy_refuses_one() -> None:
    """Two CAs of one name and key: the one without a key usage is left out, whichever comes first."""
    bare, good = intermediate().without(x509.KeyUsage).der(), replace(intermediate(), serial=4712).der()
    for sent in ([bare, good], [good, bare]):
        for module, names in ((verification, x509), (their_verification, theirs)):
            parsed = [names.load_der_x509_certificate(der) for der in (leaf().der(), *sent)]
            store = module.Store([names.load_der_x509_certificate(root().der())])
            verifier = module.PolicyBuilder().store(store).time(NOW).build_server_verifier(names.DNSName(HOST))
            found = verifier.verify(parsed[0], parsed[1:])
            assert found[1].serial_number == 4712


def outcome(call: Callable[[], Any]) -> type[BaseException] | None:
    try:
        call()
    except Exception as error:
        return type(error)
    return None


def arguments(module: Any, names: Any) -> dict[str, Callable[[], Any]]:
    """Calls with one argument that is wrong."""
    certificate = names.load_der_x509_certificate(leaf().der())
    trusted = names.load_der_x509_certificate(root().der())
    builder, policy = module.PolicyBuilder(), module.ExtensionPolicy
    ready = builder.store(module.Store([trusted])).time(NOW)
    server, client = ready.build_server_verifier(names.DNSName(HOST)), ready.build_client_verifier()
    agnostic, kind = module.Criticality.AGNOSTIC, names.KeyUsage
    anything: Any = object()
    return {
        "store of nothing": lambda: module.Store([]),
        "store of text": lambda: module.Store(["x"]),
        "store that is text": lambda: module.Store("x"),
        "store that is none": lambda: module.Store(None),
        "store of an iterator": lambda: module.Store(iter([trusted])),
        "store of a set": lambda: module.Store({trusted}),
        "store of a tuple": lambda: module.Store((trusted,)),
        "time that is a date": lambda: builder.time(datetime.date(2027, 1, 1)),
        "time that is a number": lambda: builder.time(0),
        "depth that is text": lambda: builder.max_chain_depth("8"),
        "depth that is a fraction": lambda: builder.max_chain_depth(1.5),
        "depth below 0": lambda: builder.max_chain_depth(-1),
        "depth over 255": lambda: builder.max_chain_depth(256),
        "depth of 255": lambda: builder.max_chain_depth(255),
        "trust that is a list": lambda: builder.store([trusted]),
        "policies that are none": lambda: builder.extension_policies(ca_policy=None, ee_policy=None),
        "policies by position": lambda: builder.extension_policies(policy.permit_all(), policy.permit_all()),
        "policy of a value": lambda: policy.permit_all().require_not_present(anything),
        "policy of another class": lambda: policy.permit_all().require_not_present(int),
        "criticality as text": lambda: policy.permit_all().may_be_present(kind, "critical", None),
        "criticality that is none": lambda: policy.permit_all().require_present(kind, None, None),
        "validator by its name": lambda: policy.permit_all().may_be_present(kind, agnostic, validator_cb=None),
        "a rule given again": lambda: policy.permit_all().require_not_present(kind).require_not_present(kind),
        "policy that is constructed": lambda: policy("all", {}),
        "verifier that is constructed": lambda: module.ServerVerifier(None, None, None, None),
        "subject that is text": lambda: ready.build_server_verifier(HOST),
        "subject that is none": lambda: ready.build_server_verifier(None),
        "subject with a space": lambda: ready.build_server_verifier(names.DNSName("a b")),
        "subject with a dot at its end": lambda: ready.build_server_verifier(names.DNSName("example.org.")),
        "subject with an underscore": lambda: ready.build_server_verifier(names.DNSName("a_b.example")),
        "subject of nothing": lambda: ready.build_server_verifier(names.DNSName("")),
        "subject with a wildcard": lambda: ready.build_server_verifier(names.DNSName("*.example.org")),
        "subject that is a network": lambda: ready.build_server_verifier(
            names.IPAddress(ipaddress.ip_network("10.0.0.0/8"))
        ),
        "subject of another kind": lambda: ready.build_server_verifier(names.RFC822Name("a@example.org")),
        "no trust": lambda: builder.build_client_verifier(),
        "leaf that is bytes": lambda: server.verify(b"", []),
        "leaf that is none": lambda: client.verify(None, []),
        "intermediates that are none": lambda: server.verify(certificate, None),
        "intermediates that are text": lambda: server.verify(certificate, ["x"]),
        "intermediates from an iterator": lambda: client.verify(certificate, iter([trusted])),
        "no path": lambda: server.verify(certificate, []),
    }


@pytest.mark.parametrize("what", arguments(verification, x509))
def test_arguments(what: str) -> None:
    ours, other = outcome(arguments(verification, x509)[what]), outcome(arguments(their_verification, theirs)[what])
    name = None if other is None else other.__name__
    assert (None if ours is None else ours.__name__) == name


def malformed() -> dict[str, Chain]:
    """Chains with an extension whose value is not what its type says."""
    broken = {}
    for place in ("leaf", "ca", "root"):
        for oid in ("2.5.29.17", "2.5.29.15", "2.5.29.37", "2.5.29.30", "2.5.29.32", "2.5.29.19", "1.3.6.1.5.5.7.1.1"):
            kind = x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), b"\x30\x03\x02\x01")
            broken[f"{oid} in the {place}"] = at(place, lambda made, kind=kind: made.with_extension(kind))(chain())
        # A name of a kind that has no class: x400Address.
        names = x509.UnrecognizedExtension(x509.ExtensionOID.SUBJECT_ALTERNATIVE_NAME, b"\x30\x02\xa3\x00")
        broken[f"an unknown name form in the {place}"] = at(
            place, lambda made, kind=names: made.with_extension(kind)
        )(chain())
    return broken


@pytest.mark.parametrize("kind", ["server", "client"])
@pytest.mark.parametrize("what", malformed())
def test_malformed_extensions_refuse_the_chain(what: str, kind: str) -> None:
    made = malformed()[what]
    ders = [made.leaf.der(), made.ca.der(), made.root.der()]
    # Whatever else is raised is an error of this test.
    assert verdict(verification, x509, ders, "default", kind, 2) is False
    verdict(verification, x509, ders, "open", kind, 2)


def test_ml_dsa_chains() -> None:
    root_key, leaf_key = keys.PrivateKey.generate("ml-dsa-65"), keys.PrivateKey.generate("ml-dsa-44")
    top = identified(Made("CN=Root", "CN=Root", root_key, root_key, True, algorithm=None), root_key, root_key)
    top = top.with_extension(x509.BasicConstraints(True, None), True)
    top = top.with_extension(usage(key_cert_sign=True), True)
    bottom = identified(replace(leaf(), key=leaf_key, issuer="CN=Root", issuer_key=root_key), leaf_key, root_key)
    ders = [replace(bottom, algorithm=None).der(), top.der()]
    assert verdict(verification, x509, ders, "default", "server", 1)
    assert verdict(their_verification, theirs, ders, "default", "server", 1)
