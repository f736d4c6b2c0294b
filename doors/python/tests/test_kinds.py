"""REAL, RELATIVE-OID, OID-IRI, the times of ISO 8601 and EXTERNAL: values of Python's both ways, and JSON."""

from __future__ import annotations

import datetime
import decimal
import math
from decimal import Decimal
from typing import Annotated, Any

import pytest
from tagwise import Asn1Error, asn1

MODULES = asn1.compile_text(
    """
    M DEFINITIONS ::= BEGIN
      R ::= REAL
      Relative ::= RELATIVE-OID
      Oid ::= OBJECT IDENTIFIER
      Iri ::= OID-IRI
      RelativeIri ::= RELATIVE-OID-IRI
      D ::= DATE
      T ::= TIME-OF-DAY
      DT ::= DATE-TIME
      P ::= DURATION
      I ::= TIME
      General ::= GeneralString
      E ::= EXTERNAL
      Small ::= REAL (0 .. {mantissa 15, base 10, exponent -1})
      All ::= SEQUENCE { r REAL, o RELATIVE-OID, d DATE, t TIME-OF-DAY, dt DATE-TIME, p DURATION, i TIME }
    END
    """
)


def der(name: str, content: bytes) -> bytes:
    tags = {"R": "09", "Relative": "0d", "Oid": "06", "Iri": "1f23", "RelativeIri": "1f24"}
    tags.update({"D": "1f1f", "T": "1f20", "DT": "1f21", "P": "1f22", "I": "0e", "General": "1b"})
    return bytes.fromhex(tags[name]) + bytes([len(content)]) + content


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


#: A value, and its content in DER (X.690 §8.5, §11.3).
REALS: list[tuple[Any, bytes]] = [
    (0.0, b""),
    (-0.0, b"\x43"),
    (math.inf, b"\x40"),
    (-math.inf, b"\x41"),
    (math.nan, b"\x42"),
    (1.0, b"\x80\x00\x01"),
    (2.5, b"\x80\xff\x05"),
    (-0.15625, b"\xc0\xfb\x05"),
    (5e-324, b"\x81\xfb\xce\x01"),
    (Decimal("1.5"), b"\x0315.E-1"),
    (Decimal("-1E+3"), b"\x03-1.E3"),
    (Decimal("7"), b"\x037.E+0"),
    (Decimal("1E-400"), b"\x031.E-400"),
    ((2**53 + 1, 2, 0), b"\x80\x00\x20\x00\x00\x00\x00\x00\x01"),
    ((-(2**70 + 1), 2, 3), b"\xc0\x03\x40" + bytes(7) + b"\x01"),
    ((1, 2, 5000), b"\x81\x13\x88\x01"),
    ((3, 10, 10**15), b"\x033.E1000000000000000"),
]


@pytest.mark.parametrize(("value", "content"), REALS)
def test_real_numbers(value: Any, content: bytes) -> None:
    real = MODULES["R"]
    encoded = der("R", content)
    assert same(real.decode(encoded), value)
    assert real.encode(value) == encoded
    assert real.from_json(real.to_json(encoded)) == encoded


def test_real_numbers_in_other_forms() -> None:
    real = MODULES["R"]
    for given, expected in [
        (1e308, 1e308),
        (7, 7.0),
        (-(2**60), -(2.0**60)),
        (2**70 + 1, (2**70 + 1, 2, 0)),
        ((20, 2, -3), 2.5),
        ((0, 10, 9), 0.0),
        ((150, 10, -2), Decimal("1.5")),
        (Decimal("0.00"), 0.0),
        (Decimal("-0"), -0.0),
        (Decimal("Infinity"), math.inf),
        (Decimal("-Infinity"), -math.inf),
        (Decimal("NaN"), math.nan),
        (Decimal("1500"), Decimal("1.5E+3")),
        (b"\x80\x00\x01", 1.0),
    ]:
        read = real.decode(real.encode(given))
        assert read == expected or (math.isnan(read) and math.isnan(expected))
    # BER has more forms: base 16 with a scaling factor, NR1.
    assert real.decode(b"\x09\x03\xa4\x01\x01", rules="BER") == 32.0
    assert real.decode(b"\x09\x03\x0142", rules="BER") == Decimal(42)
    # An exponent that no number of 62 bits holds: the content, which encodes again.
    huge = der("R", b"\x031.E99999999999999999999")
    assert real.decode(huge) == huge[2:] and real.encode(huge[2:]) == huge
    assert real.from_json(real.to_json(huge)) == huge
    with decimal.localcontext() as context:
        context.prec, context.traps[decimal.InvalidOperation] = 3, False
        assert real.decode(real.encode(Decimal("1.23456"))) == Decimal("1.23456")
        assert real.decode(der("R", b"\x033.E1000000000000000")) == (3, 10, 10**15)


