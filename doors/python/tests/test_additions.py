"""What later versions of a type added (X.680 §7, §52): an earlier one keeps it, and gives it on as it came."""

from __future__ import annotations

import copy
import pickle
from enum import IntEnum
from typing import Annotated, Any

import pytest
from tagwise import Asn1Error, asn1

from .generated import sample

FIRST = """
    M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
      S ::= SEQUENCE { a INTEGER, ..., ..., z BOOLEAN DEFAULT FALSE }
      T ::= SET { a INTEGER, ... }
      C ::= CHOICE { a INTEGER, ... }
      E ::= ENUMERATED { one, ... }
      All ::= SEQUENCE { s S, t T, c C, e E, list SEQUENCE OF S, held OCTET STRING (CONTAINING S), ... }
    END
"""
#: The tags that automatic tagging gave in the first version are said here, since additions have theirs (X.680 §25.2).
SECOND = """
    M DEFINITIONS IMPLICIT TAGS ::= BEGIN
      S ::= SEQUENCE {
        a [0] INTEGER, ..., b [5] UTF8String, [[ c [6] INTEGER, d [7] SEQUENCE OF INTEGER ]], ..., z [1] BOOLEAN DEFAULT FALSE }
      T ::= SET { a [0] INTEGER, ..., b [5] UTF8String, c [3] NULL }
      C ::= CHOICE { a [0] INTEGER, ..., b [5] SEQUENCE { x [0] INTEGER } }
      E ::= ENUMERATED { one, ..., two }
      All ::= SEQUENCE {
        s [0] S, t [1] T, c [2] C, e [3] E, list [4] SEQUENCE OF S, held [5] OCTET STRING (CONTAINING S), ..., more [6] REAL }
    END
"""


def second() -> asn1.Modules:
    return asn1.compile_text(SECOND)


def whole() -> dict[str, Any]:
    s = {"a": 1, "b": "bé", "c": 5, "d": [1, 2], "z": True}
    return {
        "s": s,
        "t": {"a": 2, "b": "x", "c": None},
        "c": ("b", {"x": 7}),
        "e": 1,
        "list": [s, {"a": 3, "b": "y", "z": False}],
        "held": {"a": 4, "b": "z", "c": 1, "d": [], "z": True},
        "more": 2.5,
    }


@pytest.mark.parametrize("rules", ["DER", "CER"])
def test_relayed(rules: str) -> None:
    old, new = asn1.compile_text(FIRST)["All"], second()["All"]
    encoded = new.encode(whole(), rules=rules)
    value = old.decode(encoded, rules=rules)
    assert value["s"]["a"] == 1 and value["s"]["z"] is True and value["e"] == 1
    assert value["s"]["$additions"] == [bytes.fromhex("850362c3a9"), bytes.fromhex("860105"), bytes.fromhex("a706020101020102")]
    assert value["t"]["$additions"] == [bytes.fromhex("8300"), bytes.fromhex("850178")]
    assert value["c"] == bytes.fromhex("a503800107") and value["$additions"] == [bytes.fromhex("860380ff05")]
    assert "$additions" not in {"a": 3, "z": False} and value["list"][1]["$additions"] == [b"\x85\x01y"]
    assert old.encode(value, rules=rules) == encoded
    assert new.decode(old.encode(value, rules=rules), rules=rules) == whole()
    # By way of JSON, of copies and of pickles.
    text = old.to_json(encoded, rules=rules)
    assert '"$additions":["860380FF05"]' in text and old.from_json(text, rules=rules) == encoded
    assert old.encode(pickle.loads(pickle.dumps(copy.deepcopy(value))), rules=rules) == encoded
    # Elements have them, too, each with its place.
    root = old.inspect(encoded, rules=rules)
    assert root.value == value
    added = root["s.$additions[1]"]
    assert (added.kind, added.raw, added.path) == ("unknown", bytes.fromhex("860105"), "s.$additions[1]")
    assert added.start is not None and encoded[added.start : added.end] == added.raw and not added.ber
    for element in root.walk():
        assert element.kind == "additions" or element.start is not None or element.kind == "default"
    shown = asn1.pprint(root)
    assert "$additions 3" in shown and "[1] [6] 860105" in shown


def test_additions_in_ber() -> None:
    old = asn1.compile_text(FIRST)["S"]
    # An addition of indefinite length, and one whose length is in more bytes than it takes.
    encoded = bytes.fromhex("3080" + "800101" + "a5800500 0000" + "86810105" + "0000")
    value = old.decode(encoded, rules="BER")
    assert value == {"a": 1, "z": False, "$additions": [bytes.fromhex("a5020500"), bytes.fromhex("860105")]}
    root = old.inspect(encoded, rules="BER")
    assert [(one.raw.hex(), one.ber, one.indefinite) for one in root["$additions"]] == [
        ("a58005000000", True, True), ("86810105", True, False),
    ]  # fmt: skip
    assert old.encode(value) == bytes.fromhex("300a" + "800101" + "a5020500" + "860105")
    # What is tolerated is no addition.
    root = old.inspect(bytes.fromhex("3009" + "800101" + "860105" + "810100"), rules="BER")
    assert root.value == {"a": 1, "z": False, "$additions": [bytes.fromhex("860105")]} and len(root["$additions"]) == 1


