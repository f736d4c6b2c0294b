"""Verification of paths. Not there yet: what stands here raises NotImplementedError."""

from __future__ import annotations

__all__ = ["VerificationError"]


class VerificationError(Exception):
    """No path was found, or none that holds."""
