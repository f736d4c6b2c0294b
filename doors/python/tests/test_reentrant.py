"""Values that change while they are encoded, and bits that no name can mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tagwise import asn1


def test_additions_may_change_their_dict() -> None:
    kind = asn1.compile_text("M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a INTEGER, ... } END")["T"]
    value: dict[str, Any] = {"a": 1}

    class Growing:
        def __iter__(self) -> Iterator[bytes]:
            value.update({f"x{number}": 1 for number in range(100)})
            return iter([b"\x05\x00"])

    value["$additions"] = Growing()
    assert kind.encode(value).hex() == "30050201010500"
    with pytest.raises(ValueError, match="unknown component"):
        kind.encode(value)


@pytest.mark.parametrize("value", [(b"\xff", 4), (b"\x0f", 4), (b"\xff", 200), (b"\xff", 8), (b"", 1), (b"\x01", 1)])
def test_set_bits_that_are_unused_are_refused(value: tuple[bytes, int]) -> None:
    named = asn1.compile_text("M DEFINITIONS ::= BEGIN T ::= BIT STRING { a(0), b(1) } END")["T"]
    for kind in (named, asn1.type_of(asn1.BitString)):
        with pytest.raises(ValueError, match="unused bits"):
            kind.encode(value)


def test_named_bits_have_no_zeros_at_the_end() -> None:
    named = asn1.compile_text("M DEFINITIONS ::= BEGIN T ::= BIT STRING { a(0), b(1) } END")["T"]
    for value, der in [((b"\x80", 0), "03020780"), ((b"\xc0\x00", 7), "030206c0"), ((b"\x00", 3), "030100"), ((b"", 0), "030100")]:
        assert named.encode(value).hex() == der
