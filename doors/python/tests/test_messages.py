"""CMS, PKCS #12 and time stamps: there and back, beside `cryptography`, and what is wrong."""

from __future__ import annotations

import datetime
import io
import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography import x509 as theirs
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.hazmat.primitives.serialization import pkcs12 as their_pkcs12

from tagwise import Asn1Error, MessageError, cms, keys, pkcs12, tsp, x509

from .ber import parse
from .test_mutations import damaged

START, END = datetime.datetime(2020, 1, 1), datetime.datetime(2046, 1, 1)
CONTENT = b"Dear Eva\n" * 1000


def certified(key: Any, name: str, *extensions: tuple[x509.ExtensionType, bool], end: Any = END) -> x509.Certificate:
    subject = x509.Name.from_rfc4514_string(f"CN={name}")
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(START)
        .not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    kind = key.kind if isinstance(key, keys.PrivateKey) else ""
    return builder.sign(key, None if kind.startswith(("ed2", "ml")) else "sha384" if kind.endswith("384") else "sha256")


@pytest.fixture(scope="module")
def eva() -> tuple[keys.PrivateKey, x509.Certificate]:
    key = keys.PrivateKey.generate("p-256")
    return key, certified(key, "Eva")


@pytest.fixture(scope="module")
def anna() -> tuple[rsa.RSAPrivateKey, x509.Certificate]:
    key = rsa.generate_private_key(65537, 2048)
    return key, certified(key, "Anna")


def code(call: Any) -> str:
    with pytest.raises(Asn1Error) as caught:
        call()
    assert caught.value.code and str(caught.value)
    return caught.value.code


# ---- Signed data --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["p-256", "p-384", "rsa-2048", "ed25519", "ml-dsa-44"])
@pytest.mark.parametrize("detached", [False, True])
def test_signed_by_keys_of_all_kinds(kind: str, detached: bool) -> None:
    key = keys.PrivateKey.generate(kind)
    certificate = certified(key, kind)
    message = cms.sign(CONTENT, cms.Signer(key, certificate), detached=detached)
    assert (CONTENT in message) is not detached
    verified = cms.verify(message, CONTENT if detached else None)
    assert verified.content == CONTENT and verified.content_type == cms.DATA and verified.is_good
    (signer,) = verified.signers
    assert signer.certificate == certificate and signer.error is None and signer.objections == ()
    assert signer.signing_time is not None and signer.at >= signer.signing_time and signer.at_from == "clock"
    assert [one.subject for one in verified.certificates] == [certificate.subject]
    assert pickle.loads(pickle.dumps(signer)) == signer


def test_signed_by_keys_of_cryptography(anna: tuple[rsa.RSAPrivateKey, x509.Certificate]) -> None:
    key, certificate = anna
    scheme = {None: "RSA-SHA256", "sha512": "RSA-SHA512"}
    for hash, name in scheme.items():
        (signer,) = cms.verify(cms.sign(CONTENT, cms.Signer(key, certificate, hash=hash))).signers
        assert signer.scheme == name
    pss = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.DIGEST_LENGTH)
    (signer,) = cms.verify(cms.sign(CONTENT, cms.Signer(key, certificate, rsa_padding=pss, hash="sha256"))).signers
    assert signer.scheme is not None and signer.scheme.startswith("RSASSA-PSS")
    curve = ec.generate_private_key(ec.SECP384R1())
    (signer,) = cms.verify(cms.sign(CONTENT, cms.Signer(curve, certified(curve, "Curve")))).signers
    assert (signer.scheme, signer.digest) == ("ECDSA-SHA384", "SHA-384")


def test_several_signers(eva: Any, anna: Any) -> None:
    signers = [cms.Signer(*eva, signing_time=None), cms.Signer(*anna, by_key_identifier=True)]
    verified = cms.verify(cms.sign(CONTENT, signers))
    assert [one.certificate for one in verified.signers] == [eva[1], anna[1]] or len(verified.signers) == 2
    assert {one.signing_time is None for one in verified.signers} == {True, False}
    assert {one.at_from for one in verified.signers} == {"clock"}


