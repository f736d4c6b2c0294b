"""Types that are declared as classes."""

from __future__ import annotations

import copy
import datetime
import io
import pickle
from collections.abc import Iterator
from decimal import Decimal
from enum import IntEnum
from typing import Annotated, Any

import pytest

from tagwise import Asn1Error, asn1

from .generated import sample


class Colour(IntEnum):
    RED = 0
    DARK_GREEN = 3


@asn1.sequence
class Point:
    x: Annotated[int, asn1.between(0, 100)]
    y: Annotated[int, asn1.default(7)]
    name: str | None = None


class Shape(asn1.Choice):
    point: Point
    path: Annotated[list[Point], asn1.implicit(30)]
    nothing: asn1.Null
    again: Annotated[Shape, asn1.explicit(31)]


class Everything(asn1.Sequence):
    flag: bool = False
    octets: bytes
    colour: Annotated[Colour, asn1.extensible] = Colour.DARK_GREEN
    oid: asn1.Oid = "1.2.3"
    bits: asn1.BitString | None = None
    empty: Annotated[asn1.Null, asn1.implicit(20)] | None = None
    when: datetime.datetime
    short: Annotated[datetime.datetime, asn1.kind("UTCTime"), asn1.implicit(1)] | None = None
    exact: Annotated[asn1.GeneralizedTime, asn1.implicit(2)] | None = None
    texts: Annotated[list[Annotated[str, asn1.size(1, 5)]], asn1.size(0, 3), asn1.implicit(10)] = []
    numbers: Annotated[list[int], asn1.set_of, asn1.implicit(3)] | None = None
    letters: Annotated[asn1.PrintableString, asn1.alphabet("abc"), asn1.application(4)] | None = None
    own: Annotated[bool, asn1.private(5, explicit=True)] | None = None
    shape: Shape
    class_: Annotated[asn1.IA5String, asn1.named("klass"), asn1.implicit(6)] | None = None
    tree: Annotated[Everything, asn1.implicit(7)] | None = None
    rest: Annotated[asn1.Any, asn1.explicit(8)] | None = None


@asn1.set(tag=asn1.application(3), extensible=True)
class Unordered:
    b: Annotated[int, asn1.implicit(2)]
    a: Annotated[str, asn1.implicit(1)]


class Automatic(asn1.Sequence, tags="automatic"):
    a: int
    b: int | None = None
    shape: Shape | None = None


class Attribute(asn1.Sequence):
    type: asn1.Oid
    value: Annotated[Any, asn1.defined_by("type", {"1.2.1": Point, "1.2.2": int, "1.2.3": list[Colour]})]


class Extension(asn1.Sequence):
    number: int
    value: Annotated[Any, asn1.defined_by("number", {1: Point, 2: Annotated[str, asn1.size(2)]}, octets=True)]


def everything(**more: Any) -> Everything:
    return Everything(
        octets=b"\x01",
        when=datetime.datetime(2026, 1, 2, 3, 4, 5, 250_000, tzinfo=datetime.timezone.utc),
        shape=Shape(path=[Point(x=1), Point(x=2, y=3, name="p")]),
        **more,
    )


FULL: dict[str, Any] = {
    "flag": True,
    "colour": Colour.RED,
    "oid": "2.5.4.3",
    "bits": (b"\xa0", 5),
    "empty": True,
    "short": datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc),
    "exact": Decimal("1.25"),
    "texts": ["a", "bcdef"],
    "numbers": [3, 1, 2],
    "letters": "abba",
    "own": True,
    "class_": "k",
    "tree": everything(colour=5),
    "rest": b"\x05\x00",
}


def test_as_the_issue_has_it() -> None:
    assert asn1.encode(Point(x=1)).hex() == "3003020101"
    point = asn1.decode(Point, bytes.fromhex("3003020105"))
    assert (point.x, point.y, point.name) == (5, 7, None)
    assert repr(point) == "Point(x=5, y=7, name=None)" and point == Point(x=5, y=7) and point != Point(x=6)
    text = "Point ::= SEQUENCE {\n  x INTEGER (0..100),\n  y INTEGER DEFAULT 7,\n  name UTF8String OPTIONAL\n}"
    assert text in asn1.notation(Point)
    # The same type as a compiled one.
    compiled = asn1.compile_text(f"M DEFINITIONS ::= BEGIN {text} END")["Point"]
    assert compiled.decode(asn1.encode(point)) == {"x": 5, "y": 7} == asn1.type_of(Point).decode(asn1.encode(point))


