"""Certificates, CRLs, requests, OCSP responses and CMS messages as Arrow columns, for data frames and query engines.

Each function reads a column of encodings (DER, PEM or base64) and returns a structure of typed columns. Input and output
use Arrow's PyCapsule interface, which pyarrow, Polars, DuckDB and others support. Nothing is copied between the libraries,
and none of them is required.

>>> from tagwise import columns
>>> result = columns.certificates([b"\\x30\\x00", None], ["subject", "not_after"])
>>> len(result)
2

Every byte of a row is checked. A malformed row keeps its position: its columns are null, and its column `error` has the
error's kind, path, offset, clause and rule.

`tagwise.columns.polars`, `duckdb`, `datafusion`, `daft` and `ray`, and `tagwise.spark`, add these functions to engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from tagwise._data import Data
from tagwise._native import ColumnArray, ColumnKernel, column_table

__all__ = [
    "FIELDS",
    "ArrowArray",
    "ArrowStream",
    "Column",
    "ColumnArray",
    "ColumnStream",
    "Field",
    "certificates",
    "cms",
    "crls",
    "log_entries",
    "ocsp",
    "requests",
]


class ArrowArray(Protocol):
    """An array or a batch of another library (Arrow's PyCapsule interface)."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """A chunked array, a table or a stream of batches of another library (Arrow's PyCapsule interface)."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


#: What the functions of this module read.
Column = ArrowArray | ArrowStream | Iterable[bytes | bytearray | memoryview | str | None]


class Field(Data):
    """A column."""

    __slots__ = ("_about", "_name", "_type")
    _fields = ("name", "type", "about")

    def __init__(self, name: str, type: str, about: str) -> None:
        self._name = name
        self._type = type
        self._about = about

    @property
    def name(self) -> str:
        """The name of the column."""
        return self._name

    @property
    def type(self) -> str:
        """The Arrow type of the column, without dictionaries and views."""
        return self._type

    @property
    def about(self) -> str:
        """The contents in a few words."""
        return self._about


#: The columns of each kind: `certificates`, `crls`, `requests`, `ocsp`, `cms` and `log_entries`.
FIELDS: dict[str, tuple[Field, ...]] = {
    kind: tuple(Field(*field) for field in fields) for kind, fields in column_table()
}


class ColumnStream:
    """The columns of a stream of batches, which are computed as they are consumed."""

    __slots__ = ("_column", "_data", "_kernel")

    def __init__(self, kernel: ColumnKernel, data: ArrowStream, column: str | None) -> None:
        self._kernel = kernel
        self._data = data
        self._column = column

    def __arrow_c_schema__(self) -> object:
        return self._kernel.schema()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._kernel.stream(self._data.__arrow_c_stream__(), self._column)


def _run(
    kind: str,
    data: Column,
    fields: Sequence[str] | None,
    column: str | None,
    allow: Iterable[str],
    partial: bool,
    outline: bool,
    plain: bool,
) -> ColumnArray | ColumnStream:
    if isinstance(fields, str):
        raise TypeError("fields must be a sequence of names, not a string")
    if isinstance(allow, str):
        raise TypeError("allow must be a sequence of names, not a string")
    kernel = ColumnKernel(kind, None if fields is None else list(fields), list(allow), partial, outline, plain)
    export = getattr(data, "__arrow_c_array__", None)
    if export is not None:
        schema, array = export()
        return kernel.array(schema, array, column)
    if hasattr(data, "__arrow_c_stream__"):
        return ColumnStream(kernel, cast("ArrowStream", data), column)
    if column is not None:
        raise TypeError("only a table has named columns")
    if isinstance(data, (bytes, bytearray, memoryview, str)):
        raise TypeError("expected a column of values, not one value")
    return kernel.values(list(cast("Iterable[object]", data)))


def certificates(
    data: Column,
    fields: Sequence[str] | None = None,
    *,
    column: str | None = None,
    allow: Iterable[str] = (),
    partial: bool = False,
    outline: bool = False,
    plain: bool = False,
) -> ColumnArray | ColumnStream:
    """Reads certificates as columns: `fields`, or all of `FIELDS["certificates"]`, and `error`.

    `data` is an array, a table (with the name of its `column`), a stream of one of these, or an iterable of bytes, text
    and None. `allow` names rules that rows may violate. With `partial`, malformed rows keep their readable columns. With
    `outline`, only the outer structure of a row and the requested columns are checked. With `plain`, the result has no
    dictionaries and no views, which some engines do not support.
    """
    return _run("certificates", data, fields, column, allow, partial, outline, plain)


def crls(
    data: Column,
    fields: Sequence[str] | None = None,
    *,
    column: str | None = None,
    allow: Iterable[str] = (),
    partial: bool = False,
    outline: bool = False,
    plain: bool = False,
) -> ColumnArray | ColumnStream:
    """Reads CRLs as columns, with their entries as a list. For the arguments, see `certificates`."""
    return _run("crls", data, fields, column, allow, partial, outline, plain)


def requests(
    data: Column,
    fields: Sequence[str] | None = None,
    *,
    column: str | None = None,
    allow: Iterable[str] = (),
    partial: bool = False,
    outline: bool = False,
    plain: bool = False,
) -> ColumnArray | ColumnStream:
    """Reads certification requests as columns. For the arguments, see `certificates`."""
    return _run("requests", data, fields, column, allow, partial, outline, plain)


def ocsp(
    data: Column,
    fields: Sequence[str] | None = None,
    *,
    column: str | None = None,
    allow: Iterable[str] = (),
    partial: bool = False,
    outline: bool = False,
    plain: bool = False,
) -> ColumnArray | ColumnStream:
    """Reads OCSP responses as columns, with their single responses as a list. For the arguments, see `certificates`."""
    return _run("ocsp", data, fields, column, allow, partial, outline, plain)


def cms(
    data: Column,
    fields: Sequence[str] | None = None,
    *,
    column: str | None = None,
    allow: Iterable[str] = (),
    partial: bool = False,
    outline: bool = False,
    plain: bool = False,
) -> ColumnArray | ColumnStream:
    """Reads CMS messages as columns, with their signers as a list. For the arguments, see `certificates`."""
    return _run("cms", data, fields, column, allow, partial, outline, plain)


def log_entries(
    data: Column,
    fields: Sequence[str] | None = None,
    *,
    column: str | None = None,
    allow: Iterable[str] = (),
    partial: bool = False,
    outline: bool = False,
    plain: bool = False,
) -> ColumnArray | ColumnStream:
    """Reads entries of Merkle Tree Certificate logs as columns. For the arguments, see `certificates`."""
    return _run("log_entries", data, fields, column, allow, partial, outline, plain)
