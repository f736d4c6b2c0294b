"""S/MIME: mail signed and encrypted, and read as other programs write it."""

from __future__ import annotations

import datetime
import email
import email.message
import email.policy
import pathlib
import shutil
import subprocess
from typing import Any

import pytest

from tagwise import MessageError, cms, keys, pem, smime, x509

START = datetime.datetime(2026, 1, 1)


def certified(name: str, purpose: x509.ObjectIdentifier, issuer: Any = None, ca: bool = False, mailbox: str = "") -> tuple[keys.PrivateKey, x509.Certificate]:
    key = keys.PrivateKey.generate("rsa-2048" if purpose == x509.ExtendedKeyUsageOID.EMAIL_PROTECTION and not ca else "p-256")
    subject = x509.Name.from_rfc4514_string(f"CN={name}")
    above_key, above = issuer or (key, None)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(above.subject if above is not None else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(START)
        .not_valid_after(datetime.datetime(2056, 1, 1))
        .add_extension(x509.BasicConstraints(ca, None), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(above_key.public_key()), False)
    )
    if mailbox:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.RFC822Name(mailbox)]), False)
    if ca:
        builder = builder.add_extension(x509.KeyUsage(False, False, False, False, False, True, True, False, False), True)
    else:
        usage = x509.KeyUsage(True, False, True, False, False, False, False, False, False)
        builder = builder.add_extension(usage, True).add_extension(x509.ExtendedKeyUsage([purpose]), False)
    return key, builder.sign(above_key, "sha256")


EMAIL, SERVER = x509.ExtendedKeyUsageOID.EMAIL_PROTECTION, x509.ExtendedKeyUsageOID.SERVER_AUTH
CODE, STAMP = x509.ExtendedKeyUsageOID.CODE_SIGNING, x509.ExtendedKeyUsageOID.TIME_STAMPING
CA = certified("CA", EMAIL, ca=True)
EVA = certified("Eva", EMAIL, CA)
ENTITY = b"Content-Type: text/plain\r\n\r\nDear Anna,\r\n--\r\n.\r\n"


@pytest.mark.parametrize("clear", [True, False])
@pytest.mark.parametrize("ends", [b"\r\n", b"\n"])
def test_signed(clear: bool, ends: bytes) -> None:
    mail = smime.sign(ENTITY, cms.Signer(*EVA), clear=clear, headers={"From": "eva@example.com", "Subject": "a mail"})
    parsed = email.message_from_bytes(mail, policy=email.policy.default)
    assert parsed["Subject"] == "a mail" and parsed.get_content_type() == ("multipart/signed" if clear else "application/pkcs7-mime")
    carried = mail.replace(b"\r\n", ends)
    found = smime.verify(carried, trust=cms.Trust([CA[1]]))
    assert found.content == ENTITY and found.signers[0].path == [EVA[1], CA[1]]
    changed = carried.replace(b"Anna", b"Anne") if clear else carried
    if clear:
        with pytest.raises(MessageError) as caught:
            smime.verify(changed)
        assert caught.value.code == "digest"
    inside = email.message_from_bytes(b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\n" + carried + b"\n--x--\n")
    # The reader of the outer mail sees its header, which is not signed.
    with pytest.raises(MessageError, match="1 part is not signed") as caught:
        smime.verify(inside.as_bytes())
    assert caught.value.code == "unsigned-parts"
    assert smime.verify(inside.as_bytes(), allow_unsigned_parts=True).content == ENTITY


@pytest.mark.parametrize("cipher", ["aes-256-gcm", "aes-128-cbc"])
def test_encrypted(cipher: str) -> None:
    signed = smime.sign(ENTITY, cms.Signer(*EVA))
    mail = smime.encrypt(signed, [EVA[1]], cipher=cipher, headers={"To": "eva@example.com"})
    assert b"Anna" not in mail and b"smime-type=" + (b"authEnveloped" if "gcm" in cipher else b"enveloped") + b"-data" in mail
    opened = smime.decrypt(mail, key=EVA[0], certificate=EVA[1])
    assert opened.content == signed and smime.verify(opened.content).content == ENTITY
    with pytest.raises(ValueError, match="signed and not encrypted"):
        smime.decrypt(signed, key=EVA[0])


def test_no_message() -> None:
    for mail in (b"", b"Subject: x\n\nhello\n", b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nhello\n--a--\n"):
        with pytest.raises(ValueError, match="no S/MIME message"):
            smime.parse(mail)
    for mail, text in (
        (b"Content-Type: multipart/signed\n\n", "multipart without a boundary"),
        (b"Content-Type: multipart/signed; boundary=a\n\n--a\n\n--a--\n", "multipart/signed has 1 parts, expected 2"),
    ):
        with pytest.raises(ValueError, match=text):
            smime.parse(mail)
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number) for number in range(100))
    with pytest.raises(ValueError):
        smime.parse(deep)
    with pytest.raises(ValueError, match="malformed header"):
        smime.sign(ENTITY, cms.Signer(*EVA), headers={"Subject": "a\r\nBcc: b"})


