"""Types that are compiled at run time."""

from __future__ import annotations

import datetime
import pathlib

import pytest

from tagwise import Asn1Error, asn1, x509

SCHEMAS = pathlib.Path(__file__).resolve().parents[3] / "schemas"

TEXT = """
Example DEFINITIONS IMPLICIT TAGS ::= BEGIN
  Message ::= SEQUENCE {
    id       INTEGER,
    kind     ENUMERATED { first(0), second(1) },
    flags    BIT STRING { a(0), b(1) } OPTIONAL,
    blob     [0] OCTET STRING OPTIONAL,
    at       [1] GeneralizedTime OPTIONAL,
    of       [2] OBJECT IDENTIFIER OPTIONAL,
    names    SET OF UTF8String,
    nothing  NULL OPTIONAL,
    deep     [3] Message OPTIONAL,
    choice   CHOICE { number [4] INTEGER, text [5] IA5String } OPTIONAL
  }
  -- A name that the package has, too, and that is something else here.
  AttributeTypeAndValue ::= SEQUENCE { type INTEGER, value BOOLEAN }
END
"""


@pytest.fixture(scope="module")
def message() -> asn1.Type:
    return asn1.compile_text(TEXT)["Message"]


VALUE = {
    "id": -(2**70),
    "kind": 1,
    "flags": (b"\x40", 6),
    "blob": b"\x00\x01",
    "at": datetime.datetime(2026, 11, 21, 10, tzinfo=datetime.timezone.utc),
    "of": "2.25.329800735698586629295641978511506172918",
    "names": ["a", "ä"],
    "nothing": None,
    "deep": {"id": 0, "kind": 0, "names": []},
    "choice": ("text", "hello"),
}


@pytest.mark.parametrize("rules", ["DER", "CER", "BER"])
def test_there_and_back(message: asn1.Type, rules: str) -> None:
    encoded = message.encode(VALUE, rules=rules)
    assert message.decode(encoded, rules=rules) == VALUE
    assert message.decode(memoryview(encoded), rules="BER") == VALUE


def test_json_and_paths(message: asn1.Type) -> None:
    der = message.encode(VALUE)
    assert message.from_json(message.to_json(der)) == der
    assert message.get(der, "deep.id") == [0]
    assert message.explain(der, der.index(b"hello")) == "choice"


def test_parts_as_encodings(message: asn1.Type) -> None:
    inner = message.encode({"id": 7, "kind": 0, "names": []})
    outer = message.encode({"id": 1, "kind": 0, "names": [], "deep": inner})
    assert message.get(outer, "deep.id") == [7]


def test_open_types_and_strings_come_back() -> None:
    modules = asn1.compile_text("""
    Open DEFINITIONS ::= BEGIN
      KIND ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { ID &id TYPE &Type }
      Kinds KIND ::= { { ID 1 TYPE OCTET STRING } | { ID 2 TYPE SEQUENCE { a BOOLEAN } } | { ID 3 TYPE UTF8String }, ... }
      Bare ::= SEQUENCE { id KIND.&id({Kinds}), value KIND.&Type({Kinds}{@id}) }
      Held ::= SEQUENCE { id KIND.&id({Kinds}), value OCTET STRING (CONTAINING KIND.&Type({Kinds}{@id})) }
    END
    """)
    for name in ("Bare", "Held"):
        for number, value in ((1, b"octets"), (2, {"a": True}), (3, "text")):
            encoded = modules[name].encode({"id": number, "value": value})
            assert modules[name].decode(encoded) == {"id": number, "value": value}
        # What has parts may be given as its encoding.
        encoded = modules[name].encode({"id": 2, "value": b"\x30\x03\x01\x01\xff"})
        assert modules[name].decode(encoded) == {"id": 2, "value": {"a": True}}
    # What nothing selects is an encoding in an open type, and any octets in a string.
    assert modules["Bare"].decode(modules["Bare"].encode({"id": 9, "value": b"\x05\x00"}))["value"] == b"\x05\x00"
    assert modules["Held"].decode(modules["Held"].encode({"id": 9, "value": b"any"}))["value"] == b"any"
    with pytest.raises(Asn1Error):
        modules["Bare"].encode({"id": 9, "value": b"any"})
    # An error behind an open type has its class, too.
    with pytest.raises(Asn1Error) as caught:
        modules["Bare"].decode(bytes.fromhex("3008 020102 3003010107"))
    assert (caught.value.path, caught.value.offset, caught.value.type_name) == ("value.a", 9, "BOOLEAN")


@pytest.mark.parametrize(
    ("octets", "value"),
    [
        ("3006020101 0101ff", {"x": 1, "flag": True}),  # a DEFAULT value that is encoded
        ("308106020101 010101", {"x": 1, "flag": True}),  # a long length, another TRUE
        ("30800283000001 01 0101000000", {"x": 1, "flag": False}),
    ],
)
def test_all_forms_of_ber(octets: str, value: dict[str, object]) -> None:
    ty = asn1.compile_text("M DEFINITIONS ::= BEGIN A ::= SEQUENCE { x INTEGER, flag BOOLEAN DEFAULT TRUE } END")["A"]
    data = bytes.fromhex(octets)
    assert ty.decode(data, rules="BER") == value
    assert ty.inspect(data, rules="BER").value == value
    with pytest.raises(Asn1Error):
        ty.decode(data)


