"""Certificates and other encodings as columns of Spark's data frames, also through Spark Connect. Requires pyarrow.

```python
from tagwise import spark

frame = spark.certificates(frame, "der", ["subject", "not_after"])
frame.select("certificate.subject").show()
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from tagwise.columns._arrow import function

__all__ = ["certificates"]


def certificates(
    frame: object,
    column: str,
    fields: Sequence[str] | None = None,
    *,
    name: str = "certificate",
    kind: str = "certificates",
    **options: Any,
) -> Any:
    """Returns the data frame with a structure of the columns of a kind, computed from a binary or text column.

    `name` is the name of the new column. For the options, see `columns.certificates`.
    """
    types: Any = import_module("pyspark.sql.types")
    pandas_types: Any = import_module("pyspark.sql.pandas.types")
    own: Any = frame
    struct, _ = function(kind, fields, options)
    fields = None if fields is None else list(fields)

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        pa: Any = import_module("pyarrow")
        _, run = function(kind, fields, options)
        for batch in batches:
            added = run(batch.column(batch.schema.get_field_index(column)))
            # Arrays of a batch are one chunk.
            arrays = [*batch.columns, added]
            yield pa.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, name])

    schema = types.StructType([*own.schema.fields])
    schema.add(name, pandas_types.from_arrow_type(struct))
    return own.mapInArrow(read, schema)
