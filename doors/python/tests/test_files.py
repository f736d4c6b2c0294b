"""PEM, files, lints, differences, and values as HTML."""

from __future__ import annotations

import os
import pathlib
import pickle

import pytest

from tagwise import Asn1Error, keys, lint, pem, x509
from tagwise.x509 import ocsp

from .ber import parse
from .conftest import ROOM
from .test_leniency import answered, crl_tree, request_tree


# ---- PEM ----------------------------------------------------------------------------------------


def test_blocks_have_their_places() -> None:
    one, two = pem.encode("ONE", bytes(60)), pem.encode("TWO", b"2")
    text = f"before\n{one}between\n{two}"
    first, second = pem.blocks(text)
    assert (first.label, first.data, first.line, first.offset) == ("ONE", bytes(60), 2, 7)
    assert (second.label, second.data) == ("TWO", b"2")
    assert text[first.offset : first.offset + first.size].strip() == one.strip()
    assert pem.blocks(text.encode()) == pem.blocks(memoryview(text.encode())) == [first, second]
    assert pickle.loads(pickle.dumps(first)) == first and len({first, second}) == 2
    assert pem.encode_many([("ONE", bytes(60)), ("TWO", b"2")]) == one + two
    assert pem.decode(text, "TWO") == b"2" and pem.blocks("") == []
    with pytest.raises(ValueError, match="block THREE not found"):
        pem.decode(text, "THREE")


FAULTS = {
    "pem-line-length": ("AAAA", "AA\nAA"),
    "pem-whitespace": ("AAAA", "AA AA"),
    "pem-missing-padding": ("AAAA", "AAA"),
    "pem-unused-bits": ("AAAA", "AAB="),
    "pem-foreign-octets": ("AAAA", "A*AAA"),
    "pem-headers": ("AAAA", "Key: value\n\nAAAA"),
    "pem-label-mismatch": ("END X", "END Y"),
    "pem-missing-end": ("-----END X-----\n", ""),
}


@pytest.mark.parametrize("rule", FAULTS)
def test_faults_of_pem_are_tolerated_by_name(rule: str) -> None:
    before, after = FAULTS[rule]
    text = pem.encode("X", bytes(3)).replace(before, after)
    if rule in pem._USUAL:
        # RFC 7468 §2: whitespace is ignored without being allowed.
        assert [block.data for block in pem.blocks(text)] == [block.data for block in pem.blocks(text, allow=[rule])]
        return
    with pytest.raises(Asn1Error) as caught:
        pem.blocks(text)
    assert caught.value.clause.startswith("RFC") and caught.value.path.startswith("line ")
    (block,) = pem.blocks(text, allow=[rule])
    assert block.data == bytes(len(block.data)) and len(block.data) in (2, 3)
    assert rule in pem.LAX and pem.blocks(text, allow=pem.LAX) == [block]
    assert block.headers == ((("Key", "value"),) if rule == "pem-headers" else ())


def test_labels_that_are_none() -> None:
    with pytest.raises(ValueError):
        pem.encode("-----", b"")
    with pytest.raises(ValueError, match="unknown rule"):
        pem.blocks("", allow=["pem-nothing"])
    with pytest.raises(TypeError):
        pem.blocks(4711)


# ---- Files --------------------------------------------------------------------------------------


def test_a_folder_of_files(der: bytes, tmp_path: pathlib.Path) -> None:
    request, response = answered()
    key = keys.PrivateKey.generate("p-256").to_pkcs8()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.txt").write_text(der.hex())
    (tmp_path / "a.pem").write_text("text\n" + pem.encode("CERTIFICATE", der) + pem.encode("X509 CRL", crl_tree().encode()))
    (tmp_path / "d.der").write_bytes(request_tree().encode())
    (tmp_path / "e.der").write_bytes(request)
    (tmp_path / "f.der").write_bytes(response)
    (tmp_path / "g.der").write_bytes(key)
    (tmp_path / "h.txt").write_bytes(b"nothing that is known")
    tree = parse(der)
    tree[0][0][0].content = b"\x05"
    (tmp_path / "i.der").write_bytes(tree.encode())
    (tmp_path / "j.pem").write_text(pem.encode("CERTIFICATE", der).replace("MII", "M*!", 1).replace("END", "ENDE"))
    found = list(x509.scan(tmp_path))
    shown = [(one.path.name, one.kind, type(one.value).__name__) for one in found if one.error is None]
    assert shown[:3] == [
        ("a.pem", "certificate", "Certificate"),
        ("a.pem", "crl", "CertificateRevocationList"),
        ("d.der", "certification-request", "CertificateSigningRequest"),
    ]
    assert ("e.der", "ocsp-request", "NoneType") in shown and ("f.der", "ocsp-response", "NoneType") in shown
    assert ("g.der", "private-key", "NoneType") in shown and ("c.txt", "certificate", "Certificate") in shown
    first = found[0]
    assert first.value == x509.load_der_x509_certificate(der) and (first.label, first.line) == ("CERTIFICATE", 2)
    assert first.data == der
    wrong = {one.path.name: one.error for one in found if one.error is not None}
    assert isinstance(wrong["i.der"], x509.InvalidVersion)
    assert not any(one.value is not None for one in found if one.path.name in ("h.txt", "i.der", "j.pem"))
    assert [one.data for one in x509.scan(tmp_path / "g.der")] == [key]
    assert [one.path.name for one in x509.scan(str(tmp_path / "b"))] == ["c.txt"]


