"""X.509 with the names of `cryptography.x509`: certificates, requests, CRLs, OCSP, and their builders."""

from __future__ import annotations

from tagwise.x509 import (
    _extension,
    _extensions_names,
    _extensions_policy,
    _extensions_revocation,
    _oid_aliases,
    base,
    builders,
    certificate_transparency,
    general_name,
    name,
    oid,
)
from ._extension import *  # noqa: F403
from ._extensions_names import *  # noqa: F403
from ._extensions_policy import *  # noqa: F403
from ._extensions_revocation import *  # noqa: F403
from .base import *  # noqa: F403
from .builders import *  # noqa: F403
from .general_name import *  # noqa: F403
from .name import *  # noqa: F403
from ._oid_aliases import *  # noqa: F403
from tagwise.x509.oid import (
    AuthorityInformationAccessOID,
    CRLEntryExtensionOID,
    CertificatePoliciesOID,
    ExtendedKeyUsageOID,
    ExtensionOID,
    NameOID,
    ObjectIdentifier,
    PublicKeyAlgorithmOID,
    SignatureAlgorithmOID,
)

TYPE_CHECKING = False

if TYPE_CHECKING:
    from tagwise.lint import Finding
    from tagwise.x509 import ocsp, verification
    from tagwise.x509._diff import Difference
    from tagwise.x509._scan import Found, Item, find, scan

#: Names that are loaded on first access, with their modules.
_LATER = {
    "Difference": "tagwise.x509._diff",
    "Finding": "tagwise.lint",
    "Found": "tagwise.x509._scan",
    "Item": "tagwise.x509._scan",
    "find": "tagwise.x509._scan",
    "ocsp": None,
    "scan": "tagwise.x509._scan",
    "verification": None,
}


def __getattr__(name: str) -> object:
    import importlib

    if name not in _LATER:
        raise AttributeError(f"module 'tagwise.x509' has no attribute {name!r}")
    place = _LATER[name]
    if place is None:
        return importlib.import_module("tagwise.x509." + name)
    return getattr(importlib.import_module(place), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


__all__ = [
    "AuthorityInformationAccessOID",
    "CRLEntryExtensionOID",
    "CertificatePoliciesOID",
    "Difference",
    "ExtendedKeyUsageOID",
    "ExtensionOID",
    "Finding",
    "Found",
    "Item",
    "NameOID",
    "ObjectIdentifier",
    "PublicKeyAlgorithmOID",
    "SignatureAlgorithmOID",
    "certificate_transparency",
    "find",
    "ocsp",
    "oid",
    "scan",
    "verification",
]
__all__ += _extension.__all__
__all__ += _extensions_names.__all__
__all__ += _extensions_policy.__all__
__all__ += _extensions_revocation.__all__
__all__ += base.__all__
__all__ += builders.__all__
__all__ += general_name.__all__
__all__ += name.__all__
__all__ += [alias for alias in vars(_oid_aliases) if alias.startswith("OID_")]  # pyright: ignore[reportUnsupportedDunderAll]
