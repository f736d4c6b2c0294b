"""What `tagwise.x509` does beyond `cryptography.x509`: errors with a place, buffers, pickles, leniency by name, lints."""

from __future__ import annotations

import copy
import datetime
import json
import mmap
import pathlib
import pickle
import threading

import pytest

from tagwise import Asn1Error, asn1, x509
from tagwise.x509 import _sign

from .ber import parse


def test_fields_agree_with_cryptography(pem: bytes) -> None:
    from cryptography import x509 as theirs

    ours, other = x509.load_pem_x509_certificate(pem), theirs.load_pem_x509_certificate(pem)
    assert ours.serial_number == other.serial_number
    assert ours.subject.rfc4514_string() == other.subject.rfc4514_string()
    assert ours.issuer.public_bytes() == other.issuer.public_bytes()
    assert ours.not_valid_after_utc == other.not_valid_after_utc
    assert ours.tbs_certificate_bytes == other.tbs_certificate_bytes
    assert [one.oid.dotted_string for one in ours.extensions] == [one.oid.dotted_string for one in other.extensions]
    for mine, its in zip(ours.extensions, other.extensions):
        assert repr(mine.value) == repr(its.value) or mine.oid.dotted_string.startswith("1.3.6.1.4.1.11129")
        assert mine.value.public_bytes() == its.value.public_bytes()


def test_error_has_a_place(der: bytes) -> None:
    # The month of notBefore becomes 13.
    at = der.index(b"\x17\x0d") + 4
    bad = der[:at] + b"13" + der[at + 2 :]
    with pytest.raises(ValueError) as caught:
        x509.load_der_x509_certificate(bad)
    error = caught.value
    assert isinstance(error, Asn1Error)
    assert error.path == "tbsCertificate.validity.notBefore"
    assert error.offset is not None and at - 4 <= error.offset <= at + 2
    assert error.code and error.clause
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.path, again.offset, str(again)) == (error.code, error.path, error.offset, str(error))


def test_any_buffer(der: bytes, tmp_path: pathlib.Path) -> None:
    expected = x509.load_der_x509_certificate(der)
    changing = bytearray(der)
    view = memoryview(changing)
    read = x509.load_der_x509_certificate(view)
    view.release()
    changing[:] = bytes(len(changing))
    assert read == expected and read.subject == expected.subject
    file = tmp_path / "certificate.der"
    file.write_bytes(der)
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        from_map = x509.load_der_x509_certificate(mapped)
    assert from_map == expected and from_map.issuer == expected.issuer
    with pytest.raises(TypeError):
        x509.load_der_x509_certificate("text")
    with pytest.raises(ValueError):
        x509.load_der_x509_certificate(view)


def test_pickle_and_copy(der: bytes, crl: bytes) -> None:
    for value in (x509.load_der_x509_certificate(der), x509.load_pem_x509_crl(crl)):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.copy(value) == value and copy.deepcopy(value) == value
        assert hash(copy.deepcopy(value)) == hash(value)
    certificate = x509.load_der_x509_certificate(der)
    for value in (certificate.subject, certificate.extensions[0], certificate.extensions[0].value):
        assert pickle.loads(pickle.dumps(value)) == value


def test_a_pickle_that_was_tampered_with(der: bytes) -> None:
    pickled = pickle.dumps(x509.load_der_x509_certificate(der))
    at = pickled.index(der)
    read = 0
    for offset in range(0, 40):
        bad = pickled[: at + offset] + bytes([pickled[at + offset] ^ 0x55]) + pickled[at + offset + 1 :]
        try:
            found = pickle.loads(bad)
        except (ValueError, x509.InvalidVersion):
            continue
        # A number or an algorithm is another one: what is read is what stands there.
        read += 1
        assert found.public_bytes("DER") == bad[at : at + len(der)]
    assert 0 < read < 30


