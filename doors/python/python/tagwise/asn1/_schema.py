"""Types of modules compiled at run time."""

from __future__ import annotations

import _thread
import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from tagwise import _native
from tagwise._errors import Asn1Error
from tagwise.asn1._element import Defines, Element, define, placed

if TYPE_CHECKING:
    from tagwise import _kinds
    from tagwise.asn1._stream import Content, Damaged, Event

_Sources = tuple[tuple[str, str], ...]


class Limits(NamedTuple):
    """Limits on the cost of compiling untrusted modules. Exceeding one raises `ValueError`."""

    #: The maximum nesting depth of types, values, constraints and braces. Published modules need 20.
    depth: int = 64
    #: The maximum number of instances of parameterized definitions. Published modules need several hundred.
    instances: int = 10_000
    #: The memory and work allowed for modules of any size, in bytes.
    bytes: int = 32 << 20
    #: The additional bytes allowed for each byte of text.
    bytes_per_byte: int = 1024


_LIMITS = Limits()


class Bits(NamedTuple):
    """The position of a component in an encoding in PER, OER or XER, in bits."""

    #: The component's path, empty for the whole value.
    path: str
    #: The offset of the first bit.
    start: int
    #: The offset after the last bit.
    end: int


class Type:
    """A type from compiled modules.

    The encoding rules are named DER, BER, CER, uper, aper, cuper, caper, oer, coer, xer, cxer and exer. Only DER, BER and CER have elements, so only
    `decode`, `encode`, `bits`, `deviations`, `explain` and the conversions from and to JSON support them.
    """

    __slots__ = ("_modules", "_name")

    def __init__(self, modules: Modules, name: str) -> None:
        modules.schema.check(name)
        self._modules = modules
        self._name = name

    @property
    def name(self) -> str:
        """The name of the type."""
        return self._name

    @property
    def modules(self) -> Modules:
        """The modules that define the type."""
        return self._modules

    @property
    def _schema(self) -> _native.Schema:
        return self._modules.schema

    def decode(self, data: _kinds.Buffer, *, rules: str = "DER", allow: Sequence[str] = (), defines: Sequence[Defines] = ()) -> Any:
        """Decodes a value from any buffer, in DER, BER, CER, PER, OER or XER. `allow` names the rules that the value may violate.

        >>> from tagwise import asn1
        >>> text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Point ::= SEQUENCE { x INTEGER (0..100), y INTEGER (0..7) } END"
        >>> Point = asn1.compile_text(text)["Point"]
        >>> Point.encode({"x": 5, "y": 7}, rules="uper").hex()
        '0bc0'
        >>> Point.decode(bytes.fromhex("0bc0"), rules="uper")
        {'x': 5, 'y': 7}
        """
        if defines:
            return self.inspect(data, rules=rules, allow=allow, defines=defines).value
        return self._schema.decode(self._name, data, rules, list(allow))[0]

    def decode_first(
        self, data: _kinds.Buffer, offset: int = 0, *, rules: str = "DER", allow: Sequence[str] = ()
    ) -> tuple[Any, memoryview]:
        """Decodes the value that begins at an offset. Also returns the bytes after it, which are not decoded.

        >>> from tagwise import asn1
        >>> number = asn1.compile_text("M DEFINITIONS ::= BEGIN N ::= INTEGER END")["N"]
        >>> value, rest = number.decode_first(bytes.fromhex("020105" "020107"))
        >>> value, bytes(rest), number.decode_first(rest)[0]
        (5, b'\\x02\\x01\\x07', 7)
        """
        if offset < 0:
            raise ValueError(f"offset must not be negative: {offset}")
        _native.check_rules(rules)
        whole = memoryview(data).cast("B")
        length = _native.first_length(whole[offset:])
        # What ends too early is decoded for the error.
        end = len(whole) if length is None else offset + length
        try:
            return self.decode(whole[offset:end], rules=rules, allow=allow), whole[end:]
        except Asn1Error as error:
            raise placed(error, "", offset) from None

    def row(self, data: _kinds.Buffer, rules: str, allow: Sequence[str]) -> tuple[Any, ...]:
        """Returns the tuple of fields from which an `Element` is created."""
        return self._schema.inspect(self._name, data, rules, list(allow))[0]

    def inspect(
        self, data: _kinds.Buffer, *, rules: str = "DER", allow: Sequence[str] = (), defines: Sequence[Defines] = ()
    ) -> Element:
        """Decodes the elements of an encoding: its value, and the location of each part."""
        data = bytes(memoryview(data))
        element = Element(self.row(data, rules, allow), data)
        define(element, defines, rules, allow)
        return element

    def deviations(self, data: _kinds.Buffer, *, rules: str = "DER", allow: Sequence[str] = ()) -> list[tuple[str, int, str]]:
        """Returns the tolerated deviations in an encoding: the rule, offset and clause of each. Offsets in PER are in bits."""
        return self._schema.decode(self._name, data, rules, list(allow))[1]

    def encode(self, value: object, *, rules: str = "DER") -> bytes:
        """Encodes a value. Any structured part may also be given as its DER encoding, and a list as any iterable."""
        return self._schema.encode(self._name, value, rules)

    def bits(self, data: _kinds.Buffer, *, rules: str, allow: Sequence[str] = ()) -> list[Bits]:
        """Returns the position of each component of an encoding in PER, OER or XER, in the order of the encoding.

        >>> from tagwise import asn1
        >>> text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Point ::= SEQUENCE { x INTEGER (0..100), y INTEGER (0..7) } END"
        >>> for one in asn1.compile_text(text)["Point"].bits(bytes.fromhex("0bc0"), rules="uper"):
        ...     print(one)
        Bits(path='', start=0, end=10)
        Bits(path='x', start=0, end=7)
        Bits(path='y', start=7, end=10)
        """
        return [Bits(*one) for one in self._schema.bits(self._name, data, rules, list(allow))]

    def write(self, value: object, file: IO[bytes], *, rules: str = "DER") -> int:
        """Writes the encoding of a value to a file, in pieces, and returns its length.

        If the value contains an iterator for a SEQUENCE OF, its items are encoded one by one and never all held in
        memory. For CER, an iterator is sufficient. For DER, where the length comes first, pass a function that
        returns the iterator: it is called twice.
        """
        from tagwise.asn1._write import write

        return write(self, value, file, rules)

    def events(
        self, source: _kinds.Source, *, rules: str = "DER", chunk: int = 65536, defines: Sequence[Defines] = ()
    ) -> Iterator[Event]:
        """Iterates over the events of an encoding of any size, from a path, a file object or a buffer such as an
        `mmap`: see `Event`. With `defines`, earlier values can select the type of a string or open type.
        That string or open type is then a single `value` event with its decoded content, up to 1 MiB."""
        from tagwise.asn1._stream import events

        return events(self, source, rules, chunk, defines)

    def items(
        self, source: _kinds.Source, path: str, *, rules: str = "DER", limit: int = 1 << 20
    ) -> Iterator[tuple[int, Any]]:
        """Iterates over the offset and value of each item of the list at a path, from a path, a file object or a
        buffer. Only one item is held in memory, of at most `limit` bytes."""
        from tagwise.asn1._stream import items

        return items(self, source, path, rules, limit)

    def records(
        self, source: _kinds.Source, *, rules: str = "DER", limit: int = 1 << 20, damaged: Damaged | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Iterates over the offset and value of each concatenated value in a path, a file object or a buffer.

        Only one value is held in memory, of at most `limit` bytes. A malformed value raises an exception. If
        `damaged` is given, it is called instead with the offset, the bytes and the exception, and reading continues
        after the value. If the end of a value cannot be found, an exception is always raised.
        """
        from tagwise.asn1._stream import records

        return records(self._schema, self._name, source, rules, limit, damaged)

    def content(self, source: _kinds.Source, path: str, *, rules: str = "DER") -> Content:
        """Returns the content of the OCTET STRING or BIT STRING at a path as a file object. Segments are joined."""
        from tagwise.asn1._stream import Content

        return Content(self, source, path, rules)

    def to_json(self, data: _kinds.Buffer, *, rules: str = "DER") -> str:
        """Converts an encoding to JSON, with the JSON Encoding Rules (X.697)."""
        return self._schema.to_json(self._name, data, rules)

    def to_gser(self, data: _kinds.Buffer, *, rules: str = "DER") -> str:
        """Converts an encoding to text, with the Generic String Encoding Rules (RFC 3641).

        >>> from tagwise import asn1
        >>> text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Point ::= SEQUENCE { x INTEGER, up BOOLEAN } END"
        >>> Point = asn1.compile_text(text)["Point"]
        >>> Point.to_gser(Point.encode({"x": 5, "up": True}))
        '{ x 5, up TRUE }'
        """
        return self._schema.to_gser(self._name, data, rules)

    def from_json(self, text: str, *, rules: str = "DER") -> bytes:
        """Encodes a value given in JSON."""
        encoded = self._schema.read_json(self._name, text, rules)
        return self.encode(self.decode(encoded), rules=rules) if rules == "CER" else encoded

    def get(self, data: bytes, path: str) -> list[Any]:
        """Returns the values at a path in an encoding."""
        return [value for _, value in self._schema.select(self._name, data, path)]

    def explain(self, data: bytes, offset: int, *, rules: str = "DER") -> str:
        """Returns the path of the component to which a byte of an encoding belongs. In PER, OER and XER,
        `offset` counts bits."""
        return self._schema.path_at(self._name, data, offset, rules)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Type):
            return NotImplemented
        return self._name == other._name and self._modules == other._modules

    def __hash__(self) -> int:
        return hash((self._name, self._modules))

    def __reduce__(self) -> tuple[type[Type], tuple[Modules, str]]:
        return (Type, (self._modules, self._name))

    def __repr__(self) -> str:
        return f"<Type({self._name})>"


class Modules(Mapping[str, Type]):
    """Modules that were compiled together: their types by name, or by `Module.Name` if several modules define the name."""

    def __init__(
        self,
        sources: _Sources,
        departures: Sequence[str] = (),
        schema: _native.Schema | None = None,
        limits: Limits = _LIMITS,
    ) -> None:
        self.sources = sources
        self.departures = tuple(departures)
        self._limits = limits
        self.schema = _native.Schema(list(sources), list(departures), limits, True) if schema is None else schema
        self._names = self.schema.names()

    def __getitem__(self, name: str) -> Type:
        return Type(self, name)

    def __iter__(self) -> Iterator[str]:
        return (f"{module}.{name}" for module, name in self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def unchecked(self) -> list[str]:
        """The constraints of the modules that are not checked."""
        return self.schema.unchecked()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Modules):
            return NotImplemented
        return (self.sources, self.departures) == (other.sources, other.departures)

    def __hash__(self) -> int:
        return hash((self.sources, self.departures))

    def __copy__(self) -> Modules:
        return self

    def __deepcopy__(self, memo: object) -> Modules:
        return self

    def __reduce__(self) -> tuple[Any, tuple[_Sources, tuple[str, ...], None, Limits]]:
        return (compiled, (self.sources, self.departures, None, self._limits))


#: The modules in use, so that types that are unpickled separately share their modules.
_compiled: weakref.WeakValueDictionary[tuple[_Sources, tuple[str, ...], Limits], Modules] = weakref.WeakValueDictionary()
_lock = _thread.allocate_lock()


def compiled(
    sources: _Sources,
    departures: tuple[str, ...] = (),
    schema: _native.Schema | None = None,
    limits: Limits = _LIMITS,
) -> Modules:
    """Compiles modules from texts, and shares the result as long as it is in use."""
    key = (sources, departures, limits)
    modules = _compiled.get(key)
    if modules is None:
        made = Modules(sources, departures, schema, limits)
        # Threads that compiled the same modules meanwhile share the first that are ready.
        with _lock:
            modules = _compiled.setdefault(key, made)
    return modules


def compile(
    *patterns: str | os.PathLike[str], departures: Sequence[str] = (), limits: Limits = _LIMITS
) -> Modules:
    """Compiles the modules in files, which must include all imported modules.

    `departures` contains the names of tolerated deviations from X.680, and `limits` bounds the cost. A file is given
    as a string, which may contain wildcards, or as a `pathlib.Path`, which is used literally.
    """
    import glob
    import pathlib

    files: set[str] = set()
    for pattern in patterns:
        found = glob.glob(pattern, recursive=True) if isinstance(pattern, str) else [os.fspath(pattern)]
        if not found:
            raise FileNotFoundError(f"no file is named {pattern}")
        files.update(found)
    if not files:
        raise FileNotFoundError("no file is named")
    sources = tuple((file, pathlib.Path(file).read_text(encoding="utf-8")) for file in sorted(files))
    return compiled(sources, tuple(departures), None, limits)


def compile_text(*texts: str, departures: Sequence[str] = (), limits: Limits = _LIMITS) -> Modules:
    """Compiles modules from their texts; see `compile`."""
    sources = tuple((f"text {number + 1}", text) for number, text in enumerate(texts))
    return compiled(sources, tuple(departures), None, limits)
