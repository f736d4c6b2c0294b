"""Moments between seconds since 1970 and `datetime`."""

from __future__ import annotations

import datetime

_EPOCH = datetime.datetime(1970, 1, 1)
_EPOCH_UTC = _EPOCH.replace(tzinfo=datetime.timezone.utc)


def naive(seconds: int) -> datetime.datetime:
    """A moment in UTC that does not say so."""
    return _EPOCH + datetime.timedelta(seconds=seconds)


def utc(seconds: int) -> datetime.datetime:
    """A moment in UTC."""
    return _EPOCH_UTC + datetime.timedelta(seconds=seconds)


def as_naive(moment: datetime.datetime) -> datetime.datetime:
    """A moment in UTC without its time zone; one that has none is taken to be in UTC."""
    if moment.tzinfo is None:
        return moment
    return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def seconds(moment: datetime.datetime) -> int:
    """Whole seconds since 1970."""
    difference = as_naive(moment) - _EPOCH
    return difference.days * 86400 + difference.seconds
