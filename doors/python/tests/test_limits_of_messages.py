"""Messages and keys: limits, secrets, files and keys that misbehave, errors that tell their place."""

from __future__ import annotations

import inspect
import io
import pickle
from typing import Any

import pytest

from tagwise import MessageError, cms, keys, pkcs12, tsp, x509
from tagwise.krb5 import Key

from .test_messages import CONTENT, certified


@pytest.fixture(scope="module")
def eva() -> tuple[keys.PrivateKey, x509.Certificate]:
    key = keys.PrivateKey.generate("p-256")
    return key, certified(key, "Eva")


def raised(call: Any) -> MessageError:
    with pytest.raises(MessageError) as caught:
        call()
    return caught.value


# ---- Errors -------------------------------------------------------------------------------------


def test_errors_of_messages_tell_their_place(eva: Any) -> None:
    message = cms.sign(b"Dear Anna", cms.Signer(*eva))
    for data, offset, code in [(b"", 0, "missing"), (message + b"\1", len(message), "trailing-data"), (message[:-1], None, None)]:
        error = raised(lambda data=data: cms.verify(data))
        assert error.offset is not None and f"at byte {error.offset} " in str(error) and error.clause
        assert offset in (None, error.offset) and code in (None, error.code)
    # The signature algorithm of the SignerInfo is a NULL.
    at = message.index(bytes.fromhex("300a06082a8648ce3d040302"), len(message) - 120)
    error = raised(lambda: cms.verify(message[:at] + b"\x05" + message[at + 1 :]))
    assert error.offset is not None and f"at byte {error.offset}" in str(error)
    encrypted = cms.encrypt(b"a secret", [eva[1]])
    assert raised(lambda: cms.verify(encrypted)).offset is not None
    assert raised(lambda: cms.decrypt(message, key=eva[0])).offset is not None


def test_errors_of_signers_have_clauses(eva: Any) -> None:
    message = cms.sign(b"x", cms.Signer(*eva), detached=True)
    error = cms.examine(message, b"y").signers[0].error
    assert error is not None and (error.code, error.clause) == ("digest", "RFC 5652 §5.6")
    assert raised(lambda: cms.verify(message, b"y")).clause == "RFC 5652 §5.6"
    assert raised(lambda: cms.encrypt(b"x", [])).clause == "RFC 5652 §6.1"
    assert raised(lambda: pkcs12.dump([], "x", iterations=0)).clause == "RFC 8018 §4.2"


def test_errors_of_keys_have_codes() -> None:
    assert raised(lambda: keys.PrivateKey.from_pkcs8(b"\x30\x03\x02\x01\x05")).code == "malformed-key"
    assert raised(lambda: keys.PrivateKey.generate("p-255")).code == "unsupported"


# ---- Limits -------------------------------------------------------------------------------------


def test_limits_on_what_stands_around_content(eva: Any) -> None:
    message, encrypted = cms.sign(CONTENT, cms.Signer(*eva)), cms.encrypt(CONTENT, [eva[1]])
    authority = tsp.Authority(
        eva[0],
        certified(eva[0], "Clock", (x509.ExtendedKeyUsage([x509.ObjectIdentifier("1.3.6.1.5.5.7.3.8")]), True)),
        x509.ObjectIdentifier("1.2.3"),
    )
    stamp = authority.reply(tsp.request(CONTENT))
    calls: list[Any] = [
        lambda **limits: cms.verify(message, **limits),
        lambda **limits: cms.examine(message, **limits),
        lambda **limits: cms.verify_stream(io.BytesIO(message), io.BytesIO(), **limits),
        lambda **limits: cms.examine_stream(io.BytesIO(message), io.BytesIO(), **limits),
        lambda **limits: cms.decrypt(encrypted, key=eva[0], **limits),
        lambda **limits: tsp.verify(stamp, data=CONTENT, **limits),
        lambda **limits: tsp.examine(stamp, data=CONTENT, **limits),
    ]
    for call in calls:
        call()
        call(max_element=1 << 12, max_total=1 << 13)
        raised(lambda call=call: call(max_element=8))
        assert raised(lambda call=call: call(max_total=8)).code == "limit"


def test_passwords_take_enough_iterations() -> None:
    few = {"salt": "A.TESTalice", "parameters": (100).to_bytes(4, "big")}
    Key.from_password("aes256-cts", "x", **few)
    assert raised(lambda: Key.from_password("aes256-cts", "x", min_iterations=4096, **few)).code == "limit"


