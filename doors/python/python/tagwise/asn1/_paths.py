"""Component paths, in the notation used in errors, and patterns for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_STEP = re.compile(r"\.?([^.\[\]]+)|\[([0-9]+|\*)\]")


def steps(path: str) -> tuple[str, ...]:
    """Splits a path into its steps: names, and items in brackets.

    >>> steps("a.b[3][*].c")
    ('a', 'b', '[3]', '[*]', 'c')
    """
    found: list[str] = []
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None or (match[1] is not None and (path[at] == ".") == (not found)):
            raise ValueError(f"`{path}` is not written as paths are, from character {at + 1} on")
        found.append(match[1] if match[1] is not None else f"[{match[2]}]")
        at = match.end()
    return tuple(found)


def written(steps: Iterable[str]) -> str:
    """Joins steps to a path.

    >>> written(("a", "b", "[3]", "c")), written(("[1]", "a"))
    ('a.b[3].c', '[1].a')
    """
    return "".join(step if step[0] == "[" else f".{step}" for step in steps).removeprefix(".")


def join(prefix: str, path: str) -> str:
    """Appends a path to another path.

    >>> join("a", "[1].b"), join("a", "b"), join("", "b"), join("a", "")
    ('a[1].b', 'a.b', 'b', 'a')
    """
    return f"{prefix}{'.' if prefix and path and path[0] != '[' else ''}{path}"


def matches(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Returns whether the steps of a path match a pattern: `[*]` is any item, `*` any step, `**` any number of steps.

    >>> matches(steps("**.algorithm"), steps("a[1].algorithm")), matches(steps("a[*].b"), steps("a[1].b"))
    (True, True)
    >>> matches(steps("*.b"), steps("a[1].b"))
    False
    """
    return len(pattern) in _reached(pattern, path)


def leads(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Returns whether a pattern can match a path that continues after these steps.

    >>> leads(steps("a[*].b"), steps("a[1]")), leads(steps("a[*].b"), steps("a[1].b")), leads(steps("**.b"), steps("a.b"))
    (True, False, True)
    """
    return any(state < len(pattern) for state in _reached(pattern, path))


def _reached(pattern: Sequence[str], path: Sequence[str]) -> set[int]:
    """Returns the states of the pattern that the steps of a path can lead to."""
    reached = _closed({0}, pattern)
    for step in path:
        following: set[int] = set()
        for state in reached:
            if state == len(pattern):
                continue
            wanted = pattern[state]
            if wanted == "**":
                following.add(state)
            elif wanted in (step, "*") or (wanted == "[*]" and step.startswith("[")):
                following.add(state + 1)
        reached = _closed(following, pattern)
    return reached


def _closed(states: set[int], pattern: Sequence[str]) -> set[int]:
    """Returns the states, together with those that `**` reaches without a step."""
    closed = set(states)
    for state in sorted(states):
        while state < len(pattern) and pattern[state] == "**":
            state += 1
            closed.add(state)
    return closed
