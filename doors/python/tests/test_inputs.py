"""The table of inputs: each has the same answer as in Rust, the command and C."""

from __future__ import annotations

import base64
import pathlib

import pytest

from tagwise import _native, x509

TABLE = pathlib.Path(__file__).parents[3] / "tests/register/inputs.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]]


def answer(data: bytes) -> str:
    ((form, items),) = _native.find_many([data], [])
    told = []
    for kind, _, _, line, _, _, der, code, _ in items:
        place = "" if line is None else f"@{line}"
        fault = "" if code is None else f"!{code}"
        told.append(f"{kind}{place}/{len(der)}{fault}")
    return f"{form}: {', '.join(told)}".rstrip()


@pytest.mark.parametrize(("name", "expected", "text"), ROWS, ids=[row[0] for row in ROWS])
def test_answers(name: str, expected: str, text: str) -> None:
    data = base64.b64decode(text)
    assert answer(data) == expected
    found = x509.find(data)
    assert [one.kind for one in found] == [one.split("/")[0].split("@")[0] for one in expected.split(": ")[1:] for one in one.split(", ")]


def test_values_of_a_zip() -> None:
    data = next(base64.b64decode(text) for name, _, text in ROWS if name == "zip")
    root, crl = x509.find(data)
    assert isinstance(root.value, x509.Certificate) and isinstance(crl.value, x509.CertificateRevocationList)
    assert (root.entry, crl.entry, crl.label, crl.line) == ("a/root.crt", "list.pem", "CRL", 1)


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("PEM CERTIFICATE", x509.load_pem_x509_certificate),
        ("PEM X509 CERTIFICATE", x509.load_pem_x509_certificate),
        ("PEM TRUSTED CERTIFICATE", x509.load_pem_x509_certificate),
        ("PEM X509 CRL", x509.load_pem_x509_crl),
        ("PEM CRL", x509.load_pem_x509_crl),
        ("PEM CERTIFICATE REQUEST", x509.load_pem_x509_csr),
        ("PEM NEW CERTIFICATE REQUEST", x509.load_pem_x509_csr),
    ],
)
def test_labels_are_loaded(name: str, load: object) -> None:
    data = next(base64.b64decode(text) for row, _, text in ROWS if row == name)
    (first, *_) = x509.find(data)
    assert load(data) == first.value  # type: ignore[operator]
