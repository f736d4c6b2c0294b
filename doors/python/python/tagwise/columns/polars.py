"""Certificates and other encodings as structures in Polars.

```python
import polars as pl
from tagwise.columns.polars import certificates

frame.with_columns(certificates("der", ["subject", "not_after"]).alias("x509")).unnest("x509")
```
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tagwise import columns

__all__ = ["certificates", "cms", "crls", "log_entries", "ocsp", "requests"]


def _expression(kind: str, column: object, fields: Sequence[str] | None, options: dict[str, Any]) -> Any:
    pl: Any = import_module("polars")
    read = getattr(columns, kind)

    def run(series: Any) -> Any:
        # A stream has the chunks of the series; a series may have none.
        return pl.DataFrame(read(series, fields, plain=True, **options)).to_struct(series.name)

    dtype = run(pl.Series("empty", [], dtype=pl.Binary)).dtype
    expression: Any = pl.col(column) if isinstance(column, str) else column
    return expression.map_batches(run, return_dtype=dtype, is_elementwise=True)


def certificates(column: object, fields: Sequence[str] | None = None, **options: Any) -> Any:
    """Returns an expression with a structure of the columns of certificates in a column, given by name or expression."""
    return _expression("certificates", column, fields, options)


def crls(column: object, fields: Sequence[str] | None = None, **options: Any) -> Any:
    """Like `certificates`, for CRLs."""
    return _expression("crls", column, fields, options)


def requests(column: object, fields: Sequence[str] | None = None, **options: Any) -> Any:
    """Like `certificates`, for certification requests."""
    return _expression("requests", column, fields, options)


def ocsp(column: object, fields: Sequence[str] | None = None, **options: Any) -> Any:
    """Like `certificates`, for OCSP responses."""
    return _expression("ocsp", column, fields, options)


def cms(column: object, fields: Sequence[str] | None = None, **options: Any) -> Any:
    """Like `certificates`, for CMS messages."""
    return _expression("cms", column, fields, options)


def log_entries(column: object, fields: Sequence[str] | None = None, **options: Any) -> Any:
    """Like `certificates`, for entries of Merkle Tree Certificate logs."""
    return _expression("log_entries", column, fields, options)
