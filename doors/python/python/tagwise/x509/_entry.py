"""CRL entries."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from tagwise import _native
from tagwise._data import Native, hexadecimal, moment, native
from tagwise.x509 import _times
from tagwise.x509._extension import ENTRY, Placed
from tagwise.x509._frame import Extended, without_zone
from tagwise.x509.extensions import CRLReason, Extensions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

if TYPE_CHECKING:
    _NativeEntry = _native.RevokedCertificate
else:
    _NativeEntry = Native


@native(_native.RevokedCertificate)
class RevokedCertificate(_NativeEntry, Extended):  # type: ignore[misc]  # pyright: ignore
    """A CRL entry (RFC 5280 §5.1.2.6)."""

    __slots__ = ()

    @property
    def revocation_date(self) -> datetime.datetime:
        """The revocation time in UTC, without a time zone."""
        without_zone("revocation_date")
        return _times.naive(self._date)

    @property
    def revocation_date_utc(self) -> datetime.datetime:
        """The revocation time."""
        return _times.utc(self._date)

    def __repr__(self) -> str:
        number, date = hexadecimal(lambda: self.serial_number), moment(lambda: self.revocation_date_utc)
        return f"<RevokedCertificate(serial_number={number}, revocation_date={date}{self._reason()})>"

    def _reason(self) -> str:
        try:
            return f", reason={self.extension(CRLReason).value.reason.value}"
        except Exception:
            return ""

    def __reduce__(self) -> tuple[Any, ...]:
        return (entry_of, (self._raw, self._allow))

    def _listed(self) -> list[Placed]:
        return self._triples

    def _read(self, listed: list[Placed]) -> Extensions:
        whole = self._whole
        return _native.extensions_of(listed, ENTRY, None if whole is None else ("CertificateList", whole._der), self._allow)

    def _make_extensions(self) -> Extensions:
        return self._extensions_in(ENTRY)


def entry_of(der: bytes, allow: Sequence[str] = ()) -> RevokedCertificate:
    """Restores an entry that was pickled."""
    entry: Any = _native.read_entry(der, list(allow))
    made: RevokedCertificate = entry
    return made
