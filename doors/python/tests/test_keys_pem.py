"""Private keys in OpenSSL's traditional format, encrypted by PEM headers (RFC 1421 §4.6.1.3)."""

from __future__ import annotations

import pytest

from tagwise import keys
from tagwise._errors import MessageError

#: `openssl ec -aes128` and others of keys on P-256; the password is `secret`.
TRADITIONAL = {
    "AES-128-CBC": """-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,17550477029588EC3E0B31E7930C75CC

kqPCRmHh755eAfb8r1iuzn5DoX/z6te5pbhuDH4LqM+IlZYhAlf5MF4l6m+bbrT+
guJnI9XPSZCjqQCqUimSc8Gg7+JeI5BLDvSDfc7oQOunswR6b8axrYYXdQcwyRO6
SxlUWa8qaMvHimh3+Y7WWxFF3EjktZE7cn1sGzHQnNo=
-----END EC PRIVATE KEY-----
""",
    "DES-EDE3-CBC": """-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: DES-EDE3-CBC,AFE94EC777151CCD

lYOXpqz3XEiLB1+40L0c5Fvg4Y5ylTBx0mjh9/6syN4rnpaY3U7JOOu2hrbca0cd
khydxKgmsxTQ0dK2J3vaB4t6aCnt4GwiVaxNtd16/K8wIQdtBygGEC9mLXC/nBFf
XNFb6khXoMmhSrptLvkSTp9u9vaNXWaeKYqjqpAx7/8=
-----END EC PRIVATE KEY-----
""",
}
#: EC PARAMETERS in front of a key, as `openssl ecparam -genkey` writes them.
PARAMETERS = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"


@pytest.mark.parametrize("cipher", TRADITIONAL)
@pytest.mark.parametrize("before", ["", PARAMETERS])
def test_traditional_keys(cipher: str, before: str) -> None:
    text = before + TRADITIONAL[cipher]
    key = keys.PrivateKey.from_pem(text, "secret")
    assert key.kind == "ecdsa-p256"
    key.public_key().verify(key.sign(b"data", "sha256"), b"data", "sha256")
    for data in (text.encode(), bytearray(text.encode())):
        assert keys.PrivateKey.from_pem(data, b"secret").public_key() == key.public_key()


@pytest.mark.parametrize("cipher", TRADITIONAL)
def test_passwords(cipher: str) -> None:
    with pytest.raises(TypeError, match="encrypted, but no password"):
        keys.PrivateKey.from_pem(TRADITIONAL[cipher])
    for wrong in ("", "Secret", "secret\0"):
        with pytest.raises(MessageError) as refused:
            keys.PrivateKey.from_pem(TRADITIONAL[cipher], wrong)
        assert refused.value.code == "integrity"


def test_other_ciphers_are_named() -> None:
    text = TRADITIONAL["AES-128-CBC"].replace("AES-128-CBC", "SEED-CBC")
    with pytest.raises(MessageError, match="SEED-CBC") as refused:
        keys.PrivateKey.from_pem(text, "secret")
    assert refused.value.code == "unsupported"


def test_a_password_that_is_not_needed() -> None:
    key = keys.PrivateKey.generate("p-256")
    for text in (key.to_pem(), PARAMETERS + key.to_pem()):
        assert keys.PrivateKey.from_pem(text).public_key() == key.public_key()
        with pytest.raises(TypeError, match="not encrypted"):
            keys.PrivateKey.from_pem(text, "secret")
    with pytest.raises(TypeError, match="not encrypted"):
        keys.PrivateKey.from_der(key.to_pkcs8(), "secret")


def test_texts_without_a_key() -> None:
    for text in ("", PARAMETERS):
        with pytest.raises(ValueError, match="no private key found; expected a PEM block PRIVATE KEY, "):
            keys.PrivateKey.from_pem(text)
