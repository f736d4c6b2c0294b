"""Signing in two steps: what is to be signed goes to a key that is elsewhere, and its signature is attached."""

from __future__ import annotations

import datetime
import pickle
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.x509 import ocsp as their_ocsp

from tagwise import x509
from tagwise.x509 import ocsp

NAME = x509.Name.from_rfc4514_string("CN=Somebody")
START, END = datetime.datetime(2026, 1, 1), datetime.datetime(2027, 1, 1)

ED, EC, RSA = ed25519.Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048)
PSS = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.MAX_LENGTH)
#: A key, its hash, its padding, and what it does elsewhere.
WAYS: dict[str, tuple[Any, Any, Any, Any]] = {
    "Ed25519": (ED, None, None, ED.sign),
    "ECDSA": (EC, "sha256", None, lambda data: EC.sign(data, ec.ECDSA(hashes.SHA256()))),
    "PKCS #1": (RSA, hashes.SHA256(), None, lambda data: RSA.sign(data, padding.PKCS1v15(), hashes.SHA256())),
    "PSS": (RSA, hashes.SHA256(), PSS, lambda data: RSA.sign(data, PSS, hashes.SHA256())),
}


def certificate_builder(public_key: Any) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(NAME)
        .issuer_name(NAME)
        .public_key(public_key)
        .serial_number(4711)
        .not_valid_before(START)
        .not_valid_after(END)
    )


def response_builder(certificate: x509.Certificate, encoding: ocsp.OCSPResponderEncoding) -> ocsp.OCSPResponseBuilder:
    good = ocsp.OCSPCertStatus.GOOD
    return (
        ocsp.OCSPResponseBuilder()
        .add_response(certificate, certificate, hashes.SHA256(), good, START, END, None, None)
        .responder_id(encoding, certificate)
        .certificates([certificate])
        .add_extension(x509.OCSPNonce(b"a nonce of 16 by"), critical=False)
    )


def waiting(what: str, way: str) -> Any:
    key, algorithm, rsa_padding, _ = WAYS[way]
    public = key.public_key()
    if what == "certificate":
        return certificate_builder(public).to_be_signed(public, algorithm, rsa_padding=rsa_padding)
    if what == "request":
        request = x509.CertificateSigningRequestBuilder().subject_name(NAME)
        return request.to_be_signed(public, algorithm, rsa_padding=rsa_padding)
    if what == "list":
        entry = x509.RevokedCertificateBuilder().serial_number(1).revocation_date(START).build()
        crl = x509.CertificateRevocationListBuilder().issuer_name(NAME).last_update(START).next_update(END)
        crl = crl.add_revoked_certificate(entry)
        return crl.to_be_signed(public, algorithm, rsa_padding=rsa_padding)
    certificate = certificate_builder(public).sign(key, algorithm)
    builder = response_builder(certificate, ocsp.OCSPResponderEncoding.HASH)
    return builder.to_be_signed(algorithm, rsa_padding=rsa_padding)


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("what", ["certificate", "request", "list", "response"])
def test_attach(what: str, way: str) -> None:
    first = waiting(what, way)
    signature = WAYS[way][3](first.tbs_bytes)
    # The second step may be another process's.
    for step in (first, pickle.loads(pickle.dumps(first))):
        made = step.attach(signature)
        assert made.signature == signature
        tbs = next(
            getattr(made, name)
            for name in ("tbs_certificate_bytes", "tbs_certrequest_bytes", "tbs_certlist_bytes", "tbs_response_bytes")
            if hasattr(made, name)
        )
        assert tbs == first.tbs_bytes
        if way == "PSS":
            assert made.signature_algorithm_oid == x509.SignatureAlgorithmOID.RSASSA_PSS
    with pytest.raises(InvalidSignature):
        first.attach(signature[:-1] + bytes([signature[-1] ^ 1]))
    with pytest.raises(InvalidSignature):
        first.attach(b"")


@pytest.mark.parametrize("encoding", list(ocsp.OCSPResponderEncoding))
def test_a_response_as_cryptography_reads_it(encoding: ocsp.OCSPResponderEncoding) -> None:
    certificate = certificate_builder(EC.public_key()).sign(EC, hashes.SHA256())
    step = response_builder(certificate, encoding).to_be_signed("sha256")
    der = step.attach(WAYS["ECDSA"][3](step.tbs_bytes)).public_bytes("DER")
    theirs = their_ocsp.load_der_ocsp_response(der)
    EC.public_key().verify(theirs.signature, theirs.tbs_response_bytes, ec.ECDSA(hashes.SHA256()))
    assert theirs.serial_number == 4711 and len(theirs.certificates) == 1
    assert (theirs.responder_name is None) == (encoding is ocsp.OCSPResponderEncoding.HASH)
    assert len(theirs.extensions) == 1


def test_steps_that_lack_something() -> None:
    certificate = certificate_builder(EC.public_key()).sign(EC, hashes.SHA256())
    with pytest.raises(ValueError, match="must add a response"):
        ocsp.OCSPResponseBuilder().to_be_signed("sha256")
    good = ocsp.OCSPCertStatus.GOOD
    answered = ocsp.OCSPResponseBuilder().add_response(certificate, certificate, "sha256", good, START, END, None, None)
    with pytest.raises(ValueError, match="must add a responder_id"):
        answered.to_be_signed("sha256")
    named = answered.responder_id(ocsp.OCSPResponderEncoding.NAME, certificate)
    with pytest.raises(TypeError, match="hash"):
        named.to_be_signed(None)
    with pytest.raises(TypeError, match="RSA"):
        named.to_be_signed("sha256", rsa_padding=PSS)
