"""Exceptions for contexts, with the names of `gssapi.exceptions`."""

from __future__ import annotations

__all__ = [
    "BadChannelBindingsError",
    "BadMICError",
    "BadNameError",
    "DuplicateTokenError",
    "ExpiredTokenError",
    "GSSError",
    "InvalidTokenError",
    "MissingContextError",
    "MissingCredentialsError",
    "TokenOutOfSequenceError",
    "TokenTooEarlyError",
    "TokenTooLateError",
]


class GSSError(Exception):
    """A rejected token, or a context that cannot perform the operation.

    `maj_code` is the major status of RFC 2744 §3.9.1. `peer_code` is the RFC 4120 §7.5.9 error code that the peer
    sent, or None.
    """

    maj_code: int
    peer_code: int | None

    def __init__(self, message: str, maj_code: int = 13 << 16, peer_code: int | None = None) -> None:
        super().__init__(message)
        self.maj_code = maj_code
        self.peer_code = peer_code

    def __reduce__(self) -> tuple[type[GSSError], tuple[str, int, int | None]]:
        return (type(self), (str(self), self.maj_code, self.peer_code))


class BadNameError(GSSError):
    """A name that cannot be used."""


class BadChannelBindingsError(GSSError):
    """The peer's channel bindings differ or are missing."""


class BadMICError(GSSError):
    """A signature or an encrypted message does not verify: it is damaged, uses another key, or comes from another sender."""


class MissingCredentialsError(GSSError):
    """A ticket or key that the context needs is missing."""


class MissingContextError(GSSError):
    """The context is in the wrong state for the operation."""


class InvalidTokenError(GSSError):
    """A token is malformed."""


class TokenOutOfSequenceError(GSSError):
    """A message arrived out of order. `result` is the value that would have been returned; the message itself is genuine."""

    result: object = None


class DuplicateTokenError(TokenOutOfSequenceError):
    """A message or authenticator is a duplicate."""


class ExpiredTokenError(TokenOutOfSequenceError):
    """A message is too old to check whether it is a duplicate."""


class TokenTooLateError(TokenOutOfSequenceError):
    """A message arrived after a later one."""


class TokenTooEarlyError(TokenOutOfSequenceError):
    """A message arrived before earlier ones."""


_BY_STATUS: dict[int, type[GSSError]] = {
    2 << 16: BadNameError,
    4 << 16: BadChannelBindingsError,
    6 << 16: BadMICError,
    7 << 16: MissingCredentialsError,
    8 << 16: MissingContextError,
    9 << 16: InvalidTokenError,
    2: DuplicateTokenError,
    4: ExpiredTokenError,
    8: TokenTooLateError,
    16: TokenTooEarlyError,
}


def of_status(message: str, status: int, peer_code: int | None = None) -> GSSError:
    """Creates the exception for a GSS-API major status."""
    return _BY_STATUS.get(status, GSSError)(message, status, peer_code)
