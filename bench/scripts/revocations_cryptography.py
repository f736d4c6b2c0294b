"""The same look-ups with Python's cryptography: `revocations_cryptography.py LIST`."""

import sys
import time

from cryptography import __version__, x509

data = open(sys.argv[1], "rb").read()
crl = x509.load_der_x509_crl(data)
serials = [entry.serial_number for entry in crl]
count = len(serials)
order = [step * 0x9E3779B1 % count for step in range(100)]


def least(name, wanted, rounds=3):
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for serial in wanted:
            crl.get_revoked_certificate_by_serial_number(serial)
        best = min(best, (time.perf_counter() - start) / len(wanted))
    print(f"{name} {best * 1e9:,.0f} ns")


print(f"cryptography {__version__}: {count} entries")
least("there    ", [serials[at] for at in order])
least("not there", [(1 << 70) + step for step in range(5)])
