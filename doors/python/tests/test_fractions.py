"""Fractions of GeneralizedTime, of any number of digits."""

from __future__ import annotations

import datetime
import decimal
from decimal import Decimal
from typing import Annotated

import pytest

from tagwise import Asn1Error, asn1
from tagwise.x509 import _times

UTC = datetime.timezone.utc
MODULE = "M DEFINITIONS ::= BEGIN T ::= GeneralizedTime END"


def time() -> asn1.Type:
    return asn1.compile_text(MODULE)["T"]


def test_every_digit_stays() -> None:
    kind = time()
    for text, number in [
        ("20261121100000Z", datetime.datetime(2026, 11, 21, 10, tzinfo=UTC)),
        ("20261121100000.5Z", datetime.datetime(2026, 11, 21, 10, 0, 0, 500_000, tzinfo=UTC)),
        ("20261121100000.123456Z", datetime.datetime(2026, 11, 21, 10, 0, 0, 123_456, tzinfo=UTC)),
        ("00001231235959Z", -62135596801),
        ("20261121100000.123456789Z", Decimal("1795255200.123456789")),
        ("20261121100000.1234567890123456789Z", Decimal("1795255200.1234567890123456789")),
        ("19691231235958.25Z", datetime.datetime(1969, 12, 31, 23, 59, 58, 250_000, tzinfo=UTC)),
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


CONTEXTS = [
    decimal.Context(prec=1),
    decimal.Context(prec=6, rounding=decimal.ROUND_UP, Emin=0, Emax=0),
    decimal.Context(prec=6, traps=[decimal.Inexact, decimal.Rounded, decimal.FloatOperation]),
    decimal.Context(capitals=0),
    decimal.DefaultContext,
]

@pytest.mark.parametrize("context", CONTEXTS, ids=["prec=1", "narrow", "traps", "small letters", "default"])
def test_moments_are_exact_in_every_context(context: decimal.Context) -> None:
    kind = asn1.of(datetime.datetime)
    numbers = asn1.of(asn1.GeneralizedTime)
    with decimal.localcontext(context):
        for moment, text in [
            (datetime.datetime(2026, 11, 21, 10, 0, 0, 123456, UTC), "20261121100000.123456Z"),
            (datetime.datetime(2026, 11, 21, 10, 0, 0, 999999, UTC), "20261121100000.999999Z"),
            (datetime.datetime(2026, 11, 21, 10, 0, 0, 500000, UTC), "20261121100000.5Z"),
            (datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC), "19691231235959.999999Z"),
            (datetime.datetime(1, 1, 1, 0, 0, 0, 1, UTC), "00010101000000.000001Z"),
            (datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC), "99991231235959.999999Z"),
            (datetime.datetime(2026, 11, 21, 10, 0, 0, 0, UTC), "20261121100000Z"),
        ]:
            der = asn1_time(text)
            assert kind.encode(moment) == der, text
            assert kind.decode(der) == moment, text
            assert numbers.encode(numbers.decode(der)) == der, text


def test_times_that_datetime_does_not_have_stay_numbers() -> None:
    kind = asn1.of(datetime.datetime)
    for text, number in [
        ("20261121100000.1234567Z", Decimal("1795255200.1234567")),
        # A product with 28 digits would have none of the last one.
        ("20261121100000.1234560000000000000000000001Z", Decimal("1795255200.1234560000000000000000000001")),
        ("20261121100000.1" + "0" * 4000 + "1Z", Decimal("1795255200.1" + "0" * 4000 + "1")),
        ("00000101000000Z", -62167219200),
        ("00001231235959.5Z", Decimal("-62135596800.5")),
    ]:
        value = kind.decode(asn1_time(text))
        assert value == number and type(value) is type(number), text
        assert kind.encode(value) == asn1_time(text), text


def test_moments_need_a_time_zone() -> None:
    class Nowhere(datetime.tzinfo):
        def utcoffset(self, dt: object) -> None:
            return None

    for zone in (None, Nowhere()):
        with pytest.raises(ValueError, match="time zone"):
            asn1.of(datetime.datetime).encode(datetime.datetime(2026, 11, 21, tzinfo=zone))


