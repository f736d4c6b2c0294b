"""Certificates and other encodings as structures in Daft. Requires pyarrow.

```python
import daft
from tagwise.columns.daft import certificates

frame.with_column("x509", certificates(daft.col("der"), ["subject", "not_after"]))
```
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tagwise.columns._arrow import function

__all__ = ["certificates"]


def certificates(
    column: object, fields: Sequence[str] | None = None, *, kind: str = "certificates", **options: Any
) -> Any:
    """Returns an expression with a structure of the columns of a kind. For the options, see `columns.certificates`."""
    daft: Any = import_module("daft")
    struct, run = function(kind, fields, options)

    def read(series: Any) -> Any:
        return daft.Series.from_arrow(run(series.to_arrow()))

    batch: Any = daft.func.batch(return_dtype=daft.DataType.from_arrow_type(struct))
    return batch(read)(column)
