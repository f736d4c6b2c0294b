"""Values that are larger than memory should be: events, items, contents, and encodings from iterators."""

from __future__ import annotations

import io
import mmap
import pathlib
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from tagwise import Asn1Error, asn1

TEXT = """
Example DEFINITIONS IMPLICIT TAGS ::= BEGIN
  List ::= SEQUENCE {
    version  INTEGER,
    inner    [0] EXPLICIT SEQUENCE { name UTF8String, entries SEQUENCE OF Entry, more SEQUENCE (SIZE (2..5)) OF INTEGER OPTIONAL },
    sorted   SET OF INTEGER OPTIONAL,
    blob     OCTET STRING OPTIONAL,
    bits     [1] BIT STRING OPTIONAL
  }
  Entry ::= SEQUENCE { serial INTEGER (0..1000000), when GeneralizedTime OPTIONAL, note UTF8String OPTIONAL }
END
"""


@pytest.fixture(scope="module")
def ty() -> asn1.Type:
    return asn1.compile_text(TEXT)["List"]


def entries(count: int) -> list[dict[str, Any]]:
    return [{"serial": number, "note": "n" * (number % 300)} for number in range(count)]


def value(count: int) -> dict[str, Any]:
    return {"version": 1, "inner": {"name": "x", "entries": entries(count)}, "blob": b"\x01\x02"}


@pytest.mark.parametrize("rules", ["DER", "CER", "BER"])
def test_events(ty: asn1.Type, rules: str) -> None:
    data = ty.encode(value(2), rules=rules)
    events = list(ty.events(data, rules=rules))
    assert [(one.kind, one.path, one.value) for one in events if one.kind == "value"] == [
        ("value", "version", 1),
        ("value", "inner.name", "x"),
        ("value", "inner.entries[0].serial", 0),
        ("value", "inner.entries[0].note", ""),
        ("value", "inner.entries[1].serial", 1),
        ("value", "inner.entries[1].note", "n"),
        ("value", "blob", b"\x01\x02"),
    ]
    assert sum(one.kind == "start" for one in events) == sum(one.kind == "end" for one in events) == 6
    assert events[0].type_name == "List" and (events[0].vlen is None) == (rules == "CER")
    version = events[1]
    assert (version.tlen, version.llen, version.vlen, data[version.offset]) == (1, 1, 1, 2)
    assert events[-1].end == len(data)


def test_events_of_long_and_segmented_strings(ty: asn1.Type) -> None:
    blob = bytes(range(256)) * 8
    long = {"version": 1, "inner": {"name": "x", "entries": []}, "blob": blob}
    found = [one for one in ty.events(ty.encode(long), chunk=1000) if one.path == "blob"]
    assert [one.kind for one in found] == ["start", "chunk", "chunk", "chunk", "end"]
    assert b"".join(one.value for one in found if one.kind == "chunk") == blob
    found = [one for one in ty.events(ty.encode(long, rules="CER"), rules="CER") if one.path == "blob"]
    assert found[0].kind == "start" and found[-1].kind == "end" and {one.kind for one in found[1:-1]} == {"chunk"}
    assert b"".join(one.value for one in found if one.kind == "chunk") == blob
    # Values in forms that BER alone has.
    assert [one.value for one in ty.events(bytes.fromhex("3080 020105 a080 3004 0c00 3000 0000 0000"), rules="BER")][1] == 5


def test_events_of_what_values_define() -> None:
    modules = asn1.compile_text("""
    M DEFINITIONS IMPLICIT TAGS ::= BEGIN
      Bag ::= SEQUENCE OF SEQUENCE { id OBJECT IDENTIFIER, held OCTET STRING, bits [0] BIT STRING OPTIONAL }
      Pair ::= SEQUENCE { a INTEGER }
    END
    """)
    pair = modules["Pair"].encode({"a": 5})
    rules = [asn1.Defines("[*].id", what, {"1.2.3": modules["Pair"]}) for what in ("held", "bits")]
    bag = [{"id": "1.2.3", "held": pair, "bits": (pair, 0)}, {"id": "1.2.4", "held": pair}]
    data = modules["Bag"].encode(bag)
    found = {one.path: one.value for one in modules["Bag"].events(data, defines=rules) if one.kind == "value"}
    assert (found["[0].held"], found["[0].bits"], found["[1].held"]) == ({"a": 5}, {"a": 5}, pair)
    data = modules["Bag"].encode([{**bag[0], "bits": (b"\x30\x03\x01\x01\xff", 0)}])
    with pytest.raises(Asn1Error) as caught:
        list(modules["Bag"].events(data, defines=rules))
    assert (caught.value.path, caught.value.offset) == ("[0].bits.a", data.index(b"\x01\x01\xff"))


