"""The rate of `tagwise ca issue` with a batch of requests, beside bare signatures: `issue_batch.py TAGWISE [COUNT]`.

The requests are for ECDSA P-256 keys, like the CA's key, and are in one PEM bundle. The time includes starting the program,
reading and checking the requests, verifying their signatures, signing, and storing the certificates durably. The bare rate is
that of `openssl speed` on as many processors. Processor time is the user and system time of the program.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

ROUNDS = 3


def request(number):
    """A request for a new key."""
    name = f"host{number}.example.org"
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    names = x509.SubjectAlternativeName([x509.DNSName(name)])
    builder = x509.CertificateSigningRequestBuilder().subject_name(subject).add_extension(names, critical=False)
    signed = builder.sign(ec.generate_private_key(ec.SECP256R1()), hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def bare(processors):
    """Signatures a second by OpenSSL on all processors."""
    done = subprocess.run(
        ["openssl", "speed", "-seconds", "3", "-multi", str(processors), "ecdsap256"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"nistp256\)\s+\S+\s+\S+\s+([0-9.]+)\s+([0-9.]+)", done.stdout)
    return float(found.group(1))


def spent():
    """The processor time of the ended children, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    program = Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    processors = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "requests.pem").write_bytes(b"".join(request(number) for number in range(count)))
        best = least = float("inf")
        for turn in range(ROUNDS):
            # A new CA for each round, so that the database does not grow.
            database = here / f"{turn}.db"
            init = [program, "ca", "init", "--db", database, "--subject", "CN=CA", "--no-passphrase", "-o", here / "ca.pem"]
            subprocess.run(init, check=True, capture_output=True)
            issue = [program, "ca", "issue", "--db", database, here / "requests.pem", "-o", here / f"issued{turn}"]
            start, before = time.perf_counter(), spent()
            subprocess.run(issue, check=True, capture_output=True)
            best, least = min(best, time.perf_counter() - start), min(least, spent() - before)
            issued = sum(1 for _ in (here / f"issued{turn}").iterdir())
            assert issued == count, f"{issued} certificates, expected {count}"
    rate, signatures = count / best, bare(processors)
    print(f"{count} requests, {processors} processors, best of {ROUNDS}: {best:.2f} s")
    print(f"issued         {rate:>10,.0f}/s")
    print(f"bare signing   {signatures:>10,.0f}/s (openssl speed)")
    print(f"ratio          {rate / signatures:>10.0%}")
    print(f"processor time {least / count * 1e6:>10.1f} µs a certificate")
    print(f"load           {' '.join(f'{load:.2f}' for load in os.getloadavg())}")


main()
