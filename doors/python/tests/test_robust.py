"""What must hold whatever is done to the package: threads, exits, pickles that were tampered with, buffers that change or vanish."""

from __future__ import annotations

import array
import gc
import io
import mmap
import pathlib
import pickle
import random
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from tagwise import _native, asn1, cms, keys, pem, pkcs12, x509
from tagwise.x509 import ocsp

from .conftest import ROOM
from .test_mutations import ALLOWED, ders, whole


def crl_of(count: int) -> x509.CertificateRevocationList:
    import datetime

    start = datetime.datetime(2026, 1, 1)
    entries = [
        x509.RevokedCertificateBuilder().serial_number(number + 1).revocation_date(start).build() for number in range(count)
    ]
    builder = x509.CertificateRevocationListBuilder(x509.Name([]), start, start, [], entries)
    return builder.sign(keys.PrivateKey.generate("ed25519"), None)


def at_once(works: list[Callable[[], Any]]) -> list[Any]:
    """What works give that begin at the same moment, each in a thread of its own."""
    gate, given = threading.Barrier(len(works)), [None] * len(works)

    def run(number: int) -> None:
        gate.wait()
        try:
            given[number] = works[number]()
        except BaseException as error:
            given[number] = error  # type: ignore[call-overload]

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    return given


def test_threads_index_one_list() -> None:
    made = crl_of(3000)
    der = made.public_bytes("DER")
    for _ in range(5):
        crl = x509.load_der_x509_crl(der)
        counts = at_once([lambda: len(crl)] * 3 + [lambda: crl[2999].serial_number] * 3 + [lambda: crl.extensions] * 2)
        assert counts[:6] == [3000] * 6 and len(set(map(id, counts[6:]))) <= 2
        crl = x509.load_der_x509_crl(der)
        found = at_once(
            [lambda number=number: crl.get_revoked_certificate_by_serial_number(number).serial_number for number in (1, 7, 2999, 3000)]  # type: ignore[misc, union-attr]
            + [lambda: sum(entry.serial_number for entry in crl)] * 2
        )
        assert found == [1, 7, 2999, 3000, 3000 * 3001 // 2, 3000 * 3001 // 2]


def test_threads_ask_one_value_for_everything(der: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = [
            x509.load_der_x509_certificate(der),
            x509.load_der_x509_csr(ders("requests/rsa_sha256.pem", "CERTIFICATE REQUEST")[0]),
            ocsp.load_der_ocsp_response(ders("ocsp/resp-sha256.der", "")[0]),
        ]
        for value in values:
            assert at_once([lambda: [whole(value) for _ in range(10)]] * 6) == [[None] * 10] * 6  # noqa: B023


def test_a_response_has_the_values_of_its_only_single_response() -> None:
    names = ("certificate_status", "serial_number", "this_update_utc", "next_update_utc", "revocation_time_utc", "revocation_reason")
    seen = set()
    for data in ders("ocsp/*resp*.der", ""):
        try:
            response = ocsp.load_der_ocsp_response(data)
        except ValueError:
            continue
        if response.response_status is not ocsp.OCSPResponseStatus.SUCCESSFUL:
            with pytest.raises(ValueError, match="not successful"):
                response.certificate_status  # noqa: B018
            continue
        single, *more = response.responses
        if more:
            with pytest.raises(ValueError, match=f"contains {1 + len(more)} SINGLERESP"):
                response.certificate_status  # noqa: B018
            continue
        assert [getattr(response, name) for name in names] == [getattr(single, name) for name in names]
        assert response.extensions is response.extensions and list(response.single_extensions) == list(single.extensions)
        seen.add(response.certificate_status)
    assert {ocsp.OCSPCertStatus.GOOD, ocsp.OCSPCertStatus.REVOKED} <= seen


def test_one_iterator_and_one_schema_for_all_threads() -> None:
    entries = iter(crl_of(500))
    seen = at_once([lambda: [entry.serial_number for entry in entries]] * 4)
    # An iterator that is shared gives each entry to one of them.
    assert all(isinstance(one, list) for one in seen), seen
    assert sorted(number for one in seen for number in one) == list(range(1, 501))
    modules = asn1.compile_text("M DEFINITIONS ::= BEGIN A ::= SEQUENCE { a INTEGER, b A OPTIONAL } END")
    given = at_once([lambda: modules["A"].decode(modules["A"].encode({"a": 1, "b": {"a": 2}}))] * 8)
    assert given == [{"a": 1, "b": {"a": 2}}] * 8


EXITS = {
    "values in globals": "held = [certificate, crl, list(crl), iter(crl), certificate.extensions, key, schema, error]",
    "a circle": "certificate.extensions._extensions.append(certificate); held = []; held.append((held, certificate, crl))",
    "a thread that is still at work": (
        "import threading, time\n"
        "def work():\n"
        "    while True: (x509.load_many([der] * 50), crl.check(), certificate.subject)\n"
        "threading.Thread(target=work, daemon=True).start(); time.sleep(0.05)"
    ),
    "a finaliser that reads": (
        "class Last:\n"
        "    def __del__(self): assert self.certificate.serial_number and self.crl._version == 1\n"
        "last = Last(); last.certificate, last.crl = certificate, crl"
    ),
    "at exit": "import atexit; atexit.register(lambda: (certificate.subject, len(crl), certificate.to_json(), key.kind))",
    "in the middle": "import os; held = [certificate, crl]; sys.exit(0)",
}


@pytest.mark.parametrize("how", list(EXITS))
def test_exit_with_objects_alive(how: str) -> None:
    program = f"""
import pathlib, sys, warnings
warnings.simplefilter("ignore")
from tagwise import asn1, keys, x509
room = pathlib.Path({str(ROOM)!r})
certificate = x509.load_pem_x509_certificate((room / "cryptography.io.pem").read_bytes())
der = certificate.public_bytes("DER")
crl = x509.load_pem_x509_crl((room / "custom" / "crl_all_reasons.pem").read_bytes())
len(crl)
key = keys.PrivateKey.generate("p-256")
schema = asn1.compile_text("M DEFINITIONS ::= BEGIN A ::= INTEGER END")["A"]
try:
    x509.load_der_x509_certificate(der[:-1])
except ValueError as caught:
    error = caught
{EXITS[how]}
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def tampered(pickled: bytes, inner: bytes, source: random.Random) -> bytes:
    """A pickle with one byte of the value's encoding changed."""
    at = pickled.index(inner) + source.randrange(len(inner))
    return pickled[:at] + bytes([pickled[at] ^ (1 << source.randrange(8))]) + pickled[at + 1 :]


def test_pickles_that_were_tampered_with() -> None:
    source = random.Random(4711)
    crl = crl_of(5)
    request = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([])).sign(keys.PrivateKey.generate("ed25519"), None)
    asked = ocsp.OCSPRequestBuilder().add_certificate_by_hash(bytes(20), bytes(20), 1, "sha1").build()
    answer = ocsp.load_der_ocsp_response(ders("ocsp/resp-sha256.der", "")[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for value, inner in (
            (crl, crl.public_bytes("DER")),
            (crl[3], crl[3]._raw),
            (request, request.public_bytes("DER")),
            (asked, asked.public_bytes("DER")),
            (answer, answer.public_bytes("DER")),
        ):
            pickled = pickle.dumps(value)
            read = refused = 0
            for _ in range(200):
                try:
                    whole(pickle.loads(tampered(pickled, inner, source)))
                    read += 1
                except ALLOWED:
                    refused += 1
            assert refused > 20, (type(value), read, refused)


def test_pickles_that_call_classes_wrongly(der: bytes) -> None:
    """What a pickle may name of the package refuses what it is not for, by an exception."""
    certificate = x509.load_der_x509_certificate(der)
    for kind in (x509.Certificate, x509.CertificateRevocationList, x509.CertificateSigningRequest, ocsp.OCSPRequest, ocsp.OCSPResponse):
        for arguments in ((), (None,), (1,), ("text",), ([],), (certificate,), (der, der), (object(),)):
            with pytest.raises((TypeError, ValueError)):
                kind(*arguments)
        with pytest.raises((TypeError, ValueError, AttributeError)):
            kind.__new__(kind).public_bytes("DER")
        with pytest.raises((TypeError, ValueError)):
            kind(der, allow=["\udc80"])
    with pytest.raises(TypeError):
        _native.PrivateKey()
    # The class is native: none of Python's derives from it, with fields that were not checked.
    with pytest.raises(TypeError):
        type("Other", (x509.Certificate,), {})


LOADS: dict[str, Callable[[Any], Any]] = {
    "certificate": x509.load_der_x509_certificate,
    "crl": x509.load_der_x509_crl,
    "request": x509.load_der_x509_csr,
    "OCSP request": ocsp.load_der_ocsp_request,
    "OCSP response": ocsp.load_der_ocsp_response,
    "PEM": pem.blocks,
    "PEM certificates": x509.load_pem_x509_certificates,
    "many": lambda data: x509.load_many([data]),
    "PKCS #7": cms.load_certificates,
    "CMS": cms.examine,
    "PKCS #12": lambda data: pkcs12.load(data, None),
    "any type": lambda data: asn1.compile_text("M DEFINITIONS ::= BEGIN A ::= OCTET STRING END")["A"].decode(data),
}


@pytest.mark.parametrize("what", list(LOADS))
def test_buffers_that_vanished(what: str, tmp_path: pathlib.Path) -> None:
    load = LOADS[what]
    released = memoryview(b"0\0")
    released.release()
    file = tmp_path / "data"
    file.write_bytes(b"0" * 8192)
    with file.open("rb") as opened:
        closed = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    closed.close()
    for gone in (released, closed):
        with pytest.raises((ValueError, TypeError, BufferError)):
            load(gone)
    for odd in (1, None, "0\0", object(), [48, 0], io.BytesIO(b"0\0")):
        if what == "PEM" and isinstance(odd, str):
            continue
        with pytest.raises((ValueError, TypeError, BufferError, AttributeError)):
            load(odd)
    gc.collect()


def test_buffers_of_other_shapes(der: bytes) -> None:
    expected = x509.load_der_x509_certificate(der)

    class Bytes(bytes):
        pass

    stretched = bytearray(2 * len(der))
    stretched[::2] = der
    padded = der + bytes(-len(der) % 4)
    for buffer in (Bytes(der), memoryview(stretched)[::2], memoryview(der).cast("c"), array.array("B", der), memoryview(bytearray(der)).toreadonly()):
        read = x509.load_der_x509_certificate(buffer)
        assert read == expected and type(read.public_bytes("DER")) is bytes or isinstance(buffer, Bytes)
    with pytest.raises(ValueError):
        # Trailing bytes, of items of four.
        x509.load_der_x509_certificate(array.array("I", padded + bytes(4)))


def test_buffers_that_change_meanwhile(der: bytes) -> None:
    """What is read is what the buffer held at one moment: never half of one value and half of another."""
    crl = crl_of(50)
    first, second = crl.public_bytes("DER"), crl_of(50).public_bytes("DER")
    assert len(first) == len(second)
    shared, going = bytearray(first), True

    def change() -> None:
        while going:
            shared[:] = second
            shared[:] = first

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(200):
            read = x509.load_der_x509_crl(shared)
            assert read.public_bytes("DER") in (first, second)
            assert sum(entry.serial_number for entry in read) == 50 * 51 // 2
    finally:
        going = False
        thread.join()


def test_a_map_that_is_closed_after_reading(der: bytes, tmp_path: pathlib.Path) -> None:
    crl = crl_of(100)
    file = tmp_path / "list"
    file.write_bytes(crl.public_bytes("DER"))
    with file.open("r+b") as opened:
        mapped = mmap.mmap(opened.fileno(), 0)
        read = x509.load_der_x509_crl(mapped)
        view = memoryview(mapped)
        again = x509.load_der_x509_crl(view)
        view.release()
        # Nothing of the package holds the map.
        mapped[:] = bytes(len(mapped))
        mapped.close()
    file.write_bytes(b"")
    assert read == crl and again == crl
    assert [entry.serial_number for entry in read] == list(range(1, 101))


def test_file_objects_that_misbehave() -> None:
    class Odd:
        def __init__(self, given: list[Any]) -> None:
            self.given = given

        def read(self, size: int) -> Any:
            one = self.given.pop(0) if self.given else b""
            if isinstance(one, BaseException):
                raise one
            return one

    for given in ([None], ["text"], [1], [b"0" * 1_000_000], [OSError("gone")], [b"0\x80", KeyError(1)], [memoryview(b"0")[:0]]):
        with pytest.raises((ValueError, TypeError, OSError, KeyError)):
            cms.examine_stream(Odd(given), io.BytesIO())

    class Broken:
        def write(self, data: bytes) -> int:
            raise OSError("full")

    import datetime

    key = keys.PrivateKey.generate("ed25519")
    moment = datetime.datetime(2026, 1, 1)
    builder = x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "x")]))
    builder = builder.public_key(key.public_key()).serial_number(1).not_valid_before(moment).not_valid_after(moment)
    certificate = builder.sign(key, None)
    message = cms.sign(b"content" * 100_000, cms.Signer(key, certificate))
    with pytest.raises(OSError, match="full"):
        cms.examine_stream(io.BytesIO(message), Broken())