def test_what_is_wrong(message: asn1.Type) -> None:
    for value in ({}, {"id": 1}, {"id": "x", "kind": 0, "names": []}, {"id": 1, "kind": 5, "names": []}, [], None):
        with pytest.raises((ValueError, TypeError)):
            message.encode(value)
    with pytest.raises(Asn1Error) as caught:
        message.decode(b"\x30\x80\x02\x01\x01\x00\x00")
    assert caught.value.offset == 1
    with pytest.raises(KeyError):
        asn1.compile_text(TEXT)["Nothing"]
    with pytest.raises(ValueError, match="text 1:1"):
        asn1.compile_text("Example DEFINITIONS ::= BEGIN A ::= B END")
    with pytest.raises(ValueError):
        message.decode(b"\x30\x00", rules="XER")


def test_a_nested_value_has_an_end(message: asn1.Type) -> None:
    value: dict[str, object] = {"id": 0, "kind": 0, "names": []}
    for _ in range(1000):
        value = {"id": 0, "kind": 0, "names": [], "deep": value}
    with pytest.raises(ValueError):
        message.encode(value)


def test_names_of_the_package_are_free() -> None:
    own = asn1.compile_text(TEXT)["AttributeTypeAndValue"]
    assert own.decode(own.encode({"type": 1, "value": True})) == {"type": 1, "value": True}


def test_files_of_modules(tmp_path: pathlib.Path) -> None:
    one, other = tmp_path / "a.asn1", tmp_path / "b[1]*.asn1"
    one.write_text("A DEFINITIONS ::= BEGIN IMPORTS Number FROM B; List ::= SEQUENCE OF Number END")
    other.write_text("B DEFINITIONS ::= BEGIN Number ::= INTEGER (0..9) END")
    # A string may have wildcards; a path names one file, whatever is in its name.
    for files in ([one, other], [str(one), other], [str(tmp_path / "*.asn1")], [*tmp_path.glob("*.asn1"), one]):
        modules = asn1.compile(*files)
        assert sorted(modules) == ["A.List", "B.Number"] and modules["List"].decode(b"\x30\x03\x02\x01\x05") == [5]
    assert asn1.compile_text(one.read_text(), other.read_text())["List"].encode([1]).hex() == "3003020101"
    for files in ([], [tmp_path / "none.asn1"], [one, tmp_path / "*.asn1"], [str(one), str(tmp_path / "c*.asn1")]):
        with pytest.raises(FileNotFoundError):
            asn1.compile(*files)


def test_the_standards_modules(der: bytes) -> None:
    modules = asn1.compile(str(SCHEMAS / "*" / "*.asn1"))
    assert len(modules) > 100
    points = x509.load_der_x509_certificate(der).extension(x509.CRLDistributionPoints).value
    encoded = points.public_bytes()
    kind = modules["CRLDistributionPoints"]
    value = kind.decode(encoded)
    (_, ((name, uri),)) = value[0]["distributionPoint"]
    assert (name, uri) == ("uniformResourceIdentifier", points[0].full_name[0].value)
    assert kind.encode(value) == encoded


def test_times_are_moments_both_ways() -> None:
    modules = asn1.compile_text("M DEFINITIONS ::= BEGIN U ::= UTCTime G ::= GeneralizedTime L ::= SEQUENCE OF U END")
    moment = datetime.datetime(2026, 11, 21, 10, tzinfo=datetime.timezone.utc)
    elsewhere = moment.astimezone(datetime.timezone(datetime.timedelta(hours=5, minutes=30)))
    for name, der in (("U", b"\x17\x0d261121100000Z"), ("G", b"\x18\x0f20261121100000Z")):
        kind = modules[name]
        assert kind.decode(der) == moment and kind.decode(der).tzinfo is datetime.timezone.utc
        assert kind.encode(moment) == kind.encode(elsewhere) == kind.encode(1_795_255_200) == der
        assert kind.inspect(der).value == moment and kind.get(der, "") == [moment]
        assert [event.value for event in kind.events(der) if event.kind == "value"] == [moment]
        assert [value for _, value in kind.records(der + der)] == [moment, moment]
        with pytest.raises(ValueError, match="time zone"):
            kind.encode(moment.replace(tzinfo=None))
    items = modules["L"].encode([moment, moment])
    assert [value for _, value in modules["L"].items(items, "")] == [moment, moment]
    assert asn1.inspect(b"\x17\x0d261121100000Z").value == moment
    with pytest.raises(ValueError, match="1950 to 2049"):
        modules["U"].encode(moment.replace(year=2050))
    with pytest.raises(ValueError, match="whole seconds"):
        modules["U"].encode(moment.replace(microsecond=5))
