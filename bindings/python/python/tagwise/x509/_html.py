"""Values as HTML, for notebooks: the tree that `to_json` has, as nested tables. Everything that comes from a value is escaped."""

from __future__ import annotations

import html
import json
from typing import Any

#: The longest text that is shown whole.
_LONGEST = 200


def _words(key: str) -> str:
    return html.escape(key.replace("_", " "))


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return _table(value)
    if isinstance(value, list):
        if all(not isinstance(item, (dict, list)) for item in value):
            return "<br>".join(_cell(item) for item in value)
        return "".join(f"<div>{_cell(item)}</div>" for item in value)
    text = json.dumps(value) if isinstance(value, bool) else str(value)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}… ({len(text)} characters)"
    return html.escape(text)


def _table(record: dict[str, Any]) -> str:
    rows = (
        f'<tr><th style="text-align: left; vertical-align: top">{_words(key)}</th>'
        f'<td style="text-align: left">{_cell(value)}</td></tr>'
        for key, value in record.items()
        if value is not None and value != []
    )
    return f"<table>{''.join(rows)}</table>"


def of(title: str, text: str, key: str) -> str:
    """The table of one value from its JSON."""
    shown = json.loads(text)
    return f"<div><b>{html.escape(title)}</b>{_table(shown[key])}</div>"
