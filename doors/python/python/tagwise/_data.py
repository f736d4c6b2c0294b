"""Base classes for plain data: comparison, hash and text form, derived from the fields."""

from __future__ import annotations

import enum
from operator import attrgetter
from collections.abc import Callable, Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Generic, SupportsIndex, TypeVar, cast, overload
else:
    from tagwise._typing import Generic, TypeVar, cast, overload

T = TypeVar("T")


def frozen(value: Any) -> Any:
    """Returns a hashable copy of a value."""
    return tuple(value) if isinstance(value, list) else value


#: The maximum size of an integer that is shown in decimal, in bits. The conversion takes quadratic time.
_DECIMAL_BITS = 1 << 17


def number_text(number: int) -> str:
    """Formats an integer in decimal, regardless of CPython's limit on digits (`sys.set_int_max_str_digits`), or in
    hexadecimal if it has more than 131,072 bits."""
    try:
        return str(number)
    except ValueError:
        # Its import takes longer than that of the rest of this module.
        from decimal import Decimal

        return str(Decimal(number)) if number.bit_length() <= _DECIMAL_BITS else hex(number)


def shown(value: object) -> str:
    """Returns the `repr` of a value. It never raises, because the `repr` of objects read from untrusted input must not."""
    if type(value) is int:
        return number_text(value)
    if type(value) is list:
        return f"[{', '.join(map(shown, value))}]"
    if type(value) is tuple and len(value) > 1:
        return f"({', '.join(map(shown, value))})"
    try:
        return repr(value)
    except Exception as error:
        return f"<{type(value).__name__} unreadable: {error}>"


def plainly(value: object) -> str:
    """Formats a value for its container's `repr`, with addresses and times in their usual notation."""
    if isinstance(value, (str, bytes, list)) or type(value) is int:
        return shown(value)
    try:
        return str(value)
    except Exception as error:
        return f"<{type(value).__name__} unreadable: {error}>"


class Plain:
    """A text whose `repr` is the text itself."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def field(get: Callable[[], object]) -> str:
    """Returns the `repr` of a field, or the reason why the field cannot be read."""
    try:
        return shown(get())
    except Exception as error:
        return f"<unreadable: {error}>"


def hexadecimal(get: Callable[[], int]) -> str:
    """Returns the text form of a serial number."""
    return field(lambda: Plain(hex(get())))


def moment(get: Callable[[], object]) -> str:
    """Returns the text form of a time, or None."""
    return field(lambda: Plain(str(get())))


class Data:
    """A value with immutable fields. `_fields` contains the field names, which are properties or attributes with a leading
    `_`."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def _values(self) -> tuple[Any, ...]:
        return tuple(frozen(getattr(self, "_" + name)) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={plainly(getattr(self, '_' + name, None))}" for name in self._fields)
        return f"<{type(self).__name__}({fields})>"


if TYPE_CHECKING:

    class Part(Generic[T]):
        """A field of a described class."""

        component: str

        @overload
        def __get__(self, instance: None, owner: type) -> property: ...

        @overload
        def __get__(self, instance: object, owner: type) -> T: ...

        def __get__(self, instance: object | None, owner: type) -> T | property:
            raise NotImplementedError

    def part(component: str, doc: str, get: Callable[[Any], object] | None = None) -> Any:
        raise NotImplementedError
else:

    class Part(property, Generic):
        """A property that returns the attribute with a leading `_`, and records its ASN.1 component."""

        def __init__(self, component, doc, get=None):
            self.component, self.get, self.text = component, get, doc

        def __set_name__(self, owner, name):
            super().__init__(self.get or attrgetter("_" + name))
            # That of the class hides what the base class would keep.
            self.__doc__ = self.text

    def part(component, doc, get=None):
        return Part(component, doc, get)


part.__doc__ = """A field: the component or named bit of the ASN.1 type (`outer.alternative` in a CHOICE; empty if it is all of the value)."""


class Described(Data):
    """A value of an ASN.1 type that is read and written as its class declares: `part` names the ASN.1 component of each field."""

    __slots__ = ()
    #: The name of the ASN.1 type, or of the alternative of a CHOICE, if it differs from the class name.
    _asn1: ClassVar[str] = ""
    #: The fields that `_check` checks. A decoded value is checked only if one of them is neither None nor False. If empty, every value is
    #: checked.
    _checked: ClassVar[tuple[str, ...]] = ()
    #: The component of each field that is not a `part`. By default, such a field is the entire value, like the list of a `Listed`.
    _components: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls) -> None:
        own = vars(cls)
        parts = {name: value.component for name, value in own.items() if isinstance(value, Part)}
        if parts:
            cls._fields = (*own.get("_components", ()), *parts)
        cls._components = {name: cls._components.get(name, "") for name in cls._fields} | parts
        cls._asn1 = own.get("_asn1", cls.__name__)


class Listed(Data, Generic[T]):
    """A value that is a list of other values."""

    __slots__ = ()

    def _items(self) -> list[T]:
        items: list[T] = getattr(self, "_" + self._fields[0])
        return items

    def __len__(self) -> int:
        return len(self._items())

    def __iter__(self) -> Iterator[T]:
        return iter(self._items())

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> T | list[T]:
        return self._items()[index]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}({shown(self._items())})>"


class Enum(enum.Enum):
    """An enumeration whose text form includes its class name, as in `cryptography`."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


#: Attributes that a class statement adds to a class.
_OF_STATEMENTS = frozenset(
    (
        *("__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__conditional_annotations__"),
        *("__dict__", "__firstlineno__", "__module__", "__slots__", "__static_attributes__", "__weakref__", "_abc_impl"),
    )
)


class Native:
    """The base of classes that are replaced by native classes."""

    __slots__ = ()


def native(target: type) -> Callable[[T], T]:
    """Adds the attributes of a Python class to a native class, and replaces the Python class with it.

    Creating objects of a class derived from a native class would take twice as long. Attributes of the native class
    take precedence over inherited ones.
    """

    def grown(written: T) -> T:
        bases = cast("type", written).__mro__[:-1]
        found: dict[str, Any] = {}
        for base in reversed(bases):
            found |= {name: value for name, value in vars(base).items() if name not in _OF_STATEMENTS}
        own = vars(written)
        for name, value in found.items():
            if name in own or name not in vars(target):
                setattr(target, name, value)
        return cast("T", target)

    return grown


def all_of(items: Iterable[Any], kind: type[T] | tuple[type, ...], message: str) -> list[T]:
    """Returns the items as a list. Raises `TypeError` unless all are of the given kind."""
    listed = list(items)
    if not all(isinstance(item, kind) for item in listed):
        raise TypeError(message)
    return listed