def test_earlier_versions_lack_them() -> None:
    old, new = asn1.compile_text(FIRST)["S"], second()["S"]
    value = new.decode(old.encode({"a": 1}))
    assert value == {"a": 1, "z": False} and new.encode(value) == old.encode({"a": 1})
    # The components of a group come together (X.680 §25.7).
    with pytest.raises(Asn1Error):
        new.encode({"a": 1, "b": "x", "c": 5})


def test_what_is_no_addition() -> None:
    modules = asn1.compile_text(FIRST)
    plain = asn1.compile_text("M DEFINITIONS ::= BEGIN S ::= SEQUENCE { a INTEGER } END")["S"]
    for ty, value in [
        (plain, {"a": 1, "$additions": [b"\x85\x00"]}),
        (plain, {"a": 1, "b": 2}),
        (modules["S"], {"a": 1, "$additions": [b"\x85"]}),
        (modules["S"], {"a": 1, "$additions": [b"\x85\x00\x00"]}),
        (modules["C"], b"\x80\x01\x01\x00"),
    ]:
        with pytest.raises(ValueError):
            ty.encode(value)
    with pytest.raises(Asn1Error):
        plain.decode(bytes.fromhex("3005" + "020101" + "8500"))


CLASHES = """
    M DEFINITIONS IMPLICIT TAGS ::= BEGIN
      C ::= CHOICE { a [0] INTEGER, ... }
      Named ::= C
      Fixed ::= CHOICE { a [0] INTEGER }
      S ::= SEQUENCE {
        r [0] INTEGER, o [1] INTEGER OPTIONAL, d [2] INTEGER DEFAULT 7, ..., b [3] INTEGER, [[ g [4] INTEGER, h [5] INTEGER ]], ...,
        p [6] INTEGER OPTIONAL, q [7] INTEGER, t [8] INTEGER OPTIONAL }
      T ::= SET { r [0] INTEGER, o [1] INTEGER OPTIONAL, d [2] INTEGER DEFAULT 7, ..., b [3] INTEGER }
    END
"""


@pytest.mark.parametrize("rules", ["DER", "BER", "CER"])
@pytest.mark.parametrize("name", ["C", "Named"])
def test_unknown_alternatives_may_be_outermost(name: str, rules: str) -> None:
    modules = asn1.compile_text(CLASHES)
    for encoded in (b"\x85\x01\x05", b"\x85\x00", b"\x02\x01\x05"):
        assert modules[name].decode(encoded, rules=rules) == encoded
        assert [event.value for event in modules[name].events(encoded, rules=rules)] == [encoded[2:]]
        assert modules[name].encode(encoded, rules=rules) == encoded
        with pytest.raises(Asn1Error):
            modules["Fixed"].decode(encoded, rules=rules)
    whole = {"DER": "a503020105", "CER": "a5800201050000", "BER": "a58002810105 0000"}[rules]
    assert modules[name].decode(bytes.fromhex(whole), rules=rules) == bytes.fromhex("a503020105")


def test_additions_that_would_be_read_as_something_else() -> None:
    """No later version can have them: tags are distinct (X.680 §25.6, §27.3, §52.7)."""
    modules = asn1.compile_text(CLASHES)
    for name, value, tags, wrong in [
        # What was there already may come again as an addition: after a required component, or after what comes later.
        ("S", {"r": 1, "q": 2}, [0], None),
        ("S", {"r": 1, "o": 1, "d": 8, "q": 2}, [0, 1, 2], None),
        ("S", {"r": 1, "b": 8, "q": 2}, [1, 2, 8], None),
        ("S", {"r": 1, "q": 2}, [9, 9, 1, 2], None),
        ("S", {"r": 1, "q": 2}, [1], 0),
        ("S", {"r": 1, "d": 7, "q": 2}, [9, 2], None),
        ("S", {"r": 1, "d": 7, "q": 2}, [2], 0),
        ("S", {"r": 1, "o": 3, "q": 2}, [2, 9], 0),
        ("S", {"r": 1, "o": 3, "q": 2}, [1], None),
        *[("S", {"r": 1, "b": 2, "g": 3, "h": 4, "q": 2}, [9, tag], 1) for tag in (3, 4, 5, 6, 7)],
        ("T", {"r": 1}, [4, 9, 30, 31], None),
        ("T", {"r": 1}, [4, 9, 4], 2),
        *[("T", {"r": 1}, [9, tag], 1) for tag in range(4)],
    ]:  # fmt: skip
        ty = modules[name]
        head = [bytes([0x80 + tag]) if tag < 31 else b"\x9f" + bytes([tag]) for tag in tags]
        given = {**value, "$additions": [one + b"\x01\x05" for one in head]}
        if wrong is None:
            read = ty.decode(ty.encode(given))
            assert read["$additions"] == given["$additions"] and ty.encode(read) == ty.encode(given)
            continue
        with pytest.raises(ValueError, match=rf"\$additions\[{wrong}\]"):
            ty.encode(given)
    # What is no DER is said with its place, too.
    with pytest.raises(ValueError, match=r"\$additions\[1\]"):
        modules["S"].encode({"r": 1, "q": 2, "$additions": [b"\x89\x00", b"\x01\x01\x05"]})


