"""PEM as people have it: whitespace, indentation, text and remains of blocks around the block that is wanted (RFC 7468 §2)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tagwise import Asn1Error, keys, pem, x509

from .test_text_never_raises import KEY, NAME, certificate

CERTIFICATE = certificate([])
TEXT = CERTIFICATE.public_bytes("PEM").decode()
LINES = TEXT.splitlines()


def spaced(text: str) -> str:
    return "\n".join(line if line.startswith("-") else f"{line[:20]} {line[20:]}" for line in text.splitlines()) + "\n"


SHAPES: dict[str, Callable[[str], str]] = {
    "whitespace in lines": spaced,
    "indented": lambda text: "".join(f"    {line}\n" for line in text.splitlines()),
    "empty lines": lambda text: text.replace("\n", "\n\n"),
    "a stray END before": lambda text: "-----END CERTIFICATE-----\n" + text,
    "text before": lambda text: "subject: CN=x\n==\n" + text,
    "a cut block behind": lambda text: text + text[:100],
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("shape", list(SHAPES))
def test_certificates(shape: str) -> None:
    text = SHAPES[shape](TEXT).encode()
    assert x509.load_pem_x509_certificate(text) == CERTIFICATE
    assert x509.load_pem_x509_certificates(text) == [CERTIFICATE]


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "a stray END before"])
def test_other_values(shape: str) -> None:
    request = x509.CertificateSigningRequestBuilder().subject_name(NAME).sign(KEY, None)
    assert x509.load_pem_x509_csr(SHAPES[shape](request.public_bytes("PEM").decode()).encode()) == request
    if shape != "a cut block behind":
        assert keys.PrivateKey.from_pem(SHAPES[shape](KEY.to_pem())).public_key() == KEY.public_key()
        assert [block.label for block in pem.blocks(SHAPES[shape](TEXT))] == ["CERTIFICATE"]


def test_allowances_reach_the_text() -> None:
    text = TEXT.replace("-----BEGIN", "----BEGIN", 1)
    with pytest.raises(ValueError):
        x509.load_pem_x509_certificate(text.encode())
    assert x509.load_pem_x509_certificate(text.encode(), allow=["pem-dashes"]) == CERTIFICATE
    assert x509.load_pem_x509_certificate(text.encode(), allow=pem.LAX) == CERTIFICATE


def test_damage_before_or_in_the_block_is_an_error() -> None:
    body = "\n".join([LINES[0], *LINES[1:-1], LINES[-1]])
    for text in (body.replace(LINES[2], "!" + LINES[2][1:]), TEXT[:200], "\n".join(LINES[1:-1])):
        with pytest.raises(ValueError):
            x509.load_pem_x509_certificate(text.encode())
    with pytest.raises(Asn1Error):
        x509.load_pem_x509_certificates((TEXT + TEXT.replace(LINES[2], "!" + LINES[2][1:]) + TEXT).encode())