def test_only_whole_mails_of_the_signer_are_good() -> None:
    signer = cms.Signer(*certified("Eva", EMAIL, CA, mailbox="eva@example.org"))
    mail = smime.sign(ENTITY, signer, headers={"From": "Eva <eva@example.org>", "Subject": "a mail"})
    assert smime.verify(mail).content == ENTITY

    def refused(mail: bytes, **allowed: bool) -> str:
        with pytest.raises(ValueError) as caught:
            smime.verify(mail, **allowed)
        return str(caught.value)

    # RFC 8550 §3.
    other = mail.replace(b"<eva@", b"<boss@")
    text = "the sender boss@example.org is not in the signer's certificate, which has eva@example.org (RFC 8550 §3)"
    assert text in refused(other) and smime.verify(other, allow_headers=True).content == ENTITY
    assert smime.verify(other, purpose=None, allow_headers=True).is_good
    twice = b"From: boss@example.org\r\n" + mail
    assert "2 fields From" in refused(twice)
    # RFC 1847 §2.1.
    boundary = mail.split(b'boundary="')[1].split(b'"')[0]
    third = mail.replace(b"--" + boundary + b"--", b"--" + boundary + b"\r\n\r\nnot signed\r\n--" + boundary + b"--")
    assert "multipart/signed has 3 parts, expected 2" in refused(third, allow_unsigned_parts=True)
    plain = mail.replace(b"Content-Type: application/pkcs7-signature", b"Content-Type: text/plain")
    assert "the second part of multipart/signed is text/plain" in refused(plain)
    # A part that no signature covers.
    body = mail.partition(b"Content-Type: multipart/signed")
    around = b"From: eva@example.org\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n"
    mixed = around + b"\r\nnot signed\r\n--m\r\n" + body[1] + body[2] + b"\r\n--m--\r\n"
    assert "1 part is not signed" in refused(mixed)
    assert smime.verify(mixed, allow_unsigned_parts=True).content == ENTITY
    several = around + body[1] + body[2] + b"\r\n--m\r\n" + body[1] + body[2] + b"\r\n--m--\r\n"
    assert "2 S/MIME messages, expected 1" in refused(several, allow_unsigned_parts=True)
    # RFC 9788.
    inside = b'Content-Type: text/plain; hp="clear"\r\nFrom: eva@example.org\r\nSubject: Dinner\r\n\r\nHi\r\n'
    mail = smime.sign(inside, signer, headers={"From": "eva@example.org", "Subject": "Dinner"})
    assert smime.verify(mail).content == inside
    changed = mail.replace(b"Subject: Dinner", b"Subject: Lunch", 1)
    assert 'Subject differs outside: "Lunch", expected "Dinner"' in refused(changed)


BINARY = b"Content-Type: image/png\r\nContent-Transfer-Encoding: binary\r\n\r\n\x89PNG\r\n\x1a\n\x00\r\x01\n"


