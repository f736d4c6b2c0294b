"""Encodings of no known type, as elements."""

from __future__ import annotations

import functools
from typing import Any

from tagwise import _native
from tagwise._errors import Asn1Error
from tagwise.asn1._element import Element, Tag
from tagwise.asn1._schema import Type, compile_text

#: The universal types without parts, by their numbers.
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
    """A universal type; nothing for those that have no values here."""
    text = _UNIVERSAL.get(number)
    if text is None:
        return None
    text = "ENUMERATED { unknown(0), ... }" if number == 10 else text
    return compile_text(f"Universal DEFINITIONS ::= BEGIN Type ::= {text} END")["Type"]


def inspect(data: Any, *, rules: str = "DER") -> Element:
    """The elements of an encoding of no known type: paths count the parts, and values are those of universal tags.

    >>> from tagwise import asn1
    >>> print(asn1.pprint(asn1.inspect(bytes.fromhex("3008020105800301ff00"), rules="BER")[0]))
          2 [1,1,      1] [0] INTEGER 5
    """
    data = bytes(memoryview(data))
    rows: list[list[Any]] = []
    root: tuple[Any, ...] | None = None
    for found in _native.elements(data, rules):
        depth, (offset, tag, tlen, llen, vlen, indefinite), end = found
        if indefinite:
            vlen = end - 2 - offset - tlen - llen
        del rows[depth:]
        siblings = rows[-1] if rows else []
        step = f"[{len(siblings)}]" if rows else ""
        children: list[Any] = []
        header = (offset, tag, tlen, llen, vlen, indefinite)
        name, value = _value(Tag(*tag), data[offset:end], data[offset + tlen + llen : offset + tlen + llen + vlen], rules)
        kind = "items" if tag[2] else "leaf"
        row: tuple[Any, ...] = (kind, None, name, step, (offset, end), header, [], indefinite, None, value, children)
        siblings.append(row)
        rows.append(children)
        root = row if root is None else root
    if root is None:
        raise ValueError("there is no element")
    return Element(root, data)


def _value(tag: Tag, whole: bytes, content: bytes, rules: str) -> tuple[str, Any]:
    """The name of a tag and the value of an element without parts."""
    if tag.tag_class != 0:
        return str(tag), content
    name = _STRUCTURES.get(tag.number) or _UNIVERSAL.get(tag.number, str(tag)).removesuffix(" { ... }")
    ty = None if tag.constructed else _type(tag.number)
    if ty is None:
        return name, content
    try:
        return name, ty.decode(whole, rules=rules)
    except Asn1Error:
        return name, content
