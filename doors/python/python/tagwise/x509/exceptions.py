"""Exceptions other than encoding errors."""

from __future__ import annotations

__all__ = ["InvalidSignature", "NotInstalled", "UnsupportedAlgorithm"]


class InvalidSignature(Exception):
    """The signature is not valid for the key."""


class UnsupportedAlgorithm(Exception):
    """An algorithm is unknown, or no backend supports it."""


class NotInstalled(ImportError):
    """An optional package that is required here is not installed."""
