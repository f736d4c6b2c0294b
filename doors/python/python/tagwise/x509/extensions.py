"""Extensions: the list of extensions, and the values of all types that have a class here."""

from __future__ import annotations

import tagwise.x509._extension as _extension
import tagwise.x509._extensions_names as _extensions_names
import tagwise.x509._extensions_policy as _extensions_policy
import tagwise.x509._extensions_revocation as _extensions_revocation
import tagwise.x509.general_name as general_name
from tagwise._data import Described
from ._extension import *  # noqa: F403
from tagwise.x509._extension import unreadable
from ._extensions_names import *  # noqa: F403
from tagwise.x509._extensions_names import _key_identifier_from_public_key as _key_identifier_from_public_key
from ._extensions_policy import *  # noqa: F403
from ._extensions_revocation import *  # noqa: F403
from tagwise.x509._extensions_revocation import ENUMERATIONS as ENUMERATIONS
from tagwise.x509.certificate_transparency import SignedCertificateTimestamp
from .general_name import *  # noqa: F403
from tagwise.x509.name import Name, RelativeDistinguishedName
from tagwise.x509.oid import CRLEntryExtensionOID, ExtensionOID, ObjectIdentifier, OCSPExtensionOID

#: Names from other modules are included because `cryptography.x509.extensions` also contains them.
__all__ = [
    "CRLEntryExtensionOID",
    "ExtensionOID",
    "Name",
    "OCSPExtensionOID",
    "ObjectIdentifier",
    "RelativeDistinguishedName",
    "SignedCertificateTimestamp",
    "unreadable",
]
__all__ += _extension.__all__
__all__ += _extensions_names.__all__
__all__ += _extensions_policy.__all__
__all__ += _extensions_revocation.__all__
__all__ += general_name.__all__

#: The classes that extension values are converted to and from. The native module has a row for each.
DESCRIBED = [kind for name in __all__ if isinstance(kind := globals()[name], type) and issubclass(kind, Described)]

_extension.KINDS = frozenset(kind for kind in DESCRIBED if issubclass(kind, _extension.ExtensionType)) | {_extension.UnrecognizedExtension}
