"""Certificates and other encodings as columns in Ray Data. Requires pyarrow.

```python
from tagwise.columns.ray import certificates

dataset.map_batches(certificates("der", ["subject", "not_after"]), batch_format="pyarrow")
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tagwise.columns._arrow import function

__all__ = ["certificates"]


def certificates(
    column: str,
    fields: Sequence[str] | None = None,
    *,
    name: str = "certificate",
    kind: str = "certificates",
    **options: Any,
) -> Callable[[Any], Any]:
    """Returns a function that adds a structure of the columns of a kind to a pyarrow table.

    For the options, see `columns.certificates`.
    """

    def add(table: Any) -> Any:
        _, run = function(kind, fields, options)
        return table.append_column(name, run(table.column(column)))

    return add