def test_sources(ty: asn1.Type, tmp_path: pathlib.Path) -> None:
    data = ty.encode(value(500))
    path = tmp_path / "list.der"
    path.write_bytes(data)
    whole = list(ty.events(data))
    assert list(ty.events(path)) == whole
    assert list(ty.events(str(path))) == whole
    assert list(ty.events(io.BytesIO(data))) == whole
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert list(ty.events(mapped)) == whole
        assert [one for _, one in ty.items(mapped, "inner.entries")] == entries(500)
        assert ty.content(mapped, "blob").read() == b"\x01\x02"
    with pytest.raises(TypeError):
        list(ty.events(17))


@pytest.mark.parametrize("rules", ["DER", "CER", "BER"])
def test_items(ty: asn1.Type, rules: str) -> None:
    data = ty.encode(value(300), rules=rules)
    found = list(ty.items(data, "inner.entries", rules=rules))
    assert [one for _, one in found] == entries(300)
    assert all(data[offset] == 0x30 for offset, _ in found)


def test_what_is_wrong_in_a_stream(ty: asn1.Type) -> None:
    data = ty.encode(value(3))
    with pytest.raises(Asn1Error) as caught:
        list(ty.events(data[:-1]))
    assert caught.value.code == "truncated"
    at = data.index(bytes.fromhex("020102"))
    wrong = data[:at] + b"\x02\x01\xff" + data[at + 3 :]
    with pytest.raises(Asn1Error) as caught:
        list(ty.items(wrong, "inner.entries"))
    assert (caught.value.path, caught.value.offset) == ("inner.entries[2].serial", at)
    # What follows the list is looked at, too.
    with pytest.raises(Asn1Error):
        list(ty.items(data + b"\x00", "inner.entries"))
    with pytest.raises(ValueError, match="is not a list"):
        list(ty.items(data, "inner.name"))
    with pytest.raises(ValueError):
        ty.content(data, "version")
    with pytest.raises(Asn1Error, match="longer|limit|large"):
        list(ty.items(ty.encode(value(200)), "inner.entries", limit=100))

    class Failing(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise ZeroDivisionError

    for use in (lambda: list(ty.events(Failing())), lambda: list(ty.items(Failing(), "inner.entries"))):
        with pytest.raises(ZeroDivisionError):
            use()


def test_a_file_that_reads_its_own_events(ty: asn1.Type) -> None:
    class Own(io.BytesIO):
        events: Any = None

        def read(self, size: int | None = -1) -> bytes:
            return super().read(size) if self.events is None else next(self.events)

    file = Own(ty.encode(value(0)))
    file.events = ty.modules.schema.events(ty.name, file, "DER", 1000)
    with pytest.raises(ValueError, match="already"):
        next(file.events)


@pytest.mark.parametrize("rules", ["DER", "CER", "BER"])
def test_content(ty: asn1.Type, rules: str) -> None:
    blob = bytes(range(256)) * 20
    data = ty.encode({**value(0), "blob": blob, "bits": (blob, 0)}, rules=rules)
    with ty.content(data, "blob", rules=rules) as content:
        assert content.read(7) == blob[:7] and content.read() == blob[7:] and content.read() == b""
    assert ty.content(io.BytesIO(data), "bits", rules=rules).readall() == blob
    with pytest.raises(LookupError):
        ty.content(ty.encode({**value(0), "blob": b""}), "bits")


COUNTS = [0, 1, 3, 200, 3000]


@pytest.mark.parametrize("rules", ["DER", "CER"])
@pytest.mark.parametrize("count", COUNTS)
def test_encoding_from_iterators(ty: asn1.Type, rules: str, count: int) -> None:
    plain = {**value(count), "sorted": [3, 1, 2]}
    plain["inner"]["more"] = [1, 2, 3]
    expected = ty.encode(plain, rules=rules)
    streamed = {
        **plain,
        "sorted": iter([3, 1, 2]),
        "inner": {
            "name": "x",
            "entries": lambda: iter(entries(count)),
            "more": lambda: iter([1, 2, 3]),
        },
    }
    file = io.BytesIO()
    assert ty.write(streamed, file, rules=rules) == len(expected)
    assert file.getvalue() == expected
    # In memory any iterable will do.
    plain["inner"]["entries"] = (one for one in entries(count))
    assert ty.encode(plain, rules=rules) == expected


def test_cer_takes_iterators_once(ty: asn1.Type) -> None:
    file = io.BytesIO()
    streamed = {"version": 1, "inner": {"name": "x", "entries": iter(entries(100))}}
    ty.write(streamed, file, rules="CER")
    assert [one for _, one in ty.items(file.getvalue(), "inner.entries", rules="CER")] == entries(100)
    with pytest.raises(TypeError, match="twice"):
        ty.write({"version": 1, "inner": {"name": "x", "entries": iter(entries(1))}}, io.BytesIO())


def test_lists_inside_of_strings() -> None:
    text = "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { b [0] OCTET STRING (CONTAINING SEQUENCE { c SEQUENCE OF INTEGER }) } END"
    ty = asn1.compile_text(text)["A"]
    for count in (0, 10, 100, 1000):
        file = io.BytesIO()
        ty.write({"b": {"c": lambda count=count: iter(range(count))}}, file)
        assert file.getvalue() == ty.encode({"b": {"c": list(range(count))}})
    with pytest.raises(TypeError, match="string"):
        ty.write({"b": {"c": iter([1])}}, io.BytesIO(), rules="CER")


def test_streamed_lists_are_held_to_their_types(ty: asn1.Type) -> None:
    def write(inner: dict[str, Any], rules: str = "CER") -> None:
        ty.write({"version": 1, "inner": {"name": "x", "entries": [], **inner}}, io.BytesIO(), rules=rules)

    for rules in ("CER", "DER"):
        write({"more": lambda: iter([1, 2])}, rules)
        for numbers in ([1], [1, 2, 3, 4, 5, 6], []):
            with pytest.raises(ValueError):
                write({"more": lambda numbers=numbers: iter(numbers)}, rules)
        with pytest.raises(Asn1Error):
            write({"entries": lambda: iter([{"serial": 1}, {"serial": -1}])}, rules)
    counts = iter([3, 4])
    with pytest.raises(ValueError, match="first|same"):
        write({"entries": lambda: iter(entries(next(counts)))}, "DER")


def test_memory_stays_small(ty: asn1.Type, tmp_path: pathlib.Path) -> None:
    count = 20_000

    def many() -> Iterator[dict[str, Any]]:
        return ({"serial": number, "note": "n" * 50} for number in range(count))

    path = tmp_path / "large.der"
    tracemalloc.start()
    with path.open("wb") as file:
        size = ty.write({"version": 1, "inner": {"name": "x", "entries": many}}, file)
    assert sum(1 for _ in ty.items(path, "inner.entries")) == count
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == path.stat().st_size > 1_000_000
    assert peak < 400_000
    with pytest.raises(OSError):
        list(ty.events(tmp_path / "nothing"))


NESTED = asn1.compile_text(
    """
    M DEFINITIONS EXPLICIT TAGS ::= BEGIN
      HOLDER ::= CLASS { &Type }
      Outer ::= SEQUENCE { id OBJECT IDENTIFIER, which INTEGER, held OCTET STRING, tail BOOLEAN }
      Inner ::= SEQUENCE { kind INTEGER, held [0] HOLDER.&Type, far OCTET STRING OPTIONAL }
      Deep ::= SEQUENCE { kind INTEGER, bits [1] IMPLICIT BIT STRING }
      Leaf ::= SEQUENCE { x INTEGER (0..9) }
      Top ::= SEQUENCE { outers SEQUENCE OF Outer, held [0] HOLDER.&Type OPTIONAL }
    END
    """
)


def nested_rules() -> list[asn1.Defines]:
    return [
        asn1.Defines("outers[*].id", "held", {"1.2.3": NESTED["Inner"]}),
        asn1.Defines("**.held.kind", "held", {1: NESTED["Deep"], 3: NESTED["Leaf"]}),
        asn1.Defines("**.held.held.kind", "bits", {2: NESTED["Leaf"]}),
        # What is outside says what is far inside.
        asn1.Defines("outers[*].which", "held.far", {7: NESTED["Leaf"]}),
    ]


def nested() -> bytes:
    leaf = NESTED["Leaf"].encode({"x": 5})
    deep = NESTED["Deep"].encode({"kind": 2, "bits": (leaf, 0)})
    inner = NESTED["Inner"].encode({"kind": 1, "held": deep, "far": leaf})
    outers = [
        {"id": "1.2.3", "which": 7, "held": inner, "tail": True},
        {"id": "1.2.4", "which": 7, "held": b"?", "tail": False},
        {"id": "1.2.3", "which": 8, "held": NESTED["Inner"].encode({"kind": 3, "held": leaf, "far": b"!"}), "tail": True},
    ]
    return NESTED["Top"].encode({"outers": outers})


@pytest.mark.parametrize("chunk", [266, 65536])
def test_definitions_inside_of_what_is_defined(chunk: int) -> None:
    der = nested()
    whole = NESTED["Top"].decode(der, defines=nested_rules())
    assert [one["held"] for one in whole["outers"]] == [
        {"kind": 1, "held": {"kind": 2, "bits": {"x": 5}}, "far": {"x": 5}},
        b"?",
        {"kind": 3, "held": {"x": 5}, "far": b"!"},
    ]
    found = list(NESTED["Top"].events(der, defines=nested_rules(), chunk=chunk))
    held = [event.value for event in found if event.kind == "value" and event.path.endswith(".held")]
    assert held == [one["held"] for one in whole["outers"]]
    assert [event.value for event in found if event.path.endswith("tail")] == [True, False, True]
    # An error far inside has its path and its place in the whole.
    at = der.index(b"\x02\x01\x05") + 2
    wrong = der[:at] + b"\x63" + der[at + 1 :]
    for read in (
        lambda: NESTED["Top"].decode(wrong, defines=nested_rules()),
        lambda: list(NESTED["Top"].events(wrong, defines=nested_rules(), chunk=chunk)),
    ):
        with pytest.raises(Asn1Error) as caught:
            read()
        assert (caught.value.path, caught.value.offset) == ("outers[0].held.held.bits.x", at - 2)


@pytest.mark.parametrize("form", ["DER", "indefinite", "segments", "long"])
def test_open_types_that_are_defined_in_events(form: str) -> None:
    rules = "BER" if form in ("indefinite", "segments") else "DER"
    text = """
        M DEFINITIONS EXPLICIT TAGS ::= BEGIN
          HOLDER ::= CLASS { &Type }
          A ::= SEQUENCE { kind INTEGER, held HOLDER.&Type, string OCTET STRING, bits BIT STRING, last NULL }
          Leaf ::= SEQUENCE { x SEQUENCE OF INTEGER }
        END
    """
    modules = asn1.compile_text(text)
    count = 300 if form == "long" else 3
    numbers = list(range(count))
    leaf = modules["Leaf"].encode({"x": numbers})
    der = modules["A"].encode({"kind": 1, "held": leaf, "string": leaf, "bits": (leaf, 0), "last": None})
    if form == "indefinite":
        der = bytes.fromhex("3080" + "020101" + "3080" + "3080" + leaf[4:].hex() + "0000" + "0000") + der[5 + len(leaf) :] + b"\0\0"
    elif form == "segments":
        parts = b"\x24\x80\x04\x03" + leaf[:3] + b"\x04" + bytes([len(leaf) - 3]) + leaf[3:] + bytes(2)
        bits = b"\x23\x80\x03\x04\0" + leaf[:3] + b"\x03" + bytes([len(leaf) - 2]) + b"\0" + leaf[3:] + bytes(2)
        der = b"\x30\x80\x02\x01\x01" + leaf + parts + bits + b"\x05\0\0\0"
    types = {1: modules["Leaf"]}
    defines = [asn1.Defines("kind", what, types) for what in ("held", "string", "bits")]
    found = list(modules["A"].events(der, rules=rules, defines=defines, chunk=266))
    assert [(event.kind, event.path, event.value) for event in found] == [
        ("start", "", None),
        ("value", "kind", 1),
        ("value", "held", {"x": numbers}),
        ("value", "string", {"x": numbers}),
        ("value", "bits", {"x": numbers}),
        ("value", "last", None),
        ("end", "", None),
    ]
    assert der[found[2].offset :].startswith(leaf if form != "indefinite" else b"\x30\x80\x30\x80")
    # A value of an open type without parts.
    plain = modules["A"].encode({"kind": 2, "held": b"\x02\x01\x05", "string": b"", "bits": (b"", 0), "last": None})
    number = asn1.type_of(int)
    values = [event.value for event in modules["A"].events(plain, defines=[asn1.Defines("kind", "held", {2: number})])]
    assert values == [None, 2, 5, b"", (b"", 0), None, None]


@pytest.mark.parametrize("tags", ["IMPLICIT", "EXPLICIT"])
@pytest.mark.parametrize("chunk", [266, 65536])
def test_tagged_strings_in_segments(tags: str, chunk: int) -> None:
    modules = asn1.compile_text(f"""
        M DEFINITIONS {tags} TAGS ::= BEGIN
          A ::= SEQUENCE {{ kind [0] INTEGER, held [1] OCTET STRING, bits [2] BIT STRING, text [3] UTF8String }}
          Leaf ::= SEQUENCE {{ x [0] UTF8String }}
        END
    """)
    leaf = modules["Leaf"].encode({"x": "é" * 700}, rules="CER")
    given = {"kind": 1, "held": leaf, "bits": (leaf, 0), "text": "é" * 900}
    encoded = modules["A"].encode(given, rules="CER")
    defines = [asn1.Defines("kind", what, {1: modules["Leaf"]}) for what in ("held", "bits")]
    whole = modules["A"].decode(encoded, rules="CER", defines=defines)
    assert whole["held"] == whole["bits"] == {"x": "é" * 700}
    for rules in ("CER", "BER"):
        plain = list(modules["A"].events(encoded, rules=rules, chunk=chunk))
        assert not [event for event in plain if event.tag is not None and event.kind == "start" and event.tag.tag_class == 0 and tags == "IMPLICIT"][1:]
        chunks = {path: b"".join(event.value for event in plain if event.path == path and event.kind == "chunk") for path in ("held", "text")}
        assert chunks == {"held": leaf, "text": ("é" * 900).encode()}
    found = {event.path: event.value for event in modules["A"].events(encoded, rules="CER", defines=defines, chunk=chunk) if event.kind == "value"}
    assert found["held"] == found["bits"] == {"x": "é" * 700}


PARTS = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  P ::= SEQUENCE { kind INTEGER, a OCTET STRING, b OCTET STRING }
  L ::= SEQUENCE { kind INTEGER, good SEQUENCE OF INTEGER, revoked SEQUENCE OF INTEGER }
  B ::= SEQUENCE { x BOOLEAN, y UTF8String, z INTEGER }
END"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        # An unknown element, exchanged ones, missing ones, and a trailing one.
        ("P", "8500 800101 810441414141 820442424242"),
        ("P", "800101 85044556494c 810441414141 820442424242"),
        ("P", "800101 820442424242 810441414141"),
        ("P", "800101 810441414141"),
        ("P", ""),
        ("P", "800101 810441414141 820442424242 0500"),
        ("L", "800101 a503020109 a203020107"),
        ("L", "810101"),
        ("L", "800101 8100 a203020107"),
        # The content of a BOOLEAN, a string and an INTEGER.
        ("B", "800102 810178 820105"),
        ("B", "8000 810178 820105"),
        ("B", "8001ff 8101ff 820105"),
        ("B", "8001ff 810178 82020005"),
        ("B", "8001ff 810178 8200"),
        ("B", "a0030101ff 810178 820105"),
    ],
)
def test_events_are_refused_as_values_are(name: str, content: str) -> None:
    inner = bytes.fromhex(content.replace(" ", ""))
    octets, ty = bytes([0x30, len(inner)]) + inner, asn1.compile_text(PARTS)[name]
    with pytest.raises(Asn1Error) as whole:
        ty.decode(octets)
    with pytest.raises(Asn1Error) as parts:
        list(ty.events(octets))
    one, other = whole.value, parts.value
    assert (one.code, one.path, one.offset, one.clause) == (other.code, other.path, other.offset, other.clause)


def test_lists_and_contents_are_those_of_the_type() -> None:
    types = asn1.compile_text(PARTS)
    exchanged = bytes.fromhex("300f8001018204424242428104" "41414141")
    for name in ("a", "b"):
        with pytest.raises(Asn1Error) as caught:
            types["P"].content(exchanged, name).read()
        assert (caught.value.path, caught.value.offset) == ("a", 5)