def test_signed_as_cryptography_signs(anna: Any) -> None:
    key, certificate = anna
    their_certificate = theirs.load_der_x509_certificate(certificate.public_bytes("DER"))
    builder = pkcs7.PKCS7SignatureBuilder().set_data(CONTENT).add_signer(their_certificate, key, hashes.SHA256())
    for options in ([pkcs7.PKCS7Options.Binary], [pkcs7.PKCS7Options.Binary, pkcs7.PKCS7Options.DetachedSignature]):
        message = builder.sign(serialization.Encoding.DER, options)
        detached = len(options) == 2
        verified = cms.verify(message, CONTENT if detached else None)
        assert verified.content == CONTENT and verified.signers[0].certificate == certificate
    message = cms.sign(b"Hello", cms.Signer(key, certificate))
    listed = pkcs7.load_der_pkcs7_certificates(message)
    assert [one.public_bytes(serialization.Encoding.DER) for one in listed] == [certificate.public_bytes("DER")]


def test_messages_that_are_not_good(eva: Any) -> None:
    key, certificate = eva
    message = cms.sign(CONTENT, cms.Signer(key, certificate))
    changed = message.replace(b"Dear Eva", b"Dear Ewa", 1)
    assert code(lambda: cms.verify(changed)) == "digest"
    looked = cms.examine(changed)
    assert not looked.is_good and looked.signers[0].error is not None and looked.content != CONTENT
    tree = parse(message)
    value = tree[1][0].children[-1][0].children[-1]
    value.content = value.content[:-1] + bytes([value.content[-1] ^ 1])
    assert code(lambda: cms.verify(tree.encode())) == "signature"
    assert code(lambda: cms.verify(message[:-1])) and code(lambda: cms.verify(b"")) and code(lambda: cms.verify(b"\x30\0"))
    assert code(lambda: cms.verify(message, CONTENT)) == "invalid"
    detached = cms.sign(CONTENT, cms.Signer(key, certificate), detached=True, certificates=[])
    assert code(lambda: cms.verify(detached)) == "no-content"
    assert code(lambda: cms.verify(detached, CONTENT)) == "no-certificate"
    assert cms.verify(detached, CONTENT, certificates=[certificate]).is_good
    assert code(lambda: cms.verify(detached, CONTENT + b"x", certificates=[certificate])) == "digest"
    assert code(lambda: cms.verify(cms.sign(b"", []))) == "no-signer"
    assert code(lambda: cms.verify(cms.sign(b"", [cms.Signer(key, certificate)] * 3), max_signatures=2)) == "limit"


@pytest.mark.parametrize("by_key_identifier", [False, True])
def test_versions_are_not_compared(eva: Any, by_key_identifier: bool) -> None:
    """RFC 5652 §1.3 calls it reasonable to forgive a sender's version, which §5.3 binds to the form of the identifier."""
    tree = parse(cms.sign(CONTENT, cms.Signer(*eva, by_key_identifier=by_key_identifier)))
    version = tree[1][0].children[-1][0].children[0]
    assert version.content == (b"\x03" if by_key_identifier else b"\x01")
    for other in (b"\x00", b"\x01", b"\x03", b"\x06"):
        version.content = other
        assert cms.verify(tree.encode()).is_good


def test_objections_to_certificates(eva: Any) -> None:
    key = keys.PrivateKey.generate("p-256")
    old = certified(key, "Old", end=datetime.datetime(2021, 1, 1))
    message = cms.sign(b"", cms.Signer(key, old))
    assert code(lambda: cms.verify(message)) == "objection"
    assert "valid" in cms.examine(message).signers[0].objections[0] and not cms.examine(message).is_good
    assert cms.verify(message, at=datetime.datetime(2020, 6, 1)).signers[0].at_from == "given"
    said = cms.Signer(key, old, signing_time=datetime.datetime(2020, 6, 1))
    # A time that the signer claims proves nothing.
    assert code(lambda: cms.verify(cms.sign(b"", said))) == "objection"
    assert cms.examine(cms.sign(b"", said)).signers[0].signing_time == datetime.datetime(
        2020, 6, 1, tzinfo=datetime.timezone.utc
    )
    usage = x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH])
    server = certified(key, "Server", (usage, False))
    message = cms.sign(b"", cms.Signer(key, server))
    assert cms.verify(message).is_good
    assert code(lambda: cms.verify(message, purpose=x509.ExtendedKeyUsageOID.EMAIL_PROTECTION)) == "objection"


