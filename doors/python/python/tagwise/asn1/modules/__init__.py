"""Modules of published protocols, ready to use. Each name is a set of modules, compiled on first access.

| Name | Modules |
|---|---|
| `krb5` | Kerberos and SPNEGO (RFC 4120, RFC 4178, RFC 4556, RFC 6113, MS-KILE …) |
| `ldap` | LDAP (RFC 4511) |
| `pkix` | certificates, CMS, OCSP, time stamps, PKCS, S/MIME and related formats (RFC 5912, RFC 5652, RFC 8018 …) |
| `snmp` | SNMPv1 (RFC 1157), community-based SNMPv2 (RFC 1901), SNMPv3 (RFC 3412, RFC 3414, RFC 3416) |

>>> from tagwise.asn1.modules import ldap, snmp
>>> ldap["LDAPMessage"].decode(bytes.fromhex("300c020101600702010304008000"))
{'messageID': 1, 'protocolOp': ('bindRequest', {'version': 3, 'name': b'', 'authentication': ('simple', b'')})}
>>> snmp["SNMPv1.Message"].encode({"version": 0, "community": b"public", "data": ("get-request", {
...     "request-id": 7, "error-status": 0, "error-index": 0, "variable-bindings": []})}).hex()
'301802010004067075626c6963a00b0201070201000201003000'
"""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

from tagwise import _native
from tagwise.asn1._schema import Modules, compile_text

if TYPE_CHECKING:
    krb5: Modules
    ldap: Modules
    pkix: Modules
    snmp: Modules

__all__ = ["krb5", "ldap", "pkix", "snmp"]

#: The files of the module sets in this folder. The native module contains the others.
_FILES = {"ldap": ("ldap.asn1",), "snmp": ("snmpv1.asn1", "snmpv3.asn1")}


def __getattr__(name: str) -> Modules:
    if name not in __all__:
        raise AttributeError(f"there are no modules {name!r}; expected one of {', '.join(__all__)}")
    if name in _FILES:
        texts = [(pathlib.Path(__file__).parent / file).read_text(encoding="utf-8") for file in _FILES[name]]
    else:
        texts = _native.module_texts(name)
    compiled = compile_text(*texts)
    globals()[name] = compiled
    return compiled


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
