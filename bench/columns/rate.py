"""Measures `tagwise.columns`: `rate.py FILE COLUMNS [ROWS] [THREADS]`. The package must be a release build.

FILE has certificates in DER, one after the other, and COLUMNS are names separated by commas, or `all`. Prints the rows, the malformed
ones, the processor time of all threads and the elapsed time, in seconds, and the peak of the memory in MiB. Only the kernel is
measured: batches of 8,192 rows are filled before. With more rows than the file has, its batches are used repeatedly.
"""

import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
from generate import values
from tagwise import columns

BATCH = 8192


def main():
    path, names = sys.argv[1], None if sys.argv[2] == "all" else sys.argv[2].split(",")
    with open(path, "rb") as file:
        rows = list(values(file.read()))
    count = int(sys.argv[3]) if len(sys.argv) > 3 else len(rows)
    threads = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    batches = [pa.array(rows[start : start + BATCH], pa.binary()) for start in range(0, len(rows), BATCH)]
    # Whole batches, so that any number of rows can be made of them.
    batches = [batch for batch in batches if len(batch) == BATCH] or batches
    del rows

    def run(first):
        malformed, spent = 0, 0.0
        for index in range(first, -(-count // BATCH), threads):
            batch = batches[index % len(batches)].slice(0, count - index * BATCH)
            before = time.thread_time()
            result = columns.certificates(batch, names)
            spent += time.thread_time() - before
            malformed += len(result) - pa.array(result).field("error").null_count
        return malformed, spent

    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        results = list(pool.map(run, range(threads)))
    elapsed = time.perf_counter() - start
    malformed, spent = (sum(part) for part in zip(*results))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{count}\t{malformed}\t{spent:.3f}\t{elapsed:.3f}\t{peak}")


if __name__ == "__main__":
    main()
