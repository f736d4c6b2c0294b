"""The elements of an encoding: each part of a value with its offset, header lengths and path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from tagwise._errors import Asn1Error
from tagwise.asn1 import _paths

if TYPE_CHECKING:
    from tagwise.asn1._schema import Type

CLASSES = ("UNIVERSAL", "APPLICATION", "CONTEXT", "PRIVATE")


class Tag(NamedTuple):
    """A tag: its class (0 to 3: universal, application, context, private), its number, and whether it is constructed.

    >>> print(Tag(2, 3, True)), print(Tag(0, 16, True)), print(Tag(1, 5, False))
    [3]
    [UNIVERSAL 16]
    [APPLICATION 5]
    (None, None, None)
    """

    tag_class: int
    number: int
    constructed: bool

    def __str__(self) -> str:
        return f"[{self.number}]" if self.tag_class == 2 else f"[{CLASSES[self.tag_class]} {self.number}]"


class Header(NamedTuple):
    """The offset and tag of an element, and the lengths of its tag, length and content."""

    offset: int
    tag: Tag
    tlen: int
    llen: int
    #: The length of the content, without the end-of-contents octets of an indefinite length.
    vlen: int
    indefinite: bool

    @property
    def content(self) -> int:
        """The offset of the content."""
        return self.offset + self.tlen + self.llen

    @property
    def end(self) -> int:
        """The offset just past the end of the element."""
        return self.content + self.vlen + (2 if self.indefinite else 0)


class Defines:
    """A component that selects the type of another component. `path` is a pattern for the selecting component. `what` is
    the relative path from its enclosing structure to the selected component, which must be an open type, an OCTET
    STRING or a BIT STRING. `types` maps each value of the selecting component to a type.

    In patterns, `[*]` matches any item, `*` any step and `**` any number of steps: `**.algorithm`,
    `attributes[*].type`.
    """

    def __init__(self, path: str, what: str, types: Mapping[Any, Type]) -> None:
        self.path = path
        self.what = what
        self.types = types
        self._pattern = _paths.steps(path)
        self._what = _paths.steps(what)
        if not self._pattern or not self._what:
            raise ValueError("a component has a path that is not empty")

    def found(self, path: Sequence[str]) -> bool:
        """Returns whether the steps of a path match the selecting component."""
        return _paths.matches(self._pattern, path)

    def leads(self, around: Sequence[str], path: Sequence[str]) -> bool:
        """Returns whether a path within a structure matches the selected component."""
        return tuple(path[: len(around)]) == tuple(around) and _paths.matches(self._what, path[len(around) :])

    def reaches(self, steps: Sequence[str]) -> bool:
        """Returns whether a selecting component can be located somewhere under these steps."""
        return _paths.leads(self._pattern, steps)

    def reaches_from(self, around: Sequence[str], steps: Sequence[str]) -> bool:
        """Returns whether a selected component can be located somewhere under these steps."""
        return tuple(steps[: len(around)]) == tuple(around) and _paths.leads(self._what, steps[len(around) :])

    def __repr__(self) -> str:
        return f"Defines({self.path!r}, {self.what!r}, {len(self.types)} types)"


_Row = tuple[Any, ...]
_Head = Union[tuple[int, tuple[int, int, bool], int, int, int, bool], None]


class Element:
    """One part of a decoded value.

    | Attribute | |
    |---|---|
    | `path`, `name`, `type_name` | its path in the type, its own name there or None, and the name of its type |
    | `kind` | `leaf`, `components`, `items`, `choice`, `containing`, `unknown` (of no known type), `additions` (unknown extension additions, as children), `default` (absent, with a DEFAULT) |
    | `value`, `label` | its value as `decode` returns it, and the name that the type assigns to the number or bits |
    | `offset`, `tag`, `tlen`, `llen`, `vlen`, `indefinite` | the offset and header of the element itself |
    | `explicit` | the headers of the EXPLICIT tags around it, outermost first |
    | `start`, `end`, `raw` | the extent including these tags, and its bytes |
    | `ber` | set if its bytes, or those of a part, are not DER |
    | `defined` | the element that a `Defines` decoded inside it |
    """

    __slots__ = ("_base", "_children", "_data", "_outer", "_row", "defined")

    def __init__(self, row: _Row, data: bytes, base: int = 0, outer: Element | None = None) -> None:
        self._row = row
        self._data = data
        self._base = base
        self._outer = outer
        self._children: list[Element] | None = None
        self.defined: Element | None = None

    def _made(self) -> list[Element]:
        return [Element(child, self._data, self._base, self) for child in self._row[10]]

    @property
    def children(self) -> list[Element]:
        """The child elements, created on access."""
        if self._children is None:
            self._children = self._made()
        return self._children

    @property
    def _step(self) -> str:
        step: str | int = self._row[3]
        return f"[{step}]" if isinstance(step, int) else step

    def _read(self) -> object:
        """Returns everything that was decoded, except the location, for comparisons."""
        return self._row

    @property
    def kind(self) -> str:
        """The kind of the element: see the table above."""
        return str(self._row[0])

    @property
    def name(self) -> str | None:
        """The name in the enclosing structure, or None."""
        name: str | None = self._row[1]
        return name

    @property
    def outer(self) -> Element | None:
        """The parent element."""
        return self._outer if isinstance(self._outer, Element) else None

    @property
    def type_name(self) -> str:
        """The name of its type."""
        return str(self._row[2])

    @property
    def path(self) -> str:
        """The path from the outermost element."""
        return _paths.written(self.steps)

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the path: names, and items in brackets."""
        found: list[str] = []
        element: Element | None = self
        while element is not None:
            if element._step:
                found.append(element._step)
            element = element._outer
        return tuple(reversed(found))

    def _header(self, row: _Head) -> Header | None:
        if row is None:
            return None
        offset, tag, tlen, llen, vlen, indefinite = row
        return Header(self._base + offset, Tag(*tag), tlen, llen, vlen, indefinite)

    @property
    def header(self) -> Header | None:
        """The offset, tag and lengths; None for `additions` and for absent components with a DEFAULT value."""
        return self._header(self._row[5])

    @property
    def explicit(self) -> tuple[Header, ...]:
        """The headers of the EXPLICIT tags around it, outermost first."""
        headers = (self._header(row) for row in self._row[6])
        return tuple(header for header in headers if header is not None)

    @property
    def offset(self) -> int | None:
        """The offset of the header, or None if there is none."""
        header = self.header
        return None if header is None else header.offset

    @property
    def tag(self) -> Tag | None:
        """The tag, or None if it has no header."""
        header = self.header
        return None if header is None else header.tag

    @property
    def tlen(self) -> int:
        """The length of the tag field, in bytes."""
        header = self.header
        return 0 if header is None else header.tlen

    @property
    def llen(self) -> int:
        """The length of the length field, in bytes."""
        header = self.header
        return 0 if header is None else header.llen

    @property
    def vlen(self) -> int:
        """The length of the content, in bytes."""
        header = self.header
        return 0 if header is None else header.vlen

    @property
    def indefinite(self) -> bool:
        """True if the length is indefinite."""
        header = self.header
        return header is not None and header.indefinite

    @property
    def ber(self) -> bool:
        """True if the element's bytes, or the bytes of one of its parts, are not DER."""
        return bool(self._row[7])

    @property
    def label(self) -> str | None:
        """The name that the type assigns to the number or bits."""
        label: str | None = self._row[8]
        return label

    @property
    def start(self) -> int | None:
        """The offset of the first byte, including EXPLICIT tags."""
        return None if self._row[4] is None else self._base + int(self._row[4][0])

    @property
    def end(self) -> int | None:
        """The offset just past the last byte, including EXPLICIT tags."""
        return None if self._row[4] is None else self._base + int(self._row[4][1])

    @property
    def raw(self) -> bytes:
        """The bytes, including EXPLICIT tags."""
        start, end = self.start, self.end
        return b"" if start is None or end is None else self._data[start:end]

    @property
    def value(self) -> Any:
        """The value, as `Type.decode` returns it."""
        if self.defined is not None:
            return self.defined.value
        kind = self.kind
        if kind == "components":
            return {child.name: child.value for child in self.children}
        if kind in ("items", "additions"):
            return [child.value for child in self.children]
        if kind == "choice":
            return (self.children[0].name, self.children[0].value)
        if kind == "containing":
            return self.children[0].value
        return self._plain()

    def _plain(self) -> Any:
        return self._row[9]

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)

    def __len__(self) -> int:
        return len(self.children)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, which: int | str) -> Element:
        """Returns a child by index, or a part by its path relative to this element."""
        if isinstance(which, int):
            return self.children[which]
        wanted = _paths.steps(which)
        own = len(self.steps)
        for element in self.walk():
            if element.steps[own:] == wanted and element.kind != "containing":
                return element
        raise KeyError(which)

    def find(self, pattern: str) -> list[Element]:
        """Returns the parts whose full paths match a pattern: `[*]` is any item, `*` any step, `**` any number of steps."""
        wanted = _paths.steps(pattern)
        return [element for element in self.walk() if _paths.matches(wanted, element.steps)]

    def walk(self) -> Iterator[Element]:
        """Iterates over the element and its descendants, in order."""
        waiting: list[Element] = [self]
        while waiting:
            element = waiting.pop()
            yield element
            if element.defined is not None:
                waiting.append(element.defined)
            else:
                waiting.extend(reversed(element.children))

    def pprint(self, **how: Any) -> str:
        """Formats the element as readable text: see `tagwise.asn1.pprint`."""
        from tagwise.asn1._print import pprint

        return pprint(self, **how)

    def __repr__(self) -> str:
        return f"<Element({self.path or '.'}: {self.type_name}, at {self.offset})>"

    def __copy__(self) -> Element:
        return self

    def __deepcopy__(self, memo: object) -> Element:
        return self

    def __eq__(self, other: object) -> bool:
        """Elements are equal if they have the same bytes at the same location and were decoded in the same way."""
        if not isinstance(other, Element):
            return NotImplemented
        same = (self._read(), self._base, self.steps) == (other._read(), other._base, other.steps)
        return same and self.raw == other.raw and self.defined == other.defined

    __hash__ = None  # type: ignore[assignment]