class Timed(asn1.Sequence):
    moment: datetime.datetime
    number: asn1.GeneralizedTime


def test_times_are_as_the_annotations_say_and_moments_by_type() -> None:
    moment = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    value = Timed(moment=moment, number=1767323045)
    assert Timed.decode(value.encode()) == value
    assert asn1.type_of(Timed).decode(value.encode()) == {"moment": moment, "number": moment}


@pytest.mark.parametrize("rules", ["DER", "CER", "BER"])
def test_there_and_back(rules: str) -> None:
    for value in (everything(), everything(**FULL)):
        encoded = value.encode(rules=rules)
        again = Everything.decode(encoded, rules=rules)
        expected = copy.deepcopy(value)
        if expected.numbers is not None and rules != "BER":
            expected.numbers = sorted(expected.numbers)
        if again.numbers is not None:
            again.numbers = sorted(again.numbers)
            expected.numbers = sorted(expected.numbers or [])
        assert again == expected
        assert again.encode() == value.encode()
    assert Everything.decode(everything(**FULL).encode()).colour is Colour.RED


def test_kept_and_copied() -> None:
    value = everything(**FULL)
    for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert other == value and other.encode() == value.encode() and type(other) is Everything
    made = sample.Label(text="kept")
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert pickle.loads(pickle.dumps(asn1.type_of(Point))) == asn1.type_of(Point)
    codec = sample.Numbers._codec()
    assert pickle.loads(pickle.dumps(codec)).name == codec.name
    assert asn1.type_of(sample.Label).encode(made.to_value()) == made.encode()


def test_json() -> None:
    value = everything(**FULL)
    text = asn1.to_json(value)
    assert '"klass":"k"' in text
    again = asn1.from_json(Everything, text)
    assert again.encode() == value.encode()
    assert asn1.to_json(sample.Label(text="kept")) == '{"text":"kept"}'
    assert asn1.from_json(sample.Label, '{"text":"kept"}').encode() == sample.Label(text="kept").encode()


def test_choices() -> None:
    shape = Shape(point=Point(x=1))
    assert (asn1.which(shape), shape.point.x, hasattr(shape, "path"), repr(shape)) == (
        "point",
        1,
        False,
        "Shape(point=Point(x=1, y=7, name=None))",
    )
    for value in (shape, Shape(path=[]), Shape(nothing=True), Shape(again=Shape(again=shape))):
        assert Shape.decode(value.encode()) == value
        assert pickle.loads(pickle.dumps(value)) == value
    assert Shape(nothing=True).encode() == b"\x05\x00" and Shape(nothing=True) != shape
    for wrong in ({}, {"point": Point(x=1), "path": []}, {"other": 1}):
        with pytest.raises(TypeError):
            Shape(**wrong)


def test_tags_and_sets() -> None:
    assert Unordered(b=1, a="x").encode().hex() == "6306" + "810178" + "820101"
    assert Unordered.decode(bytes.fromhex("6306" + "820101" + "810178"), rules="BER") == Unordered(b=1, a="x")
    # An addition of a later version.
    later = Unordered.decode(bytes.fromhex("6309810178820101830101"))
    assert (later.a, later.b, later.additions) == ("x", 1, (b"\x83\x01\x01",)) and later != Unordered(b=1, a="x")
    assert later.encode().hex() == "6309810178820101830101"
    value = Automatic(a=1, shape=Shape(nothing=True))
    assert value.encode().hex() == "3007" + "800101" + "a2020500" and Automatic.decode(value.encode()) == value


def test_defined_by() -> None:
    for value in (Point(x=3), Point(x=3, name="n")):
        attribute = Attribute(type="1.2.1", value=value)
        assert Attribute.decode(attribute.encode()) == attribute
        extension = Extension(number=1, value=value)
        assert Extension.decode(extension.encode()) == extension
    assert Attribute.decode(Attribute(type="1.2.2", value=5).encode()).value == 5
    assert Attribute.decode(Attribute(type="1.2.3", value=[Colour.RED]).encode()).value == [Colour.RED]
    unknown = Attribute(type="1.2.9", value=b"\x05\x00")
    assert Attribute.decode(unknown.encode()) == unknown
    assert Extension(number=2, value="ab").encode().hex() == "3009" + "020102" + "0404" + "0c026162"
    with pytest.raises(ValueError):
        Extension(number=2, value="abc").encode()
    with pytest.raises(Asn1Error) as caught:
        Attribute.decode(bytes.fromhex("3009" + "06022a01" + "3003020165"))
    assert caught.value.path == "value.x"


