"""Measures columns of certificates beside other libraries: `measure.py ZCRYPTO CERTS FOLDER [ROWS] [ROUNDS]`.

ZCRYPTO is the program in `zcrypto`, and CERTS has certificates in DER (CCADB). The interpreter needs a release build of tagwise, and
pyarrow, cryptography and asn1crypto. Generates ROWS certificates in FOLDER [default: 1000000], and prints the tables of
`bench/results/columns.md`. Each figure is the median of ROUNDS [default: 3], in processor time, so that other load changes it little.
"""

import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NAMES = "serial,subject,issuer,not_before,not_after"
PROJECTIONS = {
    "names": NAMES,
    "inventory": NAMES + ",san_dns,key_type,key_bits,signature_algorithm,is_ca,sha256",
    "all": "all",
}
# The number of certificates that the slower libraries read.
SAMPLE = 5_000


def output(*command):
    run = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    return [float(cell) for cell in run.stdout.split("\t")]


def script(name, *arguments):
    return output(sys.executable, "-W", "ignore", HERE / name, *arguments)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def main():
    zcrypto, certificates, folder = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 1_000_000
    rounds = range(int(sys.argv[5]) if len(sys.argv) > 5 else 3)
    data = Path(folder) / "certificates.der"
    command = [sys.executable, HERE / "generate.py", certificates, str(count), data]
    subprocess.run(command, check=True)
    octets = os.path.getsize(data)
    print(f"{count:,} certificates, {octets:,} bytes, {octets / count:.0f} bytes on average\n", flush=True)

    def rate(runs):
        return f"{statistics.median(run[0] / run[2] for run in runs):,.0f}"

    print("## Certificates per second and core\n")
    row("", *PROJECTIONS)
    row("---", *["--:"] * len(PROJECTIONS))
    row("Tagwise", *(rate([script("rate.py", data, names, count) for _ in rounds]) for names in PROJECTIONS.values()))
    for library in ("cryptography", "asn1crypto"):
        peer = [[script("peers.py", library, name, data, SAMPLE) for _ in rounds] for name in PROJECTIONS]
        row(library, *map(rate, peer))
    row("zcrypto, JSON", "", "", rate([output(zcrypto, data, 2 * SAMPLE) for _ in rounds]))

    print("\n## Time per row\n")
    row("rows", "names, ns", "all, ns")
    row("--:", "--:", "--:")
    rows = 10_000
    while rows <= 10 * count:
        cells = [output_ns(script("rate.py", data, names, rows)) for names in (NAMES, "all")]
        row(f"{rows:,}", *cells)
        rows *= 10

    print("\n## Threads\n")
    row("threads", "processor time, s", "elapsed, s")
    row("--:", "--:", "--:")
    for threads in (1, 2):
        runs = [script("rate.py", data, "all", count, threads) for _ in rounds]
        row(threads, *(f"{min(run[index] for run in runs):.2f}" for index in (2, 3)))


def output_ns(run):
    return f"{run[2] / run[0] * 1e9:,.0f}"


if __name__ == "__main__":
    main()