def test_one_bad_extension_leaves_the_rest(der: bytes) -> None:
    # A BOOLEAN that is neither 00 nor FF, in basicConstraints or where one is critical.
    certificate = x509.load_der_x509_certificate(der)
    usage = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    value = usage.value.public_bytes()
    at = der.index(value)
    bad = x509.load_der_x509_certificate(der[:at] + b"\x31" + der[at + 1 :])
    assert bad.subject == certificate.subject
    good = [one for one in bad.extensions if one.error is None]
    assert len(bad.extensions) == len(certificate.extensions) == len(good) + 1
    assert good == [one for one in certificate.extensions if one.oid != x509.SubjectAlternativeName.oid]
    with pytest.raises(Asn1Error):
        bad.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    with pytest.raises(Asn1Error):
        bad.check()
    certificate.check()


def test_allow_and_deviations(der: bytes) -> None:
    certificate = x509.load_der_x509_certificate(der)
    assert certificate.deviations == []
    # A length in the long form that the short one could say: the outermost SEQUENCE has two bytes of it, now three.
    assert der[:2] == b"\x30\x82"
    padded = b"\x30\x83\x00" + der[2:]
    with pytest.raises(Asn1Error) as caught:
        x509.load_der_x509_certificate(padded)
    read = x509.load_der_x509_certificate(padded, allow=["long-length"])
    assert [one.rule for one in read.deviations] == ["long-length"]
    assert read.deviations[0].clause and caught.value.code
    assert pickle.loads(pickle.dumps(read)) == read
    with pytest.raises(ValueError, match="unknown rule"):
        x509.load_der_x509_certificate(der, allow=["no-such-rule"])


def test_explain_and_lint(der: bytes) -> None:
    certificate = x509.load_der_x509_certificate(der)
    at = der.index(b"\x17\x0d") + 4
    assert certificate.explain(at) == "tbsCertificate.validity.notBefore"
    assert certificate.explain(0) == "" and certificate.explain(len(der) - 1) == "signature"
    # The number becomes 0, which RFC 5280 §4.1.2.2 forbids.
    tree = parse(der)
    tree[0][1].content = b"\0"
    changed = tree.encode()
    before = {finding.lint for finding in certificate.lint()}
    (new,) = (finding for finding in x509.Certificate(changed).lint() if finding.lint not in before)
    assert (new.lint, new.severity) == ("rfc5280.4.1.2.2.zero_serial", "error")
    assert new.clause == "RFC 5280 §4.1.2.2" and new.text
    assert x509.Certificate(changed).explain(new.offset) == "tbsCertificate.serialNumber"
    assert repr(new).startswith("<Finding(lint='rfc5280")


def test_threads_read_one_object(der: bytes) -> None:
    certificate = x509.load_der_x509_certificate(der)
    expected, seen = certificate.subject.rfc4514_string(), []

    def read() -> None:
        for _ in range(50):
            seen.append((certificate.subject.rfc4514_string(), len(certificate.extensions)))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 400 and set(seen) == {(expected, len(certificate.extensions))}


def test_revocation_list(crl: bytes) -> None:
    read = x509.load_pem_x509_crl(crl)
    entries = list(read)
    assert len(entries) == len(read) > 0
    for number, entry in enumerate(entries):
        assert read[number].serial_number == entry.serial_number
        found = read.get_revoked_certificate_by_serial_number(entry.serial_number)
        assert found is not None and found.serial_number == entry.serial_number
    assert read.get_revoked_certificate_by_serial_number(10**40) is None
    assert [one.serial_number for one in read[1:3]] == [one.serial_number for one in entries[1:3]]
    with pytest.raises(IndexError):
        read[len(read)]
    again = pickle.loads(pickle.dumps(entries[0]))
    assert (again.serial_number, again.revocation_date_utc) == (
        entries[0].serial_number,
        entries[0].revocation_date_utc,
    )


