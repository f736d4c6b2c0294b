"""Functions on pyarrow's arrays, which most engines pass to user-defined functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from tagwise import columns


def function(kind: str, fields: Sequence[str] | None, options: dict[str, Any]) -> tuple[Any, Callable[[Any], Any]]:
    """Returns the structure type of the columns of a kind, and a function from a pyarrow array to a structure array."""
    pa = import_module("pyarrow")
    read = getattr(columns, kind)

    def run(array: Any) -> Any:
        if isinstance(array, pa.ChunkedArray):
            chunks = [run(chunk) for chunk in array.chunks]
            return pa.chunked_array(chunks, type=struct)
        return pa.array(read(array, fields, plain=True, **options))

    struct = pa.array(read([], fields, plain=True, **options)).type
    return struct, run