def test_binary_bodies_stay() -> None:
    # RFC 8551 §3.1.1.
    assert smime.decrypt(smime.encrypt(BINARY, [EVA[1]]), key=EVA[0], certificate=EVA[1]).content == BINARY
    assert smime.verify(smime.sign(BINARY, cms.Signer(*EVA), clear=False)).content == BINARY
    # RFC 8551 §3.1.2: clear-signed mails have lines of 7-bit text.
    found = smime.verify(smime.sign(BINARY, cms.Signer(*EVA))).content
    assert found == b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgoADQEK\r\n"
    with pytest.raises(ValueError, match="not ASCII"):
        smime.sign("Content-Type: text/plain\n\nGrüße\n", cms.Signer(*EVA))
    parsed = email.message_from_bytes(BINARY)
    with pytest.raises(ValueError, match="transfer encoding binary"):
        smime.encrypt(parsed, [EVA[1]])


def test_headers_of_mails() -> None:
    mail = smime.encrypt(ENTITY, [EVA[1]], headers={"Subject": "Grüße aus Köln", "To": "Jörg <j@example.org>"})
    assert mail.split(b"\r\n\r\n")[0].isascii()
    parsed = email.message_from_bytes(mail, policy=email.policy.default)
    assert parsed["Subject"] == "Grüße aus Köln" and parsed["To"].addresses[0].display_name == "Jörg"
    for name in ("Content-Type", "content-transfer-encoding", "MIME-Version"):
        with pytest.raises(ValueError, match="describes the message"):
            smime.sign(ENTITY, cms.Signer(*EVA), headers={name: "text/plain"})


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_with_openssl(tmp_path: pathlib.Path) -> None:
    (tmp_path / "key.pem").write_text(EVA[0].to_pem())
    (tmp_path / "cert.pem").write_bytes(EVA[1].public_bytes("PEM"))
    (tmp_path / "ca.pem").write_bytes(CA[1].public_bytes("PEM"))
    (tmp_path / "entity").write_bytes(ENTITY)

    def openssl(*arguments: str) -> bytes:
        return subprocess.run(["openssl", "cms", *arguments], cwd=tmp_path, check=True, capture_output=True).stdout

    for more in ((), ("-nodetach",)):
        (tmp_path / "theirs.eml").write_bytes(openssl("-sign", "-in", "entity", "-signer", "cert.pem", "-inkey", "key.pem", *more))
        assert smime.verify((tmp_path / "theirs.eml").read_bytes(), trust=cms.Trust([CA[1]])).content == ENTITY
        (tmp_path / "ours.eml").write_bytes(smime.sign(ENTITY, cms.Signer(*EVA), clear=not more))
        assert openssl("-verify", "-in", "ours.eml", "-CAfile", "ca.pem") == ENTITY
    (tmp_path / "secret.eml").write_bytes(openssl("-encrypt", "-aes256", "-in", "entity", "cert.pem"))
    assert smime.decrypt((tmp_path / "secret.eml").read_bytes(), key=EVA[0]).content == ENTITY
    (tmp_path / "ours.eml").write_bytes(smime.encrypt(ENTITY, [EVA[1]], cipher="aes-256-cbc"))
    assert openssl("-decrypt", "-in", "ours.eml", "-inkey", "key.pem", "-recip", "cert.pem") == ENTITY


