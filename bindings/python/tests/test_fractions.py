"""Fractions of GeneralizedTime, of any number of digits."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tagwise import asn1

MODULE = "M DEFINITIONS ::= BEGIN T ::= GeneralizedTime END"


def time() -> asn1.Type:
    return asn1.compile_text(MODULE)["T"]


def test_every_digit_stays() -> None:
    kind = time()
    for text, number in [
        ("20261121100000Z", 1795255200),
        ("20261121100000.5Z", Decimal("1795255200.5")),
        ("20261121100000.123456789Z", Decimal("1795255200.123456789")),
        ("20261121100000.1234567890123456789Z", Decimal("1795255200.1234567890123456789")),
        ("19691231235958.25Z", Decimal("-1.75")),
        ("19691231235959.999999999999Z", Decimal("-0.000000000001")),
        ("19691231235959.0000000000001Z", Decimal("-0.9999999999999")),
        ("20261121100000." + "0" * 4095 + "1Z", Decimal("1795255200." + "0" * 4095 + "1")),
    ]:
        der = asn1_time(text)
        value = kind.decode(der)
        assert value == number and type(value) is type(number), text
        assert kind.encode(value) == der, text


def asn1_time(text: str) -> bytes:
    size = len(text)
    head = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
    return b"\x18" + head + text.encode()


@pytest.mark.parametrize("text", ["1E+999999999", "1E-999999999", "NaN", "Infinity", "-Infinity", "1E+19", "-1E+18", "1E-4097"])
def test_numbers_that_are_no_times(text: str) -> None:
    with pytest.raises(ValueError):
        time().encode(Decimal(text))


def test_zeros_at_the_end_go() -> None:
    assert time().encode(Decimal("0.500")) == asn1_time("19700101000000.5Z")
    assert time().encode(Decimal("1E+2")) == asn1_time("19700101000140Z")
    assert time().encode(Decimal("-2.0")) == asn1_time("19691231235958Z")