def test_keys_that_do_not_belong(eva: Any, anna: Any) -> None:
    assert code(lambda: cms.sign(b"", cms.Signer(eva[0], anna[1]))) == "inconsistent"
    with pytest.raises(TypeError):
        cms.Signer(eva[0], b"")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        cms.sign(b"", cms.Signer(object(), eva[1]))
    with pytest.raises(TypeError):
        cms.sign("text", cms.Signer(*eva))


class Failing:
    """A key whose device is gone."""

    def __init__(self, key: Any) -> None:
        self.key = key

    def public_key(self) -> Any:
        return self.key.public_key()

    def sign(self, *arguments: Any) -> bytes:
        raise RuntimeError("the token is gone")


def test_a_key_that_fails(eva: Any) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(MessageError, match="the token is gone|own function"):
        cms.sign(b"", cms.Signer(Failing(key), certified(key, "Token")))


# ---- Streams ------------------------------------------------------------------------------------


class Pieces(io.RawIOBase):
    """A file that gives little at a time."""

    def __init__(self, data: bytes, size: int = 7) -> None:
        self.data, self.size, self.read_sizes = data, size, 0

    def read(self, size: int = -1) -> bytes:
        size = min(size, self.size)
        piece, self.data = self.data[:size], self.data[size:]
        self.read_sizes += len(piece)
        return piece


@pytest.mark.parametrize("detached", [False, True])
def test_streams(eva: Any, detached: bool) -> None:
    message, content = io.BytesIO(), io.BytesIO()
    cms.sign_stream(Pieces(CONTENT, 1000), message, cms.Signer(*eva), detached=detached)
    made = message.getvalue()
    if not detached:
        assert made[:2] == b"\x30\x80"
    assert cms.verify(made, CONTENT if detached else None).content == CONTENT
    given = Pieces(CONTENT, 999) if detached else None
    verified = cms.verify_stream(Pieces(made), content, given)
    assert content.getvalue() == CONTENT and verified.content == b"" and verified.is_good
    wrong = made.replace(b"Dear Eva", b"Dear Ewa", 1)
    given = Pieces(CONTENT[:-1]) if detached else None
    assert code(lambda: cms.verify_stream(Pieces(wrong), io.BytesIO(), given)) == "digest"
    given = Pieces(CONTENT[:-1]) if detached else None
    assert not cms.examine_stream(Pieces(wrong), io.BytesIO(), given).is_good


class Broken(io.RawIOBase):
    def read(self, size: int = -1) -> bytes:
        raise KeyError("no disk")

    def write(self, data: Any) -> int:
        raise KeyError("no disk")