def define(root: Element, defines: Sequence[Defines], rules: str, allow: Sequence[str], depth: int = 32) -> None:
    """Decodes the components whose types other components select, and applies the same definitions inside them."""
    if not defines:
        return
    # Each element with its steps and the one it is in.
    waiting: list[tuple[Element, Element | None]] = [(root, None)]
    while waiting:
        element, outer = waiting.pop()
        waiting.extend((child, element) for child in reversed(element.children))
        if element.kind != "leaf" or outer is None:
            continue
        path = element.steps
        for rule in defines:
            if not rule.found(path):
                continue
            value = element.value
            ty = rule.types.get(value) if isinstance(value, (str, int)) else None
            if ty is None:
                continue
            for target in list(outer.walk()):
                if target.defined is not None or target.kind not in ("leaf", "unknown"):
                    continue
                if rule.leads(path[:-1], target.steps):
                    if depth == 0:
                        raise ValueError("what is defined by values is nested too deeply")
                    target.defined = _inside(target, ty, rules, allow)
                    if target.defined is not None:
                        define(target.defined, defines, rules, allow, depth - 1)


class _Around:
    """A step of the path to the enclosing value of the elements."""

    __slots__ = ("_outer", "_step")

    def __init__(self, step: str, outer: _Around | None) -> None:
        self._step = step
        self._outer = outer


