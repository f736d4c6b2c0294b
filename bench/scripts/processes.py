"""Short commands as whole processes, beside OpenSSL's and MIT Kerberos's: `processes.py TAGWISE [--runs N] [--instructions] [--only TEXT]`.

The two commands of a row take turns, the second with the first in every other round. A row prints the medians of wall and
processor time in milliseconds, and the median of the ratios of each round's pair: by the wall, and by the processors. `--instructions` adds what callgrind counts,
which does not depend on the machine's load.

Servers are on the loopback: `openssl s_server` for `show tls://`, and MIT's KDC with a realm in a temporary folder for `kinit`.
`--certificates N` verifies N Merkle Tree Certificates of one checkpoint, and prints the peak of the resident set.
"""

import argparse
import contextlib
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Debian keeps MIT's servers outside the PATH of users.
SEARCH = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def must(arguments, folder, env=None):
    """Runs a command that prepares a row."""
    done = subprocess.run([str(one) for one in arguments], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr}{done.stdout}")
    return done.stdout


def timed(arguments, folder, env):
    """Seconds by the wall, of the processors, and the peak of the resident set in MiB."""
    start = time.perf_counter()
    child = subprocess.Popen([str(one) for one in arguments], cwd=folder, env=env, **QUIET)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: exit code {child.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def instructions(arguments, folder, env):
    """Instructions of a command by callgrind, in millions."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *(str(one) for one in arguments)]
    done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return f"{int(found.group(1)) / 1e6:.1f}" if found and done.returncode == 0 else "–"


class Row:
    """A command, its peer, and what restores the folder before each run."""

    def __init__(self, name, own, peer, env=None, before=lambda: None):
        self.name, self.own, self.peer, self.env, self.before = name, own, peer, env, before

    def run(self, folder, runs, count):
        own, peer, ratios, peak = [], [], [], 0
        for turn in range(-1, runs):
            order = [(own, self.own), (peer, self.peer)]
            times = {}
            for kept, command in order if turn % 2 else reversed(order):
                if command is None:
                    continue
                self.before()
                wall, processor, resident = timed(command, folder, self.env)
                times[id(kept)] = (wall, processor)
                if turn >= 0:
                    kept.append((wall * 1000, processor * 1000))
                if command is self.own:
                    peak = max(peak, resident)
            if turn >= 0 and self.peer:
                ratios.append([mine / theirs for mine, theirs in zip(times[id(own)], times[id(peer)])])

        def median(kept, part):
            return f"{statistics.median(one[part] for one in kept):.1f}" if kept else "–"

        both = [f"{statistics.median(one[part] for one in ratios):.2f}" if ratios else "–" for part in (0, 1)]
        cells = [median(own, 0), median(own, 1), median(peer, 0), median(peer, 1), *both, f"{peak:.0f}"]
        if count:
            for command in (self.own, self.peer):
                if command:
                    self.before()
                cells.append(instructions(command, folder, self.env) if command else "–")
        print(f"| {self.name} | " + " | ".join(cells) + " |", flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, child):
    """Waits until a server accepts connections."""
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if child.poll() is not None:
            raise SystemExit(f"the server on port {port} ended with {child.returncode}")
        time.sleep(0.05)
    raise SystemExit(f"no server on port {port}")


def start(stack, arguments, folder, env=None):
    child = subprocess.Popen([str(one) for one in arguments], cwd=folder, env=env, **QUIET)
    stack.callback(child.wait)
    stack.callback(child.terminate)
    return child


def keys(program, folder):
    """The rows that need neither server nor database."""
    must(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "own.key",
          "-out", "own.pem", "-subj", "/CN=www.example.org", "-days", "30", "-addext", "subjectAltName=IP:127.0.0.1"], folder)  # fmt: skip
    (folder / "text").write_text("A message.\n")

    def unlink(*names):
        return lambda: [(folder / name).unlink(missing_ok=True) for name in names]

    yield Row(
        "`key new ecdsa-p256`",
        [program, "key", "new", "ecdsa-p256", "--no-passphrase", "-o", "new.key"],
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "new.key"],
        before=unlink("new.key"),
    )
    yield Row(
        "`cms sign`, P-256",
        [program, "cms", "sign", "--key", "own.key", "--certificate", "own.pem", "text", "-o", "signed.p7m"],
        ["openssl", "cms", "-sign", "-nodetach", "-binary", "-in", "text", "-signer", "own.pem", "-inkey", "own.key", "-outform", "DER",
         "-out", "signed.p7m"],  # fmt: skip
        before=unlink("signed.p7m"),
    )


def tls(program, folder, stack):
    port = free_port()
    server = start(stack, ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", "own.pem", "-key", "own.key", "-quiet"], folder)
    wait_for(port, server)
    yield Row(
        "`show tls://`",
        [program, "show", f"tls://127.0.0.1:{port}", "--trust", "own.pem"],
        ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", "own.pem", "-verify_return_error", "-showcerts"],
    )


def kerberos(program, folder, stack):
    if not all(shutil.which(name, path=SEARCH) for name in ("kdb5_util", "kadmin.local", "krb5kdc", "kinit")):
        print("no row for `kinit`: MIT Kerberos is not installed", file=sys.stderr)
        return
    port = free_port()
    (folder / "krb5.conf").write_text(
        "[libdefaults]\n default_realm = EXAMPLE.ORG\n dns_lookup_kdc = false\n dns_lookup_realm = false\n rdns = false\n"
        f"[realms]\n EXAMPLE.ORG = {{\n  kdc = 127.0.0.1:{port}\n }}\n"
    )
    (folder / "kdc.conf").write_text(
        f"[kdcdefaults]\n kdc_listen = 127.0.0.1:{port}\n kdc_tcp_listen = 127.0.0.1:{port}\n"
        f"[realms]\n EXAMPLE.ORG = {{\n  database_name = {folder}/principal\n  key_stash_file = {folder}/stash\n }}\n"
    )
    settings = {"KRB5_CONFIG": folder / "krb5.conf", "KRB5_KDC_PROFILE": folder / "kdc.conf", "KRB5CCNAME": folder / "cache"}
    env = {**os.environ, "PATH": SEARCH, **{name: str(value) for name, value in settings.items()}}
    must(["kdb5_util", "create", "-s", "-r", "EXAMPLE.ORG", "-P", "master"], folder, env)
    must(["kadmin.local", "addprinc", "-randkey", "+requires_preauth", "service"], folder, env)
    must(["kadmin.local", "ktadd", "-k", folder / "keytab", "service"], folder, env)
    wait_for(port, start(stack, ["krb5kdc", "-n"], folder, env))
    yield Row(
        "`krb5 kinit -k`",
        [program, "krb5", "kinit", "-k", "-t", "keytab", "service"],
        ["kinit", "-k", "-t", "keytab", "service"],
        env,
    )


def authority(program, folder):
    must([program, "ca", "init", "--db", "ca.db", "--subject", "CN=CA", "--no-passphrase", "-o", "ca.pem"], folder)
    must(["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "leaf.key",
          "-out", "leaf.csr", "-subj", "/CN=www.example.org", "-addext", "subjectAltName=DNS:www.example.org"], folder)  # fmt: skip
    (folder / "new").mkdir()
    (folder / "index.txt").write_text("")
    (folder / "openssl.cnf").write_text(
        "[ca]\ndefault_ca = own\n[own]\ndatabase = index.txt\nnew_certs_dir = new\ncertificate = own.pem\nprivate_key = own.key\n"
        "rand_serial = yes\ndefault_md = sha256\ndefault_days = 30\npolicy = any\nunique_subject = no\ncopy_extensions = copy\n"
        "[any]\ncommonName = supplied\n"
    )
    yield Row(
        "`ca issue`, P-256",
        [program, "ca", "issue", "--db", "ca.db", "leaf.csr", "-o", "leaf.pem"],
        ["openssl", "ca", "-config", "openssl.cnf", "-batch", "-notext", "-in", "leaf.csr", "-out", "leaf.pem"],
        before=lambda: (folder / "leaf.pem").unlink(missing_ok=True),
    )


def merkle(program, folder, count):
    must([program, "mtc", "init", "--id", "32473.1", "--new-key", "--no-passphrase", "-o", "mtc.pem"], folder)
    must([program, "key", "new", "ecdsa-p256", "-o", "server.key", "--public", "server.pub", "--no-passphrase"], folder)
    issue = [program, "mtc", "issue", "--public-key", "server.pub", "--dns", "host{}.example.org", "--repeat", count, "-o", "all.pem"]
    must(issue, folder)
    yield Row(f"`mtc verify` of {count:,} certificates", [program, "mtc", "verify", "all.pem", "--ca", "mtc.pem"], None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, metavar="TAGWISE")
    parser.add_argument("--runs", type=int, default=15, help="counted rounds of each row [default: 15]")
    parser.add_argument("--instructions", action="store_true", help="count instructions, too (needs valgrind)")
    parser.add_argument("--certificates", type=int, default=66_000, help="Merkle Tree Certificates; 0 for none [default: 66000]")
    parser.add_argument("--only", default="", help="measure only rows whose names contain this text")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    load = os.getloadavg()[0]
    print(f"{must([program, '--version'], '.').splitlines()[0]}; {must(['openssl', 'version'], '.').strip()}; load {load:.1f}\n")
    heads = ["row", "wall, ms", "processors, ms", "peer's wall", "peer's processors", "ratio, wall", "ratio, processors", "MiB"]
    heads += ["million instructions", "peer's"] if arguments.instructions else []
    print("| " + " | ".join(heads) + " |\n|---|" + "--:|" * (len(heads) - 1))
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)

        def rows():
            yield from keys(program, folder)
            yield from tls(program, folder, stack)
            yield from kerberos(program, folder, stack)
            yield from authority(program, folder)
            if arguments.certificates and arguments.only in "mtc verify":
                yield from merkle(program, folder, arguments.certificates)

        for row in rows():
            if arguments.only in row.name:
                row.run(folder, arguments.runs, arguments.instructions)


if __name__ == "__main__":
    main()
