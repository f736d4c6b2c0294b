"""A plugin of pytest: puts `tagwise.x509` where `cryptography.x509` is looked for, and writes how each test ended.

Loaded before any test is imported (`-p tagwise_instead`). The environment names the file to write: TAGWISE_PYCA_RESULTS.
"""

from __future__ import annotations

import os
import sys
import types

import cryptography

import tagwise.x509
import tagwise.x509.base
import tagwise.x509.certificate_transparency
import tagwise.x509.extensions
import tagwise.x509.general_name
import tagwise.x509.name
import tagwise.x509.ocsp
import tagwise.x509.oid
import tagwise.x509.verification

PARTS = ("base", "certificate_transparency", "extensions", "general_name", "name", "ocsp", "oid", "verification")

sys.modules["cryptography.x509"] = tagwise.x509
for part in PARTS:
    sys.modules[f"cryptography.x509.{part}"] = getattr(tagwise.x509, part)
cryptography.x509 = tagwise.x509


class Names:
    """The identifiers that have a name, as the tests ask for them."""

    def __contains__(self, oid):
        return oid._name != "Unknown OID"


# Where `cryptography` has its own identifiers, which the tests compare with. It has what it needs of them by now.
identifiers = types.ModuleType("cryptography.hazmat._oid")
identifiers.__dict__.update(vars(tagwise.x509.oid), _OID_NAMES=Names())
sys.modules["cryptography.hazmat._oid"] = identifiers

outcomes: dict[str, str] = {}


def pytest_runtest_logreport(report):
    """A test passes if all its phases and parts do; a part that is skipped is none, and a test of nothing else is skipped."""
    before = outcomes.get(report.nodeid)
    if report.failed:
        outcomes[report.nodeid] = "failed"
    elif report.skipped and before is None:
        outcomes[report.nodeid] = "skipped"
    elif report.when == "call" and report.passed and before in (None, "skipped"):
        outcomes[report.nodeid] = "passed"


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid] = "failed"


def pytest_sessionfinish():
    with open(os.environ["TAGWISE_PYCA_RESULTS"], "w", encoding="utf-8") as file:
        for test in sorted(outcomes):
            file.write(f"{test}\t{outcomes[test]}\n")