def test_files_that_fail_raise_their_own(eva: Any) -> None:
    signer = cms.Signer(*eva)
    message = cms.sign(CONTENT, signer)
    with pytest.raises(KeyError):
        cms.sign_stream(Broken(), io.BytesIO(), signer)
    with pytest.raises(KeyError):
        cms.sign_stream(io.BytesIO(CONTENT), Broken(), signer)
    with pytest.raises(KeyError):
        cms.verify_stream(Broken(), io.BytesIO())
    with pytest.raises(KeyError):
        cms.verify_stream(io.BytesIO(message), Broken())

    class TooMuch(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return bytes(size + 1)

    for call in (lambda: cms.verify_stream(TooMuch(), io.BytesIO()), lambda: cms.sign_stream(TooMuch(), io.BytesIO(), signer)):
        with pytest.raises(OSError):
            call()
    with pytest.raises(AttributeError):
        cms.verify_stream(b"", io.BytesIO())  # type: ignore[arg-type]


# ---- Encryption ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cipher", ["aes-256-gcm", "aes-128-gcm", "aes-256-cbc", "AES-128-CBC"])
def test_encrypted_for_recipients(eva: Any, anna: Any, cipher: str) -> None:
    recipients = [
        anna[1],
        cms.Recipient(eva[1], by_key_identifier=True),
        cms.SharedKey(bytes(32), b"key 1"),
        cms.Password("p", iterations=1000),
    ]
    message = cms.encrypt(CONTENT, recipients, cipher=cipher)
    assert CONTENT not in message
    openers = [
        {"key": eva[0], "certificate": eva[1]},
        {"key": anna[0], "certificate": anna[1]},
        {"key": cms.SharedKey(bytes(32))},
        {"key": cms.SharedKey(bytes(32), b"key 1")},
        {"key": cms.Password("p")},
    ]
    for opener in openers:
        opened = cms.decrypt(message, **opener)
        assert opened.content == CONTENT and opened.content_type == cms.DATA
        assert opened.authenticated is ("gcm" in cipher.lower())
    other = keys.PrivateKey.generate("p-256")
    assert code(lambda: cms.decrypt(message, key=other, certificate=certified(other, "Other"))) == "no-recipient"
    for key in (cms.SharedKey(bytes([1] * 32)), cms.Password("q")):
        assert code(lambda: cms.decrypt(message, key=key)) == "integrity"
    assert code(lambda: cms.decrypt(message, key=cms.SharedKey(bytes(32), b"key 2"))) == "no-recipient"
    assert code(lambda: cms.decrypt(message, key=cms.Password("p"), max_iterations=999)) == "limit"
    assert code(lambda: cms.decrypt(message, key=cms.Password("p"), max_content=10)) == "limit"


def test_damage_is_seen(eva: Any) -> None:
    message = cms.encrypt(CONTENT, [eva[1]])
    for at in range(len(message) - 5000, len(message), 997):
        changed = message[:at] + bytes([message[at] ^ 1]) + message[at + 1 :]
        assert code(lambda: cms.decrypt(changed, key=eva[0], certificate=eva[1]))


def test_encrypted_under_a_key() -> None:
    key = bytes(range(32))
    message = cms.encrypt_with_key(CONTENT, key)
    assert cms.decrypt(message, key=cms.ContentKey(key)).content == CONTENT
    assert code(lambda: cms.encrypt_with_key(CONTENT, key[:5])) == "length"
    assert code(lambda: cms.encrypt_with_key(CONTENT, key, cipher="aes-256-gcm")) == "unsupported"
    # CBC has no integrity: the padding of garbage is right once in 256 messages.
    wrong = cms.ContentKey(bytes(32))
    try:
        assert cms.decrypt(message, key=wrong).content != CONTENT
    except Asn1Error as error:
        assert error.code == "integrity"


def test_encrypted_as_cryptography_does(anna: Any) -> None:
    key, certificate = anna
    their_certificate = theirs.load_der_x509_certificate(certificate.public_bytes("DER"))
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(CONTENT).add_recipient(their_certificate)
    message = builder.encrypt(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])
    assert cms.decrypt(message, key=key, certificate=certificate).content == CONTENT
    recipient = cms.Recipient(certificate, transport="pkcs1")
    message = cms.encrypt(CONTENT, [recipient], cipher="aes-128-cbc")
    opened = pkcs7.pkcs7_decrypt_der(message, their_certificate, key, [])
    assert opened == CONTENT


def test_arguments_of_encryption(eva: Any) -> None:
    for recipients in ([b""], [None], [cms.ContentKey(b"")]):
        with pytest.raises(TypeError):
            cms.encrypt(b"", recipients)  # type: ignore[list-item]
    with pytest.raises(ValueError):
        cms.encrypt(b"", [cms.SharedKey(bytes(32))])
    with pytest.raises(ValueError):
        cms.encrypt(b"", [eva[1]], cipher="rot13")
    with pytest.raises(ValueError):
        cms.encrypt(b"", [cms.Recipient(eva[1], transport="none")])
    assert code(lambda: cms.encrypt(b"", []))
    with pytest.raises(TypeError):
        cms.decrypt(b"", key="text")


