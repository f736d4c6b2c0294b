"""Types declared as annotated classes."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar, overload

from tagwise import generated as _g
from tagwise._data import shown
from tagwise.asn1._marks import Tagging
from tagwise.asn1._notation import MISSING, Component, Module
from tagwise.asn1._schema import Type, compiled
from tagwise.asn1._unknown import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from tagwise import _kinds
    from typing_extensions import dataclass_transform
elif sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Callable[[Any], Any]:
        return lambda cls: cls


T = TypeVar("T")
D = TypeVar("D", bound="_Declared")

_LOCK = threading.RLock()


class Options:
    """The options of a declared class."""

    def __init__(self, word: str, tag: Tagging | None, extensible: bool, automatic: bool) -> None:
        self.word = word
        self.tag = tag
        self.extensible = extensible
        self.automatic = automatic


def _scope_of(frame: types.FrameType) -> Mapping[str, Any]:
    """Returns the names that annotations in a frame may use: in a module, also names that are defined later; in a
    function, only the current ones."""
    return frame.f_locals if frame.f_locals is frame.f_globals else dict(frame.f_locals)


class _Declared(_g.Structure):
    """The base of all declared classes."""

    _asn1: ClassVar[Options]
    _word: ClassVar[str] = ""
    _scope: ClassVar[Mapping[str, Any]] = {}
    _parts: ClassVar[tuple[type, list[Component]] | None] = None

    def __init_subclass__(
        cls, *, tag: Tagging | None = None, extensible: bool = False, tags: str = "explicit", **more: Any
    ) -> None:
        super().__init_subclass__(**more)
        if tags not in ("explicit", "automatic"):
            raise ValueError("tags are explicit or automatic")
        if cls._word:
            cls._asn1 = Options(cls._word, tag, extensible, tags == "automatic")
        if "_scope" not in cls.__dict__:
            cls._scope = _scope_of(sys._getframe(1))

    @classmethod
    def _components(cls) -> list[Component]:
        """Returns the components. They are determined on first use, because annotations may name classes that are defined later."""
        known = cls.__dict__.get("_parts")
        if known is None:
            with _LOCK:
                known = (cls, Module().components(cls))
                cls._parts = known
        components: list[Component] = known[1]
        return components

    @classmethod
    def _codec(cls) -> _g.Type:
        found = cls.__dict__.get("_type")
        if found is None:
            with _LOCK:
                module = Module()
                name = module.reference(cls)
                found = cls._type = _g.Type(_g.Modules(((cls.__name__, module.text()),), (), moments=False), f"Declared.{name}")
        return found


@dataclass_transform(kw_only_default=True)
class _Components(_Declared):
    if TYPE_CHECKING:
        #: The encodings of components that a later version of the type added, if the class is `extensible`.
        additions: tuple[bytes | Unknown, ...]
    else:
        additions = ()

    def __init__(self, **values: Any) -> None:
        for component in self._components():
            if component.attribute in values:
                value = values.pop(component.attribute)
            elif component.default is not MISSING:
                value = _fresh(component.default)
            elif component.optional:
                value = None
            else:
                raise TypeError(f"{type(self).__name__} lacks `{component.attribute}`")
            setattr(self, component.attribute, value)
        if self._asn1.extensible and "additions" in values:
            _add(self, values.pop("additions"))
        for name in values:
            raise TypeError(f"{type(self).__name__} has no component `{name}`")

    @classmethod
    def from_value(cls: type[D], value: Mapping[str, Any]) -> D:
        components = cls._components()
        known = {component.attribute: value.get(component.name) for component in components}
        arguments: dict[str, Any] = {}
        for component in components:
            if component.name in value:
                conversion = _conversion(component, known)
                inner = value[component.name]
                arguments[component.attribute] = inner if conversion is None else conversion.load(inner)
        if _g.ADDITIONS in value:
            arguments["additions"] = value[_g.ADDITIONS]
        return cls(**arguments)

    def to_value(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for component in self._components():
            inner = getattr(self, component.attribute)
            if inner is None:
                if not component.optional and component.default is MISSING:
                    raise ValueError(f"the component `{component.name}` is missing")
                continue
            if component.conversion is _g.PRESENT and not inner:
                continue
            conversion = _conversion(component, self.__dict__)
            found[component.name] = inner if conversion is None else conversion.dump(inner)
        if self.additions:
            found[_g.ADDITIONS] = list(self.additions)
        return found

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [f"{one.attribute}={shown(getattr(self, one.attribute, None))}" for one in self._components()]
        if self.additions:
            parts.append(f"additions={self.additions!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


def _add(value: Any, additions: Any) -> None:
    """Sets an object's extension additions. An object without additions uses the class attribute, which is empty."""
    if additions:
        value.__dict__["additions"] = tuple(additions)


