"""Native classes behave as the classes of Python whose places they take."""

from __future__ import annotations

import copy
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from tagwise import x509
from tagwise.x509 import NameOID

WAYS: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]


class OwnAttribute(x509.NameAttribute[str]):
    note: str


class OwnStep(x509.RelativeDistinguishedName):
    note: str


class OwnExtension(x509.Extension[x509.BasicConstraints]):
    note: str


class OwnName(x509.Name):
    note: str


ATTRIBUTE = x509.NameAttribute(NameOID.COMMON_NAME, "a")
VALUES: list[Any] = [
    ATTRIBUTE,
    OwnAttribute(NameOID.COMMON_NAME, "a"),
    x509.RelativeDistinguishedName([ATTRIBUTE]),
    OwnStep([ATTRIBUTE]),
    x509.Name([ATTRIBUTE]),
    OwnName([ATTRIBUTE]),
    x509.Extension(x509.BasicConstraints.oid, True, x509.BasicConstraints(True, 1)),
    OwnExtension(x509.BasicConstraints.oid, True, x509.BasicConstraints(True, 1)),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_copies(value: Any) -> None:
    is_own = type(value).__module__ == __name__
    if is_own:
        value.note = "mine"
    for way in WAYS:
        other = way(value)
        assert other == value and hash(other) == hash(value) and repr(other) == repr(value)
        assert type(other) is type(value)
        assert not is_own or other.note == "mine"
    assert weakref.ref(value)() is value


def test_a_name_that_warns_is_copied_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    odd = x509.NameAttribute(NameOID.COUNTRY_NAME, "Germany", _validate=False)
    assert len(recwarn) == 1
    for way in WAYS:
        assert way(odd) == odd and way(x509.Name([odd])) == x509.Name([odd])
    assert len(recwarn) == 1


@pytest.mark.parametrize("kind", [x509.NameAttribute, x509.RelativeDistinguishedName, x509.Extension, x509.Name, x509.Extensions])
def test_an_object_without_fields_has_none(kind: Any) -> None:
    blank = kind.__new__(kind)
    with pytest.raises((AttributeError, TypeError)):
        list(blank)
    assert repr(blank).startswith(f"<{kind.__name__}(")


def test_fields_are_set_once() -> None:
    for name in ("_oid", "_value", "_type", "oid", "value"):
        with pytest.raises(AttributeError):
            setattr(ATTRIBUTE, name, 1)


def test_types_have_parameters() -> None:
    for kind in (x509.NameAttribute[str], x509.Extension[x509.KeyUsage]):
        assert kind is not None
