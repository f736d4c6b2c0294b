"""What an import loads, and what comes when it is asked for."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import tagwise
import tagwise.lint
import tagwise.x509
from tagwise import asn1


def loaded(program: str) -> set[str]:
    """The modules that a program loads beyond those of a bare interpreter."""
    shown = "; import sys; print(' '.join(sys.modules))"
    run = [sys.executable, "-I", "-c"]
    all_of_it = subprocess.run([*run, program + shown], capture_output=True, text=True, check=True).stdout
    bare = subprocess.run([*run, "pass" + shown], capture_output=True, text=True, check=True).stdout
    return set(all_of_it.split()) - set(bare.split())


def test_the_package_is_small() -> None:
    found = loaded("import tagwise")
    assert "tagwise._errors" in found and not any(name.startswith("tagwise._native") for name in found)
    assert not found & {"typing", "re", "datetime", "enum", "tagwise.x509", "tagwise.asn1", "tagwise.keys"}


def test_certificates_load_no_more_than_they_need() -> None:
    found = loaded("from tagwise import x509")
    assert "tagwise.x509.base" in found
    later = {"contextlib", "glob", "hashlib", "ipaddress", "re", "typing", "tagwise.lint", "tagwise.x509.ocsp", "tagwise.x509.verification"}
    assert not found & (later | {"tagwise.x509._scan", "tagwise.x509._diff", "cryptography"})


def test_types_load_no_machinery() -> None:
    found = loaded("from tagwise import asn1")
    assert "tagwise.asn1._marks" in found and not found & {"dataclasses", "inspect", "ast", "dis", "tokenize"}


def test_marks_are_values() -> None:
    marks = [asn1.explicit(1), asn1.implicit(1), asn1.kind("a"), asn1.named("a"), asn1.constrained("a"), asn1.default("a")]
    for at, mark in enumerate(marks):
        assert [other == mark for other in marks] == [number == at for number in range(len(marks))]
        copied = pickle.loads(pickle.dumps(mark))
        assert copied == mark and hash(copied) == hash(mark) and repr(copied) == repr(mark)
        with pytest.raises(AttributeError, match="cannot assign"):
            mark.text = "b"
    assert repr(asn1.explicit(1)) == "Tagging(text='[1]', explicit=True)"


def test_what_is_asked_for_comes() -> None:
    for name in tagwise.__all__:
        assert getattr(tagwise, name) is not None and name in dir(tagwise)
    for name in tagwise.x509.__all__:
        assert getattr(tagwise.x509, name) is not None and name in dir(tagwise.x509)
    for module in (tagwise, tagwise.x509, tagwise.lint):
        with pytest.raises(AttributeError, match="nothing"):
            module.nothing
