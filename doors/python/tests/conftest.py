"""Test data: certificates of `cryptography_vectors`, which the environment has."""

from __future__ import annotations

import pathlib

import cryptography_vectors
import pytest

ROOM = pathlib.Path(cryptography_vectors.__file__).parent / "x509"


@pytest.fixture(scope="session")
def pem() -> bytes:
    return (ROOM / "cryptography.io.pem").read_bytes()


@pytest.fixture(scope="session")
def der(pem: bytes) -> bytes:
    from tagwise import _native

    return _native.read_pem(pem)[0][1]


@pytest.fixture(scope="session")
def crl() -> bytes:
    return (ROOM / "custom" / "crl_all_reasons.pem").read_bytes()
