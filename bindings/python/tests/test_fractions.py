"""Fractions of GeneralizedTime, of any number of digits."""

from __future__ import annotations

import datetime
import decimal
from decimal import Decimal

import pytest

from tagwise import asn1
from tagwise.x509 import _times

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


@asn1.sequence
class Noted:
    at: datetime.datetime


def noted(text: str) -> bytes:
    inner = asn1_time(text)
    return bytes([0x30, len(inner)]) + inner


def test_a_context_of_few_digits_changes_nothing() -> None:
    moment = datetime.datetime(2026, 11, 21, 10, 0, 0, 123456, tzinfo=datetime.timezone.utc)
    der = noted("20261121100000.123456Z")
    with decimal.localcontext() as context:
        context.prec = 3
        context.traps[decimal.Inexact] = True
        assert Noted.decode(der) == Noted(at=moment)
        assert Noted(at=moment).encode() == der
        before = datetime.datetime(1969, 12, 31, 23, 59, 58, 250000, tzinfo=datetime.timezone.utc)
        assert Noted.decode(Noted(at=before).encode()).at == before
        finer = Noted.decode(noted("20261121100000.1234567Z"))
        assert finer.at == Decimal("1795255200.1234567") and finer.encode() == noted("20261121100000.1234567Z")


def test_a_year_that_datetime_does_not_have_stays_a_number() -> None:
    der = noted("00000101000000Z")
    read = Noted.decode(der)
    assert read.at == -62167219200 and read.encode() == der


def test_moments_of_the_package_are_exact() -> None:
    with decimal.localcontext() as context:
        context.prec = 3
        assert _times.utc(Decimal("1795255200.1234567")).microsecond == 123456
        # The last microsecond before 1970, and not 1970.
        assert _times.naive(Decimal("-0.0000001")) == datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)
