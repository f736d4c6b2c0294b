"""Exceptions."""

from __future__ import annotations


class Asn1Error(ValueError):
    """What is wrong with an encoding, or with a value that is to be encoded.

    `code` stays the same from version to version, `path` names the component (`tbsCertificate.validity.notAfter`), `offset` is the
    byte of the input, or None where a value was to be encoded, and `clause` is the section of the standard.
    """

    code: str
    path: str
    offset: int | None
    clause: str

    def __init__(self, message: str, code: str = "", path: str = "", offset: int | None = None, clause: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.offset = offset
        self.clause = clause

    def __reduce__(self) -> tuple[type[Asn1Error], tuple[str, str, str, int | None, str]]:
        return (type(self), (str(self), self.code, self.path, self.offset, self.clause))