def test_files_that_cannot_be_read(der: bytes, tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(x509.scan(tmp_path / "nothing"))
    (tmp_path / "large.der").write_bytes(der)
    (tmp_path / "small.der").write_bytes(b"\x30\x00")
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    found = {one.path.name: one for one in x509.scan(tmp_path, largest=100)}
    assert isinstance(found["large.der"].error, OSError) and "100 bytes" in str(found["large.der"].error)
    assert set(found) == {"large.der", "small.der"}
    with pytest.raises(OSError):
        list(x509.scan(tmp_path / "large.der", largest=100))


def test_leniency_in_files(der: bytes, tmp_path: pathlib.Path) -> None:
    tree = parse(der)
    tree[0][5][0].long = True
    (tmp_path / "a.der").write_bytes(tree.encode())
    (one,) = x509.scan(tmp_path, allow=["long-length"])
    assert one.value is not None and one.value.subject == x509.load_der_x509_certificate(der).subject


# ---- Lints --------------------------------------------------------------------------------------


def test_lints_are_chosen(der: bytes) -> None:
    tree = parse(der)
    tree[0][1].content = b"\0"
    certificate = x509.Certificate(tree.encode())
    every = lint.check(certificate)
    assert every == certificate.lint()
    assert [one.path for one in every if one.lint == "rfc5280.4.1.2.2.zero_serial"] == ["tbsCertificate.serialNumber"]
    assert {one.severity for one in every} == {"error", "warning"}
    assert [one.lint for one in lint.check(certificate, severity="error")] == ["rfc5280.4.1.2.2.zero_serial"]
    assert lint.check(certificate, only=["rfc5280.4.1.2.2"], skip=["rfc5280.4.1.2.2.zero_serial"]) == []
    assert [one.lint for one in lint.check(certificate, only=["rfc5280.4.1.2"])] == ["rfc5280.4.1.2.2.zero_serial"]
    # A section is not the beginning of another's number.
    assert not any(one.id.startswith("rfc5280.4.2.1.1.") for one in lint.select("rfc5280.4.2.1.10"))
    for wrong in ({"only": ["rfc5280.4.1.2.2.zero"]}, {"skip": ["nothing"]}):
        with pytest.raises(KeyError):
            lint.check(certificate, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        lint.check(certificate, severity="info")


def test_lints_of_lists() -> None:
    crl = x509.load_der_x509_crl(crl_tree().encode())
    findings = crl.lint()
    assert "rfc5280.5.2.3.no_crl_number" in {one.lint for one in findings}
    assert all(one.path.startswith("tbsCertList") for one in findings)
    assert lint.by_id("rfc5280.5.2.3.no_crl_number").scope == "crl"
    assert len({one.id for one in lint.LINTS}) == len(lint.LINTS)


# ---- Differences --------------------------------------------------------------------------------


def test_differences_have_the_paths_of_get(der: bytes) -> None:
    one = x509.load_der_x509_certificate(der)
    other = x509.load_pem_x509_certificate((ROOM / "wildcard_san.pem").read_bytes())
    assert one.diff(one) == []
    found = one.diff(other)
    assert {"tbsCertificate.serialNumber", "tbsCertificate.extensions[subjectAltName]"} <= {each.path for each in found}
    for each in found:
        assert one.get(each.path) == ([] if each.before is None else [each.before])
        assert other.get(each.path) == ([] if each.after is None else [each.after])
    assert [(each.path, each.before, each.after) for each in other.diff(one)] == [
        (each.path, each.after, each.before) for each in sorted(found, key=lambda each: [one.path for one in other.diff(x509.Certificate(der))].index(each.path))
    ]
    with pytest.raises(TypeError):
        one.diff(x509.load_der_x509_crl(crl_tree().encode()))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        one.diff(der)  # type: ignore[arg-type]


def test_one_difference(der: bytes) -> None:
    tree = parse(der)
    tree[0][1].content = b"\x01"
    (only,) = x509.Certificate(der).diff(x509.Certificate(tree.encode()))
    assert (only.path, only.before, only.after) == ("tbsCertificate.serialNumber", 16160, 1)
    assert hash(only) == hash(only) and "serialNumber" in repr(only)
    lists = crl_tree()
    entries = next(one for one in lists[0].children[3:] if one.tag == 0x30)
    entries[1][0].content = b"\x7f"
    (entry,) = x509.load_der_x509_crl(crl_tree().encode()).diff(x509.load_der_x509_crl(lists.encode()))
    assert entry.path == "tbsCertList.revokedCertificates[1].userCertificate" and entry.after == 127


# ---- HTML ---------------------------------------------------------------------------------------


def test_values_as_html(der: bytes) -> None:
    request, response = answered()
    values = [
        x509.load_der_x509_certificate(der),
        x509.load_der_x509_crl(crl_tree().encode()),
        x509.load_der_x509_csr(request_tree().encode()),
        ocsp.load_der_ocsp_request(request),
        ocsp.load_der_ocsp_response(response),
    ]
    for value in values:
        shown = value._repr_html_()
        assert shown.startswith(f"<div><b>{type(value).__name__}</b><table>") and shown.count("<table>") > 1
        assert shown.count("<table>") == shown.count("</table>") and shown.count("<td") == shown.count("</td>")
    assert "www.cryptography.io" in values[0]._repr_html_() and "16160" in values[0]._repr_html_()


def test_html_is_escaped() -> None:
    key = keys.PrivateKey.generate("p-256")
    name = x509.Name([x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, "<script>alert('&')</script>")])
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, "sha256")
    shown = request._repr_html_()
    assert "<script" not in shown and "&lt;script&gt;" in shown
