"""Any ASN.1: types that are compiled from modules at run time.

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
tagwise._errors.Asn1Error: x: the value is 101; allowed 0..100, at byte 2 (X.680 §51.4)

| ASN.1 | Python |
|---|---|
| BOOLEAN, NULL, INTEGER, ENUMERATED | `bool`, `None`, `int`, `int` |
| OBJECT IDENTIFIER | `str`, dotted |
| OCTET STRING | `bytes` |
| BIT STRING | a pair of `bytes` and the number of unused bits |
| character strings | `str` |
| UTCTime, GeneralizedTime | `int`: seconds since 1970; with a fraction, `decimal.Decimal` |
| SEQUENCE, SET | `dict`: components that are absent are left out, those with a DEFAULT value are there |
| SEQUENCE OF, SET OF | `list` |
| CHOICE | a pair of the alternative's name and its value |
| what no type is known of | `bytes`: the whole encoding |

Values of the other types (REAL, RELATIVE-OID, the times of ISO 8601 …) are read as `bytes` or `str`; they are made by way of JSON,
which `from_json` reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tagwise import _native

__all__ = ["Modules", "Type", "compile", "compile_text"]


class Type:
    """A type of compiled modules."""

    __slots__ = ("_name", "_schema")

    def __init__(self, schema: _native.Schema, name: str) -> None:
        schema.check(name)
        self._schema = schema
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def decode(self, data: Any, *, rules: str = "DER", allow: Sequence[str] = ()) -> Any:
        """The value of an encoding, from any buffer, by DER, BER or CER; `allow` has names of rules that are tolerated."""
        return self._schema.decode(self._name, data, rules, list(allow))[0]

    def encode(self, value: Any, *, rules: str = "DER") -> bytes:
        """The encoding of a value; wherever something with parts is asked for, its encoding in DER does, too."""
        return self._schema.encode(self._name, value, rules)

    def to_json(self, data: bytes) -> str:
        """The value of an encoding as JSON, by the JSON Encoding Rules (X.697)."""
        return self._schema.to_json(self._name, data)

    def from_json(self, text: str) -> bytes:
        """The encoding of a value in JSON."""
        return self._schema.read_json(self._name, text)

    def get(self, data: bytes, path: str) -> list[Any]:
        """The values that a path leads to in an encoding."""
        return [value for _, value in self._schema.select(self._name, data, path)]

    def explain(self, data: bytes, offset: int) -> str:
        """The path of the component that a byte of an encoding belongs to."""
        return self._schema.path_at(self._name, data, offset)

    def __repr__(self) -> str:
        return f"<Type({self._name})>"


class Modules(Mapping[str, Type]):
    """Modules that were compiled together: their types by name, or by `Module.Name` where modules share one."""

    def __init__(self, schema: _native.Schema) -> None:
        self._schema = schema
        self._names = schema.names()

    def __getitem__(self, name: str) -> Type:
        return Type(self._schema, name)

    def __iter__(self) -> Iterator[str]:
        return (f"{module}.{name}" for module, name in self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def unchecked(self) -> list[str]:
        """Conditions of the modules that values are not held to."""
        return self._schema.unchecked()


def compile(*patterns: str) -> Modules:
    """Compiles the modules in files, whose names may have wildcards: all that they import must be among them."""
    import glob
    import pathlib

    files = sorted({file for pattern in patterns for file in glob.glob(pattern, recursive=True)})
    if not files:
        raise FileNotFoundError(f"no file is named {', '.join(patterns)}")
    return Modules(_native.Schema([(file, pathlib.Path(file).read_text(encoding="utf-8")) for file in files]))


def compile_text(*texts: str) -> Modules:
    """Compiles modules from their texts."""
    return Modules(_native.Schema([(f"text {number + 1}", text) for number, text in enumerate(texts)]))