def test_real_numbers_that_are_none() -> None:
    real = MODULES["R"]
    for wrong in ((1, 8, 0), (1, 2, 2**62), (1, 10, -(2**62)), b"\x80\x00\x02", b"\x01"):
        with pytest.raises(ValueError):
            real.encode(wrong)
    for wrong in ("1.5", None, (1, 2), (1.5, 2, 0), 1j):
        with pytest.raises((TypeError, ValueError)):
            real.encode(wrong)
    small = MODULES["Small"]
    assert small.decode(small.encode(1.5)) == 1.5 and small.decode(small.encode(Decimal("0.1"))) == Decimal("0.1")
    for wrong in (1.5000001, Decimal("1.51"), -0.1):
        with pytest.raises(Asn1Error):
            small.encode(wrong)


def test_identifiers() -> None:
    relative = MODULES["Relative"]
    # The example of X.690 §8.20.5.
    assert relative.decode(der("Relative", b"\xc2\x7b\x03\x02")) == "8571.3.2"
    for value in ("8571.3.2", (8571, 3, 2)):
        assert relative.encode(value) == der("Relative", b"\xc2\x7b\x03\x02")
    assert relative.to_json(relative.encode("0.1")) == '"0.1"'
    assert MODULES["Oid"].encode((2, 5, 4, 3)) == MODULES["Oid"].encode("2.5.4.3") == b"\x06\x03\x55\x04\x03"
    large = (2, 25, 2**128 - 1)
    assert MODULES["Oid"].decode(MODULES["Oid"].encode(large)) == ".".join(map(str, large))
    for name, text in (("Iri", "/Joint-ISO-ITU-T/Example"), ("RelativeIri", "Marvin/7")):
        assert MODULES[name].decode(MODULES[name].encode(text)) == text
        assert MODULES[name].encode(text) == der(name, text.encode())
    for name, wrong in (("Relative", ""), ("Relative", "1..2"), ("Relative", (1, -2)), ("Oid", (3, 1)), ("Iri", "no slash")):
        with pytest.raises(ValueError):
            MODULES[name].encode(wrong)
    with pytest.raises(TypeError):
        MODULES["Relative"].encode((1, "2"))


#: Type, value, content in DER (X.690 §8.26), text.
TIMES: list[tuple[str, Any, bytes, str]] = [
    ("D", datetime.date(2026, 11, 21), b"20261121", "2026-11-21"),
    ("D", datetime.date(1582, 1, 1), b"15820101", "1582-01-01"),
    ("D", datetime.date(9999, 12, 31), b"99991231", "9999-12-31"),
    ("T", datetime.time(6, 30), b"063000", "06:30:00"),
    ("T", "24:00:00", b"240000", "24:00:00"),
    ("T", "23:59:60", b"235960", "23:59:60"),
    ("DT", datetime.datetime(2026, 11, 21, 6, 30), b"20261121063000", "2026-11-21T06:30:00"),
    ("DT", "2016-12-31T23:59:60", b"20161231235960", "2016-12-31T23:59:60"),
    ("P", "P1Y2M10DT2H30M1.5S", b"1Y2M10DT2H30M1.5S", "P1Y2M10DT2H30M1.5S"),
    ("P", "P2W", b"2W", "P2W"),
    ("I", "1985-W15-5", b"1985-W15-5", "1985-W15-5"),
    ("I", "2026-11-21T06:30:00.25+05:30", b"2026-11-21T06:30:00.25+05:30", "2026-11-21T06:30:00.25+05:30"),
]


@pytest.mark.parametrize(("name", "value", "content", "text"), TIMES)
def test_times(name: str, value: Any, content: bytes, text: str) -> None:
    kind = MODULES[name]
    encoded = der(name, content)
    assert same(kind.decode(encoded), value)
    assert kind.encode(value) == kind.encode(text) == encoded
    assert kind.to_json(encoded) == f'"{text}"' and kind.from_json(f'"{text}"') == encoded