# ---- Secrets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [cms.Password("secret"), cms.SharedKey(bytes(16), b"id"), cms.ContentKey(bytes(16))])
def test_secrets_of_messages_stay_where_they_are(secret: Any) -> None:
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(secret)
    assert "secret" not in repr(secret) and r"\x00" not in repr(secret)


@pytest.mark.parametrize("kind", [cms.SharedKey, cms.ContentKey])
def test_a_number_is_no_key(kind: Any) -> None:
    # `bytes(32)` would be 32 zeros.
    for wrong in (32, [1, 2], "0123456789abcdef"):
        with pytest.raises(TypeError):
            kind(wrong)
    kind(bytearray(32))


def test_passwords_are_text_or_bytes() -> None:
    message = cms.encrypt(b"x", [cms.Password("Straße", iterations=1000)])
    for password in ("Straße", "Straße".encode(), bytearray("Straße".encode())):
        assert cms.decrypt(message, key=cms.Password(password)).content == b"x"
    with pytest.raises(TypeError):
        cms.Password(5)  # type: ignore[arg-type]


# ---- Files and keys that misbehave --------------------------------------------------------------


class Answering:
    """A file whose `write` gives what it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.data = answer, b""

    def write(self, data: bytes) -> Any:
        self.data += data
        return self.answer


class Blocked(io.RawIOBase):
    """A file that does not block, and takes nothing."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> Any:
        return None


def test_what_was_not_written_is_not_called_done(eva: Any) -> None:
    signer = cms.Signer(*eva)
    with pytest.raises(BlockingIOError):
        cms.sign_stream(io.BytesIO(CONTENT), Blocked(), signer)
    for nothing in (-1, 0, False):
        with pytest.raises(OSError):
            cms.sign_stream(io.BytesIO(CONTENT), Answering(nothing), signer)
    # Those who give nothing, or something else, took everything, and once.
    for everything in (None, True, 10**30, "done"):
        target = Answering(everything)
        cms.sign_stream(io.BytesIO(CONTENT), target, signer)
        assert cms.verify(target.data).content == CONTENT


class Raising:
    """A key whose own function raises."""

    def __init__(self, key: keys.PrivateKey, error: BaseException) -> None:
        self.key, self.error = key, error

    def public_key(self) -> keys.PublicKey:
        return self.key.public_key()

    def sign(self, *arguments: Any) -> bytes:
        raise self.error


def test_keys_that_raise(eva: Any) -> None:
    key, certificate = eva
    for end in (KeyboardInterrupt(), SystemExit(3)):
        with pytest.raises(type(end)) as caught:
            cms.sign(b"x", cms.Signer(Raising(key, end), certificate))
        assert caught.value is end
        with pytest.raises(type(end)):
            cms.sign_stream(io.BytesIO(b"x"), io.BytesIO(), cms.Signer(Raising(key, end), certificate))
    gone = RuntimeError("the token is gone")
    error = raised(lambda: cms.sign(b"x", cms.Signer(Raising(key, gone), certificate)))
    assert error.__cause__ is gone and "the token is gone" in str(error)


def test_hashes_of_requests() -> None:
    from cryptography.hazmat.primitives import hashes

    for hash in ("sha512", hashes.SHA512(), keys.Hash("sha512")):
        assert bytes.fromhex("0609608648016503040203") in tsp.request(b"x", hash=hash)
    with pytest.raises(TypeError):
        tsp.request(b"x", hash=5)


def test_both_ways_of_verifying_take_the_same_limits() -> None:
    for one, other in [(cms.examine, cms.verify), (cms.examine_stream, cms.verify_stream), (tsp.examine, tsp.verify)]:
        assert inspect.signature(one).parameters == inspect.signature(other).parameters


def test_certificates_of_others_are_refused_by_name(eva: Any) -> None:
    message = cms.sign(b"x", cms.Signer(*eva))
    for wrong in (b"x", eva[1].public_bytes("DER"), eva[0]):
        with pytest.raises(TypeError, match="Certificates of tagwise.x509"):
            cms.verify(message, certificates=[wrong])
        with pytest.raises(TypeError, match="Certificates of tagwise.x509"):
            tsp.examine(b"", data=b"", certificates=[wrong])
    with pytest.raises(TypeError, match="CertificateRevocationLists of tagwise.x509"):
        cms.sign(b"x", cms.Signer(*eva), crls=[eva[1]])


def test_a_certificate_that_cannot_be_read_hides_no_other(eva: Any) -> None:
    der = eva[1].public_bytes("DER")
    assert tsp.Stamp((0, 0, 1, "1.2.3", der, [], [b"\x30\x00", der], b"")).certificates == [eva[1]]
