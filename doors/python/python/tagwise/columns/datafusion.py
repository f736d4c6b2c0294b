"""A user-defined function on certificates and other encodings for DataFusion. Requires pyarrow.

```python
import datafusion
from tagwise.columns.datafusion import function

context = datafusion.SessionContext()
context.register_udf(function("certificate", ["subject", "not_after"]))
context.sql("SELECT certificate(der)['subject'] FROM certificates")
```
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tagwise.columns import _arrow

__all__ = ["function"]


def function(
    name: str,
    fields: Sequence[str] | None = None,
    *,
    kind: str = "certificates",
    input_type: object | None = None,
    **options: Any,
) -> Any:
    """Returns a function from binary (or `input_type`) to a structure of the columns of a kind.

    For the options, see `columns.certificates`.
    """
    pa: Any = import_module("pyarrow")
    datafusion: Any = import_module("datafusion")
    struct, run = _arrow.function(kind, fields, options)
    return datafusion.udf(run, [input_type or pa.binary()], struct, "immutable", name)
