"""GSS-API with Kerberos (RFC 4121) and its negotiation (SPNEGO, RFC 4178), with the names of `gssapi`.

>>> from tagwise import gss
>>> name = gss.Name("HTTP@www.example.com", gss.NameType.hostbased_service)
>>> str(name.principal(realm="EXAMPLE.COM"))
'HTTP/www.example.com@EXAMPLE.COM'

Pass the peer's tokens to a `SecurityContext`, and send what it returns. Once established, it encrypts and signs
messages. The differences from `gssapi` are listed in docs/src/python-kerberos.md.
"""

from __future__ import annotations

from tagwise.gss._context import SecurityContext, UnwrapResult, WrapResult
from tagwise.gss._credentials import Credentials
from tagwise.gss._names import ChannelBindings, MechType, Name, NameType, RequirementFlag
from tagwise.gss.exceptions import GSSError

__all__ = [
    "ChannelBindings",
    "Credentials",
    "GSSError",
    "MechType",
    "Name",
    "NameType",
    "RequirementFlag",
    "SecurityContext",
    "UnwrapResult",
    "WrapResult",
]
