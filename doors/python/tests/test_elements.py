"""Elements of values: offsets, lengths, forms and paths, and types that values select."""

from __future__ import annotations

import copy
import pickle

import pytest

from tagwise import Asn1Error, asn1

TEXT = """
Example DEFINITIONS EXPLICIT TAGS ::= BEGIN
  Message ::= SEQUENCE {
    number  [0] INTEGER { first(1) },
    choice  CHOICE { text [1] UTF8String, flag [2] IMPLICIT BOOLEAN },
    list    SEQUENCE OF Item,
    held    OCTET STRING (CONTAINING Item) OPTIONAL,
    later   BOOLEAN DEFAULT TRUE,
    bits    [3] BIT STRING { a(0), c(2) } OPTIONAL
  }
  Item ::= [APPLICATION 1] SEQUENCE { oid OBJECT IDENTIFIER, what ANY-TYPE.&Type, octets OCTET STRING OPTIONAL }
  ANY-TYPE ::= CLASS { &Type }
  Name ::= UTF8String
  Pair ::= SEQUENCE { left INTEGER, right Item OPTIONAL }
  Unordered ::= SET { a [1] INTEGER, b [0] OCTET STRING }
END
"""


@pytest.fixture(scope="module")
def modules() -> asn1.Modules:
    return asn1.compile_text(TEXT)


def whole(modules: asn1.Modules) -> bytes:
    item = {"oid": "1.2.3", "what": b"\x0c\x03abc"}
    value = {"number": 1, "choice": ("text", "hi"), "list": [item], "held": item, "bits": (b"\xa0", 5)}
    return modules["Message"].encode(value)


def test_places_and_lengths(modules: asn1.Modules) -> None:
    der = whole(modules)
    root = modules["Message"].inspect(der)
    assert root.value == modules["Message"].decode(der)
    number = root["number"]
    assert (number.offset, number.tlen, number.llen, number.vlen) == (4, 1, 1, 1)
    (outer,) = number.explicit
    assert (outer.offset, outer.tlen, outer.llen, outer.vlen, str(outer.tag)) == (2, 1, 1, 3, "[0]")
    assert (number.label, number.type_name, number.raw) == ("first", "INTEGER", b"\xa0\x03\x02\x01\x01")
    text = root["choice.text"]
    assert (text.offset, text.value, text.explicit[0].offset, root["choice"].kind) == (9, "hi", 7, "choice")
    item = root["list[0]"]
    # The type's own EXPLICIT tag stands around it.
    assert (item.offset, [header.offset for header in item.explicit]) == (17, [15])
    assert der[item.start : item.end] == item.raw == bytes.fromhex("610b300906022a030c03616263")
    held = root["held.oid"]
    assert der[held.offset :].startswith(b"\x06\x02\x2a\x03") and held.path == "held.oid"
    assert root["bits"].label == "a, c" and root["later"].kind == "default" and root["later"].value is True
    for element in root.walk():
        if element.header is not None:
            own = der[element.header.offset : element.header.end]
            assert element.raw.endswith(own) and (element.explicit or element.raw == own)
            assert element.header.content + element.header.vlen == element.header.end
            assert not element.ber and not element.indefinite


def test_forms_of_ber(modules: asn1.Modules) -> None:
    ber = bytes.fromhex("3080 a080 020101 0000 a10a 2c80 040168 040169 0000 3000 0101ff 0000")
    root = modules["Message"].inspect(ber, rules="BER")
    assert root.value == {"number": 1, "choice": ("text", "hi"), "list": [], "later": True}
    assert root.indefinite and root.ber and (root.vlen, root.end) == (len(ber) - 4, len(ber))
    number = root["number"]
    assert number.explicit[0].indefinite and not number.indefinite and not number.ber and number.offset == 4
    assert number.explicit[0].end == 9
    text = root["choice.text"]
    assert text.indefinite and text.ber and text.tag is not None and text.tag.constructed and text.offset == 11
    assert not root["list"].ber
    # In any order, which DER changes: places are those of what came.
    unordered = modules["Unordered"].inspect(bytes.fromhex("310a a103020107 a0030401 99"), rules="BER")
    assert (unordered["a"].offset, unordered["b"].offset, unordered.ber) == (4, 9, True)
    assert unordered.value == {"a": 7, "b": b"\x99"}


def test_errors_have_class_path_and_offset(modules: asn1.Modules) -> None:
    der = whole(modules)
    at = der.index(b"\x06\x02\x2a\x03")
    broken = der[: at + 2] + b"\x80" + der[at + 3 :]
    with pytest.raises(Asn1Error) as caught:
        modules["Message"].decode(broken)
    error = caught.value
    assert (error.path, error.offset, error.type_name) == ("list[0].oid", at + 2, "OBJECT IDENTIFIER")
    again = pickle.loads(pickle.dumps(error))
    assert (again.path, again.type_name, again.code) == (error.path, error.type_name, error.code)
    with pytest.raises(Asn1Error) as caught:
        modules["Pair"].decode(b"\x30\x03\x02\x01")
    assert caught.value.type_name in ("Pair", "INTEGER")


