"""The quick way to read the usual extensions says what the tables of their types say, of good values and damaged ones."""

from __future__ import annotations

import random

from tagwise import Asn1Error, _native, x509

from .conftest import ROOM
from .test_mutations import damaged

#: Those that are read the quick way.
USUAL = {"2.5.29.14", "2.5.29.15", "2.5.29.17", "2.5.29.18", "2.5.29.19", "2.5.29.35", "2.5.29.37"}


def told(read: object, oid: str, value: bytes) -> object:
    try:
        return read(oid, value)  # type: ignore[operator]
    except Asn1Error as error:
        return (error.code, error.path, error.offset)


def test_the_quick_way_is_the_other_one() -> None:
    seen: dict[str, set[bytes]] = {}
    for found in x509.scan(ROOM):
        if isinstance(found.value, x509.Certificate):
            try:
                listed = found.value._extensions
            except Asn1Error:
                continue
            for oid, _, value, _ in listed:
                if oid in USUAL and isinstance(value, bytes):
                    seen.setdefault(oid, set()).add(value)
    assert set(seen) == USUAL
    source = random.Random(4711)
    read = 0
    for oid, values in seen.items():
        for value in sorted(values):
            for changed in (value, *(damaged(value, source) for _ in range(20))):
                expected = told(_native.decode_extension_by_table, oid, changed)
                assert told(_native.decode_extension, oid, changed) == expected, (oid, changed.hex())
                read += not isinstance(expected, tuple)
    assert read > 500
