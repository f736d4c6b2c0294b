"""The numbers of DSA keys."""

from __future__ import annotations

from typing import NamedTuple


class DsaParameterNumbers(NamedTuple):
    """The parameters of a DSA key (FIPS 186-4 §4.1)."""

    p: int
    q: int
    g: int


class DsaPublicNumbers(NamedTuple):
    """The numbers of a DSA public key."""

    y: int
    parameter_numbers: DsaParameterNumbers


class DsaPrivateNumbers(NamedTuple):
    """The numbers of a DSA private key."""

    x: int
    public_numbers: DsaPublicNumbers
