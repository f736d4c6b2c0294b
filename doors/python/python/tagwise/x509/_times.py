"""Conversion between seconds since 1970 and `datetime`, which supports the years 1 to 9999. ASN.1 also has a year 0."""

from __future__ import annotations

import datetime

TYPE_CHECKING = False

if TYPE_CHECKING:
    import decimal

_EPOCH = datetime.datetime(1970, 1, 1)
_EPOCH_UTC = _EPOCH.replace(tzinfo=datetime.timezone.utc)


def _after(days: int, seconds: int, microseconds: int) -> datetime.datetime:
    try:
        return _EPOCH + datetime.timedelta(days, seconds, microseconds)
    except OverflowError:
        raise ValueError("the time is outside the years 1 to 9999") from None


def naive(seconds: int | decimal.Decimal | str) -> datetime.datetime:
    """Converts to a naive `datetime` in UTC. Fractions below a microsecond are discarded. A leap second, given as
    text, becomes the second that follows."""
    if isinstance(seconds, str):
        before, digits = datetime.datetime.strptime(seconds[:12] + "59", "%Y%m%d%H%M%S"), seconds[15:].rstrip("Z")
        return _after((before - _EPOCH).days, 86400, int(digits.ljust(6, "0")[:6]))
    if isinstance(seconds, int):
        return _after(0, seconds, 0)
    # In integers: the arithmetic of `decimal` would round by the caller's context.
    over, under = seconds.as_integer_ratio()
    whole, fraction = divmod(over * 1_000_000 // under, 1_000_000)
    return _after(0, whole, fraction)


def utc(seconds: int | decimal.Decimal | str) -> datetime.datetime:
    """Converts seconds since 1970 to a `datetime` in UTC."""
    if isinstance(seconds, int):
        try:
            return _EPOCH_UTC + datetime.timedelta(0, seconds)
        except OverflowError:
            raise ValueError("the time is outside the years 1 to 9999") from None
    return naive(seconds).replace(tzinfo=datetime.timezone.utc)


def of_milliseconds(milliseconds: int) -> datetime.datetime:
    """Converts a log's timestamp in milliseconds to a naive `datetime` in UTC."""
    seconds, rest = divmod(milliseconds, 1000)
    return _after(0, seconds, rest * 1000)


def as_naive(moment: datetime.datetime) -> datetime.datetime:
    """Converts a time to a naive `datetime` in UTC. A time without a time zone is assumed to be in UTC."""
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    except OverflowError:
        raise ValueError("the time is outside the years 1 to 9999") from None


def seconds(moment: datetime.datetime) -> int:
    """Converts a time to whole seconds since 1970."""
    difference = (moment if moment.tzinfo is None else as_naive(moment)) - _EPOCH
    return difference.days * 86400 + difference.seconds