def test_hints_that_are_no_classes() -> None:
    small = asn1.of(list[Annotated[int, asn1.between(0, 9)]])
    assert small.decode(small.encode([1, 2])) == [1, 2]
    with pytest.raises(ValueError):
        small.encode([10])
    points = asn1.of(list[Point])
    assert points.decode(points.encode([Point(x=1)])) == [Point(x=1)]
    assert asn1.type_of(points).decode(points.encode([Point(x=1)])) == [{"x": 1, "y": 7}]
    assert asn1.of(Colour).decode(b"\x0a\x01\x03") is Colour.DARK_GREEN
    octets = asn1.of(Annotated[bytes, asn1.constrained("SIZE (1 | 3)"), asn1.application(1, explicit=True)])
    assert octets.encode(b"a").hex() == "6103040161"
    with pytest.raises(ValueError):
        octets.encode(b"ab")


def test_classes_inside_of_functions() -> None:
    class Inner(asn1.Sequence):
        number: int
        next: Inner | None = None

    @asn1.sequence
    class Outer:
        inner: Inner

    assert asn1.decode(Outer, asn1.encode(Outer(inner=Inner(number=1, next=Inner(number=2))))).inner.next == Inner(number=2)


def test_inheritance() -> None:
    class Base(asn1.Sequence):
        a: int

    class Derived(Base):
        b: int

        def total(self) -> int:
            return self.a + self.b

    assert Derived(a=1, b=2).encode().hex() == "3006020101020102" and Derived(a=1, b=2).total() == 3
    assert Derived.decode(Derived(a=1, b=2).encode()) == Derived(a=1, b=2) != Base(a=1)


def test_what_is_wrong() -> None:
    with pytest.raises(TypeError, match="lacks `x`"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no component `z`"):
        Point(x=1, z=2)  # type: ignore[call-arg]
    with pytest.raises(Asn1Error, match="^x:"):
        asn1.encode(Point(x=101))
    with pytest.raises(Asn1Error) as caught:
        asn1.decode(Point, b"\x30\x03\x02\x01\x65")
    assert (caught.value.path, caught.value.offset, caught.value.type_name) == ("x", 2, "INTEGER")
    point = Point(x=1)
    point.x = None  # type: ignore[assignment]
    with pytest.raises(ValueError, match="`x` is missing"):
        asn1.encode(point)
    with pytest.raises(ValueError, match="time zone"):
        everything(short=datetime.datetime(2026, 1, 1)).encode()

    class Odd(asn1.Sequence):
        what: complex

    class Named(asn1.Sequence):
        Upper: int

    class Taken(asn1.Sequence):
        encode: int  # type: ignore[assignment]

    class Lost(asn1.Sequence):
        value: Annotated[Any, asn1.defined_by("type", {})]

    class Ambiguous(asn1.Sequence):
        a: int | None = None
        b: int | None = None

    for wrong in (Odd, Named, Taken, Lost):
        with pytest.raises(TypeError):
            wrong.decode(b"\x30\x00")
    with pytest.raises(ValueError, match="Ambiguous"):
        Ambiguous.decode(b"\x30\x00")
    for what in (17, Colour, "x"):
        with pytest.raises(TypeError):
            asn1.decode(what, b"")  # type: ignore[arg-type]


def test_streams_of_declared_classes() -> None:
    class Big(asn1.Sequence):
        points: list[Point]

    def many() -> Iterator[Point]:
        return (Point(x=number % 100) for number in range(1000))

    file = io.BytesIO()
    asn1.write(Big(points=many), file)  # type: ignore[arg-type]
    assert Big.decode(file.getvalue()) == Big(points=list(many()))
    assert [Point.from_value(one) for _, one in asn1.type_of(Big).items(file.getvalue(), "points")] == list(many())
    root = asn1.type_of(Big).inspect(file.getvalue())
    assert root["points[999].x"].value == 99
