"""Certificates, requests, CRLs and other values in inputs, files and folders."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tagwise import _native
from tagwise._data import Data
from tagwise.x509.base import (
    Certificate,
    CertificateRevocationList,
    CertificateSigningRequest,
    InvalidVersion,
)

if TYPE_CHECKING:
    from tagwise import _kinds

#: The maximum number of bytes of files to keep in memory.
_BATCH = 64 << 20
#: The default maximum file size, in bytes.
_LARGEST = 1 << 30

_KINDS: dict[str, Callable[..., Certificate | CertificateRevocationList | CertificateSigningRequest]] = {
    "certificate": Certificate,
    "crl": CertificateRevocationList,
    "certification-request": CertificateSigningRequest,
}


class Item(Data):
    """A value in an input, or the error for it."""

    __slots__ = ("_data", "_description", "_entry", "_error", "_kind", "_label", "_line", "_offset", "_value")
    _fields: ClassVar[tuple[str, ...]] = ("kind", "label", "line", "offset", "entry", "value", "error")

    def __init__(
        self,
        kind: str,
        label: str | None = None,
        line: int | None = None,
        offset: int = 0,
        data: bytes = b"",
        value: Certificate | CertificateRevocationList | CertificateSigningRequest | None = None,
        error: Exception | None = None,
        description: str = "",
        entry: str | None = None,
    ) -> None:
        self._description = description
        self._entry = entry
        self._kind = kind
        self._label = label
        self._line = line
        self._offset = offset
        self._data = data
        self._value = value
        self._error = error

    @property
    def kind(self) -> str:
        """The kind, as in the JSON of `tagwise show`: `certificate`, `crl`, `certification-request`, `private-key` …,
        `other` or `unreadable`.

        Empty if the file could not be read.
        """
        return self._kind

    @property
    def description(self) -> str:
        """A description of the kind, such as `an OpenSSH private key`."""
        return self._description

    @property
    def entry(self) -> str | None:
        """The archive member that contains the value, or None."""
        return self._entry

    @property
    def label(self) -> str | None:
        """The label of the value's PEM block, or None."""
        return self._label

    @property
    def line(self) -> int | None:
        """The first line of the value's PEM block, counted from 1, or None."""
        return self._line

    @property
    def offset(self) -> int:
        """The offset of the value's first byte in the file, or in the decoded text."""
        return self._offset

    @property
    def data(self) -> bytes:
        """The encoded value."""
        return self._data

    @property
    def value(self) -> Certificate | CertificateRevocationList | CertificateSigningRequest | None:
        """The certificate, the CRL or the request, or None for other kinds and if there is an error."""
        return self._value

    @property
    def error(self) -> Exception | None:
        """The error, if the value cannot be read."""
        return self._error


class Found(Item):
    """A value in a file, or the error for it."""

    __slots__ = ("_path",)
    _fields = ("path", *Item._fields)

    def __init__(self, path: pathlib.Path, kind: str = "", *rest: Any, error: Exception | None = None) -> None:
        super().__init__(kind, *rest) if rest else super().__init__(kind, error=error)
        self._path = path

    @property
    def path(self) -> pathlib.Path:
        """The path of the file."""
        return self._path


def _files(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """Iterates over the files in a folder and its subfolders, sorted by name. Symbolic links to folders are not followed."""
    if not path.is_dir():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = pathlib.Path(folder, name)
            if file.is_file():
                yield file


def _batches(path: pathlib.Path, largest: int) -> Iterator[tuple[list[tuple[pathlib.Path, bytes]], list[Found]]]:
    read: list[tuple[pathlib.Path, bytes]] = []
    wrong: list[Found] = []
    size = 0
    for file in _files(path):
        try:
            if file.stat().st_size > largest:
                raise OSError(f"the file has more than {largest} bytes")
            data = file.read_bytes()
        except OSError as error:
            if file == path:
                raise
            wrong.append(Found(file, error=error))
            continue
        read.append((file, data))
        size += len(data)
        if size >= _BATCH:
            yield read, wrong
            read, wrong, size = [], [], 0
    yield read, wrong


def _made(item: tuple[Any, ...], allow: Sequence[str]) -> tuple[Any, ...]:
    """Returns the fields of an item, including its decoded value."""
    kind, words, label, line, offset, entry, data, _, problem = item
    value = None
    error: Exception | None = None if problem is None else ValueError(problem)
    made = _KINDS.get(kind) if error is None else None
    if made is not None:
        try:
            value = made(data, allow=allow)
        except (ValueError, InvalidVersion) as wrong:
            error = wrong
    return kind, label, line, offset, data, value, error, words, entry


def find(data: _kinds.Text, *, allow: Sequence[str] = ()) -> list[Item]:
    """Lists the values in an input of any format that `tagwise show` supports.

    The format is detected: PEM, DER, BER, hexadecimal, base64, tar, zip, gzip, zstd, CSV, `certdata.txt`, Java
    keystores, entries of CT logs, and base64 in other text. `allow` names the rules that the text and the values may violate.
    """
    octets = data.encode() if isinstance(data, str) else data
    ((_, items),) = _native.find_many([octets], list(allow))
    return [Item(*_made(item, allow)) for item in items]


def scan(
    path: str | os.PathLike[str], *, allow: Sequence[str] = (), largest: int = _LARGEST
) -> Iterator[Found]:
    """Finds everything in a file, or recursively in a folder: certificates, requests, CRLs, keys and messages.

    The formats are those of `find`. All processors are used, with the GIL released. If a file or value cannot be
    read, the result contains the error in its place. Files larger than `largest` bytes are not read.
    """
    whole = pathlib.Path(path)
    for read, wrong in _batches(whole, largest):
        found = _native.find_many([data for _, data in read], [*_native.pem_rules(), *allow])
        for (file, _), (_, items) in zip(read, found):
            for item in items:
                yield Found(file, *_made(item, allow))
        yield from wrong