def held(
    ty: Type,
    data: bytes,
    place: tuple[Sequence[str], int],
    rules: str,
    defines: Sequence[Defines],
    said: Sequence[tuple[Sequence[str], Defines, Type]],
) -> Any:
    """Decodes an encoding located at the given path steps and offset. Its content is decoded with the same
    definitions, and with those already selected in enclosing structures (`said`)."""
    steps, base = place
    within = [rule for rule in defines if rule.reaches(steps)]
    leading = [one for one in said if one[1].reaches_from(one[0], steps)]
    try:
        if not within and not leading:
            return ty.decode(data, rules=rules)
        row = ty.row(data, rules, ())
    except Asn1Error as error:
        raise placed(error, _paths.written(steps), base) from None
    outer: Any = None
    for step in steps:
        outer = _Around(step, outer)
    root = Element(row, data, 0, outer)
    try:
        for around, rule, selected in leading:
            for target in list(root.walk()):
                if target.defined is None and target.kind in ("leaf", "unknown") and rule.leads(around, target.steps):
                    target.defined = _inside(target, selected, rules, ())
        define(root, within, rules, ())
    except Asn1Error as error:
        raise placed(error, "", base) from None
    return root.value


def placed(error: Asn1Error, path: str, base: int) -> Asn1Error:
    """Converts an error in a part to an error in the enclosing value, given the part's path and start offset."""
    path, offset = _paths.join(path, error.path), base + (error.offset or 0)
    text = f"{path}: {error.reason}, at byte {offset} ({error.clause})"
    return Asn1Error(text, error.code, path, offset, error.clause, error.reason, error.type_name)


def _inside(target: Element, ty: Type, rules: str, allow: Sequence[str]) -> Element | None:
    """Decodes the encoding inside an element as the given type. Returns None if it contains no encoding."""
    header = target.header
    if header is None:
        return None
    if target.kind == "unknown":
        base, data = header.offset, target._data[header.offset : header.end]
    elif isinstance(target.value, bytes):
        base, data = header.content, target.value
    elif isinstance(target.value, tuple) and target.value[1] == 0:
        base, data = header.content + 1, target.value[0]
    else:
        return None
    try:
        row = ty.row(data, rules, allow)
    except Asn1Error as error:
        raise placed(error, target.path, base) from None
    return Element(row, target._data, base, target)