def test_utc_times_have_whole_seconds() -> None:
    kind = asn1.of(Annotated[datetime.datetime, asn1.kind("UTCTime")])
    with pytest.raises(ValueError, match="whole seconds"):
        kind.encode(datetime.datetime(2026, 11, 21, 10, 0, 0, 1, UTC))
    assert asn1.of(asn1.UTCTime).encode(Decimal("0.0")) == b"\x17\x0d700101000000Z"  # type: ignore[arg-type]


def test_moments_of_the_package_are_exact() -> None:
    with decimal.localcontext() as context:
        context.prec = 3
        assert _times.utc(Decimal("1795255200.1234567")).microsecond == 123456
        # The last microsecond before 1970, and not 1970.
        assert _times.naive(Decimal("-0.0000001")) == datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)


class Moment(asn1.Sequence):
    number: asn1.GeneralizedTime
    at: datetime.datetime


@pytest.mark.parametrize("text", ["20161231235960Z", "20161231235960.5Z", "20161231235960.1234567Z"])
def test_leap_seconds_stay(text: str) -> None:
    """They are no other second: X.680 §46.2 takes the seconds from ISO 8601."""
    kind, der = time(), asn1_time(text)
    for rules in ("DER", "BER", "CER"):
        assert kind.decode(der, rules=rules) == text and kind.encode(text, rules=rules) == der
    assert kind.from_json(kind.to_json(der)) == der and [event.value for event in kind.events(der)] == [text]
    root = kind.inspect(der)
    assert root.value == text and asn1.pprint(root).endswith(text)
    both = Moment.decode(bytes([0x30, 2 * len(der)]) + der * 2)
    assert (both.number, both.at) == (text, text) and both.encode() == bytes([0x30, 2 * len(der)]) + der * 2
    assert Moment.decode(Moment(number=text, at=text).encode()) == both  # type: ignore[arg-type]
    # For `datetime`, it is the second that follows.
    fraction = text[15:].rstrip("Z").ljust(6, "0")[:6]
    assert _times.naive(text) == datetime.datetime(2017, 1, 1, 0, 0, 0, int(fraction))
    assert _times.utc(text) == datetime.datetime(2017, 1, 1, 0, 0, 0, int(fraction), datetime.timezone.utc)


def test_leap_seconds_of_ber() -> None:
    kind = time()
    for text in ("20170101005960+0100", "20161231185960-0500", "20161231235960.0Z", "20161231235960,00Z"):
        value = kind.decode(asn1_time(text), rules="BER")
        assert value == "20161231235960Z" and kind.encode(value) == asn1_time("20161231235960Z"), text


def test_texts_that_are_no_time() -> None:
    kind = time()
    for text in ("20161230235960Z", "20161231235961Z", "20161231235960", "2016-12-31T23:59:60Z", "", "now", "20161231235960é"):
        with pytest.raises(ValueError):
            kind.encode(text)
        with pytest.raises(ValueError):
            Moment(number=text, at=datetime.datetime(2026, 11, 21, tzinfo=datetime.timezone.utc)).encode()
    utc = asn1.compile_text("M DEFINITIONS ::= BEGIN T ::= UTCTime END")["T"]
    with pytest.raises(Asn1Error, match="second"):
        utc.decode(b"\x17\x0d161231235960Z")
    with pytest.raises(TypeError):
        utc.encode("161231235960Z")


def test_errors_at_the_top_have_a_code_too() -> None:
    with pytest.raises(Asn1Error) as caught:
        asn1.of(asn1.GeneralizedTime).encode("20161231225960Z")
    assert (caught.value.code, caught.value.path, caught.value.offset) == ("time-second", "", None)
    with pytest.raises(Asn1Error) as caught:
        asn1.of(asn1.UTCTime).encode(-(2**40))
    assert (caught.value.code, caught.value.path) == ("value", "")
