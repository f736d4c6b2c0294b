"""Exceptions."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Asn1Error(ValueError):
    """A malformed encoding, or a value that cannot be encoded.

    `code` is stable between versions, and `path` names the component (`tbsCertificate.validity.notAfter`). `offset`
    is the byte offset in the input, or None if a value was being encoded, and `clause` is the section of the
    standard. `type_name` is the name of the component's type if a type of `tagwise.asn1` was decoded. `bit` is the
    offset in bits if an encoding in PER, OER or XER was decoded.
    """

    code: str
    path: str
    offset: int | None
    clause: str
    #: The message without the path and the offset.
    reason: str
    type_name: str
    bit: int | None

    def __init__(
        self,
        message: str,
        code: str = "",
        path: str = "",
        offset: int | None = None,
        clause: str = "",
        reason: str = "",
        type_name: str = "",
        bit: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.offset = offset
        self.clause = clause
        self.reason = reason
        self.type_name = type_name
        self.bit = bit

    def __reduce__(self) -> tuple[type[Asn1Error], tuple[str, str, str, int | None, str, str, str, int | None]]:
        place = (self.code, self.path, self.offset, self.clause)
        return (type(self), (str(self), *place, self.reason, self.type_name, self.bit))

    def moved(self, base: int, path_at: Callable[[int], str], size: int) -> Asn1Error:
        """Converts an error in a part to an error in the enclosing value. The part has `size` bytes and starts at `base`."""
        return self._at(base, path_at(base if size > 0 else max(0, base - 1)))

    def _at(self, base: int, path: str) -> Asn1Error:
        offset = base + (self.offset or 0)
        # From the part on the path is the error's own: the byte after an element, where something is missing in it, is of what follows.
        # An open type ends in brackets: what is inside has other paths than the part by itself.
        if not path.endswith("]"):
            path += self.path if self.path.startswith("[") or not self.path else "." + self.path
        message = f"{path}: {self.reason}, at byte {offset} ({self.clause})"
        return type(self)(message, self.code, path, offset, self.clause, self.reason, self.type_name)


class MessageError(Asn1Error):
    """A message, a file or a time stamp was rejected, or could not be created, for a reason other than its encoding.

    `code` is the reason: `integrity`, `signature`, `digest`, `no-recipient`, `no-certificate`, `no-content`, `limit`,
    `unsupported`, `legacy`, `wrong-key`, `imprint`, `answer`, `refused`, `unsigned-parts`, `sender`, `header-difference` …
    """


class KerberosError(Exception):
    """A KDC or a password-change server rejected a request, or its reply is invalid.

    `code` and `name` are those of RFC 4120 §7.5.9 (24, `KDC_ERR_PREAUTH_FAILED`), or those of a password-change
    server, and `e_text` is the server's text. If no server rejected the request, `code` is None and `name` is the
    reason: `integrity` (a wrong password or key, or a forged reply), `reply`, `malformed`, `no-preauthentication`,
    `kdc-certificate`, `network` …
    """

    code: int | None
    name: str
    e_text: str | None

    def __init__(self, message: str, code: int | None = None, name: str = "", e_text: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.e_text = e_text

    def __reduce__(self) -> tuple[type[KerberosError], tuple[str, int | None, str, str | None]]:
        return (type(self), (str(self), self.code, self.name, self.e_text))


class KerberosConnectionError(KerberosError, ConnectionError):
    """No KDC of the realm is known, or none responded."""


# Tracebacks and pickles name them where users find them.
for _class in (Asn1Error, MessageError, KerberosError, KerberosConnectionError):
    _class.__module__ = "tagwise"
del _class
