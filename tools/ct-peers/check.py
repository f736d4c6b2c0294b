"""Compares what `tagwise ct` reads from a log by Tessera with the certificates in it: `check.py TAGWISE PEER CERTS FOLDER`.

PEER is the program in `go`, and CERTS has certificates in DER, one after the other.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

# The certificates that are added first, and then. A data tile has 256.
FIRST, MORE = 5000, 1234


def values(data):
    """The SEQUENCEs of a file with one after the other."""
    start = 0
    while start < len(data):
        first = data[start + 1]
        more = first & 0x7F if first & 0x80 else 0
        length = int.from_bytes(data[start + 2 : start + 2 + more], "big") if more else first
        end = start + 2 + more + length
        yield data[start:end]
        start = end


class Log:
    """A running log."""

    def __init__(self, peer, certificates, folder):
        command = [peer, str(certificates), str(folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url, self.key = self.process.stdout.readline().split()

    def add(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait(60)


def main():
    tagwise, peer, certificates, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    expected = [hashlib.sha256(value).hexdigest() for value in values(certificates.read_bytes())]
    served = folder / "log"
    log = Log(peer, certificates, served)
    state, lines = folder / "state", folder / "found.ndjson"

    def ct(verb, *arguments, code=0):
        command = [tagwise, "ct", verb, log.url, "--key", log.key, *map(str, arguments)]
        run = subprocess.run(command, capture_output=True, text=True)
        assert run.returncode == code, f"{command}: exit code {run.returncode}\n{run.stdout[:500]}\n{run.stderr}"
        return run

    def compare(text, first, count):
        found = [json.loads(line) for line in text.splitlines()]
        assert [one["index"] for one in found] == list(range(first, first + count))
        assert [one["sha256"] for one in found] == expected[first : first + count]
        return sum("error" in one for one in found)

    try:
        assert log.add(FIRST) == FIRST
        head = ct("show").stdout
        assert f"Entries:   {FIRST}\n" in head and "Signature: valid" in head, head
        print(f"tree head: {FIRST} entries, valid signature")
        ct("watch", "--state", state, "-o", lines)
        unreadable = compare(lines.read_text(), 0, FIRST)
        print(f"watch: {FIRST} entries, all fingerprints equal, {unreadable} with a malformed certificate")
        compare(ct("get", "--start", 250, "--end", 260).stdout, 250, 10)
        print("get: 10 entries of two tiles")
        assert log.add(MORE) == FIRST + MORE
        ct("watch", "--state", state, "-o", lines)
        compare(lines.read_text(), 0, FIRST + MORE)
        print(f"watch: {MORE} more entries of a consistent tree")
        tile = served / "tile/data/001"
        octets = bytearray(tile.read_bytes())
        octets[len(octets) // 2] ^= 1
        tile.write_bytes(octets)
        changed = ct("watch", "--state", folder / "state-changed", code=1)
        assert "wrong leaves" in changed.stderr, changed.stderr
        print("watch: a changed entry is found")
    finally:
        log.stop()


if __name__ == "__main__":
    main()
