"""Values as HTML, for notebooks: the tree of `to_json`, as nested tables. All content from values is escaped.

The size of the HTML is limited: only the first items of a list, characters of a text, and cells of a value are shown.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

#: The maximum length of a text that is shown in full, in characters.
_LONGEST = 200
#: The maximum number of list items that are shown.
_ITEMS = 50
#: The maximum number of texts and tables for one value. Even with the longest texts, the HTML stays below 1 MiB.
_CELLS = 1_000
#: The maximum nesting depth of tables.
_DEPTH = 32


class _Page:
    """A page for one value, with the number of cells that may still be added."""

    def __init__(self) -> None:
        self._left = _CELLS

    def cell(self, value: Any, depth: int) -> str:
        self._left -= 1
        if self._left < 0 or depth > _DEPTH:
            return "…"
        if isinstance(value, dict):
            return self.table(value, depth)
        if isinstance(value, list):
            return self._list(value, depth)
        text = json.dumps(value) if isinstance(value, bool) else str(value)
        if len(text) > _LONGEST:
            text = f"{text[:_LONGEST]}… ({len(text)} characters)"
        return html.escape(text)

    def _list(self, items: list[Any], depth: int) -> str:
        is_flat = all(not isinstance(item, (dict, list)) for item in items)
        shown = [self.cell(item, depth + 1) for item in items[: min(_ITEMS, max(1, self._left))]]
        if len(items) > len(shown):
            shown.append(f"… ({len(items)} in all)")
        return "<br>".join(shown) if is_flat else "".join(f"<div>{one}</div>" for one in shown)

    def table(self, record: dict[str, Any], depth: int) -> str:
        rows = []
        for key, value in record.items():
            if value is None or value == []:
                continue
            if self._left <= 0:
                rows.append('<tr><th>…</th><td></td></tr>')
                break
            rows.append(
                f'<tr><th style="text-align: left; vertical-align: top">{self._words(key)}</th>'
                f'<td style="text-align: left">{self.cell(value, depth + 1)}</td></tr>'
            )
        return f"<table>{''.join(rows)}</table>"

    @staticmethod
    def _words(key: str) -> str:
        words = key.replace("_", " ")
        return html.escape(words if len(words) <= _LONGEST else words[:_LONGEST] + "…")


def of(value: object, text: Callable[[], str], key: str) -> str:
    """Creates the table of a value from its JSON. A value without JSON is shown as its `repr`."""
    try:
        table = _Page().table(json.loads(text(), parse_int=str)[key], 0)
    except Exception:
        shown = repr(value)
        table = f"<pre>{html.escape(shown[:10 * _LONGEST])}{'…' if len(shown) > 10 * _LONGEST else ''}</pre>"
    return f"<div><b>{html.escape(type(value).__name__)}</b>{table}</div>"