class Number(IntEnum):
    ONE = 0


class Old(asn1.Sequence, extensible=True):
    a: int
    number: Annotated[Number, asn1.extensible] = Number.ONE


class New(asn1.Sequence, extensible=True):
    a: int
    number: Annotated[int, asn1.kind("ENUMERATED { one, two }")] | None = None
    b: Annotated[str, asn1.implicit(5)]


class Either(asn1.Choice, extensible=True):
    old: Old
    text: str


class Outer(asn1.Sequence):
    one: Either
    many: list[Either] = []


def test_declared_classes() -> None:
    new = New(a=1, number=1, b="x")
    old = Old.decode(new.encode())
    assert old.additions == (b"\x85\x01x",) and old.a == 1 and int(old.number) == 1
    assert old.encode() == new.encode()
    assert repr(old) == "Old(a=1, number=1, additions=(b'\\x85\\x01x',))"
    assert old == Old(a=1, number=1, additions=[b"\x85\x01x"]) != Old(a=1, number=1)  # type: ignore[arg-type, call-arg]
    assert Old(a=1).additions == () and "additions" not in repr(Old(a=1))
    for other in (copy.deepcopy(old), pickle.loads(pickle.dumps(old)), asn1.from_json(Old, asn1.to_json(old))):
        assert other == old and other.encode() == new.encode()
    old.additions = ()
    assert Old.decode(old.encode()).additions == ()
    later = Either.decode(b"\x85\x01x")
    assert asn1.which(later) == "additions" and later.additions == (b"\x85\x01x",) and later.encode() == b"\x85\x01x"  # type: ignore[attr-defined]
    outer = Outer(one=later, many=[Either(text="t"), later])
    assert Outer.decode(outer.encode()) == outer
    with pytest.raises(TypeError, match="additions"):
        Outer(one=later, additions=())  # type: ignore[call-arg]

    class Taken(asn1.Sequence):
        additions: int  # type: ignore[assignment]

    with pytest.raises(TypeError, match="additions"):
        Taken.decode(b"\x30\x00")


def test_generated_classes() -> None:
    made = sample.Everything(
        colour=sample.Colour.blue, shade=5, flags=(b"", 0), class_="1.2", octets=b"", inside=sample.Label(text="x", colour=sample.Colour.green),
        id=sample.id_count, value=5, additions=(b"\x9f\x64\x01\x05",),
    )  # fmt: skip
    der = made.encode()
    assert der.endswith(b"\x9f\x64\x01\x05")
    read = sample.Everything.decode(der)
    assert read == made and read.additions == made.additions and read.encode() == der
    assert sample.Leaf_codec.decode(b"\x85\x01x") == b"\x85\x01x" and sample.Leaf_codec.encode(b"\x85\x01x") == b"\x85\x01x"


@pytest.mark.parametrize("rules", ["DER", "BER", "CER"])
def test_an_unknown_alternative_of_a_whole_value(rules: str) -> None:
    choice = asn1.compile_text(FIRST)["C"]
    for encoded in ("850107", "a5800500 0000", "3080010100 0000") if rules != "DER" else ("850107", "a5020500"):
        der = choice.decode(bytes.fromhex(encoded), rules=rules)
        assert isinstance(der, bytes)
        assert choice.decode(choice.encode(der)) == der
    closed = asn1.compile_text(FIRST.replace("C ::= CHOICE { a INTEGER, ... }", "C ::= CHOICE { a INTEGER }"))["C"]
    with pytest.raises(Asn1Error):
        closed.decode(b"\x85\x01\x07", rules=rules)


def test_additions_that_would_be_components() -> None:
    modules = second()
    for name, value in (
        ("S", {"a": 1, "$additions": [b"\x85\x01x"]}),
        ("S", {"a": 1, "$additions": [b"\x89\x00", b"\x81\x01\xff"]}),
        ("T", {"a": 1, "$additions": [b"\x89\x00", b"\x89\x00"]}),
    ):
        with pytest.raises(Asn1Error) as caught:
            modules[name].encode(value)
        assert caught.value.path == f"$additions[{len(value['$additions']) - 1}]"
