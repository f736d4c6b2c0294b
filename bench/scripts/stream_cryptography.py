"""The same list with Python's cryptography: python3 stream_cryptography.py FILE [ROUNDS]."""

import resource
import sys
import time

import cryptography
from cryptography import x509


def once(data):
    start = time.thread_time()
    crl = x509.load_der_x509_crl(data)
    loaded = time.thread_time()
    total = 0
    for entry in crl:
        total += entry.serial_number
        entry.revocation_date_utc
    return loaded - start, time.thread_time() - start, total


data = open(sys.argv[1], "rb").read()
runs = [once(data) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5)]
count = len(x509.load_der_x509_crl(data))
best = min(run[1] for run in runs)
median = sorted(run[1] for run in runs)[len(runs) // 2]
print(f"cryptography {cryptography.__version__}, Python {sys.version.split()[0]}: {count} entries")
print(f"load {min(run[0] for run in runs) * 1e3:.1f} ms; load and iterate: median {median / count * 1e9:.0f}, least {best / count * 1e9:.0f} ns an entry")
print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss} KiB")
