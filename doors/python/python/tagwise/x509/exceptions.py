"""Exceptions that are not about encodings."""

from __future__ import annotations

__all__ = ["InvalidSignature", "NotInstalled", "UnsupportedAlgorithm"]


class InvalidSignature(Exception):
    """The signature does not verify with the key."""


class UnsupportedAlgorithm(Exception):
    """An unknown algorithm, or one that no backend supports."""


class NotInstalled(ImportError):
    """An optional package that is required here is not installed."""
