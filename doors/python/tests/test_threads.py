"""Objects that many threads have in common: each gets what one alone would. Without a global lock these run side by side indeed."""

from __future__ import annotations

import datetime
import pickle
import subprocess
import sys
import sysconfig
from typing import Any

import pytest

from tagwise import asn1, cms, keys, krb5, x509

from .test_robust import at_once, crl_of

#: At once: more than most machines have processors.
THREADS = 8

TEXT = """
M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  A ::= SEQUENCE { number INTEGER, text UTF8String OPTIONAL, list SEQUENCE OF A OPTIONAL }
END
"""

MODULES = """
import importlib, pkgutil, sys, tagwise
for found in pkgutil.walk_packages(tagwise.__path__, "tagwise."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
assert "tagwise.gss" in sys.modules and "tagwise._native" in sys.modules
print(sys._is_gil_enabled())
"""


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter has its lock always")
def test_no_module_brings_the_lock_back() -> None:
    done = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "False\n", "")


def same(work: Any, count: int = THREADS) -> Any:
    """The value that all threads get, which begin at the same moment."""
    given = at_once([work] * count)
    for one in given:
        if isinstance(one, BaseException):
            raise one
    assert all(one == given[0] for one in given), given
    return given[0]


def told(certificate: x509.Certificate) -> tuple[Any, ...]:
    return (
        certificate.serial_number,
        certificate.subject.rfc4514_string(),
        certificate.issuer,
        certificate.not_valid_before_utc,
        certificate.signature_algorithm_oid,
        [(one.oid, one.critical, one.value) for one in certificate.extensions],
        certificate.to_json(),
        hash(certificate),
    )


def test_a_certificate_is_asked_for_the_first_time(der: bytes) -> None:
    alone = told(x509.load_der_x509_certificate(der))
    for _ in range(30):
        certificate = x509.load_der_x509_certificate(der)
        assert same(lambda: told(certificate)) == alone  # noqa: B023


def test_fields_are_made_once(der: bytes) -> None:
    for _ in range(50):
        certificate = x509.load_der_x509_certificate(der)
        for field in ("subject", "extensions"):
            found = at_once([lambda: getattr(certificate, field)] * THREADS)  # noqa: B023
            assert all(one is found[0] for one in found)


def test_a_name_that_waits_for_its_attributes(der: bytes) -> None:
    octets = x509.load_der_x509_certificate(der).subject.public_bytes()
    for _ in range(100):
        name = x509.load_der_x509_certificate(der).subject
        given = at_once([lambda: name.public_bytes()] * 4 + [lambda: x509.Name(list(name.rdns)).public_bytes()] * 4)  # noqa: B023
        assert given == [octets] * 8


def test_extensions_that_wait_for_their_values(der: bytes) -> None:
    alone = list(x509.load_der_x509_certificate(der).extensions)
    for _ in range(50):
        extensions = x509.load_der_x509_certificate(der).extensions
        assert same(lambda: list(extensions)) == alone  # noqa: B023


def test_the_index_of_a_list() -> None:
    der = crl_of(2000).public_bytes("DER")
    for _ in range(10):
        crl = x509.load_der_x509_crl(der)

        def look(crl: x509.CertificateRevocationList = crl) -> tuple[Any, ...]:
            found = crl.get_revoked_certificate_by_serial_number(1999)
            assert found is not None
            return (found.serial_number, crl.get_revoked_certificate_by_serial_number(2001), len(crl), crl[1500].serial_number, crl.issuer)

        assert same(look) == (1999, None, 2000, 1501, x509.Name([]))


def test_pickles(der: bytes) -> None:
    for _ in range(20):
        certificate = x509.load_der_x509_certificate(der)
        read = lambda: pickle.loads(pickle.dumps((certificate, certificate.subject, list(certificate.extensions))))  # noqa: B023, E731
        assert same(read) == (certificate, certificate.subject, list(certificate.extensions))


def test_types_and_their_compilation() -> None:
    value = {"number": 1, "text": "a", "list": [{"number": 2}, {"number": 3, "text": "b"}]}
    for number in range(20):
        text = TEXT.replace("M DEF", f"M{number} DEF")
        # Equal modules are one object, whoever compiled them.
        made = at_once([lambda: asn1.compile_text(text)] * THREADS)  # noqa: B023
        assert all(one is made[0] for one in made)
        types = made[0]["A"]
        assert same(lambda: types.decode(types.encode(value))) == value  # noqa: B023