def test_times_from_objects() -> None:
    utc, zone = datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=-3, minutes=-30))
    span = datetime.timedelta
    for name, value, text in [
        ("P", span(0), "PT0S"),
        ("P", span(days=1, seconds=30), "P1DT30S"),
        ("P", span(hours=26, minutes=5), "P1DT2H5M"),
        ("P", span(seconds=1, microseconds=250_000), "PT1.25S"),
        ("P", span(microseconds=1), "PT0.000001S"),
        ("P", span(days=7), "P7D"),
        ("I", datetime.date(2026, 1, 2), "2026-01-02"),
        ("I", datetime.time(1, 2, 3, 500_000), "01:02:03.5"),
        ("I", datetime.time(1, 2, tzinfo=utc), "01:02:00Z"),
        ("I", datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=zone), "2026-01-02T03:04:05-03:30"),
        ("I", datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone(span(hours=2))), "2026-01-02T03:04:05+02"),
        ("I", span(days=2), "P2D"),
    ]:
        encoded = MODULES[name].encode(value)
        assert MODULES[name].decode(encoded) == text, value
    moment = datetime.datetime(2026, 1, 2, 3, 4, 5)
    for name, wrong in [
        ("D", datetime.date(1581, 12, 31)),
        ("D", "2026-02-29"),
        ("D", "20260101"),
        ("T", datetime.time(1, 2, 3, 4)),
        ("T", datetime.time(1, 2, 3, tzinfo=utc)),
        ("DT", moment.replace(tzinfo=utc)),
        ("DT", moment.replace(microsecond=1)),
        ("P", span(days=-1)),
        ("P", "1D"),
        ("P", "P0Y1D"),
        ("I", moment.replace(tzinfo=datetime.timezone(span(seconds=30)))),
        ("I", "2026-13-01"),
    ]:
        with pytest.raises(ValueError):
            MODULES[name].encode(wrong)
    for name, other in [("D", moment), ("DT", moment.date()), ("T", moment), ("P", 5), ("I", 5)]:
        with pytest.raises(TypeError):
            MODULES[name].encode(other)


def test_external_and_opaque_texts() -> None:
    external = MODULES["E"]
    value = {"direct-reference": "1.2.3", "encoding": ("octet-aligned", b"\x01")}
    encoded = external.encode(value)
    assert encoded.hex() == "28" + "07" + "06022a03" + "810101" and external.decode(encoded) == value
    general = MODULES["General"]
    for text in ("plain", b"\xa4\xa2"):
        assert general.decode(general.encode(text)) == text


def all_of_them() -> dict[str, Any]:
    return {
        "r": Decimal("0.1"),
        "o": "1.2",
        "d": datetime.date(2026, 1, 2),
        "t": datetime.time(3, 4, 5),
        "dt": datetime.datetime(2026, 1, 2, 3, 4, 5),
        "p": "P1D",
        "i": "03:04Z",
    }


@pytest.mark.parametrize("rules", ["DER", "CER", "BER"])
def test_together(rules: str) -> None:
    kind = MODULES["All"]
    encoded = kind.encode(all_of_them(), rules=rules)
    assert kind.decode(encoded, rules=rules) == all_of_them()
    assert kind.inspect(encoded, rules=rules).value == all_of_them()
    values = [event.value for event in kind.events(encoded, rules=rules) if event.kind == "value"]
    assert values == list(all_of_them().values())
    text = kind.to_json(encoded, rules=rules)
    assert kind.from_json(text, rules=rules) == encoded
    shown = asn1.pprint(kind.inspect(encoded, rules=rules))
    assert "r REAL 0.1" in shown and "d DATE 2026-01-02" in shown and "dt DATE-TIME 2026-01-02T03:04:05" in shown


def test_in_declared_classes() -> None:
    class Reading(asn1.Sequence, tags="automatic"):
        ratio: float
        exact: asn1.Real = Decimal("1.5")
        under: asn1.RelativeOid
        day: datetime.date
        at: datetime.time | None = None
        local: asn1.DateTime | None = None
        took: datetime.timedelta | None = None
        lasts: asn1.Duration | None = None
        when: asn1.Time | None = None
        moment: Annotated[datetime.datetime, asn1.kind("DATE-TIME")] | None = None

    value = Reading(
        ratio=0.5,
        under="1.2",
        day=datetime.date(2026, 1, 2),
        at=datetime.time(1, 2, 3),
        local=datetime.datetime(2026, 1, 2, 3, 4, 5),
        took=datetime.timedelta(days=1, seconds=30, microseconds=5),
        lasts="P1Y",
        when="2026-W01",
        moment=datetime.datetime(2026, 1, 2, 3, 4, 5),
    )
    again = Reading.decode(value.encode())
    assert again == value and again.exact == Decimal("1.5")
    assert asn1.from_json(Reading, asn1.to_json(value)) == value
    # A span that is none of `timedelta` stays a text.
    kind = asn1.of(datetime.timedelta)
    assert kind.decode(MODULES["P"].encode("P1M")) == "P1M"
    assert kind.decode(MODULES["P"].encode("P2W")) == datetime.timedelta(weeks=2)
    assert kind.decode(MODULES["P"].encode("PT1.5H")) == datetime.timedelta(minutes=90)
    assert kind.decode(MODULES["P"].encode("PT0.0000001S")) == "PT0.0000001S"
    assert kind.decode(MODULES["P"].encode("P999999999999D")) == "P999999999999D"