def test_trust_is_for_a_purpose() -> None:
    server, code = certified("server", SERVER, CA), certified("code", CODE, CA)
    trusted, mail = [CA[1]], cms.sign(b"x", cms.Signer(*EVA))
    assert cms.verify(mail, trust=cms.Trust(trusted)).is_good
    for key, certificate in (server, code):
        message = cms.sign(b"x", cms.Signer(key, certificate))
        cms.verify(message)
        with pytest.raises(MessageError) as caught:
            cms.verify(message, trust=cms.Trust(trusted))
        assert caught.value.code == "untrusted"
        (signer,) = cms.examine(message, trust=cms.Trust(trusted)).signers
        assert signer.path is None and signer.trust_error is not None and not signer.is_good
    assert cms.verify(cms.sign(b"x", cms.Signer(*code)), trust=cms.Trust(trusted, purpose=CODE)).signers[0].path == [code[1], CA[1]]
    assert cms.verify(cms.sign(b"x", cms.Signer(*server)), trust=cms.Trust(trusted, purpose=None)).is_good
    stranger = certified("stranger", EMAIL, certified("other CA", EMAIL, ca=True))
    with pytest.raises(MessageError, match="not trusted"):
        cms.verify(cms.sign(b"x", cms.Signer(*stranger)), trust=cms.Trust(trusted))
    with pytest.raises(TypeError):
        cms.verify(mail, trust=trusted)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one"):
        cms.Trust([])
    with pytest.raises(ValueError, match="require, prefer or ignore"):
        cms.Trust(trusted, revocation="maybe")


def revocations(*numbers: int) -> x509.CertificateRevocationList:
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None, microsecond=0)
    return (
        x509.CertificateRevocationListBuilder()
        .issuer_name(CA[1].subject)
        .last_update(now - datetime.timedelta(hours=1))
        .next_update(now + datetime.timedelta(days=1))
        .add_revoked_certificates([(number, START) for number in numbers])
        .add_extension(x509.CRLNumber(1), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(CA[0].public_key()), False)
        .sign(CA[0], "sha256")
    )


def test_trust_by_crls() -> None:
    mail = cms.sign(b"x", cms.Signer(*EVA))
    with pytest.raises(MessageError) as caught:
        cms.verify(mail, trust=cms.Trust([CA[1]], revocation="require"))
    assert caught.value.code in ("undetermined", "untrusted")
    for mode in ("require", "prefer", None):
        assert cms.verify(mail, trust=cms.Trust([CA[1]], crls=[revocations(1)], revocation=mode)).is_good
        with pytest.raises(MessageError, match="revoked") as caught:
            cms.verify(mail, trust=cms.Trust([CA[1]], crls=[revocations(EVA[1].serial_number)], revocation=mode))
        assert caught.value.code == "untrusted"
    carried = cms.sign(b"x", cms.Signer(*EVA), crls=[revocations(EVA[1].serial_number)])
    with pytest.raises(MessageError, match="revoked"):
        cms.verify(carried, trust=cms.Trust([CA[1]], revocation="prefer"))


def test_stamps_of_an_authority_that_is_trusted() -> None:
    from tagwise import tsp

    policy = x509.ObjectIdentifier("1.2.3.4")
    key = keys.PrivateKey.generate("p-256")
    for purposes in ([STAMP],):
        certificate = (
            x509.CertificateBuilder()
            .subject_name(x509.Name.from_rfc4514_string("CN=TSA"))
            .issuer_name(CA[1].subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(START)
            .not_valid_after(datetime.datetime(2056, 1, 1))
            .add_extension(x509.KeyUsage(True, False, False, False, False, False, False, False, False), True)
            .add_extension(x509.ExtendedKeyUsage(purposes), True)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(CA[0].public_key()), False)
            .sign(CA[0], "sha256")
        )
        response = tsp.Authority(key, certificate, policy=policy).reply(tsp.request(b"data"))
        assert tsp.verify(response, data=b"data", trust=cms.Trust([CA[1]])).path == [certificate, CA[1]]
        # The purpose is time stamping, whatever the trust says.
        assert tsp.verify(response, data=b"data", trust=cms.Trust([CA[1]], purpose=CODE)).path is not None
        assert tsp.verify(response, data=b"data").path is None
        with pytest.raises(MessageError) as caught:
            tsp.verify(response, data=b"data", trust=cms.Trust([EVA[1]]))
        assert caught.value.code == "untrusted"