def test_error_in_an_entry(crl: bytes) -> None:
    from tagwise import _native

    der = _native.read_pem(crl)[0][1]
    read = x509.load_der_x509_crl(der)
    last = read[len(read) - 1]._raw
    # The month, after the serial number and the year.
    at = der.index(last) + last.index(read[len(read) - 1].revocation_date_utc.strftime("%y%m%d").encode()) + 2
    bad = x509.load_der_x509_crl(der[:at] + b"13" + der[at + 2 :])
    assert bad[0].serial_number == read[0].serial_number
    with pytest.raises(Asn1Error) as caught:
        bad[len(bad) - 1]
    assert caught.value.path == f"tbsCertList.revokedCertificates[{len(read) - 1}].revocationDate"
    assert caught.value.offset == at


def test_parts_by_path(der: bytes) -> None:
    certificate = x509.load_der_x509_certificate(der)
    names = certificate.extension(x509.SubjectAlternativeName).value.get_values_for_type(x509.DNSName)
    assert certificate.get("tbsCertificate.extensions[subjectAltName].dNSName") == names
    assert certificate.get("tbsCertificate.serialNumber") == [certificate.serial_number]
    assert certificate.get("tbsCertificate.issuerUniqueID") == []
    with pytest.raises(ValueError):
        certificate.get("tbsCertificate.nothing")


def test_json(der: bytes) -> None:
    certificate = x509.load_der_x509_certificate(der)
    shown = json.loads(certificate.to_json(now=datetime.datetime(2013, 1, 1)))
    assert int(shown["certificate"]["serial_number"]["decimal"]) == certificate.serial_number
    assert shown != json.loads(certificate.to_json(now=datetime.datetime(2053, 1, 1)))


def test_many_at_once(der: bytes) -> None:
    good = x509.load_der_x509_certificate(der)
    read = x509.load_many([der, memoryview(der), der[:-1], bytearray(der)] * 10)
    assert len(read) == 40
    for number, one in enumerate(read):
        if number % 4 == 2:
            assert isinstance(one, Asn1Error) and one.code
        else:
            assert one == good
    assert x509.load_many([]) == []


def test_extension_errors_one_by_one(der: bytes) -> None:
    certificate = x509.load_der_x509_certificate(der)
    assert certificate.extension_errors == []
    value = certificate.extension(x509.SubjectAlternativeName).value.public_bytes()
    at = der.index(value)
    bad = x509.load_der_x509_certificate(der[:at] + b"\x31" + der[at + 1 :])
    ((oid, error),) = bad.extension_errors
    assert oid == x509.ExtensionOID.SUBJECT_ALTERNATIVE_NAME
    assert error.offset == at and error.path.startswith("tbsCertificate.extensions[")
    assert bad.extension(x509.BasicConstraints) == certificate.extension(x509.BasicConstraints)
    with pytest.raises(Asn1Error):
        bad.extension(x509.SubjectAlternativeName)
    with pytest.raises(x509.ExtensionNotFound):
        bad.extension(x509.InhibitAnyPolicy)


def test_defaults_that_are_written_out() -> None:
    """RFC 4055 §3.1: who verifies recognises DEFAULT values that DER would leave out."""
    algorithms = asn1.compile_text("""
        M DEFINITIONS EXPLICIT TAGS ::= BEGIN
          Algorithm ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters Parameters }
          Parameters ::= SEQUENCE { hash [0] Digest, mask [1] Mask, salt [2] INTEGER, trailer [3] INTEGER }
          Digest ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters NULL }
          Mask ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters Digest }
        END
    """)
    for oid, name in (("1.3.14.3.2.26", "sha1"), ("2.16.840.1.101.3.4.2.1", "sha256")):
        digest = {"algorithm": oid, "parameters": None}
        mask = {"algorithm": "1.2.840.113549.1.1.8", "parameters": digest}
        parameters = {"hash": digest, "mask": mask, "salt": 20, "trailer": 1}
        given = algorithms["Algorithm"].encode({"algorithm": _sign.PSS, "parameters": parameters})
        assert _sign.hash_of(_sign.PSS, given).name == name
        padding = _sign.parameters_of(_sign.PSS, given)
        assert padding._salt_length == 20 and padding.mgf._algorithm.name == name