def test_found_by_pattern(modules: asn1.Modules) -> None:
    root = modules["Message"].inspect(whole(modules))
    assert [one.path for one in root.find("**.oid")] == ["list[0].oid", "held.oid"]
    assert [one.value for one in root.find("list[*].oid")] == ["1.2.3"]
    assert [one.path for one in root.find("*.flag")] == []
    with pytest.raises(KeyError):
        root["nothing"]
    with pytest.raises(ValueError, match="character 2"):
        root.find("a..b")


def test_elements_are_kept(modules: asn1.Modules) -> None:
    root = modules["Message"].inspect(whole(modules))
    for other in (pickle.loads(pickle.dumps(root)), copy.deepcopy(root), copy.copy(root)):
        assert other == root and other.value == root.value and other["number"].offset == 4


def test_defined_by_values(modules: asn1.Modules) -> None:
    pair = modules["Pair"]
    name = modules["Name"]
    rules = [
        asn1.Defines("**.oid", "what", {"1.2.3": name, "1.2.4": pair}),
        asn1.Defines("**.oid", "octets", {"1.2.3": pair}),
    ]
    deep = {"left": 2, "right": {"oid": "1.2.3", "what": b"\x0c\x04deep"}}
    item = {"oid": "1.2.4", "what": pair.encode(deep)}
    other = {"oid": "1.2.3", "what": b"\x0c\x03abc", "octets": b"\x30\x03\x02\x01\x09"}
    der = modules["Message"].encode({"number": 1, "choice": ("flag", True), "list": [item, other]})
    value = modules["Message"].decode(der, defines=rules)
    assert value["list"][0]["what"] == {"left": 2, "right": {"oid": "1.2.3", "what": "deep"}}
    assert value["list"][1] == {"oid": "1.2.3", "what": "abc", "octets": {"left": 9}}
    root = modules["Message"].inspect(der, defines=rules)
    found = root["list[0].what.right.what"]
    assert found.defined is not None and found.defined.value == "deep"
    assert der[found.defined.offset : found.defined.end] == b"\x0c\x04deep"
    left = root["list[1].octets.left"]
    assert der[left.offset : left.end] == b"\x02\x01\x09"
    # What is not named stays bytes.
    assert modules["Message"].decode(der, defines=rules[1:])["list"][0]["what"] == pair.encode(deep)


def test_what_is_defined_is_held_to_its_type(modules: asn1.Modules) -> None:
    item = {"oid": "1.2.3", "what": b"\x30\x03\x02\x01\x05", "octets": b"\x30\x03\x01\x01\xff"}
    der = modules["Message"].encode({"number": 1, "choice": ("flag", True), "list": [item]})
    with pytest.raises(Asn1Error) as caught:
        modules["Message"].decode(der, defines=[asn1.Defines("list[*].oid", "octets", {"1.2.3": modules["Pair"]})])
    error = caught.value
    assert error.path == "list[0].octets.left" and error.offset == der.index(b"\x01\x01\xff", 20)
    assert "octets.left" in str(error)
    with pytest.raises(ValueError):
        asn1.Defines("", "what", {})


def test_printing(modules: asn1.Modules) -> None:
    root = modules["Message"].inspect(whole(modules))
    text = asn1.pprint(root, oids={"1.2.3": "mine"})
    assert "[0] EXPLICIT INTEGER first (1)" in text and "1.2.3 (mine)" in text
    assert text.splitlines()[0].split() == ["0", "[1,1,", "47]", ".", "Message"]
    assert "\x1b" not in text and "\x1b[" in root.pprint(colours=True)
    assert root.pprint(only="list[*].oid").count("\n") == 0
    nasty = modules["Name"].inspect(modules["Name"].encode("a\x1b[31mb\u202e"))
    assert "\x1b" not in asn1.pprint(nasty) and "\u202e" not in asn1.pprint(nasty)


def test_elements_without_a_type() -> None:
    root = asn1.inspect(bytes.fromhex("3080 020105 2480 0401aa 0401bb 0000 a003 0101ff 0000"), rules="BER")
    assert [(one.path, one.type_name, one.offset, one.indefinite) for one in root.walk()] == [
        ("", "SEQUENCE", 0, True),
        ("[0]", "INTEGER", 2, False),
        ("[1]", "OCTET STRING", 5, True),
        ("[1][0]", "OCTET STRING", 7, False),
        ("[1][1]", "OCTET STRING", 10, False),
        ("[2]", "[0]", 15, False),
        ("[2][0]", "BOOLEAN", 17, False),
    ]
    assert root.vlen == 18 and root["[0]"].value == 5 and root["[2][0]"].value is True
    with pytest.raises(Asn1Error) as caught:
        asn1.inspect(b"\x30\x03\x02\x01")
    assert caught.value.code == "truncated"


def test_types_are_pickled_and_compared(modules: asn1.Modules) -> None:
    message = modules["Message"]
    again = pickle.loads(pickle.dumps(message))
    assert again == message and hash(again) == hash(message) and again.modules is modules
    assert copy.deepcopy(message) == message and copy.copy(modules) is modules
    assert asn1.compile_text(TEXT)["Message"] == message
    assert asn1.compile_text(TEXT.replace("first", "second"))["Message"] != message
    assert again.decode(whole(modules)) == message.decode(whole(modules))
    with pytest.raises(KeyError):
        asn1.Type(modules, "Nothing")
