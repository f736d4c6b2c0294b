"""Types of schemas under PER, OER and XER."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import tagwise
from tagwise import Asn1Error, asn1

TEXT = """
M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  Report ::= SEQUENCE {
    station INTEGER (0..4095),
    heading INTEGER (0..359) OPTIONAL,
    kind    ENUMERATED { car, bus, tram, ... },
    name    IA5String (SIZE (1..8)) (FROM ("A".."Z" | "0".."9")),
    place   OCTET STRING (CONTAINING Position) OPTIONAL,
    tags    SEQUENCE (SIZE (0..3)) OF INTEGER DEFAULT {},
    ...
  }
  Position ::= SEQUENCE { latitude INTEGER (-900..900), longitude INTEGER (-1800..1799) }
  Shape ::= CHOICE { side INTEGER (0..7), ..., radius INTEGER (0..255) }
  Flag ::= SEQUENCE { flag BOOLEAN, count INTEGER (0..7) DEFAULT 3 }
END
"""
RULES = ["uper", "aper", "cuper", "caper", "oer", "coer", "xer", "cxer", "exer"]
VALUE: dict[str, Any] = {
    "station": 7,
    "heading": 90,
    "kind": 1,
    "name": "T7",
    "place": {"latitude": 480, "longitude": -12},
    "tags": [1, -70000],
}


@pytest.fixture(scope="module")
def modules() -> asn1.Modules:
    return asn1.compile_text(TEXT)


@pytest.mark.parametrize("rules", RULES)
def test_there_and_back(modules: asn1.Modules, rules: str) -> None:
    report = modules["Report"]
    encoded = report.encode(VALUE, rules=rules)
    assert report.decode(encoded, rules=rules) == VALUE
    assert report.decode(bytearray(encoded), rules=rules.upper()) == VALUE
    assert report.encode(report.decode(encoded, rules=rules)) == report.encode(VALUE)
    json = report.to_json(encoded, rules=rules)
    assert json == report.to_json(report.encode(VALUE))
    assert report.from_json(json, rules=rules) == encoded


def test_known_encodings(modules: asn1.Modules) -> None:
    value = {"station": 7, "kind": 0, "name": "A"}
    encoded = {rules: modules["Report"].encode(value, rules=rules).hex() for rules in RULES[:6]}
    # The extension bit, three presence bits, station 12 bits, kind 1 + 2 bits, name 3 + 6 bits; in OER a preamble of 4 bits and whole bytes.
    assert encoded["uper"] == encoded["cuper"] == "000700a0"
    assert encoded["oer"] == encoded["coer"] == "00000700" + "0141"


def test_bits(modules: asn1.Modules) -> None:
    report = modules["Report"]
    bits = report.bits(report.encode(VALUE, rules="uper"), rules="uper")
    by_path = {one.path: (one.start, one.end) for one in bits}
    # One extension bit and three presence bits come first.
    assert by_path["station"] == (4, 16)
    assert by_path["heading"] == (16, 25)
    assert by_path["place.latitude"][1] == by_path["place.longitude"][0]
    assert by_path[""][0] == 0
    octets = modules["Flag"].bits(b"\x00\xff", rules="oer")
    assert [tuple(one) for one in octets] == [("", 0, 16), ("flag", 8, 16)]
    with pytest.raises(ValueError, match="use inspect"):
        report.bits(report.encode(VALUE), rules="DER")


def test_paths_of_bits(modules: asn1.Modules) -> None:
    report = modules["Report"]
    encoded = report.encode(VALUE, rules="uper")
    assert [report.explain(encoded, bit, rules="uper") for bit in (0, 4, 15, 16, 10_000)] == ["", "station", "station", "heading", ""]
    # The part before an error is known.
    assert report.explain(encoded[:3], 17, rules="uper") == "heading"


def test_errors_have_path_bit_and_clause(modules: asn1.Modules) -> None:
    flag = modules["Flag"]
    with pytest.raises(Asn1Error) as caught:
        flag.decode(b"\x41", rules="uper")
    error = caught.value
    assert (error.path, error.bit, error.offset, error.clause) == ("", 2, 0, "X.691 §11.1")
    assert error.code == "per-padding-zero"
    assert str(error) == "padding bits are not zero, at bit 2 (X.691 §11.1)"
    for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (copied.bit, copied.path, str(copied)) == (2, "", str(error))
    with pytest.raises(Asn1Error) as caught:
        modules["Position"].decode(b"\xff\xff\xff", rules="uper")
    assert (caught.value.path, caught.value.bit, caught.value.type_name) == ("latitude", 0, "INTEGER")
    with pytest.raises(Asn1Error) as caught:
        modules["Report"].encode({**VALUE, "station": 5000}, rules="aper")
    assert (caught.value.path, caught.value.bit, caught.value.offset) == ("station", None, None)
    with pytest.raises(Asn1Error) as caught:
        modules["Flag"].decode(b"\x00", rules="coer")
    assert (caught.value.path, caught.value.offset, caught.value.bit) == ("flag", 1, 8)
    with pytest.raises(Asn1Error) as caught:
        flag.decode(b"\x02\x01\x05")
    assert caught.value.bit is None


def test_rules_are_tolerated_one_by_one(modules: asn1.Modules) -> None:
    flag = modules["Flag"]
    assert flag.decode(b"\x41", rules="uper", allow=["per-padding-zero"]) == {"flag": True, "count": 3}
    assert flag.deviations(b"\x41", rules="uper", allow=["per-padding-zero"]) == [("per-padding-zero", 2, "X.691 §11.1")]
    with pytest.raises(Asn1Error):
        flag.decode(b"\x41", rules="uper", allow=["per-trailing-data"])
    # The DEFAULT value is there.
    with pytest.raises(Asn1Error) as caught:
        flag.decode(b"\xd8", rules="uper")
    assert (caught.value.code, caught.value.path) == ("per-default-absent", "count")
    both = ["per-default-absent,per-trailing-data", "long-length"]
    assert flag.decode(b"\xd8\x00", rules="uper", allow=both) == {"flag": True, "count": 3}
    assert flag.decode(b"\x41\x00", rules="uper", allow=["all"]) == {"flag": True, "count": 3}
    with pytest.raises(ValueError, match="per-nothing"):
        flag.decode(b"\x40", rules="uper", allow=["per-nothing"])


@pytest.mark.parametrize("rules", [rules for rules in RULES if not rules.endswith("xer")])
def test_unknown_additions_are_kept(rules: str) -> None:
    def compiled(text: str) -> asn1.Modules:
        return asn1.compile_text(f"M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {text} END")

    new = compiled("T ::= SEQUENCE { a BOOLEAN, ..., b INTEGER, c SEQUENCE OF C } C ::= CHOICE { x NULL, ..., y INTEGER }")
    old = compiled("T ::= SEQUENCE { a BOOLEAN, ..., b INTEGER } C ::= CHOICE { x NULL, ... }")
    value = {"a": True, "b": 5, "c": [("y", 7), ("x", None)]}
    encoded = new["T"].encode(value, rules=rules)
    read = old["T"].decode(encoded, rules=rules)
    assert (read["a"], read["b"]) == (True, 5)
    count, addition = read["$additions"]
    family = rules.removeprefix("c")
    assert count == asn1.Unknown(family, count.number, None)
    assert (addition.rules, addition.number, type(addition.data)) == (family, 1, bytes)
    assert old["T"].encode(read, rules=rules) == encoded
    assert old["T"].from_json(old["T"].to_json(encoded, rules=rules), rules=rules) == encoded
    alternative = old["C"].decode(new["C"].encode(("y", 7), rules=rules), rules=rules)
    assert isinstance(alternative, asn1.Unknown)
    assert new["C"].decode(old["C"].encode(alternative, rules=rules), rules=rules) == ("y", 7)
    # There is nothing that they could be under other rules.
    for other in {"DER", "uper", "oer"} - {family}:
        with pytest.raises(Asn1Error):
            old["C"].encode(alternative, rules=other)


def test_values_of_open_types() -> None:
    text = """
    M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
      C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
      S C ::= { {1 INTEGER} | {2 BOOLEAN}, ... }
      T ::= SEQUENCE { id C.&id ({S}), value C.&Type ({S}{@id}) }
    END
    """
    ty = asn1.compile_text(text)["T"]
    known = ty.encode({"id": 1, "value": 300}, rules="aper")
    assert ty.decode(known, rules="aper") == {"id": 1, "value": 300}
    unknown = ty.decode(bytes.fromhex("0109" + "03AABBCC"), rules="aper")
    assert unknown == {"id": 9, "value": asn1.Unknown("aper", None, b"\xaa\xbb\xcc")}
    assert ty.encode(unknown, rules="aper").hex() == "010903aabbcc"
    with pytest.raises(ValueError, match="without data"):
        ty.encode({"id": 9, "value": asn1.Unknown("aper", None, None)}, rules="aper")


def test_budgets(modules: asn1.Modules) -> None:
    many = asn1.compile_text("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE OF NULL END")["T"]
    with tagwise.budget(elements=10), pytest.raises(Asn1Error) as caught:
        many.decode(b"\x40", rules="uper")
    assert caught.value.code == "elements-exceeded"


def test_what_needs_elements_says_so(modules: asn1.Modules) -> None:
    flag = modules["Flag"]
    for work in (
        lambda: flag.inspect(b"\x40", rules="uper"),
        lambda: flag.decode_first(b"\x40", rules="uper"),
        lambda: list(flag.events(b"\x40", rules="uper")),
        lambda: list(flag.records(b"\x40", rules="oer")),
    ):
        with pytest.raises(ValueError, match="has no elements"):
            work()
    with pytest.raises(ValueError, match="unknown encoding rules `XDR`; expected DER, BER, CER, uper"):
        flag.decode(b"\x40", rules="XDR")


def test_declared_classes() -> None:
    class Shape(asn1.Choice, extensible=True):
        side: int

    class Report(asn1.Sequence, extensible=True):
        station: int
        shape: Shape

    report = Report(station=7, shape=Shape(side=3))
    encoded = asn1.encode(report, rules="uper")
    assert asn1.decode(Report, encoded, rules="uper") == report
    later = asn1.compile_text(
        "M DEFINITIONS IMPLICIT TAGS ::= BEGIN S ::= CHOICE { side INTEGER, ..., x NULL } "
        "T ::= SEQUENCE { station INTEGER, shape S, ..., more BOOLEAN } END"
    )["T"]
    data = later.encode({"station": 7, "shape": ("x", None), "more": True}, rules="uper")
    old = asn1.decode(Report, data, rules="uper")
    assert asn1.which(old.shape) == "additions"
    assert [one.number for one in old.additions if isinstance(one, asn1.Unknown)] == [1, 0]
    assert asn1.encode(old, rules="uper") == data


def test_xml(modules: asn1.Modules) -> None:
    flag = modules["Flag"]
    xml = flag.encode({"flag": True, "count": 5}, rules="xer")
    assert xml == b"<Flag><flag><true/></flag><count>5</count></Flag>"
    assert flag.decode(b"<Flag> <flag><true/></flag> </Flag>", rules="xer") == {"flag": True, "count": 3}
    with pytest.raises(Asn1Error) as caught:
        flag.decode(b"<Flag> <flag><true/></flag></Flag>", rules="cxer")
    assert (caught.value.code, caught.value.offset, caught.value.clause) == ("xer-white-space", 6, "X.693 §9.1.2")
    assert flag.deviations(b"<Flag> <flag><true/></flag></Flag>", rules="cxer", allow=["xer-white-space"]) == [
        ("xer-white-space", 48, "X.693 §9.1.2")
    ]
    with pytest.raises(Asn1Error) as caught:
        flag.decode(b"<Flag><flag><true/></flag><count>9</count></Flag>", rules="xer")
    assert (caught.value.path, caught.value.offset, caught.value.code) == ("count", 26, "value")
    assert flag.explain(xml, 30 * 8, rules="xer") == "count"
    assert [one.path for one in flag.bits(xml, rules="xer")] == ["", "flag", "count"]
    with pytest.raises(ValueError, match="no elements"):
        flag.inspect(xml, rules="xer")


def test_gser(modules: asn1.Modules) -> None:
    flag = modules["Flag"]
    encoded = flag.encode({"flag": False, "count": 5})
    assert flag.to_gser(encoded) == "{ flag FALSE, count 5 }"
    assert flag.to_gser(flag.encode({"flag": False, "count": 5}, rules="xer"), rules="xer") == "{ flag FALSE, count 5 }"


def test_unknown_items(modules: asn1.Modules) -> None:
    old = asn1.compile_text("M DEFINITIONS ::= BEGIN E ::= ENUMERATED { a, ... } END")["E"]
    new = asn1.compile_text("M DEFINITIONS ::= BEGIN E ::= ENUMERATED { a, ..., b, c } END")["E"]
    data = new.encode(2, rules="uper")
    read = old.decode(data, rules="uper")
    assert read == asn1.Unknown("uper", 1, b"")
    assert old.encode(read, rules="uper") == data
    with pytest.raises(ValueError):
        old.encode(read)


def test_named_bits_have_their_size() -> None:
    text = "M DEFINITIONS ::= BEGIN F ::= BIT STRING { a(0), h(7) } S ::= SEQUENCE { f F (SIZE (12)) } END"
    modules = asn1.compile_text(text)
    assert modules["S"].decode(modules["S"].encode({"f": (b"\x80", 0)})) == {"f": (b"\x80\x00", 4)}
    assert modules["F"].decode(modules["F"].encode((b"\x80", 0))) == (b"\x80", 7)


def test_declared_classes_in_xml() -> None:
    class Point(asn1.Sequence, tags="automatic"):
        x: int
        up: bool

    xml = asn1.encode(Point(x=5, up=True), rules="xer")
    assert xml == b"<Point><x>5</x><up><true/></up></Point>"
    assert asn1.decode(Point, xml, rules="cxer") == Point(x=5, up=True)