def test_damaged_messages_raise_what_they_should(eva: Any) -> None:
    source = random.Random(4711)
    signed = cms.sign(CONTENT[:50], cms.Signer(*eva))
    encrypted = cms.encrypt(CONTENT[:50], [eva[1]])
    file = pkcs12.dump([pkcs12.Item.of(eva[0])], "p", iterations=10)
    opened = 0
    for _ in range(300):
        for call, data in (
            (lambda data: cms.examine(data).is_good, signed),
            (lambda data: cms.decrypt(data, key=eva[0], certificate=eva[1]).content == CONTENT[:50], encrypted),
            (lambda data: pkcs12.load(data, "p", max_iterations=100).key is not None, file),
        ):
            try:
                opened += call(damaged(data, source))
            except Asn1Error:
                continue
    assert opened < 300


# ---- PKCS #12 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [None, "modern", "pbmac1", "legacy-windows"])
def test_files_there_and_back(eva: Any, anna: Any, layout: str | None) -> None:
    key, certificate = eva
    file = pkcs12.dump_key_and_certificates("Eva", key, certificate, [anna[1]], "ä pass", layout=layout, iterations=1000)
    bundle = pkcs12.load(file, "ä pass")
    assert bundle.integrity == "verified"
    assert bundle.key is not None and bundle.key.public_key() == key.public_key()
    assert bundle.certificate == certificate and bundle.certificates == [certificate, anna[1]]
    tied = [item for item in bundle.items if item.key_id]
    assert {item.kind for item in tied} == {"private-key", "certificate"} and {item.name for item in tied} == {"Eva"}
    assert len({item.key_id for item in tied}) == 1
    for wrong in ("a pass", "", None):
        assert code(lambda: pkcs12.load(file, wrong)) == "integrity"
    assert code(lambda: pkcs12.load(file, "ä pass", max_iterations=999)) == "limit"
    assert code(lambda: pkcs12.load(file[:-1], "ä pass"))
    if layout != "legacy-windows":
        loaded = their_pkcs12.load_pkcs12(file, "ä pass".encode())
        assert loaded.key is not None and loaded.cert is not None and loaded.cert.friendly_name == b"Eva"


def test_files_of_cryptography(anna: Any) -> None:
    key, certificate = anna
    their_certificate = theirs.load_der_x509_certificate(certificate.public_bytes("DER"))
    file = their_pkcs12.serialize_key_and_certificates(
        b"Anna", key, their_certificate, None, serialization.BestAvailableEncryption(b"pass")
    )
    bundle = pkcs12.load(file, "pass")
    assert bundle.certificate == certificate and bundle.key is not None
    assert [item.name for item in bundle.items if item.kind == "certificate"] == ["Anna"]


def test_files_without_protection(eva: Any) -> None:
    items = [pkcs12.Item.of(eva[0]), pkcs12.Item.of(eva[1])]
    file = pkcs12.dump(items, None, layout="plain")
    assert code(lambda: pkcs12.load(file, None)) == "integrity"
    bundle = pkcs12.load(file, None, allow_no_mac=True)
    assert bundle.integrity == "absent" and bundle.certificate == eva[1]
    assert code(lambda: pkcs12.load_key_and_certificates(file, None)) == "integrity"
    key, certificate, others = pkcs12.load_key_and_certificates(file, None, allow_no_mac=True)
    assert key is not None and certificate == eva[1] and others == []
    for password, layout in ((None, None), (None, "modern"), ("p", "plain"), ("p", "none")):
        with pytest.raises(ValueError):
            pkcs12.dump(items, password, layout=layout)
    with pytest.raises(MessageError):
        pkcs12.dump(items, "p", layout="java-truststore")
    store = pkcs12.dump([pkcs12.Item.of(eva[1], name="root")], "p", layout="java-truststore", iterations=1000)
    assert [item.name for item in pkcs12.load(store, "p").items] == ["root"]


