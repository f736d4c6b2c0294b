"""DEFAULT values inside of DEFAULT values are absent in DER and CER (X.690 §11.5)."""

from __future__ import annotations

import pytest

from tagwise import asn1

KIND = asn1.compile_text(
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { t SEQUENCE { x INTEGER DEFAULT 5, y INTEGER OPTIONAL } DEFAULT { x 5 } } END"
)["T"]


@pytest.mark.parametrize("rules", ["DER", "CER"])
def test_nested(rules: str) -> None:
    empty = KIND.encode({}, rules=rules)
    assert KIND.encode({"t": {"x": 5}}, rules=rules) == empty
    assert KIND.encode(KIND.decode(empty, rules=rules), rules=rules) == empty
    other = KIND.encode({"t": {"x": 6}}, rules=rules)
    assert other != empty and KIND.decode(other, rules=rules) == {"t": {"x": 6}}
    more = KIND.encode({"t": {"x": 5, "y": 1}}, rules=rules)
    assert KIND.decode(more, rules=rules) == {"t": {"x": 5, "y": 1}}


def test_json() -> None:
    assert KIND.from_json('{"t":{"x":5}}') == b"\x30\x00"
