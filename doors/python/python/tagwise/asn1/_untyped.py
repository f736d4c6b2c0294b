"""Encodings of unknown types, as elements."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tagwise import _native
from tagwise._errors import Asn1Error
from tagwise.asn1._element import Element, Header, Tag
from tagwise.asn1._schema import Type, compile_text

if TYPE_CHECKING:
    from tagwise import _kinds

#: The primitive universal types, by tag number.
_UNIVERSAL = {
    1: "BOOLEAN",
    2: "INTEGER",
    3: "BIT STRING",
    4: "OCTET STRING",
    5: "NULL",
    6: "OBJECT IDENTIFIER",
    7: "ObjectDescriptor",
    9: "REAL",
    10: "ENUMERATED { ... }",
    12: "UTF8String",
    13: "RELATIVE-OID",
    14: "TIME",
    18: "NumericString",
    19: "PrintableString",
    20: "TeletexString",
    21: "VideotexString",
    22: "IA5String",
    23: "UTCTime",
    24: "GeneralizedTime",
    25: "GraphicString",
    26: "VisibleString",
    27: "GeneralString",
    28: "UniversalString",
    30: "BMPString",
    31: "DATE",
    32: "TIME-OF-DAY",
    33: "DATE-TIME",
    34: "DURATION",
    35: "OID-IRI",
    36: "RELATIVE-OID-IRI",
}
_STRUCTURES = {8: "EXTERNAL", 11: "EMBEDDED PDV", 16: "SEQUENCE", 17: "SET", 29: "CHARACTER STRING"}


@functools.cache
def _type(number: int) -> Type | None:
    """Returns a universal type, or None if its values are not supported here."""
    text = _UNIVERSAL.get(number)
    if text is None:
        return None
    text = "ENUMERATED { unknown(0), ... }" if number == 10 else text
    return compile_text(f"Universal DEFINITIONS ::= BEGIN Type ::= {text} END")["Type"]


class _Outlined(Element):
    """An element of an encoding of unknown type. Its header, name and value are determined on access."""

    __slots__ = ("_number", "_outline", "_rules")

    def __init__(self, outline: _native.Outline, number: int, data: bytes, rules: str, outer: Element | None) -> None:
        self._outline = outline
        self._number = number
        self._data = data
        self._rules = rules
        self._base = 0
        self._outer = outer
        self._children = None
        self.defined = None

    def _made(self) -> list[Element]:
        numbers = self._outline.children(self._number)
        return [_Outlined(self._outline, number, self._data, self._rules, self) for number in numbers]

    @property
    def _step(self) -> str:
        return "" if self._outer is None else f"[{self._outline.place(self._number)}]"

    def _read(self) -> object:
        return (self._outline.header(self._number), self.type_name)

    @property
    def header(self) -> Header:
        offset, tag, tlen, llen, vlen, indefinite = self._outline.header(self._number)
        return Header(offset, Tag(*tag), tlen, llen, vlen, indefinite)

    @property
    def kind(self) -> str:
        return "items" if self.header.tag.constructed else "leaf"

    @property
    def name(self) -> None:
        return None

    @property
    def type_name(self) -> str:
        return _name(self.header.tag)

    @property
    def explicit(self) -> tuple[Header, ...]:
        return ()

    @property
    def ber(self) -> bool:
        return self.header.indefinite

    @property
    def label(self) -> None:
        return None

    @property
    def start(self) -> int:
        return self.header.offset

    @property
    def end(self) -> int:
        return self._outline.end(self._number)

    def _plain(self) -> Any:
        header = self.header
        content = header.content
        return _value(header.tag, self._data[header.offset : self.end], self._data[content : content + header.vlen], self._rules)

    @property
    def damage(self) -> Asn1Error | None:
        """The error that ended a partial reading. Set on the outermost element."""
        return self._outline.error if self._number == 0 else None


def inspect(data: _kinds.Buffer, *, rules: str = "DER", partial: bool = False) -> Element:
    """Returns the elements of an encoding of unknown type. Paths consist of indices, and values are decoded according
    to universal tags.

    Objects are created on access. With `partial`, damage does not raise an exception. The elements before it are
    kept, the enclosing elements end with the data, and `damage` of the outermost element is the error.

    >>> from tagwise import asn1
    >>> print(asn1.pprint(asn1.inspect(bytes.fromhex("3008020105800301ff00"), rules="BER")[0]))
          2 [1,1,      1] [0] INTEGER 5
    >>> cut = asn1.inspect(bytes.fromhex("30080201050203"), partial=True)
    >>> cut[0].value, len(cut), cut.damage.code
    (5, 2, 'truncated')
    """
    data = bytes(memoryview(data))
    outline = _native.Outline(data, rules, partial)
    if len(outline) == 0:
        if outline.error is not None:
            raise outline.error
        raise ValueError("the input has no element")
    return _Outlined(outline, 0, data, rules, None)


def first_length(data: _kinds.Buffer, offset: int = 0) -> int | None:
    """Returns the length of the element at an offset, including its header, or None if more bytes are needed. This is
    how much to read from a connection before a value can be decoded. The header is enough, unless the length is
    indefinite; then the end is searched for.

    >>> from tagwise import asn1
    >>> asn1.first_length(bytes.fromhex("020105" "0500")), asn1.first_length(bytes.fromhex("020105" "0500"), 3)
    (3, 2)
    >>> asn1.first_length(bytes.fromhex("30820100"))
    260
    >>> asn1.first_length(bytes.fromhex("3080020105")), asn1.first_length(bytes.fromhex("30800201050000ff"))
    (None, 7)
    """
    if offset < 0:
        raise ValueError(f"offset must not be negative: {offset}")
    return _native.first_length(data, offset)


def _name(tag: Tag) -> str:
    """Returns the name of a tag."""
    if tag.tag_class != 0:
        return str(tag)
    return _STRUCTURES.get(tag.number) or _UNIVERSAL.get(tag.number, str(tag)).removesuffix(" { ... }")


def _value(tag: Tag, whole: bytes, content: bytes, rules: str) -> Any:
    """Returns the value of a primitive element according to its universal type, or its content."""
    ty = None if tag.constructed or tag.tag_class != 0 else _type(tag.number)
    if ty is None:
        return content
    try:
        return ty.decode(whole, rules=rules)
    except Asn1Error:
        return content
