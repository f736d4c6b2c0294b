"""Inputs that are damaged: an exception of the package's or a value, never anything else."""

from __future__ import annotations

import os
import pathlib
import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from tagwise import _native, x509
from tagwise.x509 import ocsp

from .conftest import ROOM

#: Changed copies of each file; the environment may ask for more.
COUNT = int(os.environ.get("TAGWISE_MUTATIONS", "100"))

ALLOWED = (
    ValueError,
    NotImplementedError,
    x509.InvalidVersion,
    x509.DuplicateExtension,
    x509.UnsupportedGeneralNameType,
)


def whole(value: Any) -> None:
    """Asks for everything that can be asked for without an argument."""
    for name in dir(type(value)):
        if name.startswith("_") or name in ("get_revoked_certificate_by_serial_number",):
            continue
        try:
            found = getattr(value, name)
            if name in ("check", "lint", "to_json", "public_key"):
                found()
        except ALLOWED:
            continue
        except TypeError:
            # As in `cryptography`: the key is of a kind that does not sign.
            assert name == "is_signature_valid"
        except Exception as error:
            # `cryptography` has exceptions of its own for keys and algorithms that it does not know.
            if type(error).__module__.split(".")[0] != "cryptography":
                raise
    if isinstance(value, x509.CertificateRevocationList):
        try:
            count = len(value)
        except ALLOWED:
            return
        for number in range(count):
            try:
                value[number].extensions  # noqa: B018
            except ALLOWED:
                continue


def damaged(der: bytes, source: random.Random) -> bytes:
    changed = bytearray(der)
    for _ in range(source.randint(1, 3)):
        kind, at = source.randrange(4), source.randrange(len(changed))
        if kind == 0:
            changed[at] ^= 1 << source.randrange(8)
        elif kind == 1:
            changed[at] = source.choice((0, 1, 0x7F, 0x80, 0x81, 0xFF))
        elif kind == 2:
            del changed[at : at + source.randint(1, 4)]
        else:
            changed[at:at] = bytes(source.randrange(256) for _ in range(source.randint(1, 4)))
        if not changed:
            changed = bytearray(b"\0")
    return bytes(changed)


def ders(pattern: str, label: str) -> list[bytes]:
    """Files of the vectors, some of which are damaged already."""
    found = []
    for file in sorted(file for file in pathlib.Path(ROOM).rglob(pattern) if file.is_file()):
        data = file.read_bytes()
        if not data.startswith(b"-----BEGIN"):
            found.append(data)
            continue
        try:
            found += [der for name, der, _ in _native.read_pem(data) if name == label]
        except ValueError:
            continue
    return found


@pytest.mark.parametrize(
    ("pattern", "label", "load"),
    [
        ("*.pem", "CERTIFICATE", x509.load_der_x509_certificate),
        ("*crl*.*", "X509 CRL", x509.load_der_x509_crl),
        ("*.pem", "CERTIFICATE REQUEST", x509.load_der_x509_csr),
        ("ocsp/req*.der", "", ocsp.load_der_ocsp_request),
        ("ocsp/resp*.der", "", ocsp.load_der_ocsp_response),
    ],
)
def test_damaged_inputs(pattern: str, label: str, load: Callable[[bytes], Any]) -> None:
    source = random.Random(4711)
    inputs = ders(pattern, label)
    assert len(inputs) > 5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = 0
        for number in range(COUNT * 5):
            der = inputs[number % len(inputs)]
            try:
                value = load(damaged(der, source) if number >= len(inputs) else der)
            except ALLOWED:
                continue
            read += 1
            whole(value)
        assert read > 0