def _fresh(value: Any) -> Any:
    return list(value) if isinstance(value, list) else value


def _conversion(component: Component, values: Mapping[str, Any]) -> Any:
    """Returns the conversion for a component's value. If another component selects the type, its value in `values`
    determines the conversion."""
    if component.defined is None:
        return component.conversion
    return _Kept(component.conversions.get(values.get(component.defined.by)))


class _Kept:
    """A conversion for values that may also be passed as encodings."""

    def __init__(self, conversion: Any) -> None:
        self._conversion = conversion

    def load(self, value: Any) -> Any:
        return value if self._conversion is None or isinstance(value, bytes) else self._conversion.load(value)

    def dump(self, value: Any) -> Any:
        return value if self._conversion is None or isinstance(value, bytes) else self._conversion.dump(value)


class Sequence(_Components):
    """A SEQUENCE: its components are the annotated attributes of a derived class.

    >>> from tagwise import asn1
    >>> class Point(asn1.Sequence):
    ...     x: int
    ...     y: int = 7
    ...     name: "str | None" = None
    >>> Point(x=1).encode().hex(), Point.decode(b"\\x30\\x03\\x02\\x01\\x05")
    ('3003020101', Point(x=5, y=7, name=None))
    """

    _word = "SEQUENCE"


class Set(_Components):
    """A SET; see `Sequence`."""

    _word = "SET"


class Choice(_Declared):
    """A CHOICE: its alternatives are the annotated attributes. An object has exactly one of them.

    >>> from tagwise import asn1
    >>> class Shape(asn1.Choice):
    ...     number: int
    ...     text: str
    >>> shape = Shape.decode(b"\\x0c\\x02hi")
    >>> shape, asn1.which(shape), shape.text, hasattr(shape, "number")
    (Shape(text='hi'), 'text', 'hi', False)

    An `extensible` choice keeps an alternative that a later version of the type added: its encoding is
    `additions[0]`, and `which` returns `"additions"`.
    """

    _word = "CHOICE"

    def __init__(self, **alternative: Any) -> None:
        if len(alternative) != 1:
            raise TypeError(f"{type(self).__name__} is one of its alternatives")
        ((name, value),) = alternative.items()
        if name == "additions" and self._asn1.extensible:
            (encoding,) = value
            value = (encoding if isinstance(encoding, Unknown) else bytes(encoding),)
        elif not any(component.attribute == name for component in self._components()):
            raise TypeError(f"{type(self).__name__} has no alternative `{name}`")
        self.__dict__[name] = value

    @classmethod
    def from_value(cls: type[D], value: object) -> D:
        """Creates an object from a plain value."""
        if isinstance(value, (bytes, Unknown)):
            unknown: dict[str, Any] = {"additions": (value,)}
            return cls(**unknown)
        pair: Any = value
        name, inner = pair
        for component in cls._components():
            if component.name == name:
                conversion = component.conversion
                return cls(**{component.attribute: inner if conversion is None else conversion.load(inner)})
        raise ValueError(f"{cls.__name__} has no alternative `{name}`")

    def to_value(self) -> Any:
        """Converts the object to a plain value."""
        ((attribute, inner),) = self.__dict__.items()
        if attribute == "additions":
            return inner[0]
        for component in self._components():
            if component.attribute == attribute:
                conversion = component.conversion
                return (component.name, inner if conversion is None else conversion.dump(inner))
        raise ValueError(f"{type(self).__name__} has no alternative `{attribute}`")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        ((name, value),) = self.__dict__.items()
        return f"{type(self).__name__}({name}={shown(value)})"


def which(value: Choice) -> str:
    """Returns the attribute name of the chosen alternative of a CHOICE, or `"additions"` for an unknown one."""
    (name,) = value.__dict__
    return name


def _made(cls: type, base: type, scope: Mapping[str, Any], options: dict[str, Any]) -> Any:
    if issubclass(cls, _Declared):
        raise TypeError(f"{cls.__name__} is declared already")
    names = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    names["_scope"] = scope
    bases = tuple(one for one in cls.__bases__ if one is not object)
    return type(base)(cls.__name__, (base, *bases), names, **options)


def _decorator(base: type, cls: Any, options: dict[str, Any]) -> Any:
    scope = _scope_of(sys._getframe(2))
    if cls is not None:
        return _made(cls, base, scope, options)

    def later(cls: type) -> Any:
        return _made(cls, base, scope, options)

    return later


