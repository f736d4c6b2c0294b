"""Functions on certificates and other encodings in DuckDB's SQL. Requires pyarrow.

```python
import duckdb
from tagwise.columns.duckdb import register

connection = duckdb.connect()
register(connection, "certificate", ["subject", "not_after"])
connection.sql("SELECT certificate(der).subject FROM 'certificates.parquet'")
```
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tagwise.columns._arrow import function

__all__ = ["register"]


def register(
    connection: object,
    name: str,
    fields: Sequence[str] | None = None,
    *,
    kind: str = "certificates",
    **options: Any,
) -> None:
    """Registers a function from BLOB to a structure of the columns of a kind. For the options, see `columns.certificates`."""
    pa: Any = import_module("pyarrow")
    own: Any = connection
    struct, run = function(kind, fields, options)
    # DuckDB translates the type of an empty table, so that no second table of types is needed.
    empty = pa.table({"x": pa.array([], type=struct)})
    returned = own.from_arrow(empty).types[0]
    own.create_function(name, run, ["BLOB"], returned, type="arrow", null_handling="special")
