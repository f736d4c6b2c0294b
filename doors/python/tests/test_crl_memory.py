"""A revocation list takes its bytes once, four bytes an entry for numbers, four more for serial numbers, and nothing for entries."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

COUNT = 400_000

#: In a process of its own, whose memory has never been larger: what it had at most, after each step.
PROGRAM = """
import sys
from tagwise import x509

def most():
    # getrusage would tell what the process had been before it became this program, too.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

# The code that is needed is in memory once a short list was read.
short = x509.load_der_x509_crl(open(sys.argv[2], "rb").read())
assert len(short) == 3 and [one.serial_number for one in short] and short.get_revoked_certificate_by_serial_number(1) is None
count = int(sys.argv[3])
der = open(sys.argv[1], "rb").read()
steps = [most()]
crl = x509.load_der_x509_crl(der)
steps.append(most())
assert len(crl) == count
steps.append(most())
assert crl[count - 1].serial_number == 0x10000 + count - 1
assert crl.get_revoked_certificate_by_serial_number(0x10000 + 4711).serial_number == 0x10000 + 4711
assert crl.get_revoked_certificate_by_serial_number(1) is None
steps.append(most())
assert sum(1 for one in crl) == count and [one.serial_number for one in crl[5:8]] == [0x10005, 0x10006, 0x10007]
steps.append(most())
print(*(after - before for before, after in zip(steps, steps[1:])))
"""


def element(tag: int, content: bytes) -> bytes:
    size = len(content)
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag]) + (bytes([size]) if size < 128 else bytes([0x80 + len(octets)]) + octets) + content


def listed(count: int) -> bytes:
    """A list with three bytes of serial number in each entry; its signature is none."""
    time = element(0x17, b"260101000000Z")
    algorithm = element(0x30, b"\x06\x03\x2b\x65\x70")
    name = element(0x30, element(0x31, element(0x30, b"\x06\x03\x55\x04\x03" + element(0x0C, b"Somebody"))))
    entries = b"".join(b"\x30\x14\x02\x03" + (0x10000 + number).to_bytes(3, "big") + time for number in range(count))
    tbs = element(0x30, b"\x02\x01\x01" + algorithm + name + time + time + element(0x30, entries))
    return element(0x30, tbs + algorithm + b"\x03\x02\x00\x01")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is asked for as Linux tells it")
def test_memory(tmp_path: pathlib.Path) -> None:
    file, short = tmp_path / "list", tmp_path / "short"
    file.write_bytes(listed(COUNT))
    short.write_bytes(listed(3))
    command = [sys.executable, "-c", PROGRAM, str(file), str(short), str(COUNT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    loaded, counted, found, walked = map(int, done.stdout.split())
    slack = 1 << 20
    assert loaded < slack, done.stdout
    # While the places are collected, their vector grows by doubling: half as much again is there for a moment.
    assert counted < 4 * COUNT * 3 + slack, done.stdout
    # Hashes and numbers are sorted together, eight bytes an entry, half of which stay; what was freed before is used again.
    assert found < 8 * COUNT + slack, done.stdout
    assert walked < slack, done.stdout