def test_items_keep_their_secrets(eva: Any, anna: Any) -> None:
    item = pkcs12.Item.of(eva[0], name="x")
    assert eva[0].to_pkcs8().hex() not in repr(item) and repr(eva[0].to_pkcs8()) not in repr(item)
    with pytest.raises(TypeError):
        pickle.dumps(item)
    with pytest.raises(TypeError):
        pkcs12.Item.of(b"")
    with pytest.raises(ValueError):
        pkcs12.dump_key_and_certificates(None, eva[0], anna[1], password="p")
    values = [pkcs12.Item.of(one).value for one in (eva[0], eva[1], anna[0])]
    assert isinstance(values[0], keys.PrivateKey) and values[1] == eva[1] and isinstance(values[2], keys.PrivateKey)


# ---- Time stamps --------------------------------------------------------------------------------

POLICY = x509.ObjectIdentifier("1.2.3.4")
USAGE = (x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.TIME_STAMPING]), True)


@pytest.fixture(scope="module", params=["p-256", "rsa-2048"])
def authority(request: pytest.FixtureRequest) -> Iterator[tsp.Authority]:
    key = keys.PrivateKey.generate(request.param)
    yield tsp.Authority(key, certified(key, "TSA", USAGE), POLICY, accuracy=1)


def test_stamps(authority: tsp.Authority) -> None:
    asked = tsp.request(CONTENT)
    moment = datetime.datetime(2026, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc)
    response = authority.reply(asked, time=moment)
    stamp = tsp.verify(response, request=asked)
    assert stamp.time == moment and stamp.policy == POLICY and stamp.serial_number > 0 and stamp.objections == []
    assert stamp.certificate == authority._certificate and stamp.certificates == [stamp.certificate]
    assert "2026-02-03" in repr(stamp) and stamp.info.startswith(b"\x30")
    assert tsp.verify(response, data=CONTENT).serial_number == stamp.serial_number
    import hashlib

    digest = hashlib.sha256(CONTENT).digest()
    assert tsp.verify(response, digest=("sha256", digest)).time == moment
    assert code(lambda: tsp.verify(response, data=CONTENT + b"x")) == "imprint"
    assert code(lambda: tsp.verify(response, digest=("sha256", bytes(32)))) == "imprint"
    assert code(lambda: tsp.verify(response, digest=("sha512", digest))) == "imprint"
    assert code(lambda: tsp.verify(response, request=tsp.request(CONTENT))) == "answer"
    assert code(lambda: tsp.verify(response[:-1], request=asked))
    late = datetime.datetime(2050, 1, 1)
    assert code(lambda: tsp.verify(response, request=asked, at=late)) == "objection"
    assert tsp.examine(response, request=asked, at=late).objections
    assert code(lambda: authority.reply(asked, time=late)) == "invalid"
    assert tsp.examine(authority.reply(asked, time=late, allow_validity=True), request=asked, at=late).objections
    for arguments in ({}, {"data": b"", "request": asked}):
        with pytest.raises(TypeError):
            tsp.verify(response, **arguments)  # type: ignore[arg-type]


def test_requests_that_are_refused(authority: tsp.Authority) -> None:
    other = tsp.request(CONTENT, policy=x509.ObjectIdentifier("1.2.3.5"), hash="sha512")
    refused = authority.reply(other)
    assert code(lambda: tsp.verify(refused, request=other)) == "refused"
    own = tsp.request(CONTENT, policy=POLICY, hash="sha3-256", with_certificate=False)
    stamped = authority.reply(own)
    assert code(lambda: tsp.verify(stamped, request=own)) == "no-certificate"
    assert tsp.verify(stamped, request=own, certificates=[authority._certificate]).policy == POLICY
    with pytest.raises(ValueError):
        tsp.request_digest(bytes(32), "rot13")


def test_certificates_that_are_not_for_stamping() -> None:
    key = keys.PrivateKey.generate("p-256")
    for extensions in ((), ((USAGE[0], False),)):
        unfit = tsp.Authority(key, certified(key, "Not a TSA", *extensions), POLICY)
        assert code(lambda: unfit.reply(tsp.request(CONTENT))) == "invalid"
