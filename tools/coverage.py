"""Prints line coverage by crate from the summary that `llvm-cov export` writes: `coverage.py NAME FILE`."""

import collections
import json
import pathlib
import sys


def main() -> None:
    name, file = sys.argv[1:]
    totals: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    for data in json.loads(pathlib.Path(file).read_text())["data"]:
        for entry in data["files"]:
            parts = pathlib.Path(entry["filename"]).parts
            if "src" not in parts:
                continue
            crate = parts[parts.index("src") - 1]
            lines = entry["summary"]["lines"]
            for key in (crate, "total"):
                totals[key][0] += lines["covered"]
                totals[key][1] += lines["count"]
    for crate, (covered, count) in sorted(totals.items(), key=lambda item: item[0]):
        print(f"{name}\t{crate}\t{covered}\t{count}\t{100 * covered / max(count, 1):.1f} %")


main()
