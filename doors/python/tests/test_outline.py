"""Elements of no known type: their cost is in proportion to the input, and objects are made when they are accessed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tagwise import Asn1Error, asn1

COST = """
import resource
from tagwise import asn1
data = b"\\x30\\x83" + (1_000_000).to_bytes(3, "big") + b"\\5\\0" * 500_000
asn1.inspect(b"\\5\\0")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
element = asn1.inspect(data)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_cost() -> None:
    done = subprocess.run([sys.executable, "-c", COST], capture_output=True, text=True, check=True)
    # 64 bytes each of 500,000 elements, the copy of the data, and what an allocator rounds up.
    assert int(done.stdout) * 1024 < 64 * 500_000 + 4_000_000


def test_elements() -> None:
    data = bytes.fromhex("3080" "020105" "a080" "0c0141" "0000" "3000" "0000")
    root = asn1.inspect(data, rules="BER")
    assert (root.start, root.end, root.vlen, root.indefinite, root.ber, len(root)) == (0, len(data), 12, True, True, 3)
    assert [one.path for one in root.walk()] == ["", "[0]", "[1]", "[1][0]", "[2]"]
    assert root[0].value == 5 and root["[1][0]"].value == "A" and root[1].tag == asn1.Tag(2, 0, True)
    assert root.value == [5, ["A"], []] and root[1][0].outer is root[1] and root.children[1] is root[1]
    assert root == asn1.inspect(data, rules="BER") and root[0] != root[1]
    assert root[1].raw == bytes.fromhex("a0800c01410000")
    assert repr(root[0]) == "<Element([0]: INTEGER, at 2)>"


@pytest.mark.parametrize(
    ("damaged", "values", "code"),
    [
        ("3009" "020105" "0c0141" "0204", [5, "A"], "length-overrun"),
        ("3009" "020105" "3004" "020107", [5], "truncated"),
        ("3006" "020105" "1fff", [5], None),
    ],
)
def test_damaged_data_has_a_partial_tree(damaged: str, values: list[object], code: str | None) -> None:
    data = bytes.fromhex(damaged)
    with pytest.raises(Asn1Error) as caught:
        asn1.inspect(data)
    root = asn1.inspect(data, partial=True)
    assert [one.value for one in root.children[: len(values)]] == values
    assert root.damage is not None and str(root.damage) == str(caught.value)  # type: ignore[attr-defined]
    assert code is None or caught.value.code == code
    assert asn1.pprint(root)
    assert all(one.end is not None and one.end <= len(data) for one in root.walk())


def test_whole_data_is_not_damaged() -> None:
    assert asn1.inspect(b"\x30\x03\x02\x01\x05", partial=True).damage is None  # type: ignore[attr-defined]
    for nothing in (b"", b"\x30"):
        with pytest.raises(ValueError):
            asn1.inspect(nothing, partial=True)


def test_first_length() -> None:
    value = bytes.fromhex("3080" "020105" "a080" "0c0141" "0000" "0000")
    for end in range(len(value)):
        assert asn1.first_length(value[:end]) is None
    assert asn1.first_length(value) == asn1.first_length(value + b"rest") == len(value)
    assert asn1.first_length(b"\0\0" + value, 2) == len(value)
    # The header is enough.
    assert asn1.first_length(b"\x02\x03") == asn1.first_length(b"\x02\x03\0\0") == 5
    assert asn1.first_length(b"\x30\x82\x01\x00") == 260 and asn1.first_length(b"\x9f\x81\x01\x04") == 8
    assert asn1.first_length(b"\x02\x82\x01") is None and asn1.first_length(b"\x9f\x81") is None
    with pytest.raises(Asn1Error):
        asn1.first_length(b"\x02\x80\x05")
    with pytest.raises(ValueError):
        asn1.first_length(value, -1)


def test_decode_first() -> None:
    kind = asn1.compile_text("M DEFINITIONS ::= BEGIN P ::= SEQUENCE { a INTEGER (0..9) } END")["P"]
    one, two = kind.encode({"a": 1}), kind.encode({"a": 2})
    value, rest = kind.decode_first(one + two + b"\xff")
    assert value == {"a": 1} and rest == two + b"\xff"
    value, rest = kind.decode_first(one + two + b"\xff", len(one))
    assert value == {"a": 2} and rest == b"\xff"
    bad = one + bytes.fromhex("300302010a")
    with pytest.raises(Asn1Error) as caught:
        kind.decode_first(bad, len(one))
    assert (caught.value.path, caught.value.offset) == ("a", 7)
    with pytest.raises(Asn1Error) as caught:
        kind.decode_first(one[:3])
    assert caught.value.code == "length-overrun"
    with pytest.raises(ValueError):
        kind.decode_first(one, -1)
