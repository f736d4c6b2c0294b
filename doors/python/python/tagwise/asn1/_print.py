"""Elements as readable text: offset, lengths, form, name, type and value, optionally with colors."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping

from tagwise import _native
from tagwise._data import number_text, plainly
from tagwise.asn1 import _paths
from tagwise.asn1._element import Element, Header

_COLOURS = {"offset": "36", "name": "1", "type": "35", "value": "32", "note": "33"}


def oid_name(dotted: str, names: Mapping[str, str] | None = None) -> str | None:
    """Returns the name of an object identifier, from the caller's names or from Tagwise's.

    >>> oid_name("2.5.4.3"), oid_name("2.999.1", {"2.999.1": "mine"}), oid_name("2.999.2")
    ('commonName', 'mine', None)
    """
    if names is not None and dotted in names:
        return names[dotted]
    try:
        known = _native.oid_names(dotted)
    except ValueError:
        return None
    return None if known is None else known[0]


def visible(text: str) -> str:
    """Escapes the characters in a text that move the cursor or hide others."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def _octets(data: bytes, limit: int) -> str:
    shown = data[:limit].hex()
    return f"{shown}… ({len(data)} bytes)" if len(data) > limit else shown


def text_of(element: Element, oids: Mapping[str, str] | None = None, octets: int = 32) -> str:
    """Formats the value of a primitive element on one line."""
    value = element.value
    label = element.label
    if isinstance(value, bool) or value is None:
        return {True: "TRUE", False: "FALSE", None: "NULL"}[value]
    if isinstance(value, int):
        text = number_text(value)
        return f"{label} ({text})" if label else text
    if isinstance(value, bytes):
        return _octets(value, octets)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], bytes):
        bits = f"{_octets(value[0], octets)} ({len(value[0]) * 8 - value[1]} bits)"
        return f"{bits} {{{label}}}" if label else bits
    if isinstance(value, str):
        name = oid_name(value, oids) if value[:1].isdigit() and "." in value else None
        return f"{visible(value)} ({visible(name)})" if name else visible(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return visible(plainly(value))


def _numbers(header: Header | None) -> str:
    if header is None:
        return " " * 21
    length = f"{header.vlen}{'∞' if header.indefinite else ''}"
    return f"{header.offset:>7} [{header.tlen},{header.llen},{length:>7}]"


def line(element: Element, depth: int, oids: Mapping[str, str] | None, octets: int, paint: Callable[[str, str], str]) -> str:
    """Formats the line of one element."""
    notes = []
    if element.ber:
        notes.append("BER")
    if element.kind == "default":
        notes.append("DEFAULT")
    # Tags around a CHOICE are said there, and not again at its alternative.
    said = len(element.outer.explicit) if element.outer is not None and element.outer.kind == "choice" else 0
    tags = "".join(f"{header.tag} EXPLICIT " for header in element.explicit[said:])
    steps = element.steps
    name = element.name or (steps[-1] if steps else ".")
    tag, kind = element.tag, element.type_name
    if tag is not None and tag.tag_class != 0 and kind != str(tag) and element.kind != "choice":
        tags += f"{tag} "
    if element.kind == "items" and kind in ("SEQUENCE", "SET") and element.children and element.children[0].name is None:
        kind += " OF"
    text = f"{paint('offset', _numbers(element.header))} {'  ' * depth}{paint('name', visible(name))}"
    if kind:
        text += f" {tags}{paint('type', visible(kind))}"
    elif tags:
        text += f" {tags.rstrip()}"
    if element.kind in ("leaf", "unknown", "default") and element.defined is None:
        text += f" {paint('value', text_of(element, oids, octets))}"
    elif element.kind in ("items", "additions"):
        text += f" {paint('note', str(len(element)))}"
    return text + "".join(f" {paint('note', note)}" for note in notes)


def pprint(
    element: Element,
    *,
    colours: bool = False,
    oids: Mapping[str, str] | None = None,
    octets: int = 32,
    only: str | None = None,
) -> str:
    """Formats an element and its descendants, one line each: offset, lengths of tag, length and content (`∞` marks an
    indefinite length), name, type and value. `oids` contains additional names of object identifiers. `only` is
    a pattern for the paths to show."""
    def paint(role: str, text: str) -> str:
        return f"\x1b[{_COLOURS[role]}m{text}\x1b[0m" if colours else text

    wanted = None if only is None else _paths.steps(only)
    lines = []
    waiting = [(element, 0)]
    while waiting:
        one, depth = waiting.pop()
        if wanted is None or _paths.matches((*wanted, "**"), one.steps):
            lines.append(line(one, depth, oids, octets, paint))
        inside = [one.defined] if one.defined is not None else one.children
        waiting.extend((child, depth + 1) for child in reversed(inside))
    return "\n".join(lines)
