"""Charging records by chance, of whatever their module allows, and the forms of BER that a network element may write them in.

Both stand on asn1tools alone: on the tree that its parser makes of the module, and on its codecs.
"""

from __future__ import annotations

import pathlib
import random
from collections.abc import Collection
from typing import Any

import asn1tools

MODULE = pathlib.Path(__file__).with_name("modules") / "gprs.asn1"

#: asn1tools forgets the tag of an ANY, so that it gets types of which one stands there.
INFORMATION = """
Information ::= CHOICE { text UTF8String, number INTEGER, octets OCTET STRING, nothing NULL, list SEQUENCE OF INTEGER }
END
"""

Tree = dict[str, Any]


def text() -> str:
    """The module as asn1tools gets it."""
    own = MODULE.read_text(encoding="utf-8")
    changed = own.replace("ANY DEFINED BY identifier", "EXPLICIT Information")
    assert changed != own and changed.rstrip().endswith("END")
    return changed.rstrip()[: -len("END")] + INFORMATION


class Chance:
    """Values of the types of a module, as asn1tools has them. `met` has the components, alternatives and names of numbers that occurred."""

    def __init__(self, types: dict[str, Tree], seed: int) -> None:
        self.types = types
        self.source = random.Random(seed)
        self.met: set[tuple[str, str]] = set()

    def value(self, ty: Tree, name: str = "", depth: int = 0) -> Any:
        """A value; `name` is that of the type which `ty` is the definition of."""
        kind = ty["type"]
        if kind in self.types:
            return self.value({**self.types[kind], **{key: ty[key] for key in ("size",) if key in ty}}, kind, depth)
        if kind in ("SEQUENCE", "SET"):
            return self._structure(ty, name, depth)
        if kind == "CHOICE":
            member = self.source.choice([one for one in ty["members"] if one])
            return self.alternative(name, member, depth)
        if kind in ("SEQUENCE OF", "SET OF"):
            return [self.value(ty["element"], "", depth + 1) for _ in range(self.source.choice((0, 1, 1, 2, 3)))]
        if kind == "ENUMERATED":
            names = [one[0] for one in ty["values"] if one]
            # Those that did not occur yet come first: an enumeration in a rare component has many.
            chosen = self.source.choice([one for one in names if (name, one) not in self.met] or names)
            self.met.add((name, chosen))
            return chosen
        return self._plain(ty, kind)

    def alternative(self, name: str, member: Tree, depth: int = 0) -> tuple[str, Any]:
        """A value of this alternative of a CHOICE."""
        self.met.add((name, member["name"]))
        return member["name"], self.value(member, "", depth + 1)

    def _structure(self, ty: Tree, name: str, depth: int) -> dict[str, Any]:
        value = {}
        for member in filter(None, ty["members"]):
            may_be_absent = member.get("optional") or "default" in member
            if may_be_absent and self.source.random() > (0.5, 0.5, 0.35)[min(depth, 2)]:
                continue
            made = self.value(member, "", depth + 1)
            if made != member.get("default", value):
                self.met.add((name, member["name"]))
                value[member["name"]] = made
        return value

    def _plain(self, ty: Tree, kind: str) -> Any:
        source = self.source
        if kind == "INTEGER":
            low, high = ty.get("restricted-to", [(-(2**63), 2**63)])[0]
            near = low + source.choice((0, 1, 127, 128, 255, 256, 65536))
            wide = source.getrandbits(source.choice((7, 8, 15, 16, 31, 32, 63)))
            return min(max(source.choice((low, high, near, wide, -wide)), low), high)
        if kind == "BOOLEAN":
            return source.random() < 0.5
        if kind == "NULL":
            return None
        if kind == "OBJECT IDENTIFIER":
            arcs = [source.choice((1, 127, 128, 16384, 2**32)) for _ in range(source.randrange(1, 6))]
            return ".".join(map(str, [source.choice((0, 1)), source.randrange(40), *arcs]))
        if kind == "BIT STRING":
            # Of named bits DER leaves zeros at the end away, and the last bit here is none.
            count = source.randrange(len(ty["named-bits"]) + 1)
            bits = source.getrandbits(count) | 1 if count else 0
            return (bits << -count % 8).to_bytes((count + 7) // 8, "big"), count
        size = ty.get("size", [(0, source.choice((3, 40, 200)))])[0]
        low, high = size if isinstance(size, tuple) else (size, size)
        count = source.choice((low, high, source.randint(low, high)))
        if kind == "OCTET STRING":
            return source.randbytes(count)
        alphabet = "abc.-0 9XYZ" + ("üß€😀" if kind == "UTF8String" else "")
        assert kind in ("IA5String", "UTF8String", "GraphicString"), kind
        return "".join(source.choice(alphabet) for _ in range(count))


def expected(types: dict[str, Tree], name: str = "GPRSRecord", found: set[tuple[str, str]] | None = None) -> set[tuple[str, str]]:
    """Components, alternatives and names of numbers of everything that a type leads to."""
    found = set() if found is None else found
    ty = types[name]
    if ty["type"] == "ENUMERATED":
        found.update((name, one[0]) for one in ty["values"] if one)
    for member in filter(None, ty.get("members", [])):
        if (name, member["name"]) not in found:
            found.add((name, member["name"]))
            inner = member.get("element", member)["type"]
            if inner in types:
                expected(types, inner, found)
    for inner in (ty["type"], ty.get("element", ty)["type"]):
        if inner in types:
            expected(types, inner, found)
    return found


def compiled(codec: str) -> Any:
    """The module, compiled by asn1tools."""
    return asn1tools.compile_string(text(), codec)


def records(count: int, seed: int) -> tuple[list[tuple[str, dict[str, Any]]], set[tuple[str, str]]]:
    """Records by chance, of every alternative in turn, and what occurred in them."""
    (module,) = asn1tools.parse_string(text()).values()
    chance = Chance(module["types"], seed)
    members = [one for one in module["types"]["GPRSRecord"]["members"] if one]
    made = [chance.alternative("GPRSRecord", members[number % len(members)]) for number in range(count)]
    strict = compiled("der")
    return [ordered(strict, record) for record in made], expected(module["types"]) - chance.met


def ordered(strict: Any, record: tuple[str, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """The record with its only SET OF, which has no order of its own, in the order of DER."""
    record[1].get("recordExtensions", []).sort(key=lambda one: bytes(strict.encode("ManagementExtension", one)))
    return record


def header(data: bytes, at: int) -> tuple[bytes, int, int]:
    """The octets of the tag at an offset, where the content begins and where it ends, of a definite length."""
    end = at + 1
    if data[at] & 0x1F == 0x1F:
        while data[end] & 0x80:
            end += 1
        end += 1
    first, begin = data[end], end + 1
    if first < 0x80:
        return data[at:end], begin, begin + first
    begin += first & 0x7F
    return data[at:end], begin, begin + int.from_bytes(data[end + 1 : begin], "big")


def length(count: int, octets: int = 0) -> bytes:
    """A length: as short as it can be, or in the long form with so many octets more than it needs."""
    needed = (count.bit_length() + 7) // 8
    if count < 0x80 and octets == 0:
        return bytes([count])
    size = max(needed, 1) + octets - (octets > 0)
    return bytes([0x80 | size]) + count.to_bytes(size, "big")


def loosened(data: bytes, source: random.Random, strings: Collection[int] = (), base: int = 0) -> bytes:
    """The same values in other forms: lengths that are indefinite or longer than they need be, and strings in segments where an OCTET
    STRING stands at one of these offsets."""
    out, at = b"", 0
    while at < len(data):
        tag, begin, end = header(data, at)
        content, constructed = data[begin:end], bool(tag[0] & 0x20)
        if constructed:
            content = loosened(content, source, strings, base + begin)
        elif base + at in strings and source.random() < 0.5:
            cut = source.randint(0, len(content))
            content = b"".join(b"\4" + length(len(part)) + part for part in (content[:cut], content[cut:]))
            tag, constructed = bytes([tag[0] | 0x20]) + tag[1:], True
        form = source.choice(("short", "long", "longer", "indefinite" if constructed else "short"))
        if form == "indefinite":
            out += tag + b"\x80" + content + b"\0\0"
        else:
            out += tag + length(len(content), ("short", "long", "longer").index(form)) + content
        at = end
    return out
