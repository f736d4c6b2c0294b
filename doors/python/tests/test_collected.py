"""Cycles through native objects: the garbage collector of Python sees them, and frees what nothing leads to."""

from __future__ import annotations

import gc
import io
import pathlib
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from tagwise import asn1, x509

ROOT = pathlib.Path(__file__).parents[3]
LEAF = (ROOT / "doors/cli/tests/data/leaf.pem").read_bytes()
LIST = (ROOT / "doors/cli/tests/data/list.pem").read_bytes()

MODULE = asn1.compile_text("M DEFINITIONS ::= BEGIN L ::= SEQUENCE OF INTEGER O ::= OCTET STRING END")
NUMBERS = bytes.fromhex("3006020101020102")


class Value(x509.ExtensionType):
    oid = x509.ObjectIdentifier("2.999.1")
    back: Any

    def public_bytes(self) -> bytes:
        return b"\x05\x00"


class Attribute(x509.NameAttribute):
    back: Any


class File(io.BytesIO):
    back: Any


def extension() -> Any:
    value = Value()
    value.back = x509.Extension(Value.oid, False, value)
    return value


def extensions() -> Any:
    value = Value()
    value.back = x509.Extensions([x509.Extension(Value.oid, False, value)])
    return value


def certificate() -> Any:
    made = x509.load_pem_x509_certificate(LEAF)
    value: Any = made.extensions[0].value
    value.back = made
    return value


def read_extensions() -> Any:
    """The extensions alone, without what they were read from."""
    read = x509.load_pem_x509_certificate(LEAF).extensions
    value: Any = read[0].value
    value.back = read
    return value


def entry() -> Any:
    entries = list(x509.load_pem_x509_crl(LIST))
    found = next(one for one in entries if len(one.extensions) > 0)
    value: Any = found.extensions[0].value
    value.back = found
    return value


def revocation_list() -> Any:
    """The list by way of its entries, and of those that are to come."""
    made = x509.load_pem_x509_crl(LIST)
    value: Any = made.extensions[0].value
    value.back = iter(made), next(iter(made))
    return value


def step() -> Any:
    attribute = Attribute(x509.NameOID.COMMON_NAME, "x")
    attribute.back = x509.RelativeDistinguishedName([attribute])
    return attribute


def name() -> Any:
    attribute = Attribute(x509.NameOID.COMMON_NAME, "x")
    attribute.back = x509.Name([attribute])
    return attribute


def events() -> Any:
    file = File(NUMBERS)
    file.back = MODULE["L"].events(file)
    next(file.back)
    return file


def items() -> Any:
    file = File(NUMBERS)
    file.back = MODULE["L"].items(file, "")
    next(file.back)
    return file


def records() -> Any:
    file = File(NUMBERS * 2)
    file.back = MODULE["L"].records(file)
    next(file.back)
    return file


def content() -> Any:
    file = File(b"\x04\x02ab")
    file.back = MODULE["O"].content(file, "")
    file.back.read(1)
    return file


@pytest.mark.parametrize(
    "cycle",
    [extension, extensions, certificate, read_extensions, entry, revocation_list, step, name, events, items, records, content],
)
def test_cycles_are_freed(cycle: Callable[[], Any]) -> None:
    gc.collect()
    gc.disable()
    try:
        made = cycle()
        found = weakref.ref(made)
        # What is in use stays whole.
        gc.collect()
        assert found() is made and made.back is not None
        del made
        assert found() is not None, "there is no cycle, and nothing to test"
        gc.collect()
        assert found() is None
    finally:
        gc.enable()


def test_what_is_in_use_stays() -> None:
    made = x509.load_pem_x509_certificate(LEAF)
    value: Any = made.extensions[0].value
    value.back = made
    subject, issuer = made.subject, made.issuer
    found = weakref.ref(subject)
    del made, value
    gc.collect()
    assert found() is subject and subject.rfc4514_string() and issuer.rfc4514_string()


def test_extensions_need_no_collector() -> None:
    """A certificate goes away with its last reference, although its extensions were looked at."""
    gc.disable()
    try:
        for kind, pem in ((x509.load_pem_x509_certificate, LEAF), (x509.load_pem_x509_crl, LIST)):
            whole = kind(pem)
            extensions = whole.extensions
            assert [one.value for one in extensions]
            gone = weakref.ref(extensions)
            del whole, extensions
            assert gone() is None
    finally:
        gc.enable()
