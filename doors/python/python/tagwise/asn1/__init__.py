"""Any ASN.1: types compiled from modules at run time, and types declared as classes.

>>> from tagwise import asn1
>>> modules = asn1.compile_text('''
...     Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
...       Point ::= SEQUENCE { x INTEGER (0..100), y INTEGER DEFAULT 7, name UTF8String OPTIONAL }
...       Shape ::= CHOICE { point Point, path SEQUENCE OF Point }
...     END
... ''')
>>> Point = modules["Point"]
>>> Point.decode(b"\\x30\\x03\\x80\\x01\\x05")
{'x': 5, 'y': 7}
>>> Point.encode({"x": 5, "name": "here"}).hex()
'3009800105820468657265'
>>> modules["Shape"].encode(("path", [{"x": 1}, {"x": 2}])).hex()
'a10a30038001013003800102'
>>> Point.decode(b"\\x30\\x03\\x80\\x01\\x65")
Traceback (most recent call last):
...
tagwise.Asn1Error: x: the value is 101; allowed 0..100, at byte 2 (X.680 §51.4)

| ASN.1 | Python |
|---|---|
| BOOLEAN, NULL, INTEGER, ENUMERATED | `bool`, `None`, `int`, `int` |
| REAL | `float` with base 2, `decimal.Decimal` with base 10; values that neither can represent exactly are a triple of mantissa, base and exponent |
| OBJECT IDENTIFIER, RELATIVE-OID | `str`, dotted; a `tuple` of numbers can also be encoded |
| OCTET STRING | `bytes` |
| BIT STRING | a pair of `bytes` and the number of unused bits |
| character strings, OID-IRI, RELATIVE-OID-IRI | `str` |
| UTCTime, GeneralizedTime | `datetime.datetime` in UTC. Times that it cannot represent are seconds since 1970: `decimal.Decimal` for fractions below a microsecond, `int` for the year 0. A leap second is `str`, `20161231235960Z`. A number can also be encoded |
| DATE, TIME-OF-DAY, DATE-TIME | `date`, `time` and `datetime` of the module `datetime`, without a time zone; `str` for a leap second or 24:00:00 |
| DURATION, TIME | `str`, in ISO 8601 notation; `datetime` objects can also be encoded |
| SEQUENCE, SET, EXTERNAL, EMBEDDED PDV, CHARACTER STRING | `dict`: absent components are omitted, except those with a DEFAULT value; unknown extension additions are a list of `bytes`, `"$additions"` |
| SEQUENCE OF, SET OF | `list` |
| CHOICE | a pair of the alternative's name and its value |
| values of unknown type | `bytes`: the complete encoding |
| parts of unknown type in PER and OER | `Unknown`, also in `"$additions"` |

Declared classes (`Sequence`, `sequence` …) use objects instead of `dict`s and pairs, with the same underlying types.
"""

from __future__ import annotations

from tagwise.asn1._declare import (
    Choice,
    Sequence,
    Set,
    choice,
    decode,
    encode,
    from_json,
    notation,
    of,
    sequence,
    to_json,
    type_of,
    which,
    write,
)
from tagwise.asn1._declare import set_ as set
from tagwise.asn1._element import Defines, Element, Header, Tag
from tagwise.asn1._marks import Any_ as Any
from tagwise.asn1._marks import (
    BitString,
    BMPString,
    Date,
    DateTime,
    Duration,
    GeneralizedTime,
    IA5String,
    Null,
    NumericString,
    Oid,
    PrintableString,
    Real,
    RelativeOid,
    TeletexString,
    Time,
    TimeOfDay,
    UniversalString,
    UTCTime,
    VisibleString,
    alphabet,
    application,
    between,
    constrained,
    default,
    defined_by,
    explicit,
    extensible,
    implicit,
    kind,
    named,
    private,
    set_of,
    size,
)
from tagwise.asn1._print import pprint
from tagwise.asn1._schema import Bits, Limits, Modules, Type, compile, compile_text
from tagwise.asn1._stream import Content, Event
from tagwise.asn1._unknown import Unknown
from tagwise.asn1._untyped import first_length, inspect

__all__ = [
    "Any",
    "BMPString",
    "BitString",
    "Bits",
    "Choice",
    "Content",
    "Date",
    "DateTime",
    "Defines",
    "Duration",
    "Element",
    "Event",
    "GeneralizedTime",
    "Header",
    "IA5String",
    "Limits",
    "Modules",
    "Null",
    "NumericString",
    "Oid",
    "PrintableString",
    "Real",
    "RelativeOid",
    "Sequence",
    "Set",
    "Tag",
    "TeletexString",
    "Time",
    "TimeOfDay",
    "Type",
    "UTCTime",
    "UniversalString",
    "Unknown",
    "VisibleString",
    "alphabet",
    "application",
    "between",
    "choice",
    "compile",
    "compile_text",
    "constrained",
    "decode",
    "default",
    "defined_by",
    "encode",
    "explicit",
    "extensible",
    "first_length",
    "from_json",
    "implicit",
    "inspect",
    "kind",
    "named",
    "notation",
    "of",
    "pprint",
    "private",
    "sequence",
    "set",
    "set_of",
    "size",
    "to_json",
    "type_of",
    "which",
    "write",
]
