"""What cannot be encoded: an exception names the component of the value that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest

from tagwise import Asn1Error, asn1

MODULE = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
S ::= SEQUENCE { a SEQUENCE OF P, c CHOICE { x INTEGER, y IA5String }, t UTCTime OPTIONAL }
P ::= SEQUENCE {
  q INTEGER (0..9), r IA5String (SIZE (1..3)), o OBJECT IDENTIFIER OPTIONAL, b BIT STRING OPTIONAL,
  e ENUMERATED { one(1) } OPTIONAL, s SEQUENCE OF SEQUENCE OF INTEGER OPTIONAL
}
END"""

KIND = asn1.compile_text(MODULE)["S"]


def value(**wrong: Any) -> dict[str, Any]:
    return {"a": [{"q": 1, "r": "a"}, {"q": 1, "r": "a", **wrong}], "c": ("x", 1)}


@pytest.mark.parametrize(
    ("wrong", "path", "text"),
    [
        (value(q=10), "a[1].q", "the value is 10; allowed 0..9 (X.680 §51.4)"),
        (value(r=""), "a[1].r", "the size is 0; allowed 1..3"),
        (value(r="é"), "a[1].r", "characters that its type does not allow"),
        (value(r="\ud800"), "a[1].r", "surrogates not allowed"),
        (value(o="1.2.x"), "a[1].o", "`1.2.x` is not an object identifier"),
        (value(b=(b"\1", 9)), "a[1].b", "0 to 7"),
        (value(e=7), "a[1].e", "the ENUMERATED has no item with this number"),
        (value(zz=1), "a[1]", "unknown component `zz`"),
        ({"a": [{"q": 1}], "c": ("x", 1)}, "a[0]", "the component `r` is missing"),
        ({"a": [b"\x30\x03\x80\x01\x0a"], "c": ("x", 1)}, "a[0].q", "allowed 0..9, at byte 2 of it"),
        ({"a": [], "c": ("z", 1)}, "c", "no alternative `z`"),
        ({"a": [], "c": ("x", 1), "t": 10**12}, "t", "years 0 to 9999"),
        ({"a": [], "c": ("x", 1), "t": 2840140800}, "t", "years 1950 to 2049"),
    ],
)
def test_values(wrong: Any, path: str, text: str) -> None:
    with pytest.raises(Asn1Error) as raised:
        KIND.encode(wrong)
    assert raised.value.path == path and str(raised.value).startswith(path + ": ") and text in str(raised.value)
    assert raised.value.code


@pytest.mark.parametrize(
    ("wrong", "path", "text"),
    [
        (value(q="1"), "a[1].q", "'str' object is not an instance of 'int'"),
        (value(b=b"\1"), "a[1].b", "a BIT STRING must be a pair of bytes and a count of unused bits, found bytes"),
        (value(s=[[1], [2, None]]), "a[1].s[1][1]", "'None' is not an instance of 'int'"),
        (value(s=5), "a[1].s", "'int' object is not iterable"),
        ({"a": [None], "c": ("x", 1)}, "a[0]", "a SEQUENCE or SET must be a dict, found NoneType"),
        ({"a": [], "c": 1}, "c", "a CHOICE must be a pair of a name and a value, found int"),
        ({"a": [], "c": ("y", 1)}, "c.y", "'int' object is not an instance of 'str'"),
    ],
)
def test_types(wrong: Any, path: str, text: str) -> None:
    with pytest.raises(TypeError) as raised:
        KIND.encode(wrong)
    assert str(raised.value) == f"{path}: {text}"
    assert getattr(raised.value, "path") == path


def test_what_others_raise_stays_as_it_is() -> None:
    def items() -> Iterator[Any]:
        yield {"q": 1, "r": "a"}
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        KIND.encode({"a": items(), "c": ("x", 1)})


@asn1.sequence
class Pair:
    number: Annotated[int, asn1.between(0, 9)]


@asn1.sequence
class Pairs:
    pairs: list[Pair]


def test_declared_types() -> None:
    with pytest.raises(Asn1Error) as raised:
        Pairs(pairs=[Pair(number=1), Pair(number=10)]).encode()
    assert raised.value.path == "pairs[1].number"
    wrong: Any = "x"
    with pytest.raises(TypeError, match=r"^pairs\[1\]\.number: "):
        Pairs(pairs=[Pair(number=1), Pair(number=wrong)]).encode()
