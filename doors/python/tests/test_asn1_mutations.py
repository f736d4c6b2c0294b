"""Encodings that were changed at random: whatever is asked of them, an exception of Python's or a result that is consistent."""

from __future__ import annotations

import contextlib
import io
import os
import random

import pytest

from tagwise import asn1

from .test_elements import TEXT, whole

COUNT = int(os.environ.get("TAGWISE_MUTATIONS", "500"))


@pytest.fixture(scope="module")
def message() -> asn1.Type:
    return asn1.compile_text(TEXT)["Message"]


def mutated(octets: bytes, chance: random.Random) -> bytes:
    changed = bytearray(octets)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(changed))
        kind = chance.randrange(4)
        if kind == 0:
            changed[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            changed[at] = chance.choice([0x00, 0x24, 0x30, 0x80, 0x81, 0x84, 0xA0, 0xFF])
        elif kind == 2:
            del changed[at : at + chance.randint(1, 3)]
        else:
            changed[at:at] = changed[at : at + chance.randint(1, 4)] + bytes(chance.randrange(2))
        if not changed:
            return b"\x30"
    return bytes(changed)


def check(ty: asn1.Type, data: bytes, rules: str) -> bool:
    """Asks everything of an encoding; tells whether it is one."""
    for read in (
        lambda: list(ty.events(data, rules=rules, chunk=300)),
        lambda: list(ty.items(data, "list", rules=rules)),
        lambda: ty.content(data, "held", rules=rules).read(),
        lambda: ty.content(io.BytesIO(data), "bits", rules=rules).read(),
        lambda: asn1.pprint(asn1.inspect(data, rules=rules)),
    ):
        with contextlib.suppress(ValueError, LookupError):
            read()
    try:
        value = ty.decode(data, rules=rules)
    except ValueError:
        with pytest.raises(ValueError):
            ty.inspect(data, rules=rules)
        return False
    root = ty.inspect(data, rules=rules)
    assert root.value == value and root.raw == data
    for element in root.walk():
        header = element.header
        assert (header is None) == (element.kind == "default")
        if header is not None and element.start is not None and element.end is not None:
            assert 0 <= element.start <= header.offset < len(data) and element.end <= len(data)
            assert data[header.offset] >> 6 == header.tag.tag_class
            around = [outer.offset for outer in (*element.explicit, header)]
            assert around == sorted(set(around))
    asn1.pprint(root)
    # What was read is written, and read again.
    assert ty.decode(ty.encode(value)) == value
    return True


@pytest.mark.parametrize("rules", ["DER", "BER", "CER"])
def test_mutations(message: asn1.Type, rules: str) -> None:
    chance = random.Random(20261126)
    der = whole(message.modules)
    right = der if rules != "CER" else message.encode(message.decode(der), rules="CER")
    indefinite = bytes.fromhex("3080 a080 020101 0000 a10a 2c80 040168 040169 0000 3000 0101ff 0000")
    assert check(message, right, rules)
    seeds = [right, indefinite] if rules == "BER" else [right]
    found = sum(check(message, mutated(chance.choice(seeds), chance), rules) for _ in range(COUNT))
    assert 0 < found < COUNT
