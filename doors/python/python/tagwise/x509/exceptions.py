"""Exceptions that are not about encodings."""

from __future__ import annotations

__all__ = ["InvalidSignature", "NotInstalled", "UnsupportedAlgorithm"]


class InvalidSignature(Exception):
    """A signature is not that of the message by the key."""


class UnsupportedAlgorithm(Exception):
    """An algorithm that is not known, or that no backend has."""


class NotInstalled(ImportError):
    """A package that is not needed otherwise is asked for, and is not there."""