def test_messages_in_pem() -> None:
    message = cms.sign(b"x", cms.Signer(*EVA))
    for label in ("CMS", "PKCS7"):
        assert cms.verify(pem.encode(label, message)).content == b"x"
        assert cms.verify(pem.encode(label, message).encode()).content == b"x"
    two = pem.encode("CMS", message) * 2
    with pytest.raises(ValueError, match="has 2 messages, expected 1"):
        cms.verify(two)
    assert len(cms.load_certificates(two.encode())) == 2
    broken = pem.encode("CMS", message) + "-----BEGIN CMS-----\nMIIB!!!!\n-----END CMS-----\n"
    for read in (cms.verify, cms.load_certificates):
        with pytest.raises(ValueError):
            read(broken.encode())
    secret = pem.encode("CMS", cms.encrypt(b"x", [EVA[1]]))
    assert cms.decrypt(secret, key=EVA[0]).content == b"x"
    with pytest.raises(ValueError, match="holds no message: CERTIFICATE, expected CMS"):
        cms.verify(EVA[1].public_bytes("PEM"))


@pytest.mark.parametrize("kind", ["ed25519", "p-256", "rsa-2048"])
def test_keys_in_pem(kind: str) -> None:
    key = keys.PrivateKey.generate(kind)
    plain, secret = key.to_pem(), key.to_pem("pässword", iterations=1000)
    assert plain.startswith("-----BEGIN PRIVATE KEY-----") and secret.startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----")
    for read in (
        keys.PrivateKey.from_pem(plain),
        keys.PrivateKey.from_pem("explanation\n" + secret, "pässword"),
        keys.PrivateKey.from_pem(secret.encode(), "pässword".encode()),
        keys.PrivateKey.from_der(key.to_pkcs8()),
    ):
        assert read.public_key() == key.public_key()
    with pytest.raises(MessageError):
        keys.PrivateKey.from_pem(secret, "password")
    with pytest.raises(TypeError, match="no password was given"):
        keys.PrivateKey.from_pem(secret)
    with pytest.raises(TypeError, match="not encrypted"):
        keys.PrivateKey.from_pem(plain, "password")
    with pytest.raises(MessageError):
        keys.PrivateKey.from_pem(secret, "pässword", max_iterations=10)
    with pytest.raises(ValueError, match="no private key found"):
        keys.PrivateKey.from_pem(EVA[1].public_bytes("PEM"))


def test_keys_as_cryptography_writes_them() -> None:
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    for key in (ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048)):
        for form in (s.PrivateFormat.PKCS8, s.PrivateFormat.TraditionalOpenSSL):
            text = key.private_bytes(s.Encoding.PEM, form, s.NoEncryption())
            read = keys.PrivateKey.from_pem(text)
            assert read.public_key().public_key_info == key.public_key().public_bytes(s.Encoding.DER, s.PublicFormat.SubjectPublicKeyInfo)
        secret = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.BestAvailableEncryption(b"secret"))
        assert keys.PrivateKey.from_pem(secret, b"secret").public_key() == read.public_key()
        again = s.load_pem_private_key(read.to_pem(b"other", iterations=1000).encode(), b"other")
        assert again.private_numbers() == key.private_numbers()  # type: ignore[union-attr]
        old = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.TraditionalOpenSSL, s.BestAvailableEncryption(b"secret"))
        assert keys.PrivateKey.from_pem(old, b"secret").public_key() == read.public_key()


def test_passwords_of_pkcs12_as_bytes() -> None:
    from tagwise import pkcs12

    file = pkcs12.dump_key_and_certificates("eva", EVA[0], EVA[1], [CA[1]], "pässword".encode(), iterations=1000)
    key, certificate, others = pkcs12.load_key_and_certificates(file, "pässword".encode())
    assert key is not None and key.public_key() == EVA[0].public_key() and certificate == EVA[1] and others == [CA[1]]
    assert pkcs12.load(file, "pässword").certificate == EVA[1]
    with pytest.raises(ValueError, match="expected one of modern"):
        pkcs12.dump([], "x", layout="old")