def test_many_are_read_while_others_read(der: bytes) -> None:
    certificate, buffers = x509.load_der_x509_certificate(der), [der] * 200
    whole = [lambda: {one.subject.rfc4514_string() for one in x509.load_many(buffers)}] * 3  # type: ignore[union-attr]
    given = at_once([*whole, *[lambda: {certificate.subject.rfc4514_string() for _ in range(200)}] * 3])
    assert given == [{certificate.subject.rfc4514_string()}] * 6


def test_a_list_that_changes_while_it_is_read(der: bytes) -> None:
    buffers: list[Any] = [der] * 50

    def change() -> None:
        for _ in range(2000):
            buffers.append(bytearray(der))
            buffers.pop(0)

    def read() -> set[type]:
        return {type(one) for _ in range(20) for one in x509.load_many(buffers)}

    assert at_once([change, change, read, read]) == [None, None, {x509.Certificate}, {x509.Certificate}]


def test_a_buffer_that_changes_while_it_is_read(der: bytes) -> None:
    buffer = bytearray(der)

    def change() -> None:
        for number in range(20_000):
            buffer[number % len(buffer)] ^= 0xFF
            buffer[number % len(buffer)] ^= 0xFF

    def read() -> None:
        for _ in range(500):
            try:
                # What was read is a copy, which stays as it is.
                certificate = x509.load_der_x509_certificate(buffer)
                assert certificate.public_bytes("DER") == certificate.public_bytes("DER")
                certificate.to_json()
            except (ValueError, x509.InvalidVersion):
                continue

    assert at_once([change, read, read, read]) == [None] * 4


def test_one_builder_and_one_key_for_all(der: bytes) -> None:
    key = keys.PrivateKey.generate("ed25519")
    name = x509.Name.from_rfc4514_string("CN=one")
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .not_valid_before(datetime.datetime(2026, 1, 1))
        .not_valid_after(datetime.datetime(2027, 1, 1))
    )

    def issue(number: int) -> tuple[int, int]:
        own = builder.serial_number(number + 1).add_extension(x509.BasicConstraints(True, number), critical=True)
        certificate = own.sign(key, None)
        certificate.verify_directly_issued_by(certificate)
        value = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
        return certificate.serial_number, value.path_length  # type: ignore[return-value]

    given = at_once([lambda number=number: [issue(number) for _ in range(20)] for number in range(THREADS)])  # type: ignore[misc]
    assert given == [[(number + 1, number)] * 20 for number in range(THREADS)]


def test_messages(der: bytes) -> None:
    secret = cms.encrypt(b"a secret", [cms.Password("a passphrase", iterations=1000)])
    password = cms.Password("a passphrase")
    assert same(lambda: bytes(cms.decrypt(secret, key=password).content)) == b"a secret"


def test_a_value_that_two_threads_change() -> None:
    codec = asn1.compile_text(TEXT)["A"]
    value: dict[str, Any] = {"number": 0, "list": []}

    def change(step: int) -> None:
        for number in range(500):
            value["number"] = number * step
            value["list"].append({"number": number})
            if number % 3 == 0:
                value["list"].clear()

    def write() -> None:
        for _ in range(300):
            try:
                codec.decode(codec.encode(value))
            except RuntimeError as error:
                # As Python's own iterators say it.
                assert "changed" in str(error)

    assert at_once([lambda: change(1), lambda: change(-1), write, write]) == [None] * 4


def test_a_keytab_that_two_threads_change() -> None:
    keytab = krb5.Keytab()

    def change(name: str) -> None:
        for kvno in range(1, 20):
            keytab.add_password(f"{name}@KRB.TEST", "secret", enctypes=["aes128-cts"], kvno=kvno, salt="s")
        keytab.remove(f"{name}@KRB.TEST", kvno=19)

    def read() -> None:
        for _ in range(300):
            assert len(krb5.Keytab(keytab.to_bytes())) <= 38
            assert repr(keytab) and all(one.kvno < 20 for one in keytab)

    assert at_once([lambda: change("a"), lambda: change("b"), read, read]) == [None] * 4
    assert len(keytab) == 36
