"""What an import loads, and what comes when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tagwise
import tagwise.lint
import tagwise.x509


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


def test_what_is_asked_for_comes() -> None:
    for name in tagwise.__all__:
        assert getattr(tagwise, name) is not None and name in dir(tagwise)
    for name in tagwise.x509.__all__:
        assert getattr(tagwise.x509, name) is not None and name in dir(tagwise.x509)
    for module in (tagwise, tagwise.x509, tagwise.lint):
        with pytest.raises(AttributeError, match="nothing"):
            module.nothing