@overload
def sequence(cls: type[T], /) -> type[T]: ...
@overload
def sequence(
    *, tag: Tagging | None = ..., extensible: bool = ..., tags: str = ...
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(kw_only_default=True)
def sequence(cls: object = None, /, **options: Any) -> Any:
    """Declares a class as a SEQUENCE. `tag` is its own tag. `extensible` sets an extension marker at its end;
    `additions` then contains the encodings of components that a later version added. `tags="automatic"`
    numbers components whose annotations have no tags.

    >>> from typing import Annotated
    >>> from tagwise import asn1
    >>> @asn1.sequence
    ... class Point:
    ...     x: int
    ...     y: Annotated[int, asn1.default(7)]
    >>> asn1.encode(Point(x=1)).hex(), asn1.decode(Point, b"\\x30\\x03\\x02\\x01\\x05")
    ('3003020101', Point(x=5, y=7))
    """
    return _decorator(Sequence, cls, options)


@overload
def set_(cls: type[T], /) -> type[T]: ...
@overload
def set_(*, tag: Tagging | None = ..., extensible: bool = ..., tags: str = ...) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(kw_only_default=True)
def set_(cls: object = None, /, **options: Any) -> Any:
    """Declares a class as a SET; see `sequence`."""
    return _decorator(Set, cls, options)


@overload
def choice(cls: type[T], /) -> type[T]: ...
@overload
def choice(*, tag: Tagging | None = ..., extensible: bool = ..., tags: str = ...) -> Callable[[type[T]], type[T]]: ...
def choice(cls: object = None, /, **options: Any) -> Any:
    """Declares a class as a CHOICE; see `Choice`."""
    return _decorator(Choice, cls, options)


class Hinted(_g.Codec[Any]):
    """A type given by an annotation that is not a class: a list, a number or a text."""

    def __init__(self, hint: object) -> None:
        module = Module()
        spec = module.spec(hint)
        text = module.text(spec.notation)
        super().__init__(_g.Type(_g.Modules((("annotation", text),), (), moments=False), "Declared.ROOT"), spec.conversion)


def of(hint: object) -> _g.Codec[Any]:
    """Returns the type of an annotation, for decoding and encoding.

    >>> from typing import Annotated
    >>> from tagwise import asn1
    >>> small = asn1.of(list[Annotated[int, asn1.between(0, 9)]])
    >>> small.decode(small.encode([1, 2]))
    [1, 2]
    """
    return Hinted(hint)


def type_of(what: object) -> Type:
    """Returns the `Type` of a declared class, of a class or codec of a generated module, or of an annotation."""
    if isinstance(what, Type):
        return what
    if isinstance(what, type) and issubclass(what, _g.Structure):
        found = what._codec()
    elif isinstance(what, _g.Codec):
        found = what._type
    else:
        found = of(what)._type
    # Types have times as `datetime` objects, whatever the annotations of a declared class are.
    schema = found.modules.schema if found.modules.moments else None
    return Type(compiled(*found.modules.parts, schema), found.name)


def notation(cls: object) -> str:
    """Returns the ASN.1 module for a declared class or an annotation."""
    module = Module()
    return module.text(module.spec(cls).notation)


def decode(what: type[T], data: _kinds.Buffer, *, rules: str = "DER", allow: Iterable[str] = ()) -> T:
    """Decodes an object of a declared or generated class."""
    if not (isinstance(what, type) and issubclass(what, _g.Structure)):
        raise TypeError("objects are decoded of declared and generated classes")
    found: Any = what.decode(data, rules=rules, allow=tuple(allow))
    return found  # type: ignore[no-any-return]


def encode(value: object, *, rules: str = "DER") -> bytes:
    """Encodes an object of a declared or generated class."""
    if not isinstance(value, _g.Structure):
        raise TypeError("objects of declared and generated classes are encoded")
    return value.encode(rules=rules)


def to_json(value: object) -> str:
    """Converts an object of a declared or generated class to JSON, with the JSON Encoding Rules (X.697)."""
    return type_of(type(value)).to_json(encode(value))


def from_json(what: type[T], text: str) -> T:
    """Creates an object of a declared or generated class from JSON."""
    return decode(what, type_of(what).from_json(text))


def write(value: _g.Structure, file: IO[bytes], *, rules: str = "DER") -> int:
    """Writes the encoding of an object to a file, in pieces: see `Type.write`."""
    return type_of(type(value)).write(value.to_value(), file, rules=rules)
