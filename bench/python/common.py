"""Measuring, as all programs of this folder do it."""

from __future__ import annotations

import importlib.metadata
import platform
import statistics
import time
from collections.abc import Callable, Iterable

ROUNDS = 9

Work = Callable[[], None]

#: The time that this process takes of the processors: what others do on the machine is not in it.
clock = time.process_time


def least(works: dict[str, Work], count: int, seconds: float) -> dict[str, float]:
    """The least time of each, per item, in microseconds; they take turns."""
    repeats = {}
    for name, work in works.items():
        start, rounds = clock(), 0
        while rounds == 0 or clock() - start < seconds / (ROUNDS + 1):
            work()
            rounds += 1
        repeats[name] = rounds
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = clock()
            for _ in range(repeats[name]):
                work()
            best[name] = min(best[name], (clock() - start) / repeats[name])
    return {name: value / count * 1e6 for name, value in best.items()}


def median(works: dict[str, Work], rounds: int) -> dict[str, float]:
    """The median time of each in microseconds, for operations whose time is random; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = clock()
            work()
            times[name].append(clock() - start)
    return {name: statistics.median(list_) * 1e6 for name, list_ in times.items()}


def version(name: str) -> str:
    """A library and its version."""
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return name


def heading(libraries: Iterable[str]) -> str:
    """The line above a table: what was measured."""
    return f"Python {platform.python_version()}; {', '.join(version(name) for name in libraries)}"


def table(columns: list[str], rows: Iterable[tuple[str, dict[str, float]]], ours: str = "tagwise") -> str:
    """Rows of times, and how many times as long as ours the fastest of the others takes."""
    lines = ["| what | " + " | ".join(columns) + " | the best other, times ours |", "|---|" + "---:|" * (len(columns) + 1)]
    for what, times in rows:
        cells = [f"{times[name]:.2f}" if name in times else "" for name in columns]
        others = [time for name, time in times.items() if name != ours]
        ratio = f"{min(others) / times[ours]:.2f}" if others and ours in times else ""
        lines.append(f"| {what} | " + " | ".join(cells) + f" | {ratio} |")
    return "\n".join(lines)
