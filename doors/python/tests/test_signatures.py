"""Every public name of `cryptography.x509` is here, with its members and the parameters of its functions."""

from __future__ import annotations

import enum
import importlib
import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography import x509 as theirs

MODULES = ("", ".certificate_transparency", ".extensions", ".general_name", ".name", ".ocsp", ".oid", ".verification")

#: Names that differ, each with its reason.
REGISTER = {
    "x509.CertificateRevocationList.get_revoked_certificate_by_serial_number": "the name that cryptography's stubs give the parameter",
    "x509.ObjectIdentifier": "the name that cryptography's stubs give the parameter",
}

#: Members of Python's own that a class may have for its meaning.
MEANT = ("__copy__", "__deepcopy__", "__eq__", "__getitem__", "__iter__", "__len__")


def parameters(called: Any) -> list[tuple[str, bool, bool]] | None:
    """Names, whether each is for keywords alone, and whether it has a default; none of what does not tell."""
    try:
        found = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return None
    return [
        (one.name, one.kind is one.KEYWORD_ONLY, one.default is not one.empty) for one in found if one.name != "self"
    ]


def is_its_own(name: str, value: Any) -> bool:
    """Of the modules' names those of their classes and functions: aliases of types for checkers are none."""
    module = getattr(value, "__module__", None) or ""
    is_named = inspect.isclass(value) or inspect.isroutine(value)
    return is_named and not name.startswith("_") and module.startswith(("cryptography.x509", "cryptography.hazmat.bindings"))


def differences(module: str) -> Iterator[str]:
    theirs, ours = (importlib.import_module(package + ".x509" + module) for package in ("cryptography", "tagwise"))
    listed = getattr(theirs, "__all__", None) or list(vars(theirs))
    for name in listed:
        value = getattr(theirs, name)
        if not is_its_own(name, value):
            continue
        own = getattr(ours, name, None)
        where = f"x509.{name}"
        if own is None:
            yield where
        elif not inspect.isclass(value):
            if parameters(value) != parameters(own):
                yield where
        else:
            # What only a decoder makes tells of no constructor. Python 3.10 tells of a native class's `__new__`, and not of `__init__`.
            known = (parameters(own), parameters(own.__init__))
            if parameters(value) and parameters(value) not in known and not hasattr(value, "__members__"):
                yield where
            for member in dir(value):
                if member.startswith("_") and member not in MEANT:
                    continue
                one, other = getattr(value, member), getattr(own, member, None)
                same = other is not None and callable(one) == callable(other)
                if same and callable(one) and not member.startswith("_"):
                    same = parameters(one) in (None, parameters(other))
                if not same:
                    yield f"{where}.{member}"


@pytest.mark.parametrize("module", MODULES)
def test_names_members_and_parameters(module: str) -> None:
    found = set(differences(module)) - REGISTER.keys()
    assert not found, sorted(found)


def defaults(called: Any) -> dict[str, str]:
    """The defaults of a function's parameters, as text."""
    try:
        found = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {one.name: repr(one.default) for one in found if one.default is not one.empty}


def pairs(module: str) -> Iterator[tuple[str, Any, Any]]:
    """The public names of a module, and the members of its classes, each of the one package and of the other."""
    theirs, ours = (importlib.import_module(package + ".x509" + module) for package in ("cryptography", "tagwise"))
    for name in getattr(theirs, "__all__", None) or [name for name in vars(theirs) if not name.startswith("_")]:
        value, own = getattr(theirs, name), getattr(ours, name, None)
        if own is None:
            continue
        yield name, value, own
        if inspect.isclass(value):
            for member in dir(value):
                if not member.startswith("__"):
                    yield f"{name}.{member}", getattr(value, member), getattr(own, member, None)


@pytest.mark.parametrize("module", MODULES)
def test_defaults_identifiers_and_enumerations_have_the_same_values(module: str) -> None:
    compared = 0
    for name, value, own in pairs(module):
        if isinstance(value, theirs.ObjectIdentifier):
            compared += 1
            assert own is not None and value.dotted_string == own.dotted_string, name
        elif isinstance(value, enum.Enum):
            compared += 1
            assert own is not None and value.value == own.value, name
        elif inspect.isclass(value) and issubclass(value, BaseException):
            compared += 1
            assert [one.__name__ for one in value.__mro__] == [one.__name__ for one in own.__mro__], name
        elif callable(value) and (given := defaults(value)):
            compared += 1
            assert given.items() <= defaults(own).items(), name
    assert compared > 0 or module == ".certificate_transparency"


def test_the_register_has_no_more_than_it_needs() -> None:
    found = {one for module in MODULES for one in differences(module)}
    assert found == REGISTER.keys()
