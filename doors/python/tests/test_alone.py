"""The package without `cryptography`: a chain is made, read, checked and revoked by its own keys."""

from __future__ import annotations

import subprocess
import sys
import textwrap

PROGRAM = '''
import sys

sys.modules["cryptography"] = None

import datetime
import pickle

from tagwise import keys, x509
from tagwise.x509 import ocsp
from tagwise.x509.exceptions import InvalidSignature, NotInstalled, UnsupportedAlgorithm

KINDS = ("ed25519", "p-256", "rsa-2048", "ml-dsa-44")
START, END = datetime.datetime(2026, 1, 1), datetime.datetime(2036, 1, 1)


def refused(kind, call):
    try:
        call()
    except kind:
        return
    raise AssertionError(kind)


def made(name, key, issuer, issuer_key, ca):
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name.from_rfc4514_string(name))
        .issuer_name(x509.Name.from_rfc4514_string(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(START)
        .not_valid_after(END)
        .add_extension(x509.BasicConstraints(ca, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if ca:
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        builder = builder.add_extension(usage, critical=True)
    else:
        names = x509.SubjectAlternativeName([x509.DNSName("example.org")])
        builder = builder.add_extension(names, critical=False)
        purposes = x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH])
        builder = builder.add_extension(purposes, critical=False)
    pure = issuer_key.kind.startswith(("ed", "ml"))
    return builder.sign(issuer_key, None if pure else "sha256")


for kind in KINDS:
    root_key, leaf_key = keys.PrivateKey.generate(kind), keys.PrivateKey.generate("p-256")
    assert keys.PrivateKey.from_pkcs8(leaf_key.to_pkcs8()).public_key() == leaf_key.public_key()
    root = made("CN=Root", root_key, "CN=Root", root_key, True)
    leaf = made("CN=example.org", leaf_key, "CN=Root", root_key, False)
    root.verify_directly_issued_by(root)
    leaf.verify_directly_issued_by(root)
    refused(ValueError, lambda: root.verify_directly_issued_by(leaf))
    assert isinstance(leaf.public_key(), keys.PublicKey)
    assert leaf.public_key() == leaf_key.public_key()
    assert leaf.signature_hash_algorithm is None or leaf.signature_hash_algorithm.name == "sha256"
    assert x509.load_pem_x509_certificate(leaf.public_bytes("PEM")) == leaf
    assert pickle.loads(pickle.dumps(leaf)) == leaf
    leaf.check()
    algorithm = None if kind.startswith(("ed", "ml")) else "sha256"
    entry = x509.RevokedCertificateBuilder().serial_number(leaf.serial_number).revocation_date(START).build()
    crl = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(root.subject)
        .last_update(START)
        .next_update(END)
        .add_revoked_certificate(entry)
        .add_extension(x509.CRLNumber(1), critical=False)
        .sign(root_key, algorithm)
    )
    assert crl.is_signature_valid(root_key.public_key()) and not crl.is_signature_valid(
        keys.PrivateKey.generate(kind).public_key()
    )
    assert crl.get_revoked_certificate_by_serial_number(leaf.serial_number) is not None
    request = x509.CertificateSigningRequestBuilder().subject_name(leaf.subject).sign(root_key, algorithm)
    assert request.is_signature_valid
    response = (
        ocsp.OCSPResponseBuilder()
        .add_response(leaf, root, "sha256", ocsp.OCSPCertStatus.GOOD, START, END, None, None)
        .responder_id(ocsp.OCSPResponderEncoding.HASH, root)
        .sign(root_key, algorithm)
    )
    assert ocsp.load_der_ocsp_response(response.public_bytes("DER")).certificate_status is ocsp.OCSPCertStatus.GOOD
    if kind in ("p-256", "rsa-2048"):
        verifier = (
            x509.verification.PolicyBuilder()
            .store(x509.verification.Store([root]))
            .time(datetime.datetime(2027, 1, 1))
            .build_server_verifier(x509.DNSName("example.org"))
        )
        assert verifier.verify(leaf, []) == [leaf, root]
    waiting = x509.CertificateSigningRequestBuilder().subject_name(leaf.subject).to_be_signed(
        root_key.public_key(), algorithm
    )
    signature = root_key.sign_as(waiting.algorithm_identifier, waiting.tbs_bytes)
    assert waiting.attach(signature).is_signature_valid
    waiting = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(root.subject)
        .last_update(START)
        .next_update(END)
        .to_be_signed(root_key.public_key(), algorithm)
    )
    signature = root_key.sign(waiting.tbs_bytes, algorithm)
    assert waiting.attach(signature).is_signature_valid(root_key.public_key())
    step = (
        ocsp.OCSPResponseBuilder()
        .add_response(leaf, root, "sha256", ocsp.OCSPCertStatus.GOOD, START, END, None, None)
        .responder_id(ocsp.OCSPResponderEncoding.NAME, root)
        .to_be_signed(algorithm)
    )
    assert step.attach(root_key.sign(step.tbs_bytes, algorithm)).responder_name == root.subject
    refused(InvalidSignature, lambda: waiting.attach(signature[:-1] + bytes([signature[-1] ^ 1])))
    tampered = leaf.public_bytes("DER")[:-1] + bytes([leaf.public_bytes("DER")[-1] ^ 1])
    changed = x509.load_der_x509_certificate(tampered)
    refused(InvalidSignature, lambda: changed.verify_directly_issued_by(root))
    if kind in ("p-256", "rsa-2048"):
        # Padding and ECDSA are objects of `cryptography`.
        refused(NotInstalled, lambda: leaf.signature_algorithm_parameters)
    else:
        assert leaf.signature_algorithm_parameters is None
    refused(TypeError, lambda: pickle.dumps(root_key))
    refused(UnsupportedAlgorithm, lambda: keys.PublicKey(leaf_key.public_key().public_key_info).verify(b"", b"", "sha1"))

print("done")
'''


def test_without_cryptography() -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "done"


def test_exit_with_objects_alive() -> None:
    program = "from tagwise import keys, x509; key = keys.PrivateKey.generate('p-256'); held = [key, x509.Name([])]"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
