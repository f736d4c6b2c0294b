"""ASN.1 and PKI: certificates, CRLs, requests, OCSP, and related messages and files, with a strict decoder written in
Rust.

`tagwise.x509` provides the names of `cryptography.x509`; docs/src/python.md lists the differences. Modules are loaded
on first use.
"""

from __future__ import annotations

from tagwise._errors import Asn1Error, KerberosConnectionError, KerberosError, MessageError

# As in `typing`, whose import takes longer than this one.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tagwise import asn1, cms, columns, gss, keys, krb5, lint, pem, pkcs12, smime, spark, tsp, x509
    from tagwise._budget import budget

__all__ = [
    "Asn1Error",
    "KerberosConnectionError",
    "KerberosError",
    "MessageError",
    "asn1",
    "budget",
    "cms",
    "columns",
    "gss",
    "keys",
    "krb5",
    "lint",
    "pem",
    "pkcs12",
    "smime",
    "spark",
    "tsp",
    "x509",
]

_MODULES = frozenset(("asn1", "cms", "columns", "gss", "keys", "krb5", "lint", "pem", "pkcs12", "smime", "spark", "tsp", "x509"))


def __getattr__(name: str) -> object:
    if name in _MODULES:
        import importlib

        return importlib.import_module("tagwise." + name)
    if name == "budget":
        from tagwise._budget import budget

        return budget
    raise AttributeError(f"module 'tagwise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, "budget"})
